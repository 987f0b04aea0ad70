//! What a review says: [`Report`], the same for the page, the command line and the files they write.

use super::{Class, Mark, Thresholds, error::percent_above};
use crate::reason::Reason;
use rules::{ByColor, Color, Square};
use serde::{Deserialize, Serialize};

/// What is known of a game so far. Scores are in discs, from the side of whoever made the move.
///
/// A move's score, the value after it and the best score of the move that follows are one number: they never disagree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Report {
    /// The moves judged so far: all of them after the first stage, before that the last ones.
    pub moves: Vec<MoveReport>,
    /// What Black lost.
    pub black: PlayerReport,
    /// What White lost.
    pub white: PlayerReport,
    /// The number of the last turning point that is sure: after it nobody surely lost the win, or the draw, again. `null` if there is none.
    pub decided_at: Option<usize>,
    /// By which moves are called what they are called.
    pub thresholds: Thresholds,
    /// The time the review took so far.
    pub seconds: f64,
}

/// One move of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ReportMove"))]
pub struct MoveReport {
    /// 1 for the first move of the game.
    pub number: usize,
    /// Who made it.
    #[cfg_attr(feature = "ts", ts(type = "Color"))]
    pub by: Color,
    /// Where.
    #[cfg_attr(feature = "ts", ts(type = "Square"))]
    pub square: Square,
    /// Discs lost against the best move, as far as is known.
    pub loss: i32,
    /// Discs that it surely lost; below 0 where it may be better than what seems best.
    pub least: f32,
    /// The usual error of the loss; 0 if it is proven.
    pub error: f32,
    /// The loss and both scores are proven: both moves were searched to the end of the game.
    pub exact: bool,
    /// The class is stated: nothing accuses without being sure.
    pub sure: bool,
    /// How good it was; `null` while that is not sure.
    pub class: Option<Class>,
    /// What stands behind it where it is worth a look.
    pub mark: Option<Mark>,
    /// It took the win, or the draw, from whoever made it.
    pub turning_point: bool,
    /// Nobody chose it: the game began with it. It counts for nobody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub given: bool,
    /// What it may have lost, where that is not sure.
    pub perhaps: Option<Perhaps>,
    /// The moves known to be best, the search's own first.
    #[cfg_attr(feature = "ts", ts(type = "Square[]"))]
    pub best: Vec<Square>,
    /// The result to expect after it.
    pub score: i32,
    /// The result to expect after the best move.
    pub best_score: i32,
    /// The result to expect after it, for Black: what the graph shows.
    pub value_black: i32,
    /// Plies the search behind it looked ahead.
    pub depth: u32,
    /// Time taken for it, where the record says so.
    pub seconds: Option<f32>,
    /// The part of the game.
    pub phase: Phase,
    /// What should have followed, the best move first.
    #[cfg_attr(feature = "ts", ts(type = "Square[]"))]
    pub better: Vec<Square>,
    /// What best play after it looks like, the reply first.
    #[cfg_attr(feature = "ts", ts(type = "Square[]"))]
    pub refutation: Vec<Square>,
    /// Why it was bad, where a search has shown it.
    pub reason: Option<Reason>,
    /// What else was bad about it.
    pub others: Vec<Reason>,
    /// It was the only good move: every other loses at least so many discs, more than a few, and that is proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub only_by: Option<i32>,
}

/// A loss that is not sure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Perhaps {
    /// Discs.
    pub loss: i32,
    /// How likely it is that the move is as bad as that: an inaccuracy, or a mistake.
    pub percent: u8,
}

/// A part of the game, by the empty squares before the move: more than 40, more than 20, or fewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The first 20 moves.
    Opening,
    /// The next 20.
    Midgame,
    /// The last 20.
    Ending,
}

impl Phase {
    /// The phase of a move with so many squares empty before it.
    pub fn of(empties: u32) -> Phase {
        match empties {
            41.. => Phase::Opening,
            21.. => Phase::Midgame,
            _ => Phase::Ending,
        }
    }
}

/// What one player lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ReportSide"))]
pub struct PlayerReport {
    /// In all.
    pub loss: i32,
    /// In each part of the game.
    pub phases: PhaseLosses,
    /// How quickly they made mistakes, where that is known of two or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub haste: Option<Haste>,
}

/// A move that took fewer seconds was made without much thought.
pub const QUICK: f32 = 5.0;

/// How quickly mistakes were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Haste {
    /// Mistakes and blunders whose time is known.
    pub mistakes: u32,
    /// Those that took less than [`QUICK`].
    pub quick: u32,
}

/// What was lost in each part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PhaseLosses {
    /// In the first 20 moves.
    pub opening: i32,
    /// In the next 20.
    pub midgame: i32,
    /// In the last 20.
    pub ending: i32,
}

impl PlayerReport {
    fn add(&mut self, one: &MoveReport) {
        self.loss += one.loss;
        *match one.phase {
            Phase::Opening => &mut self.phases.opening,
            Phase::Midgame => &mut self.phases.midgame,
            Phase::Ending => &mut self.phases.ending,
        } += one.loss;
        if let (Some(Class::Mistake | Class::Blunder), Some(seconds)) = (one.class, one.seconds) {
            let haste = self.haste.get_or_insert_default();
            haste.mistakes += 1;
            haste.quick += u32::from(seconds < QUICK);
        }
    }
}

impl Report {
    /// How many moves were given.
    pub fn given(&self) -> usize {
        self.moves.iter().filter(|one| one.given).count()
    }

    /// The same moves, called what these thresholds call them: nothing has to be searched again for that.
    ///
    /// What was found out about why a move was bad stays with it, whatever it is called now.
    pub fn by(self, thresholds: Thresholds) -> Report {
        let moves = self.moves.into_iter().map(|one| one.by_thresholds(&thresholds)).collect();
        Report::new(moves, thresholds, self.seconds)
    }

    /// What these moves add up to.
    pub(super) fn new(moves: Vec<MoveReport>, thresholds: Thresholds, seconds: f64) -> Report {
        let mut players = ByColor::<PlayerReport>::default();
        for one in &moves {
            players[one.by].add(one);
        }
        for color in [Color::Black, Color::White] {
            players[color].haste = players[color].haste.filter(|haste| haste.mistakes > 1);
        }
        let decided_at = moves.iter().rev().find(|one| one.turning_point && one.sure).map(|one| one.number);
        Report { moves, black: players.black, white: players.white, decided_at, thresholds, seconds }
    }
}

impl MoveReport {
    /// Called what these thresholds call a move that lost so much, as surely as that.
    pub(super) fn by_thresholds(self, thresholds: &Thresholds) -> MoveReport {
        if self.given {
            return self;
        }
        let MoveReport { loss, least, error, turning_point, .. } = self;
        let class = thresholds.stated(loss, least);
        let percent = || percent_above(least + 2.0 * error, thresholds.must_exceed(loss) as f32, error);
        MoveReport {
            sure: class.is_some(),
            class,
            mark: Mark::of(class, turning_point),
            perhaps: class.is_none().then(|| Perhaps { loss, percent: percent() }),
            ..self
        }
    }
}

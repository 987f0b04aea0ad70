//! How often a player chose what the engine would have chosen: [`Agreement`], of the moves in which there was something to choose.
//!
//! A number to be looked at beside the same number of the opponent, and never a proof: people who know an opening, or whose opponent errs
//! at every turn, agree with every engine.

use crate::review::Report;
use record::Record;
use rules::{ByColor, Position};
use serde::Serialize;
use std::ops::AddAssign;

/// With fewer legal moves there is little to choose.
const CHOICE: u32 = 3;
/// An ending has so many empty squares or fewer: strong programs solve it, people do not.
pub const ENDING: u32 = 20;

/// How the moves of one player compare with the engine's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Agreement {
    /// The moves that count: chosen by the player, after the opening book, with at least three squares to choose from, not all of them proven to be equal.
    pub moves: u32,
    /// The discs that they lost.
    pub loss: u32,
    /// How many of them lost none.
    pub best: u32,
    /// How many of them were made in endings, and are proven to be best or not.
    pub ending: u32,
    /// How many of those lost none.
    pub ending_best: u32,
}

impl AddAssign for Agreement {
    fn add_assign(&mut self, other: Agreement) {
        self.moves += other.moves;
        self.loss += other.loss;
        self.best += other.best;
        self.ending += other.ending;
        self.ending_best += other.ending_best;
    }
}

/// What a review of a game says of both players. `in_book` knows the positions that are to be left out.
pub fn agreement(record: &Record, report: &Report, in_book: impl Fn(&Position) -> bool) -> ByColor<Agreement> {
    let mut both = ByColor::<Agreement>::default();
    for played in &report.moves {
        let Some(before) = played.number.checked_sub(1).and_then(|number| record.after(number)) else { continue };
        let choices = before.legal().len();
        let all_equal = played.exact && played.best.len() as u32 == choices;
        if played.given || choices < CHOICE || all_equal || in_book(&before) {
            continue;
        }
        let (best, ending) = (played.loss <= 0, played.exact && before.empty().len() <= ENDING);
        both[played.by] += Agreement {
            moves: 1,
            loss: played.loss.max(0) as u32,
            best: best.into(),
            ending: ending.into(),
            ending_best: (best && ending).into(),
        };
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{MoveReport, Phase, PlayerReport, Thresholds};
    use rules::{Color, Square};

    fn report(record: &Record, of: impl Fn(usize, &mut MoveReport)) -> Report {
        let moves = record.steps().enumerate().map(|(index, step)| {
            let mut played = MoveReport {
                number: index + 1,
                by: step.by,
                square: step.square,
                loss: 0,
                least: 0.0,
                error: 0.0,
                exact: false,
                sure: false,
                class: None,
                mark: None,
                turning_point: false,
                given: false,
                perhaps: None,
                best: vec![step.square],
                score: 0,
                best_score: 0,
                value_black: 0,
                depth: 14,
                seconds: None,
                phase: Phase::Opening,
                better: Vec::new(),
                refutation: Vec::new(),
                reason: None,
                others: Vec::new(),
                only_by: None,
            };
            of(index + 1, &mut played);
            played
        });
        let nobody = PlayerReport::default();
        Report {
            moves: moves.collect(),
            black: nobody,
            white: nobody,
            decided_at: None,
            thresholds: Thresholds::default(),
            seconds: 0.0,
        }
    }

    /// The first legal move each time.
    fn game(count: usize) -> Record {
        let (mut position, mut moves) = (Position::start(), Vec::<Square>::new());
        while moves.len() < count {
            moves.push(position.legal().first().unwrap());
            position = position.play(moves[moves.len() - 1]).unwrap().after;
        }
        Record::from_moves(moves).unwrap()
    }

    #[test]
    fn each_move_counts_for_whoever_made_it() {
        let record = game(4);
        let report = report(&record, |number, played| played.loss = if number == 4 { 6 } else { 0 });
        let both = agreement(&record, &report, |_| false);
        assert_eq!(both.black, Agreement { moves: 2, best: 2, ..Agreement::default() });
        assert_eq!((both.white.moves, both.white.best, both.white.loss), (2, 1, 6));
        let mut all = both.black;
        all += both.white;
        assert_eq!((all.moves, all.best, all.loss, all.ending), (4, 3, 6, 0));
    }

    #[test]
    fn what_the_book_knows_and_what_leaves_no_choice_does_not_count() {
        let record = game(4);
        let report = report(&record, |number, played| {
            if number == 3 {
                let before = record.after(2).unwrap();
                (played.exact, played.best) = (true, before.legal().into_iter().collect());
            }
        });
        let both = agreement(&record, &report, |position| *position == Position::start());
        assert_eq!(
            both.map(|of| of.moves),
            ByColor { black: 0, white: 2 },
            "the first is in the book, the third all the same"
        );
    }

    #[test]
    fn endings_count_where_they_are_proven() {
        let record = game(50);
        let late = |exact: bool| {
            let report =
                report(&record, |number, played| (played.exact, played.loss) = (exact, i32::from(number == 45)));
            let mut all = Agreement::default();
            for color in Color::ALL {
                all += agreement(&record, &report, |_| false)[color];
            }
            all
        };
        let expected =
            (41..=50).filter(|number| record.after(number - 1).unwrap().legal().len() >= CHOICE).count() as u32;
        let proven = late(true);
        assert_eq!(proven.ending, expected);
        assert!(expected > 2 && proven.ending_best + 1 >= expected && proven.ending_best <= expected);
        assert_eq!((late(false).ending, late(false).ending_best), (0, 0));
    }
}

//! The game under review: its positions, and what is known of each of its moves.

use super::{Class, MoveReport, Phase, Report, Thresholds, error::usual_error};
use crate::reason::{Reason, SAFE};
use engine::{Bound, Line};
use record::Record;
use rules::{Color, Position, Square, Symmetry};

/// A move and what a search said of it, from the mover's side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) score: i32,
    pub(super) depth: u32,
    pub(super) exact: bool,
    /// The move first.
    pub(super) line: Vec<Square>,
}

impl Found {
    /// What a finished search says; `None` of one that was stopped.
    pub(super) fn of(line: &Line) -> Option<Found> {
        let Line { score, depth, ref variation, .. } = *line;
        (line.bound == Bound::Exact && depth > 0).then(|| Found {
            score,
            depth,
            exact: line.is_proven(),
            line: variation.clone(),
        })
    }

    pub(super) fn square(&self) -> Option<Square> {
        self.line.first().copied()
    }
}

/// The best move of a position and the one that was played, by searches of the same depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Judgement {
    pub(super) best: Found,
    /// The move that was played; its line has that move first.
    pub(super) played: Found,
}

impl Judgement {
    /// Discs between the two.
    fn difference(&self) -> i32 {
        (self.best.score - self.played.score).max(0)
    }

    /// Whether nothing better was found than what was played.
    fn is_best(&self) -> bool {
        self.difference() == 0
    }

    pub(super) fn exact(&self) -> bool {
        self.best.exact && self.played.exact
    }

    /// The usual error of the difference.
    fn error(&self, empties: u32) -> f32 {
        if self.exact() { 0.0 } else { usual_error(self.best.depth, empties) }
    }

    /// What the position before this move is worth, where that after it is worth so much.
    fn value_before(&self, one: &Move, after: Value) -> Value {
        let (sign, best) = (one.sign(), self.best.score);
        let played = sign * after.black;
        let expected = played + self.difference();
        let mover = match () {
            () if self.exact() && after.is_proven() => best,
            () if self.is_best() => played,
            () if self.exact() => expected.min(64),
            () => (expected + (best - expected) / 4).clamp(played, 64),
        };
        let error = if self.exact() { after.error } else { self.error(one.empties()) };
        Value { black: sign * mover, error }
    }
}

/// One move of the game.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) before: Position,
    pub(super) by: Color,
    pub(super) square: Square,
    seconds: Option<f32>,
    /// Nobody chose it: the game began with it.
    pub(super) given: bool,
    pub(super) judgement: Option<Judgement>,
    pub(super) reasons: Vec<Reason>,
    /// The best of the other moves, proven, where that was asked.
    pub(super) other: Option<i32>,
}

impl Move {
    /// From Black's side to the mover's, and back.
    fn sign(&self) -> i32 {
        if self.by == Color::Black { 1 } else { -1 }
    }

    pub(super) fn empties(&self) -> u32 {
        self.before.empty().len()
    }

    /// Whether there was a choice that may have been difficult, and the right one was surely made, so near the end that all others are
    /// quickly solved.
    pub(super) fn may_be_only(&self) -> bool {
        /// How many moves to choose from are a choice.
        const CHOICE: u32 = 3;
        const SOLVED_FROM: u32 = 20;
        let found = self.judgement.as_ref().is_some_and(|judgement| judgement.exact() && judgement.is_best());
        found && self.before.legal().len() >= CHOICE && self.empties() <= SOLVED_FROM
    }

    /// How to look at the board so that it is the same and this move is the one that was played; `None` if it is another.
    pub(super) fn as_played(&self, square: Square) -> Option<Symmetry> {
        let board = self.before.board();
        Symmetry::ALL.into_iter().find(|way| way.square(square) == self.square && way.board(board) == board)
    }
}

/// What a position of the game is worth to Black.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Value {
    black: i32,
    /// The usual error; none if it is proven.
    error: f32,
}

impl Value {
    fn is_proven(self) -> bool {
        self.error == 0.0
    }
}

/// How many moves nobody chose. A record of ours says so by leaving out their time, where it has that of the moves after them.
fn given(record: &Record) -> usize {
    /// As our records name where a game was played.
    const OURS: &str = "Outflank";
    let timed = |at: &usize| record.note(Some(*at as u32)).is_some_and(|note| note.seconds.is_some());
    let first = (0..record.main_len()).find(timed).unwrap_or(0);
    if record.headers.site == OURS { first } else { 0 }
}

/// The moves of the game, and its last position.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) moves: Vec<Move>,
    pub(super) end: Position,
    /// What a search says of the last position, where the game goes on.
    pub(super) after_end: Option<Found>,
}

impl Game {
    pub(super) fn new(record: &Record) -> Game {
        let mut before = record.start();
        let given = given(record);
        let moves = record.steps().enumerate().map(|(at, step)| {
            let seconds = record.note(Some(at as u32)).and_then(|note| note.seconds);
            let one = Move {
                before,
                by: step.by,
                square: step.square,
                seconds,
                given: at < given,
                judgement: None,
                reasons: Vec::new(),
                other: None,
            };
            before = step.after;
            one
        });
        Game { moves: moves.collect(), end: record.end(), after_end: None }
    }

    /// The position before the move at this place, or the last one.
    pub(super) fn position(&self, at: usize) -> Position {
        self.moves.get(at).map_or(self.end, |one| one.before)
    }

    /// What the last position is worth to Black.
    fn end_value(&self) -> Option<Value> {
        if let Some(outcome) = self.end.outcome() {
            return Some(Value { black: outcome.difference().into(), error: 0.0 });
        }
        let found = self.after_end.as_ref()?;
        let sign = if self.end.turn() == Some(Color::Black) { 1 } else { -1 };
        let error = if found.exact { 0.0 } else { usual_error(found.depth, self.end.empty().len()) };
        Some(Value { black: sign * found.score, error })
    }

    /// What each position is worth to Black, from the last one back as far as every move between is judged; the last
    /// position first.
    ///
    /// A position is worth what came of it plus what the move lost: what was played is what was looked at furthest. Where
    /// that and the search of the position itself drift apart, a quarter of the gap is closed at each move that lost
    /// something, so that small errors do not add up over a game. What is proven stays as it is, once what came of it is
    /// proven too: until then the two searches of a move prove what it lost, and not what the position is worth.
    fn values(&self) -> Vec<Value> {
        let Some(mut value) = self.end_value() else { return Vec::new() };
        let mut values = vec![value];
        for one in self.moves.iter().rev() {
            if !one.given {
                let Some(judgement) = &one.judgement else { break };
                value = judgement.value_before(one, value);
            }
            values.push(value);
        }
        values
    }

    /// What is known so far.
    pub(super) fn report(&self, thresholds: &Thresholds, seconds: f64) -> Report {
        let values = self.values();
        let last = self.moves.len();
        let mut moves: Vec<MoveReport> = values
            .windows(2)
            .enumerate()
            .filter_map(|(back, pair)| {
                let at = last - 1 - back;
                let one = &self.moves[at];
                if one.given {
                    return Some(one.given_report(at + 1, pair[0]));
                }
                Some(one.report(at + 1, one.judgement.as_ref()?, pair[1], pair[0], thresholds))
            })
            .collect();
        moves.reverse();
        Report::new(moves, *thresholds, seconds)
    }
}

impl Move {
    fn report(
        &self,
        number: usize,
        judgement: &Judgement,
        before: Value,
        after: Value,
        thresholds: &Thresholds,
    ) -> MoveReport {
        let sign = self.sign();
        let (score, best_score) = (sign * after.black, sign * before.black);
        let loss = best_score - score;
        let error = judgement.error(self.empties());
        // both ways to look at it must agree before anyone is accused
        let probable = loss.min(judgement.difference()) as f32;
        let least = probable - 2.0 * error;
        let class = thresholds.stated(loss, least);
        let mut best: Vec<Square> = judgement.best.square().into_iter().collect();
        if loss == 0 && !best.contains(&self.square) {
            best.push(self.square);
        }
        let exact = judgement.exact() && after.is_proven();
        let turning_point = turns((best_score, before.error), (score, after.error));
        let reasons = if class >= Some(Class::Inaccuracy) { &self.reasons[..] } else { &[] };
        let report = MoveReport {
            loss,
            least,
            error,
            exact,
            turning_point,
            best,
            best_score,
            depth: judgement.best.depth,
            better: judgement.best.line.clone(),
            refutation: judgement.played.line.iter().skip(1).copied().collect(),
            reason: reasons.first().cloned(),
            others: reasons.iter().skip(1).cloned().collect(),
            only_by: self.other.map(|other| score - other).filter(|&by| exact && loss == 0 && by > SAFE),
            ..self.plain_report(number, after)
        };
        report.by_thresholds(thresholds)
    }

    /// Nobody is praised or blamed for a move that they did not choose: it is worth what came of it.
    fn given_report(&self, number: usize, value: Value) -> MoveReport {
        MoveReport {
            given: true,
            best: vec![self.square],
            better: vec![self.square],
            ..self.plain_report(number, value)
        }
    }

    /// What there is to say of a move without any judgement.
    fn plain_report(&self, number: usize, after: Value) -> MoveReport {
        let score = self.sign() * after.black;
        MoveReport {
            number,
            by: self.by,
            square: self.square,
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
            best: Vec::new(),
            score,
            best_score: score,
            value_black: after.black,
            depth: 0,
            seconds: self.seconds,
            phase: Phase::of(self.empties()),
            better: Vec::new(),
            refutation: Vec::new(),
            reason: None,
            others: Vec::new(),
            only_by: None,
        }
    }
}

/// Whether what was surely won is surely no longer, or what was surely not lost now is; values with their usual errors.
fn turns((before, before_error): (i32, f32), (after, after_error): (i32, f32)) -> bool {
    let (before, after) = (before as f32, after as f32);
    let (low, high) = (before - 2.0 * before_error, after + 2.0 * after_error);
    low > 0.0 && high <= 0.0 || low >= 0.0 && high < 0.0
}

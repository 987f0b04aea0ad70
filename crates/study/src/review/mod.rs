//! The review of a game: which move lost how much, as far as that is sure.
//!
//! A [`Review`] searches nothing. It says what it wants to know ([`Review::next`]), is told what was found
//! ([`Review::answer`]), and has a [`Report`] at any time. Several questions may be under way at once, so that as many
//! engines work in parallel, and their answers may come in any order.
//!
//! ```
//! use engine::{Engine, Evaluator, Options};
//! use record::{Record, transcript};
//! use std::time::Duration;
//! use study::review::{Plan, Review, Stage};
//!
//! let game = Record::try_from(transcript::read(b"f5d6c5f4e7f6g5e6e3").unwrap()).unwrap();
//! let mut engine = Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 });
//! let mut review = Review::new(&game, Plan { first_depth: 3, depth: 4, ..Plan::default() });
//! while let Some(question) = review.next() {
//!     let analysis = engine.search(&question.position, &question.limits, &mut |_| {});
//!     review.answer(question.number, &analysis);
//! }
//! assert_eq!(review.stage(), Stage::Done);
//! let report = review.report(Duration::ZERO);
//! // White's last move let Black wipe them out
//! assert_eq!((report.moves.len(), report.moves[7].score), (9, -64));
//! ```
//!
//! The first stage looks at every position once, from the end of the game back, so that what is found late in the game is
//! known earlier in it; the second looks again, deeper, at the suspects first; the third asks what would have been if.

mod class;
mod error;
mod game;
mod report;

pub use class::{Class, Thresholds};
pub use error::usual_error;
pub use report::{MoveReport, Perhaps, Phase, PhaseLosses, PlayerReport, Report};

use engine::{Analysis, Limits};
use game::{Found, Game, Judgement};
use record::Record;
use rules::{Bitboard, Position};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

/// How deep to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Plies of the first stage, which solves endings of up to four more.
    pub first_depth: u32,
    /// Plies of the second stage, which solves endings of up to four more; none deeper than the first: no second stage.
    pub depth: u32,
    /// What counts as good, as a mistake and so on.
    pub thresholds: Thresholds,
}

impl Default for Plan {
    /// For a whole game two seconds and then twenty, about, on two cores.
    fn default() -> Plan {
        Plan { first_depth: 14, depth: 20, thresholds: Thresholds::default() }
    }
}

/// How far a review has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ReviewStage"))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Every position is looked at once.
    First,
    /// Every position is looked at again, deeper.
    Deeper,
    /// What made bad moves bad is looked for.
    Reasons,
    /// There is nothing more to ask.
    Done,
}

/// Something a review wants to have searched.
#[derive(Clone, Debug)]
pub struct Question {
    /// To say which question an answer belongs to.
    pub number: u64,
    /// What to search.
    pub position: Position,
    /// How far. The stop flag and the clock are for whoever asks the engine.
    pub limits: Limits,
}

/// What a question is about.
#[derive(Clone, PartialEq, Debug)]
enum Task {
    /// The best move of a position, by its place in the game.
    Best { at: usize, depth: u32 },
    /// The move that was played, against the best one that was found.
    Played { at: usize, depth: u32, best: Found },
}

/// The review of one game.
#[derive(Clone, Debug)]
pub struct Review {
    game: Game,
    plan: Plan,
    stage: Stage,
    waiting: VecDeque<Task>,
    asked: BTreeMap<u64, Task>,
    next_number: u64,
    /// Questions of this stage that were answered.
    answered: usize,
}

impl Review {
    /// A review of the main line of a game.
    pub fn new(record: &Record, plan: Plan) -> Review {
        let mut review = Review {
            game: Game::new(record),
            plan,
            stage: Stage::First,
            waiting: VecDeque::new(),
            asked: BTreeMap::new(),
            next_number: 0,
            answered: 0,
        };
        review.begin(Stage::First);
        review
    }

    /// The next question. `None` while those under way must be answered first, and when all is done.
    #[expect(clippy::should_implement_trait, reason = "not an iterator: after `None` more may come")]
    pub fn next(&mut self) -> Option<Question> {
        let task = self.waiting.pop_front()?;
        let number = self.next_number;
        self.next_number += 1;
        let (position, limits) = self.question(&task);
        self.asked.insert(number, task);
        Some(Question { number, position, limits })
    }

    /// What was found. A search that was stopped early says nothing: [`put_back`](Review::put_back) its question.
    pub fn answer(&mut self, number: u64, analysis: &Analysis) {
        let Some(task) = self.asked.remove(&number) else { return };
        self.answered += 1;
        if let Some(found) = analysis.best().and_then(Found::of) {
            self.learn(task, found);
        }
        self.advance();
    }

    /// Nobody searches this any more: it is asked again.
    pub fn put_back(&mut self, number: u64) {
        if let Some(task) = self.asked.remove(&number) {
            self.waiting.push_front(task);
        }
    }

    /// How far the review has come.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Whether there is nothing more to ask.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// The share of this stage that is done, from 0 to 1.
    pub fn progress(&self) -> f32 {
        let all = self.answered + self.waiting.len() + self.asked.len();
        if all == 0 { 1.0 } else { self.answered as f32 / all as f32 }
    }

    /// What is known so far, after so much time.
    pub fn report(&self, time: Duration) -> Report {
        self.game.report(&self.plan.thresholds, time.as_secs_f64())
    }

    fn question(&self, task: &Task) -> (Position, Limits) {
        let (at, depth, moves) = match *task {
            Task::Best { at, depth } => (at, depth, Bitboard::ALL),
            Task::Played { at, depth, .. } => (at, depth, self.game.moves[at].square.into()),
        };
        (self.game.position(at), Limits { moves, ..search(depth) })
    }

    /// What was found becomes what is known.
    fn learn(&mut self, task: Task, found: Found) {
        match task {
            Task::Best { at, .. } if at == self.game.moves.len() => self.game.after_end = Some(found),
            Task::Best { at, depth } => {
                let one = &mut self.game.moves[at];
                if found.square().is_some_and(|square| one.same_as(square)) {
                    // seen in a mirror it is the move that was played
                    let line = if found.square() == Some(one.square) { found.line.clone() } else { vec![one.square] };
                    one.judgement = Some(Judgement { played: Found { line, ..found.clone() }, best: found });
                } else {
                    // the same search for the move that was played, while the table is warm
                    self.waiting.push_front(Task::Played { at, depth, best: found });
                }
            }
            Task::Played { at, best, .. } => {
                // a search of the move alone may find more in it than the one that passed it by
                let best = if found.score > best.score { found.clone() } else { best };
                self.game.moves[at].judgement = Some(Judgement { best, played: found });
            }
        }
    }

    /// Goes on to the next stage that has something to ask, once this one is done.
    fn advance(&mut self) {
        while self.waiting.is_empty() && self.asked.is_empty() {
            let next = match self.stage {
                Stage::First => Stage::Deeper,
                Stage::Deeper => Stage::Reasons,
                Stage::Reasons | Stage::Done => {
                    self.stage = Stage::Done;
                    return;
                }
            };
            self.begin(next);
        }
    }

    fn begin(&mut self, stage: Stage) {
        (self.stage, self.answered) = (stage, 0);
        match stage {
            Stage::First => self.waiting = self.unsure(self.plan.first_depth).collect(),
            Stage::Deeper if self.plan.depth > self.plan.first_depth => {
                let report = self.report(Duration::ZERO);
                let good = self.plan.thresholds.good;
                let suspects: Vec<usize> =
                    report.moves.iter().filter(|one| one.loss > good).map(|one| one.number - 1).collect();
                let (first, then): (Vec<Task>, Vec<Task>) = self
                    .unsure(self.plan.depth)
                    .partition(|task| matches!(task, Task::Best { at, .. } if suspects.contains(at)));
                self.waiting = first.into_iter().chain(then).collect();
            }
            Stage::Deeper | Stage::Reasons | Stage::Done => {}
        }
    }

    /// A question for every position that is not solved, the last position first.
    fn unsure(&self, depth: u32) -> impl Iterator<Item = Task> {
        let Game { moves, end, after_end } = &self.game;
        let last = (!end.is_over() && after_end.as_ref().is_none_or(|found| !found.exact)).then_some(moves.len());
        let unsure = |at: &usize| {
            let judgement = moves[*at].judgement.as_ref();
            judgement.is_none_or(|judgement| !(judgement.best.exact && judgement.played.exact))
        };
        let before = (0..moves.len()).rev().filter(unsure);
        last.into_iter().chain(before).map(move |at| Task::Best { at, depth })
    }
}

/// So many plies ahead, and to the end where that costs no more.
fn search(depth: u32) -> Limits {
    Limits { depth, solve_at: depth + 4, ..Limits::default() }
}

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
//! let mut review = Review::new(&game, Plan::depth(4));
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

pub use class::{Class, Mark, Thresholds};
pub use error::usual_error;
pub use report::{Haste, MoveReport, Perhaps, Phase, PhaseLosses, PlayerReport, QUICK, Report};

use crate::reason::{Inquiry, Mistake, Place};
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
    /// Plies of the first stage.
    pub first_depth: u32,
    /// The first stage solves positions with so many empties or fewer.
    pub first_solve: u32,
    /// Plies of the second stage; no more than of the first: there is no second stage.
    pub depth: u32,
    /// The second stage solves positions with so many empties or fewer.
    pub solve: u32,
    /// What counts as good, as a mistake and so on.
    pub thresholds: Thresholds,
}

impl Plan {
    /// A review that looks so many plies ahead in the end, and no further than that at first.
    ///
    /// ```
    /// use study::review::Plan;
    /// assert_eq!(Plan::depth(20), Plan::default());
    /// assert_eq!((Plan::depth(8).first_depth, Plan::depth(8).solve), (8, 12));
    /// assert_eq!(Plan::depth(24).solve, 26);
    /// ```
    pub fn depth(depth: u32) -> Plan {
        let usual = Plan::default();
        // far from the end a ply more costs less than one more square to solve
        let solve = (depth + 4).min(usual.solve + depth.saturating_sub(usual.depth) / 2);
        Plan {
            first_depth: usual.first_depth.min(depth),
            first_solve: usual.first_solve.min(solve),
            depth,
            solve,
            ..usual
        }
    }

    /// How far to search in a stage.
    fn limits(&self, stage: Stage) -> Limits {
        let (depth, solve_at) = match stage {
            Stage::First => (self.first_depth, self.first_solve),
            Stage::Deeper | Stage::Reasons | Stage::Done => (self.depth, self.solve),
        };
        Limits { depth, solve_at, ..Limits::default() }
    }
}

impl Default for Plan {
    /// For a whole game two seconds and then twenty, about, on two cores.
    fn default() -> Plan {
        Plan { first_depth: 14, first_solve: 20, depth: 20, solve: 24, thresholds: Thresholds::default() }
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
#[derive(Clone, Debug)]
enum Task {
    /// The best move of a position, by its place in the game.
    Best { at: usize, stage: Stage },
    /// The move that was played, against the best one that was found.
    Played { at: usize, stage: Stage, best: Found },
    /// All moves but the best, which was played: was it the only one?
    Others { at: usize },
    /// All moves of a position that may show why a move was bad.
    WhatIf { at: usize, place: Place, position: Position, limits: Limits },
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
    /// Why moves were bad, by their places, as far as it is being looked for.
    inquiries: BTreeMap<usize, Inquiry>,
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
            inquiries: BTreeMap::new(),
        };
        review.begin(Stage::First);
        // a game that is over before its first move leaves nothing to ask
        review.advance();
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
        match task {
            Task::WhatIf { at, place, .. } => self.inquire(at, place, analysis),
            task => analysis.best().and_then(Found::of).into_iter().for_each(|found| self.learn(&task, found)),
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
        let (at, stage, moves) = match *task {
            Task::Best { at, stage } => (at, stage, Bitboard::ALL),
            Task::Played { at, stage, .. } => (at, stage, self.game.moves[at].square.into()),
            Task::Others { at } => (at, Stage::Reasons, !Bitboard::from(self.game.moves[at].square)),
            Task::WhatIf { position, ref limits, .. } => return (position, limits.clone()),
        };
        (self.game.position(at), Limits { moves, ..self.plan.limits(stage) })
    }

    /// What was found becomes what is known.
    fn learn(&mut self, task: &Task, found: Found) {
        match *task {
            Task::Best { at, .. } if at == self.game.moves.len() => self.game.after_end = Some(found),
            Task::Best { at, stage } => {
                let one = &mut self.game.moves[at];
                match found.square().and_then(|square| one.as_played(square)) {
                    Some(symmetry) => {
                        let line = found.line.iter().map(|&square| symmetry.square(square)).collect();
                        let best = Found { line, ..found };
                        one.judgement = Some(Judgement { played: best.clone(), best });
                    }
                    // the same search for the move that was played, while the table is warm
                    None => self.waiting.push_front(Task::Played { at, stage, best: found }),
                }
            }
            Task::Played { at, ref best, .. } => {
                // a search of the move alone may find more in it than the one that passed it by
                let best = if found.score > best.score { &found } else { best }.clone();
                self.game.moves[at].judgement = Some(Judgement { best, played: found });
            }
            Task::Others { at } => self.game.moves[at].other = Some(found.score).filter(|_| found.exact),
            Task::WhatIf { .. } => {}
        }
    }

    /// What was found of a bad move leads to the next question about it, or to reasons.
    fn inquire(&mut self, at: usize, place: Place, analysis: &Analysis) {
        let Some(inquiry) = self.inquiries.get_mut(&at) else { return };
        inquiry.answer(place, analysis);
        match inquiry.next() {
            Some((place, position, limits)) => {
                self.waiting.push_front(Task::WhatIf { at, place, position, limits });
            }
            None => self.game.moves[at].reasons = inquiry.reasons(),
        }
    }

    /// What went well is asked where something did.
    fn begin_praise(&mut self) {
        let only = (0..self.game.moves.len()).rev().filter(|&at| self.game.moves[at].may_be_only());
        self.waiting.extend(only.map(|at| Task::Others { at }));
    }

    /// An inquiry for each move that is surely bad, the last first.
    fn begin_inquiries(&mut self) {
        let report = self.report(Duration::ZERO);
        for one in report.moves.iter().rev().filter(|one| one.class >= Some(Class::Inaccuracy)) {
            let at = one.number - 1;
            let inquiry = Inquiry::new(Mistake {
                before: self.game.moves[at].before,
                played: one.square,
                score: one.score,
                better: one.better.clone(),
                best_score: one.best_score,
                exact: one.exact,
            });
            if let Some((place, position, limits)) = inquiry.next() {
                self.waiting.push_back(Task::WhatIf { at, place, position, limits });
            } else {
                self.game.moves[at].reasons = inquiry.reasons();
            }
            self.inquiries.insert(at, inquiry);
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
            Stage::First => self.waiting = self.unsure(stage).collect(),
            Stage::Deeper if self.plan.depth > self.plan.first_depth => {
                let report = self.report(Duration::ZERO);
                let good = self.plan.thresholds.good;
                let suspects: Vec<usize> =
                    report.moves.iter().filter(|one| one.loss > good).map(|one| one.number - 1).collect();
                let (first, then): (Vec<Task>, Vec<Task>) =
                    self.unsure(stage).partition(|task| matches!(task, Task::Best { at, .. } if suspects.contains(at)));
                self.waiting = first.into_iter().chain(then).collect();
            }
            Stage::Reasons => {
                self.begin_inquiries();
                self.begin_praise();
            }
            Stage::Deeper | Stage::Done => {}
        }
    }

    /// A question for every position that is not solved, the last position first.
    fn unsure(&self, stage: Stage) -> impl Iterator<Item = Task> {
        let Game { moves, end, after_end } = &self.game;
        let last = (!end.is_over() && after_end.as_ref().is_none_or(|found| !found.exact)).then_some(moves.len());
        let unsure = |at: &usize| {
            let judgement = moves[*at].judgement.as_ref();
            !moves[*at].given && judgement.is_none_or(|judgement| !judgement.exact())
        };
        let before = (0..moves.len()).rev().filter(unsure);
        last.into_iter().chain(before).map(move |at| Task::Best { at, stage })
    }
}

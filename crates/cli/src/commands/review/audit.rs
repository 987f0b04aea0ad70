//! How often a first review is wrong: what it says of moves near the end, against solving them.

use super::drive::Drive;
use crate::{
    brain,
    context::{Context, Failure},
    text,
};
use engine::{Limits, Stop};
use record::Record;
use serde_json::json;
use std::{
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};
use study::review::{Class, Plan, Review, Stage};

/// Positions with more empties take long to solve.
const MOST_EMPTIES: u32 = 22;

/// What came of some games.
#[derive(Clone, Copy, Default, Debug)]
struct Found {
    games: u32,
    moves: u32,
    /// Called a mistake or a blunder, and how many of those are none.
    accused: u32,
    refuted: u32,
    /// How many of the accused the review had not solved: only these could be wrong.
    unsolved: u32,
    /// Mistakes and blunders, and how many of them were not called so.
    mistakes: u32,
    missed: u32,
}

/// Reviews each game once, solves its last moves, and prints what the two say of each other.
pub(super) fn run(
    records: &[Record],
    plan: Plan,
    drive: &Drive<'_>,
    json: bool,
    context: &Context,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let (left, found) = (Mutex::new(records.iter()), Mutex::new(Found::default()));
    let bar =
        indicatif::ProgressBar::with_draw_target(Some(records.len() as u64), indicatif::ProgressDrawTarget::stderr());
    thread::scope(|scope| {
        for _ in 0..drive.threads {
            scope.spawn(|| {
                loop {
                    let next = left.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(record) = next.filter(|_| !drive.stop.is_set()) else { break };
                    let one = game(record, plan, drive.hash / drive.threads, drive.stop);
                    if let Some(one) = one {
                        found.lock().unwrap_or_else(PoisonError::into_inner).add(one);
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let Found { games, moves, accused, refuted, unsolved, mistakes, missed } =
        found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let seconds = begun.elapsed().as_secs_f64();
    context.line(&if json {
        json!({
            "games": games, "moves": moves, "accused": accused, "refuted": refuted, "unsolved": unsolved,
            "mistakes": mistakes, "missed": missed, "empties": MOST_EMPTIES, "seconds": seconds,
        })
        .to_string()
    } else {
        text!(
            context,
            "cli-review-audit",
            games = games,
            moves = moves,
            empties = MOST_EMPTIES,
            accused = accused,
            refuted = refuted,
            unsolved = unsolved,
            mistakes = mistakes,
            missed = missed,
        )
    })?;
    if drive.stop.is_set() { Err(Failure::Quiet(130)) } else { Ok(()) }
}

impl Found {
    fn add(&mut self, other: Found) {
        self.games += other.games;
        self.moves += other.moves;
        self.accused += other.accused;
        self.refuted += other.refuted;
        self.unsolved += other.unsolved;
        self.mistakes += other.mistakes;
        self.missed += other.missed;
    }
}

/// One game; `None` if it was stopped.
fn game(record: &Record, plan: Plan, hash: usize, stop: &Stop) -> Option<Found> {
    let mut engine = brain::engine(1, hash.max(1));
    let mut review = Review::new(record, plan);
    while review.stage() == Stage::First {
        let question = review.next()?;
        let limits = Limits { stop: stop.clone(), ..question.limits };
        let analysis = engine.search(&question.position, &limits, &mut |_| {});
        review.answer(question.number, &analysis);
    }
    let mut found = Found { games: 1, ..Found::default() };
    // what the review left in its table must not agree with itself
    engine.forget();
    let report = review.report(Duration::ZERO);
    for (one, before) in report.moves.iter().filter_map(|one| Some((one, record.after(one.number - 1)?))) {
        if before.empty().len() > MOST_EMPTIES {
            continue;
        }
        let mut solved = |limits: Limits| {
            let limits = Limits { stop: stop.clone(), ..limits };
            engine.search(&before, &limits, &mut |_| {}).best().map_or(0, |best| best.score)
        };
        let loss = solved(Limits::solve()) - solved(Limits { moves: one.square.into(), ..Limits::solve() });
        let accused = one.class >= Some(Class::Mistake);
        let mistake = plan.thresholds.class(loss) >= Class::Mistake;
        found.moves += 1;
        found.accused += u32::from(accused);
        found.refuted += u32::from(accused && !mistake);
        found.unsolved += u32::from(accused && !one.exact);
        found.mistakes += u32::from(mistake);
        found.missed += u32::from(mistake && !accused);
    }
    (!stop.is_set()).then_some(found)
}

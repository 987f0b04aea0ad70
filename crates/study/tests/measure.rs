//! What the constants of a review rest on, printed:
//! `OUTFLANK_CORPUS=… cargo test --release -p outflank-study --test measure -- --ignored --nocapture`.

mod common;

use common::{corpus_games, each, size};
use engine::{Engine, Limits};
use rules::{Position, Square};
use std::{
    collections::BTreeMap,
    sync::Mutex,
    time::{Duration, Instant},
};
use study::review::{Plan, Review, Stage, usual_error};

/// What the best move is worth, and by how much another one is worse, at so many plies; or solved.
fn difference(engine: &mut Engine, position: &Position, square: Square, limits: &Limits) -> (i32, i32) {
    let best = engine.search(position, limits, &mut |_| {}).best().unwrap().score;
    let alone = Limits { moves: square.into(), ..limits.clone() };
    let played = engine.search(position, &alone, &mut |_| {}).best().unwrap().score;
    (best.max(played), (best - played).max(0))
}

fn midgame(depth: u32) -> Limits {
    Limits { depth, solve_at: 0, ..Limits::default() }
}

/// How far searches are off, by depth and empties: of the difference between the best move and the one that was played,
/// where they are not the same, and of the value itself, against what is solved.
#[test]
#[ignore = "measures for minutes"]
fn usual_errors() {
    let games = corpus_games(size("OUTFLANK_GAMES", 60));
    type Errors = BTreeMap<(u32, u32), Vec<(i32, i32)>>;
    let errors = Mutex::new(Errors::new());
    each(&games, |game, engine| {
        let mut before = game.start();
        for step in game.steps() {
            let empties = before.empty().len();
            let depths: &[u32] = match empties {
                19..=22 => &[8, 10, 12, 14, 16],
                23..=24 => &[12, 14, 16, 18, 20],
                // the end is seconds away: `OUTFLANK_FAR=1`
                25..=26 if size("OUTFLANK_FAR", 0) > 0 => &[14, 16, 18, 20],
                _ => &[],
            };
            let wanted = size("OUTFLANK_FAR", 0) == 0 || empties > 24;
            if wanted && !depths.is_empty() && before.legal().len() > 1 {
                engine.forget();
                let (value, loss) = difference(engine, &before, step.square, &Limits::solve());
                engine.forget();
                for &depth in depths {
                    let (seen, seen_loss) = difference(engine, &before, step.square, &midgame(depth));
                    // a move that both find best says nothing of how far apart others are
                    let pair = (if loss + seen_loss > 0 { seen_loss - loss } else { i32::MAX }, seen - value);
                    errors.lock().unwrap().entry((empties, depth)).or_default().push(pair);
                }
            }
            before = step.after;
        }
    });
    println!("empties depth  moves   rms(loss)  rms(value) mean(value)  97%(loss too high)  table");
    for ((empties, depth), errors) in errors.into_inner().unwrap() {
        let rms = |all: &[i32]| (all.iter().map(|e| f64::from(e * e)).sum::<f64>() / all.len().max(1) as f64).sqrt();
        let mut losses: Vec<i32> = errors.iter().map(|e| e.0).filter(|&e| e != i32::MAX).collect();
        let values: Vec<i32> = errors.iter().map(|e| e.1).collect();
        losses.sort_unstable();
        let high = losses.get(losses.len() * 97 / 100).copied().unwrap_or(0);
        let mean = values.iter().sum::<i32>() as f64 / values.len().max(1) as f64;
        println!(
            "{empties:7} {depth:5} {:6} {:10.2} {:10.2} {mean:10.2} {high:12} {:18.2}",
            losses.len(),
            rms(&losses),
            rms(&values),
            usual_error(depth, empties)
        );
    }
}

/// What a whole review takes on this machine, with an engine for each core.
#[test]
#[ignore = "measures for minutes"]
fn seconds() {
    for (number, game) in corpus_games(size("OUTFLANK_GAMES", 5)).iter().enumerate() {
        let plan = Plan {
            first_depth: size("OUTFLANK_DEPTH", 14) as u32,
            first_solve: size("OUTFLANK_SOLVE", 22) as u32,
            ..Plan::default()
        };
        let review = Mutex::new(Review::new(game, plan));
        let (begun, ended) = (Instant::now(), Mutex::new(BTreeMap::<Stage, Duration>::new()));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut engine = common::engine();
                    loop {
                        let question = {
                            let mut review = review.lock().unwrap();
                            if review.is_done() {
                                break;
                            }
                            review.next()
                        };
                        let Some(question) = question else {
                            std::thread::yield_now();
                            continue;
                        };
                        let analysis = engine.search(&question.position, &question.limits, &mut |_| {});
                        let mut review = review.lock().unwrap();
                        let stage = review.stage();
                        review.answer(question.number, &analysis);
                        if review.stage() != stage {
                            ended.lock().unwrap().insert(stage, begun.elapsed());
                        }
                    }
                });
            }
        });
        println!("game {number}: {:.2?}", ended.into_inner().unwrap());
    }
}

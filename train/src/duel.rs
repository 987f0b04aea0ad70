//! Two files of weights against each other, from random openings with colours swapped.

use crate::random::Random;
use engine::{Confidence, Engine, Evaluator, Limits, Options};
use rules::{Color, Position};
use std::{
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The weights that are tested; `blank` for none
    new: PathBuf,
    /// The weights they are tested against; `blank` for none
    old: PathBuf,
    /// Openings, each played with both colours
    #[arg(long, default_value_t = 100)]
    openings: u64,
    /// Moves of each opening
    #[arg(long, default_value_t = 8)]
    random: usize,
    #[arg(long, default_value_t = 6)]
    depth: u32,
    #[arg(long, default_value_t = 14)]
    solve: u32,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn open(path: &PathBuf) -> anyhow::Result<Evaluator> {
    crate::evaluator((path.as_os_str() != "blank").then_some(path))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let evals = [open(&args.new)?, open(&args.old)?];
    let next = AtomicU64::new(0);
    let results: Mutex<Vec<(f64, f64)>> = Mutex::new(Vec::new());
    let work = || {
        let mut players = evals.clone().map(|eval| Engine::new(eval, Options { threads: 1, hash: 16 }));
        loop {
            let opening = next.fetch_add(1, Relaxed);
            if opening >= args.openings {
                break;
            }
            let (mut points, mut discs) = (0.0, 0.0);
            for new in Color::ALL {
                let mut random = Random::new(args.seed << 32 ^ opening);
                let mut position = Position::start();
                for _ in 0..args.random {
                    let Some(square) = random.legal(position.board()) else { break };
                    position = position.play_unchecked(square).after;
                }
                for player in &mut players {
                    player.forget();
                }
                while let Some(turn) = position.turn() {
                    let limits = Limits {
                        depth: args.depth,
                        solve_at: args.solve,
                        confidence: Confidence::Percent73,
                        ..Limits::default()
                    };
                    let analysis = players[usize::from(turn != new)].search(&position, &limits, &mut |_| {});
                    let Some(best) = analysis.best() else { break };
                    position = position.play_unchecked(best.square).after;
                }
                let difference = position.outcome().map_or(0, |outcome| i32::from(outcome.difference()));
                let mine = if new == Color::Black { difference } else { -difference };
                points += 0.5 + 0.5 * f64::from(mine.signum());
                discs += f64::from(mine);
            }
            results.lock().unwrap_or_else(|e| e.into_inner()).push((points / 2.0, discs / 2.0));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(work);
        }
    });
    let results = results.into_inner().unwrap_or_else(|e| e.into_inner());
    let count = results.len() as f64;
    let mean = results.iter().map(|r| r.0).sum::<f64>() / count;
    let discs = results.iter().map(|r| r.1).sum::<f64>() / count;
    let variance = results.iter().map(|r| (r.0 - mean).powi(2)).sum::<f64>() / count;
    let error = (variance / count).sqrt();
    println!("{:.1} % ± {:.1} of {} games, {discs:+.2} discs a game", mean * 100.0, error * 196.0, results.len() * 2);
    Ok(())
}

//! Two files of weights against each other, from random openings or those of a file, with colours swapped.

use crate::random::Random;
use anyhow::Context;
use engine::{Confidence, Engine, Evaluator, Limits, Options};
use rules::{Color, Position, Square};
use std::{
    path::{Path, PathBuf},
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
    /// A file of openings in place of random ones, a line each; the seed says with which to begin
    #[arg(long)]
    from: Option<PathBuf>,
    #[arg(long, default_value_t = 6)]
    depth: u32,
    /// Positions to look at for each move, however deep that leads, in place of `--depth`
    #[arg(long)]
    nodes: Option<u64>,
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

/// The openings of a file: moves without anything between them; lines that begin with `#` or `%` are skipped.
fn openings(path: &Path) -> anyhow::Result<Vec<Vec<Square>>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '%']));
    let opening = |line: &str| -> anyhow::Result<Vec<Square>> {
        let mut position = Position::start();
        let mut moves = Vec::new();
        for name in line.as_bytes().chunks(2) {
            let square: Square = std::str::from_utf8(name)?.parse().with_context(|| line.to_owned())?;
            position = position.play(square).with_context(|| line.to_owned())?.after;
            moves.push(square);
        }
        Ok(moves)
    };
    lines.map(opening).collect()
}

impl Args {
    fn limits(&self, position: &Position) -> Limits {
        let empties = position.empty().len();
        let depth = if self.nodes.is_some() { empties.saturating_sub(1) } else { self.depth };
        // an ending is played to its end, whatever it costs: both do
        let nodes = self.nodes.filter(|_| empties > self.solve);
        Limits { depth, nodes, solve_at: self.solve, confidence: Confidence::Percent73, ..Limits::default() }
    }

    /// The moves of an opening.
    fn opening(&self, from: &[Vec<Square>], number: u64) -> Vec<Square> {
        if !from.is_empty() {
            return from[(self.seed.wrapping_mul(7919) + number) as usize % from.len()].clone();
        }
        let mut random = Random::new(self.seed << 32 ^ number);
        let mut position = Position::start();
        let mut moves = Vec::new();
        while moves.len() < self.random
            && let Some(square) = random.legal(position.board())
        {
            position = position.play_unchecked(square).after;
            moves.push(square);
        }
        moves
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let evals = [open(&args.new)?, open(&args.old)?];
    let from = args.from.as_deref().map_or(Ok(Vec::new()), openings)?;
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
                let mut position = Position::start();
                for square in args.opening(&from, opening) {
                    position = position.play_unchecked(square).after;
                }
                for player in &mut players {
                    player.forget();
                }
                while let Some(turn) = position.turn() {
                    let player = &mut players[usize::from(turn != new)];
                    let analysis = player.search(&position, &args.limits(&position), &mut |_| {});
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_openings_is_read_and_an_illegal_move_refused() {
        let path = std::env::temp_dir().join(format!("outflank-openings-{}.tmp", std::process::id()));
        std::fs::write(&path, "# two\nf5d6\n\nf5f6e6\n").unwrap();
        let read = openings(&path).unwrap();
        assert_eq!(read, [vec![Square::F5, Square::D6], vec![Square::F5, Square::F6, Square::E6]]);
        for bad in ["a1", "f5d", "f5??"] {
            std::fs::write(&path, bad).unwrap();
            assert!(openings(&path).is_err(), "{bad}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}

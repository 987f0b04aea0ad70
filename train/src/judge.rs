//! How sure searches are: positions whose every move's exact score is known, searched to a fixed depth.
//!
//! Reads the lines of an OBF file as other programs publish them: a board, whose turn it is, and `square:score` for
//! the moves, between semicolons.

use anyhow::{Context, bail};
use engine::{Confidence, Engine, Limits, Options};
use rules::{Position, Setup, Square};
use std::{
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Positions with the exact score of every move
    file: PathBuf,
    #[arg(long)]
    weights: PathBuf,
    /// Plies to look ahead: from the first to the second
    #[arg(long, num_args = 1..=2, default_values_t = [15])]
    depth: Vec<u32>,
    /// How sure the searches are to be, in percent: 73, 87, 95, 99 or 100
    #[arg(long, default_value_t = 73)]
    percent: u8,
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// A position and what its moves are worth to the player to move.
#[derive(Debug, PartialEq)]
struct Problem {
    position: Position,
    moves: Vec<(Square, i32)>,
}

impl Problem {
    fn read(line: &str) -> anyhow::Result<Problem> {
        let mut parts = line.split(';').map(str::trim).filter(|part| !part.is_empty());
        let setup: Setup = parts.next().unwrap_or_default().parse().with_context(|| line.to_owned())?;
        let mut moves = Vec::new();
        for part in parts {
            let Some((square, score)) = part.split_once(':') else { bail!("{part:?} is no move with its score") };
            // some files write a move that is none, to fill the line
            if let Ok(square) = square.parse() {
                moves.push((square, score.parse().with_context(|| part.to_owned())?));
            }
        }
        if moves.is_empty() {
            bail!("no move has a score: {line}");
        }
        Ok(Problem { position: setup.position().with_context(|| line.to_owned())?, moves })
    }

    fn best(&self) -> i32 {
        self.moves.iter().map(|&(_, score)| score).max().unwrap_or_default()
    }
}

/// What one search found of a problem.
struct Found {
    nodes: u64,
    /// How much more the search promised than there is.
    off: i32,
    /// What the move chosen loses.
    loss: i32,
}

/// As `outflank analyse --depth` searches.
fn limits(depth: u32, confidence: Confidence) -> Limits {
    Limits { depth, solve_at: depth + (depth / 2).min(6), confidence, ..Limits::default() }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let eval = crate::evaluator(Some(&args.weights))?;
    let Some(confidence) = Confidence::ALL.into_iter().find(|step| step.percent() == args.percent) else {
        bail!("{} % is no step of the ladder: 73, 87, 95, 99 or 100", args.percent);
    };
    let text = std::fs::read_to_string(&args.file).with_context(|| args.file.display().to_string())?;
    let problems =
        text.lines().filter(|line| !line.trim().is_empty()).map(Problem::read).collect::<Result<Vec<_>, _>>()?;
    println!("depth  nodes each  best move  within 3  mean error   bias  spread  mean loss");
    for depth in args.depth[0]..=*args.depth.last().unwrap_or(&args.depth[0]) {
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<Found>> = Mutex::default();
        let work = || {
            let mut engine = Engine::new(eval.clone(), Options { threads: 1, hash: 128 });
            while let Some(problem) = problems.get(next.fetch_add(1, Relaxed)) {
                engine.forget();
                let analysis = engine.search(&problem.position, &limits(depth, confidence), &mut |_| {});
                let Some(line) = analysis.best() else { continue };
                let chosen = problem.moves.iter().find(|(square, _)| *square == line.square);
                let found_one = Found {
                    nodes: analysis.nodes,
                    off: line.score - problem.best(),
                    loss: problem.best() - chosen.map_or(-64, |&(_, score)| score),
                };
                found.lock().unwrap_or_else(|e| e.into_inner()).push(found_one);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..args.threads.max(1) {
                scope.spawn(work);
            }
        });
        show(depth, &found.into_inner().unwrap_or_else(|e| e.into_inner()));
    }
    Ok(())
}

fn show(depth: u32, found: &[Found]) {
    let mean = |of: &dyn Fn(&Found) -> f64| found.iter().map(of).sum::<f64>() / found.len() as f64;
    let share = |of: &dyn Fn(&Found) -> bool| 100.0 * mean(&|one| f64::from(u8::from(of(one))));
    let bias = mean(&|one| f64::from(one.off));
    println!(
        "{depth:>5}  {:>10.0}  {:>7.1} %  {:>6.1} %  {:>10.2}  {bias:>+5.2}  {:>6.2}  {:>9.2}",
        mean(&|one| one.nodes as f64),
        share(&|one| one.loss == 0),
        share(&|one| one.off.abs() <= 3),
        mean(&|one| f64::from(one.off.abs())),
        mean(&|one| (f64::from(one.off) - bias).powi(2)).sqrt(),
        mean(&|one| f64::from(one.loss)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Color;

    #[test]
    fn a_line_is_a_position_and_its_moves() {
        let start = "---------------------------OX------XO--------------------------- X;";
        let problem = Problem::read(&format!("{start} F5:+0; --:-127; d3:-4;")).unwrap();
        assert_eq!(problem.position.turn(), Some(Color::Black));
        assert_eq!(problem.moves, [(Square::F5, 0), (Square::D3, -4)]);
        assert_eq!(problem.best(), 0);
        for bad in ["", "--- X; F5:+1;", start, &format!("{start} F5;"), &format!("{start} F5:much;")] {
            assert!(Problem::read(bad).is_err(), "{bad:?}");
        }
    }
}

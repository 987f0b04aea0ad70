//! What it is worth to be the one to move, by the number of empties: by how much the results of open games differ from
//! the estimates, on average.
//!
//! A phase of the evaluation is two numbers of empties, one of which leaves the last move to the mover and one to the
//! other. Labels that look only a few plies ahead cannot teach it either: only results can.

use crate::{fit::CLOSE, games};
use engine::eval::{DISC, EMPTIES, Evaluator, Unpacked, patterns::Layout};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of games
    games: Vec<PathBuf>,
    #[arg(long)]
    weights: PathBuf,
    /// Where to write the weights with what was found
    #[arg(long)]
    out: PathBuf,
}

/// Fewer positions than this tell nothing.
const ENOUGH: f64 = 1000.0;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let unpacked = Evaluator::unpack(&Layout::new(), &std::fs::read(&args.weights)?)?;
    let eval = Evaluator::new(&Evaluator::pack(&Unpacked { tempo: [0; EMPTIES], ..unpacked.clone() }))?;
    let mut off = [(0.0, 0.0); EMPTIES];
    for path in &args.games {
        for thought in games::read(path)?.iter().flat_map(|game| game.thoughts(1.0)) {
            let empties = thought.board.empty().len();
            let value = eval.value(&eval.features(thought.board), empties);
            if value.abs() <= i32::from(CLOSE) * DISC {
                let (sum, count) = &mut off[empties.min(60) as usize];
                *sum += f64::from(i32::from(thought.result) * DISC - value);
                *count += 1.0;
            }
        }
    }
    let known = |at: usize| off.get(at).filter(|(_, count)| *count >= ENOUGH).map(|(sum, count)| sum / count);
    // where nothing is known, as with the nearest number of empties that leaves the last move to the same side; near the
    // end, nothing: searches see it
    let tempo = std::array::from_fn(|at| match known(at) {
        Some(worth) => worth.round() as i16,
        None if at < 20 => 0,
        None => {
            (20..at).rev().filter(|near| (at - near).is_multiple_of(2)).find_map(known).unwrap_or(0.0).round() as i16
        }
    });
    for (empties, worth) in tempo.iter().enumerate() {
        println!(
            "{empties:>2} empties: {:+.2} discs, {} positions",
            f64::from(*worth) / f64::from(DISC),
            off[empties].1
        );
    }
    std::fs::write(&args.out, Evaluator::pack(&Unpacked { tempo, ..unpacked }))?;
    Ok(())
}

//! A file of weights from what `net.py` writes.

use engine::eval::{EMPTIES, Evaluator, PHASES, Unpacked, patterns::Layout};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The sum's weights, what a move is worth and the net, as `net.py` writes them
    both: PathBuf,
    /// Where to write the file of weights
    #[arg(long)]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut both = std::fs::read(&args.both)?;
    let size = Layout::new().weights * PHASES * 2;
    anyhow::ensure!(both.len() > size + 2 * EMPTIES, "{} is too short to hold weights and a net", args.both.display());
    let net = both.split_off(size + 2 * EMPTIES);
    let mut weights: Vec<i16> = both.as_chunks().0.iter().copied().map(i16::from_le_bytes).collect();
    let tempo = weights.split_off(size / 2);
    let packed = Evaluator::pack(&Unpacked { weights, tempo: std::array::from_fn(|at| tempo[at]), net });
    Evaluator::new(&packed)?;
    std::fs::write(&args.out, &packed)?;
    println!("{} bytes", packed.len());
    Ok(())
}

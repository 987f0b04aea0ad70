//! A file of weights from what `net.py` writes.

use engine::eval::{EMPTIES, Evaluator, PHASES, Unpacked, patterns::Layout};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The sum's weights and the net, as `net.py` writes them
    both: PathBuf,
    /// Where to write the file of weights
    #[arg(long)]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut both = std::fs::read(&args.both)?;
    let size = Layout::new().weights * PHASES * 2;
    anyhow::ensure!(both.len() > size, "{} is too short to hold weights and a net", args.both.display());
    let net = both.split_off(size);
    let weights = both.as_chunks().0.iter().copied().map(i16::from_le_bytes).collect();
    let packed = Evaluator::pack(&Unpacked { weights, tempo: [0; EMPTIES], net });
    Evaluator::new(&packed)?;
    std::fs::write(&args.out, &packed)?;
    println!("{} bytes", packed.len());
    Ok(())
}

//! One file of weights from a sum and the net that corrects it.

use engine::eval::{Evaluator, Unpacked, patterns::Layout};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The sum's weights, as `fit` writes them; a net in them is left out
    sum: PathBuf,
    /// The net, as `net.py` writes it
    net: PathBuf,
    /// Where to write both
    #[arg(long)]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let sum = Evaluator::unpack(&Layout::new(), &std::fs::read(&args.sum)?)?;
    let packed = Evaluator::pack(&Unpacked { net: std::fs::read(&args.net)?, ..sum });
    Evaluator::new(&packed)?;
    std::fs::write(&args.out, &packed)?;
    println!("{} bytes", packed.len());
    Ok(())
}

//! How far a shallow search is from a deep one.

use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    weights: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let _ = crate::evaluator(Some(&args.weights))?;
    Ok(())
}

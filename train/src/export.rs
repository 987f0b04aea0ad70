//! Positions and their labels as plain arrays, for fitting with other tools.
//!
//! For each position 20 bytes, little-endian: the mover's discs, the other's, and the label as a float.

use crate::games;
use std::{
    io::{BufWriter, Write},
    path::PathBuf,
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of games
    files: Vec<PathBuf>,
    /// Where to write the positions
    #[arg(long)]
    out: PathBuf,
    /// How far a label looks, as in `fit`
    #[arg(long, default_value_t = 0.8)]
    patience: f32,
    /// The fewest and the most empties
    #[arg(long, num_args = 2, default_values_t = [0, 60])]
    empties: Vec<u32>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(&args.out)?);
    let mut count = 0;
    for path in &args.files {
        for thought in games::read(path)?.iter().flat_map(|game| game.thoughts(args.patience)) {
            if (args.empties[0]..=args.empties[1]).contains(&thought.board.empty().len()) {
                out.write_all(&thought.board.mover.0.to_le_bytes())?;
                out.write_all(&thought.board.other.0.to_le_bytes())?;
                out.write_all(&thought.label.to_le_bytes())?;
                count += 1;
            }
        }
    }
    out.flush()?;
    println!("{count} positions");
    Ok(())
}

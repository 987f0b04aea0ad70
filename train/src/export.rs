//! Positions and their labels as plain arrays, for fitting with other tools.
//!
//! For each position 20 bytes, little-endian: the mover's discs, the other's, and the label as a float. With `--layout` also
//! what the evaluation looks at, as JSON: `layout.json` beside `net.py`, which reads it.

use crate::games;
use engine::eval::{
    EMPTIES, PHASES,
    net::{KINDS, WIDTH},
    patterns::SHAPES,
};
use rules::{Square, Symmetry};
use std::{
    io::{BufWriter, Write},
    path::PathBuf,
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of games
    files: Vec<PathBuf>,
    /// Where to write the positions
    #[arg(long, required_unless_present = "layout")]
    out: Option<PathBuf>,
    /// Where to write what the evaluation looks at
    #[arg(long)]
    layout: Option<PathBuf>,
    /// How far a label looks, as in `fit`
    #[arg(long, default_value_t = 0.8)]
    patience: f32,
    /// The fewest and the most empties
    #[arg(long, num_args = 2, default_values_t = [0, 60])]
    empties: Vec<u32>,
}

/// What the evaluation looks at: the shapes as squares, where each symmetry leads each square, and the sizes.
fn layout() -> String {
    let shapes = SHAPES.iter().map(|shape| numbers(shape.iter().copied()));
    let symmetries =
        Symmetry::ALL.map(|symmetry| numbers(Square::ALL.into_iter().map(|square| symmetry.square(square))));
    let lines = |list: Vec<String>| list.join(",\n    ");
    format!(
        "{{\n  \"phases\": {PHASES},\n  \"empties\": {EMPTIES},\n  \"width\": {WIDTH},\n  \"kinds\": {KINDS},\n  \
         \"shapes\": [\n    {}\n  ],\n  \"symmetries\": [\n    {}\n  ]\n}}\n",
        lines(shapes.collect()),
        lines(symmetries.to_vec()),
    )
}

fn numbers(squares: impl Iterator<Item = Square>) -> String {
    format!("{:?}", squares.map(Square::index).collect::<Vec<_>>())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.layout {
        std::fs::write(path, layout())?;
    }
    let Some(path) = &args.out else { return Ok(()) };
    let mut out = BufWriter::new(std::fs::File::create(path)?);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The files as they are in this folder.
    const WRITTEN: &str = include_str!("../layout.json");
    const NET: &str = include_str!("../net.py");

    #[test]
    fn the_layout_beside_net_py_is_the_engines() {
        assert_eq!(WRITTEN, layout(), "cargo run -p outflank-train -- export --layout train/layout.json");
    }

    #[test]
    fn net_py_takes_everything_from_it() {
        let keys: Vec<&str> = WRITTEN.split('"').skip(1).step_by(2).collect();
        assert_eq!(keys, ["phases", "empties", "width", "kinds", "shapes", "symmetries"]);
        for key in keys {
            assert!(NET.contains(&format!("LAYOUT[\"{key}\"]")), "net.py does not read {key}");
        }
        assert!(!NET.contains("a1 b1"), "net.py has shapes of its own");
    }
}

//! A held-out set: positions of games no fit saw, each searched far deeper than the evaluation will ever be trusted.
//!
//! Kept as text, a line for each position: the mover's discs and the other's in hexadecimal, and the mover's score.

use crate::{
    games::{self, Thought},
    random::Random,
};
use anyhow::{Context, bail};
use engine::{Confidence, Engine, Limits, Options};
use rules::{Bitboard, Board, Color, Setup};
use std::{
    fmt::Write,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file of games to take positions from, one of each
    games: PathBuf,
    #[arg(long)]
    weights: PathBuf,
    /// Where to write the positions and their scores
    #[arg(long)]
    out: PathBuf,
    /// At most so many positions for each number of empties
    #[arg(long, default_value_t = 100)]
    positions: usize,
    /// The fewest and the most empties
    #[arg(long, num_args = 2, default_values_t = [12, 44])]
    empties: Vec<u32>,
    /// Plies to look ahead
    #[arg(long, default_value_t = 16)]
    depth: u32,
    /// Empties from which scores are exact
    #[arg(long, default_value_t = 20)]
    solve: u32,
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let eval = crate::evaluator(Some(&args.weights))?;
    let mut random = Random::new(77);
    let mut chosen: Vec<Vec<Board>> = vec![Vec::new(); 61];
    for game in games::read(&args.games)? {
        let all: Vec<Board> = game
            .thoughts(1.0)
            .iter()
            .map(|thought| thought.board)
            .filter(|board| (args.empties[0]..=args.empties[1]).contains(&board.empty().len()))
            .collect();
        if !all.is_empty() {
            let board = all[random.below(all.len() as u32) as usize];
            let same = &mut chosen[board.empty().len() as usize];
            if same.len() < args.positions {
                same.push(board);
            }
        }
    }
    let boards: Vec<Board> = chosen.into_iter().flatten().collect();
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Option<i32>>> = Mutex::new(vec![None; boards.len()]);
    let work = || {
        let mut engine = Engine::new(eval.clone(), Options { threads: 1, hash: 64 });
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(board) = boards.get(at) else { break };
            let setup = Setup { black: board.mover, white: board.other, turn: Color::Black };
            let Ok(position) = setup.position() else { continue };
            let limits = if board.empty().len() <= args.solve {
                Limits::solve()
            } else {
                Limits { confidence: Confidence::Percent87, ..Limits::depth(args.depth) }
            };
            engine.forget();
            let analysis = engine.search(&position, &limits, &mut |_| {});
            found.lock().unwrap_or_else(|e| e.into_inner())[at] = analysis.best().map(|best| best.score);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(work);
        }
    });
    let mut text = String::new();
    for (board, score) in boards.iter().zip(found.into_inner().unwrap_or_else(|e| e.into_inner())) {
        if let Some(score) = score {
            writeln!(text, "{:016x} {:016x} {score}", board.mover.0, board.other.0)?;
        }
    }
    std::fs::write(&args.out, text)?;
    Ok(())
}

/// The positions of a file, by their empties.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Vec<Thought>>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut found: Vec<Vec<Thought>> = (0..=60).map(|_| Vec::new()).collect();
    for line in text.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        let [mover, other, score] = parts[..] else { bail!("{}: {line:?} is no position", path.display()) };
        let discs = |text| u64::from_str_radix(text, 16).map(Bitboard);
        let board = Board { mover: discs(mover)?, other: discs(other)? };
        let score: i8 = score.parse()?;
        found[board.empty().len().min(60) as usize].push(Thought { board, result: score, label: f32::from(score) });
    }
    Ok(found)
}

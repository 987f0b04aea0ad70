//! Positions from where searches look: a few plies away from those of games, with one side or both playing carelessly.
//!
//! Self-play visits hardly any position after a bad move, a search hardly any other: of two players one tries
//! everything and the other answers well. Written as `export` writes positions, each with what a search thinks of it.

use crate::{games, random::Random};
use engine::{Confidence, Engine, Evaluator, Limits, Options, eval::DISC};
use rules::{Board, Color, Setup, Square};
use std::{
    io::{BufWriter, Write},
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of games to start from
    #[arg(required = true)]
    games: Vec<PathBuf>,
    #[arg(long)]
    weights: PathBuf,
    /// Where to write the positions
    #[arg(long)]
    out: PathBuf,
    /// Positions to write
    #[arg(long, default_value_t = u64::MAX)]
    positions: u64,
    /// Stop after so many seconds
    #[arg(long)]
    seconds: Option<u64>,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The most plies away from the game
    #[arg(long, default_value_t = 6)]
    plies: u32,
    /// Plies the search that labels looks ahead; with 0 the label is the evaluation alone
    #[arg(long, default_value_t = 0)]
    depth: u32,
    /// Empties from which labels are exact, where they are searched
    #[arg(long, default_value_t = 14)]
    solve: u32,
    /// The fewest empties
    #[arg(long, default_value_t = 8)]
    least: u32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Positions taken from one game at a time: what is remembered of the first helps the others.
const EACH: u64 = 16;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let eval = crate::evaluator(Some(&args.weights))?;
    let mut games = Vec::new();
    for path in &args.games {
        games.extend(games::read(path)?);
    }
    anyhow::ensure!(!games.is_empty(), "there are no games to start from");
    let out = Mutex::new(BufWriter::new(std::fs::File::create(&args.out)?));
    let (next, written) = (AtomicU64::new(0), AtomicU64::new(0));
    let begun = Instant::now();
    let end = args.seconds.map(|seconds| begun + Duration::from_secs(seconds));
    let work = || -> anyhow::Result<()> {
        let mut engine = Engine::new(eval.clone(), Options { threads: 1, hash: 4 });
        let mut bytes = Vec::new();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number * EACH >= args.positions || end.is_some_and(|end| Instant::now() >= end) {
                break;
            }
            // each game has its own seed, so that threads do not change what is found
            let mut random = Random::new(args.seed << 32 ^ number);
            let game = &games[random.below(games.len() as u32) as usize];
            let boards: Vec<Board> = game.thoughts(1.0).iter().map(|thought| thought.board).collect();
            engine.forget();
            for _ in 0..EACH.min(args.positions - number * EACH) {
                if let Some(board) = scattered(&eval, &boards, args, &mut random)
                    && let Some(label) = label(&mut engine, &eval, board, args)
                {
                    bytes.extend(board.mover.0.to_le_bytes());
                    bytes.extend(board.other.0.to_le_bytes());
                    bytes.extend(label.to_le_bytes());
                    written.fetch_add(1, Relaxed);
                }
            }
            if bytes.len() > 1 << 16 {
                out.lock().unwrap_or_else(|e| e.into_inner()).write_all(&bytes)?;
                bytes.clear();
            }
        }
        out.lock().unwrap_or_else(|e| e.into_inner()).write_all(&bytes)?;
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..args.threads.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
    })?;
    out.lock().unwrap_or_else(|e| e.into_inner()).flush()?;
    let (written, seconds) = (written.load(Relaxed), begun.elapsed().as_secs_f64());
    println!("{written} positions in {seconds:.1} s: {:.0} a second", written as f64 / seconds);
    Ok(())
}

/// One of the boards, some plies later.
fn scattered(eval: &Evaluator, boards: &[Board], args: &Args, random: &mut Random) -> Option<Board> {
    let mut board = *boards.get(random.below(boards.len().max(1) as u32) as usize)?;
    // the one to move is careless, or the other, or both
    let careless = 1 + random.below(3);
    let mut side = 1;
    for _ in 0..random.below(args.plies + 1) {
        if board.legal().is_empty() {
            board = board.pass();
            side ^= 3;
        }
        let square = if careless & side != 0 { random.legal(board) } else { careful(eval, board) };
        board = board.play(square?)?;
        side ^= 3;
    }
    (board.empty().len() >= args.least && !board.is_over()).then_some(board)
}

/// The move that looks best one ply ahead.
fn careful(eval: &Evaluator, board: Board) -> Option<Square> {
    let features = eval.features(board);
    let empties = board.empty().len() - 1;
    board.legal().iter().min_by_key(|&square| eval.value(&eval.play(&features, square, board.flips(square)), empties))
}

/// What the mover can expect.
fn label(engine: &mut Engine, eval: &Evaluator, board: Board, args: &Args) -> Option<f32> {
    let empties = board.empty().len();
    if args.depth == 0 {
        return Some(eval.value(&eval.features(board), empties) as f32 / DISC as f32);
    }
    let position = Setup { black: board.mover, white: board.other, turn: Color::Black }.position().ok()?;
    let limits =
        Limits { depth: args.depth, solve_at: args.solve, confidence: Confidence::Percent73, ..Limits::default() };
    let score = engine.search(&position, &limits, &mut |_| {}).best()?.score as f32;
    // a mover without a move has passed
    Some(if position.turn() == Some(Color::Black) { score } else { -score })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    fn args(rest: &str) -> Args {
        let words = format!("scatter games --weights w --out o {rest}");
        Command::try_parse_from(words.split(' ')).unwrap().args
    }

    #[test]
    fn a_seed_leads_to_the_same_place_and_not_too_far() {
        let (eval, args) = (Evaluator::blank(), args("--plies 5"));
        let found = |seed| scattered(&eval, &[Board::START], &args, &mut Random::new(seed)).unwrap();
        let mut different: Vec<Board> = Vec::new();
        for seed in 0..200 {
            let board = found(seed);
            assert_eq!(board, found(seed));
            assert!((55..=60).contains(&board.empty().len()));
            if !different.contains(&board) {
                different.push(board);
            }
        }
        assert!(different.len() > 50, "only {}", different.len());
        assert_eq!(scattered(&eval, &[], &args, &mut Random::new(1)), None, "a game without positions");
    }

    #[test]
    fn a_mover_without_a_move_has_what_the_other_has_not() {
        // White, to move, has none; Black takes the last discs
        let board = Board { mover: Square::B1.into(), other: Square::A1.into() };
        let (eval, args) = (Evaluator::blank(), args("--depth 1 --solve 62"));
        let mut engine = Engine::new(eval.clone(), Options { threads: 1, hash: 1 });
        assert!(board.legal().is_empty());
        assert_eq!(label(&mut engine, &eval, board, &args), Some(-64.0));
        assert_eq!(label(&mut engine, &eval, board.pass(), &args), Some(64.0));
    }
}

//! Endgame puzzles out of games the engine played against itself: positions where exactly one move wins or draws.
//!
//! At most one of each game, so many for each number of empties and each grade. Candidates are solved in rounds and taken
//! in the order of the games, so threads do not change which are found.

use crate::{games, random::Random};
use engine::{Engine, Evaluator, Limits, Options};
use rules::{Board, Position, Square};
use std::{
    collections::{BTreeMap, HashSet},
    fmt::Write,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Instant,
};
use study::puzzle::{HARDEST, Puzzle};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of games to take positions from
    #[arg(required = true)]
    games: Vec<PathBuf>,
    #[arg(long)]
    weights: PathBuf,
    /// Where to write the puzzles
    #[arg(long)]
    out: PathBuf,
    /// The fewest and the most empties
    #[arg(long, num_args = 2, default_values_t = [8, 20])]
    empties: Vec<u32>,
    /// At most so many for each number of empties and each grade
    #[arg(long, default_value_t = 30)]
    most: usize,
    /// Stop with so many puzzles
    #[arg(long, default_value_t = usize::MAX)]
    puzzles: usize,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Games that began with more random moves are left out
    #[arg(long, default_value_t = 24)]
    random: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A game is looked at in this many places at most: what is decided by more is no puzzle.
const CLOSE: i8 = 16;
/// With more empties than were solved in the games the score is a guess, and a close one is asked for.
const GUESS: i8 = 6;
/// Candidates that are solved before the best of them are chosen.
const ROUND: usize = 256;
/// Searches further than this are not asked from when on they see the solution.
const LOOK: u32 = 12;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let eval = crate::evaluator(Some(&args.weights))?;
    let mut random = Random::new(args.seed);
    let mut seen: HashSet<Board> = HashSet::new();
    let mut found: BTreeMap<(u32, u8), Vec<Puzzle>> = BTreeMap::new();
    let begun = Instant::now();
    let mut candidates: Vec<Vec<Square>> = Vec::new();
    let mut tried = 0;
    let mut all = Vec::new();
    for path in &args.games {
        all.extend(games::read(path)?);
    }
    let full = |found: &BTreeMap<(u32, u8), Vec<Puzzle>>, empties| {
        (1..=HARDEST).all(|grade| found.get(&(empties, grade)).is_some_and(|puzzles| puzzles.len() >= args.most))
    };
    let last = all.len().saturating_sub(1);
    for (number, game) in all.iter().enumerate() {
        if game.random <= args.random {
            let open: Vec<u32> = (args.empties[0]..=args.empties[1]).filter(|&n| !full(&found, n)).collect();
            if open.is_empty() {
                break;
            }
            let empties = open[random.below(open.len() as u32) as usize];
            let thoughts = game.thoughts(0.0);
            let candidate = thoughts.iter().find(|thought| thought.board.empty().len() == empties);
            let close = if empties > 18 { -GUESS..=GUESS } else { 0..=CLOSE };
            if let Some(thought) = candidate.filter(|thought| close.contains(&(thought.label as i8)))
                && thought.board.legal().len() > 2
                && seen.insert(thought.board.canonical().0)
            {
                // every move fills a square
                candidates.push(game.moves[..60 - empties as usize].to_vec());
            }
        }
        if candidates.len() < ROUND && number < last {
            continue;
        }
        tried += candidates.len();
        for puzzle in
            each(&candidates, &eval, args.threads, |engine, moves| puzzle(engine, moves)).into_iter().flatten()
        {
            let cell = found.entry((puzzle.position.empty().len(), puzzle.grade)).or_default();
            if cell.len() < args.most {
                cell.push(puzzle);
            }
        }
        candidates.clear();
        let seconds = begun.elapsed().as_secs();
        let count: usize = found.values().map(Vec::len).sum();
        println!("{seconds} s: {number} games, {tried} candidates, {count} puzzles");
        if count >= args.puzzles {
            break;
        }
    }
    let mut text = String::new();
    for puzzle in found.values().flatten() {
        writeln!(text, "{puzzle}")?;
    }
    std::fs::write(&args.out, text)?;
    for (empties, grade) in found.keys() {
        println!("{empties} empties, grade {grade}: {}", found[&(*empties, *grade)].len());
    }
    Ok(())
}

/// What comes of each candidate, in their order, whoever looked at it. Every one begins with an empty memory.
pub(crate) fn each<T: Sync>(
    candidates: &[T],
    eval: &Evaluator,
    threads: usize,
    puzzle: impl Fn(&mut Engine, &T) -> Option<Puzzle> + Sync,
) -> Vec<Option<Puzzle>> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Option<Puzzle>>> = Mutex::new(vec![None; candidates.len()]);
    let work = || {
        let mut engine = Engine::new(eval.clone(), Options { threads: 1, hash: 64 });
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(candidate) = candidates.get(at) else { break };
            engine.forget();
            let puzzle = puzzle(&mut engine, candidate);
            found.lock().unwrap_or_else(|e| e.into_inner())[at] = puzzle;
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    found.into_inner().unwrap_or_else(|e| e.into_inner())
}

fn puzzle(engine: &mut Engine, moves: &[Square]) -> Option<Puzzle> {
    let position = moves.iter().try_fold(Position::start(), |at, &square| Some(at.play(square).ok()?.after))?;
    let position = &position;
    let best = engine.search(position, &Limits::solve(), &mut |_| {}).best()?.score;
    if best < 0 {
        return None;
    }
    let analysis = engine.search(position, &Limits { lines: usize::MAX, ..Limits::solve() }, &mut |_| {});
    let scores: Vec<(Square, i8)> = analysis.lines.iter().map(|line| (line.square, line.score as i8)).collect();
    let solution = Puzzle::new(moves.to_vec(), scores.clone(), 0)?.solution;
    Puzzle::new(moves.to_vec(), scores, sees_at(engine, position, solution, LOOK))
}

/// From how many plies on a search finds the solution and stays with it; further than `look` is not looked.
pub(crate) fn sees_at(engine: &mut Engine, position: &Position, solution: Square, look: u32) -> u32 {
    let most = look.min(position.empty().len() - 1);
    for depth in (1..=most).rev() {
        engine.forget();
        if !finds(engine, position, solution, depth) {
            return depth + 1;
        }
    }
    1
}

/// Whether a search of so many plies chooses this move.
pub(crate) fn finds(engine: &mut Engine, position: &Position, solution: Square, depth: u32) -> bool {
    let limits = Limits { depth, solve_at: 0, ..Limits::default() };
    engine.search(position, &limits, &mut |_| {}).best().is_some_and(|best| best.square == solution)
}

//! Positions with one solution, collected out of games the engine played against itself.
//!
//! At most one of each game, so many for each number of empties and each grade, no two that a symmetry makes equal. Games come in an
//! order that follows from their moves, are looked at in rounds and taken in their order, and every search begins with an empty memory:
//! the same games give the same positions, whoever wrote them in which order and however many threads look at them.

use crate::{
    games::{self, Game},
    random::Random,
};
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

/// What is wanted, and where it is looked for.
#[derive(clap::Args)]
pub(crate) struct Wanted {
    /// Files of games to take positions from
    #[arg(required = true)]
    games: Vec<PathBuf>,
    #[arg(long)]
    weights: PathBuf,
    /// Where to write the positions
    #[arg(long)]
    out: PathBuf,
    /// Stop with so many positions
    #[arg(long)]
    positions: Option<usize>,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Which positions may still be wanted: numbers of empties, and how many of each with each grade.
pub(crate) struct Cells {
    pub(crate) fewest: u32,
    pub(crate) most: u32,
    pub(crate) each: usize,
}

/// Games that are looked at before the first of their positions are taken.
const ROUND: usize = 128;

/// What was found so far, by number of empties and grade.
pub(crate) struct Found {
    cells: Cells,
    puzzles: BTreeMap<(u32, u8), Vec<Puzzle>>,
    seen: HashSet<Board>,
}

impl Found {
    /// Whether a position with so many empties and of this grade is wanted.
    pub(crate) fn wants(&self, empties: u32, grade: u8) -> bool {
        self.puzzles.get(&(empties, grade)).is_none_or(|puzzles| puzzles.len() < self.cells.each)
    }

    /// The numbers of empties of which positions are wanted, in an order that is drawn.
    pub(crate) fn empties(&self, random: &mut Random) -> Vec<u32> {
        let wanted = |empties: &u32| (1..=HARDEST).any(|grade| self.wants(*empties, grade));
        let mut open: Vec<u32> = (self.cells.fewest..=self.cells.most).filter(wanted).collect();
        let mut drawn = Vec::with_capacity(open.len());
        while !open.is_empty() {
            drawn.push(open.swap_remove(random.below(open.len() as u32) as usize));
        }
        drawn
    }

    fn take(&mut self, puzzle: Puzzle) {
        let (empties, grade) = (puzzle.position.empty().len(), puzzle.grade);
        if self.wants(empties, grade) && self.seen.insert(puzzle.position.board().canonical().0) {
            self.puzzles.entry((empties, grade)).or_default().push(puzzle);
        }
    }
}

/// Collects what `look` finds in each game.
pub(crate) fn run(
    wanted: &Wanted,
    cells: Cells,
    look: impl Fn(&mut Engine, &Game, Random, &Found) -> Option<Puzzle> + Sync,
) -> anyhow::Result<()> {
    let eval = crate::evaluator(Some(&wanted.weights))?;
    let begun = Instant::now();
    let mut all = Vec::new();
    for path in &wanted.games {
        all.extend(games::read(path)?);
    }
    // the threads that played them did not write them in any order
    all.sort_by_cached_key(|game| (seed(game, wanted.seed), game.moves.clone()));
    let mut found = Found { cells, puzzles: BTreeMap::new(), seen: HashSet::new() };
    let mut looked_at = 0;
    for round in all.chunks(ROUND) {
        let here = |engine: &mut Engine, game: &Game| look(engine, game, Random::new(seed(game, wanted.seed)), &found);
        for puzzle in each(round, &eval, wanted.threads, here).into_iter().flatten() {
            if wanted.positions.is_none_or(|most| found.seen.len() < most) {
                found.take(puzzle);
            }
        }
        looked_at += round.len();
        println!("{} s: {looked_at} games, {} positions", begun.elapsed().as_secs(), found.seen.len());
        if wanted.positions.is_some_and(|most| found.seen.len() >= most)
            || found.empties(&mut Random::new(1)).is_empty()
        {
            break;
        }
    }
    let mut text = String::new();
    for grade in 1..=HARDEST {
        let of_grade = || found.puzzles.iter().filter(|(cell, _)| cell.1 == grade).flat_map(|(_, puzzles)| puzzles);
        for puzzle in of_grade() {
            writeln!(text, "{puzzle}")?;
        }
        println!("grade {grade}: {}", of_grade().count());
    }
    println!("{} bytes", text.len());
    std::fs::write(&wanted.out, text)?;
    Ok(())
}

/// A number for a game, whatever was played before it.
fn seed(game: &Game, seed: u64) -> u64 {
    game.moves.iter().fold(seed, |seed, &square| Random::new(seed ^ square as u64).next())
}

/// What comes of each game, in their order, whoever looked at it.
fn each(
    games: &[Game],
    eval: &Evaluator,
    threads: usize,
    look: impl Fn(&mut Engine, &Game) -> Option<Puzzle> + Sync,
) -> Vec<Option<Puzzle>> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Option<Puzzle>>> = Mutex::new(vec![None; games.len()]);
    let work = || {
        let mut engine = Engine::new(eval.clone(), Options { threads: 1, hash: 64 });
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(game) = games.get(at) else { break };
            engine.forget();
            let puzzle = look(&mut engine, game);
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

/// The position of a game with so many empties, and the moves that lead there: every move fills a square.
pub(crate) fn with_empties(game: &Game, empties: u32) -> Option<(&[Square], Position)> {
    let moves = game.moves.get(..60 - empties as usize)?;
    let at = moves.iter().try_fold(Position::start(), |at, &square| Some(at.play(square).ok()?.after))?;
    Some((moves, at))
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

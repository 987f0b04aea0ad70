//! Positions of the midgame in which one move is clearly the best, out of games the engine played against itself.
//!
//! At most one of each game, so many for each number of empties and each grade. Games are looked at in rounds and taken in
//! their order, so threads do not change which positions are found.

use crate::{
    games::{self, Game},
    puzzles::{each, finds, sees_at},
    random::Random,
};
use engine::{Engine, Limits};
use rules::{Board, Position, Square};
use std::{
    collections::{BTreeMap, HashSet},
    fmt::Write,
    path::PathBuf,
    time::Instant,
};
use study::puzzle::{HARDEST, MARGIN, Puzzle};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of games to take positions from
    #[arg(required = true)]
    games: Vec<PathBuf>,
    #[arg(long)]
    weights: PathBuf,
    /// Where to write the positions
    #[arg(long)]
    out: PathBuf,
    /// The fewest and the most empties
    #[arg(long, num_args = 2, default_values_t = [24, 44])]
    empties: Vec<u32>,
    /// Plies of the search that has the last word
    #[arg(long, default_value_t = 20)]
    depth: u32,
    /// At most so many for each number of empties and each grade
    #[arg(long, default_value_t = 6)]
    most: usize,
    /// Stop with so many positions
    #[arg(long, default_value_t = 510)]
    positions: usize,
    /// Begin no round after so many seconds
    #[arg(long, default_value_t = u64::MAX)]
    seconds: u64,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What is decided by more is no question.
const CLOSE: i32 = 16;
/// Games that are looked at before the first of their positions are taken.
const ROUND: usize = 128;
/// Plies of the search that chooses candidates; further it is not asked from when on a search sees the solution.
const CANDIDATE: u32 = 13;
/// So many candidates of a game at most are searched deep.
const CANDIDATES: usize = 3;

type Found = BTreeMap<(u32, u8), Vec<Puzzle>>;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let eval = crate::evaluator(Some(&args.weights))?;
    let begun = Instant::now();
    let mut all = Vec::new();
    for path in &args.games {
        all.extend(games::read(path)?);
    }
    // the threads that played them did not write them in any order
    all.sort_by_cached_key(|game| (seed(game, args.seed), game.moves.clone()));
    let mut found = Found::new();
    let mut seen: HashSet<Board> = HashSet::new();
    let (mut count, mut looked_at) = (0, 0);
    for round in all.chunks(ROUND) {
        if count >= args.positions || begun.elapsed().as_secs() >= args.seconds {
            break;
        }
        let position = |engine: &mut Engine, game: &Game| {
            let random = Random::new(seed(game, args.seed));
            position(engine, args, game, random, &|empties, grade| is_open(args, &found, empties, grade))
        };
        for puzzle in each(round, &eval, args.threads, position).into_iter().flatten() {
            let (empties, grade) = (puzzle.position.empty().len(), puzzle.grade);
            let wanted = count < args.positions && is_open(args, &found, empties, grade);
            if wanted && seen.insert(puzzle.position.board().canonical().0) {
                found.entry((empties, grade)).or_default().push(puzzle);
                count += 1;
            }
        }
        looked_at += round.len();
        println!("{} s: {looked_at} games, {count} positions", begun.elapsed().as_secs());
    }
    let mut text = String::new();
    for grade in 1..=HARDEST {
        let of_grade = || found.iter().filter(|(cell, _)| cell.1 == grade).flat_map(|(_, puzzles)| puzzles);
        for puzzle in of_grade() {
            writeln!(text, "{puzzle}")?;
        }
        println!("grade {grade}: {}", of_grade().count());
    }
    println!("{} bytes", text.len());
    std::fs::write(&args.out, text)?;
    Ok(())
}

/// A number for a game, whatever was played before it.
fn seed(game: &Game, seed: u64) -> u64 {
    game.moves.iter().fold(seed, |seed, &square| Random::new(seed ^ square as u64).next())
}

fn is_open(args: &Args, found: &Found, empties: u32, grade: u8) -> bool {
    found.get(&(empties, grade)).is_none_or(|puzzles| puzzles.len() < args.most)
}

/// A position of a game, with a number of empties and of a grade that are still wanted.
fn position(
    engine: &mut Engine,
    args: &Args,
    game: &Game,
    mut random: Random,
    is_open: &dyn Fn(u32, u8) -> bool,
) -> Option<Puzzle> {
    let wanted = |empties: &u32| (1..=HARDEST).any(|grade| is_open(*empties, grade));
    let mut open: Vec<u32> = (args.empties[0]..=args.empties[1]).filter(wanted).collect();
    let thoughts = game.thoughts(0.0);
    let mut candidates = 0;
    while candidates < CANDIDATES && !open.is_empty() {
        let empties = open.swap_remove(random.below(open.len() as u32) as usize);
        let Some(thought) = thoughts.iter().find(|thought| thought.board.empty().len() == empties) else { continue };
        if (thought.label as i32).abs() > CLOSE || thought.board.legal().len() < 3 {
            continue;
        }
        // every move fills a square
        let moves = &game.moves[..60 - empties as usize];
        let Some(at) = moves.iter().try_fold(Position::start(), |at, &square| Some(at.play(square).ok()?.after)) else {
            continue;
        };
        let Some(solution) = standing_alone(engine, &at, CANDIDATE, 2).map(|scores| scores[0].0) else { continue };
        let sees_at = sees_at(engine, &at, solution, CANDIDATE - 1);
        let made = |scores| Puzzle::new(moves.to_vec(), scores, sees_at);
        // the grade needs only two scores that are far apart
        let other = at.legal().iter().find(|&square| square != solution)?;
        let grade = made(vec![(solution, MARGIN), (other, 0)])?.grade;
        if !is_open(empties, grade) || !misleads(engine, &at, solution) {
            continue;
        }
        candidates += 1;
        // the next depth first, for its parity; then all moves by a search that remembers nothing, so that a test finds the same
        let agrees = |scores: &Vec<(Square, i8)>| scores[0].0 == solution;
        if standing_alone(engine, &at, args.depth + 1, 2).filter(agrees).is_none() {
            continue;
        }
        engine.forget();
        if let Some(scores) = standing_alone(engine, &at, args.depth, usize::MAX).filter(agrees) {
            return made(scores);
        }
    }
    None
}

/// The moves with their scores by a search of so many plies, if the best is better than all others by far and nothing is decided.
fn standing_alone(engine: &mut Engine, position: &Position, depth: u32, lines: usize) -> Option<Vec<(Square, i8)>> {
    let limits = Limits { depth, solve_at: 0, lines, ..Limits::default() };
    let analysis = engine.search(position, &limits, &mut |_| {});
    let scores: Vec<(Square, i8)> = analysis.lines.iter().map(|line| (line.square, line.score as i8)).collect();
    let [(_, best), (_, second), ..] = scores[..] else { return None };
    (best - second >= MARGIN && i32::from(best).abs() <= CLOSE).then_some(scores)
}

/// Whether most discs turned, or a search of two to four plies, leads elsewhere.
fn misleads(engine: &mut Engine, position: &Position, solution: Square) -> bool {
    let turned = position.flips(solution).len();
    let greedy = position.legal().iter().any(|square| position.flips(square).len() > turned);
    greedy || (2..=4).any(|depth| !finds(engine, position, solution, depth))
}

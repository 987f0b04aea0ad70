//! Endgame puzzles: positions in which exactly one move wins, or exactly one draws, all solved.

use crate::{
    collect::{self, Cells, Found, Wanted, sees_at, with_empties},
    games::Game,
    random::Random,
};
use engine::{Engine, Limits};
use rules::Square;
use study::puzzle::Puzzle;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// The fewest and the most empties
    #[arg(long, num_args = 2, default_values_t = [8, 20])]
    empties: Vec<u32>,
    /// At most so many for each number of empties and each grade
    #[arg(long, default_value_t = 30)]
    most: usize,
    /// The most empties from which on the games were solved: with more, what they say of a position is a guess
    #[arg(long, default_value_t = 18)]
    solved: u32,
}

/// What is decided by more is no puzzle.
const CLOSE: i32 = 16;
/// Where the score is a guess, a close one is asked for.
const GUESS: i32 = 6;
/// Searches further than this are not asked from when on they see the solution.
const LOOK: u32 = 12;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let cells = Cells { fewest: args.empties[0], most: args.empties[1], each: args.most };
    collect::run(&args.wanted, cells, |engine, game, random, found| puzzle(engine, args, game, random, found))
}

/// The puzzle in the first position of a game, among those with a number of empties that is wanted, that may be one.
fn puzzle(engine: &mut Engine, args: &Args, game: &Game, mut random: Random, found: &Found) -> Option<Puzzle> {
    let thoughts = game.thoughts(0.0);
    let may_be = |empties: &u32| {
        let close = if *empties > args.solved { -GUESS..=GUESS } else { 0..=CLOSE };
        let thought = thoughts.iter().find(|thought| thought.board.empty().len() == *empties);
        thought.is_some_and(|thought| close.contains(&(thought.label as i32)) && thought.board.legal().len() > 2)
    };
    let empties = found.empties(&mut random).into_iter().find(may_be)?;
    let (moves, position) = with_empties(game, empties)?;
    if engine.search(&position, &Limits::solve(), &mut |_| {}).best()?.score < 0 {
        return None;
    }
    let analysis = engine.search(&position, &Limits { lines: usize::MAX, ..Limits::solve() }, &mut |_| {});
    let scores: Vec<(Square, i8)> = analysis.lines.iter().map(|line| (line.square, line.score as i8)).collect();
    let solution = Puzzle::new(moves.to_vec(), scores.clone(), 0)?.solution;
    Puzzle::new(moves.to_vec(), scores, sees_at(engine, &position, solution, LOOK))
}

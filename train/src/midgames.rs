//! Positions of the midgame in which one move is clearly the best.

use crate::{
    collect::{self, Cells, Found, Wanted, finds, sees_at, with_empties},
    games::Game,
    random::Random,
};
use engine::{Engine, Limits};
use rules::{Position, Square};
use study::puzzle::{MARGIN, Puzzle};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// The fewest and the most empties
    #[arg(long, num_args = 2, default_values_t = [24, 44])]
    empties: Vec<u32>,
    /// At most so many for each number of empties and each grade
    #[arg(long, default_value_t = 6)]
    most: usize,
    /// Plies of the search that has the last word
    #[arg(long, default_value_t = 20)]
    depth: u32,
}

/// What is decided by more is no question.
const CLOSE: i32 = 16;
/// Plies of the search that chooses candidates; further it is not asked from when on a search sees the solution.
const CANDIDATE: u32 = 13;
/// So many candidates of a game at most are searched deep.
const CANDIDATES: usize = 3;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let cells = Cells { fewest: args.empties[0], most: args.empties[1], each: args.most };
    collect::run(&args.wanted, cells, |engine, game, random, found| position(engine, args, game, random, found))
}

/// A position of a game, with a number of empties and of a grade that are still wanted.
fn position(engine: &mut Engine, args: &Args, game: &Game, mut random: Random, found: &Found) -> Option<Puzzle> {
    let thoughts = game.thoughts(0.0);
    let mut candidates = 0;
    for empties in found.empties(&mut random) {
        let Some(thought) = thoughts.iter().find(|thought| thought.board.empty().len() == empties) else { continue };
        if (thought.label as i32).abs() > CLOSE || thought.board.legal().len() < 3 {
            continue;
        }
        let Some((moves, at)) = with_empties(game, empties) else { continue };
        let Some(solution) = standing_alone(engine, &at, CANDIDATE, 2).map(|scores| scores[0].0) else { continue };
        let sees_at = sees_at(engine, &at, solution, CANDIDATE - 1);
        let made = |scores| Puzzle::new(moves.to_vec(), scores, sees_at);
        // the grade needs only two scores that are far apart
        let other = at.legal().iter().find(|&square| square != solution)?;
        let grade = made(vec![(solution, MARGIN), (other, 0)])?.grade;
        if !found.wants(empties, grade) || !misleads(engine, &at, solution) {
            continue;
        }
        candidates += 1;
        // the next depth first, for its parity; then all moves by a search that remembers nothing, so that a test finds the same
        let agrees = |scores: &Vec<(Square, i8)>| scores[0].0 == solution;
        if standing_alone(engine, &at, args.depth + 1, 2).filter(agrees).is_some() {
            engine.forget();
            if let Some(scores) = standing_alone(engine, &at, args.depth, usize::MAX).filter(agrees) {
                return made(scores);
            }
        }
        if candidates == CANDIDATES {
            break;
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

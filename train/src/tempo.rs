//! What it is worth to be the one to move, by the number of empties: by how much the results of open games differ from
//! the estimates, on average.
//!
//! A phase of the evaluation is two numbers of empties, one of which leaves the last move to the mover and one to the
//! other. Labels that look only a few plies ahead cannot teach it either: only results can.
//!
//! Searches do not end in positions of games but in those that the side whose move was the last likes best, where the
//! estimates are off by another amount. With `--depth` it is the searches' scores that are to agree with the results.

use crate::{
    fit::CLOSE,
    games::{self, Thought},
    random::Random,
};
use engine::{
    Confidence, Engine, Limits, Options,
    eval::{DISC, EMPTIES, Evaluator, Unpacked, patterns::Layout},
};
use rules::{Color, Setup};
use std::{
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of games
    games: Vec<PathBuf>,
    #[arg(long)]
    weights: PathBuf,
    /// Where to write the weights with what was found
    #[arg(long)]
    out: PathBuf,
    /// Measure on searches of up to so many plies, in place of the evaluation alone
    #[arg(long)]
    depth: Option<u32>,
    /// Positions to search, each of another game
    #[arg(long, default_value_t = 20_000)]
    positions: usize,
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Fewer positions than this tell nothing.
const ENOUGH: f64 = 1000.0;

/// For each number of empties, by how many parts of a disc results differ from estimates, added up, and how much counts.
type Off = [(f64, f64); EMPTIES];

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let unpacked = Evaluator::unpack(&Layout::new(), &std::fs::read(&args.weights)?)?;
    let tempo = match args.depth {
        None => by_value(args, &unpacked)?,
        Some(depth) => by_search(args, &unpacked, depth)?,
    };
    std::fs::write(&args.out, Evaluator::pack(&Unpacked { tempo, ..unpacked }))?;
    Ok(())
}

/// What the evaluation alone leaves over, in positions of games.
fn by_value(args: &Args, unpacked: &Unpacked) -> anyhow::Result<[i16; EMPTIES]> {
    let eval = Evaluator::new(&Evaluator::pack(&Unpacked { tempo: [0; EMPTIES], ..unpacked.clone() }))?;
    let mut off: Off = [(0.0, 0.0); EMPTIES];
    for path in &args.games {
        for thought in games::read(path)?.iter().flat_map(|game| game.thoughts(1.0)) {
            let empties = thought.board.empty().len();
            let value = eval.value(&eval.features(thought.board), empties);
            if value.abs() <= i32::from(CLOSE) * DISC {
                let (sum, count) = &mut off[empties.min(60) as usize];
                *sum += f64::from(i32::from(thought.result) * DISC - value);
                *count += 1.0;
            }
        }
    }
    let known = |at: usize| off.get(at).filter(|(_, count)| *count >= ENOUGH).map(|(sum, count)| sum / count);
    // where nothing is known, as with the nearest number of empties that leaves the last move to the same side; near the
    // end, nothing: searches see it
    let tempo = std::array::from_fn(|at| match known(at) {
        Some(worth) => worth.round() as i16,
        None if at < 20 => 0,
        None => {
            (20..at).rev().filter(|near| (at - near).is_multiple_of(2)).find_map(known).unwrap_or(0.0).round() as i16
        }
    });
    for (empties, worth) in tempo.iter().enumerate() {
        println!("{empties:>2} empties: {:+.2} discs, {} positions", discs(f64::from(*worth)), off[empties].1);
    }
    Ok(tempo)
}

/// What is there already, and what searches that end with so many empties leave over.
fn by_search(args: &Args, unpacked: &Unpacked, depth: u32) -> anyhow::Result<[i16; EMPTIES]> {
    let eval = Evaluator::new(&Evaluator::pack(unpacked))?;
    let roots = roots(&args.games, args.positions)?;
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Found>> = Mutex::default();
    let work = || {
        let mut engine = Engine::new(eval.clone(), Options { threads: 1, hash: 8 });
        while let Some(root) = roots.get(next.fetch_add(1, Relaxed)) {
            let board = root.board;
            let Ok(position) = (Setup { black: board.mover, white: board.other, turn: Color::Black }).position() else {
                continue;
            };
            let empties = board.empty().len();
            let depth = depth.min(empties - LEAST);
            let limits = Limits { depth, solve_at: 0, confidence: Confidence::Percent73, ..Limits::default() };
            let mut off = Vec::new();
            engine.forget();
            let analysis = engine.search(&position, &limits, &mut |analysis| {
                off.extend(analysis.best().map(|best| f64::from((i32::from(root.result) - best.score) * DISC)));
            });
            if analysis.best().is_some_and(|best| best.score.abs() <= i32::from(CLOSE)) {
                found.lock().unwrap_or_else(|e| e.into_inner()).push(Found { empties: empties as usize, off });
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(work);
        }
    });
    let found = found.into_inner().unwrap_or_else(|e| e.into_inner());
    let change = smoothed(&at_the_horizon(&found));
    for (empties, change) in change.iter().enumerate() {
        let before = f64::from(unpacked.tempo[empties]);
        println!("{empties:>2} empties: {:+.2} discs, now {:+.2}", discs(*change), discs(before + change));
    }
    println!("{} positions searched", found.len());
    Ok(std::array::from_fn(|at| (f64::from(unpacked.tempo[at]) + change[at]).round() as i16))
}

/// By how many parts of a disc the result differs from what searches of 1, 2, 3... plies found.
struct Found {
    empties: usize,
    off: Vec<f64>,
}

/// What there is to add to the estimates by the empties left where searches end. Results far from the end of the game
/// are less sure: each counts by how far off they are on the whole, as a usual one of a square of ten discs does.
fn at_the_horizon(found: &[Found]) -> Off {
    const USUAL: f64 = 10.0 * (DISC * DISC) as f64;
    let mut spread = [(0.0, 0.0); EMPTIES];
    for one in found {
        if let Some(last) = one.off.last() {
            spread[one.empties] = (spread[one.empties].0 + last * last, spread[one.empties].1 + 1.0);
        }
    }
    let mut off: Off = [(0.0, 0.0); EMPTIES];
    for one in found {
        let (squares, count) = spread[one.empties];
        let worth = USUAL * count / (squares + USUAL);
        for (shallower, difference) in one.off.iter().enumerate() {
            let depth = shallower + 1;
            // after an odd number of plies the other side is to move at the horizon
            let sign = if depth % 2 == 0 { 1.0 } else { -1.0 };
            let (sum, count) = &mut off[one.empties - depth];
            *sum += worth * sign * difference;
            *count += worth;
        }
    }
    off
}

/// Searches to fewer empties than this are not measured: there the end is seen.
const LEAST: u32 = 8;

/// One position of each game, from any part of it, as many as wanted. With an even number of empties both players have as
/// many moves to make, and so to lose by, until play is perfect: the results are as good for one as for the other.
fn roots(paths: &[PathBuf], most: usize) -> anyhow::Result<Vec<Thought>> {
    let mut random = Random::new(5);
    let mut roots = Vec::new();
    for path in paths {
        for game in games::read(path)? {
            let wanted = |thought: &Thought| {
                let empties = thought.board.empty().len();
                empties > LEAST && empties.is_multiple_of(2)
            };
            let thoughts: Vec<Thought> = game.thoughts(1.0).into_iter().filter(wanted).collect();
            if roots.len() < most && !thoughts.is_empty() {
                roots.push(thoughts[random.below(thoughts.len() as u32) as usize]);
            }
        }
    }
    Ok(roots)
}

/// The mean of each number of empties with its neighbours that leave the last move to the same side; where too little is
/// known, that of the nearest such number.
fn smoothed(off: &Off) -> [f64; EMPTIES] {
    const REACH: usize = 4;
    let mean = |at: usize| {
        let near = (at.saturating_sub(REACH)..=at + REACH).filter(|near| (at + near).is_multiple_of(2));
        let (sum, count) =
            near.filter_map(|near| off.get(near)).fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
        (count >= ENOUGH).then(|| sum / count)
    };
    std::array::from_fn(|at| {
        let same = (0..EMPTIES).filter(|near| (at + near).is_multiple_of(2) && mean(*near).is_some());
        same.min_by_key(|near| near.abs_diff(at)).and_then(mean).unwrap_or(0.0)
    })
}

fn discs(parts: f64) -> f64 {
    parts / f64::from(DISC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_the_same_side_help_and_the_nearest_stands_in() {
        let mut off: Off = [(0.0, 0.0); EMPTIES];
        for (at, off) in off.iter_mut().enumerate().take(31).skip(10) {
            *off = if at % 2 == 1 { (64.0 * 500.0, 500.0) } else { (-32.0 * 500.0, 500.0) };
        }
        let change = smoothed(&off);
        for (at, change) in change.into_iter().enumerate() {
            assert_eq!(change, if at % 2 == 1 { 64.0 } else { -32.0 }, "{at}");
        }
        assert_eq!(smoothed(&[(5.0, 1.0); EMPTIES]), [0.0; EMPTIES], "too little to tell");
    }

    #[test]
    fn what_searches_promise_too_much_is_taken_from_who_moves_at_the_horizon() {
        // searches of odd depth find a disc too much: the other side, with 29, 27 and 25 empties, should have it
        let found: Vec<Found> =
            (0..10).map(|_| Found { empties: 30, off: vec![-64.0, 0.0, -64.0, 0.0, -64.0] }).collect();
        let off = at_the_horizon(&found);
        for (at, (sum, count)) in off.into_iter().enumerate() {
            assert_eq!(count > 0.0, (25..30).contains(&at), "{at}");
            assert!((sum - count * if at % 2 == 1 { 64.0 } else { 0.0 }).abs() < 1e-6, "{at}");
        }
    }
}

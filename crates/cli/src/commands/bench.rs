//! `outflank bench`: how fast this machine counts, solves and searches; and the bench signature.
//!
//! The signature is the number of positions that a fixed, small set of searches visits on one thread. A change that
//! leaves it alone leaves the search alone.

use crate::{
    args::Bench,
    brain,
    columns::{Columns, rate},
    commands::solve::{self, solve},
    context::{Context, Failure},
    interrupt, text,
};
use engine::{Engine, Limits, Stop};
use indicatif::ProgressBar;
use record::{Record, transcript};
use rules::{Board, Position, Setup, perft_threads};
use serde_json::json;
use std::time::Instant;

/// Problems 40 to 49 of the FFO end-game test, and the score of each for the player to move.
const FFO: [(u32, &str, i32); 10] = [
    (40, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    (41, "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0),
    (42, "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6),
    (43, "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12),
    (44, "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14),
    (45, "---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO-- X", 6),
    (46, "---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X", -8),
    (47, "-OOOOO----OOOO---OOOOX--XXXXXX---OXOOX--OOOXOX----OOXX----XXXX-- O", 4),
    (48, "-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O", 28),
    (49, "--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X", 16),
];

/// Openings that everyone plays; the engine looks ahead from where they end.
const MIDGAME: [&str; 8] = [
    "f5d6c3d3c4f4f6f3e6e7d7c5",
    "f5d6c3d3c4f4c5b3c2e3d2c6",
    "f5d6c5f4e3c6d3f6e6d7g3c4",
    "f5f6e6f4g5e7e3",
    "f5f6e6f4c3c4d3d6",
    "f5f6e6f4e3c5c4e7",
    "f5d6c4d3e6f4e3f6c5b4",
    "f5f4e3d6",
];

/// One search of the midgame list.
fn midgame(engine: &mut Engine, moves: &str, depth: u32, stop: &Stop) -> (Position, engine::Analysis) {
    let record = transcript::read(moves.as_bytes()).and_then(Record::try_from);
    let position = record.unwrap_or_else(|error| panic!("{moves}: {error}")).end();
    engine.forget();
    let limits = Limits { depth, solve_at: 0, stop: stop.clone(), ..Limits::default() };
    (position, engine.search(&position, &limits, &mut |_| {}))
}

fn problem(text: &str) -> Position {
    let setup: Result<Setup, _> = text.parse();
    setup.ok().and_then(|setup| setup.position().ok()).unwrap_or_else(|| panic!("{text}"))
}

/// How deep and how much the signature looks at.
#[derive(Clone, Copy)]
struct Set {
    midgame: usize,
    depth: u32,
    ffo: usize,
}

/// What `--signature` runs: a second or two.
const SIGNATURE: Set = Set { midgame: 8, depth: 12, ffo: 2 };

/// The positions visited by this set of searches, on one thread; `None` if it was stopped.
fn signature(set: Set, stop: &Stop) -> Option<u64> {
    let mut engine = brain::engine(1, 64);
    let mut nodes = 0;
    for moves in &MIDGAME[..set.midgame] {
        nodes += midgame(&mut engine, moves, set.depth, stop).1.nodes;
    }
    for (_, board, _) in &FFO[..set.ffo] {
        nodes += solve(&mut engine, &problem(board), stop, &ProgressBar::hidden())?.nodes;
    }
    (!stop.is_set()).then_some(nodes)
}

pub(crate) fn run(args: &Bench, context: &Context) -> Result<(), Failure> {
    let stop = interrupt::stop();
    if args.signature {
        let number = signature(SIGNATURE, &stop).ok_or(Failure::Quiet(130))?;
        return if args.json {
            context.line(&json!({ "signature": number }).to_string())
        } else {
            context.line(&number.to_string())
        };
    }
    let options = args.machine.options(512);
    let threads = options.threads;
    let machine = machine();
    if !args.json {
        let kernel = rules::kernel::NAME;
        context.line(&text!(
            context,
            "cli-bench-machine",
            cpu = machine.as_str(),
            kernel = kernel,
            threads = threads
        ))?;
        context.line("")?;
    }

    const PERFT: u32 = 11;
    let begun = Instant::now();
    let leaves = perft_threads(Board::START, PERFT, threads);
    let perft_seconds = begun.elapsed().as_secs_f64();
    if !args.json {
        let rate = rate(leaves, perft_seconds, context);
        context.line(&text!(
            context,
            "cli-bench-perft",
            depth = PERFT,
            leaves = leaves,
            seconds = perft_seconds,
            rate = rate
        ))?;
        context.line("")?;
    }

    let mut engine = Engine::new(brain::evaluator(), options);
    let bar = ProgressBar::hidden();
    let columns = Columns::new(&text!(context, "cli-solve-columns"), &[3, 2, 3, 2, 14, 9, 8]);
    if !args.json {
        context.line(&columns.title())?;
    }
    let mut ffo = Total::default();
    let mut wrong = 0;
    for (number, board, known) in FFO {
        let position = problem(board);
        let Some(found) = solve(&mut engine, &position, &stop, &bar) else { return Err(Failure::Quiet(130)) };
        ffo.add(found.nodes, found.time.as_secs_f64());
        wrong += u32::from(found.score != known);
        if !args.json {
            context.line(&columns.row(&solve::row(number, &position, &found, Some(known), context)))?;
        }
    }
    if !args.json {
        let (seconds, rate) = (ffo.seconds, rate(ffo.nodes, ffo.seconds, context));
        context.line(&text!(context, "cli-bench-ffo", nodes = ffo.nodes, seconds = seconds, rate = rate))?;
        context.line("")?;
    }

    let columns = Columns::new(&text!(context, "cli-bench-columns"), &[24, 2, 3, 2, 14, 9, 8]);
    if !args.json {
        context.line(&columns.title())?;
    }
    let mut middle = Total::default();
    for moves in MIDGAME {
        let (position, analysis) = midgame(&mut engine, moves, args.depth.into(), &stop);
        if stop.is_set() {
            return Err(Failure::Quiet(130));
        }
        let seconds = analysis.time.as_secs_f64();
        middle.add(analysis.nodes, seconds);
        if let (false, Some(best)) = (args.json, analysis.best()) {
            context.line(&columns.row(&[
                moves.to_owned(),
                position.empty().len().to_string(),
                format!("{:+}", best.score),
                best.square.to_string(),
                analysis.nodes.to_string(),
                context.messages.decimal(seconds, 3),
                rate(analysis.nodes, seconds, context),
            ]))?;
        }
    }
    if args.json {
        let answer = json!({
            "cpu": machine, "kernel": rules::kernel::NAME, "threads": threads,
            "perft": { "depth": PERFT, "leaves": leaves, "seconds": perft_seconds },
            "ffo": { "nodes": ffo.nodes, "seconds": ffo.seconds, "wrong": wrong },
            "midgame": { "depth": args.depth, "nodes": middle.nodes, "seconds": middle.seconds },
        });
        context.line(&answer.to_string())?;
    } else {
        let (seconds, rate) = (middle.seconds, rate(middle.nodes, middle.seconds, context));
        context.line(&text!(
            context,
            "cli-bench-midgame",
            depth = args.depth,
            nodes = middle.nodes,
            seconds = seconds,
            rate = rate
        ))?;
    }
    if wrong > 0 { Err(Failure::Quiet(1)) } else { Ok(()) }
}

#[derive(Default)]
struct Total {
    nodes: u64,
    seconds: f64,
}

impl Total {
    fn add(&mut self, nodes: u64, seconds: f64) {
        self.nodes += nodes;
        self.seconds += seconds;
    }
}

/// The processor as the system names it, else its architecture.
fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or(std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_same_every_time() {
        let small = Set { midgame: 3, depth: 7, ffo: 0 };
        let first = signature(small, &Stop::default());
        assert!(first.is_some_and(|nodes| nodes > 1000));
        assert_eq!(first, signature(small, &Stop::default()));
        let deeper = Set { depth: 8, ..small };
        assert_ne!(first, signature(deeper, &Stop::default()));
    }

    #[test]
    fn every_position_of_the_lists_is_one() {
        assert!(FFO.iter().all(|(_, board, _)| !problem(board).is_over()));
        let mut engine = brain::engine(1, 1);
        for moves in MIDGAME {
            let (position, analysis) = midgame(&mut engine, moves, 1, &Stop::default());
            assert!(position.legal().contains(analysis.best().unwrap().square), "{moves}");
        }
    }
}

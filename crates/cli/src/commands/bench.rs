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
    let (machine, kernel, threads) = (machine(), rules::kernel::NAME, options.threads);
    let table = Table { args, context, stop };
    table.line(text!(context, "cli-bench-machine", cpu = machine.as_str(), kernel = kernel, threads = threads))?;
    table.line(String::new())?;
    let perft = table.perft(threads)?;
    let mut engine = Engine::new(brain::evaluator(), options);
    let (ffo, wrong) = table.ffo(&mut engine)?;
    let middle = table.midgame(&mut engine)?;
    if args.json {
        let answer = json!({
            "cpu": machine, "kernel": kernel, "threads": threads,
            "perft": { "depth": PERFT, "leaves": perft.nodes, "seconds": perft.seconds },
            "ffo": { "nodes": ffo.nodes, "seconds": ffo.seconds, "wrong": wrong },
            "midgame": { "depth": args.depth, "nodes": middle.nodes, "seconds": middle.seconds },
        });
        context.line(&answer.to_string())?;
    }
    if wrong > 0 { Err(Failure::Quiet(1)) } else { Ok(()) }
}

/// How many plies positions are counted to.
const PERFT: u32 = 11;

/// What is measured, and the table of it for people; programs get the totals.
struct Table<'a> {
    args: &'a Bench,
    context: &'a Context,
    stop: Stop,
}

impl Table<'_> {
    fn line(&self, line: String) -> Result<(), Failure> {
        if self.args.json { Ok(()) } else { self.context.line(&line) }
    }

    /// Counting positions.
    fn perft(&self, threads: usize) -> Result<Total, Failure> {
        let begun = Instant::now();
        let leaves = perft_threads(Board::START, PERFT, threads);
        let seconds = begun.elapsed().as_secs_f64();
        let rate = rate(leaves, seconds, self.context);
        self.line(text!(
            self.context,
            "cli-bench-perft",
            depth = PERFT,
            leaves = leaves,
            seconds = seconds,
            rate = rate
        ))?;
        self.line(String::new())?;
        Ok(Total { nodes: leaves, seconds })
    }

    /// Solving the FFO problems, and how many scores are wrong.
    fn ffo(&self, engine: &mut Engine) -> Result<(Total, u32), Failure> {
        let columns = Columns::new(&text!(self.context, "cli-solve-columns"), &[3, 2, 3, 2, 14, 9, 8]);
        self.line(columns.title())?;
        let (mut total, mut wrong) = (Total::default(), 0);
        for (number, board, known) in FFO {
            let position = problem(board);
            let found = solve(engine, &position, &self.stop, &ProgressBar::hidden()).ok_or(Failure::Quiet(130))?;
            total.add(found.nodes, found.time.as_secs_f64());
            wrong += u32::from(found.score != known);
            self.line(columns.row(&solve::row(number, &position, &found, Some(known), self.context)))?;
        }
        let (seconds, rate) = (total.seconds, rate(total.nodes, total.seconds, self.context));
        self.line(text!(self.context, "cli-bench-ffo", nodes = total.nodes, seconds = seconds, rate = rate))?;
        self.line(String::new())?;
        Ok((total, wrong))
    }

    /// Looking ahead from openings.
    fn midgame(&self, engine: &mut Engine) -> Result<Total, Failure> {
        let columns = Columns::new(&text!(self.context, "cli-bench-columns"), &[24, 2, 3, 2, 14, 9, 8]);
        self.line(columns.title())?;
        let mut total = Total::default();
        for moves in MIDGAME {
            let (position, analysis) = midgame(engine, moves, self.args.depth.into(), &self.stop);
            if self.stop.is_set() {
                return Err(Failure::Quiet(130));
            }
            let seconds = analysis.time.as_secs_f64();
            total.add(analysis.nodes, seconds);
            if let Some(best) = analysis.best() {
                self.line(columns.row(&[
                    moves.to_owned(),
                    position.empty().len().to_string(),
                    format!("{:+}", best.score),
                    best.square.to_string(),
                    analysis.nodes.to_string(),
                    self.context.messages.decimal(seconds, 3),
                    rate(analysis.nodes, seconds, self.context),
                ]))?;
            }
        }
        let (seconds, rate) = (total.seconds, rate(total.nodes, total.seconds, self.context));
        self.line(text!(
            self.context,
            "cli-bench-midgame",
            depth = self.args.depth,
            nodes = total.nodes,
            seconds = seconds,
            rate = rate
        ))?;
        Ok(total)
    }
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

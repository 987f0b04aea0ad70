//! How long the computer thinks about its moves of a timed game, alone and while boards are analysed.
//!
//! ```text
//! cargo run --release -p outflank-analyst --example beside -- weights/eval.bin 17 2 4    level 17, two boards, four games each
//! ```
//!
//! The same moves are played alone and beside the boards, in turn, by the engines a server has on this machine. Of each reply it is said how much
//! of the time was waited until its search began, and how much was searched.

use analyst::{Analyst, Ask, Config, Evaluator, Job, Level, Limits, Owner, Purpose, Turn};
use rules::{Position, Square};
use std::{
    error::Error,
    time::{Duration, Instant},
};

const GAME: &str = "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2h1g2b8a8a7b7a2g8b2g7";
/// What is left on the clock at every move: ten minutes.
const CLOCK: Duration = Duration::from_secs(600);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [weights, level, boards, games] = arguments.as_slice() else {
        return Err("usage: beside WEIGHTS LEVEL BOARDS GAMES".into());
    };
    let level = *Level::numbered(level.parse()?).ok_or("no such level")?;
    let (boards, games): (u64, u32) = (boards.parse()?, games.parse()?);
    let analyst = Analyst::start(Evaluator::new(&std::fs::read(weights)?)?, Config::default());
    let positions = positions()?;
    let mut replies: [Vec<Reply>; 2] = Default::default();
    for number in 0..games {
        // Whichever is first has the cooler machine: they take turns.
        for beside in [number % 2 == 0, number % 2 == 1] {
            analyst.forget();
            let looking = if beside { look(&analyst, boards, &positions)? } else { Vec::new() };
            let took = play(&analyst, level, &positions)?;
            drop(looking);
            println!("{}: {:.1} ms a move", if beside { "beside" } else { "alone" }, mean(&took, |reply| reply.took));
            replies[usize::from(beside)].extend(took);
        }
    }
    for (name, replies) in ["alone", "beside"].into_iter().zip(&replies) {
        let (took, waited) = (mean(replies, |reply| reply.took), mean(replies, |reply| reply.took - reply.searched));
        let nodes = replies.iter().map(|reply| reply.nodes).sum::<u64>() / replies.len().max(1) as u64;
        println!(
            "{name:<7} {} replies, mean {took:.2} ms, median {:.2} ms; of the mean {waited:.2} ms waited, {:.2} ms searched, {nodes} nodes",
            replies.len(),
            median(replies),
            took - waited,
        );
    }
    let [alone, beside] = &replies;
    let more = |beside: f64, alone: f64| 100.0 * (beside / alone - 1.0);
    println!(
        "mean {:+.1} %, median {:+.1} %",
        more(mean(beside, |reply| reply.took), mean(alone, |reply| reply.took)),
        more(median(beside), median(alone))
    );
    Ok(())
}

/// A reply of the computer.
struct Reply {
    took: Duration,
    searched: Duration,
    nodes: u64,
}

/// Positions in which White is to move, from the end of any book to where everything is solved at once.
fn positions() -> Result<Vec<Position>, Box<dyn Error>> {
    let mut at = Position::start();
    let mut positions = Vec::new();
    for name in GAME.as_bytes().chunks(2) {
        if (13..41).contains(&(60 - at.empty().len())) && at.turn() == Some(rules::Color::White) {
            positions.push(at);
        }
        at = at.play(std::str::from_utf8(name)?.parse::<Square>()?)?.after;
    }
    Ok(positions)
}

/// Boards that are looked at, each by another person, which have begun.
fn look(analyst: &Analyst, boards: u64, positions: &[Position]) -> Result<Vec<Job>, Box<dyn Error>> {
    let begin = |board: u64| {
        let position = positions[board as usize % positions.len()];
        let limits = Limits { lines: position.legal().len() as usize, ..Limits::default() };
        let mut job = analyst.ask(Ask::new(Owner::of(100 + board), Purpose::Analysis, position, limits))?;
        job.blocking_next().ok_or("nothing was found")?;
        Ok(job)
    };
    (0..boards).map(begin).collect()
}

/// Thinks about every position.
fn play(analyst: &Analyst, level: Level, positions: &[Position]) -> Result<Vec<Reply>, Box<dyn Error>> {
    let think = |&position: &Position| {
        let turn = Turn { owner: Owner::of(1), position, level, seed: 1, clock: Some((CLOCK, Duration::ZERO)) };
        let begun = Instant::now();
        let start_by = Some(begun + CLOCK / 20);
        let ask = Ask { start_by, ..Ask::new(turn.owner, Purpose::Move, position, turn.limits()) };
        let found = analyst.ask(ask)?.blocking_answer().ok_or("nothing was found")?;
        Ok(Reply { took: begun.elapsed(), searched: found.time, nodes: found.nodes })
    };
    positions.iter().map(think).collect()
}

fn mean(replies: &[Reply], of: impl Fn(&Reply) -> Duration) -> f64 {
    replies.iter().map(of).sum::<Duration>().as_secs_f64() * 1e3 / replies.len().max(1) as f64
}

fn median(replies: &[Reply]) -> f64 {
    let mut times: Vec<Duration> = replies.iter().map(|reply| reply.took).collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64() * 1e3
}

//! The book of openings: grows where games are likely to go, and is written so that it can be taken up again.
//!
//! In each round the likeliest ends of the book (`Book::open_ends`) get replies. A shallow search of all moves says which
//! ones are clearly worse; the others are searched deep, one by one. A round's positions are chosen before it begins and
//! each search begins with an empty memory, so threads do not change what is found.

use anyhow::Context;
use engine::{Engine, Evaluator, Limits, Options};
use rules::Position;
use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use study::book::{Book, Replies, Value, worth_a_look};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The book, which is taken up where it ended if there is one
    #[arg(long)]
    out: PathBuf,
    #[arg(long)]
    weights: PathBuf,
    /// Stop with so many positions
    #[arg(long, default_value_t = usize::MAX)]
    positions: usize,
    /// Stop after so many seconds
    #[arg(long)]
    seconds: Option<u64>,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Plies the search of each position looks ahead
    #[arg(long, default_value_t = 16)]
    depth: u32,
    /// Plies of the search that leaves out bad moves
    #[arg(long, default_value_t = 8)]
    shallow: u32,
    /// So many discs worse than the best a move may seem to that search
    #[arg(long, default_value_t = 5)]
    within: i32,
    /// A move that loses so many discs more is 2.7 times less likely
    #[arg(long, default_value_t = 1.5)]
    temperature: f32,
    /// Positions that get replies in one round
    #[arg(long, default_value_t = 32)]
    round: usize,
    /// The fewest empties of a position that gets replies
    #[arg(long, default_value_t = 32)]
    empties: u32,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let eval = crate::evaluator(Some(&args.weights))?;
    let mut book = if args.out.exists() { Book::read(&std::fs::read(&args.out)?)? } else { Book::default() };
    if book.is_empty() {
        let mut engine = engine(&eval);
        book.add(&Position::start(), search(&mut engine, &Position::start(), args.depth).context("no value")?);
    }
    let begun = Instant::now();
    let mut saved = begun;
    println!("{} positions", book.len());
    while book.len() < args.positions && args.seconds.is_none_or(|most| begun.elapsed().as_secs() < most) {
        let mut ends = book.open_ends(args.temperature, args.empties);
        if ends.is_empty() {
            break;
        }
        let least = ends[ends.len().min(args.round) - 1].1;
        ends.truncate(args.round);
        book.expand(&replies(&book, &ends, &eval, args));
        if saved.elapsed() > Duration::from_secs(20) {
            saved = Instant::now();
            save(&book, &args.out)?;
            let seconds = begun.elapsed().as_secs();
            println!("{seconds} s: {} positions, down to a chance of one in {:.0}", book.len(), 1.0 / least);
        }
    }
    save(&book, &args.out)?;
    let value = book.find(&Position::start()).context("no first position")?.value;
    println!(
        "{} positions, {} bytes; the first one is worth {} discs at {} plies",
        book.len(),
        book.write().len(),
        value.score,
        value.depth
    );
    Ok(())
}

/// Never half a book: the file is complete before it takes the place of the last one.
fn save(book: &Book, path: &Path) -> anyhow::Result<()> {
    let beside = path.with_extension("new");
    std::fs::write(&beside, book.write())?;
    Ok(std::fs::rename(beside, path)?)
}

fn engine(eval: &Evaluator) -> Engine {
    Engine::new(eval.clone(), Options { threads: 1, hash: 16 })
}

fn replies(book: &Book, ends: &[(Position, f32)], eval: &Evaluator, args: &Args) -> Vec<(Position, Replies)> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Option<(Position, Replies)>>> = Mutex::new(vec![None; ends.len()]);
    let work = || {
        let mut engine = engine(eval);
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some((position, _)) = ends.get(at) else { break };
            engine.forget();
            let limits = Limits { lines: usize::MAX, ..Limits::depth(args.shallow) };
            let seen = engine.search(position, &limits, &mut |_| {});
            let moves = worth_a_look(&seen, args.within).into_iter().map(|square| {
                let after = position.play_unchecked(square).after;
                let value = if book.contains(&after) { None } else { search(&mut engine, &after, args.depth) };
                (square, value)
            });
            let moves = moves.collect();
            found.lock().unwrap_or_else(|e| e.into_inner())[at] = Some((*position, moves));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(work);
        }
    });
    found.into_inner().unwrap_or_else(|e| e.into_inner()).into_iter().flatten().collect()
}

fn search(engine: &mut Engine, position: &Position, depth: u32) -> Option<Value> {
    engine.forget();
    Value::of(position, &engine.search(position, &Limits::depth(depth), &mut |_| {}))
}

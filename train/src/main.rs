//! How the weights are made. See README.md in this folder for the commands in order.
#![forbid(unsafe_code)]

mod book;
mod collect;
mod deep;
mod export;
mod fit;
mod games;
mod join;
mod judge;
mod midgames;
mod probcut;
mod puzzles;
mod random;
mod scatter;
mod selfplay;
mod tempo;

use clap::{Parser, Subcommand};
use engine::Evaluator;
use std::path::PathBuf;

#[derive(Parser)]
#[command(about = "Makes and measures Outflank's evaluation weights")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays games of the engine against itself and writes them down
    Selfplay(selfplay::Args),
    /// Fits weights to games, and tells how far they are off on games not used
    Fit(fit::Args),
    /// Tells how far weights are off on games, phase by phase
    Report(fit::ReportArgs),
    /// Tells how far searches are off on positions whose exact scores are known
    Judge(judge::Args),
    /// Takes positions a few plies away from those of games, as searches do, and labels them
    Scatter(scatter::Args),
    /// Searches positions deep, for a report that means something
    Deep(deep::Args),
    /// Writes positions and labels as plain arrays, for other tools
    Export(export::Args),
    /// Puts a sum of weights and the net that corrects it together
    Join(join::Args),
    /// Measures what it is worth to move with so many empties, and puts it into weights
    Tempo(tempo::Args),
    /// Grows the book of openings where games are likely to go
    Book(book::Args),
    /// Finds positions of games in which exactly one move wins, or exactly one draws
    Puzzles(puzzles::Args),
    /// Finds positions of games, long before their end, in which one move is clearly the best
    Midgames(midgames::Args),
    /// Measures how far shallow searches are from deep ones, and fits the error model
    Probcut(probcut::Args),
}

fn main() -> anyhow::Result<()> {
    match Args::parse().command {
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Report(args) => fit::run_report(&args),
        Command::Judge(args) => judge::run(&args),
        Command::Scatter(args) => scatter::run(&args),
        Command::Deep(args) => deep::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Join(args) => join::run(&args),
        Command::Tempo(args) => tempo::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Puzzles(args) => puzzles::run(&args),
        Command::Midgames(args) => midgames::run(&args),
        Command::Probcut(args) => probcut::run(&args),
    }
}

/// The evaluation in a file, or no knowledge at all.
fn evaluator(weights: Option<&PathBuf>) -> anyhow::Result<Evaluator> {
    Ok(match weights {
        Some(path) => Evaluator::new(&std::fs::read(path)?)?,
        None => Evaluator::blank(),
    })
}

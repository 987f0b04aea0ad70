//! `outflank perft N`: counts every line of play.

use crate::{
    args::Perft,
    context::{Context, Failure},
    text,
};
use rules::{Board, perft_threads};
use std::time::Instant;

pub(crate) fn run(args: &Perft, context: &Context) -> Result<(), Failure> {
    let begun = Instant::now();
    let nodes = perft_threads(Board::START, args.depth, args.threads.into());
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        let answer = serde_json::json!({ "depth": args.depth, "nodes": nodes, "seconds": seconds });
        return context.line(&answer.to_string());
    }
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    context.line(&text!(
        context,
        "cli-perft-done",
        depth = args.depth,
        nodes = nodes,
        seconds = seconds,
        rate = rate,
        threads = args.threads,
    ))
}

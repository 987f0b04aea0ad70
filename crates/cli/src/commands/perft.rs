//! `outflank perft N`: counts every line of play, from the start or from any position.

use crate::{
    answer,
    args::Perft,
    context::{Context, Failure},
    files::Games,
    text,
};
use rules::{Position, perft_threads};
use serde_json::json;
use std::time::Instant;

pub(crate) fn run(args: &Perft, context: &Context) -> Result<(), Failure> {
    let position = match &args.from {
        None => Position::start(),
        Some(game) => Games::open(game, context)?.record(1, context)?.end(),
    };
    let begun = Instant::now();
    let nodes = perft_threads(position.board(), args.depth, args.threads.into());
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        let answer = json!({
            "depth": args.depth, "board": answer::board(&position), "turn": answer::turn(&position),
            "nodes": nodes, "seconds": seconds, "threads": args.threads,
        });
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

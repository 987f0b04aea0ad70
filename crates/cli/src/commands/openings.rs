//! `outflank openings`: a list of openings in which neither side is better.

use crate::{
    answer,
    args::Openings,
    brain,
    commands::matches::bar,
    context::{Context, Failure},
    duel::{openings, player::mix},
    fail, files, interrupt, text,
};
use engine::{Limits, Stop};
use rules::{Position, Square};
use serde_json::json;
use std::{collections::HashSet, fmt::Write};

pub(crate) fn run(args: &Openings, context: &Context) -> Result<(), Failure> {
    let stop = interrupt::stop();
    let mut engine = brain::engine(1, 32);
    let bar = bar(args.count);
    let mut seen = HashSet::new();
    let mut found: Vec<Vec<Square>> = Vec::new();
    let depth = u32::from(args.depth);
    for attempt in 0..u64::from(args.count) * 1000 {
        if found.len() >= args.count as usize || stop.is_set() {
            break;
        }
        let moves = openings::one(args.plies.into(), mix(args.seed).wrapping_add(attempt));
        let position = after(&moves);
        let (board, _) = position.board().canonical();
        if !seen.insert((board.mover.0, board.other.0)) {
            continue;
        }
        if is_balanced(&mut engine, &position, depth, args.most.into(), &stop) {
            found.push(usual(&moves));
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if stop.is_set() {
        return Err(Failure::Quiet(130));
    }
    if found.is_empty() {
        return Err(fail!(context, "cli-openings-none"));
    }
    if found.len() < args.count as usize {
        let note = text!(context, "cli-openings-few", found = found.len(), wanted = args.count);
        eprintln!("outflank: {note}");
    }
    found.sort();
    let found: Vec<String> = found.iter().map(|moves| answer::joined(moves)).collect();
    if args.json {
        for (number, moves) in (1..).zip(&found) {
            context.line(&json!({ "number": number, "moves": moves }).to_string())?;
        }
        let total = json!({ "openings": found.len(), "wanted": args.count, "plies": args.plies, "seed": args.seed });
        context.line(&json!({ "total": total }).to_string())?;
    }
    let mut out = format!(
        "# Openings of {} moves after which searches of {} and {depth} plies find, on average, at most {} for either side.\n\
         # No two are the same up to symmetry. Made by:\n\
         # outflank openings --count {} --plies {} --depth {depth} --most {} --seed {}\n",
        args.plies,
        depth.saturating_sub(1),
        args.most,
        args.count,
        args.plies,
        args.most,
        args.seed
    );
    for moves in &found {
        let _ = writeln!(out, "{moves}");
    }
    match &args.out {
        None if args.json => Ok(()),
        None => context.print(&out),
        Some(path) => files::write(&[(path.clone(), out.into_bytes())], context),
    }
}

fn after(moves: &[Square]) -> Position {
    moves.iter().fold(Position::start(), |position, &square| position.play_unchecked(square).after)
}

/// The moves turned so that the first is f5, as books write them.
fn usual(moves: &[Square]) -> Vec<Square> {
    let turned = rules::Symmetry::ALL
        .into_iter()
        .map(|symmetry| moves.iter().map(|&square| symmetry.square(square)).collect::<Vec<_>>());
    let mut all: Vec<Vec<Square>> = turned.filter(|moves| moves.first() == Some(&Square::F5)).collect();
    all.retain(|moves| record::Record::from_moves(moves.iter().copied()).is_ok());
    all.sort();
    all.into_iter().next().unwrap_or_else(|| moves.to_vec())
}

/// Whether the score of a position is small; a quick look first spares most of the work.
fn is_balanced(engine: &mut engine::Engine, position: &Position, depth: u32, most: i32, stop: &Stop) -> bool {
    [(depth.min(6), most + 4), (depth, most)].into_iter().all(|(depth, most)| {
        let limits = Limits { depth, solve_at: 0, stop: stop.clone(), ..Limits::default() };
        // A search likes the side that moves last before its horizon: the last two rounds together are fair to both.
        let mut last = [0; 2];
        engine.search(position, &limits, &mut |analysis| {
            last = [last[1], analysis.best().map_or(0, |best| best.score)];
        });
        (last[0] + last[1]).abs() <= 2 * most
    })
}

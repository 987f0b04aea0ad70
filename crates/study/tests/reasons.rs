//! Each reason that is stated is checked again by searches of its own, with another engine.

mod common;

use common::{corpus_games, each, own_game, size};
use engine::{Engine, Limits, Line};
use record::Record;
use rules::{Bitboard, Board, Position, Square, Step};
use std::{collections::BTreeMap, sync::Mutex};
use study::{
    reason::{LEAST_SHARE, Reason, ReasonKind, SAFE},
    review::{Class, MoveReport, Plan},
};

/// As deep as the review's own look, or solved.
fn look(position: &Position) -> Limits {
    Limits { depth: 14, solve_at: 18, lines: position.legal().len() as usize, ..Limits::default() }
}

fn steps(start: Position, line: &[Square]) -> Vec<Step> {
    let mut at = start;
    line.iter()
        .map(|&square| {
            let step = at.play(square).expect("a legal line");
            at = step.after;
            step
        })
        .collect()
}

fn all_moves(engine: &mut Engine, position: &Position) -> Vec<Line> {
    engine.search(position, &look(position), &mut |_| {}).lines
}

fn safe(lines: &[Line]) -> i32 {
    lines.iter().filter(|line| lines[0].score - line.score < SAFE).count() as i32
}

/// Why a stated reason is not true, by searches that begin from nothing.
fn refuted(engine: &mut Engine, before: Position, one: &MoveReport, reason: &Reason) -> Option<String> {
    engine.forget();
    let me = one.by;
    let after = before.play(one.square).unwrap().after;
    let line = steps(before, &reason.line);
    assert!(!line.is_empty() && reason.squares.len() <= 2 && reason.share >= LEAST_SHARE, "{reason:?}");
    let fail = |holds: bool, why: &str| (!holds).then(|| format!("{why}: {reason:?}"));
    if !reason.without.is_empty() {
        let replies = Limits { lines: 1, ..look(&after) };
        let without: Bitboard = reason.without.iter().copied().collect();
        let best = engine.search(&after, &replies, &mut |_| {}).best()?.score;
        let left = engine.search(&after, &Limits { moves: !without, ..replies }, &mut |_| {}).best()?.score;
        let holds = 2 * (best - left) >= one.loss;
        if let Some(why) = fail(holds, &format!("{best} and without {left}, of {}", one.loss)) {
            return Some(why);
        }
    }
    let corners = |steps: &[Step]| -> Vec<Square> {
        let taken = steps.iter().filter(|step| step.by != me && Bitboard::CORNERS.contains(step.square));
        taken.map(|step| step.square).collect()
    };
    match reason.kind {
        ReasonKind::GaveCorner | ReasonKind::OpenedCorner => {
            let corner = reason.squares.last().unwrap();
            let better = steps(before, &one.better[..one.better.len().min(4)]);
            fail(corners(&line).contains(corner) && !corners(&better).contains(corner), "no corner")
        }
        ReasonKind::OpenedWall => {
            let Board { mover, other } = before.board();
            let had = Board { mover: other, other: mover }.legal();
            fail((after.legal() - had).len() as i32 == reason.numbers[0] && reason.numbers[0] >= 3, "no wall")
        }
        ReasonKind::GaveStableDiscs => fail(reason.numbers[0] >= 4, "few discs"),
        ReasonKind::GaveParity => {
            let lines = all_moves(engine, &before);
            let region = line[0].square;
            let best = lines[0].score;
            let score = lines.iter().find(|line| line.square == region)?.score;
            fail(best - score >= (one.loss + 1) / 2 && line.len() > 1, "not parity")
        }
        ReasonKind::NoSafeMoves => {
            let left = safe(&all_moves(engine, &line[1].after));
            let better = steps(before, &one.better[..2])[1].after;
            let otherwise = safe(&all_moves(engine, &better));
            fail(left <= 1 && otherwise > left, &format!("{left} and {otherwise}"))
        }
        ReasonKind::MissedQuietMove => {
            let best = before.play(reason.squares[0]).unwrap().after;
            let (with, without) = (safe(&all_moves(engine, &best)), safe(&all_moves(engine, &after)));
            fail(with < without && best.legal().len() < after.legal().len(), &format!("{with} and {without}"))
        }
        ReasonKind::MissedPass => fail(line.iter().any(|step| step.by == me && step.passed), "no pass"),
        ReasonKind::TooEarly => {
            let moment = line[line.len() - 2].after;
            let lines = all_moves(engine, &moment);
            let there = lines.iter().find(|line| line.square == one.square)?.score;
            fail(line.last()?.square == one.square && 2 * (lines[0].score - there) <= one.loss, "as bad later")
        }
        ReasonKind::Miscounted => {
            let exact = |square: Square, engine: &mut Engine| {
                let alone = Limits { moves: square.into(), ..Limits::solve() };
                engine.search(&before, &alone, &mut |_| {}).best().unwrap().score
            };
            let (best, played) = (exact(reason.squares[0], engine), exact(reason.squares[1], engine));
            let numbers = [32 + best / 2, 32 + played / 2];
            fail(reason.numbers == numbers && best - played == one.loss, "miscounted by us")
        }
    }
}

#[derive(Default)]
struct Tally {
    mistakes: usize,
    explained: usize,
    stated: BTreeMap<ReasonKind, usize>,
    first: BTreeMap<ReasonKind, usize>,
    refuted: Vec<String>,
}

/// Reviews games until so many mistakes were seen, and checks every reason.
fn check(games: &[Record], plan: Plan, most: usize) -> Tally {
    let tally = Mutex::new(Tally::default());
    each(games, |game, engine| {
        if tally.lock().unwrap().mistakes >= most {
            return;
        }
        engine.forget();
        let report = common::review(game, plan, engine);
        let mut other = common::engine();
        for one in report.moves.iter().filter(|one| one.class >= Some(Class::Mistake)) {
            let before = game.after(one.number - 1).unwrap();
            let reasons: Vec<&Reason> = one.reason.iter().chain(&one.others).collect();
            let refuted: Vec<String> = reasons
                .iter()
                .filter_map(|reason| {
                    let why = refuted(&mut other, before, one, reason)?;
                    Some(format!("{before}\n{} by {}: {why}", one.square, one.by))
                })
                .collect();
            let mut tally = tally.lock().unwrap();
            if tally.mistakes >= most {
                return;
            }
            tally.mistakes += 1;
            tally.explained += usize::from(one.reason.is_some());
            reasons.iter().for_each(|reason| *tally.stated.entry(reason.kind).or_default() += 1);
            one.reason.iter().for_each(|reason| *tally.first.entry(reason.kind).or_default() += 1);
            tally.refuted.extend(refuted);
        }
    });
    tally.into_inner().unwrap()
}

#[test]
fn every_reason_of_our_own_games_is_true() {
    let mut engine = common::engine();
    let games: Vec<Record> = (1..=2).map(|seed| own_game(seed, &mut engine)).collect();
    let tally = check(&games, Plan::depth(12), usize::MAX);
    assert!(tally.refuted.is_empty(), "{}", tally.refuted.join("\n"));
    assert!(tally.mistakes >= 8 && tally.explained * 2 >= tally.mistakes, "{} of {}", tally.explained, tally.mistakes);
}

/// `OUTFLANK_MISTAKES=200` for the whole of it.
#[test]
fn every_reason_of_tournament_games_is_true() {
    let most = size("OUTFLANK_MISTAKES", 8);
    let tally = check(&corpus_games(most), Plan::default(), most);
    println!(
        "{} mistakes, {} explained; first {:?}, in all {:?}, refuted {}",
        tally.mistakes,
        tally.explained,
        tally.first,
        tally.stated,
        tally.refuted.len()
    );
    assert!(tally.refuted.is_empty(), "{}", tally.refuted.join("\n"));
    assert!(tally.explained * 2 >= tally.mistakes);
}

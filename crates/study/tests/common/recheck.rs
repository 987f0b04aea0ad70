//! Whether a stated reason is true, by searches and counts of its own.

use engine::{Engine, Limits, Line};
use rules::{Bitboard, Board, Color, Position, Square, Step};
use std::collections::HashSet;
use study::reason::{LEAST_SHARE, Reason, ReasonKind, SAFE};

/// A reason, and the bad move of which it is said.
pub(crate) struct Claim<'a> {
    pub(crate) before: Position,
    pub(crate) by: Color,
    pub(crate) square: Square,
    pub(crate) loss: i32,
    pub(crate) better: &'a [Square],
    pub(crate) reason: &'a Reason,
}

/// All moves: as deep as the review's own look, or solved.
fn look(position: &Position) -> Limits {
    Limits { depth: 14, solve_at: 18, lines: position.legal().len() as usize, ..Limits::default() }
}

/// One value, deeper than the review looks for it.
fn close() -> Limits {
    Limits { depth: 20, solve_at: 22, ..Limits::default() }
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

/// The opponent has the last move in an even region that the mistake is the first to enter, which the better move is not in: both lines
/// are perfect play to the end, and to enter that region in any way loses half of what was lost.
fn parity(engine: &mut Engine, one: &Claim<'_>) -> Option<String> {
    let &Claim { before, by: me, reason, .. } = one;
    let region = together(before.empty(), one.square);
    let solve = Limits { lines: before.legal().len() as usize, ..Limits::solve() };
    let lines = engine.search(&before, &solve, &mut |_| {}).lines;
    let best_of = |there: bool| {
        let scores = lines.iter().filter(|line| region.contains(line.square) == there).map(|line| line.score);
        scores.max().unwrap_or(-64)
    };
    let (here, elsewhere) = (best_of(true), best_of(false));
    let played = |moves: &[Square]| {
        let steps = steps(before, moves);
        let last = steps.iter().rev().find(|step| region.contains(step.square)).map(|step| step.by);
        let outcome = steps.last().and_then(|step| step.after.outcome()).map(|outcome| i32::from(outcome.difference()));
        (last, outcome.map(|black| if me == Color::Black { black } else { -black }))
    };
    let score = |square: Square| lines.iter().find(|line| line.square == square).map(|line| line.score);
    let (bad, good) = (played(&reason.line), played(one.better));
    let holds = before.empty().len() <= 20
        && region.len().is_multiple_of(2)
        && region.len() as i32 == reason.numbers[0]
        && !region.contains(one.better[0])
        && bad.0 == Some(!me)
        && good.0 != Some(!me)
        && bad.1 == score(one.square)
        && good.1 == Some(lines[0].score)
        && 2 * (elsewhere - here) >= one.loss;
    (!holds).then(|| format!("no parity: {here} here, {elsewhere} elsewhere, {bad:?}, {good:?}: {reason:?}"))
}

/// The empty squares that hang together with this one.
fn together(empty: Bitboard, square: Square) -> Bitboard {
    let near =
        |one: Square, other: Square| one.column().abs_diff(other.column()) <= 1 && one.row().abs_diff(other.row()) <= 1;
    let (mut found, mut at) = (vec![square], 0);
    while at < found.len() {
        let more: Vec<Square> =
            empty.iter().filter(|&other| near(found[at], other) && !found.contains(&other)).collect();
        found.extend(more);
        at += 1;
    }
    found.into_iter().collect()
}

fn is_edge(square: Square) -> bool {
    [square.column(), square.row()].iter().any(|&at| at == 0 || at == 7)
}

/// Which squares of an edge keep their discs whatever is played on it, by playing everything: `None` is an empty square. A move turns what
/// it encloses along the edge, and may be legal for what it turns elsewhere.
fn kept(
    edge: [Option<bool>; 8],
    seen: &mut HashSet<[Option<bool>; 8]>,
    keeps: &mut [bool; 8],
    start: &[Option<bool>; 8],
) {
    if !seen.insert(edge) {
        return;
    }
    for at in 0..8 {
        keeps[at] &= edge[at] == start[at];
    }
    for at in (0..8).filter(|&at| edge[at].is_none()) {
        for color in [false, true] {
            let mut next = edge;
            next[at] = Some(color);
            let sides: [Vec<usize>; 2] = [(at + 1..8).collect(), (0..at).rev().collect()];
            for side in sides {
                let enclosed: Vec<usize> = side.iter().copied().take_while(|&on| edge[on] == Some(!color)).collect();
                if side.get(enclosed.len()).is_some_and(|&on| edge[on] == Some(color)) {
                    enclosed.into_iter().for_each(|on| next[on] = Some(color));
                }
            }
            kept(next, seen, keeps, start);
        }
    }
}

/// Discs on the edges that cannot turn.
fn kept_on_edges(own: Bitboard, empty: Bitboard) -> Bitboard {
    let edges: [[(u8, u8); 8]; 4] = [
        std::array::from_fn(|at| (at as u8, 0)),
        std::array::from_fn(|at| (at as u8, 7)),
        std::array::from_fn(|at| (0, at as u8)),
        std::array::from_fn(|at| (7, at as u8)),
    ];
    let mut found = Bitboard::default();
    for edge in edges {
        let squares = edge.map(|(column, row)| Square::at(column, row).expect("on the board"));
        let start = squares.map(|square| (!empty.contains(square)).then(|| own.contains(square)));
        let mut keeps = [true; 8];
        kept(start, &mut HashSet::new(), &mut keeps, &start);
        for (square, keeps) in squares.into_iter().zip(keeps) {
            if keeps && own.contains(square) {
                found |= square.into();
            }
        }
    }
    found
}

/// How many of these discs cannot turn, counted slowly: on an edge whatever is played there; elsewhere in each of the four directions a
/// line is full, or one side of the disc is the edge or another disc that cannot turn.
fn never_turn(own: Bitboard, empty: Bitboard) -> u32 {
    let step = |from: Square, (columns, rows): (i8, i8)| {
        Square::at(from.column().checked_add_signed(columns)?, from.row().checked_add_signed(rows)?)
    };
    let full = |square: Square, way: (i8, i8)| {
        let along = |way| std::iter::successors(step(square, way), move |&at| step(at, way));
        along(way).chain(along((-way.0, -way.1))).all(|at| !empty.contains(at))
    };
    let mut stable = kept_on_edges(own, empty);
    loop {
        let safe = |at: Option<Square>| at.is_none_or(|at| stable.contains(at));
        let holds = |square: &Square| {
            [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().all(|way: (i8, i8)| {
                safe(step(*square, way)) || safe(step(*square, (-way.0, -way.1))) || full(*square, way)
            })
        };
        let more = stable | own.iter().filter(holds).collect();
        if more == stable {
            return stable.len();
        }
        stable = more;
    }
}

fn safe(lines: &[Line]) -> i32 {
    lines.iter().filter(|line| lines[0].score - line.score < SAFE).count() as i32
}

/// Why a stated reason is not true, by searches that begin from nothing.
pub(crate) fn refuted(engine: &mut Engine, one: &Claim<'_>) -> Option<String> {
    engine.forget();
    let &Claim { before, by: me, reason, .. } = one;
    let after = before.play(one.square).unwrap().after;
    let line = steps(before, &reason.line);
    assert!(!line.is_empty() && reason.squares.len() <= 2 && reason.share >= LEAST_SHARE, "{reason:?}");
    let fail = |holds: bool, why: &str| (!holds).then(|| format!("{why}: {reason:?}"));
    if !reason.without.is_empty() {
        let without: Bitboard = reason.without.iter().copied().collect();
        let best = engine.search(&after, &close(), &mut |_| {}).best()?.score;
        let left = engine.search(&after, &Limits { moves: !without, ..close() }, &mut |_| {}).best()?.score;
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
        ReasonKind::GaveStableDiscs => {
            let better = steps(before, &one.better[..line.len()]);
            let theirs = |steps: &[Step]| {
                never_turn(steps[line.len() - 1].after.discs()[!me], steps[line.len() - 1].after.empty())
            };
            let (bad, good) = (theirs(&line), theirs(&better));
            let on_edge = line[1..].iter().take(3).any(|step| step.by != me && is_edge(step.square));
            fail(
                bad >= good + 4 && on_edge && reason.without.contains(&line[1].square),
                &format!("{bad} and {good} discs"),
            )
        }
        ReasonKind::GaveParity => parity(engine, one),
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
            let best = engine.search(&moment, &close(), &mut |_| {}).best()?.score;
            let alone = Limits { moves: one.square.into(), ..close() };
            let there = engine.search(&moment, &alone, &mut |_| {}).best()?.score;
            fail(line.last()?.square == one.square && 2 * (best - there) <= one.loss, "as bad later")
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

//! The last four empty squares, one function each: no move generation, a move is legal if it turns something.
//!
//! Every function answers for the mover with a null window: a score above `alpha` is at least what is returned,
//! one at or below it at most. What each move turns is found for all moves at once, before the first is tried: to wait
//! for one after the other costs more than to find out too much.

use crate::midgame::NO_SCORE;
use rules::kernel::{Quad, flips, flips_x4, last_flips};

/// The mover's score when neither side can move and `empties` squares are left.
#[inline(always)]
pub(super) fn final_score(mover: u64, empties: i32) -> i32 {
    let mine = mover.count_ones() as i32;
    let difference = 2 * mine - 64 + empties;
    difference + difference.signum() * empties
}

/// One empty square.
#[inline(always)]
pub(super) fn one(mover: u64, square: usize) -> i32 {
    let mine = 2 * mover.count_ones() as i32;
    let (count, against) = last_flips(square, mover);
    let (count, against) = (count as i32, against as i32);
    let passed = if against != 0 || mine < 64 { mine - 64 - 2 * against } else { mine - 62 };
    if count != 0 { mine - 62 + 2 * count } else { passed }
}

/// Two empty squares.
#[inline(always)]
pub(super) fn two(mover: u64, other: u64, alpha: i32, a: usize, b: usize, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let best = best_of_two(mover, other, alpha, a, b, nodes);
    if best != NO_SCORE { best } else { two_passed(mover, other, alpha, a, b, nodes) }
}

#[inline(never)]
fn two_passed(mover: u64, other: u64, alpha: i32, a: usize, b: usize, nodes: &mut u64) -> i32 {
    let best = best_of_two(other, mover, -alpha - 1, a, b, nodes);
    if best != NO_SCORE { -best } else { final_score(mover, 2) }
}

#[inline(always)]
fn best_of_two(mover: u64, other: u64, alpha: i32, a: usize, b: usize, nodes: &mut u64) -> i32 {
    let (first, second) = (flips(a, mover, other), flips(b, mover, other));
    let mut best = NO_SCORE;
    if first != 0 {
        *nodes += 1;
        best = -one(other ^ first, b);
        if best > alpha {
            return best;
        }
    }
    if second != 0 {
        *nodes += 1;
        best = best.max(-one(other ^ second, a));
    }
    best
}

/// Three empty squares, likeliest first.
#[inline(always)]
pub(super) fn three(mover: u64, other: u64, alpha: i32, squares: [usize; 3], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let best = best_of_three(mover, other, alpha, squares, nodes);
    if best != NO_SCORE { best } else { three_passed(mover, other, alpha, squares, nodes) }
}

#[inline(never)]
fn three_passed(mover: u64, other: u64, alpha: i32, squares: [usize; 3], nodes: &mut u64) -> i32 {
    let best = best_of_three(other, mover, -alpha - 1, squares, nodes);
    if best != NO_SCORE { -best } else { final_score(mover, 3) }
}

#[inline(always)]
fn best_of_three(mover: u64, other: u64, alpha: i32, [a, b, c]: [usize; 3], nodes: &mut u64) -> i32 {
    let Quad([first, second, third, _]) = flips_x4([a, b, c, c], mover, other);
    let mut best = NO_SCORE;
    macro_rules! attempt {
        ($turned:ident, $square:ident, $x:ident, $y:ident) => {
            if $turned != 0 {
                let score = -two(other ^ $turned, mover ^ $turned ^ 1 << $square, -alpha - 1, $x, $y, nodes);
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        };
    }
    attempt!(first, a, b, c);
    attempt!(second, b, a, c);
    attempt!(third, c, a, b);
    best
}

/// Four empty squares, likeliest first.
#[inline]
pub(super) fn four(mover: u64, other: u64, alpha: i32, squares: [usize; 4], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let best = best_of_four(mover, other, alpha, squares, nodes);
    if best != NO_SCORE { best } else { four_passed(mover, other, alpha, squares, nodes) }
}

#[inline(never)]
fn four_passed(mover: u64, other: u64, alpha: i32, squares: [usize; 4], nodes: &mut u64) -> i32 {
    let best = best_of_four(other, mover, -alpha - 1, squares, nodes);
    if best != NO_SCORE { -best } else { final_score(mover, 4) }
}

#[inline(always)]
fn best_of_four(mover: u64, other: u64, alpha: i32, [a, b, c, d]: [usize; 4], nodes: &mut u64) -> i32 {
    let Quad([first, second, third, fourth]) = flips_x4([a, b, c, d], mover, other);
    let mut best = NO_SCORE;
    macro_rules! attempt {
        ($turned:ident, $square:ident, $x:ident, $y:ident, $z:ident) => {
            if $turned != 0 {
                let (next, played) = (other ^ $turned, mover ^ $turned ^ 1 << $square);
                let score = -three(next, played, -alpha - 1, [$x, $y, $z], nodes);
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        };
    }
    attempt!(first, a, b, c, d);
    attempt!(second, b, a, c, d);
    attempt!(third, c, a, b, d);
    attempt!(fourth, d, a, b, c);
    best
}

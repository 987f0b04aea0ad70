//! The last four empty squares, one function each: no move generation, a move is legal if it turns something.
//!
//! Every function answers for the mover with a null window: a score above `alpha` is at least what is returned,
//! one at or below it at most.

use rules::kernel::{flips, last_flips};

/// Lower than any score.
pub(super) const NONE: i32 = -100;

/// The squares around each square, where a disc must stand for a move to turn anything.
static AROUND: [u64; 64] = {
    let mut table = [0u64; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1u64 << square;
        let sides = (bit & 0xfefe_fefe_fefe_fefe) >> 1 | (bit & 0x7f7f_7f7f_7f7f_7f7f) << 1;
        let three = bit | sides;
        table[square] = sides | three << 8 | three >> 8;
        square += 1;
    }
    table
};

/// The mover's score when neither side can move and `empties` squares are left.
#[inline(always)]
pub(super) fn settled(mover: u64, empties: i32) -> i32 {
    let mine = mover.count_ones() as i32;
    let difference = 2 * mine - 64 + empties;
    difference + difference.signum() * empties
}

/// What turns if `mover` plays on `square`; nothing without an opposing neighbour.
#[inline(always)]
fn turned(square: usize, mover: u64, other: u64) -> u64 {
    if AROUND[square & 63] & other == 0 { 0 } else { flips(square, mover, other) }
}

/// One empty square.
#[inline(always)]
pub(super) fn one(mover: u64, square: usize) -> i32 {
    let mine = 2 * mover.count_ones() as i32;
    let count = last_flips(square, mover) as i32;
    if count != 0 {
        return mine - 62 + 2 * count;
    }
    let other = !mover & !(1u64 << (square & 63));
    let count = last_flips(square, other) as i32;
    if count != 0 {
        return mine - 64 - 2 * count;
    }
    if mine > 63 { mine - 62 } else { mine - 64 }
}

/// Two empty squares.
#[inline(always)]
pub(super) fn two(mover: u64, other: u64, alpha: i32, a: usize, b: usize, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = NONE;
    for (square, rest) in [(a, b), (b, a)] {
        let turned = turned(square, mover, other);
        if turned != 0 {
            *nodes += 1;
            let score = -one(other ^ turned, rest);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
    }
    if best != NONE {
        return best;
    }
    let mut best = -NONE;
    for (square, rest) in [(a, b), (b, a)] {
        let turned = turned(square, other, mover);
        if turned != 0 {
            *nodes += 1;
            let score = one(mover ^ turned, rest);
            if score <= alpha {
                return score;
            }
            best = best.min(score);
        }
    }
    if best != -NONE { best } else { settled(mover, 2) }
}

/// Three empty squares, likeliest first.
#[inline(always)]
pub(super) fn three(mover: u64, other: u64, alpha: i32, squares: [usize; 3], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let [a, b, c] = squares;
    let mut best = NONE;
    for (square, x, y) in [(a, b, c), (b, a, c), (c, a, b)] {
        let turned = turned(square, mover, other);
        if turned != 0 {
            let score = -two(other ^ turned, mover ^ turned ^ 1 << square, -alpha - 1, x, y, nodes);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
    }
    if best != NONE {
        return best;
    }
    let mut best = -NONE;
    for (square, x, y) in [(a, b, c), (b, a, c), (c, a, b)] {
        let turned = turned(square, other, mover);
        if turned != 0 {
            let score = two(mover ^ turned, other ^ turned ^ 1 << square, alpha, x, y, nodes);
            if score <= alpha {
                return score;
            }
            best = best.min(score);
        }
    }
    if best != -NONE { best } else { settled(mover, 3) }
}

/// Four empty squares, likeliest first.
#[inline]
pub(super) fn four(mover: u64, other: u64, alpha: i32, squares: [usize; 4], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let [a, b, c, d] = squares;
    let orders = [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])];
    let mut best = NONE;
    for (square, rest) in orders {
        let turned = turned(square, mover, other);
        if turned != 0 {
            let score = -three(other ^ turned, mover ^ turned ^ 1 << square, -alpha - 1, rest, nodes);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
    }
    if best != NONE {
        return best;
    }
    let mut best = -NONE;
    for (square, rest) in orders {
        let turned = turned(square, other, mover);
        if turned != 0 {
            let score = three(mover ^ turned, other ^ turned ^ 1 << square, alpha, rest, nodes);
            if score <= alpha {
                return score;
            }
            best = best.min(score);
        }
    }
    if best != -NONE { best } else { settled(mover, 4) }
}

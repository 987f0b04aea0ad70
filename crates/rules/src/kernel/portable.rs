//! Shifts and masks in ordinary words: what every other kernel must agree with.

use super::{Lanes, Quad};

/// This kernel's name.
pub(super) const NAME: &str = "portable";

/// Columns b to g: discs that can lie between two others in their row or diagonal.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The four lines as shift distances, each with the columns a run along it may use.
const LINES: [(u32, u64); 4] = [(1, INNER_COLUMNS), (7, INNER_COLUMNS), (8, !0), (9, INNER_COLUMNS)];

/// The unbroken run of up to six `between` discs that starts next to `from`, both ways along one line.
#[inline(always)]
fn runs(from: u64, between: u64, distance: u32) -> (u64, u64) {
    let mut up = between & from << distance;
    let mut down = between & from >> distance;
    for _ in 0..5 {
        up |= between & up << distance;
        down |= between & down >> distance;
    }
    (up, down)
}

/// See [`moves`](super::moves).
#[inline]
pub(super) fn moves(mover: u64, other: u64) -> u64 {
    let mut reached = 0;
    for (distance, columns) in LINES {
        let (up, down) = runs(mover, other & columns, distance);
        reached |= up << distance | down >> distance;
    }
    reached & !(mover | other)
}

/// See [`flips`](super::flips).
#[inline]
pub(super) fn flips(square: usize, mover: u64, other: u64) -> u64 {
    flips_of(1 << square, mover, other)
}

#[inline(always)]
fn flips_of(placed: u64, mover: u64, other: u64) -> u64 {
    let mut turned = 0;
    for (distance, columns) in LINES {
        let (up, down) = runs(placed, other & columns, distance);
        if up << distance & mover != 0 {
            turned |= up;
        }
        if down >> distance & mover != 0 {
            turned |= down;
        }
    }
    turned
}

/// See [`moves_x8`](super::moves_x8).
#[inline]
pub(super) fn moves_x8(mover: Lanes, other: Lanes) -> Lanes {
    Lanes(std::array::from_fn(|lane| moves(mover.0[lane], other.0[lane])))
}

/// See [`flips_x8`](super::flips_x8).
#[inline]
pub(super) fn flips_x8(placed: Lanes, mover: Lanes, other: Lanes) -> Lanes {
    Lanes(std::array::from_fn(|lane| flips_of(placed.0[lane], mover.0[lane], other.0[lane])))
}

/// See [`count_x8`](super::count_x8).
#[inline]
pub(super) fn count_x8(words: Lanes) -> Lanes {
    Lanes(words.0.map(|word| u64::from(word.count_ones())))
}

/// See [`flips_x4`](super::flips_x4).
#[inline]
pub(super) fn flips_x4(squares: [usize; 4], mover: u64, other: u64) -> Quad {
    Quad(squares.map(|square| flips(square & 63, mover, other)))
}

/// See [`moves_x4`](super::moves_x4).
#[inline]
pub(super) fn moves_x4(mover: Quad, other: Quad) -> Quad {
    Quad(std::array::from_fn(|lane| moves(mover.0[lane], other.0[lane])))
}

/// See [`least`](super::least).
#[inline]
pub(super) fn least(low: u64, high: u64) -> (usize, u16) {
    let mut found = (0, low as u16);
    for at in 1..8 {
        let key = (if at < 4 { low } else { high } >> (at % 4 * 16)) as u16;
        if key < found.1 {
            found = (at, key);
        }
    }
    found
}

/// See [`count_x4`](super::count_x4).
#[inline]
pub(super) fn count_x4(words: Quad) -> Quad {
    Quad(words.0.map(|word| u64::from(word.count_ones())))
}

/// See [`pack_x4`](super::pack_x4).
#[inline]
pub(super) fn pack_x4(words: Quad) -> u64 {
    let [a, b, c, d] = words.0.map(|word| word & 0xffff);
    a | b << 16 | c << 32 | d << 48
}

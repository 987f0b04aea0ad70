//! NEON: two directions of one board, or two boards, in the two lanes of a 128-bit register.

use super::{HIGHER, LOWER, Lanes, Quad, portable};
use core::arch::aarch64::*;

/// This kernel's name.
pub(super) const NAME: &str = "NEON";

const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// See [`moves`](super::moves).
#[inline]
pub(super) fn moves(mover: u64, other: u64) -> u64 {
    // SAFETY: this module is compiled only where NEON is enabled for the whole build.
    unsafe {
        let from = vdupq_n_u64(mover);
        let mut reached = vdupq_n_u64(0);
        for (distances, columns) in [([1i64, 8], [INNER, !0]), ([7, 9], [INNER, INNER])] {
            let distance = vld1q_s64(distances.as_ptr());
            let back = vnegq_s64(distance);
            let between = vandq_u64(vdupq_n_u64(other), vld1q_u64(columns.as_ptr()));
            for shift in [distance, back] {
                let mut run = vandq_u64(between, vshlq_u64(from, shift));
                run = vorrq_u64(run, vandq_u64(between, vshlq_u64(run, shift)));
                let pairs = vandq_u64(between, vshlq_u64(between, shift));
                let twice = vaddq_s64(shift, shift);
                run = vorrq_u64(run, vandq_u64(pairs, vshlq_u64(run, twice)));
                run = vorrq_u64(run, vandq_u64(pairs, vshlq_u64(run, twice)));
                reached = vorrq_u64(reached, vshlq_u64(run, shift));
            }
        }
        (vgetq_lane_u64(reached, 0) | vgetq_lane_u64(reached, 1)) & !(mover | other)
    }
}

/// See [`flips`](super::flips).
///
/// The bit scans of the general registers are cheaper here than what NEON offers for them.
#[inline]
pub(super) fn flips(square: usize, mover: u64, other: u64) -> u64 {
    let mut turned = 0;
    for line in 0..4 {
        let higher = HIGHER[square & 63][line];
        let end = (other | !higher).wrapping_add(1) & higher & mover;
        turned |= end.wrapping_sub(u64::from(end != 0)) & higher;

        let lower = LOWER[square & 63][line];
        let stop = lower & !other;
        let end = (1u64 << 63).checked_shr(stop.leading_zeros()).unwrap_or(0) & mover;
        turned |= (end << 1).wrapping_neg() & lower;
    }
    turned
}

/// See [`moves_x8`](super::moves_x8).
#[inline]
pub(super) fn moves_x8(mover: Lanes, other: Lanes) -> Lanes {
    portable::moves_x8(mover, other)
}

/// See [`flips_x8`](super::flips_x8).
#[inline]
pub(super) fn flips_x8(placed: Lanes, mover: Lanes, other: Lanes) -> Lanes {
    portable::flips_x8(placed, mover, other)
}

/// See [`count_x8`](super::count_x8).
#[inline]
pub(super) fn count_x8(words: Lanes) -> Lanes {
    portable::count_x8(words)
}

/// See [`flips_x4`](super::flips_x4).
#[inline]
pub(super) fn flips_x4(squares: [usize; 4], mover: u64, other: u64) -> Quad {
    Quad(squares.map(|square| flips(square, mover, other)))
}

/// See [`moves_x4`](super::moves_x4).
#[inline]
pub(super) fn moves_x4(mover: Quad, other: Quad) -> Quad {
    Quad(std::array::from_fn(|lane| moves(mover.0[lane], other.0[lane])))
}

/// See [`least`](super::least).
#[inline]
pub(super) fn least(low: u64, high: u64) -> (usize, u16) {
    portable::least(low, high)
}

/// See [`count_x4`](super::count_x4).
#[inline]
pub(super) fn count_x4(words: Quad) -> Quad {
    portable::count_x4(words)
}

/// See [`pack_x4`](super::pack_x4).
#[inline]
pub(super) fn pack_x4(words: Quad) -> u64 {
    portable::pack_x4(words)
}

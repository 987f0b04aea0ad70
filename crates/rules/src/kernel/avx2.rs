//! Four directions of one board, or four boards, in the four lanes of a 256-bit register.

use super::{HIGHER, LOWER, Lanes, Quad, portable};
use core::arch::x86_64::*;

/// This kernel's name.
pub(super) const NAME: &str = "AVX2";

const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;

/// See [`moves`](super::moves).
#[inline]
pub(super) fn moves(mover: u64, other: u64) -> u64 {
    // SAFETY: this module is compiled only where AVX2 is enabled for the whole build.
    unsafe {
        let distance = _mm256_set_epi64x(7, 9, 8, 1);
        let twice = _mm256_add_epi64(distance, distance);
        let columns = _mm256_set_epi64x(INNER, INNER, -1, INNER);
        let from = _mm256_set1_epi64x(mover as i64);
        let between = _mm256_and_si256(_mm256_set1_epi64x(other as i64), columns);

        let mut up = _mm256_and_si256(between, _mm256_sllv_epi64(from, distance));
        let mut down = _mm256_and_si256(between, _mm256_srlv_epi64(from, distance));
        up = _mm256_or_si256(up, _mm256_and_si256(between, _mm256_sllv_epi64(up, distance)));
        down = _mm256_or_si256(down, _mm256_and_si256(between, _mm256_srlv_epi64(down, distance)));
        let pairs_up = _mm256_and_si256(between, _mm256_sllv_epi64(between, distance));
        let pairs_down = _mm256_srlv_epi64(pairs_up, distance);
        for _ in 0..2 {
            up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
            down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
        }
        let reached = _mm256_or_si256(_mm256_sllv_epi64(up, distance), _mm256_srlv_epi64(down, distance));
        join(reached) & !(mover | other)
    }
}

/// See [`flips`](super::flips).
#[inline]
pub(super) fn flips(square: usize, mover: u64, other: u64) -> u64 {
    // SAFETY: this module is compiled only where AVX2 is enabled for the whole build; the table rows loaded are
    // four words long, and `square & 63` is below 64.
    unsafe {
        let higher = _mm256_loadu_si256(HIGHER[square & 63].as_ptr().cast());
        let lower = _mm256_loadu_si256(LOWER[square & 63].as_ptr().cast());
        let mine = _mm256_set1_epi64x(mover as i64);
        let theirs = _mm256_set1_epi64x(other as i64);
        let zero = _mm256_setzero_si256();

        // Upwards: adding one carries through the run of opposing discs to the square that ends it.
        let one = _mm256_set1_epi64x(1);
        let filled = _mm256_or_si256(theirs, _mm256_xor_si256(higher, _mm256_set1_epi64x(-1)));
        let end = _mm256_and_si256(_mm256_and_si256(_mm256_add_epi64(filled, one), higher), mine);
        let outflanked = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), _mm256_sub_epi64(end, one));
        let up = _mm256_and_si256(outflanked, higher);

        // Downwards there is no carry: smear the run's end to the squares below it instead.
        let mut stop = _mm256_andnot_si256(theirs, lower);
        let near = _mm256_or_si256(stop, _mm256_srli_epi64(stop, 1));
        let spread =
            |value, distance: i32| _mm256_or_si256(value, _mm256_srl_epi64(value, _mm_cvtsi32_si128(distance)));
        let below = spread(spread(spread(spread(spread(near, 2), 4), 8), 16), 32);
        // the highest stop is the first one met: below ^ (below >> 1) keeps it alone
        stop = _mm256_andnot_si256(_mm256_srli_epi64(below, 1), below);
        let end = _mm256_and_si256(stop, mine);
        // all squares above the end: -(end << 1), which is zero where there is no end
        let down = _mm256_and_si256(_mm256_sub_epi64(zero, _mm256_add_epi64(end, end)), lower);
        join(_mm256_or_si256(up, down))
    }
}

#[inline(always)]
unsafe fn join(lanes: __m256i) -> u64 {
    // SAFETY: the caller vouches for AVX2.
    unsafe {
        let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
        _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
    }
}

/// Two registers hold the eight boards.
type Halves = [__m256i; 2];

#[inline(always)]
fn split(lanes: Lanes) -> Halves {
    // SAFETY: both are 64 bytes of plain integers, for which every bit pattern is valid.
    unsafe { core::mem::transmute(lanes) }
}

#[inline(always)]
fn merge(halves: Halves) -> Lanes {
    // SAFETY: both are 64 bytes of plain integers, for which every bit pattern is valid.
    unsafe { core::mem::transmute(halves) }
}

macro_rules! run {
    ($shift:ident, $from:expr, $between:expr, $distance:literal) => {{
        let mut run = _mm256_and_si256($between, $shift($from, $distance));
        for _ in 0..5 {
            run = _mm256_or_si256(run, _mm256_and_si256($between, $shift(run, $distance)));
        }
        run
    }};
}

/// See [`moves_x8`](super::moves_x8).
#[inline]
pub(super) fn moves_x8(mover: Lanes, other: Lanes) -> Lanes {
    let (mover, other) = (split(mover), split(other));
    merge(core::array::from_fn(|half| four_moves(mover[half], other[half])))
}

/// See [`moves_x4`](super::moves_x4).
#[inline]
pub(super) fn moves_x4(mover: Quad, other: Quad) -> Quad {
    // SAFETY: all are 32 bytes of plain integers, for which every bit pattern is valid.
    unsafe {
        core::mem::transmute(four_moves(
            core::mem::transmute::<Quad, __m256i>(mover),
            core::mem::transmute::<Quad, __m256i>(other),
        ))
    }
}

#[inline(always)]
fn four_moves(mine: __m256i, theirs: __m256i) -> __m256i {
    // SAFETY: this module is compiled only where AVX2 is enabled for the whole build.
    unsafe {
        let inner = _mm256_and_si256(theirs, _mm256_set1_epi64x(INNER));
        let mut reached = _mm256_setzero_si256();
        macro_rules! line {
            ($distance:literal, $between:expr) => {
                let up = run!(_mm256_slli_epi64, mine, $between, $distance);
                let down = run!(_mm256_srli_epi64, mine, $between, $distance);
                reached = _mm256_or_si256(reached, _mm256_slli_epi64(up, $distance));
                reached = _mm256_or_si256(reached, _mm256_srli_epi64(down, $distance));
            };
        }
        line!(1, inner);
        line!(7, inner);
        line!(8, theirs);
        line!(9, inner);
        _mm256_andnot_si256(_mm256_or_si256(mine, theirs), reached)
    }
}

/// See [`flips_x4`](super::flips_x4).
#[inline]
pub(super) fn flips_x4(squares: [usize; 4], mover: u64, other: u64) -> Quad {
    Quad(squares.map(|square| flips(square, mover, other)))
}

/// See [`least`](super::least).
#[inline]
pub(super) fn least(low: u64, high: u64) -> (usize, u16) {
    // SAFETY: every AVX machine has SSE4.1.
    let found = unsafe { _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_set_epi64x(high as i64, low as i64))) };
    (found as usize >> 16 & 7, found as u16)
}

/// See [`flips_x8`](super::flips_x8).
#[inline]
pub(super) fn flips_x8(placed: Lanes, mover: Lanes, other: Lanes) -> Lanes {
    let (placed, mover, other) = (split(placed), split(mover), split(other));
    // SAFETY: this module is compiled only where AVX2 is enabled for the whole build.
    merge(core::array::from_fn(|half| unsafe {
        let (from, mine, theirs) = (placed[half], mover[half], other[half]);
        let inner = _mm256_and_si256(theirs, _mm256_set1_epi64x(INNER));
        let zero = _mm256_setzero_si256();
        let mut turned = zero;
        macro_rules! line {
            ($distance:literal, $between:expr) => {
                let up = run!(_mm256_slli_epi64, from, $between, $distance);
                let down = run!(_mm256_srli_epi64, from, $between, $distance);
                let open_up = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_slli_epi64(up, $distance), mine), zero);
                let open_down = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_srli_epi64(down, $distance), mine), zero);
                turned = _mm256_or_si256(turned, _mm256_andnot_si256(open_up, up));
                turned = _mm256_or_si256(turned, _mm256_andnot_si256(open_down, down));
            };
        }
        line!(1, inner);
        line!(7, inner);
        line!(8, theirs);
        line!(9, inner);
        turned
    }))
}

/// See [`count_x8`](super::count_x8).
#[inline]
pub(super) fn count_x8(words: Lanes) -> Lanes {
    portable::count_x8(words)
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

//! AVX-512: one board with its four lines in four lanes, or one board in each of eight lanes.

use super::{HIGHER, LOWER, Lanes, Quad};
use core::arch::x86_64::*;

/// This kernel's name.
pub(super) const NAME: &str = "AVX-512";

const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;

// Three-input truth tables for `ternarylogic`, first operand the highest bit.
const A_OR_BC: i32 = 0b1111_1000;
const A_OR_B_OR_C: i32 = 0b1111_1110;
const A_NOT_B_NOT_C: i32 = 0b0001_0000;
const A_AND_B_AND_C: i32 = 0b1000_0000;
const A_OR_NOT_B: i32 = 0b1111_0011;

/// See [`moves`](super::moves).
#[inline]
pub(super) fn moves(mover: u64, other: u64) -> u64 {
    // SAFETY: this module is compiled only where these AVX-512 subsets are enabled for the whole build.
    unsafe {
        let distance = _mm256_set_epi64x(7, 9, 8, 1);
        let twice = _mm256_add_epi64(distance, distance);
        let columns = _mm256_set_epi64x(INNER, INNER, -1, INNER);
        let from = _mm256_set1_epi64x(mover as i64);
        let between = _mm256_and_si256(_mm256_set1_epi64x(other as i64), columns);

        let mut up = _mm256_and_si256(between, _mm256_sllv_epi64(from, distance));
        let mut down = _mm256_and_si256(between, _mm256_srlv_epi64(from, distance));
        up = _mm256_ternarylogic_epi64(up, between, _mm256_sllv_epi64(up, distance), A_OR_BC);
        down = _mm256_ternarylogic_epi64(down, between, _mm256_srlv_epi64(down, distance), A_OR_BC);
        let pairs_up = _mm256_and_si256(between, _mm256_sllv_epi64(between, distance));
        let pairs_down = _mm256_srlv_epi64(pairs_up, distance);
        up = _mm256_ternarylogic_epi64(up, pairs_up, _mm256_sllv_epi64(up, twice), A_OR_BC);
        down = _mm256_ternarylogic_epi64(down, pairs_down, _mm256_srlv_epi64(down, twice), A_OR_BC);
        up = _mm256_ternarylogic_epi64(up, pairs_up, _mm256_sllv_epi64(up, twice), A_OR_BC);
        down = _mm256_ternarylogic_epi64(down, pairs_down, _mm256_srlv_epi64(down, twice), A_OR_BC);
        let reached = _mm256_or_si256(_mm256_sllv_epi64(up, distance), _mm256_srlv_epi64(down, distance));
        join(reached) & !(mover | other)
    }
}

/// See [`flips`](super::flips).
#[inline]
pub(super) fn flips(square: usize, mover: u64, other: u64) -> u64 {
    // SAFETY: this module is compiled only where these AVX-512 subsets are enabled for the whole build; the table
    // rows loaded are four words long, and `square & 63` is below 64.
    unsafe {
        let higher = _mm256_loadu_si256(HIGHER[square & 63].as_ptr().cast());
        let lower = _mm256_loadu_si256(LOWER[square & 63].as_ptr().cast());
        join(turned(higher, lower, _mm256_set1_epi64x(mover as i64), _mm256_set1_epi64x(other as i64)))
    }
}

/// What turns along four lines, given the squares of each on either side of the one played on.
#[inline(always)]
unsafe fn turned(higher: __m256i, lower: __m256i, mine: __m256i, theirs: __m256i) -> __m256i {
    // SAFETY: the caller vouches for the AVX-512 subsets.
    unsafe {
        let zero = _mm256_setzero_si256();
        let ones = _mm256_set1_epi64x(-1);

        // Upwards: subtracting -1 carries through the run of opposing discs to the square that ends it.
        let filled = _mm256_ternarylogic_epi64(theirs, higher, higher, A_OR_NOT_B);
        let end = _mm256_ternarylogic_epi64(_mm256_sub_epi64(filled, ones), higher, mine, A_AND_B_AND_C);
        let outflanked = _mm256_mask_add_epi64(end, _mm256_test_epi64_mask(end, end), end, ones);
        let up = _mm256_and_si256(outflanked, higher);

        // Downwards: the highest square of the line that is not an opposing disc ends the run.
        let stop = _mm256_andnot_si256(theirs, lower);
        let top = _mm256_set1_epi64x(i64::MIN);
        let first = _mm256_srlv_epi64(top, _mm256_lzcnt_epi64(stop));
        let end = _mm256_and_si256(first, mine);
        // all squares above the end: -(end << 1), which is zero where there is no end
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(end, end));
        _mm256_ternarylogic_epi64(up, above, lower, A_OR_BC)
    }
}

/// See [`flips_x4`](super::flips_x4).
#[inline]
pub(super) fn flips_x4(squares: [usize; 4], mover: u64, other: u64) -> Quad {
    // SAFETY: this module is compiled only where these AVX-512 subsets are enabled for the whole build; the table
    // rows loaded are four words long, and `square & 63` is below 64.
    unsafe {
        let mine = _mm256_set1_epi64x(mover as i64);
        let theirs = _mm256_set1_epi64x(other as i64);
        let [a, b, c, d] = squares.map(|square| {
            let higher = _mm256_loadu_si256(HIGHER[square & 63].as_ptr().cast());
            let lower = _mm256_loadu_si256(LOWER[square & 63].as_ptr().cast());
            turned(higher, lower, mine, theirs)
        });
        // Four lanes of each square become one lane each.
        let ab = _mm256_or_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
        let cd = _mm256_or_si256(_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
        let low = _mm256_permute2x128_si256::<0x20>(ab, cd);
        let high = _mm256_permute2x128_si256::<0x31>(ab, cd);
        store4(_mm256_or_si256(low, high))
    }
}

/// See [`moves_x4`](super::moves_x4).
#[inline]
pub(super) fn moves_x4(mover: Quad, other: Quad) -> Quad {
    let (mine, theirs) = (load4(mover), load4(other));
    // SAFETY: this module is compiled only where these AVX-512 subsets are enabled for the whole build.
    store4(unsafe {
        let inner = _mm256_and_si256(theirs, _mm256_set1_epi64x(INNER));
        // Along the row towards h, one addition carries through every run at once.
        let start = _mm256_and_si256(inner, _mm256_add_epi64(mine, mine));
        let mut reached = _mm256_andnot_si256(inner, _mm256_add_epi64(start, inner));
        // Towards a there is no carry.
        let mut run = _mm256_and_si256(inner, _mm256_srli_epi64(mine, 1));
        run = _mm256_ternarylogic_epi64(run, inner, _mm256_srli_epi64(run, 1), A_OR_BC);
        let pairs = _mm256_and_si256(inner, _mm256_srli_epi64(inner, 1));
        run = _mm256_ternarylogic_epi64(run, pairs, _mm256_srli_epi64(run, 2), A_OR_BC);
        run = _mm256_ternarylogic_epi64(run, pairs, _mm256_srli_epi64(run, 2), A_OR_BC);
        reached = _mm256_or_si256(reached, _mm256_srli_epi64(run, 1));
        macro_rules! line {
            ($distance:literal, $between:expr) => {
                let mut up = _mm256_and_si256($between, _mm256_slli_epi64(mine, $distance));
                let mut down = _mm256_and_si256($between, _mm256_srli_epi64(mine, $distance));
                up = _mm256_ternarylogic_epi64(up, $between, _mm256_slli_epi64(up, $distance), A_OR_BC);
                down = _mm256_ternarylogic_epi64(down, $between, _mm256_srli_epi64(down, $distance), A_OR_BC);
                let pairs_up = _mm256_and_si256($between, _mm256_slli_epi64($between, $distance));
                let pairs_down = _mm256_srli_epi64(pairs_up, $distance);
                up = _mm256_ternarylogic_epi64(up, pairs_up, _mm256_slli_epi64(up, 2 * $distance), A_OR_BC);
                down = _mm256_ternarylogic_epi64(down, pairs_down, _mm256_srli_epi64(down, 2 * $distance), A_OR_BC);
                up = _mm256_ternarylogic_epi64(up, pairs_up, _mm256_slli_epi64(up, 2 * $distance), A_OR_BC);
                down = _mm256_ternarylogic_epi64(down, pairs_down, _mm256_srli_epi64(down, 2 * $distance), A_OR_BC);
                reached = _mm256_ternarylogic_epi64(
                    reached,
                    _mm256_slli_epi64(up, $distance),
                    _mm256_srli_epi64(down, $distance),
                    A_OR_B_OR_C,
                );
            };
        }
        line!(7, inner);
        line!(8, theirs);
        line!(9, inner);
        _mm256_ternarylogic_epi64(reached, mine, theirs, A_NOT_B_NOT_C)
    })
}

/// See [`least`](super::least).
#[inline]
pub(super) fn least(low: u64, high: u64) -> (usize, u16) {
    // SAFETY: every AVX machine has SSE4.1.
    let found = unsafe { _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_set_epi64x(high as i64, low as i64))) };
    (found as usize >> 16 & 7, found as u16)
}

#[inline(always)]
fn load4(quad: Quad) -> __m256i {
    // SAFETY: both are 32 bytes of plain integers, for which every bit pattern is valid.
    unsafe { core::mem::transmute(quad) }
}

#[inline(always)]
fn store4(register: __m256i) -> Quad {
    // SAFETY: both are 32 bytes of plain integers, for which every bit pattern is valid.
    unsafe { core::mem::transmute(register) }
}

#[inline(always)]
unsafe fn join(lanes: __m256i) -> u64 {
    // SAFETY: the caller vouches for AVX2.
    unsafe {
        let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
        _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
    }
}

#[inline(always)]
fn load(lanes: Lanes) -> __m512i {
    // SAFETY: both are 64 bytes of plain integers, for which every bit pattern is valid.
    unsafe { core::mem::transmute(lanes) }
}

#[inline(always)]
fn store(register: __m512i) -> Lanes {
    // SAFETY: both are 64 bytes of plain integers, for which every bit pattern is valid.
    unsafe { core::mem::transmute(register) }
}

/// The runs of `$between` discs next to `$from`, both ways along the line of `$distance`.
macro_rules! runs {
    ($from:expr, $between:expr, $distance:literal) => {{
        let mut up = _mm512_and_si512($between, _mm512_slli_epi64($from, $distance));
        let mut down = _mm512_and_si512($between, _mm512_srli_epi64($from, $distance));
        up = _mm512_ternarylogic_epi64(up, $between, _mm512_slli_epi64(up, $distance), A_OR_BC);
        down = _mm512_ternarylogic_epi64(down, $between, _mm512_srli_epi64(down, $distance), A_OR_BC);
        let pairs_up = _mm512_and_si512($between, _mm512_slli_epi64($between, $distance));
        let pairs_down = _mm512_srli_epi64(pairs_up, $distance);
        up = _mm512_ternarylogic_epi64(up, pairs_up, _mm512_slli_epi64(up, 2 * $distance), A_OR_BC);
        down = _mm512_ternarylogic_epi64(down, pairs_down, _mm512_srli_epi64(down, 2 * $distance), A_OR_BC);
        up = _mm512_ternarylogic_epi64(up, pairs_up, _mm512_slli_epi64(up, 2 * $distance), A_OR_BC);
        down = _mm512_ternarylogic_epi64(down, pairs_down, _mm512_srli_epi64(down, 2 * $distance), A_OR_BC);
        (up, down)
    }};
}

/// See [`moves_x8`](super::moves_x8).
#[inline]
pub(super) fn moves_x8(mover: Lanes, other: Lanes) -> Lanes {
    let (mine, theirs) = (load(mover), load(other));
    // SAFETY: this module is compiled only where these AVX-512 subsets are enabled for the whole build.
    store(unsafe {
        let inner = _mm512_and_si512(theirs, _mm512_set1_epi64(INNER));
        // Along the row towards h, one addition carries through every run at once.
        let start = _mm512_and_si512(inner, _mm512_add_epi64(mine, mine));
        let mut reached = _mm512_andnot_si512(inner, _mm512_add_epi64(start, inner));
        // Towards a there is no carry.
        let mut run = _mm512_and_si512(inner, _mm512_srli_epi64(mine, 1));
        run = _mm512_ternarylogic_epi64(run, inner, _mm512_srli_epi64(run, 1), A_OR_BC);
        let pairs = _mm512_and_si512(inner, _mm512_srli_epi64(inner, 1));
        run = _mm512_ternarylogic_epi64(run, pairs, _mm512_srli_epi64(run, 2), A_OR_BC);
        run = _mm512_ternarylogic_epi64(run, pairs, _mm512_srli_epi64(run, 2), A_OR_BC);
        reached = _mm512_or_si512(reached, _mm512_srli_epi64(run, 1));
        macro_rules! line {
            ($distance:literal, $between:expr) => {
                let (up, down) = runs!(mine, $between, $distance);
                reached = _mm512_ternarylogic_epi64(
                    reached,
                    _mm512_slli_epi64(up, $distance),
                    _mm512_srli_epi64(down, $distance),
                    A_OR_B_OR_C,
                );
            };
        }
        line!(7, inner);
        line!(8, theirs);
        line!(9, inner);
        _mm512_ternarylogic_epi64(reached, mine, theirs, A_NOT_B_NOT_C)
    })
}

/// See [`flips_x8`](super::flips_x8).
#[inline]
pub(super) fn flips_x8(placed: Lanes, mover: Lanes, other: Lanes) -> Lanes {
    let (from, mine, theirs) = (load(placed), load(mover), load(other));
    // SAFETY: this module is compiled only where these AVX-512 subsets are enabled for the whole build.
    store(unsafe {
        let inner = _mm512_and_si512(theirs, _mm512_set1_epi64(INNER));
        let mut turned = _mm512_setzero_si512();
        macro_rules! line {
            ($distance:literal, $between:expr) => {
                let (up, down) = runs!(from, $between, $distance);
                let closed_up = _mm512_test_epi64_mask(_mm512_slli_epi64(up, $distance), mine);
                let closed_down = _mm512_test_epi64_mask(_mm512_srli_epi64(down, $distance), mine);
                turned = _mm512_mask_or_epi64(turned, closed_up, turned, up);
                turned = _mm512_mask_or_epi64(turned, closed_down, turned, down);
            };
        }
        line!(1, inner);
        line!(7, inner);
        line!(8, theirs);
        line!(9, inner);
        turned
    })
}

/// See [`count_x8`](super::count_x8).
#[inline]
pub(super) fn count_x8(words: Lanes) -> Lanes {
    // SAFETY: this module is compiled only where VPOPCNTDQ is enabled for the whole build.
    store(unsafe { _mm512_popcnt_epi64(load(words)) })
}

/// See [`count_x4`](super::count_x4).
#[inline]
pub(super) fn count_x4(words: Quad) -> Quad {
    // SAFETY: this module is compiled only where VPOPCNTDQ and VL are enabled for the whole build.
    store4(unsafe { _mm256_popcnt_epi64(load4(words)) })
}

/// See [`pack_x4`](super::pack_x4).
#[inline]
pub(super) fn pack_x4(words: Quad) -> u64 {
    // SAFETY: this module is compiled only where AVX-512F and VL are enabled for the whole build.
    unsafe { _mm_cvtsi128_si64(_mm256_cvtepi64_epi16(load4(words))) as u64 }
}

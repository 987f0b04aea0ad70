//! Eight or sixteen numbers at a time.

use super::{Adds, Features, Row, SLOTS, begin, total_of};
use crate::eval::{
    net::{FROM, FULL, HIDDEN, INPUTS, Layer, Net, ONE},
    patterns::GROUPS,
};
use core::arch::x86_64::*;
use rules::Bitboard;

// what is read and written here goes evenly into registers
const _: () = assert!(SLOTS.is_multiple_of(16) && INPUTS.is_multiple_of(32) && HIDDEN.is_multiple_of(8));

/// The fillings after a move, from the other side.
#[inline(always)]
pub(super) fn play(features: &Features, adds: &Adds, square: usize, flips: u64) -> Features {
    const PARTS: usize = SLOTS / 16;
    // SAFETY: this module is compiled only where AVX2 is enabled for the whole build. Every load and store is of a part
    // of an array of `SLOTS` numbers of two bytes, in structures aligned to 64 bytes.
    unsafe {
        let part = |numbers: &[u16; SLOTS], part: usize| _mm256_load_si256(numbers.as_ptr().add(16 * part).cast());
        let mut turned = [_mm256_setzero_si256(); PARTS];
        for square in Bitboard(flips) {
            let row = &adds.0[square.index()];
            for (at, turned) in turned.iter_mut().enumerate() {
                *turned = _mm256_add_epi16(*turned, part(row, at));
            }
        }
        let placed = &adds.0[square & 63];
        let mut next = Features { mover: [0; SLOTS], other: [0; SLOTS] };
        for (at, turned) in turned.into_iter().enumerate() {
            let mover = _mm256_sub_epi16(part(&features.other, at), turned);
            let other = _mm256_add_epi16(_mm256_add_epi16(part(&features.mover, at), turned), part(placed, at));
            _mm256_store_si256(next.mover.as_mut_ptr().add(16 * at).cast(), mover);
            _mm256_store_si256(next.other.as_mut_ptr().add(16 * at).cast(), other);
        }
        next
    }
}

/// Where the weight or row of each filling stands: none beyond `last`, whatever the fillings.
#[inline(always)]
fn places(bases: &[u32; SLOTS], features: &Features, last: u32) -> [u32; SLOTS] {
    let mut places = [0; SLOTS];
    // SAFETY: this module is compiled only where AVX2 is enabled for the whole build. The loads and stores are in
    // arrays of `SLOTS`, the aligned ones in a structure aligned to 64 bytes.
    unsafe {
        for slots in (0..SLOTS).step_by(16) {
            let mover = _mm256_load_si256(features.mover.as_ptr().add(slots).cast());
            let other = _mm256_load_si256(features.other.as_ptr().add(slots).cast());
            let fillings = _mm256_add_epi16(mover, _mm256_add_epi16(other, other));
            let halves = [_mm256_castsi256_si128(fillings), _mm256_extracti128_si256(fillings, 1)];
            for (filling, slots) in halves.into_iter().zip([slots, slots + 8]) {
                let base = _mm256_loadu_si256(bases.as_ptr().add(slots).cast());
                let place = _mm256_add_epi32(base, _mm256_cvtepu16_epi32(filling));
                let place = _mm256_min_epu32(place, _mm256_set1_epi32(last as i32));
                _mm256_storeu_si256(places.as_mut_ptr().add(slots).cast(), place);
            }
        }
    }
    places
}

/// The sum of the weights of all fillings, one load after another: a gather of eight takes longer.
#[inline]
pub(super) fn sum(table: &[i16], bases: &[u32; SLOTS], features: &Features) -> i32 {
    assert!(!table.is_empty());
    // SAFETY: no place is beyond the last weight.
    unsafe { total_of(table, places(bases, features, table.len() as u32 - 1)) }
}

/// What a net makes of all fillings, in parts of a disc.
#[inline]
pub(super) fn net(net: &Net, phase: usize, features: &Features) -> i32 {
    const OUTPUTS: usize = HIDDEN / 8;
    let layer: &Layer = &net.layers[phase];
    let rows = net.rows(phase);
    assert!(!rows.is_empty());
    let at = places(&net.bases, features, rows.len() as u32 - 1);
    // SAFETY: this module is compiled only where AVX2 is enabled for the whole build. The loads of `layer`
    // and the stores to `inputs` are in their arrays, and no place is beyond the last of the rows.
    unsafe {
        let zero = _mm256_setzero_si256();
        let mut inputs = [0i32; INPUTS / 2];
        for part in 0..INPUTS / 32 {
            let mut sums = [[zero; 2]; 2];
            side::<0, { order(0, 0) }, { order(0, 1) }>(rows, &at, part, &mut sums);
            side::<1, { order(1, 0) }, { order(1, 1) }>(rows, &at, part, &mut sums);
            side::<2, { order(2, 0) }, { order(2, 1) }>(rows, &at, part, &mut sums);
            side::<3, { order(3, 0) }, { order(3, 1) }>(rows, &at, part, &mut sums);
            for (half, [both, high]) in sums.into_iter().enumerate() {
                let first = 32 * part + 16 * half;
                let low = _mm256_sub_epi16(both, _mm256_slli_epi16(high, 8));
                let [left, right] = [(low, 0), (high, 1)].map(|(sum, factor)| {
                    let start = _mm256_loadu_si256(layer.start[factor].as_ptr().add(first).cast());
                    let sum = _mm256_max_epi16(_mm256_add_epi16(sum, start), zero);
                    _mm256_slli_epi16(_mm256_min_epi16(sum, _mm256_set1_epi16(ONE - 1)), 6)
                });
                // the upper half of a product shifted up by twelve is the product shifted down by four
                _mm256_storeu_si256(inputs.as_mut_ptr().add(first / 2).cast(), _mm256_mulhi_epi16(left, right));
            }
        }
        let mut outputs: [__m256i; OUTPUTS] =
            std::array::from_fn(|part| _mm256_load_si256(layer.bias.as_ptr().add(8 * part).cast()));
        for (pair, weights) in layer.first.iter().enumerate() {
            let input = _mm256_set1_epi32(inputs[pair]);
            for (part, output) in outputs.iter_mut().enumerate() {
                let weights = _mm256_load_si256(weights.as_ptr().add(8 * part).cast());
                *output = _mm256_add_epi32(*output, _mm256_madd_epi16(input, weights));
            }
        }
        let mut value = zero;
        for (part, output) in outputs.into_iter().enumerate() {
            let sum = _mm256_min_epi32(_mm256_max_epi32(output, zero), _mm256_set1_epi32(FULL));
            // at most 4096 from here on, and worth less than that: products of two bytes, with nothing above them
            let sum = _mm256_srli_epi32(sum, 12);
            let square = _mm256_srli_epi32(_mm256_madd_epi16(sum, sum), 12);
            for (power, worth) in [sum, square].into_iter().zip(&layer.second) {
                let worth = _mm256_load_si256(worth.as_ptr().add(8 * part).cast());
                value = _mm256_add_epi32(value, _mm256_madd_epi16(power, worth));
            }
        }
        let value = _mm_add_epi32(_mm256_castsi256_si128(value), _mm256_extracti128_si256(value, 1));
        let value = _mm_add_epi32(value, _mm_shuffle_epi32(value, 0b01_00_11_10));
        let value = _mm_add_epi32(value, _mm_shuffle_epi32(value, 0b10_11_00_01));
        _mm_cvtsi128_si32(value) >> 12
    }
}

/// Adds up a part of the rows of the placements that two symmetries lead to, one without an exchange of columns and
/// rows and one with it. The two differ only in which half of the blocks comes first, which costs nothing here, and the
/// rest of the way is an exchange of blocks inside each half. For each half there are whole words, the upper number
/// spoilt by what the lower carries over, and the upper numbers alone.
///
/// # Safety
///
/// AVX2, every place one of the rows, and a part of a row.
#[inline(always)]
unsafe fn side<const SYMMETRY: usize, const LOW: i32, const HIGH: i32>(
    rows: &[Row],
    at: &[u32; SLOTS],
    part: usize,
    sums: &mut [[__m256i; 2]; 2],
) {
    // SAFETY: as promised. A part of a row is 64 bytes, and rows are aligned to that.
    unsafe {
        let mut own = [[_mm256_setzero_si256(); 2]; 2];
        let load = |at: u32, half: usize| {
            let row = rows.as_ptr().add(at as usize).cast::<__m256i>();
            _mm256_load_si256(row.add(2 * part + half))
        };
        for symmetry in const { [SYMMETRY, exchanged(SYMMETRY)] } {
            let mut add = |half: usize, numbers| {
                let [both, high] = &mut own[half ^ usize::from(symmetry != SYMMETRY)];
                *both = _mm256_add_epi16(*both, numbers);
                *high = _mm256_add_epi16(*high, _mm256_srli_epi16(numbers, 8));
            };
            let (pairs, single) = at[begin(symmetry)..][..GROUPS[symmetry]].as_chunks::<2>();
            for &[one, two] in pairs {
                for half in 0..2 {
                    // numbers from 1 to 127: two rows add up in a byte
                    add(half, _mm256_add_epi8(load(one, half), load(two, half)));
                }
            }
            for &at in single {
                for half in 0..2 {
                    add(half, load(at, half));
                }
            }
        }
        for at in 0..2 {
            sums[0][at] = _mm256_add_epi16(sums[0][at], _mm256_permute4x64_epi64(own[0][at], LOW));
            sums[1][at] = _mm256_add_epi16(sums[1][at], _mm256_permute4x64_epi64(own[1][at], HIGH));
        }
    }
}

/// The symmetry that exchanges the blocks as this one does, but for the two halves.
const fn exchanged(symmetry: usize) -> usize {
    let mut other = 0;
    loop {
        let mut block = 0;
        while block < 8 && FROM[other][block] == FROM[symmetry][block] ^ 4 {
            block += 1;
        }
        if block == 8 {
            return other;
        }
        other += 1;
    }
}

/// How a symmetry exchanges the blocks inside a half, as a shuffle wants it.
const fn order(symmetry: usize, half: usize) -> i32 {
    let (mut order, mut at) = (0, 0);
    while at < 4 {
        let from = FROM[symmetry][4 * half + at] as usize;
        assert!(from / 4 == half);
        order |= (from as i32 % 4) << (2 * at);
        at += 1;
    }
    order
}

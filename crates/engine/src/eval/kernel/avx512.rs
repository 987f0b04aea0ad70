//! Sixteen or thirty-two numbers at a time.

use super::{Adds, Features, Row, SLOTS, begin, total_of};
use crate::eval::{
    net::{FROM, FULL, HIDDEN, INPUTS, Layer, Net, ONE},
    patterns::GROUPS,
};
use core::arch::x86_64::*;
use rules::Bitboard;

/// The fillings after a move, from the other side.
#[inline(always)]
pub(super) fn play(features: &Features, adds: &Adds, square: usize, flips: u64) -> Features {
    // SAFETY: this module is compiled only where AVX-512 F and BW are enabled for the whole build. Every load and store
    // is of a half of an array of 64 numbers of two bytes, in structures aligned to 64 bytes.
    unsafe {
        let half = |numbers: &[u16; SLOTS], half: usize| _mm512_load_si512(numbers.as_ptr().add(32 * half).cast());
        let mut turned = [_mm512_setzero_si512(); 2];
        for square in Bitboard(flips) {
            let row = &adds.0[square.index()];
            turned = [_mm512_add_epi16(turned[0], half(row, 0)), _mm512_add_epi16(turned[1], half(row, 1))];
        }
        let placed = &adds.0[square & 63];
        let mut next = Features { mover: [0; SLOTS], other: [0; SLOTS] };
        for (at, turned) in turned.into_iter().enumerate() {
            let mover = _mm512_sub_epi16(half(&features.other, at), turned);
            let other = _mm512_add_epi16(_mm512_add_epi16(half(&features.mover, at), turned), half(placed, at));
            _mm512_store_si512(next.mover.as_mut_ptr().add(32 * at).cast(), mover);
            _mm512_store_si512(next.other.as_mut_ptr().add(32 * at).cast(), other);
        }
        next
    }
}

/// Where the weight or row of each filling stands: none beyond `last`, whatever the fillings.
#[inline(always)]
fn places(bases: &[u32; SLOTS], features: &Features, last: u32) -> [u32; SLOTS] {
    let mut places = [0; SLOTS];
    // SAFETY: this module is compiled only where AVX-512 F and BW are enabled for the whole build. The loads and stores
    // are in arrays of `SLOTS`, the aligned ones in a structure aligned to 64 bytes.
    unsafe {
        for slots in (0..SLOTS).step_by(32) {
            let mover = _mm512_load_si512(features.mover.as_ptr().add(slots).cast());
            let other = _mm512_load_si512(features.other.as_ptr().add(slots).cast());
            let fillings = _mm512_add_epi16(mover, _mm512_add_epi16(other, other));
            let halves = [_mm512_castsi512_si256(fillings), _mm512_extracti64x4_epi64(fillings, 1)];
            for (filling, slots) in halves.into_iter().zip([slots, slots + 16]) {
                let base = _mm512_loadu_si512(bases.as_ptr().add(slots).cast());
                let place = _mm512_add_epi32(base, _mm512_cvtepu16_epi32(filling));
                let place = _mm512_min_epu32(place, _mm512_set1_epi32(last as i32));
                _mm512_storeu_si512(places.as_mut_ptr().add(slots).cast(), place);
            }
        }
    }
    places
}

/// The sum of the weights of all fillings, one load after another: a gather of sixteen takes longer.
#[inline]
pub(super) fn sum(table: &[i16], bases: &[u32; SLOTS], features: &Features) -> i32 {
    assert!(!table.is_empty());
    // SAFETY: no place is beyond the last weight.
    unsafe { total_of(table, places(bases, features, table.len() as u32 - 1)) }
}

/// What a net makes of all fillings, in parts of a disc.
#[inline]
#[allow(clippy::needless_range_loop)] // the same part of several arrays
pub(super) fn net(net: &Net, phase: usize, features: &Features) -> i32 {
    const OUTPUTS: usize = HIDDEN / 16;
    let layer: &Layer = &net.layers[phase];
    let rows = net.rows(phase);
    assert!(!rows.is_empty());
    let at = places(&net.bases, features, rows.len() as u32 - 1);
    // SAFETY: this module is compiled only where AVX-512 F and BW are enabled for the whole build. The loads of
    // `layer` are in its arrays, and no place is beyond the last of the rows.
    unsafe {
        let zero = _mm512_setzero_si512();
        let mut sums = [[zero; PARTS]; 2];
        group::<0>(rows, &at, &mut sums);
        group::<1>(rows, &at, &mut sums);
        group::<2>(rows, &at, &mut sums);
        group::<3>(rows, &at, &mut sums);
        group::<4>(rows, &at, &mut sums);
        group::<5>(rows, &at, &mut sums);
        group::<6>(rows, &at, &mut sums);
        group::<7>(rows, &at, &mut sums);
        let mut inputs = [0i32; INPUTS / 2];
        for part in 0..PARTS {
            let [both, high] = [sums[0][part], sums[1][part]];
            let low = _mm512_sub_epi16(both, _mm512_slli_epi16(high, 8));
            let [left, right] = [(low, 0), (high, 1)].map(|(sum, half)| {
                let start = _mm512_loadu_si512(layer.start[half].as_ptr().add(32 * part).cast());
                let sum = _mm512_max_epi16(_mm512_add_epi16(sum, start), zero);
                _mm512_slli_epi16(_mm512_min_epi16(sum, _mm512_set1_epi16(ONE - 1)), 6)
            });
            // the upper half of a product shifted up by twelve is the product shifted down by four
            _mm512_storeu_si512(inputs.as_mut_ptr().add(16 * part).cast(), _mm512_mulhi_epi16(left, right));
        }
        let mut outputs: [__m512i; OUTPUTS] =
            std::array::from_fn(|part| _mm512_load_si512(layer.bias.as_ptr().add(16 * part).cast()));
        for (pair, weights) in layer.first.iter().enumerate() {
            let input = _mm512_set1_epi32(inputs[pair]);
            for (part, output) in outputs.iter_mut().enumerate() {
                let weights = _mm512_load_si512(weights.as_ptr().add(16 * part).cast());
                *output = add_products(*output, input, weights);
            }
        }
        let mut value = zero;
        for (part, output) in outputs.into_iter().enumerate() {
            let sum = _mm512_min_epi32(_mm512_max_epi32(output, zero), _mm512_set1_epi32(FULL));
            let sum = _mm512_srai_epi32(sum, 12);
            let square = _mm512_srai_epi32(_mm512_mullo_epi32(sum, sum), 12);
            for (power, worth) in [sum, square].into_iter().zip(&layer.second) {
                let worth = _mm512_load_si512(worth.as_ptr().add(16 * part).cast());
                value = _mm512_add_epi32(value, _mm512_mullo_epi32(power, worth));
            }
        }
        _mm512_reduce_add_epi32(value) >> 12
    }
}

/// The registers of a row.
const PARTS: usize = INPUTS / 32;

/// Adds up the rows of the placements that one symmetry leads to: whole words, the upper number spoilt by what the
/// lower carries over, and the upper numbers alone.
///
/// # Safety
///
/// AVX-512 F and BW, and every place one of the rows.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // the same part of several arrays
unsafe fn group<const SYMMETRY: usize>(rows: &[Row], at: &[u32; SLOTS], sums: &mut [[__m512i; PARTS]; 2]) {
    // SAFETY: as promised.
    unsafe {
        let mut own = [[_mm512_setzero_si512(); PARTS]; 2];
        let mut add = |part: usize, numbers| {
            own[0][part] = _mm512_add_epi16(own[0][part], numbers);
            own[1][part] = _mm512_add_epi16(own[1][part], _mm512_srli_epi16(numbers, 8));
        };
        let row = |at: u32| rows.as_ptr().add(at as usize).cast::<__m512i>();
        let (pairs, single) = at[const { begin(SYMMETRY) }..][..GROUPS[SYMMETRY]].as_chunks::<2>();
        for pair in pairs {
            // numbers from 1 to 127: two rows add up in a byte
            for part in 0..PARTS {
                let [one, two] = pair.map(|at| _mm512_load_si512(row(at).add(part)));
                add(part, _mm512_add_epi8(one, two));
            }
        }
        for &at in single {
            for part in 0..PARTS {
                add(part, _mm512_load_si512(row(at).add(part)));
            }
        }
        let from = _mm512_loadu_si512(FROM[SYMMETRY].as_ptr().cast());
        for half in 0..2 {
            for part in 0..PARTS {
                let turned = _mm512_permutexvar_epi64(from, own[half][part]);
                sums[half][part] = _mm512_add_epi16(sums[half][part], turned);
            }
        }
    }
}

/// Adds the products of pairs of numbers.
///
/// # Safety
///
/// AVX-512 F and BW.
#[inline(always)]
unsafe fn add_products(sums: __m512i, ones: __m512i, others: __m512i) -> __m512i {
    // SAFETY: as promised, and compiled only where AVX-512 VNNI is enabled, or else needing no more than BW.
    unsafe {
        cfg_select! {
            target_feature = "avx512vnni" => { _mm512_dpwssd_epi32(sums, ones, others) }
            _ => { _mm512_add_epi32(sums, _mm512_madd_epi16(ones, others)) }
        }
    }
}

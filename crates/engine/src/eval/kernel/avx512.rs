//! Sixteen loads at a time.

use super::{Features, SLOTS};
use core::arch::x86_64::*;

/// The sum of the weights of all fillings.
#[inline]
pub(super) fn sum(table: &[i16], bases: &[u32; SLOTS], features: &Features) -> i32 {
    // SAFETY: this module is compiled only where AVX-512 F and BW are enabled for the whole build. The loads of
    // `bases` and `features` are in their arrays of 64. A filling is below the number of fillings of its class (it
    // is made of base-three digits, one for each cell), a base is where its class begins, and the table is four
    // weights longer than its last class, so each gather of four bytes stays inside it.
    unsafe {
        let mut sum = _mm512_setzero_si512();
        for half in 0..2 {
            let mover = _mm512_load_si512(features.mover.as_ptr().add(32 * half).cast());
            let other = _mm512_load_si512(features.other.as_ptr().add(32 * half).cast());
            let fillings = _mm512_add_epi16(mover, _mm512_add_epi16(other, other));
            let first = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(fillings));
            let second = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(fillings, 1));
            for (quarter, filling) in [first, second].into_iter().enumerate() {
                let base = _mm512_loadu_si512(bases.as_ptr().add(32 * half + 16 * quarter).cast());
                let index = _mm512_add_epi32(base, filling);
                let pair = _mm512_i32gather_epi32::<2>(index, table.as_ptr().cast());
                // the weight is the lower half of the four bytes read
                sum = _mm512_add_epi32(sum, _mm512_srai_epi32(_mm512_slli_epi32(pair, 16), 16));
            }
        }
        _mm512_reduce_add_epi32(sum)
    }
}

//! One load after another.

use super::{Features, SLOTS};

/// The sum of the weights of all fillings.
#[inline]
pub(super) fn sum(table: &[i16], bases: &[u32; SLOTS], features: &Features) -> i32 {
    let fillings = features.fillings();
    let mut sum = 0;
    for slot in 0..SLOTS {
        sum += i32::from(table[bases[slot] as usize + fillings[slot] as usize]);
    }
    sum
}

//! One load after another.

use super::{Adds, Features, Row, SLOTS, begin, total};
use crate::eval::{
    net::{FROM, FULL, INPUTS, Layer, Net, ONE},
    patterns::GROUPS,
};

/// The fillings after a move, from the other side.
#[inline(always)]
pub(super) fn play(features: &Features, adds: &Adds, square: usize, flips: u64) -> Features {
    let turned = total(adds, flips);
    let placed = &adds.0[square & 63];
    let mut next = Features { mover: [0; SLOTS], other: [0; SLOTS] };
    for slot in 0..SLOTS {
        next.mover[slot] = features.other[slot].wrapping_sub(turned[slot]);
        next.other[slot] = features.mover[slot].wrapping_add(turned[slot]).wrapping_add(placed[slot]);
    }
    next
}

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

/// What a net makes of all fillings, in parts of a disc.
#[inline]
pub(super) fn net(net: &Net, phase: usize, features: &Features) -> i32 {
    let fillings = features.fillings();
    let rows = net.rows(phase);
    let at = std::array::from_fn(|slot| net.bases[slot] as usize + fillings[slot] as usize);
    let mut sums = [[0; INPUTS]; 2];
    group::<0>(rows, &at, &mut sums);
    group::<1>(rows, &at, &mut sums);
    group::<2>(rows, &at, &mut sums);
    group::<3>(rows, &at, &mut sums);
    group::<4>(rows, &at, &mut sums);
    group::<5>(rows, &at, &mut sums);
    group::<6>(rows, &at, &mut sums);
    group::<7>(rows, &at, &mut sums);
    let start = &net.layers[phase].start;
    let clipped = |half: usize, at: usize| (sums[half][at] as i16 + start[half][at]).clamp(0, ONE - 1);
    let inputs = std::array::from_fn(|at| ((i32::from(clipped(0, at)) * i32::from(clipped(1, at))) >> 4) as i16);
    layer(&net.layers[phase], &inputs)
}

/// Adds up the rows of the placements that one symmetry leads to. It is known when this is compiled, so that exchanging
/// the blocks costs little.
#[inline(always)]
fn group<const SYMMETRY: usize>(rows: &[Row], at: &[usize; SLOTS], sums: &mut [[u16; INPUTS]; 2]) {
    let mut own = [[0; INPUTS]; 2];
    let (pairs, single) = at[const { begin(SYMMETRY) }..][..GROUPS[SYMMETRY]].as_chunks::<2>();
    for &[one, two] in pairs {
        let (Row(one), Row(two)) = (&rows[one], &rows[two]);
        for at in 0..INPUTS {
            // numbers from 1 to 127: two of them add up in a byte
            let both = one[at] + two[at];
            own[0][at] += both & 0xff;
            own[1][at] += both >> 8;
        }
    }
    for &row in single {
        for (at, both) in rows[row].0.iter().enumerate() {
            own[0][at] += both & 0xff;
            own[1][at] += both >> 8;
        }
    }
    for (sum, own) in sums.iter_mut().zip(own) {
        for (at, sum) in sum.iter_mut().enumerate() {
            *sum += own[at / 32 * 32 + FROM[SYMMETRY][at / 4 % 8] as usize * 4 + at % 4];
        }
    }
}

fn layer(layer: &Layer, inputs: &[i16; INPUTS]) -> i32 {
    let mut sums = layer.bias;
    for (pair, weights) in inputs.as_chunks::<2>().0.iter().zip(&layer.first) {
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += i32::from(pair[0]) * i32::from(weight[0]) + i32::from(pair[1]) * i32::from(weight[1]);
        }
    }
    let mut value = 0;
    for ((sum, worth), square_worth) in sums.into_iter().zip(layer.second[0]).zip(layer.second[1]) {
        let sum = sum.clamp(0, FULL) >> 12;
        value += sum * worth + ((sum * sum) >> 12) * square_worth;
    }
    value >> 12
}

//! One load after another.

use super::{Adds, Features, Row, SLOTS, total};
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
    let mut sums = net.start;
    let mut slots = 0..SLOTS;
    for (size, from) in GROUPS.into_iter().zip(&FROM) {
        let mut own = [[0i16; INPUTS]; 2];
        for slot in slots.by_ref().take(size) {
            let Row(numbers) = &net.rows[net.bases[slot] as usize + fillings[slot] as usize];
            for (at, pair) in numbers.iter().enumerate() {
                own[0][at] += i16::from(pair[0]);
                own[1][at] += i16::from(pair[1]);
            }
        }
        for (sum, own) in sums.iter_mut().zip(own) {
            for (at, sum) in sum.iter_mut().enumerate() {
                *sum += own[at / 32 * 32 + from[at / 4 % 8] as usize * 4 + at % 4];
            }
        }
    }
    let [left, right] = sums.map(|half| half.map(|sum| sum.clamp(0, ONE - 1)));
    let inputs = std::array::from_fn(|at| ((i32::from(left[at]) * i32::from(right[at])) >> 4) as i16);
    layer(&net.layers[phase], &inputs)
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

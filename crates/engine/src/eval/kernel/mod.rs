//! The hot loops of the evaluation: keeping fillings up to date, and adding up weights.
//!
//! One file per instruction set, chosen at compile time. `portable` is the specification: the tests compare every
//! faster one with it that the build's machine has.
#![allow(unsafe_code)] // SIMD intrinsics, and the wish for large pages; nothing else in this crate may use it

use super::{
    net::{INPUTS, Net},
    patterns::{Adds, GROUPS, Layout, SLOTS},
};
use rules::Bitboard;

mod pages;
#[cfg_attr(not(test), allow(dead_code))] // the specification, where a faster one is chosen
mod portable;

pub(crate) use pages::prefer_large;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[cfg_attr(not(test), allow(dead_code))] // for the tests, where AVX-512 is chosen
mod avx2;
#[cfg(rustfmt)] // which does not look into `cfg_select!`
mod avx512;

cfg_select! {
    all(target_arch = "x86_64", target_feature = "avx512f", target_feature = "avx512bw") => {
        mod avx512;
        use avx512 as chosen;
    }
    all(target_arch = "x86_64", target_feature = "avx2") => { use avx2 as chosen; }
    _ => { use portable as chosen; }
}

/// The fillings of all placements, kept as two sums: what the mover's discs add, and what the other's add.
///
/// A filling is `mover + 2 * other`, so that changing sides is exchanging the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Features {
    mover: [u16; SLOTS],
    other: [u16; SLOTS],
}

impl Features {
    /// The fillings of a board, from nothing.
    pub(super) fn new(adds: &Adds, mover: u64, other: u64) -> Features {
        Features { mover: total(adds, mover), other: total(adds, other) }
    }

    /// The fillings after a move, from the other side.
    #[inline(always)]
    pub(super) fn play(&self, adds: &Adds, square: usize, flips: u64) -> Features {
        chosen::play(self, adds, square, flips)
    }

    /// The same fillings from the other side.
    #[inline(always)]
    pub fn pass(&self) -> Features {
        Features { mover: self.other, other: self.mover }
    }

    /// The filling of each placement, as a number in base three.
    #[inline(always)]
    pub fn fillings(&self) -> [u16; SLOTS] {
        let mut fillings = [0; SLOTS];
        for (slot, filling) in fillings.iter_mut().enumerate() {
            *filling = self.mover[slot].wrapping_add(self.other[slot] << 1);
        }
        fillings
    }
}

fn total(adds: &Adds, squares: u64) -> [u16; SLOTS] {
    let mut total = [0u16; SLOTS];
    for square in Bitboard(squares) {
        for (sum, add) in total.iter_mut().zip(&adds.0[square.index()]) {
            *sum += add;
        }
    }
    total
}

/// The sum of the weights at these places.
///
/// # Safety
///
/// Every place in the table.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[inline(always)]
unsafe fn total_of(table: &[i16], places: [u32; SLOTS]) -> i32 {
    let mut sum = 0;
    for place in places {
        // SAFETY: as promised.
        sum += i32::from(unsafe { *table.get_unchecked(place as usize) });
    }
    sum
}

/// The weights of all phases, one for every filling, and where each placement's begin.
#[derive(Debug)]
pub(super) struct Weights {
    /// Phase after phase, each at least a weight longer than needed, for slots without a placement.
    tables: Vec<i16>,
    /// Weights from one phase to the next.
    stride: usize,
    bases: [u32; SLOTS],
}

impl Weights {
    /// Spreads the really different weights of each phase out to all fillings.
    pub(super) fn new(layout: &Layout, weights: &[i16]) -> Weights {
        // slots without a placement always read the weight after the last filling, which is nothing
        let nothing = layout.fillings as u32;
        let stride = (layout.fillings + 1).next_multiple_of(32);
        let mut tables = Vec::with_capacity(stride * (weights.len() / layout.weights));
        prefer_large(tables.spare_capacity_mut());
        for phase in weights.chunks_exact(layout.weights) {
            let end = tables.len() + stride;
            tables.extend(layout.shared.iter().map(|&weight| phase[weight as usize]));
            tables.resize(end, 0);
        }
        let mut bases = [nothing; SLOTS];
        for (base, placement) in bases.iter_mut().zip(&layout.placements) {
            *base = layout.offsets[placement.class] as u32;
        }
        Weights { tables, stride, bases }
    }

    fn phase(&self, phase: usize) -> &[i16] {
        &self.tables[phase * self.stride..][..self.stride]
    }

    /// The sum of a phase's weights of all fillings.
    #[inline(always)]
    pub(super) fn sum(&self, phase: usize, features: &Features) -> i32 {
        chosen::sum(self.phase(phase), &self.bases, features)
    }
}

/// A net's numbers for one filling, two in a word: the lower is multiplied with the upper once all rows are added up.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [u16; INPUTS]);

/// Where the placements that a symmetry leads to begin.
const fn begin(symmetry: usize) -> usize {
    let (mut begin, mut at) = (0, 0);
    while at < symmetry {
        begin += GROUPS[at];
        at += 1;
    }
    begin
}

/// What a net makes of all fillings, in parts of a disc.
#[inline(always)]
pub(super) fn net(net: &Net, phase: usize, features: &Features) -> i32 {
    chosen::net(net, phase, features)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{PHASES, net};

    struct Kernel {
        play: fn(&Features, &Adds, usize, u64) -> Features,
        sum: fn(&[i16], &[u32; SLOTS], &Features) -> i32,
        net: fn(&Net, usize, &Features) -> i32,
    }

    /// Every kernel that the build's machine has, the chosen one last.
    const KERNELS: &[Kernel] = &[
        Kernel { play: portable::play, sum: portable::sum, net: portable::net },
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        Kernel { play: avx2::play, sum: avx2::sum, net: avx2::net },
        Kernel { play: chosen::play, sum: chosen::sum, net: chosen::net },
    ];

    #[test]
    fn the_fast_move_is_the_plain_move() {
        let layout = Layout::new();
        let mut state = 3u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 33
        };
        for _ in 0..10_000 {
            let filled = next() << 33 | next();
            let other = filled & (next() << 33 | next());
            let (mover, flips, square) = (filled & !other, other & (next() << 33 | next()), next() as usize % 64);
            if filled >> square & 1 == 0 {
                let before = Features::new(&layout.adds, mover, other);
                let after = Features::new(&layout.adds, other ^ flips, mover ^ flips ^ 1 << square);
                for kernel in KERNELS {
                    assert_eq!((kernel.play)(&before, &layout.adds, square, flips), after);
                }
            }
        }
    }

    #[test]
    fn the_fast_sum_is_the_plain_sum() {
        let layout = Layout::new();
        let mut state = 5u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 33
        };
        let weights: Vec<i16> = (0..2 * layout.weights).map(|_| next() as i16).collect();
        let weights = Weights::new(&layout, &weights);
        for _ in 0..10_000 {
            let filled = next() << 33 | next();
            let mover = filled & (next() << 33 | next());
            let features = Features::new(&layout.adds, mover, filled & !mover);
            let table = weights.phase(1);
            let by_hand: i32 = layout
                .placements
                .iter()
                .zip(features.fillings())
                .map(|(p, filling)| i32::from(table[layout.offsets[p.class] + filling as usize]))
                .sum();
            for kernel in KERNELS {
                assert_eq!((kernel.sum)(table, &weights.bases, &features), by_hand);
            }
            assert_eq!(weights.sum(1, &features), by_hand);
        }
    }

    #[test]
    fn the_fast_net_is_the_plain_net() {
        let layout = Layout::new();
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 33
        };
        // any bytes make a net, the largest numbers among them
        let tables = (0..PHASES).map(|phase| (phase / 10) as u8);
        let bytes: Vec<u8> = tables.chain((PHASES..net::size(&layout, 3)).map(|_| next() as u8)).collect();
        let large = Net::read(&layout, &bytes).unwrap();
        let small = Net::read(&layout, &net::noise(&layout, &mut next)).unwrap();
        let mut values = std::collections::HashSet::new();
        for _ in 0..10_000 {
            let filled = next() << 33 | next();
            let mover = filled & (next() << 33 | next());
            let features = Features::new(&layout.adds, mover, filled & !mover);
            for net in [&large, &small] {
                let phase = next() as usize % PHASES;
                let plain = portable::net(net, phase, &features);
                for kernel in KERNELS {
                    assert_eq!((kernel.net)(net, phase, &features), plain);
                }
                values.insert(plain);
            }
        }
        assert!(values.len() > 1000, "only {} values", values.len());
    }
}

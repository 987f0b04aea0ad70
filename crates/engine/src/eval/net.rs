//! The net that corrects the sum of weights: what the shapes mean together.
//!
//! Each filling has a row of [`WIDTH`] numbers, in eight blocks: what it says to each of the eight sides one can look
//! at a board from. A placement's row is added up with its blocks exchanged as the symmetry that led to the placement
//! exchanges the sides, so that turning the board only exchanges blocks of the sum. Parts of the game have tables of rows
//! of their own. Numbers of the sum are clipped
//! and multiplied two by two, so that one may say what the other is worth; then a small layer for each phase, the same
//! from each side, makes discs of them. All in whole numbers, so that every machine finds the same.

use super::{
    PHASES, WeightsError,
    kernel::{self, Features, Row},
    patterns::{Layout, SLOTS},
};
use rules::Symmetry;

/// The numbers in a row.
pub const WIDTH: usize = 64;

/// Numbers in a block, the first half to be multiplied with the second.
const BLOCK: usize = WIDTH / 8;

/// What the small layer looks for, from each of the eight sides.
pub const KINDS: usize = 8;

/// The inputs of the small layer.
pub(super) const INPUTS: usize = WIDTH / 2;

/// The outputs of the small layer.
pub(super) const HIDDEN: usize = 8 * KINDS;

/// The most tables of rows a net may have.
pub(super) const MOST_TABLES: usize = 4;

/// A row's numbers are kept this much higher, from 1 to 127: two rows add up in bytes without a sign.
pub(super) const BIAS: i32 = 64;

/// One, as the sum of rows counts it.
pub(super) const ONE: i16 = 512;

/// One, as the small layer counts it: 14 bits of the inputs and 10 of the weights.
pub(super) const FULL: i32 = 1 << 24;

/// For each symmetry and each block of the sum, the block of a placement's row that goes there.
pub(super) const FROM: [[u64; 8]; 8] = {
    let mut from = [[0; 8]; 8];
    let mut at = 0;
    while at < 64 {
        from[at / 8][at % 8] = Symmetry::ALL[at / 8].inverse().after(Symmetry::ALL[at % 8]).index() as u64;
        at += 1;
    }
    from
};

/// The layer of one phase.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Layer {
    /// For every two inputs what they give to each output, side by side.
    pub(super) first: [[[i16; 2]; HIDDEN]; INPUTS / 2],
    /// What the sums begin with, less what [`BIAS`] adds.
    pub(super) start: [[i16; INPUTS]; 2],
    pub(super) bias: [i32; HIDDEN],
    /// What each output is worth in parts of a disc, and its square.
    pub(super) second: [[i32; HIDDEN]; 2],
}

/// The net, ready to use.
#[derive(Debug)]
pub(super) struct Net {
    /// A row for every filling, table after table.
    rows: Vec<Row>,
    /// Where the rows of each phase begin.
    tables: [usize; PHASES],
    /// Rows in a table.
    fillings: usize,
    pub(super) bases: [u32; SLOTS],
    pub(super) layers: Vec<Layer>,
}

/// How many bytes [`Net::read`] wants for this many tables of rows.
pub(super) fn size(layout: &Layout, tables: usize) -> usize {
    PHASES + tables * layout.weights * WIDTH + PHASES * (2 * BLOCK + KINDS * (2 * WIDTH / 2 + 4 + 2 * 2))
}

/// The block and the number in its half of an input: four numbers of each block, then the next four of each.
fn place(input: usize) -> (usize, usize) {
    (input / 4 % 8, input / 32 * 4 + input % 4)
}

/// Where in a row the inputs' first factors stand, for a filling that these symmetries lead from.
fn begins(leads: u8) -> [usize; INPUTS] {
    std::array::from_fn(|input| {
        let (block, number) = place(input);
        // a filling that is its own mirror image says the same to both sides
        let leads = Symmetry::ALL.into_iter().filter(|symmetry| leads >> symmetry.index() & 1 != 0);
        let block = leads.map(|lead| lead.after(Symmetry::ALL[block]).index()).min().unwrap_or(block);
        block * BLOCK + number
    })
}

impl Net {
    /// Reads a net as `train/net.py` writes it: for every phase the number of its table of rows, a byte; for every table
    /// the rows of the really different fillings, a byte for each number; then for every phase what each number of a
    /// block begins with (two bytes), the small layer's weights (by kind, block and number, two bytes), what is added to
    /// them (four), and what they and their squares are worth (two).
    pub(super) fn read(layout: &Layout, bytes: &[u8]) -> Result<Net, WeightsError> {
        let (&used, rest) = bytes.split_first_chunk::<PHASES>().ok_or(WeightsError::Damaged)?;
        let count = used.into_iter().max().map_or(0, |last| usize::from(last) + 1);
        if count > MOST_TABLES || bytes.len() != size(layout, count) {
            return Err(WeightsError::Damaged);
        }
        let (tables, rest) = rest.split_at(count * layout.weights * WIDTH);
        let mut rest = Words(rest);
        let mut rows = Vec::with_capacity(count * layout.fillings);
        kernel::prefer_large(rows.spare_capacity_mut());
        let lifted = |number: u8| (i32::from(number as i8).clamp(1 - BIAS, BIAS - 1) + BIAS) as u16;
        let begins: Vec<[usize; INPUTS]> = (0..=u8::MAX).map(begins).collect();
        for table in tables.chunks_exact(layout.weights * WIDTH) {
            rows.extend(layout.shared.iter().zip(&layout.leads).map(|(&weight, &leads)| {
                let numbers = &table[weight as usize * WIDTH..][..WIDTH];
                Row(begins[leads as usize].map(|at| lifted(numbers[at]) | lifted(numbers[at + BLOCK / 2]) << 8))
            }));
        }
        let mut bases = [0; SLOTS];
        for (base, placement) in bases.iter_mut().zip(&layout.placements) {
            *base = layout.offsets[placement.class] as u32;
        }
        let lifted = (BIAS * layout.placements.len() as i32) as i16;
        let layers = (0..PHASES).map(|_| Layer::read(&mut rest, lifted)).collect();
        let tables = used.map(|table| usize::from(table) * layout.fillings);
        Ok(Net { rows, tables, fillings: layout.fillings, bases, layers })
    }

    /// The rows of a phase.
    #[inline(always)]
    pub(super) fn rows(&self, phase: usize) -> &[Row] {
        &self.rows[self.tables[phase]..][..self.fillings]
    }

    /// What the sum of weights leaves out, in parts of a disc.
    #[inline(always)]
    pub(super) fn value(&self, phase: usize, features: &Features) -> i32 {
        kernel::net(self, phase, features)
    }
}

impl Layer {
    /// Reads a layer of a net whose rows add up to `lifted` too much.
    fn read(rest: &mut Words<'_>, lifted: i16) -> Layer {
        let begin: [i16; BLOCK] = std::array::from_fn(|_| rest.two().clamp(-8192, 8192) - lifted);
        // so bounded that no sum of them is too large
        let weights: [[[i16; BLOCK / 2]; 8]; KINDS] =
            std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| rest.two().clamp(-2047, 2047))));
        let bias: [i32; KINDS] = std::array::from_fn(|_| rest.four().clamp(-1 << 29, 1 << 29));
        let second: [[i32; KINDS]; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| i32::from(rest.two().clamp(-4095, 4095))));
        let mut first = [[[0; 2]; HIDDEN]; INPUTS / 2];
        for input in 0..INPUTS {
            let (block, number) = place(input);
            for (output, given) in first[input / 2].iter_mut().enumerate() {
                let side = Symmetry::ALL[output % 8];
                let block = side.inverse().after(Symmetry::ALL[block]).index();
                given[input % 2] = weights[output / 8][block][number];
            }
        }
        Layer {
            first,
            start: [0, BLOCK / 2].map(|half| std::array::from_fn(|input| begin[half + place(input).1])),
            bias: std::array::from_fn(|output| bias[output / 8]),
            second: second.map(|worth| std::array::from_fn(|output| worth[output / 8])),
        }
    }
}

/// Little-endian numbers, one after another; nothing once they are used up.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((word, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *word
    }

    fn two(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }

    fn four(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }
}

/// A net of small random numbers and two tables, so that its sums lie between the clips.
#[cfg(test)]
pub(super) fn noise(layout: &Layout, mut next: impl FnMut() -> u64) -> Vec<u8> {
    let mut below = |size: u64| (next() % (2 * size + 1)) as i32 - size as i32;
    let mut bytes: Vec<u8> = (0..PHASES).map(|phase| u8::from(phase > 13)).collect();
    bytes.extend((0..2 * layout.weights * WIDTH).map(|_| below(20) as u8));
    for _ in 0..PHASES {
        bytes.extend((0..BLOCK).flat_map(|_| (200 + below(60) as i16).to_le_bytes()));
        bytes.extend((0..KINDS * WIDTH / 2).flat_map(|_| (below(600) as i16).to_le_bytes()));
        bytes.extend((0..KINDS).flat_map(|_| below(1 << 22).to_le_bytes()));
        bytes.extend((0..2 * KINDS).flat_map(|_| (below(1000) as i16).to_le_bytes()));
    }
    bytes
}

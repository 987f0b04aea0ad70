//! The two questions everything else asks, answered as fast as the machine can: which squares are legal
//! ([`moves`]), and which discs turn ([`flips`]). Each also comes eight boards at a time.
//!
//! One file per instruction set; the choice is made once, here, at compile time. `portable` is the
//! specification: the tests below compare every fast kernel with it, exhaustively for each line of the board
//! (a flip is the union of four independent lines) and on random boards.
//!
//! Boards arrive as plain words, mover first. `square` is an index below 64.
//!
//! ```
//! use rules::{Board, Square, kernel};
//! let (mover, other) = (Board::START.mover.0, Board::START.other.0);
//! assert_eq!(kernel::moves(mover, other).count_ones(), 4);
//! assert_eq!(kernel::flips(Square::F5.index(), mover, other), 1 << Square::E5.index());
//! ```
#![allow(unsafe_code)] // SIMD intrinsics; nothing else in this crate may use it

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[cfg_attr(not(test), allow(dead_code))] // for the tests, where AVX-512 is chosen
mod avx2;
#[cfg(rustfmt)] // which does not look into `cfg_select!`
mod avx512;
mod last;
#[cfg(rustfmt)]
mod neon;
#[cfg_attr(not(test), allow(dead_code))] // the specification, where a faster one is chosen
mod portable;

pub use last::last_flips;

cfg_select! {
    all(
        target_arch = "x86_64",
        target_feature = "avx512f",
        target_feature = "avx512vl",
        target_feature = "avx512cd",
        target_feature = "avx512bw",
        target_feature = "avx512dq",
        target_feature = "avx512vpopcntdq"
    ) => {
        mod avx512;
        use avx512 as chosen;
    }
    all(target_arch = "x86_64", target_feature = "avx2") => { use avx2 as chosen; }
    all(target_arch = "aarch64", target_feature = "neon") => {
        mod neon;
        use neon as chosen;
    }
    _ => { use portable as chosen; }
}

/// Eight words side by side, one board in each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(64))]
pub struct Lanes(pub [u64; 8]);

/// Four words side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct Quad(pub [u64; 4]);

/// The kernel this build uses, for benchmarks to print.
pub const NAME: &str = chosen::NAME;

/// The squares where `mover` may play.
#[inline(always)]
pub fn moves(mover: u64, other: u64) -> u64 {
    chosen::moves(mover, other)
}

/// The discs of `other` that turn if `mover` plays on `square`; none if the move is illegal.
///
/// `square` must be empty: the answer for an occupied square means nothing.
#[inline(always)]
pub fn flips(square: usize, mover: u64, other: u64) -> u64 {
    chosen::flips(square, mover, other)
}

/// [`moves`] of eight boards.
#[inline(always)]
pub fn moves_x8(mover: Lanes, other: Lanes) -> Lanes {
    chosen::moves_x8(mover, other)
}

/// [`flips`] of eight boards; `placed` has one bit in each lane (or none, and then nothing turns).
#[inline(always)]
pub fn flips_x8(placed: Lanes, mover: Lanes, other: Lanes) -> Lanes {
    chosen::flips_x8(placed, mover, other)
}

/// [`flips`] of one board on four squares; what is said of an occupied square means nothing.
#[inline(always)]
pub fn flips_x4(squares: [usize; 4], mover: u64, other: u64) -> Quad {
    chosen::flips_x4(squares, mover, other)
}

/// [`moves`] of four boards.
#[inline(always)]
pub fn moves_x4(mover: Quad, other: Quad) -> Quad {
    chosen::moves_x4(mover, other)
}

/// The least of eight keys of 16 bits, four in each word from the bottom up, and where it is; the first of equals.
#[inline(always)]
pub fn least(low: u64, high: u64) -> (usize, u16) {
    chosen::least(low, high)
}

/// The number of bits set in each lane.
#[inline(always)]
pub fn count_x8(words: Lanes) -> Lanes {
    chosen::count_x8(words)
}

/// The number of bits set in each word.
#[inline(always)]
pub fn count_x4(words: Quad) -> Quad {
    chosen::count_x4(words)
}

/// The lowest 16 bits of each word, from the bottom up.
#[inline(always)]
pub fn pack_x4(words: Quad) -> u64 {
    chosen::pack_x4(words)
}

/// Asks for the memory of something that will be read soon. Changes nothing but the time that takes.
#[inline(always)]
pub fn prefetch<T>(soon: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the address is that of a reference, and a prefetch never faults.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}

/// For each square and each of the four lines through it: the squares of the line with a higher index.
pub(crate) const HIGHER: [[u64; 4]; 64] = rays(true);

/// For each square and each of the four lines through it: the squares of the line with a lower index.
pub(crate) const LOWER: [[u64; 4]; 64] = rays(false);

const fn rays(higher: bool) -> [[u64; 4]; 64] {
    // east, south-west, south, south-east; their opposites when `higher` is false
    const STEPS: [(i8, i8); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (mut right, mut down) = STEPS[line];
            if !higher {
                (right, down) = (-right, -down);
            }
            let mut column = square as i8 % 8 + right;
            let mut row = square as i8 / 8 + down;
            while column >= 0 && column < 8 && row >= 0 && row < 8 {
                table[square][line] |= 1 << (row * 8 + column);
                column += right;
                row += down;
            }
            line += 1;
        }
        square += 1;
    }
    table
}

#[cfg(test)]
pub(crate) mod tests;

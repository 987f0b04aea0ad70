//! Counting every line of play to a depth: the test of a rules library, and of its speed.
//!
//! A forced pass is a ply; a game that ends before the depth is one leaf. Known counts:
//! [Aart Bik's table](https://www.aartbik.com/strategy.php).
//!
//! Lines are counted eight at a time. Moves wait in one bin for each remaining depth; whenever a bin holds eight,
//! all eight are played at once, one board to a lane, and their replies go into the bin below. A full set of lanes
//! every time, and no branch on what a board looks like.

use crate::{
    Board,
    kernel::{self, Lanes},
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many lines of `depth` plies lead on from `board`.
///
/// ```
/// use rules::{Board, perft};
/// assert_eq!(perft(Board::START, 6), 8200);
/// ```
pub fn perft(board: Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = Count { leaves: 0, bins: (0..depth).map(|_| Bin::default()).collect() };
    let legal = board.legal().0;
    count.fill(depth as usize - 1, board.mover.0, board.other.0, legal);
    for level in (0..depth as usize).rev() {
        count.drain(level, 1);
    }
    count.leaves
}

/// [`perft`] with the work shared among `threads`.
///
/// ```
/// use rules::{Board, perft_threads};
/// assert_eq!(perft_threads(Board::START, 8, 2), 390_216);
/// ```
pub fn perft_threads(board: Board, depth: u32, threads: usize) -> u64 {
    const SPLIT: u32 = 5;
    if threads <= 1 || depth <= SPLIT + 2 {
        return perft(board, depth);
    }
    let mut leaves = 0;
    let mut boards = vec![board];
    for _ in 0..SPLIT {
        let mut next = Vec::with_capacity(boards.len() * 8);
        for board in boards {
            let legal = board.legal();
            next.extend(legal.iter().filter_map(|square| board.play(square)));
            if legal.is_empty() {
                if board.is_over() {
                    leaves += 1;
                } else {
                    next.push(board.pass());
                }
            }
        }
        boards = next;
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut leaves = 0;
        while let Some(board) = boards.get(next.fetch_add(1, Ordering::Relaxed)) {
            leaves += perft(*board, depth - SPLIT);
        }
        leaves
    };
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        leaves += work();
        for helper in helpers {
            leaves += helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    leaves
}

/// Seven left over from before, and eight boards' moves: no board has more than 33.
const ROOM: usize = 7 + 8 * 33 + 1;

/// Moves waiting to be played: who plays, against whom, and where. No square is a pass.
struct Bin {
    mover: [u64; ROOM],
    other: [u64; ROOM],
    placed: [u64; ROOM],
    len: usize,
}

impl Default for Bin {
    fn default() -> Bin {
        Bin { mover: [0; ROOM], other: [0; ROOM], placed: [0; ROOM], len: 0 }
    }
}

struct Count {
    leaves: u64,
    /// `bins[n]`: moves after which `n` plies remain.
    bins: Box<[Bin]>,
}

impl Count {
    /// Puts every move of one board into a bin: its legal squares, or its pass, or nothing but one leaf if the
    /// game is over.
    #[inline(always)]
    fn fill(&mut self, level: usize, mover: u64, other: u64, mut legal: u64) {
        let bin = &mut self.bins[level];
        if legal == 0 {
            if kernel::moves(other, mover) == 0 {
                self.leaves += 1;
                return;
            }
            bin.mover[bin.len] = mover;
            bin.other[bin.len] = other;
            bin.placed[bin.len] = 0;
            bin.len += 1;
            return;
        }
        let count = legal.count_ones() as usize;
        let end = bin.len + count;
        bin.mover[bin.len..end].fill(mover);
        bin.other[bin.len..end].fill(other);
        for slot in &mut bin.placed[bin.len..end] {
            *slot = legal & legal.wrapping_neg();
            legal &= legal - 1;
        }
        bin.len = end;
    }

    /// Plays the moves of a bin, eight at a time, while at least `least` wait there.
    fn drain(&mut self, level: usize, least: usize) {
        while self.bins[level].len >= least {
            let bin = &mut self.bins[level];
            let lanes = bin.len.min(8);
            let from = bin.len - lanes;
            bin.len = from;
            let mover = Lanes(std::array::from_fn(|lane| bin.mover[from + lane]));
            let other = Lanes(std::array::from_fn(|lane| bin.other[from + lane]));
            let placed = Lanes(std::array::from_fn(|lane| bin.placed[from + lane]));
            let flips = kernel::flips_x8(placed, mover, other);
            let next = Lanes(std::array::from_fn(|lane| other.0[lane] ^ flips.0[lane]));
            let last = Lanes(std::array::from_fn(|lane| mover.0[lane] ^ flips.0[lane] ^ placed.0[lane]));
            if level == 0 {
                // every move in this bin is a leaf
                self.leaves += lanes as u64;
                continue;
            }
            let legal = kernel::moves_x8(next, last);
            if level == 1 {
                // one ply remains: a move each, or a pass, or the end, which count alike
                let counts = kernel::count_x8(legal);
                self.leaves += counts.0[..lanes].iter().map(|&count| count.max(1)).sum::<u64>();
                continue;
            }
            for lane in 0..lanes {
                self.fill(level - 1, next.0[lane], last.0[lane], legal.0[lane]);
            }
            self.drain(level - 1, 8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Depth and leaves from the start, as published (a pass is a ply).
    const KNOWN: [u64; 11] = [1, 4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_284];

    #[test]
    fn counts_are_the_published_ones() {
        for (depth, leaves) in KNOWN.into_iter().enumerate() {
            assert_eq!(perft(Board::START, depth as u32), leaves, "depth {depth}");
            assert_eq!(perft_threads(Board::START, depth as u32, 3), leaves, "depth {depth}, three threads");
        }
    }

    #[test]
    fn eight_at_a_time_counts_as_one_at_a_time() {
        fn plain(board: Board, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            let legal = board.legal();
            if legal.is_empty() {
                return if board.is_over() { 1 } else { plain(board.pass(), depth - 1) };
            }
            legal.iter().filter_map(|square| board.play(square)).map(|next| plain(next, depth - 1)).sum()
        }
        let mut random = kernel::tests::Random(3);
        for _ in 0..300 {
            let (mover, other) = random.board();
            let board = Board { mover: crate::Bitboard(mover), other: crate::Bitboard(other) };
            for depth in 0..4 {
                assert_eq!(perft(board, depth), plain(board, depth), "{board:?} depth {depth}");
            }
        }
    }
}

//! Move ordering of the solver: the *fastest-first* heuristic. The move that leaves the opponent the fewest replies is tried
//! first, for the tree below it is the smallest; between equals, odd quadrants (parity), then corners before edges before
//! the rest.

use super::{EndBoard, parity::QUADRANTS};
use rules::kernel::{self, Quad};

/// A move already played, from the opponent's side.
pub(super) struct Reply {
    pub(super) mover: u64,
    pub(super) other: u64,
    pub(super) legal: u64,
    pub(super) square: usize,
}

/// Moves waiting to be tried, the most promising first: sixteen at most, four to a register.
pub(super) struct Replies {
    mover: [Quad; 4],
    other: [Quad; 4],
    legal: [Quad; 4],
    placed: [Quad; 4],
    /// How much each move leaves the opponent, 16 bits each: the least comes first.
    ///
    /// The groups are kept in the order 0, 2, 1, 3, so that two of them are read as two words and not as one wide
    /// one, which would have to wait until both are written.
    keys: [u64; 4],
}

/// The key of no move; above that of any.
const NO_MOVE: u16 = 0xf000;

/// Small differences between squares, decided when replies are equal: corners, then edges, X-squares last.
#[rustfmt::skip]
const PLACE: [u8; 64] = [
    0, 5, 2, 2, 2, 2, 5, 0,
    5, 7, 4, 4, 4, 4, 7, 5,
    2, 4, 3, 3, 3, 3, 4, 2,
    2, 4, 3, 3, 3, 3, 4, 2,
    2, 4, 3, 3, 3, 3, 4, 2,
    2, 4, 3, 3, 3, 3, 4, 2,
    5, 7, 4, 4, 4, 4, 7, 5,
    0, 5, 2, 2, 2, 2, 5, 0,
];

/// The squares whose [`PLACE`] has each of three bits set.
static PLACES: [u64; 3] = {
    let mut table = [0; 3];
    let mut square = 0;
    while square < 64 {
        let mut bit = 0;
        while bit < 3 {
            table[bit] |= (PLACE[square] as u64 >> bit & 1) << square;
            bit += 1;
        }
        square += 1;
    }
    table
};

impl Replies {
    /// Plays every move of a board at once, four to a register. `hash_move` is tried first; 64 is none.
    #[inline(always)]
    pub(super) fn new(board: EndBoard, hash_move: usize) -> Replies {
        let mut replies = Replies {
            mover: [Quad::default(); 4],
            other: [Quad::default(); 4],
            legal: [Quad::default(); 4],
            placed: [Quad::default(); 4],
            keys: [u64::MAX; 4],
        };
        let mut set = board.legal;
        for group in 0..4 {
            let mut placed = Quad::default();
            for lane in &mut placed.0 {
                *lane = set & set.wrapping_neg();
                set &= set.wrapping_sub(1);
            }
            replies.add(group, board, placed, hash_move);
            if set == 0 {
                break;
            }
        }
        replies
    }

    /// Where the keys of a group are.
    #[inline(always)]
    fn key(group: usize) -> usize {
        (group & 1) * 2 + (group >> 1)
    }

    /// Adds the next four moves, or what is left of them.
    #[inline(always)]
    fn add(&mut self, group: usize, board: EndBoard, placed: Quad, hash_move: usize) {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        let EndBoard { mover, other, odd, .. } = board;
        let squares = placed.0.map(|placed| placed.trailing_zeros() as usize);
        let turned = kernel::flips_x4(squares, mover, other);
        let next_mover = Quad(std::array::from_fn(|lane| other ^ turned.0[lane]));
        let next_other = Quad(std::array::from_fn(|lane| mover ^ turned.0[lane] ^ placed.0[lane]));
        let legal = kernel::moves_x4(next_mover, next_other);
        let first = 1u64.checked_shl(hash_move as u32).unwrap_or(0);
        let odd = QUADRANTS[odd as usize & 15];
        let base: [u64; 4] = std::array::from_fn(|lane| {
            let placed = placed.0[lane];
            let mut key = 1024;
            key += if placed & odd == 0 { 8 } else { 0 };
            key += if placed & PLACES[0] != 0 { 1 } else { 0 };
            key += if placed & PLACES[1] != 0 { 2 } else { 0 };
            key += if placed & PLACES[2] != 0 { 4 } else { 0 };
            key = if placed & first != 0 { 0 } else { key };
            if placed == 0 { u64::from(NO_MOVE) } else { key }
        });
        let replies = kernel::count_x4(legal);
        let corners = kernel::count_x4(Quad(legal.0.map(|legal| legal & CORNERS)));
        let keys = Quad(std::array::from_fn(|lane| 16 * (replies.0[lane] + corners.0[lane]) + base[lane]));
        self.keys[Replies::key(group)] = kernel::pack_x4(keys);
        self.mover[group] = next_mover;
        self.other[group] = next_other;
        self.legal[group] = legal;
        self.placed[group] = placed;
    }

    /// The most promising move that is left.
    #[inline(always)]
    pub(super) fn next(&mut self, empties: u32) -> Option<Reply> {
        let (mut at, mut key) = kernel::least(self.keys[0], self.keys[2]);
        if empties > 8 {
            let (more, other) = kernel::least(self.keys[1], self.keys[3]);
            if other < key {
                (at, key) = (8 + more, other);
            }
        }
        if key >= NO_MOVE {
            return None;
        }
        self.keys[Replies::key(at >> 2 & 3)] |= 0xffff << (16 * (at & 3));
        Some(self.get(at))
    }

    /// The move at this place, tried or not.
    #[inline(always)]
    pub(super) fn get(&self, at: usize) -> Reply {
        let (group, lane) = (at >> 2 & 3, at & 3);
        Reply {
            mover: self.mover[group].0[lane],
            other: self.other[group].0[lane],
            legal: self.legal[group].0[lane],
            square: self.placed[group].0[lane].trailing_zeros() as usize,
        }
    }
}

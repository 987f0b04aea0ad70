//! The eight ways to look at a board: [`Symmetry`].

use crate::{Bitboard, Board, Square};

/// A turn or mirroring of the board that maps it onto itself.
///
/// The eight are all the ways to combine a mirroring of the columns, a mirroring of the rows and an exchange of
/// columns and rows (done last).
///
/// ```
/// use rules::{Board, Square, Symmetry};
/// // Black's four first moves are one move seen from four sides.
/// let seen: Vec<_> = Symmetry::ALL.iter().map(|s| s.square(Square::F5).to_string()).collect();
/// assert!(["f5", "e6", "d3", "c4"].iter().all(|first| seen.contains(&first.to_string())));
/// assert_eq!(Symmetry::TRANSPOSE.board(Board::START), Board::START);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Symmetry(u8);

const COLUMNS: u8 = 1;
const ROWS: u8 = 2;
const EXCHANGE: u8 = 4;

impl Symmetry {
    /// Nothing moves.
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// Columns exchange with rows: the mirror is the diagonal a1–h8.
    pub const TRANSPOSE: Symmetry = Symmetry(EXCHANGE);
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] =
        [Symmetry(0), Symmetry(1), Symmetry(2), Symmetry(3), Symmetry(4), Symmetry(5), Symmetry(6), Symmetry(7)];

    /// Where this symmetry takes a square.
    pub const fn square(self, square: Square) -> Square {
        let mut column = square.column();
        let mut row = square.row();
        if self.0 & COLUMNS != 0 {
            column = 7 - column;
        }
        if self.0 & ROWS != 0 {
            row = 7 - row;
        }
        if self.0 & EXCHANGE != 0 {
            (column, row) = (row, column);
        }
        Square::ALL[(row * 8 + column) as usize]
    }

    /// Where this symmetry takes a set of squares.
    pub const fn bitboard(self, set: Bitboard) -> Bitboard {
        let mut word = set.0;
        if self.0 & COLUMNS != 0 {
            word = word.reverse_bits().swap_bytes();
        }
        if self.0 & ROWS != 0 {
            word = word.swap_bytes();
        }
        if self.0 & EXCHANGE != 0 {
            word = transpose(word);
        }
        Bitboard(word)
    }

    /// Where this symmetry takes a board.
    pub const fn board(self, board: Board) -> Board {
        Board { mover: self.bitboard(board.mover), other: self.bitboard(board.other) }
    }

    /// The symmetry that undoes this one.
    ///
    /// ```
    /// use rules::{Square, Symmetry};
    /// for symmetry in Symmetry::ALL {
    ///     assert_eq!(symmetry.inverse().square(symmetry.square(Square::F5)), Square::F5);
    /// }
    /// ```
    pub const fn inverse(self) -> Symmetry {
        if self.0 & EXCHANGE == 0 {
            return self;
        }
        // exchanged first and mirrored after is mirrored the other way and exchanged
        Symmetry(EXCHANGE | (self.0 & COLUMNS) << 1 | (self.0 & ROWS) >> 1)
    }

    /// The symmetry that does `first` and then this one.
    ///
    /// ```
    /// use rules::{Square, Symmetry};
    /// for (one, two) in Symmetry::ALL.into_iter().flat_map(|one| Symmetry::ALL.map(|two| (one, two))) {
    ///     assert_eq!(two.after(one).square(Square::F5), two.square(one.square(Square::F5)));
    /// }
    /// assert_eq!(Symmetry::TRANSPOSE.after(Symmetry::TRANSPOSE), Symmetry::IDENTITY);
    /// ```
    pub const fn after(self, first: Symmetry) -> Symmetry {
        // mirrored after an exchange is mirrored the other way before it
        let mirror = if first.0 & EXCHANGE == 0 { self.0 & 3 } else { (self.0 & COLUMNS) << 1 | (self.0 & ROWS) >> 1 };
        Symmetry(mirror ^ first.0 ^ self.0 & EXCHANGE)
    }

    /// Its place in [`Symmetry::ALL`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Exchanges columns and rows.
const fn transpose(mut word: u64) -> u64 {
    let mut swap = (word ^ word >> 7) & 0x00aa_00aa_00aa_00aa;
    word ^= swap ^ swap << 7;
    swap = (word ^ word >> 14) & 0x0000_cccc_0000_cccc;
    word ^= swap ^ swap << 14;
    swap = (word ^ word >> 28) & 0x0000_0000_f0f0_f0f0;
    word ^ swap ^ swap << 28
}

impl Board {
    /// The least of the eight boards that are this one seen from another side, and the symmetry that leads there.
    ///
    /// Boards that are the same up to symmetry, and only those, have the same canonical board.
    ///
    /// ```
    /// use rules::{Board, Square};
    /// let after = |square| Board::START.play(square).unwrap().canonical().0;
    /// assert_eq!(after(Square::F5), after(Square::D3));
    /// ```
    pub fn canonical(self) -> (Board, Symmetry) {
        let mut best = (self, Symmetry::IDENTITY);
        for symmetry in Symmetry::ALL {
            let board = symmetry.board(self);
            if board < best.0 {
                best = (board, symmetry);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::Random;

    #[test]
    fn sets_move_as_their_squares_do() {
        let mut random = Random(7);
        for symmetry in Symmetry::ALL {
            for _ in 0..1000 {
                let set = Bitboard(random.next());
                let moved: Bitboard = set.iter().map(|square| symmetry.square(square)).collect();
                assert_eq!(symmetry.bitboard(set), moved);
                assert_eq!(symmetry.inverse().bitboard(moved), set);
            }
        }
    }

    #[test]
    fn the_eight_are_different_and_rules_do_not_see_them() {
        let mut random = Random(8);
        for _ in 0..10_000 {
            let (mover, other) = random.board();
            let board = Board { mover: Bitboard(mover), other: Bitboard(other) };
            for symmetry in Symmetry::ALL {
                assert_eq!(symmetry.board(board).legal(), symmetry.bitboard(board.legal()));
                assert_eq!(symmetry.board(board).canonical().0, board.canonical().0);
            }
            let (least, symmetry) = board.canonical();
            assert_eq!(symmetry.board(board), least);
        }
    }
}

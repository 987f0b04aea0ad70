//! Discs seen from the side to move: [`Board`], what an engine searches.

use crate::{Bitboard, Square, kernel};

/// The discs of the player to move and of the other one, with no colours.
///
/// A board knows nothing of whose turn it is by name, of forced passes or of the end of the game: [`Position`]
/// does. It is the small, fast thing to search with.
///
/// ```
/// use rules::{Board, Square};
/// let board = Board::START;
/// assert_eq!(board.legal().len(), 4);
/// let flips = board.flips(Square::F5);
/// let next = board.play_unchecked(Square::F5, flips);
/// assert_eq!((next.mover.len(), next.other.len()), (1, 4));
/// ```
///
/// [`Position`]: crate::Position
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board {
    /// The discs of the player to move.
    pub mover: Bitboard,
    /// The discs of the opponent.
    pub other: Bitboard,
}

impl Board {
    /// The four discs before the first move, Black to play.
    pub const START: Board = Board { mover: Bitboard(0x0000_0008_1000_0000), other: Bitboard(0x0000_0010_0800_0000) };

    /// The squares where the mover may play.
    #[inline]
    pub fn legal(self) -> Bitboard {
        Bitboard(kernel::moves(self.mover.0, self.other.0))
    }

    /// The discs that turn if the mover plays on `square`; none if the move is illegal.
    #[inline]
    pub fn flips(self, square: Square) -> Bitboard {
        if self.occupied().contains(square) {
            return Bitboard::EMPTY;
        }
        Bitboard(kernel::flips(square.index(), self.mover.0, self.other.0))
    }

    /// The board after a legal move, from the opponent's side; `None` if the move turns nothing.
    ///
    /// ```
    /// use rules::{Board, Square};
    /// assert!(Board::START.play(Square::F5).is_some());
    /// assert!(Board::START.play(Square::A1).is_none());
    /// ```
    #[inline]
    pub fn play(self, square: Square) -> Option<Board> {
        let flips = self.flips(square);
        (!flips.is_empty()).then(|| self.play_unchecked(square, flips))
    }

    /// The board after a move whose flips are known, from the opponent's side.
    ///
    /// You promise that `flips` is what [`flips`](Board::flips) says of `square` and not empty. Anything else gives
    /// a board that no game reaches, though nothing unsafe.
    #[inline]
    pub fn play_unchecked(self, square: Square, flips: Bitboard) -> Board {
        Board { mover: self.other ^ flips, other: self.mover ^ flips ^ square.into() }
    }

    /// The same discs with the other player to move.
    #[inline]
    pub fn pass(self) -> Board {
        Board { mover: self.other, other: self.mover }
    }

    /// The squares with a disc.
    #[inline]
    pub fn occupied(self) -> Bitboard {
        self.mover | self.other
    }

    /// The squares without a disc.
    #[inline]
    pub fn empty(self) -> Bitboard {
        !self.occupied()
    }

    /// Whether neither side can move.
    #[inline]
    pub fn is_over(self) -> bool {
        self.legal().is_empty() && self.pass().legal().is_empty()
    }

    /// The mover's final score, empties to the winner, if the game stopped here: −64 to 64.
    ///
    /// ```
    /// use rules::Board;
    /// assert_eq!(Board::START.score(), 0);
    /// ```
    #[inline]
    pub fn score(self) -> i32 {
        let mine = self.mover.len() as i32;
        let theirs = self.other.len() as i32;
        let empties = 64 - mine - theirs;
        match mine.cmp(&theirs) {
            core::cmp::Ordering::Greater => mine - theirs + empties,
            core::cmp::Ordering::Equal => 0,
            core::cmp::Ordering::Less => mine - theirs - empties,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_occupied_square_turns_nothing() {
        for square in Board::START.occupied() {
            assert!(Board::START.flips(square).is_empty());
            assert_eq!(Board::START.play(square), None);
        }
    }

    #[test]
    fn empties_go_to_the_winner() {
        let wiped_out = Board { mover: Bitboard(0x1fff), other: Bitboard::EMPTY };
        assert_eq!(wiped_out.score(), 64);
        assert_eq!(wiped_out.pass().score(), -64);
        assert!(wiped_out.is_over());
    }
}

//! A bad move with what should have been played, and lines of moves as what they do on the board.

use rules::{Bitboard, Board, Color, Position, Square, Step};

/// A bad move.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    /// The position before it.
    pub before: Position,
    /// The bad move.
    pub played: Square,
    /// What it is worth, for whoever made it.
    pub score: i32,
    /// The best line, the better move first.
    pub better: Vec<Square>,
    /// What that is worth.
    pub best_score: i32,
    /// Both are proven.
    pub exact: bool,
}

impl Mistake {
    /// Discs lost.
    pub fn loss(&self) -> i32 {
        self.best_score - self.score
    }
}

/// What each move of a line does, as far as it is legal.
pub(super) fn steps(start: Position, line: impl IntoIterator<Item = Square>) -> Vec<Step> {
    let mut at = start;
    let mut steps = Vec::new();
    for square in line {
        let Ok(step) = at.play(square) else { break };
        at = step.after;
        steps.push(step);
    }
    steps
}

/// Whether `who` plays on one of these squares within so many moves.
pub(super) fn plays(steps: &[Step], who: Color, squares: Bitboard, within: usize) -> bool {
    steps.iter().take(within).any(|step| step.by == who && squares.contains(step.square))
}

/// Whether `who` may play on this square at one of the positions within so many moves.
pub(super) fn may_play(steps: &[Step], who: Color, square: Square, within: usize) -> bool {
    steps.iter().take(within).any(|step| step.after.turn() == Some(who) && step.after.legal().contains(square))
}

/// The squares around these.
pub(super) fn neighbours(squares: Bitboard) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let wide = squares.0 | squares.0 << 1 & NOT_A | squares.0 >> 1 & NOT_H;
    Bitboard(wide | wide << 8 | wide >> 8) - squares
}

/// The squares that belong together with this one: reached over empty squares, corners touching too.
pub(super) fn region(empty: Bitboard, square: Square) -> Bitboard {
    let mut region = Bitboard::from(square) & empty;
    loop {
        let more = region | neighbours(region) & empty;
        if more == region {
            return region;
        }
        region = more;
    }
}

/// The moves that the side which is not to move would have.
pub(super) fn waiting_moves(position: &Position) -> Bitboard {
    position.board().pass().legal()
}

/// Whether a move turns only discs that have no empty square beside them, so that it opens nothing.
pub(super) fn is_quiet(board: Board, square: Square) -> bool {
    let empty = board.empty() - square.into();
    (neighbours(empty) & board.flips(square)).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_do_not_wrap_around_the_board() {
        for square in Square::ALL {
            let near = |other: Square| {
                let (columns, rows) = (square.column().abs_diff(other.column()), square.row().abs_diff(other.row()));
                other != square && columns <= 1 && rows <= 1
            };
            let expected: Bitboard = Square::ALL.into_iter().filter(|&other| near(other)).collect();
            assert_eq!(neighbours(square.into()), expected, "{square}");
        }
    }

    #[test]
    fn regions_touch_by_corners() {
        let empty: Bitboard = [Square::A1, Square::B2, Square::B3, Square::H8].into_iter().collect();
        assert_eq!(region(empty, Square::A1).len(), 3);
        assert_eq!(region(empty, Square::H8).len(), 1);
        assert!(region(empty, Square::D4).is_empty());
    }

    #[test]
    fn a_quiet_move_opens_nothing() {
        // f5 turns e5, which has empty squares beside it
        assert!(!is_quiet(Board::START, Square::F5));
        // between full rows nothing opens but the square itself
        let mover = Bitboard(0x00ff_00ff_0000_0000 | 1 << 40);
        let other = Bitboard(0x0000_7e00_0000_0000 & !mover.0);
        assert!(is_quiet(Board { mover, other }, Square::H6));
    }
}

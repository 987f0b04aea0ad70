//! How a game ended and what it counts: [`Outcome`].

use crate::{ByColor, Color};
use core::fmt;

/// Why no move follows.
///
/// ```
/// use rules::{Color, Ending};
/// assert_eq!(Ending::Resigned(Color::White).forfeited_by(), Some(Color::White));
/// assert_eq!(Ending::WipedOut(Color::White).forfeited_by(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// All 64 squares have a disc.
    Full,
    /// This colour has no disc left.
    WipedOut(Color),
    /// Squares are empty and both colours have discs, but neither side can move.
    NoMoves,
    /// This player gave up.
    Resigned(Color),
    /// This player's time ran out.
    OutOfTime(Color),
}

impl Ending {
    /// The player who lost without regard to the discs, if one did.
    pub const fn forfeited_by(self) -> Option<Color> {
        match self {
            Ending::Resigned(color) | Ending::OutOfTime(color) => Some(color),
            Ending::Full | Ending::WipedOut(_) | Ending::NoMoves => None,
        }
    }
}

/// The result of a finished game, counted both ways: the discs on the board, and the score with the empty
/// squares given to the winner (half each in a draw).
///
/// ```
/// use rules::{ByColor, Color, Ending, Outcome};
/// let outcome = Outcome { discs: ByColor { black: 38, white: 22 }, ending: Ending::NoMoves };
/// assert_eq!(outcome.winner(), Some(Color::Black));
/// assert_eq!(outcome.score(), ByColor { black: 42, white: 22 });
/// assert_eq!(outcome.difference(), 20);
///
/// let forfeit = Outcome { ending: Ending::OutOfTime(Color::Black), ..outcome };
/// assert_eq!(forfeit.score(), ByColor { black: 0, white: 64 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The discs on the board.
    pub discs: ByColor<u8>,
    /// Why the game is over.
    pub ending: Ending,
}

impl Outcome {
    /// Who won; `None` is a draw.
    pub fn winner(self) -> Option<Color> {
        if let Some(loser) = self.ending.forfeited_by() {
            return Some(!loser);
        }
        match self.discs.black.cmp(&self.discs.white) {
            core::cmp::Ordering::Greater => Some(Color::Black),
            core::cmp::Ordering::Equal => None,
            core::cmp::Ordering::Less => Some(Color::White),
        }
    }

    /// The score: always 64 in all. Empty squares go to the winner, half to each in a draw; a forfeit is 64–0.
    pub fn score(self) -> ByColor<u8> {
        let Some(winner) = self.winner() else { return ByColor { black: 32, white: 32 } };
        let loser = if self.ending.forfeited_by().is_some() { 0 } else { self.discs[!winner] };
        let mut score = ByColor { black: loser, white: loser };
        score[winner] = 64 - loser;
        score
    }

    /// Black's score less White's.
    pub fn difference(self) -> i8 {
        let score = self.score();
        score.black as i8 - score.white as i8
    }

    /// Squares without a disc.
    pub fn empties(self) -> u8 {
        64 - self.discs.black - self.discs.white
    }
}

/// The score as players write it, Black first: `42-22`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = self.score();
        write!(f, "{}-{}", score.black, score.white)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_splits_the_empties() {
        let outcome = Outcome { discs: ByColor { black: 30, white: 30 }, ending: Ending::NoMoves };
        assert_eq!(outcome.winner(), None);
        assert_eq!(outcome.to_string(), "32-32");
        assert_eq!((outcome.difference(), outcome.empties()), (0, 4));
    }

    #[test]
    fn a_wipe_out_is_64_to_0() {
        let outcome = Outcome { discs: ByColor { black: 0, white: 14 }, ending: Ending::WipedOut(Color::Black) };
        assert_eq!(outcome.to_string(), "0-64");
        assert_eq!(outcome.difference(), -64);
    }

    #[test]
    fn the_loser_of_a_forfeit_may_be_ahead_on_the_board() {
        let outcome = Outcome { discs: ByColor { black: 50, white: 3 }, ending: Ending::Resigned(Color::Black) };
        assert_eq!(outcome.winner(), Some(Color::White));
        assert_eq!(outcome.to_string(), "0-64");
    }
}

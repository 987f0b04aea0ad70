//! How a game ended and what it counts: [`Outcome`].

use crate::{ByColor, Color};
use core::fmt;

/// Why no move follows. Giving up and running out of time are no matter of the board: whoever keeps the game knows them.
///
/// ```
/// use rules::{Color, Ending, Position};
/// let moves = ["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6", "e3"].map(|name| name.parse().unwrap());
/// let end = moves.iter().fold(Position::start(), |at, &square| at.play(square).unwrap().after);
/// assert_eq!(end.outcome().map(|outcome| outcome.ending), Some(Ending::WipedOut(Color::White)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// All 64 squares have a disc.
    Full,
    /// This colour has no disc left.
    WipedOut(Color),
    /// Squares are empty and both colours have discs, but neither side can move.
    NoMoves,
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
        match self.discs.black.cmp(&self.discs.white) {
            core::cmp::Ordering::Greater => Some(Color::Black),
            core::cmp::Ordering::Equal => None,
            core::cmp::Ordering::Less => Some(Color::White),
        }
    }

    /// The score: always 64 in all. Empty squares go to the winner, half to each in a draw.
    pub fn score(self) -> ByColor<u8> {
        let Some(winner) = self.winner() else { return ByColor { black: 32, white: 32 } };
        let loser = self.discs[!winner];
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
}

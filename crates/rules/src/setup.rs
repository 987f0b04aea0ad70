//! Discs and a turn as anyone may type them: [`Setup`], the checked door to a [`Position`].

use crate::{Bitboard, ByColor, Color, Position, Square};
use core::{fmt, str::FromStr};

/// Discs and a player to move, not yet checked.
///
/// # Reading and writing
///
/// The text form is 64 squares from a1, row by row, `X` black, `O` white and `-` empty, then a space and the side
/// to move, `X` or `O`. Reading takes either case and any white space between squares. (The `record` crate reads
/// every other alphabet in use.)
///
/// ```
/// use rules::{Color, Position, Setup};
/// let text = "---------------------------OX------XO--------------------------- X";
/// let setup: Setup = text.parse()?;
/// assert_eq!(setup.to_string(), text);
/// assert_eq!(setup.position()?, Position::start());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Squares with a black disc.
    pub black: Bitboard,
    /// Squares with a white disc.
    pub white: Bitboard,
    /// Who moves, if they can.
    pub turn: Color,
}

/// Why discs and turn are not a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SetupError {
    /// A square has a black and a white disc.
    TwoDiscs(Square),
    /// There is no disc at all.
    NoDiscs,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::TwoDiscs(square) => write!(f, "{square} has both a black and a white disc"),
            SetupError::NoDiscs => f.write_str("the board has no disc on it"),
        }
    }
}

impl core::error::Error for SetupError {}

impl Setup {
    /// The position these discs make.
    ///
    /// If the player named cannot move but their opponent can, the turn is the opponent's: compare
    /// [`Position::turn`] with [`Setup::turn`] to see that a pass was made.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if this is not a board.
    ///
    /// ```
    /// use rules::{Bitboard, Color, Setup, SetupError, Square};
    /// let e4 = Bitboard::from(Square::E4);
    /// let setup = Setup { black: e4, white: e4, turn: Color::Black };
    /// assert_eq!(setup.position(), Err(SetupError::TwoDiscs(Square::E4)));
    /// ```
    pub fn position(self) -> Result<Position, SetupError> {
        if let Some(square) = (self.black & self.white).first() {
            return Err(SetupError::TwoDiscs(square));
        }
        if (self.black | self.white).is_empty() {
            return Err(SetupError::NoDiscs);
        }
        Ok(Position::settle(ByColor { black: self.black, white: self.white }, self.turn))
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Position, SetupError> {
        setup.position()
    }
}

impl From<Position> for Setup {
    fn from(position: Position) -> Setup {
        position.setup()
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::ALL {
            f.write_str(match (self.black.contains(square), self.white.contains(square)) {
                (true, _) => "X",
                (_, true) => "O",
                _ => "-",
            })?;
        }
        write!(f, " {}", self.turn.letter())
    }
}

/// Why a text is not a setup.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ParseSetupError {
    /// A character that is none of `X`, `O`, `-` and white space.
    Character {
        /// The character.
        found: char,
        /// Characters before it.
        at: usize,
    },
    /// Fewer than 64 squares.
    Squares(usize),
    /// No side to move, or more text than that.
    Turn,
}

impl fmt::Display for ParseSetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseSetupError::Character { found, at } => {
                write!(f, "character {} is {found:?}; a square is X, O or -", at + 1)
            }
            ParseSetupError::Squares(count) => write!(f, "{count} squares where 64 are needed"),
            ParseSetupError::Turn => {
                f.write_str("after the 64 squares stands the side to move, X or O, and nothing more")
            }
        }
    }
}

impl core::error::Error for ParseSetupError {}

impl FromStr for Setup {
    type Err = ParseSetupError;

    fn from_str(text: &str) -> Result<Setup, ParseSetupError> {
        let mut discs = ByColor::<Bitboard>::default();
        let mut turn = None;
        let mut squares = Square::ALL.into_iter();
        for (at, found) in text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
            let color = match found {
                'X' | 'x' => Some(Color::Black),
                'O' | 'o' => Some(Color::White),
                '-' => None,
                _ => return Err(ParseSetupError::Character { found, at }),
            };
            match (squares.next(), color) {
                (Some(square), Some(color)) => discs[color] |= square.into(),
                (Some(_), None) => {}
                (None, Some(color)) if turn.is_none() => turn = Some(color),
                (None, _) => return Err(ParseSetupError::Turn),
            }
        }
        match (squares.len(), turn) {
            (0, Some(turn)) => Ok(Setup { black: discs.black, white: discs.white, turn }),
            (0, None) => Err(ParseSetupError::Turn),
            (missing, _) => Err(ParseSetupError::Squares(64 - missing)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_setup_says_why() {
        let squares = "-".repeat(64);
        let error = |text: &str| text.parse::<Setup>().unwrap_err().to_string();
        assert_eq!(error(""), "0 squares where 64 are needed");
        assert_eq!(error(&squares[1..]), "63 squares where 64 are needed");
        assert!(error(&squares).starts_with("after the 64 squares"));
        assert!(error(&format!("{squares} XX")).starts_with("after the 64 squares"));
        assert_eq!(error("--?"), "character 3 is '?'; a square is X, O or -");
        let empty: Setup = format!("{squares} O").parse().unwrap();
        assert_eq!(empty.position(), Err(SetupError::NoDiscs));
    }

    #[test]
    fn a_turn_that_must_pass_goes_to_the_other() {
        // Black on a1 and White on b1: White can play nothing, Black can play c1.
        let setup = Setup { black: Square::A1.into(), white: Square::B1.into(), turn: Color::White };
        let position = setup.position().unwrap();
        assert_eq!(position.turn(), Some(Color::Black));
        assert_ne!(position.turn(), Some(setup.turn));
    }
}

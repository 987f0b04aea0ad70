//! Why something could not be read or written.

use rules::{Color, Reason, SetupError, Square};
use std::fmt;
use thiserror::Error;

/// Where in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    /// Bytes before it.
    pub byte: usize,
    /// The line, the first being 1; 0 in a binary file.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "byte {}", self.byte),
            line => write!(f, "line {line}"),
        }
    }
}

/// A game or position that could not be taken, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct Rejection {
    /// Which game of the file, the first being 1; `None` where something is wrong with the file as a whole.
    pub game: Option<usize>,
    /// Where in the file: the offending move where there is one, else the beginning of the game.
    pub place: Place,
    /// What is wrong with it.
    #[source]
    pub why: Why,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            Some(game) => write!(f, "game {game}, {}: {}", self.place, self.why),
            None => self.why.fmt(f),
        }
    }
}

/// What is wrong with a game or position.
///
/// Plies are counted as players count them: discs placed, the first being 1; passes are not counted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Why {
    /// A move that the rules do not allow.
    #[error("move {ply}: {}", rules::IllegalMove { square: *square, reason: *reason })]
    Illegal {
        /// Which move.
        ply: usize,
        /// Where it was.
        square: Square,
        /// Why it cannot be.
        reason: Reason,
    },
    /// A move by the player whose turn it is not.
    #[error("move {ply}: {square} is given to {by}, but it is {}'s turn", !*by)]
    WrongTurn {
        /// Which move.
        ply: usize,
        /// Where it was.
        square: Square,
        /// Who is said to have played it.
        by: Color,
    },
    /// A pass by a player who has a move.
    #[error("a pass before move {ply}, but {by} can move")]
    Pass {
        /// The move that would come next.
        ply: usize,
        /// Who passed.
        by: Color,
    },
    /// Something that should be a square.
    #[error("move {ply}: {found:?} is not a square")]
    NotASquare {
        /// Which move.
        ply: usize,
        /// What is there instead.
        found: String,
    },
    /// A point as Go players write it.
    #[error("{found:?} is a point of a Go board")]
    GoPoint {
        /// The point.
        found: String,
    },
    /// More moves than a game can have.
    #[error("more moves than a game can have")]
    TooManyMoves,
    /// A larger tree of variations than is read.
    #[error("more than {} moves in all variations", crate::raw::MOST_NODES)]
    TooManyNodes,
    /// More properties than are kept.
    #[error("more than {most} properties")]
    TooManyProperties {
        /// How many are.
        most: usize,
    },
    /// A board that is not 8 × 8.
    #[error("a board of size {size}; only 8 × 8 is read")]
    BoardSize {
        /// The size, as the file says it.
        size: String,
    },
    /// Another game.
    #[error("the game is {game:?}, not Othello")]
    AnotherGame {
        /// Its name or number.
        game: String,
    },
    /// A game that did not begin at the usual start, and where it began is missing.
    #[error("the board at the start is missing")]
    NoBoard,
    /// Discs that make no board.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Discs set up in the middle of a game.
    #[error("discs are set up after the first move")]
    LateSetup,
    /// A bracket without its partner.
    #[error("{open:?} is never closed")]
    Unclosed {
        /// The bracket.
        open: char,
    },
    /// A character that has no place there.
    #[error("{found:?} is not expected here")]
    Unexpected {
        /// The character.
        found: char,
    },
    /// A character that is no square of a board.
    #[error("square {square} of the board is {found:?}")]
    BoardCharacter {
        /// Which square of the text, the first being 1.
        square: usize,
        /// What is there.
        found: char,
    },
    /// Not 64 squares.
    #[error("{count} squares where 64 are needed")]
    BoardSquares {
        /// How many there are.
        count: usize,
    },
    /// After the board, something else than the side to move.
    #[error("the side to move is missing after the board")]
    NoTurn,
    /// A number that cannot be read.
    #[error("{found:?} is not a number")]
    NotANumber {
        /// What is there instead.
        found: String,
    },
    /// A file that ends before the number of games it promises.
    #[error("the header promises {promised} records, the file holds {found}")]
    Truncated {
        /// What the header says.
        promised: usize,
        /// Whole records in the file.
        found: usize,
    },
    /// A header that is none.
    #[error("the file is too short for a WTHOR header")]
    NoHeader,
    /// A move byte that stands for no square.
    #[error("move {ply}: byte {byte} stands for no square")]
    MoveByte {
        /// Which move.
        ply: usize,
        /// The byte.
        byte: u8,
    },
    /// A count of discs above 64.
    #[error("a score of {score} discs; a board has 64")]
    Score {
        /// The count.
        score: u8,
    },
    /// A WTHOR file that holds something else than games.
    #[error("the file holds {what}, not games")]
    NotGames {
        /// What it holds.
        what: Holds,
    },
    /// A line of words with a square in it that is no game.
    #[error("a square among words, but no game")]
    Prose,
    /// Moves outside of the games of a file that has its own way to write them.
    #[error("moves outside of the games of the file")]
    BetweenGames,
    /// Nothing was played: it is a position, or a game before its first move.
    #[error("no moves")]
    NoMoves,
    /// A result that is not the one the moves lead to.
    #[error("the result is given as {claimed}, but the moves end {played}")]
    WrongResult {
        /// The result as the file has it.
        claimed: String,
        /// The result on the board.
        played: String,
    },
    /// No format we know.
    #[error("no game or position that can be read is in it")]
    Unknown,
}

/// What a WTHOR file without games holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holds {
    /// Names of players.
    Players,
    /// Names of tournaments.
    Tournaments,
    /// Endgame positions.
    Solitaires,
}

impl fmt::Display for Holds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Holds::Players => "names of players",
            Holds::Tournaments => "names of tournaments",
            Holds::Solitaires => "endgame positions",
        })
    }
}

impl Why {
    /// The move it is about, counted from 1.
    pub fn ply(&self) -> Option<usize> {
        match self {
            Why::Illegal { ply, .. }
            | Why::WrongTurn { ply, .. }
            | Why::Pass { ply, .. }
            | Why::NotASquare { ply, .. }
            | Why::MoveByte { ply, .. } => Some(*ply),
            _ => None,
        }
    }

    /// The square it is about.
    pub fn square(&self) -> Option<Square> {
        match self {
            Why::Illegal { square, .. } | Why::WrongTurn { square, .. } => Some(*square),
            _ => None,
        }
    }
}

/// Something wrong at a byte of the text that was being read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("byte {byte}: {why}")]
pub struct ReadError {
    /// Bytes before it.
    pub byte: usize,
    /// What is wrong.
    pub why: Why,
}

/// Why a game cannot be written in a format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WriteError {
    /// The format holds games from the usual start only.
    #[error("the game does not begin at the usual start, and {0} has no way to say so")]
    Start(crate::Format),
    /// The format holds positions, and this is a game.
    #[error("{0} holds positions, not games")]
    Moves(crate::Format),
    /// More different names than the format can number.
    #[error("more names than a WTHOR file can number")]
    Names,
    /// The format is not one that many games can be written in.
    #[error("{0} holds one game only")]
    OneGame(crate::Format),
    /// A drawing shows one game.
    #[error("a drawing shows one game only")]
    OneDrawing,
}

//! Reversi games and positions as files.
//!
//! Reading has two stages, and each is a type: a reader turns bytes into a [`RawGame`], what the file claims;
//! [`Record::try_from`] replays it, and a [`Record`] is legal from its first move to its last.
//!
//! ```
//! use record::{Record, transcript};
//! let raw = transcript::read(b"1. F5 D6 2. C3 -- and so on").unwrap();
//! assert_eq!(raw.plies.len(), 4);
//! // A pass after three moves? White can move.
//! let error = Record::try_from(raw).unwrap_err();
//! assert_eq!(error.why.to_string(), "a pass before move 4, but white can move");
//! ```
//!
//! | module | what it reads and writes |
//! |---|---|
//! | [`transcript`] | moves in a row: `f5d6c3…` |
//! | [`pgn`] | tags and numbered moves, as PlayOK writes them |
//! | [`ggf`] | the Generic Game Format of GGS, NBoard and Edax |
//! | [`sgf`] | the Smart Game Format, game 2, with variations |
//! | [`wthor`] | the French federation's database of tournament games |
//! | [`obf`] | positions with the scores of their moves, for testing engines |
//! | [`board_text`] | a board as a string, in every alphabet in use, and as a diagram |
//! | [`svg`] | diagrams to print (written only) |
//!
//! [`lost`] says what of a game a format has no place for. [`export`] writes many games as one text; [`import`] guesses the format, reads game after game, and reports each that cannot be taken.
#![forbid(unsafe_code)]

pub mod board_text;
mod clock;
mod date;
mod error;
pub mod export;
mod games;
pub mod ggf;
pub mod import;
mod loss;
pub mod obf;
pub mod pgn;
mod raw;
mod replay;
pub mod sgf;
pub mod svg;
mod text;
pub mod transcript;
pub mod wthor;

pub use clock::Clock;
pub use date::Day;
pub use error::{Holds, Place, ReadError, Rejection, Why, WriteError};
pub use games::Games;
pub use import::Format;
pub use loss::{Loss, lost};
pub use raw::{
    Claim, Extra, Headers, How, Known, MOST_EXTRAS, MOST_MOVE_EXTRAS, MOST_NODES, MOST_PLIES, Note, RawGame, RawKnown,
    RawNote, RawPly, Theory,
};
pub use replay::{Move, MoveNote, Record};

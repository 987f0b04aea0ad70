//! The rules of Reversi.
//!
//! Two players, Black and White, place discs in turn on a board of 8 × 8 squares. A move must outflank at least one
//! opposing disc along a row, a column or a diagonal; every outflanked disc turns. A player without a move passes;
//! when neither can move, the one with more discs wins.
//!
//! Start with [`Position`]: it is always either playable or over.
//!
//! ```
//! use rules::{Color, Position, Square};
//!
//! let mut position = Position::start();
//! let step = position.play(Square::F5)?;
//! println!("{} turns {} disc", step.by, step.flips.len());
//! position = step.after;
//! assert_eq!(position.turn(), Some(Color::White));
//! assert_eq!(position.legal().len(), 3);
//! # Ok::<(), rules::IllegalMove>(())
//! ```
//!
//! | type | what it is |
//! |---|---|
//! | [`Color`], [`ByColor`] | the players, and one value for each |
//! | [`Square`], [`Bitboard`] | a place for a disc, and a set of them |
//! | [`Position`], [`Step`] | a state of the game, and what a move did |
//! | [`Setup`] | discs as anyone may type them; the checked door to a `Position` |
//! | [`Outcome`], [`Ending`] | the result, with the empties to the winner, and why it ended |
//! | [`Board`] | discs from the mover's side, for engines |
//! | [`Symmetry`] | the eight ways to look at a board |
//! | [`perft()`] | counting lines of play |
//!
//! # Feature flags
//!
//! `serde`: squares and colours as their text (`"f5"`, `"black"`); setups as theirs.

mod bitboard;
mod board;
mod color;
pub mod kernel;
mod outcome;
mod perft;
mod position;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod square;
mod symmetry;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use color::{ByColor, Color, ParseColorError};
pub use outcome::{Ending, Outcome};
pub use perft::{perft, perft_threads};
pub use position::{IllegalMove, Position, Reason, Step};
pub use setup::{ParseSetupError, Setup, SetupError};
pub use square::{ParseSquareError, Square};
pub use symmetry::Symmetry;

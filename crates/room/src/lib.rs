//! A game with everything decided about it that is not the game itself, without I/O.

#![forbid(unsafe_code)]

mod kept;
mod openings;

pub use kept::{Begun, Entered, Listed, Stored, StoredEntry, Summary, Write};
pub use openings::balanced_opening;

//! What a game or a position teaches. Pure: it reads what searches found and says what to search next, and never runs a
//! search by itself.
//!
//! [`review`] judges the moves of a game, and [`reason`] says why a move was bad, where a search has shown it;
//! [`tree`] is a game that can be edited.

#![forbid(unsafe_code)]

pub mod reason;
pub mod review;
pub mod tree;

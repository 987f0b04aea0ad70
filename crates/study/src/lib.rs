//! What a game or a position teaches. Pure: it reads what searches found and says what to search next, and never runs a
//! search by itself.
//!
//! [`review`] judges the moves of a game, and [`reason`] says why a move was bad, where a search has shown it;
//! [`advice`] says it of a move that a player might have chosen instead of a good one; [`tree`] is a game that can be edited; [`overlay`] is what can be seen of a position; [`book`] knows what openings are
//! worth and [`names`] what they are called; [`puzzle`] has endgames to solve, and [`card`] says when to ask again; [`fair_play`] compares a
//! player's moves with the engine's.

#![forbid(unsafe_code)]

pub mod advice;
pub mod book;
pub mod card;
pub mod fair_play;
pub mod names;
pub mod overlay;
pub mod puzzle;
pub mod reason;
pub mod review;
mod sorted;
pub mod tree;

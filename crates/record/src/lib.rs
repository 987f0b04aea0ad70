//! Reversi games and positions as files.
#![forbid(unsafe_code)]

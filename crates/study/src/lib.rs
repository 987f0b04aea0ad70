//! What a game or a position teaches. Pure: it reads what searches found and says what to search next, and never runs a
//! search by itself.

#![forbid(unsafe_code)]

pub mod tree;

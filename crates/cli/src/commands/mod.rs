//! One file per command.

pub(crate) mod completions;
pub(crate) mod man;
pub(crate) mod perft;

//! One file per command.

pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod import;
pub(crate) mod man;
pub(crate) mod perft;
pub(crate) mod serve;
pub(crate) mod show;

//! One file per command.

pub(crate) mod analyse;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod bot;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod gtp;
pub(crate) mod import;
pub(crate) mod library;
pub(crate) mod load;
pub(crate) mod man;
pub(crate) mod matches;
pub(crate) mod move_data;
pub(crate) mod openings;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod review;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;

//! `outflank book` and what may be typed after it.

use super::{Machine, Shelf};
use clap::{Subcommand, ValueHint};
use std::ffi::OsString;

#[derive(clap::Args, Debug)]
pub(crate) struct Book {
    #[command(subcommand)]
    pub(crate) command: BookCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum BookCommand {
    Show(BookShow),
    Add(BookAdd),
}

#[derive(clap::Args, Debug)]
pub(crate) struct BookShow {
    // a board may begin with empty squares
    #[arg(value_name = "GAME", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub(crate) game: Option<OsString>,
    #[command(flatten)]
    pub(crate) shelf: Shelf,
}

#[derive(clap::Args, Debug)]
pub(crate) struct BookAdd {
    #[arg(value_name = "GAME", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub(crate) game: OsString,
    #[arg(long, value_name = "PLIES", default_value = "18", value_parser = clap::value_parser!(u8).range(1..=40))]
    pub(crate) depth: u8,
    #[command(flatten)]
    pub(crate) machine: Machine,
    #[command(flatten)]
    pub(crate) shelf: Shelf,
}

//! `outflank library` and what may be typed after it.

use crate::commands::convert::Target;
use clap::{Subcommand, ValueHint};
use library::Years;
use rules::Color;
use std::{ffi::OsString, path::PathBuf};

#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Library {
    #[command(flatten)]
    pub(crate) shelf: Shelf,
    #[command(subcommand)]
    pub(crate) command: Option<LibraryCommand>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum LibraryCommand {
    Add(Add),
    Find(Find),
    Export(Export),
    Remove(Remove),
    Backup(Backup),
    Restore(Restore),
}

/// Which library, and for whom the answer is.
#[derive(clap::Args, Debug)]
pub(crate) struct Shelf {
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Add {
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,
    #[command(flatten)]
    pub(crate) shelf: Shelf,
}

/// Which games.
#[derive(clap::Args, Debug)]
pub(crate) struct Selection {
    // a board may begin with empty squares
    #[arg(value_name = "GAME", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub(crate) position: Option<OsString>,
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub(crate) black: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub(crate) white: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub(crate) tournament: Option<String>,
    #[arg(long, value_name = "YEARS")]
    pub(crate) year: Option<Years>,
    #[arg(long, value_name = "RESULT", value_parser = result)]
    pub(crate) result: Option<Winner>,
}

/// Who won, if anybody did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Winner(pub(crate) Option<Color>);

fn result(name: &str) -> Result<Winner, &'static str> {
    match name {
        "black" => Ok(Winner(Some(Color::Black))),
        "white" => Ok(Winner(Some(Color::White))),
        "draw" => Ok(Winner(None)),
        _ => Err("black, white, draw"),
    }
}

#[derive(clap::Args, Debug)]
pub(crate) struct Find {
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) shelf: Shelf,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Export {
    #[arg(value_name = "TO")]
    pub(crate) into: PathBuf,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[arg(long, value_name = "FORMAT", value_parser = Target::named)]
    pub(crate) to: Option<Target>,
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) shelf: Shelf,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Remove {
    #[arg(value_name = "N", required_unless_present = "from", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) numbers: Vec<u32>,
    #[arg(long, value_name = "FILE", conflicts_with = "numbers")]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) shelf: Shelf,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Backup {
    #[arg(value_name = "TO")]
    pub(crate) into: PathBuf,
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) shelf: Shelf,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Restore {
    #[arg(value_name = "FROM", value_hint = ValueHint::FilePath)]
    pub(crate) from: PathBuf,
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) shelf: Shelf,
}

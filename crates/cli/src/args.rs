//! What may be typed after `outflank`.
//!
//! The help of each command and option is the message `cli-help-COMMAND` or `cli-help-COMMAND-OPTION` of
//! `locales/*.ftl`; a test fails when one is missing.

use crate::{commands::convert::Target, language::Language};
use clap::{ArgAction, Parser, Subcommand};
use std::{ffi::OsString, net::SocketAddr, path::PathBuf};

#[derive(Parser, Debug)]
#[command(name = "outflank", version, disable_help_flag = true, disable_version_flag = true)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Args {
    #[arg(long, global = true, value_name = "LANGUAGE", value_parser = Language::named)]
    pub(crate) lang: Option<Language>,
    #[arg(short, long, global = true, action = ArgAction::Help)]
    help: Option<bool>,
    #[arg(short = 'V', long, action = ArgAction::Version)]
    version: Option<bool>,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Serve(Serve),
    Show(Show),
    Convert(Convert),
    Import(Import),
    Perft(Perft),
    Completions(Completions),
    Man,
}

#[derive(clap::Args, Debug, Default)]
pub(crate) struct Serve {
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<SocketAddr>,
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    #[arg(long)]
    pub(crate) lan: bool,
    #[arg(long)]
    pub(crate) no_open: bool,
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Show {
    // a board may begin with empty squares
    #[arg(value_name = "GAME", allow_hyphen_values = true)]
    pub(crate) game: OsString,
    #[arg(long, value_name = "MOVES")]
    pub(crate) at: Option<usize>,
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) number: u32,
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    #[arg(long, requires = "svg")]
    pub(crate) print: bool,
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Convert {
    #[arg(value_name = "FROM")]
    pub(crate) from: PathBuf,
    #[arg(value_name = "TO")]
    pub(crate) into: PathBuf,
    #[arg(long, value_name = "FORMAT", value_parser = Target::named)]
    pub(crate) to: Option<Target>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Import {
    #[arg(long, required = true)]
    pub(crate) check: bool,
    #[arg(long)]
    pub(crate) json: bool,
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Perft {
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=20))]
    pub(crate) depth: u32,
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Completions {
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

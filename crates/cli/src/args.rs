//! What may be typed after `outflank`.
//!
//! The help of each command and option is the message `cli-help-COMMAND` or `cli-help-COMMAND-OPTION` of
//! `locales/*.ftl`; a test fails when one is missing.

mod book;
mod library;

pub(crate) use book::{Book, BookAdd, BookCommand, BookShow};
pub(crate) use library::{Add, Backup, Export, Find, Library, LibraryCommand, Remove, Restore, Selection, Shelf};

use crate::{commands::convert::Target, duel::player::Player, language::Language, remote::Address};
use clap::{ArgAction, Parser, Subcommand, ValueHint};
use engine::{Level, Options};
use rules::Color;
use server::{HostName, SecretAddress, StorePlace, Subnet};
use std::{
    ffi::OsString,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    time::Duration,
};
use study::review::Thresholds;
use table::{Opening, Preset};
use tracing_subscriber::filter::LevelFilter;

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
    Play(Play),
    Show(Show),
    Convert(Convert),
    Import(Import),
    Library(Library),
    MoveData(MoveData),
    Book(Book),
    Solve(Solve),
    Bench(Bench),
    Analyse(Analyse),
    Review(Review),
    Match(Match),
    Openings(Openings),
    Gtp(Gtp),
    Nboard(Nboard),
    Perft(Perft),
    Completions(Completions),
    Man,
    Load(Load),
    Bot(Bot),
}

#[derive(clap::Args, Debug, Default)]
pub(crate) struct Serve {
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<SocketAddr>,
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    #[arg(long, value_name = "ADDRESS", env = "OUTFLANK_DATABASE", hide_env = true, hide_env_values = true)]
    pub(crate) database: Option<SecretAddress>,
    #[arg(
        long,
        value_name = "ADDRESS",
        requires = "database",
        env = "OUTFLANK_BUS",
        hide_env = true,
        hide_env_values = true
    )]
    pub(crate) bus: Option<SecretAddress>,
    #[arg(long)]
    pub(crate) lan: bool,
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) network: Vec<IpAddr>,
    #[arg(long)]
    pub(crate) no_open: bool,
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<HostName>,
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) behind_proxy: Vec<Subnet>,
    #[arg(long)]
    pub(crate) open_metrics: bool,
    #[arg(long)]
    pub(crate) open_library: bool,
    #[arg(long)]
    pub(crate) open_lobby: bool,
    #[arg(long)]
    pub(crate) no_registration: bool,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(64..=1_000_000))]
    pub(crate) connections: Option<u32>,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) per_address: Option<u32>,
    #[arg(long, value_name = "LEVEL", env = "OUTFLANK_LOG", hide_env = true, value_parser = log_level)]
    pub(crate) log: Option<LevelFilter>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Play {
    #[arg(long, value_name = "NAME")]
    pub(crate) black: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub(crate) white: Option<String>,
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub(crate) level: Option<Level>,
    #[arg(long, value_name = "COLOUR", requires = "level", conflicts_with = "toss")]
    pub(crate) color: Option<Color>,
    #[arg(long)]
    pub(crate) toss: bool,
    #[arg(long, value_name = "RULES", value_parser = preset)]
    pub(crate) rules: Option<Preset>,
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..=1440))]
    pub(crate) minutes: Option<u32>,
    #[arg(long, value_name = "SECONDS", requires = "minutes", value_parser = clap::value_parser!(u32).range(0..=3600))]
    pub(crate) increment: Option<u32>,
    #[arg(long, value_name = "OPENING", value_parser = opening)]
    pub(crate) opening: Option<Opening>,
    #[arg(long, conflicts_with_all = ["black", "white", "level", "color", "toss", "rules", "minutes", "increment", "opening"])]
    pub(crate) resume: bool,
    #[arg(long, value_name = "GAME", conflicts_with_all = ["black", "white", "level", "color", "toss", "rules", "minutes", "increment", "opening", "resume"])]
    pub(crate) game: Option<String>,
    #[arg(long)]
    pub(crate) plain: bool,
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct MoveData {
    #[arg(value_name = "FROM")]
    pub(crate) from: StorePlace,
    #[arg(value_name = "TO")]
    pub(crate) to: StorePlace,
}

fn log_level(name: &str) -> Result<LevelFilter, String> {
    match name {
        "off" => Ok(LevelFilter::OFF),
        "error" => Ok(LevelFilter::ERROR),
        "warn" => Ok(LevelFilter::WARN),
        "info" => Ok(LevelFilter::INFO),
        "debug" => Ok(LevelFilter::DEBUG),
        _ => Err("off, error, warn, info, debug".to_owned()),
    }
}

fn opening(name: &str) -> Result<Opening, String> {
    match name {
        "standard" => Ok(Opening::Standard),
        "balanced" => Ok(Opening::Balanced),
        _ => Err("standard, balanced".to_owned()),
    }
}

fn preset(name: &str) -> Result<Preset, String> {
    match name {
        "casual" => Ok(Preset::Casual),
        "club" => Ok(Preset::Club),
        "thirty" => Ok(Preset::Thirty),
        "tournament" => Ok(Preset::Tournament),
        "japan" => Ok(Preset::Japan),
        _ => Err("casual, club, thirty, tournament, japan".to_owned()),
    }
}

/// A game, and a moment of it.
#[derive(clap::Args, Debug)]
pub(crate) struct Which {
    // a board may begin with empty squares
    #[arg(value_name = "GAME", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub(crate) game: OsString,
    #[arg(long, value_name = "MOVES")]
    pub(crate) at: Option<usize>,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) number: Option<u32>,
}

/// How much of the machine the engine may use.
#[derive(clap::Args, Debug)]
pub(crate) struct Machine {
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u16).range(1..))]
    hash: Option<u16>,
}

impl Machine {
    /// What was asked for, with `hash` megabytes if none were.
    pub(crate) fn options(&self, hash: u16) -> Options {
        Options { threads: self.threads.into(), hash: self.hash.unwrap_or(hash).into() }
    }
}

#[derive(clap::Args, Debug)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) which: Which,
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    #[arg(long, requires = "svg")]
    pub(crate) print: bool,
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Convert {
    // a board may begin with empty squares
    #[arg(value_name = "FROM", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub(crate) from: OsString,
    #[arg(value_name = "TO")]
    pub(crate) into: PathBuf,
    #[arg(long, value_name = "FORMAT", value_parser = Target::named)]
    pub(crate) to: Option<Target>,
    #[arg(long)]
    pub(crate) force: bool,
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Import {
    // what it does anyway, and what earlier versions had to be told
    #[arg(long)]
    check: bool,
    #[arg(long)]
    pub(crate) json: bool,
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Solve {
    // a board may begin with empty squares
    #[arg(value_name = "FILE", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub(crate) file: OsString,
    #[command(flatten)]
    pub(crate) machine: Machine,
    #[arg(long, value_name = "A", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) from: u32,
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) to: Option<u32>,
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Bench {
    #[arg(long)]
    pub(crate) signature: bool,
    #[command(flatten)]
    pub(crate) machine: Machine,
    #[arg(long, value_name = "PLIES", default_value = "16", value_parser = clap::value_parser!(u8).range(1..=30))]
    pub(crate) depth: u8,
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Analyse {
    #[command(flatten)]
    pub(crate) which: Which,
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=60))]
    pub(crate) depth: Option<u8>,
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) lines: u8,
    #[command(flatten)]
    pub(crate) machine: Machine,
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Review {
    // a board may begin with empty squares
    #[arg(value_name = "GAME", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub(crate) game: OsString,
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) number: u32,
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=40))]
    pub(crate) depth: Option<u8>,
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) seconds: Option<Duration>,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    #[arg(long, value_name = "MB", default_value = "128", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) hash: u16,
    #[arg(long, value_name = "DISCS,DISCS,DISCS", value_parser = thresholds)]
    pub(crate) thresholds: Option<Thresholds>,
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub(crate) sgf: Option<PathBuf>,
    #[arg(long, value_name = "GAMES", conflicts_with_all = ["html", "sgf", "number", "seconds"], value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) audit: Option<u32>,
    #[arg(long)]
    pub(crate) json: bool,
}

/// The most that a good move, an inaccuracy and a mistake lose: `1,3,8`.
fn thresholds(text: &str) -> Result<Thresholds, &'static str> {
    let parts: Result<Vec<i32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match parts.as_deref() {
        Ok(&[good, inaccuracy, mistake])
            if 0 <= good && good <= inaccuracy && inaccuracy <= mistake && mistake <= 128 =>
        {
            Ok(Thresholds { good, inaccuracy, mistake })
        }
        _ => Err("1,3,8"),
    }
}

#[derive(clap::Args, Debug)]
pub(crate) struct Match {
    #[arg(value_name = "A", value_parser = Player::named)]
    pub(crate) first: Player,
    #[arg(value_name = "B", value_parser = Player::named)]
    pub(crate) second: Player,
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) games: u32,
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    pub(crate) openings: Option<PathBuf>,
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u8).range(0..=40))]
    pub(crate) random: Option<u8>,
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "time_per_game")]
    pub(crate) time_per_move: Option<Duration>,
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_per_game: Option<Duration>,
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) parallel: u16,
    #[arg(long, value_name = "MB", default_value = "16", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) hash: u16,
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    #[arg(long, value_name = "ELO", num_args = 2, allow_negative_numbers = true)]
    pub(crate) sprt: Option<Vec<f64>>,
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Openings {
    #[arg(long, value_name = "N", default_value = "400", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) count: u32,
    #[arg(long, value_name = "MOVES", default_value = "8", value_parser = clap::value_parser!(u8).range(1..=30))]
    pub(crate) plies: u8,
    #[arg(long, value_name = "PLIES", default_value = "12", value_parser = clap::value_parser!(u8).range(1..=30))]
    pub(crate) depth: u8,
    #[arg(long, value_name = "DISCS", default_value = "2", value_parser = clap::value_parser!(u8).range(0..=64))]
    pub(crate) most: u8,
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[arg(long)]
    pub(crate) json: bool,
}

/// A time in seconds, from a millisecond to a day.
fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("0.001..=86400")
}

#[derive(clap::Args, Debug)]
pub(crate) struct Gtp {
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub(crate) level: Option<Level>,
    #[command(flatten)]
    pub(crate) machine: Machine,
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Nboard {
    #[command(flatten)]
    pub(crate) machine: Machine,
}

/// A level by its number or its name.
pub(crate) fn level(text: &str) -> Result<Level, String> {
    let level = text.parse().map_or_else(|_| Level::named(text), Level::numbered);
    level.copied().ok_or_else(|| format!("1-{}", Level::ALL.len()))
}

#[derive(clap::Args, Debug)]
pub(crate) struct Perft {
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=20))]
    pub(crate) depth: u32,
    // a board may begin with empty squares
    #[arg(long, value_name = "GAME", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub(crate) from: Option<OsString>,
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

#[derive(clap::Args, Debug)]
pub(crate) struct Load {
    #[arg(long, value_name = "URL", value_parser = Address::named, conflicts_with = "check")]
    pub(crate) server: Vec<Address>,
    #[arg(long, value_name = "N", default_value = "50", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    pub(crate) games: u32,
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub(crate) seconds: u32,
    #[arg(long, value_name = "MILLISECONDS", default_value = "0", value_parser = clap::value_parser!(u32).range(0..=60_000))]
    pub(crate) think: u32,
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "check")]
    pub(crate) log: Option<PathBuf>,
    #[arg(long)]
    pub(crate) yes_this_is_my_server: bool,
    #[arg(long, value_name = "LOG", value_hint = ValueHint::FilePath, requires = "kept")]
    pub(crate) check: Option<PathBuf>,
    #[arg(long, value_name = "FOLDER", requires = "check", group = "kept", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<PathBuf>,
    #[arg(long, value_name = "URL", requires = "check", group = "kept")]
    pub(crate) database: Option<SecretAddress>,
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Bot {
    #[arg(long, value_name = "URL", value_parser = Address::named)]
    pub(crate) server: Address,
    #[arg(long, value_name = "TOKEN", env = "OUTFLANK_TOKEN", hide_env = true, hide_env_values = true)]
    pub(crate) token: String,
    #[arg(long, value_name = "LEVEL", value_parser = level, conflicts_with = "engine")]
    pub(crate) level: Option<Level>,
    #[arg(long, value_name = "COMMAND")]
    pub(crate) engine: Option<String>,
    #[arg(long, value_name = "PROTOCOL", default_value = "gtp", value_parser = spoken)]
    pub(crate) protocol: String,
    #[arg(long, value_name = "MINUTES", default_value = "5", value_parser = clap::value_parser!(u32).range(1..=180))]
    pub(crate) minutes: u32,
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = clap::value_parser!(u32).range(0..=180))]
    pub(crate) increment: u32,
    #[arg(long)]
    pub(crate) casual: bool,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) games: Option<u32>,
    #[arg(long, value_name = "LINK", conflicts_with_all = ["minutes", "increment", "casual", "games"])]
    pub(crate) join: Option<String>,
    #[arg(long, value_name = "NAME", requires = "join")]
    pub(crate) name: Option<String>,
    #[arg(long, value_name = "MB", default_value = "64", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) hash: u16,
}

/// What another engine speaks.
fn spoken(name: &str) -> Result<String, &'static str> {
    if ["gtp", "nboard"].contains(&name) { Ok(name.to_owned()) } else { Err("gtp, nboard") }
}

//! What pages and the server say about the library: many games, found by position, player, tournament, year and result.

use super::*;
use rules::{Color, Square};
use table::{CommandId, LegalMove};

/// Which games are meant. Everything that is said must hold; nothing said, every game is meant.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct LibraryQuery {
    /// The games that reach a position: the one after these moves, such as `f5d6c3`. Without a board and without moves, games that
    /// began elsewhere are meant too.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub moves: String,
    /// Where the moves begin, if not at the usual start: 64 squares from a1 to h8, then a space and the side to move, `X` or `O`.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub board: String,
    /// Part of a player's name, whichever colour they have.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub player: String,
    /// Part of the name of who plays Black.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub black: String,
    /// Part of the name of who plays White.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub white: String,
    /// Part of the tournament's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub tournament: String,
    /// From this year on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub from: Option<u16>,
    /// Until this year.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub to: Option<u16>,
    /// Who won.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, as = "Option<LibraryResult>"))]
    pub result: Option<LibraryResult>,
}

/// A result to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LibraryResult {
    /// Black won.
    Black,
    /// White won.
    White,
    /// Nobody did.
    Draw,
}

/// The order of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LibrarySort {
    /// The latest year first.
    #[default]
    Newest,
    /// The earliest year first.
    Oldest,
}

/// What a name belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LibraryNameKind {
    /// A player.
    Player,
    /// A tournament.
    Tournament,
}

/// The games that were found, and how they went.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryFound {
    /// The command's id.
    pub id: CommandId,
    /// All of them together.
    #[serde(flatten)]
    pub count: LibraryCount,
    /// The position that was asked for, as 64 squares.
    pub board: String,
    /// Who is to move there; null if the game is over.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub turn: Option<Color>,
    /// Where they can play.
    pub legal: Vec<LegalMove>,
    /// What was played there, most games first. Moves that the position's symmetry makes equal are one.
    pub next: Vec<LibraryNext>,
    /// Some of the games.
    pub list: Vec<LibraryGame>,
    /// Whether there are more: ask with `skip`.
    pub more: bool,
}

/// Games and their results. Those whose result is not known are in `games` only.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryCount {
    /// How many games.
    pub games: u32,
    /// How many Black won.
    pub black_wins: u32,
    /// How many nobody won.
    pub draws: u32,
    /// How many White won.
    pub white_wins: u32,
    /// The average of Black's score less White's, in discs; null if no score is known.
    pub average: Option<f64>,
}

/// A move that was played, and how those games went.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryNext {
    /// The square, as the board that was asked for has it.
    #[cfg_attr(test, ts(type = "Square"))]
    pub square: Square,
    /// The games.
    #[serde(flatten)]
    pub count: LibraryCount,
}

/// A line in the list of games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryGame {
    /// Its number in the library.
    pub number: u32,
    /// Who played Black; empty if it is not known.
    pub black: String,
    /// Who played White.
    pub white: String,
    /// The tournament.
    pub tournament: String,
    /// The round of it.
    pub round: String,
    /// The year; null if it is not known.
    pub year: Option<u16>,
    /// Black's score less White's; null if it is not known.
    pub score: Option<f32>,
    /// Who won, also where the score is not known.
    pub result: Option<LibraryResult>,
    /// How many moves were played.
    pub moves: u32,
    /// After so many of them it reaches the position.
    pub at: u32,
}

/// A name, and how many games have it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryName {
    /// The name.
    pub name: String,
    /// In how many games.
    pub games: u32,
}

/// What the library holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryStats {
    /// The command's id.
    pub id: CommandId,
    /// How many games.
    pub games: u32,
    /// How many players.
    pub players: u32,
    /// How many tournaments.
    pub tournaments: u32,
    /// The first and the last year.
    #[cfg_attr(test, ts(type = "[number, number] | null"))]
    pub years: Option<(u16, u16)>,
    /// What the file takes on the disk.
    #[cfg_attr(test, ts(type = "number"))]
    pub bytes: u64,
    /// The files that games came from; `Outflank` is this program itself.
    pub sources: Vec<LibraryName>,
    /// Whether this page may add and remove games.
    pub yours: bool,
    /// Whether the owner's finished games join the library.
    pub own: bool,
}

/// What became of files that were sent to `POST /api/library`. While it is not done, `progress` grows from 0 to 1.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryReport {
    /// How much is done.
    pub progress: f64,
    /// How many games are new.
    pub added: u32,
    /// How many were there already.
    pub already_there: u32,
    /// How many were refused; the first of them are named.
    pub refused: u32,
    /// Why.
    pub rejected: Vec<LibraryRejected>,
    /// It ended early, because the disk is full or the library cannot be used: why, in English.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub failed: Option<String>,
}

/// A game or a file that was not taken.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryRejected {
    /// The file.
    pub file: String,
    /// Which game of it, counted from 1; null for the file as a whole.
    pub game: Option<u32>,
    /// In which line; null where there are none.
    pub line: Option<u32>,
    /// A message of `locales/`, and what is put into it.
    pub why: String,
    /// What is put into it.
    #[cfg_attr(test, ts(type = "Record<string, string | number>"))]
    pub with: std::collections::BTreeMap<String, serde_json::Value>,
}

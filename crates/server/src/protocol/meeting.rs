//! How people meet, on the wire.

use super::GameSummary;
use people::{Category, Tally};
use rules::Color;
use serde::{Deserialize, Serialize};
use table::{CommandId, GameId, Rules};

/// An offer to play, or a challenge, as one page sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LobbyOffer {
    /// Its id, and the id of the game that it becomes.
    pub id: GameId,
    /// Whose it is.
    pub by: LobbyPlayer,
    /// Whom it is for, where it is a challenge.
    pub to: Option<String>,
    /// By which rules.
    pub rules: Rules,
    /// The colour that its maker wants.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub color: Option<Color>,
    /// Whether the game counts for both ratings.
    pub rated: bool,
    /// What it counts for, such as `rapid-standard`; null without clocks.
    #[cfg_attr(test, ts(type = "string | null"))]
    pub category: Option<Category>,
    /// For players with at least so many points.
    pub rating_min: Option<i32>,
    /// For players with at most so many points.
    pub rating_max: Option<i32>,
    /// Whether its maker leaves it to the server whom they play.
    pub quick: bool,
    /// When it was made, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub made: u64,
    /// Whether it is this person's.
    pub yours: bool,
}

/// Someone in the lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LobbyPlayer {
    /// The name of their account; null for a guest.
    pub handle: Option<String>,
    /// Their points in the category of the offer.
    pub rating: i32,
    /// Whether too little is known of how well they play.
    pub provisional: bool,
    /// Whether a program plays.
    pub bot: bool,
}

/// Who is offered to play, and by whom: the answer to `lobby`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Lobby {
    /// The command's id.
    pub id: CommandId,
    /// Offers to anyone, the oldest first.
    pub offers: Vec<LobbyOffer>,
    /// Challenges to this person, and by them.
    pub challenges: Vec<LobbyOffer>,
    /// How many people are connected.
    pub players: u32,
    /// How many games are being played or looked at.
    pub games: u32,
    /// This person.
    pub you: LobbyYou,
}

/// The person who looks at the lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LobbyYou {
    /// The name of their account; null for a guest.
    pub handle: Option<String>,
    /// Their ratings.
    pub ratings: Vec<CategoryRating>,
}

/// How well someone plays one kind of game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CategoryRating {
    /// The kind, such as `rapid-standard`.
    #[cfg_attr(test, ts(type = "string"))]
    pub category: Category,
    /// Points.
    pub rating: i32,
    /// Whether too little is known: few games, or none for long.
    pub provisional: bool,
    /// How many games it is made of.
    pub games: u32,
}

/// Someone with an account: the answer to `person`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Person {
    /// The command's id.
    pub id: CommandId,
    /// What they are called.
    pub handle: String,
    /// Whether a program plays.
    pub bot: bool,
    /// Since when they have the account, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub made: u64,
    /// Whether a page of theirs is connected.
    pub online: bool,
    /// Whether the person who asks has blocked them.
    pub blocked: bool,
    /// Their ratings.
    pub ratings: Vec<CategoryRating>,
    /// How their games against other people went.
    pub results: Vec<Tally>,
    /// The latest of them.
    pub games: Vec<GameSummary>,
}

/// A line in a list of the best.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Leader {
    /// What they are called.
    pub handle: String,
    /// Whether a program plays.
    pub bot: bool,
    /// Points.
    pub rating: i32,
    /// How many games they are made of.
    pub games: u32,
}

/// What a game did to a rating, in points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatingChange {
    /// Before.
    pub before: i32,
    /// After.
    pub after: i32,
}

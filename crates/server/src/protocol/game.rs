//! A game, and a line in a list of games, as a page sees them.

use super::{Cause, OpeningName, RatingChange};
use rules::{ByColor, Color};
use serde::{Deserialize, Serialize};
use study::names;
use table::{CommandId, GameId, MoveView, Ply, Seq, Status, Table, Verdict, View};

/// A game as one page sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameView {
    /// The game.
    pub game: GameId,
    /// The command that asked for it, in the answer to `open`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
    /// How many entries its log has. It only grows; a message with a smaller one than the page has is old.
    #[cfg_attr(test, ts(type = "number"))]
    pub seq: Seq,
    /// What happened last, so that it can be shown and said.
    pub cause: Cause,
    /// The server's time: the clocks in the view are as they stood then.
    #[cfg_attr(test, ts(type = "number"))]
    pub now: u64,
    /// The game.
    pub view: View,
    /// The board before the first move, as in `view.board`.
    pub start: String,
    /// Keep so many of the moves you have, then add `moves`: together they are all that stand.
    pub keep: Ply,
    /// Moves from there on.
    pub moves: Vec<MoveView>,
    /// The openings with a name that these moves have reached. Keep those that were reached by the moves you keep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<OpeningReached>>"))]
    pub openings: Vec<OpeningReached>,
    /// Secrets for the open seats, for those who play: `/#/join/GAME/INVITE` is the link.
    #[cfg_attr(test, ts(type = "ByColor<string | null>"))]
    pub invites: ByColor<Option<String>>,
    /// Which players have the game open somewhere; the computer always has. `presence` tells when that changes.
    #[cfg_attr(test, ts(type = "ByColor<boolean>"))]
    pub here: ByColor<bool>,
    /// How many people watch who do not play. `presence` tells when that changes.
    pub watchers: u32,
    /// In how many milliseconds each player may claim the game, because the other is away on their turn: 0 is now, null not at all.
    #[cfg_attr(test, ts(type = "ByColor<number | null>"))]
    pub claim_in_ms: ByColor<Option<u64>>,
    /// What the game did to both ratings, once it has counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "ByColor<RatingChange>"))]
    pub rated: Option<ByColor<RatingChange>>,
}

/// An opening that the moves of a game have reached. It is the game's until another is reached, however the moves go on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpeningReached {
    /// After so many moves.
    pub ply: Ply,
    /// What players call it.
    #[serde(flatten)]
    pub name: OpeningName,
}

impl OpeningReached {
    /// Those that the moves of a game have reached, first to last, without what the first `keep` moves have.
    pub(crate) fn after(keep: Ply, table: &Table) -> Vec<OpeningReached> {
        let reached = |(index, played): (usize, &table::Move)| {
            let name = OpeningName::from(names::at(&played.step.after)?);
            Some(OpeningReached { ply: Ply(index as u8 + 1), name })
        };
        table.moves().iter().enumerate().skip(usize::from(keep.0)).filter_map(reached).collect()
    }
}

/// A line in the list of a player's games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameSummary {
    /// The game.
    pub game: GameId,
    /// When it was begun, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub begun: u64,
    /// When something last happened in it.
    #[cfg_attr(test, ts(type = "number"))]
    pub changed: u64,
    /// Where it is.
    pub status: Status,
    /// Who plays, as this player sees it.
    #[cfg_attr(test, ts(type = "ByColor<SeatView>"))]
    pub seats: ByColor<table::SeatView>,
    /// How many moves stand.
    pub ply: Ply,
    /// Who is to move.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub turn: Option<Color>,
    /// The board, for a small picture.
    pub board: String,
    /// Discs on it.
    #[cfg_attr(test, ts(type = "ByColor<number>"))]
    pub counts: ByColor<u8>,
    /// How it ended.
    pub verdict: Option<Verdict>,
    /// When the player to move runs out of time, milliseconds since 1970; null while no clock runs.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub until: Option<u64>,
    /// It is there but cannot be read, because a later version wrote it or it is damaged. Then nothing else here says anything but
    /// `game` and `begun`; it can be deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub unreadable: bool,
    /// What the game did to both ratings, once it has counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "ByColor<RatingChange>"))]
    pub rated: Option<ByColor<RatingChange>>,
}

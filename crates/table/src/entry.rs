//! What the log of a game stores: [`Setup`] once, then one [`Entry`] after another.
//!
//! Only choices are stored, and the times at which someone looked. Turned discs, passes, fallen flags, the score and the end
//! follow from them.

use crate::{Called, Claim, GameId, PersonId, Phrase, Ply, Rules, Seat};
use rules::{ByColor, Color, Square};
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970, as the server counts them.
pub type At = u64;

/// What was agreed before the first move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// When the table was laid.
    pub at: At,
    /// Who plays which colour.
    pub seats: ByColor<Seat>,
    /// By which rules.
    pub rules: Rules,
    /// Moves that are given: the players go on from there. They take no time and cannot be taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<Square>,
}

impl Setup {
    /// A game from the usual start.
    pub fn new(at: At, seats: ByColor<Seat>, rules: Rules) -> Setup {
        Setup { at, seats, rules, opening: Vec::new() }
    }
}

/// One thing that happened at a table.
///
/// ```
/// use rules::{Color, Square};
/// use table::{Action, Entry, Ply};
/// let entry = Entry::new(1000, Some(Color::Black), Action::Play { square: Square::F5, ply: Ply(0) });
/// let text = serde_json::to_string(&entry)?;
/// assert_eq!(text, r#"{"at":1000,"by":"black","play":{"square":"f5","ply":0}}"#);
/// assert_eq!(serde_json::from_str::<Entry>(&text)?, entry);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// When it was received. A time before the entry before it counts as that one's.
    pub at: At,
    /// Which seat did it; `None` is the house.
    pub by: Option<Color>,
    /// For so many of the milliseconds since the entry before, the player to move could not know of it: it was still on its way
    /// to the disk. They are charged to nobody.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stalled_ms: u64,
    /// How many more of them the network took from the player who moves, and they get back: [`crate::Lag`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lag_ms: u64,
    /// What was done.
    #[serde(flatten)]
    pub action: Action,
}

impl Entry {
    /// Something that was done after a time that is charged in full.
    pub fn new(at: At, by: Option<Color>, action: Action) -> Entry {
        Entry { at, by, stalled_ms: 0, lag_ms: 0, action }
    }
}

fn is_zero(ms: &u64) -> bool {
    *ms == 0
}

/// What can be done at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Place a disc.
    Play {
        /// Where.
        square: Square,
        /// How many moves were played before: a second click has an old number and is refused.
        ply: Ply,
    },
    /// Give up.
    Resign {},
    /// Take back one's last move and all that followed it, or ask the opponent to allow it.
    Takeback {
        /// How many moves were played.
        ply: Ply,
    },
    /// Begin another game with the same players, or ask the opponent to; one that is not over is scrapped.
    Another {
        /// The game that takes, or would take, its place.
        next: GameId,
        /// Whether the players change colours.
        swap: bool,
    },
    /// Scrap the game without another, or ask the opponent to.
    Scrap {},
    /// End a game without a result that has hardly begun.
    Abort {},
    /// Claim a live game that the other player has left.
    Claim {
        /// As won or drawn.
        what: Claim,
        /// For how long the other was away, as the house saw it.
        away_ms: u64,
    },
    /// Stop the clocks, or ask the opponent to.
    Pause {},
    /// Let them run on, or ask the opponent to.
    Resume {},
    /// Say something to the other player.
    Say {
        /// What.
        phrase: Phrase,
    },
    /// Agree to what the opponent asks.
    #[serde(alias = "accept_takeback")]
    Accept {},
    /// Decline what the opponent asks, or withdraw what one asked for.
    #[serde(alias = "decline_takeback")]
    Decline {},
    /// Take an open seat (the entry's).
    Sit {
        /// Who sits down.
        who: PersonId,
        /// What they are called.
        #[serde(deserialize_with = "crate::seat::kept")]
        name: Called,
    },
    /// How games say it that were kept before the other player was asked: another game was begun, or this one was scrapped,
    /// by whoever wished it. It is read for ever, and written no more.
    Again {
        /// The game that took its place, where there is one.
        next: Option<GameId>,
    },
    /// The house looked at the clock: if a flag has fallen by now, it has fallen.
    Look {},
    /// The house was away, and no clock ran, from this time until now.
    Away {
        /// The last sign of life.
        from: At,
    },
}

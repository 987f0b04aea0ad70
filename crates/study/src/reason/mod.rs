//! Why a move was bad: a [`Reason`] is a claim that a search has checked.
//!
//! Three things must hold before one is stated. It happens: the best reply to the bad move, or what follows, shows it. It
//! does not happen otherwise: not in the line of the best move. It is the cause: without the replies that show it the move
//! would have lost at most half as much ([`Reason::without`]), or, where no reply is to blame, searches of both lines
//! count what the words say.

mod inquiry;
mod kinds;
mod lines;

pub(crate) use inquiry::look;
pub use inquiry::{Inquiry, Place};
pub use lines::Mistake;

use rules::Square;
use serde::{Deserialize, Serialize};

/// The part of a loss that a reason must explain, and what a fact of the line counts that explains no part by itself.
pub const LEAST_SHARE: f32 = 0.5;
/// A move that loses fewer discs than this against the best of its position is a safe one.
pub const SAFE: i32 = 3;

/// Why a move was bad.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Reason {
    /// What happened; the message `reason-KIND` says it in words.
    pub kind: ReasonKind,
    /// The squares the words speak of, at most two.
    #[cfg_attr(feature = "ts", ts(type = "Square[]"))]
    pub squares: Vec<Square>,
    /// The numbers the words speak of.
    pub numbers: Vec<i32>,
    /// The moves that show it, from the position before the bad move.
    #[cfg_attr(feature = "ts", ts(type = "Square[]"))]
    pub line: Vec<Square>,
    /// The opponent's replies that show it: without them the move loses at most half. None where no reply is to blame.
    #[cfg_attr(feature = "ts", ts(type = "Square[]"))]
    pub without: Vec<Square>,
    /// The part of the loss that it explains, from one half to 1.
    pub share: f32,
    /// All of it as a sentence, for whoever reads it elsewhere; nobody has written one yet if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub text: Option<String>,
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReasonKind {
    /// The opponent takes a corner.
    GaveCorner,
    /// A move next to a corner, which then falls.
    OpenedCorner,
    /// Every move left gives something away.
    NoSafeMoves,
    /// The opponent has moves that they did not have.
    OpenedWall,
    /// A move that opens nothing was there.
    MissedQuietMove,
    /// The opponent has the last move in a part of the board.
    GaveParity,
    /// The opponent gets discs that never turn again.
    GaveStableDiscs,
    /// The opponent would have had to pass.
    MissedPass,
    /// The right square at the wrong moment.
    TooEarly,
    /// The end was within reach of counting.
    Miscounted,
}

impl ReasonKind {
    /// As messages name it: `gave-corner`.
    ///
    /// ```
    /// assert_eq!(study::reason::ReasonKind::GaveCorner.name(), "gave-corner");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            ReasonKind::GaveCorner => "gave-corner",
            ReasonKind::OpenedCorner => "opened-corner",
            ReasonKind::NoSafeMoves => "no-safe-moves",
            ReasonKind::OpenedWall => "opened-wall",
            ReasonKind::MissedQuietMove => "missed-quiet-move",
            ReasonKind::GaveParity => "gave-parity",
            ReasonKind::GaveStableDiscs => "gave-stable-discs",
            ReasonKind::MissedPass => "missed-pass",
            ReasonKind::TooEarly => "too-early",
            ReasonKind::Miscounted => "miscounted",
        }
    }
}

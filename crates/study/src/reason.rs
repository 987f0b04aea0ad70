//! Why a move was bad: a [`Reason`] is a claim that a search has checked.

use rules::Square;
use serde::Serialize;

/// Why a move was bad.
#[derive(Clone, PartialEq, Debug, Serialize)]
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
    /// The part of the loss that it explains, from one half to 1.
    pub share: f32,
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
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

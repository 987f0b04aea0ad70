//! What a search found: [`Analysis`].

use crate::Confidence;
use rules::Square;
use std::time::Duration;

/// How a score relates to the truth the search could see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// This score.
    Exact,
    /// This score or more.
    AtLeast,
    /// This score or less.
    AtMost,
}

/// One move and what comes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The move.
    pub square: Square,
    /// The final score in discs for the player to move, empties to the winner.
    pub score: i32,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Plies searched.
    pub depth: u32,
    /// Whether the search reached the end of the game.
    pub to_the_end: bool,
    /// How sure the score is.
    pub confidence: Confidence,
    /// The principal variation: the moves expected, this one first. Passes are not written.
    ///
    /// It leads to where the score comes from: to the end of the game where [`to_the_end`](Line::to_the_end) is set, else
    /// [`depth`](Line::depth) moves ahead, or to an earlier end. Only a search that was stopped, whose score is
    /// [`Bound::AtLeast`], and one in the midgame that sees a side wiped out may know less of it.
    pub variation: Vec<Square>,
}

impl Line {
    /// Whether the score is proven.
    pub fn is_proven(&self) -> bool {
        self.to_the_end && self.confidence == Confidence::Certain && self.bound == Bound::Exact
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Analysis {
    /// The best moves, best first; none if the game is over, or none of the moves to look at is legal.
    pub lines: Vec<Line>,
    /// Plies searched.
    pub depth: u32,
    /// Positions looked at, by all threads together.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
}

impl Analysis {
    /// The best line.
    pub fn best(&self) -> Option<&Line> {
        self.lines.first()
    }
}

//! What is drawn on a board: [`Mark`] and [`Arrow`].

use rules::Square;
use serde::{Deserialize, Serialize};

/// A shape on a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Mark {
    /// Where.
    #[cfg_attr(feature = "ts", ts(type = "Square"))]
    pub square: Square,
    /// Which shape.
    pub kind: Shape,
}

/// What a mark looks like.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A ring.
    Circle,
    /// A box.
    Square,
    /// Three sides.
    Triangle,
    /// Two strokes.
    Cross,
}

/// An arrow from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Arrow {
    /// Where it begins.
    #[cfg_attr(feature = "ts", ts(type = "Square"))]
    pub from: Square,
    /// Where it points.
    #[cfg_attr(feature = "ts", ts(type = "Square"))]
    pub to: Square,
}

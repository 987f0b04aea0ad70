//! What pages and the server say about exercises: puzzles, a person's own mistakes, openings.

use super::*;
use rules::{Color, Square};
use study::tree::NodeId;
use table::{CommandId, DocumentId, LegalMove};

/// The id of a card: something to be asked again, as often as it needs.
pub type CardId = DocumentId;

/// What there is to practise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExerciseKind {
    /// Endgames in which one move wins, or one draws.
    Puzzles,
    /// Positions of the midgame in which one move is clearly the best.
    Midgames,
    /// Endings that are won, to be played to the end against perfect defence.
    Endings,
    /// This person's own mistakes.
    Mistakes,
    /// The openings this person plays.
    Openings,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExerciseTask {
    /// Find the best move.
    BestMove,
    /// One move wins: find it.
    OnlyWin,
    /// One move draws, every other loses: find it.
    OnlyDraw,
    /// The position is won: win it to the end.
    PlayOut,
    /// Play a good move of the opening.
    Repertoire,
}

/// Where a reply in an opening comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExerciseReply {
    /// From games of the library: it is what people play.
    People,
    /// From the book: the library has too few games there, or this person may not read it.
    Book,
}

/// Something that is true of a puzzle's solution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExerciseTheme {
    /// A corner could be taken, and should not be.
    CornerRefused,
    /// The opponent gets a corner by it.
    CornerGiven,
    /// It is played diagonally beside an empty corner.
    XSquare,
    /// It is played along the edge beside an empty corner.
    CSquare,
    /// The opponent must pass.
    Pass,
    /// It turns only discs that have no empty square beside them.
    Quiet,
    /// It begins a region with an odd number of empty squares, though one with an even number could be begun.
    Parity,
}

/// How far a person is with one kind of exercise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExerciseProgress {
    /// Which.
    pub kind: ExerciseKind,
    /// To be asked again by now.
    pub due: u32,
    /// Never asked so far.
    pub new: u32,
    /// Remembered: not to be asked again for three weeks or more.
    pub known: u32,
    /// All there are; for openings, all that were met.
    pub all: u32,
}

/// What was answered on one day.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExerciseDay {
    /// Days since 1 January 1970, in the person's own time zone.
    pub day: i32,
    /// Answers.
    pub answered: u32,
    /// Right ones.
    pub right: u32,
}

/// A question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Exercise {
    /// The command's id.
    pub id: CommandId,
    /// Which card.
    pub card: CardId,
    /// What is practised.
    pub kind: ExerciseKind,
    /// What is asked.
    pub task: ExerciseTask,
    /// 64 squares from a1 to h8, `X` black, `O` white, `-` empty.
    pub board: String,
    /// Who is to move: the person.
    #[cfg_attr(test, ts(type = "Color"))]
    pub turn: Color,
    /// Where they may play, and what would turn.
    pub legal: Vec<LegalMove>,
    /// The moves that led here from the usual start, where they are known. In openings the last one is the program's answer.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub moves: Vec<Square>,
    /// How hard it is, from 1 to 5, where that is known.
    pub level: Option<u8>,
    /// What is true of the solution, to be told afterwards.
    pub themes: Vec<ExerciseTheme>,
    /// What players call the opening.
    pub opening: Option<OpeningName>,
    /// The study it was made from, if that is still there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub from: Option<ExerciseSource>,
    /// Openings: where the program's last move comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub reply: Option<ExerciseReply>,
    /// How often it was answered before.
    pub answered: u32,
}

/// Where a mistake was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExerciseSource {
    /// The study.
    pub study: StudyId,
    /// The position before the mistake.
    pub at: NodeId,
}

/// What comes of an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExerciseAnswer {
    /// The command's id.
    pub id: CommandId,
    /// Which card.
    pub card: CardId,
    /// What was answered.
    #[cfg_attr(test, ts(type = "Square"))]
    pub square: Square,
    /// Whether it does what was asked.
    pub right: bool,
    /// Every move that does.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub best: Vec<Square>,
    /// Moves and what they are worth, the best first: all of them where that is known.
    pub values: Vec<ExerciseValue>,
    /// What follows the best move, itself first.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub line: Vec<Square>,
    /// The board after each move of `line`.
    pub line_boards: Vec<String>,
    /// What follows the move that was answered, itself first; empty if it is right.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub refutation: Vec<Square>,
    /// The board after each move of `refutation`.
    pub refutation_boards: Vec<String>,
    /// The move that a mistake was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "Square"))]
    pub mistake: Option<Square>,
    /// Why it was bad, as a search has checked it.
    #[cfg_attr(test, ts(type = "Reason | null"))]
    pub reason: Option<serde_json::Value>,
    /// When it will be asked again, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub due: u64,
}

/// A move and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExerciseValue {
    /// The move.
    #[cfg_attr(test, ts(type = "Square"))]
    pub square: Square,
    /// The result to expect for whoever moves, in discs.
    pub score: i32,
    /// Whether it is proven.
    pub exact: bool,
}

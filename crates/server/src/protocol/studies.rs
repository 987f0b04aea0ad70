//! What pages and the server say about studies: trees of variations, their analysis, the review of a game.

use super::*;
use rules::{Color, Square};
use study::tree::{Arrow, Mark, NodeId};

pub use study::{
    review::{Stage as ReviewStage, Thresholds},
    tree::Edit as StudyEdit,
};
use table::{CommandId, DocumentId, GameId, LegalMove};

/// A study's id.
pub type StudyId = DocumentId;

/// What a new study begins with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StudySource {
    /// The usual position before the first move.
    Start,
    /// Whatever was pasted: a transcript, a board, GGF, SGF, PlayOK's text, a link.
    Text {
        /// The text.
        text: String,
    },
    /// A game on this server that is over, or that this person plays alone.
    Game {
        /// Which.
        game: GameId,
    },
    /// A game of the library. The same game again opens the same study.
    Library {
        /// Its number there.
        #[cfg_attr(test, ts(type = "number"))]
        number: u64,
    },
    /// The position of an exercise, with the moves that lead there. The same exercise again opens the same study.
    Exercise {
        /// Which.
        card: CardId,
    },
    /// Discs and who is to move.
    Position {
        /// 64 squares from a1 to h8, `X` black, `O` white, `-` empty.
        board: String,
        /// Who is to move.
        #[cfg_attr(test, ts(type = "Color"))]
        turn: Color,
    },
    /// Any position that is about so good for Black.
    Random {
        /// The least value for Black, in discs.
        from: i32,
        /// The greatest.
        to: i32,
        /// How many squares are empty.
        empties: u8,
    },
}

/// A file to make of a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StudyFormat {
    /// The whole tree.
    Sgf,
    /// The main line.
    Ggf,
    /// The moves to a node, or of the main line.
    Transcript,
    /// The board of a node, or the main line as a numbered diagram.
    Svg,
    /// The board of a node as one line of text.
    Board,
}

/// Which moves are given a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Lines {
    /// All of them.
    #[default]
    All,
    /// The best, which is searched deeper in the same time.
    Best,
}

/// A study as it stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Study {
    /// The command that asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
    /// Its id.
    pub study: StudyId,
    /// How many changes there were. It only grows; a message with a smaller one than the page has is old.
    #[cfg_attr(test, ts(type = "number"))]
    pub seq: u64,
    /// What it is called; empty if it was given no name.
    pub title: String,
    /// Who played Black; empty if nobody says.
    pub black: String,
    /// Who played White.
    pub white: String,
    /// How the game ended, such as `40-24`.
    pub result: Option<String>,
    /// When it was last changed, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub changed: u64,
    /// The game on this server that it came from.
    pub game: Option<GameId>,
    /// Every node; a node stands after its parent.
    pub nodes: Vec<StudyNode>,
    /// Where it was last changed.
    pub at: NodeId,
    /// Whether there is a change to take back.
    pub undo: bool,
    /// Whether one that was taken back can be made again.
    pub redo: bool,
    /// How many more games stood in the text it was made from; only the first was opened.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
    pub more: u32,
    /// The last finished review of its main line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "Report"))]
    pub report: Option<serde_json::Value>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A position in a study, and the move that led to it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StudyNode {
    /// Its number: 0 is the start. Numbers are never used twice in a study.
    pub id: NodeId,
    /// The position before the move; none for the start.
    pub parent: Option<NodeId>,
    /// The moves from here; the first is the main line.
    pub children: Vec<NodeId>,
    /// The move that led here.
    #[cfg_attr(test, ts(type = "Square | null"))]
    pub square: Option<Square>,
    /// Whose move that was.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub by: Option<Color>,
    /// How many moves since the start.
    pub number: u32,
    /// The board, as in a game.
    pub board: String,
    /// Who is to move; nobody when the game is over.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub turn: Option<Color>,
    /// Where they may play, and what would turn.
    pub legal: Vec<LegalMove>,
    /// Whether the other side had to pass after this move.
    pub passed: bool,
    /// What is said of it.
    pub comment: String,
    /// Shapes on squares.
    pub marks: Vec<Mark>,
    /// Arrows.
    pub arrows: Vec<Arrow>,
    /// What players call the opening.
    pub opening: Option<OpeningName>,
    /// Seconds spent on the move, where known.
    pub seconds: Option<f32>,
    /// What the book of openings knows of the moves from here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<BookMove>>"))]
    pub book: Vec<BookMove>,
}

/// What players call an opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpeningName {
    /// In English.
    pub en: String,
    /// In Spanish.
    pub es: String,
}

impl From<&study::names::Opening> for OpeningName {
    fn from(opening: &study::names::Opening) -> OpeningName {
        OpeningName { en: opening.en.to_owned(), es: opening.es.to_owned() }
    }
}

/// A line in the list of a person's studies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StudySummary {
    /// The study.
    pub study: StudyId,
    /// What it is called.
    pub title: String,
    /// Who played Black.
    pub black: String,
    /// Who played White.
    pub white: String,
    /// When it was last changed, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub changed: u64,
    /// The board at the end of its main line.
    pub board: String,
    /// Who is to move there.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub turn: Option<Color>,
    /// How many moves the main line has.
    pub moves: u32,
    /// It is there but cannot be read, because a later version wrote it or it is damaged; it can be deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub unreadable: bool,
}

/// What changed in a study.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StudyChange {
    /// The command that changed it, for the page that sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
    /// The study.
    pub study: StudyId,
    /// How many changes there are now.
    #[cfg_attr(test, ts(type = "number"))]
    pub seq: u64,
    /// What it is called now.
    pub title: String,
    /// When that was, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub changed: u64,
    /// Nodes that are new or different.
    pub nodes: Vec<StudyNode>,
    /// Nodes that are gone.
    pub removed: Vec<NodeId>,
    /// Where the change is: a page that made it goes there.
    pub at: NodeId,
    /// Whether there is a change to take back.
    pub undo: bool,
    /// Whether one that was taken back can be made again.
    pub redo: bool,
}

/// What can be seen of a position besides its discs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Overlay {
    /// Where Black could play.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub black_moves: Vec<Square>,
    /// Where White could play.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub white_moves: Vec<Square>,
    /// Black's discs beside an empty square.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub black_frontier: Vec<Square>,
    /// White's.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub white_frontier: Vec<Square>,
    /// Black's discs that can never be turned.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub black_stable: Vec<Square>,
    /// White's.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub white_stable: Vec<Square>,
    /// Empty squares that hang together: whoever plays first in one with an even number does not play last.
    #[cfg_attr(test, ts(type = "Square[][]"))]
    pub regions: Vec<Vec<Square>>,
}

/// The board after a move of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineBoard {
    /// The move.
    #[cfg_attr(test, ts(type = "Square"))]
    pub square: Square,
    /// Whose it was.
    #[cfg_attr(test, ts(type = "Color"))]
    pub by: Color,
    /// The board, as in a game.
    pub board: String,
    /// Who is to move; nobody when the game is over.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub turn: Option<Color>,
    /// Whether the other side had to pass after it.
    pub passed: bool,
    /// What players call the opening, where the line came to one with a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub opening: Option<OpeningName>,
}

/// What the moves of a position are worth, as far as is known by now.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Analysis {
    /// Which board of the page asked.
    pub key: String,
    /// The study.
    pub study: StudyId,
    /// The position.
    pub at: NodeId,
    /// Moves and what they are worth, the best first: all of one depth, so that they can be compared.
    pub values: Vec<MoveValue>,
    /// The moves expected, the best one first.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub line: Vec<Square>,
    /// How many moves ahead was looked.
    pub depth: u32,
    /// How many positions were looked at.
    #[cfg_attr(test, ts(type = "number"))]
    pub nodes: u64,
    /// For how long, in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub ms: u64,
    /// Whether nothing more comes.
    pub done: bool,
    /// How many threads one may ask for on this machine.
    pub cores: u32,
}

/// A move and what it is worth.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MoveValue {
    /// The move.
    #[cfg_attr(test, ts(type = "Square"))]
    pub square: Square,
    /// The result to expect for whoever moves, in discs.
    pub score: i32,
    /// How many moves ahead was looked.
    pub depth: u32,
    /// How sure the search was of what it left out, in percent.
    pub percent: u8,
    /// Whether the score is proven.
    pub exact: bool,
    /// The usual error of such a score, in discs; 0 if it is proven.
    pub spread: f32,
}

/// A move in the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BookMove {
    /// The move.
    #[cfg_attr(test, ts(type = "Square"))]
    pub square: Square,
    /// The result to expect for whoever moves, in discs.
    pub score: i32,
    /// How deep its leaves were searched.
    pub depth: u32,
    /// Whether the score is proven.
    pub exact: bool,
    /// How many lines of the book begin with it.
    pub lines: u32,
}

//! A game that can be edited: [`Tree`], variations with comments, marks and arrows.
//!
//! ```
//! use rules::{Position, Square};
//! use study::tree::{Edit, NodeId, Tree};
//!
//! let mut tree = Tree::new(Position::start());
//! let f5 = tree.edit(&Edit::Play { at: NodeId::ROOT, square: Square::F5 })?.at;
//! tree.edit(&Edit::Play { at: f5, square: Square::D6 })?;
//! let diagonal = tree.edit(&Edit::Play { at: f5, square: Square::F6 })?.at;
//! tree.edit(&Edit::Comment { at: diagonal, text: "the diagonal opening".into() })?;
//! assert_eq!(tree.node(f5).unwrap().children().len(), 2);
//! assert_eq!(tree.record().main_line().collect::<Vec<_>>(), [Square::F5, Square::D6]);
//!
//! tree.edit(&Edit::Remove { at: f5 })?;
//! assert_eq!(tree.len(), 1);
//! tree.edit(&Edit::Undo)?;
//! assert_eq!(tree.node(diagonal).unwrap().comment(), "the diagonal opening");
//! # Ok::<(), study::tree::EditError>(())
//! ```

mod convert;
mod edit;
mod marks;
mod saved;

pub use edit::{Edit, EditError, Edited};
pub use marks::{Arrow, Mark, Shape};
pub use saved::{LoadError, SavedTree};

use edit::History;
use record::{Extra, Headers};
use rules::{Color, Position, Square};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many positions fit into a tree: what a page can show and a message can hold.
pub const MOST_NODES: usize = 2000;
/// How many bytes of comments and marks fit into a tree.
pub const MOST_SAID: usize = 256 * 1024;
/// How many characters a comment may have.
pub const LONGEST_COMMENT: usize = 4000;
/// How many characters a title may have.
pub const LONGEST_TITLE: usize = 200;
/// How many shapes, and how many arrows, may be on one board.
pub const MOST_MARKS: usize = 64;

/// A node of a tree. Numbers are never used twice in one tree, and a node's is greater than that of the node before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The position before the first move.
    pub const ROOT: NodeId = NodeId(0);
}

#[cfg(feature = "ts")]
impl ts_rs::TS for NodeId {
    type WithoutGenerics = NodeId;
    type OptionInnerType = NodeId;

    fn name(_: &ts_rs::Config) -> String {
        "number".to_owned()
    }

    fn inline(config: &ts_rs::Config) -> String {
        Self::name(config)
    }
}

/// A game with variations, which can be edited; every edit can be taken back.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    /// Who played, where, when.
    pub headers: Headers,
    title: String,
    nodes: BTreeMap<NodeId, Node>,
    /// The number of the next new node.
    next: u32,
    /// Where it was last edited.
    at: NodeId,
    history: History,
}

/// A position in a tree, and the move that led there.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    played: Option<Played>,
    number: u32,
    position: Position,
    said: Said,
}

/// The move that led to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Played {
    square: Square,
    by: Color,
    passed: bool,
}

/// What is said of a position and drawn on it.
#[derive(Clone, PartialEq, Debug, Default)]
struct Said {
    comment: String,
    marks: Vec<Mark>,
    arrows: Vec<Arrow>,
    seconds: Option<f32>,
    eval: Option<f32>,
    /// What a file says besides, in its own words.
    extra: Vec<Extra>,
}

impl Tree {
    /// A tree of one position.
    pub fn new(start: Position) -> Tree {
        let root = Node {
            parent: None,
            children: Vec::new(),
            played: None,
            number: 0,
            position: start,
            said: Said::default(),
        };
        Tree {
            headers: Headers::default(),
            title: String::new(),
            nodes: BTreeMap::from([(NodeId::ROOT, root)]),
            next: 1,
            at: NodeId::ROOT,
            history: History::default(),
        }
    }

    /// What it is called; empty if it was given no name.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The position before the first move.
    pub fn start(&self) -> Position {
        self.nodes[&NodeId::ROOT].position
    }

    /// Where it was last edited; the start if that is gone.
    pub fn at(&self) -> NodeId {
        if self.nodes.contains_key(&self.at) { self.at } else { NodeId::ROOT }
    }

    /// A node, if it is there.
    pub fn node(&self, at: NodeId) -> Option<&Node> {
        self.nodes.get(&at)
    }

    /// Every node; one comes after the node before it.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().map(|(id, node)| (*id, node))
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the start.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// The nodes of the main line, from the start on.
    pub fn main_line(&self) -> Vec<NodeId> {
        let mut line = vec![NodeId::ROOT];
        while let Some(next) = line.last().and_then(|last| self.nodes[last].children.first()) {
            line.push(*next);
        }
        line
    }

    /// The nodes from the start to `at`; none if there is no such node.
    pub fn line_to(&self, at: NodeId) -> Vec<NodeId> {
        let mut line: Vec<NodeId> =
            std::iter::successors(self.nodes.contains_key(&at).then_some(at), |at| self.nodes[at].parent).collect();
        line.reverse();
        line
    }

    /// The moves of a line of nodes.
    pub fn squares(&self, line: &[NodeId]) -> Vec<Square> {
        line.iter().filter_map(|id| self.nodes.get(id)?.square()).collect()
    }

    /// Whether there is an edit to take back.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// Whether one that was taken back can be made again.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// Adds a move without asking whether there is room; the one that is there if there is one.
    fn grow(&mut self, at: NodeId, square: Square) -> Result<NodeId, rules::IllegalMove> {
        let before = &self.nodes[&at];
        if let Some(there) = before.children.iter().find(|child| self.nodes[child].square() == Some(square)) {
            return Ok(*there);
        }
        let step = before.position.play(square)?;
        let node = Node {
            parent: Some(at),
            children: Vec::new(),
            played: Some(Played { square, by: step.by, passed: step.passed }),
            number: before.number + 1,
            position: step.after,
            said: Said::default(),
        };
        let id = NodeId(self.next);
        self.next += 1;
        self.nodes.insert(id, node);
        if let Some(before) = self.nodes.get_mut(&at) {
            before.children.push(id);
        }
        Ok(id)
    }

    /// About how many bytes all that is said and drawn takes.
    fn said(&self) -> usize {
        self.nodes.values().map(|node| node.said.size()).sum()
    }
}

impl Said {
    /// About how many bytes it takes.
    fn size(&self) -> usize {
        let extra = self.extra.iter().map(|extra| extra.name.len() + extra.value.len()).sum::<usize>();
        self.comment.len() + extra + 32 * (self.marks.len() + self.arrows.len())
    }
}

impl Node {
    /// The node before it; `None` for the start.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The nodes after it; the first is the main line.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// The move that led here; `None` for the start.
    pub fn square(&self) -> Option<Square> {
        self.played.map(|played| played.square)
    }

    /// Who made it.
    pub fn by(&self) -> Option<Color> {
        self.played.map(|played| played.by)
    }

    /// Whether the other side had to pass after it.
    pub fn passed(&self) -> bool {
        self.played.is_some_and(|played| played.passed)
    }

    /// How many moves since the start.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The position.
    pub fn position(&self) -> Position {
        self.position
    }

    /// What is said of it.
    pub fn comment(&self) -> &str {
        &self.said.comment
    }

    /// Shapes on squares.
    pub fn marks(&self) -> &[Mark] {
        &self.said.marks
    }

    /// Arrows.
    pub fn arrows(&self) -> &[Arrow] {
        &self.said.arrows
    }

    /// Seconds spent on the move, where known.
    pub fn seconds(&self) -> Option<f32> {
        self.said.seconds
    }
}

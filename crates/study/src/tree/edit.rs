//! Changes to a [`Tree`], each of which can be taken back.

use super::{Arrow, LONGEST_COMMENT, LONGEST_TITLE, MOST_MARKS, MOST_NODES, MOST_SAID, Mark, Node, NodeId, Tree};
use rules::{IllegalMove, Square};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How many edits can be taken back.
const MOST_EDITS: usize = 100;
/// And only while what they changed is no larger than this, in bytes, about.
const MOST_HISTORY: usize = 512 * 1024;

/// A change to a study.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "StudyEdit"))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Edit {
    /// A move from a node: a new variation, or the one that is there already.
    Play {
        /// From where.
        at: NodeId,
        /// Which.
        #[cfg_attr(feature = "ts", ts(type = "Square"))]
        square: Square,
    },
    /// Several moves, one after the other.
    Line {
        /// From where.
        at: NodeId,
        /// Which.
        #[cfg_attr(feature = "ts", ts(type = "Square[]"))]
        squares: Vec<Square>,
    },
    /// What is said of a position, in place of what was.
    Comment {
        /// Where.
        at: NodeId,
        /// In words.
        text: String,
    },
    /// What is drawn on a position, in place of what was.
    Marks {
        /// Where.
        at: NodeId,
        /// Shapes on squares.
        marks: Vec<Mark>,
        /// Arrows.
        arrows: Vec<Arrow>,
    },
    /// Takes a move away, with all that follows.
    Remove {
        /// Which.
        at: NodeId,
    },
    /// Makes a variation the first of those in its place, where it branches off last before this move.
    Promote {
        /// A move of it.
        at: NodeId,
    },
    /// Calls the study something.
    Title {
        /// What; empty for none.
        text: String,
    },
    /// Takes the last change back.
    Undo,
    /// Makes it again.
    Redo,
}

/// Why an edit was not made. Nothing was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// There is no such node.
    #[error("the study has no such position")]
    NoSuchNode,
    /// The move is illegal.
    #[error("{0}")]
    Illegal(IllegalMove),
    /// There is no room for another position.
    #[error("a study has at most {MOST_NODES} positions")]
    TooManyNodes,
    /// The comment or the title is too long.
    #[error("a comment has at most {LONGEST_COMMENT} characters, a title {LONGEST_TITLE}")]
    TooLong,
    /// There is no room for more words and marks.
    #[error("a study has room for {} KiB of comments and marks", MOST_SAID / 1024)]
    TooMuchSaid,
    /// A board has no room for so many marks.
    #[error("a position has at most {MOST_MARKS} marks and {MOST_MARKS} arrows")]
    TooManyMarks,
    /// The start cannot be removed.
    #[error("the start of a study stays")]
    Start,
    /// There is nothing to take back.
    #[error("there is no change to take back")]
    NothingToUndo,
    /// Nothing was taken back.
    #[error("there is no change to make again")]
    NothingToRedo,
}

/// What an edit did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edited {
    /// Where it is: whoever made it looks there.
    pub at: NodeId,
    /// Nodes that are new or different, each after the node before it.
    pub nodes: Vec<NodeId>,
    /// Nodes that are gone.
    pub removed: Vec<NodeId>,
    /// Whether anything is different now.
    pub changed: bool,
}

/// A change that was made: what was there before and what is there now.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Change {
    pub(super) nodes: Vec<(NodeId, Option<Node>, Option<Node>)>,
    pub(super) title: Option<(String, String)>,
    /// Where one looked before and looks after it.
    pub(super) at: (NodeId, NodeId),
    /// The node whose comment it changed, so that what is typed at one go is taken back at one go.
    pub(super) comment: Option<NodeId>,
}

/// Changes that can be taken back, and those that were.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct History {
    pub(super) done: Vec<Change>,
    pub(super) undone: Vec<Change>,
}

impl History {
    pub(super) fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    fn push(&mut self, change: Change) {
        self.undone.clear();
        match self.done.last_mut() {
            Some(last) if change.comment.is_some() && last.comment == change.comment => {
                for ((_, _, now), (_, _, after)) in last.nodes.iter_mut().zip(change.nodes) {
                    *now = after;
                }
                // Typed and wiped out again: there is nothing to take back.
                if last.nodes.iter().all(|(_, before, now)| before == now) {
                    self.done.pop();
                }
            }
            _ => self.done.push(change),
        }
        // The last one can be taken back however large it is.
        let mut size = 0;
        let fit = self.done.iter().rev().take(MOST_EDITS).take_while(|change| {
            let first = size == 0;
            size += change.size().max(1);
            first || size <= MOST_HISTORY
        });
        let forgotten = self.done.len() - fit.count();
        self.done.drain(..forgotten);
    }
}

impl Change {
    /// About how many bytes it takes.
    fn size(&self) -> usize {
        let node =
            |node: &Option<Node>| node.as_ref().map_or(0, |node| 100 + 8 * node.children.len() + node.said.size());
        self.nodes.iter().map(|(_, before, after)| node(before) + node(after)).sum()
    }
}

impl Tree {
    /// Makes an edit.
    ///
    /// # Errors
    ///
    /// [`EditError`]; then the tree is as it was.
    pub fn edit(&mut self, edit: &Edit) -> Result<Edited, EditError> {
        match edit {
            Edit::Play { at, square } => self.play(*at, std::slice::from_ref(square)),
            Edit::Line { at, squares } => self.play(*at, squares),
            Edit::Comment { at, text } => self.comment(*at, text),
            Edit::Marks { at, marks, arrows } => self.mark(*at, marks, arrows),
            Edit::Remove { at } => self.remove(*at),
            Edit::Promote { at } => self.promote(*at),
            Edit::Title { text } => self.call(text),
            Edit::Undo => {
                let change = self.history.done.pop().ok_or(EditError::NothingToUndo)?;
                let edited = self.go(&change, false);
                self.history.undone.push(change);
                Ok(edited)
            }
            Edit::Redo => {
                let change = self.history.undone.pop().ok_or(EditError::NothingToRedo)?;
                let edited = self.go(&change, true);
                self.history.done.push(change);
                Ok(edited)
            }
        }
    }

    fn play(&mut self, at: NodeId, squares: &[Square]) -> Result<Edited, EditError> {
        self.known(at)?;
        // On a copy: a line that is illegal at its end leaves nothing of its beginning.
        let mut after = self.clone();
        let mut end = at;
        for square in squares {
            end = after.grow(end, *square).map_err(EditError::Illegal)?;
            if after.len() > MOST_NODES {
                return Err(EditError::TooManyNodes);
            }
        }
        let new: Vec<NodeId> = (self.next..after.next).map(NodeId).collect();
        let parent = new.first().and_then(|first| after.nodes[first].parent);
        let touched: Vec<NodeId> = parent.into_iter().chain(new).collect();
        self.next = after.next;
        Ok(self.turn_into(after, &touched, end, None))
    }

    fn comment(&mut self, at: NodeId, text: &str) -> Result<Edited, EditError> {
        let comment = plain(text, true);
        if comment.chars().count() > LONGEST_COMMENT {
            return Err(EditError::TooLong);
        }
        self.change(at, Some(at), |node| node.said.comment = comment)
    }

    fn mark(&mut self, at: NodeId, marks: &[Mark], arrows: &[Arrow]) -> Result<Edited, EditError> {
        // The same thing drawn twice is drawn once, and an arrow leads somewhere.
        let marks: BTreeSet<Mark> = marks.iter().copied().collect();
        let arrows: BTreeSet<Arrow> = arrows.iter().copied().filter(|arrow| arrow.from != arrow.to).collect();
        if marks.len() > MOST_MARKS || arrows.len() > MOST_MARKS {
            return Err(EditError::TooManyMarks);
        }
        self.change(at, None, |node| {
            node.said.marks = marks.into_iter().collect();
            node.said.arrows = arrows.into_iter().collect();
        })
    }

    fn remove(&mut self, at: NodeId) -> Result<Edited, EditError> {
        let parent = self.known(at)?.parent.ok_or(EditError::Start)?;
        let mut gone = vec![at];
        let mut looked = 0;
        while let Some(id) = gone.get(looked) {
            looked += 1;
            gone.extend_from_slice(&self.nodes[id].children.clone());
        }
        let mut after = self.clone();
        for id in &gone {
            after.nodes.remove(id);
        }
        if let Some(node) = after.nodes.get_mut(&parent) {
            node.children.retain(|child| *child != at);
        }
        let touched: Vec<NodeId> = std::iter::once(parent).chain(gone).collect();
        Ok(self.turn_into(after, &touched, parent, None))
    }

    fn promote(&mut self, at: NodeId) -> Result<Edited, EditError> {
        self.known(at)?;
        let line = self.line_to(at);
        let branch = line.windows(2).rev().find(|pair| self.nodes[&pair[0]].children.first() != Some(&pair[1]));
        let Some(&[parent, child]) = branch else {
            return Ok(self.unchanged(at)); // it is the main line
        };
        let mut after = self.clone();
        if let Some(node) = after.nodes.get_mut(&parent) {
            node.children.retain(|other| *other != child);
            node.children.insert(0, child);
        }
        Ok(self.turn_into(after, &[parent], at, None))
    }

    fn call(&mut self, text: &str) -> Result<Edited, EditError> {
        let title = plain(text, false);
        if title.chars().count() > LONGEST_TITLE {
            return Err(EditError::TooLong);
        }
        let at = self.at();
        if title == self.title {
            return Ok(self.unchanged(at));
        }
        let change =
            Change { nodes: Vec::new(), title: Some((self.title.clone(), title)), at: (at, at), comment: None };
        let edited = self.go(&change, true);
        self.history.push(change);
        Ok(edited)
    }

    fn known(&self, at: NodeId) -> Result<&Node, EditError> {
        self.nodes.get(&at).ok_or(EditError::NoSuchNode)
    }

    /// Changes what is said of one node.
    fn change(
        &mut self,
        at: NodeId,
        comment: Option<NodeId>,
        change: impl FnOnce(&mut Node),
    ) -> Result<Edited, EditError> {
        self.known(at)?;
        let mut after = self.clone();
        if let Some(node) = after.nodes.get_mut(&at) {
            change(node);
        }
        if after.said() > MOST_SAID.max(self.said()) {
            return Err(EditError::TooMuchSaid);
        }
        Ok(self.turn_into(after, &[at], at, comment))
    }

    /// Makes the nodes that were touched as they are in `after`, so that it can be taken back.
    fn turn_into(&mut self, mut after: Tree, touched: &[NodeId], at: NodeId, comment: Option<NodeId>) -> Edited {
        let nodes: Vec<_> = touched
            .iter()
            .map(|id| (*id, self.nodes.get(id).cloned(), after.nodes.remove(id)))
            .filter(|(_, before, after)| before != after)
            .collect();
        if nodes.is_empty() {
            return self.unchanged(at);
        }
        let change = Change { nodes, title: None, at: (self.at(), at), comment };
        let edited = self.go(&change, true);
        self.history.push(change);
        edited
    }

    fn unchanged(&mut self, at: NodeId) -> Edited {
        self.at = at;
        Edited { at, nodes: Vec::new(), removed: Vec::new(), changed: false }
    }

    /// Makes a change, or takes it back.
    fn go(&mut self, change: &Change, forth: bool) -> Edited {
        let mut edited = Edited { at: NodeId::ROOT, nodes: Vec::new(), removed: Vec::new(), changed: true };
        for (id, before, after) in &change.nodes {
            match if forth { after } else { before } {
                Some(node) => {
                    self.nodes.insert(*id, node.clone());
                    edited.nodes.push(*id);
                }
                None => {
                    self.nodes.remove(id);
                    edited.removed.push(*id);
                }
            }
        }
        if let Some((before, after)) = &change.title {
            self.title = if forth { after } else { before }.clone();
        }
        self.at = if forth { change.at.1 } else { change.at.0 };
        edited.at = self.at();
        edited.nodes.sort_unstable();
        edited
    }
}

/// A text without control characters and trimmed: in lines, or one line.
fn plain(text: &str, lines: bool) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.replace(|c: char| c.is_control() && !(lines && c == '\n'), " ").trim().to_owned()
}

#[cfg(test)]
mod tests;

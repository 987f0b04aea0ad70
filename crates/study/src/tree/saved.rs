//! A [`Tree`] as it is kept: [`SavedTree`], plain data for serde.
//!
//! Positions are not kept: they follow from the moves. So does whose move it was, and whether there was a pass.

use super::{
    Arrow, EditError, Mark, Node, NodeId, Played, Said, Tree,
    edit::{Change, History},
};
use record::{Claim, Extra, Format, Headers, How, Theory};
use rules::{ByColor, Color, Position, Setup, Square};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A tree as it is kept.
///
/// ```
/// use rules::{Position, Square};
/// use study::tree::{Edit, NodeId, SavedTree, Tree};
/// let mut tree = Tree::new(Position::start());
/// tree.edit(&Edit::Play { at: NodeId::ROOT, square: Square::F5 })?;
/// let text = serde_json::to_string(&SavedTree::from(&tree))?;
/// assert_eq!(Tree::try_from(serde_json::from_str::<SavedTree>(&text)?)?, tree);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SavedTree {
    start: Setup,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(default)]
    headers: SavedHeaders,
    nodes: Vec<(NodeId, SavedNode)>,
    next: u32,
    at: NodeId,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    done: Vec<SavedChange>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    undone: Vec<SavedChange>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SavedNode {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<NodeId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    square: Option<Square>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    children: Vec<NodeId>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    marks: Vec<Mark>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    arrows: Vec<Arrow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    eval: Option<f32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    extra: Vec<SavedExtra>,
}

/// The format it belongs to, by its ending; its name there; its value.
type SavedExtra = (String, String, String);

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SavedChange {
    nodes: Vec<(NodeId, Option<SavedNode>, Option<SavedNode>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<(String, String)>,
    at: (NodeId, NodeId),
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<NodeId>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct SavedHeaders {
    players: ByColor<String>,
    ratings: ByColor<String>,
    event: String,
    site: String,
    date: String,
    round: String,
    time: String,
    claim: Option<SavedClaim>,
    /// Black's discs with best play, and from how many empties on.
    theory: Option<(u8, u8)>,
    extra: Vec<SavedExtra>,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedClaim {
    Discs(ByColor<u8>),
    Difference(f32, SavedHow),
    Winner(Color, SavedHow),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", remote = "How")]
enum HowAsText {
    Played,
    Resigned,
    OutOfTime,
    Agreed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct SavedHow(#[serde(with = "HowAsText")] How);

/// Why a tree cannot be read: it is damaged, or a later version wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the study cannot be read")]
pub struct LoadError;

impl From<EditError> for LoadError {
    fn from(_: EditError) -> LoadError {
        LoadError
    }
}

impl From<&Tree> for SavedTree {
    fn from(tree: &Tree) -> SavedTree {
        let headers = &tree.headers;
        let claim = |claim: Claim| match claim {
            Claim::Discs(discs) => SavedClaim::Discs(discs),
            Claim::Difference { black, how } => SavedClaim::Difference(black, SavedHow(how)),
            Claim::Winner(color, how) => SavedClaim::Winner(color, SavedHow(how)),
        };
        SavedTree {
            start: tree.start().setup(),
            title: tree.title.clone(),
            headers: SavedHeaders {
                players: headers.players.clone(),
                ratings: headers.ratings.clone(),
                event: headers.event.clone(),
                site: headers.site.clone(),
                date: headers.date.clone(),
                round: headers.round.clone(),
                time: headers.time.clone(),
                claim: headers.claim.map(claim),
                theory: headers.theory.map(|theory| (theory.black, theory.empties)),
                extra: headers.extra.iter().map(save_extra).collect(),
            },
            nodes: tree.nodes().map(|(id, node)| (id, node.into())).collect(),
            next: tree.next,
            at: tree.at,
            done: tree.history.done.iter().map(SavedChange::from).collect(),
            undone: tree.history.undone.iter().map(SavedChange::from).collect(),
        }
    }
}

impl From<&Node> for SavedNode {
    fn from(node: &Node) -> SavedNode {
        let said = &node.said;
        SavedNode {
            parent: node.parent,
            square: node.square(),
            children: node.children.clone(),
            comment: said.comment.clone(),
            marks: said.marks.clone(),
            arrows: said.arrows.clone(),
            seconds: said.seconds,
            eval: said.eval,
            extra: said.extra.iter().map(save_extra).collect(),
        }
    }
}

impl From<&Change> for SavedChange {
    fn from(change: &Change) -> SavedChange {
        let node = |node: &Option<Node>| node.as_ref().map(SavedNode::from);
        SavedChange {
            nodes: change.nodes.iter().map(|(id, before, after)| (*id, node(before), node(after))).collect(),
            title: change.title.clone(),
            at: change.at,
            comment: change.comment,
        }
    }
}

fn save_extra(extra: &Extra) -> SavedExtra {
    (extra.format.extension().to_owned(), extra.name.clone(), extra.value.clone())
}

fn load_extra((format, name, value): SavedExtra) -> Result<Extra, LoadError> {
    Ok(Extra { format: Format::of_extension(&format).ok_or(LoadError)?, name, value })
}

impl TryFrom<SavedTree> for Tree {
    type Error = LoadError;

    fn try_from(saved: SavedTree) -> Result<Tree, LoadError> {
        let start = saved.start.position().map_err(|_| LoadError)?;
        let known = Known::replay(start, &saved)?;
        let mut nodes = BTreeMap::new();
        for (id, node) in saved.nodes {
            nodes.insert(id, known.node(id, node)?);
        }
        let done = saved.done.into_iter().map(|change| known.change(change)).collect::<Result<_, _>>()?;
        let undone = saved.undone.into_iter().map(|change| known.change(change)).collect::<Result<_, _>>()?;
        let whole = nodes.contains_key(&NodeId::ROOT)
            && nodes.iter().all(|(id, node)| {
                let is_child = |parent: NodeId| nodes.get(&parent).is_some_and(|parent| parent.children.contains(id));
                id.0 < saved.next
                    && node.parent.is_none_or(is_child)
                    && node.children.iter().all(|child| nodes.get(child).is_some_and(|node| node.parent == Some(*id)))
            });
        if !whole {
            return Err(LoadError);
        }
        Ok(Tree {
            headers: saved.headers.load()?,
            title: saved.title,
            nodes,
            next: saved.next,
            at: saved.at,
            history: History { done, undone },
        })
    }
}

/// The positions of all nodes, also of those that were removed and can be brought back.
struct Known(BTreeMap<NodeId, Reached>);

/// A position, and how it came about.
struct Reached {
    position: Position,
    number: u32,
    parent: Option<NodeId>,
    played: Option<Played>,
}

impl Known {
    fn replay(start: Position, saved: &SavedTree) -> Result<Known, LoadError> {
        let changes = saved.done.iter().chain(&saved.undone).flat_map(|change| &change.nodes);
        let kept = changes.flat_map(|(id, before, after)| before.iter().chain(after).map(|node| (*id, node)));
        let mut moves = BTreeMap::new();
        for (id, node) in saved.nodes.iter().map(|(id, node)| (*id, node)).chain(kept) {
            // A number is one move's for ever.
            if *moves.entry(id).or_insert((node.parent, node.square)) != (node.parent, node.square) {
                return Err(LoadError);
            }
        }
        let mut reached: BTreeMap<NodeId, Reached> = BTreeMap::new();
        // In the order of the numbers: a node comes after the one before it.
        for (id, (parent, square)) in moves {
            let one = match (parent, square) {
                (None, None) if id == NodeId::ROOT => Reached { position: start, number: 0, parent, played: None },
                (Some(before), Some(square)) => {
                    let before = reached.get(&before).ok_or(LoadError)?;
                    let step = before.position.play(square).map_err(|_| LoadError)?;
                    let played = Some(Played { square, by: step.by, passed: step.passed });
                    Reached { position: step.after, number: before.number + 1, parent, played }
                }
                _ => return Err(LoadError),
            };
            reached.insert(id, one);
        }
        Ok(Known(reached))
    }

    fn node(&self, id: NodeId, saved: SavedNode) -> Result<Node, LoadError> {
        let Reached { position, number, parent, played } = *self.0.get(&id).ok_or(LoadError)?;
        let said = Said {
            comment: saved.comment,
            marks: saved.marks,
            arrows: saved.arrows,
            seconds: saved.seconds,
            eval: saved.eval,
            extra: saved.extra.into_iter().map(load_extra).collect::<Result<_, _>>()?,
        };
        Ok(Node { parent, children: saved.children, played, number, position, said })
    }

    fn change(&self, saved: SavedChange) -> Result<Change, LoadError> {
        let load = |id: NodeId, node: Option<SavedNode>| node.map(|node| self.node(id, node)).transpose();
        let nodes = saved.nodes.into_iter().map(|(id, before, after)| Ok((id, load(id, before)?, load(id, after)?)));
        let nodes = nodes.collect::<Result<_, LoadError>>()?;
        Ok(Change { nodes, title: saved.title, at: saved.at, comment: saved.comment })
    }
}

impl SavedHeaders {
    fn load(self) -> Result<Headers, LoadError> {
        let claim = |claim: SavedClaim| match claim {
            SavedClaim::Discs(discs) => Claim::Discs(discs),
            SavedClaim::Difference(black, how) => Claim::Difference { black, how: how.0 },
            SavedClaim::Winner(color, how) => Claim::Winner(color, how.0),
        };
        Ok(Headers {
            players: self.players,
            ratings: self.ratings,
            event: self.event,
            site: self.site,
            date: self.date,
            round: self.round,
            time: self.time,
            claim: self.claim.map(claim),
            theory: self.theory.map(|(black, empties)| Theory { black, empties }),
            extra: self.extra.into_iter().map(load_extra).collect::<Result<_, _>>()?,
        })
    }
}

//! A study as a page sees it.

use super::kept::StudyState;
use crate::book::moves_at;
use crate::fair_play::Quiet;
use crate::protocol::{BookMove, LineBoard, OpeningName, Overlay, Study, StudyChange, StudyId, StudyNode};
use rules::{Bitboard, Position, Square};
use study::{
    book::Book,
    names,
    tree::{Edited, Node, NodeId, Tree},
};
use table::{CommandId, LegalMove, board_text};

/// The book of openings, as far as whoever looks may see it.
pub(super) struct OpenBook<'a> {
    pub(super) book: &'a Book,
    pub(super) quiet: &'a Quiet,
}

impl OpenBook<'_> {
    fn moves_at(&self, tree: &Tree, id: NodeId, position: &Position) -> Vec<BookMove> {
        let line = || -> Vec<Position> {
            tree.line_to(id).into_iter().filter_map(|id| tree.node(id)).map(Node::position).collect()
        };
        if !self.quiet.is_none() && self.quiet.about(&line()).is_some() {
            return Vec::new();
        }
        moves_at(self.book, position)
    }
}

/// All of it.
pub(super) fn study(
    id: Option<CommandId>,
    study: &StudyId,
    state: &StudyState,
    book: &OpenBook<'_>,
    more: u32,
) -> Study {
    let tree = &state.tree;
    let players = &tree.headers.players;
    Study {
        id,
        study: study.clone(),
        seq: state.seq,
        title: tree.title().to_owned(),
        black: players.black.clone(),
        white: players.white.clone(),
        result: tree.main_record().result().map(|claim| claim.to_string()),
        changed: state.changed,
        game: state.game.clone(),
        nodes: tree.nodes().map(|(id, node)| view(tree, id, node, book)).collect(),
        at: tree.at(),
        undo: tree.can_undo(),
        redo: tree.can_redo(),
        more,
        report: state.report(),
    }
}

/// What an edit changed.
pub(super) fn change(
    id: Option<CommandId>,
    study: &StudyId,
    state: &StudyState,
    book: &OpenBook<'_>,
    edited: &Edited,
) -> StudyChange {
    let tree = &state.tree;
    StudyChange {
        id,
        study: study.clone(),
        seq: state.seq,
        title: tree.title().to_owned(),
        changed: state.changed,
        nodes: edited.nodes.iter().filter_map(|id| Some(view(tree, *id, tree.node(*id)?, book))).collect(),
        removed: edited.removed.clone(),
        at: edited.at,
        undo: tree.can_undo(),
        redo: tree.can_redo(),
    }
}

fn view(tree: &Tree, id: NodeId, node: &Node, book: &OpenBook<'_>) -> StudyNode {
    let position = node.position();
    StudyNode {
        id,
        parent: node.parent(),
        children: node.children().to_vec(),
        square: node.square(),
        by: node.by(),
        number: node.number(),
        board: board_text(&position),
        turn: position.turn(),
        legal: legal(&position),
        passed: node.passed(),
        comment: node.comment().to_owned(),
        marks: node.marks().to_vec(),
        arrows: node.arrows().to_vec(),
        opening: opening(tree, id),
        seconds: node.seconds(),
        book: book.moves_at(tree, id, &position),
    }
}

/// The last opening with a name on the way to a node.
fn opening(tree: &Tree, id: NodeId) -> Option<OpeningName> {
    let before = |id: &NodeId| tree.node(*id).and_then(Node::parent);
    let found = std::iter::successors(Some(id), before).find_map(|id| named(&tree.node(id)?.position()))?;
    Some(found.into())
}

/// The opening with a name that this position is.
fn named(position: &Position) -> Option<&'static names::Opening> {
    /// No named opening leaves fewer squares empty.
    const FEWEST: u32 = 36;
    if position.empty().len() < FEWEST { None } else { names::at(position) }
}

fn legal(position: &Position) -> Vec<LegalMove> {
    let turns = |square: Square| LegalMove { square, turns: position.flips(square).iter().collect() };
    position.legal().iter().map(turns).collect()
}

/// The boards along a line, as far as its moves are legal.
pub(super) fn line(from: Position, squares: &[Square]) -> Vec<LineBoard> {
    let (mut position, mut opening) = (from, None);
    let play = |&square: &Square| {
        let step = position.play(square).ok()?;
        position = step.after;
        opening = named(&position).or(opening);
        let (by, passed, turn) = (step.by, step.passed, position.turn());
        Some(LineBoard {
            square,
            by,
            board: board_text(&position),
            turn,
            passed,
            opening: opening.map(OpeningName::from),
        })
    };
    squares.iter().map_while(play).collect()
}

/// What can be seen of a position besides its discs.
pub(super) fn overlay(tree: &Tree, at: NodeId) -> Option<Overlay> {
    let seen = study::overlay::Overlay::of(&tree.node(at)?.position());
    let squares = |set: Bitboard| set.iter().collect::<Vec<Square>>();
    Some(Overlay {
        black_moves: squares(seen.moves.black),
        white_moves: squares(seen.moves.white),
        black_frontier: squares(seen.frontier.black),
        white_frontier: squares(seen.frontier.white),
        black_stable: squares(seen.stable.black),
        white_stable: squares(seen.stable.white),
        regions: seen.regions.into_iter().map(squares).collect(),
    })
}

//! What a midgame search keeps of a position: [`Node`].

use crate::{eval::Features, transposition, worker::Worker};
use rules::{Bitboard, Board, Square};

/// A board with what the evaluation keeps of it.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) board: Board,
    pub(crate) features: Features,
    pub(crate) empties: u32,
    /// The move that led here.
    pub(crate) last: Option<Square>,
}

impl Node {
    pub(crate) fn pass(&self) -> Node {
        Node { board: self.board.pass(), features: self.features.pass(), empties: self.empties, last: None }
    }

    pub(crate) fn hash(&self) -> u64 {
        transposition::hash(self.board.mover.0, self.board.other.0)
    }
}

impl Worker<'_> {
    pub(crate) fn node(&self, board: Board) -> Node {
        Node { board, features: self.shared.eval.features(board), empties: board.empty().len(), last: None }
    }

    #[inline(always)]
    pub(crate) fn child(&self, node: &Node, square: Square, flips: Bitboard) -> Node {
        Node {
            board: node.board.play_unchecked(square, flips),
            features: self.shared.eval.play(&node.features, square, flips),
            empties: node.empties - 1,
            last: Some(square),
        }
    }
}

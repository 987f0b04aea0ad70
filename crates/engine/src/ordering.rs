//! Move ordering: the sooner a refutation is tried, the fewer moves are searched.
//!
//! First the moves the transposition table knows, then by what a small search of the evaluation's sum says, weighed
//! against the opponent's mobility (in a solve mostly by mobility, the *fastest-first* heuristic: fewer replies are a
//! smaller tree). In the last two plies before the horizon even that costs too much: there [`crate::horizon`] orders by
//! the history heuristic.

use crate::{eval::DISC, node::Node, worker::Worker};
use rules::{Bitboard, Square};
use smallvec::SmallVec;

/// A move with the node it leads to.
pub(crate) struct OrderedMove {
    pub(crate) square: Square,
    pub(crate) node: Node,
    /// Lower is tried first.
    key: i32,
}

/// The moves of a node that the transposition table knows: the best, and the best before it.
pub(crate) type HashMoves = [Option<Square>; 2];

/// How many plies the search that orders moves looks ahead, in a search of `depth` plies.
fn ordering_depth(to_the_end: bool, depth: u32) -> u32 {
    match (to_the_end, depth) {
        (true, 0..=20) | (false, 0..=9) => 1,
        (true, 21..=24) | (false, 10..=17) => 2,
        _ => 3,
    }
}

/// What one more reply of the opponent counts, in parts of a disc: to the end, above all that there is more to search.
fn mobility_weight(to_the_end: bool, depth: u32) -> i32 {
    match (to_the_end, depth) {
        (false, _) => DISC / 2,
        (true, 0..=16) => 7 * DISC / 2,
        (true, _) => 2 * DISC,
    }
}

impl Worker<'_> {
    /// The legal moves given, each with how promising it looks.
    pub(crate) fn order(&mut self, node: &Node, legal: Bitboard, hash_moves: HashMoves, depth: u32) -> MoveList {
        let to_the_end = depth >= node.empties;
        let ahead = ordering_depth(to_the_end, depth);
        let reply = mobility_weight(to_the_end, depth);
        let mut moves = MoveList::default();
        for square in legal {
            let flips = node.board.flips(square);
            let next = self.child(node, square, flips);
            if depth > 2 {
                self.shared.tables.of(next.empties, depth - 1).prefetch(next.hash());
            }
            let key = if hash_moves[0] == Some(square) {
                i32::MIN
            } else if hash_moves[1] == Some(square) {
                i32::MIN + 1
            } else if next.board.mover.is_empty() {
                i32::MIN + 2
            } else {
                let replies = next.board.legal();
                let corners = (replies & Bitboard::CORNERS).len();
                let mobility = (replies.len() + corners) as i32;
                let value = match ahead {
                    1 => self.shared.eval.sum(&next.features, next.empties),
                    _ => self.ordering_search(&next, i32::MIN + 3, i32::MAX, ahead - 1),
                };
                value + mobility * reply
            };
            moves.all.push(OrderedMove { square, node: next, key });
        }
        moves
    }

    /// A small alpha-beta search of the sum alone, in parts of a disc.
    fn ordering_search(&mut self, node: &Node, mut alpha: i32, beta: i32, depth: u32) -> i32 {
        self.nodes += 1;
        if depth == 0 {
            return self.shared.eval.sum(&node.features, node.empties);
        }
        let legal = node.board.legal();
        if legal.is_empty() {
            let passed = node.pass();
            if passed.board.legal().is_empty() {
                return node.board.score() * DISC;
            }
            return -self.ordering_search(&passed, -beta, -alpha, depth);
        }
        let mut best = -100 * DISC;
        for square in legal {
            let next = self.child(node, square, node.board.flips(square));
            let value = if next.empties == 0 {
                -next.board.score() * DISC
            } else {
                -self.ordering_search(&next, -beta, -alpha, depth - 1)
            };
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}

/// A node's moves, and which are still to be tried.
#[derive(Default)]
pub(crate) struct MoveList {
    all: SmallVec<[OrderedMove; 16]>,
    /// Those another thread was searching when their turn came.
    deferred: SmallVec<[u8; 16]>,
    /// How many of them were tried after all.
    resumed: usize,
}

/// The key of a move that had its turn.
const TAKEN: i32 = i32::MAX;

impl MoveList {
    /// Leaves moves out.
    pub(crate) fn retain(&mut self, wanted: impl Fn(&OrderedMove) -> bool) {
        self.all.retain(|one| wanted(one));
    }

    /// All of them, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &OrderedMove> {
        self.all.iter()
    }

    /// The next move to try: the most promising that no other thread searches, or else the first that was deferred.
    pub(crate) fn next(&mut self, searched_elsewhere: impl Fn(&OrderedMove) -> bool) -> Option<&OrderedMove> {
        loop {
            let (at, key) = self.all.iter().map(|one| one.key).enumerate().min_by_key(|&(_, key)| key)?;
            if key == TAKEN {
                let at = *self.deferred.get(self.resumed)?;
                self.resumed += 1;
                return self.all.get(at as usize);
            }
            self.all[at].key = TAKEN;
            if !searched_elsewhere(&self.all[at]) {
                return Some(&self.all[at]);
            }
            self.deferred.push(at as u8);
        }
    }
}

//! The last two plies before the horizon, where most nodes are: moves are ordered by the history heuristic, and only
//! what is tried is worked out.

use crate::{
    history::History,
    midgame::{Best, NO_SCORE},
    node::Node,
    worker::Worker,
};
use rules::{Bitboard, Square};
use smallvec::SmallVec;

impl Worker<'_> {
    /// A pre-frontier node, two plies before the horizon: the best score and its move, with a null window.
    pub(crate) fn pre_frontier(&mut self, node: &Node, legal: Bitboard, alpha: i32, hash_move: Option<Square>) -> Best {
        /// How many replies a move that always refuted may allow to be tried as early as one that never did.
        const WORTH: i32 = 6;
        let mut moves: SmallVec<[(i32, Square, Bitboard, Bitboard); 32]> = SmallVec::new();
        for square in legal {
            let flips = node.board.flips(square);
            let next = node.board.play_unchecked(square, flips);
            let replies = next.legal();
            let key = if hash_move == Some(square) || next.mover.is_empty() {
                i32::MIN
            } else {
                let mobility = (replies.len() + (replies & Bitboard::CORNERS).len()) as i32;
                mobility * (History::ONE / WORTH) - self.history.chance(node, square)
            };
            moves.push((key, square, flips, replies));
        }
        let (mut best, mut best_square) = (NO_SCORE, None);
        for done in 0..moves.len() {
            let Some(at) = (done..moves.len()).min_by_key(|&at| moves[at].0) else { break };
            moves.swap(done, at);
            let (_, square, flips, replies) = moves[done];
            let next = self.child(node, square, flips);
            let score = if replies.is_empty() {
                -self.null_window(&next, -alpha - 1, 1)
            } else {
                self.nodes += 1;
                -self.frontier(&next, replies, -alpha - 1)
            };
            self.history.update(node, square, score > alpha);
            if score > best {
                (best, best_square) = (score, Some(square));
                if score > alpha {
                    break;
                }
            }
        }
        (best, best_square)
    }

    /// A frontier node, one ply before the horizon: the best evaluation, with a null window.
    pub(crate) fn frontier(&mut self, node: &Node, legal: Bitboard, alpha: i32) -> i32 {
        /// Where so many moves did not refute, hardly any will: the rest is tried in any order.
        const CHOSEN: u32 = 4;
        let (mut best, mut left) = (NO_SCORE, legal);
        for tried in 0..legal.len() {
            let likely = if tried < CHOSEN {
                left.iter().max_by_key(|&square| self.history.chance(node, square))
            } else {
                left.first()
            };
            let Some(square) = likely else { break };
            left -= square.into();
            self.nodes += 1;
            let flips = node.board.flips(square);
            if flips == node.board.other {
                return 64;
            }
            let features = self.shared.eval.play(&node.features, square, flips);
            let score = -self.shared.eval.score_near(&features, node.empties - 1, -alpha);
            self.history.update(node, square, score > alpha);
            if score > best {
                best = score;
                if score > alpha {
                    break;
                }
            }
        }
        best
    }
}

//! The last two plies before the horizon, where most positions are: moves are tried by how they fared lately, and only
//! what is tried is worked out.

use crate::{
    midgame::{NONE, Node},
    refutation::Refutations,
    worker::Worker,
};
use rules::{Bitboard, Square};
use smallvec::SmallVec;

impl Worker<'_> {
    /// Two plies before the horizon: the best score and its move. Only what is tried is worked out in full.
    pub(crate) fn two_plies(
        &mut self,
        node: &Node,
        legal: Bitboard,
        alpha: i32,
        known: Option<Square>,
    ) -> (i32, Option<Square>) {
        /// How many replies a move that always refuted may allow to be tried as early as one that never did.
        const WORTH: i32 = 6;
        let mut moves: SmallVec<[(i32, Square, Bitboard, Bitboard); 32]> = SmallVec::new();
        for square in legal {
            let flips = node.board.flips(square);
            let next = node.board.play_unchecked(square, flips);
            let replies = next.legal();
            let key = if known == Some(square) || next.mover.is_empty() {
                i32::MIN
            } else {
                let mobility = (replies.len() + (replies & Bitboard::CORNERS).len()) as i32;
                mobility * (Refutations::ONE / WORTH) - self.refutations.chance(node, square)
            };
            moves.push((key, square, flips, replies));
        }
        let (mut best, mut best_square) = (NONE, None);
        for done in 0..moves.len() {
            let Some(at) = (done..moves.len()).min_by_key(|&at| moves[at].0) else { break };
            moves.swap(done, at);
            let (_, square, flips, replies) = moves[done];
            let next = self.child(node, square, flips);
            let score = if replies.is_empty() {
                -self.zero(&next, -alpha - 1, 1)
            } else {
                self.nodes += 1;
                -self.one_ply(&next, replies, -alpha - 1)
            };
            self.refutations.saw(node, square, score > alpha);
            if score > best {
                (best, best_square) = (score, Some(square));
                if score > alpha {
                    break;
                }
            }
        }
        (best, best_square)
    }

    /// One ply before the horizon: the best static value.
    pub(crate) fn one_ply(&mut self, node: &Node, legal: Bitboard, alpha: i32) -> i32 {
        /// Where so many moves did not refute, hardly any will: the rest is tried in any order.
        const CHOSEN: u32 = 4;
        let (mut best, mut left) = (NONE, legal);
        for tried in 0..legal.len() {
            let likely = if tried < CHOSEN {
                left.iter().max_by_key(|&square| self.refutations.chance(node, square))
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
            self.refutations.saw(node, square, score > alpha);
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

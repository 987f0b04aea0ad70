//! Principal variation search with an evaluation at the horizon, and above the endgame solver.
//!
//! One pair of functions serves the midgame (a depth smaller than the number of empties) and the upper part of an
//! exact solve (depth equal to it). [`Worker::pvs`] finds a score inside a window: the first move with the whole window,
//! the others with a *null window* ([`Worker::null_window`]) that only asks whether they are better, and again with
//! the whole one if they are. Nearly every node is a null-window node; what makes those cheap, in the order it is tried:
//!
//! 1. the endgame solver ([`crate::endgame`]) takes over near the end, the frontier ([`crate::horizon`]) near the horizon
//! 2. stability cutoff
//! 3. transposition table cutoff
//! 4. Multi-ProbCut
//! 5. the hash move, before the others are even looked at
//! 6. enhanced transposition cutoff
//! 7. the others, in order ([`crate::ordering`]), those deferred that another thread searches ([`crate::parallel`])

use crate::{
    eval::{DISC, whole},
    node::Node,
    ordering::MoveList,
    probcut::CERTAIN,
    stability,
    transposition::Searched,
    worker::Worker,
};
use rules::{Board, Square};

/// Lower than any score: nothing was searched yet.
pub(crate) const NO_SCORE: i32 = -100;

/// A solve hands over to the endgame solver, which needs no evaluation, at this many empties.
const TO_ENDGAME: u32 = 12;

/// Threads keep out of each other's way down to this depth.
const DEFER_FROM: u32 = 5;

/// Enhanced transposition cutoffs pay from this depth on.
const ETC_FROM: u32 = 5;

/// A score, and the move that has it.
pub(crate) type Best = (i32, Option<Square>);

impl Worker<'_> {
    /// Whether the score is above `alpha`: at least the answer if the answer is, else at most the answer.
    ///
    /// One function, though a long one: it is the list of steps above, and each either answers or leaves it to the next.
    pub(crate) fn null_window(&mut self, node: &Node, alpha: i32, depth: u32) -> i32 {
        let Board { mover, other } = node.board;
        let to_the_end = depth >= node.empties;
        let legal = node.board.legal();
        if to_the_end && node.empties <= TO_ENDGAME {
            return self.solve(mover.0, other.0, legal.0, alpha);
        }
        self.nodes += 1;
        if self.must_stop() {
            return 0;
        }
        if legal.is_empty() {
            let passed = node.pass();
            if passed.board.legal().is_empty() {
                return node.board.score();
            }
            return -self.null_window(&passed, -alpha - 1, depth);
        }
        if depth == 0 {
            return self.shared.eval.score_near(&node.features, node.empties, alpha);
        }
        if depth == 1 {
            return self.frontier(node, legal, alpha);
        }
        if to_the_end && let Some(bound) = stability::cutoff(mover.0, other.0, alpha, node.empties) {
            return bound;
        }
        let hash = node.hash();
        let table = self.shared.tables.of(node.empties, depth);
        let stored = table.probe(hash, mover.0, other.0);
        if let Some(stored) = stored
            && u32::from(stored.depth) >= depth
            && stored.confidence >= self.confidence
            && let Some(score) = stored.cutoff(alpha)
        {
            return score;
        }
        if let Some(score) = self.probcut(node, alpha, depth) {
            return score;
        }
        let [hash_move, second] = stored.map_or([None; 2], |stored| stored.moves);
        let mut best = (NO_SCORE, None);
        if let Some(square) = hash_move {
            let next = self.child(node, square, node.board.flips(square));
            self.shared.tables.of(next.empties, depth - 1).prefetch(next.hash());
            best = (-self.null_window(&next, -alpha - 1, depth - 1), Some(square));
        }
        if best.0 <= alpha && !self.stopped {
            let rest = hash_move.map_or(legal, |square| legal - square.into());
            if depth == 2 {
                let found = self.pre_frontier(node, rest, alpha, second);
                if found.0 > best.0 {
                    best = found;
                }
            } else {
                let moves = self.order(node, rest, [second, None], depth);
                if let Some(score) = self.enhanced_transposition_cutoff(&moves, alpha, depth) {
                    return score;
                }
                best = self.refute(moves, best, alpha, depth);
            }
        }
        if self.stopped {
            return 0;
        }
        let (score, square) = best;
        let window = (alpha, alpha + 1);
        let confidence = self.confidence;
        table.store(hash, (mover.0, other.0), Searched { depth: depth as u8, confidence, window, score, best: square });
        score
    }

    /// Searches moves with a null window until one is above `alpha`; the best of them and of what is known.
    #[inline(always)]
    fn refute(&mut self, mut moves: MoveList, mut best: Best, alpha: i32, depth: u32) -> Best {
        let defer = self.shared.several && depth >= DEFER_FROM;
        while let Some(one) =
            moves.next(|one| defer && best.0 != NO_SCORE && self.shared.in_progress.contains(one.node.hash()))
        {
            let score = if defer {
                -self.null_window_marked(&one.node, -alpha - 1, depth - 1)
            } else {
                -self.null_window(&one.node, -alpha - 1, depth - 1)
            };
            if self.stopped {
                break;
            }
            if score > best.0 {
                best = (score, Some(one.square));
                if score > alpha {
                    break;
                }
            }
        }
        best
    }

    /// [`null_window`](Worker::null_window), telling the other threads of it.
    fn null_window_marked(&mut self, node: &Node, alpha: i32, depth: u32) -> i32 {
        let mark = node.hash();
        self.shared.in_progress.mark(mark);
        let score = self.null_window(node, alpha, depth);
        self.shared.in_progress.clear(mark);
        score
    }

    /// The score inside the window; outside it a bound, as in [`null_window`](Worker::null_window).
    ///
    /// Nothing is cut here, neither by the table nor by ProbCut: there are few such nodes, and the principal variation
    /// runs through them. So a score inside the window always comes with its whole line, down to the horizon or the end.
    pub(crate) fn pvs(&mut self, node: &Node, alpha: i32, beta: i32, depth: u32) -> i32 {
        self.variations.clear(node.empties);
        if beta - alpha <= 1 {
            return self.null_window(node, alpha, depth);
        }
        self.nodes += 1;
        if self.must_stop() {
            return 0;
        }
        let Board { mover, other } = node.board;
        let legal = node.board.legal();
        if legal.is_empty() {
            let passed = node.pass();
            if passed.board.legal().is_empty() {
                return node.board.score();
            }
            return -self.pvs(&passed, -beta, -alpha, depth);
        }
        if depth == 0 {
            return self.shared.eval.score(&node.features, node.empties);
        }
        let hash = node.hash();
        let table = &self.shared.tables.large;
        let hash_moves = table.probe(hash, mover.0, other.0).map_or([None; 2], |stored| stored.moves);
        let moves = self.order(node, legal, hash_moves, depth);
        let (score, best) = self.pvs_moves(moves, (alpha, beta), depth);
        if self.stopped {
            return 0;
        }
        let searched = Searched { depth: depth as u8, confidence: self.confidence, window: (alpha, beta), score, best };
        table.store(hash, (mover.0, other.0), searched);
        score
    }

    /// The best of these moves of a principal variation or root node. Where the search is stopped, the best so far.
    pub(crate) fn pvs_moves(&mut self, mut moves: MoveList, (mut alpha, beta): (i32, i32), depth: u32) -> Best {
        let defer = self.shared.several && depth >= DEFER_FROM;
        let mut best = (NO_SCORE, None);
        while let Some(one) =
            moves.next(|one| defer && best.0 != NO_SCORE && self.shared.in_progress.contains(one.node.hash()))
        {
            let mut open = best.0 == NO_SCORE;
            let mut score = NO_SCORE;
            if !open {
                score = -self.null_window_marked(&one.node, -alpha - 1, depth - 1);
                open = score > alpha && score < beta && !self.stopped;
            }
            if open {
                score = -self.pvs(&one.node, -beta, -alpha, depth - 1);
            }
            if self.stopped {
                break;
            }
            if score > best.0 {
                best = (score, Some(one.square));
                self.variations.lead(one.node.empties + 1, one.square, open);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Multi-ProbCut: a shallow search far enough outside the window stands for the deep one; near the horizon the
    /// evaluation does.
    fn probcut(&mut self, node: &Node, alpha: i32, depth: u32) -> Option<i32> {
        if self.confidence == CERTAIN {
            return None;
        }
        let margins = self.shared.margins;
        let beta = alpha + 1;
        let by_eval = margins.by_eval(self.confidence, node.empties, depth);
        let near = by_eval.map_or(i32::MAX / 2, |by_eval| by_eval.margin);
        let value = self.shared.eval.value_near(&node.features, node.empties, alpha, near);
        if let Some(by_eval) = by_eval {
            let expected = value + by_eval.gain;
            if expected > beta * DISC + by_eval.margin {
                return Some(beta);
            }
            if expected < alpha * DISC - by_eval.margin {
                return Some(alpha);
            }
        }
        if depth < 3 {
            return None;
        }
        let shallow = crate::probcut::shallow_depth(depth);
        let margin = margins.by_search(self.confidence, node.empties, depth);
        let now = whole(value);
        let bound = beta + i32::from(margin.search);
        if bound <= 64
            && now >= beta + i32::from(margin.worthwhile)
            && self.null_window(node, bound - 1, shallow) >= bound
        {
            return (!self.stopped).then_some(beta);
        }
        let bound = alpha - i32::from(margin.search);
        if bound >= -64
            && now <= alpha - i32::from(margin.worthwhile)
            && !self.stopped
            && self.null_window(node, bound, shallow) <= bound
        {
            return (!self.stopped).then_some(alpha);
        }
        None
    }

    /// Enhanced transposition cutoff: a move to a position that the table knows to be bad enough for the opponent
    /// refutes without any search.
    fn enhanced_transposition_cutoff(&self, moves: &MoveList, alpha: i32, depth: u32) -> Option<i32> {
        if depth < ETC_FROM {
            return None;
        }
        moves.iter().find_map(|one| {
            let Board { mover, other } = one.node.board;
            let table = self.shared.tables.of(one.node.empties, depth - 1);
            let stored = table.probe(one.node.hash(), mover.0, other.0)?;
            let good = u32::from(stored.depth) + 1 >= depth
                && stored.confidence >= self.confidence
                && -i32::from(stored.upper) > alpha;
            good.then_some(-i32::from(stored.upper))
        })
    }
}

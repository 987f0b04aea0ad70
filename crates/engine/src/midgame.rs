//! Principal-variation search with an evaluation at the horizon, and above the endgame solver.
//!
//! One pair of functions serves the midgame (a depth smaller than the number of empties) and the upper part of an
//! exact solve (depth equal to it): [`Worker::zero`] answers whether a score is above `alpha`, [`Worker::full`] finds
//! it inside a window.

use crate::{
    endgame::stability_bound,
    eval::{DISC, kernel::Features, whole},
    probcut::{self, CERTAIN},
    transposition,
    worker::Worker,
};
use rules::{Bitboard, Board, Square};
use smallvec::SmallVec;

/// Lower than any score.
pub(crate) const NONE: i32 = -100;

/// A solve hands over to the endgame solver, which needs no evaluation, at this many empties.
const TO_ENDGAME: u32 = 12;

/// Threads keep out of each other's way down to this depth.
const SHARE_FROM: u32 = 5;

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
    fn pass(&self) -> Node {
        Node { board: self.board.pass(), features: self.features.pass(), empties: self.empties, last: None }
    }

    pub(crate) fn hash(&self) -> u64 {
        transposition::hash(self.board.mover.0, self.board.other.0)
    }
}

/// A move with the node it leads to.
pub(crate) struct Choice {
    pub(crate) square: Square,
    pub(crate) node: Node,
    /// Lower is tried first.
    key: i32,
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

    /// Whether the score is above `alpha`: at least the answer if the answer is, else at most the answer.
    pub(crate) fn zero(&mut self, node: &Node, alpha: i32, depth: u32) -> i32 {
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
            return -self.zero(&passed, -alpha - 1, depth);
        }
        if depth == 0 {
            return self.shared.eval.score_near(&node.features, node.empties, alpha);
        }
        if depth == 1 {
            return self.one_ply(node, legal, alpha);
        }
        if to_the_end && let Some(bound) = stability_bound(mover.0, other.0, alpha, node.empties) {
            return bound;
        }
        let hash = node.hash();
        let table = self.shared.memory.table(node.empties, depth);
        let found = table.get(hash, mover.0, other.0);
        if let Some(found) = found
            && u32::from(found.depth) >= depth
            && found.confidence >= self.confidence
        {
            if i32::from(found.lower) > alpha {
                return i32::from(found.lower);
            }
            if i32::from(found.upper) <= alpha {
                return i32::from(found.upper);
            }
        }
        if let Some(score) = self.probe(node, alpha, depth) {
            return score;
        }
        let share = self.shared.several && depth >= SHARE_FROM;
        let known = found.map_or([None; 2], |found| found.moves);
        let (mut best, mut best_square) = (NONE, None);
        // The move that was best before often refutes again: try it before looking for others.
        if let Some(square) = known[0] {
            let next = self.child(node, square, node.board.flips(square));
            self.shared.memory.table(next.empties, depth - 1).prepare(next.hash());
            best = -self.zero(&next, -alpha - 1, depth - 1);
            best_square = Some(square);
        }
        let rest = known[0].map_or(legal, |square| legal - square.into());
        if best <= alpha && !self.stopped && depth == 2 {
            let found = self.two_plies(node, rest, alpha, known[1]);
            if found.0 > best {
                (best, best_square) = found;
            }
        } else if best <= alpha && !self.stopped {
            let mut choices = self.choices(node, rest, [known[1], None], depth);
            if let Some(score) = self.already_refuted(&choices, alpha, depth) {
                return score;
            }
            while let Some(choice) =
                choices.next(|choice| share && best != NONE && self.shared.busy.contains(choice.node.hash()))
            {
                let score = if share {
                    -self.zero_marked(&choice.node, -alpha - 1, depth - 1)
                } else {
                    -self.zero(&choice.node, -alpha - 1, depth - 1)
                };
                if self.stopped {
                    break;
                }
                if score > best {
                    (best, best_square) = (score, Some(choice.square));
                    if score > alpha {
                        break;
                    }
                }
            }
        }
        if self.stopped {
            return 0;
        }
        let window = (alpha, alpha + 1);
        table.put(hash, (mover.0, other.0), depth as u8, self.confidence, window, best, best_square);
        best
    }

    /// [`zero`](Worker::zero), telling the other threads of it.
    pub(crate) fn zero_marked(&mut self, node: &Node, alpha: i32, depth: u32) -> i32 {
        let mark = node.hash();
        self.shared.busy.mark(mark);
        let score = self.zero(node, alpha, depth);
        self.shared.busy.clear(mark);
        score
    }

    /// The score inside the window; outside it a bound, as in [`zero`](Worker::zero).
    ///
    /// What it finds is kept in the large table however near the end: the expected line is read from there.
    pub(crate) fn full(&mut self, node: &Node, mut alpha: i32, beta: i32, depth: u32) -> i32 {
        if beta - alpha <= 1 {
            return self.zero(node, alpha, depth);
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
            return -self.full(&passed, -beta, -alpha, depth);
        }
        if depth == 0 {
            return self.shared.eval.score(&node.features, node.empties);
        }
        let hash = node.hash();
        let found = self.shared.memory.far.get(hash, mover.0, other.0);
        let known = found.map_or([None; 2], |found| found.moves);
        let mut choices = self.choices(node, legal, known, depth);
        let (from, mut best, mut best_square) = (alpha, NONE, None);
        let share = self.shared.several && depth >= SHARE_FROM;
        while let Some(choice) =
            choices.next(|choice| share && best != NONE && self.shared.busy.contains(choice.node.hash()))
        {
            let score = if best == NONE {
                -self.full(&choice.node, -beta, -alpha, depth - 1)
            } else {
                let score = -self.zero_marked(&choice.node, -alpha - 1, depth - 1);
                if score > alpha && score < beta && !self.stopped {
                    -self.full(&choice.node, -beta, -alpha, depth - 1)
                } else {
                    score
                }
            };
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                best_square = Some(choice.square);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.shared.memory.far.put(
            hash,
            (mover.0, other.0),
            depth as u8,
            self.confidence,
            (from, beta),
            best,
            best_square,
        );
        best
    }

    /// Multi-ProbCut: a shallow search far enough outside the window stands for the deep one; near the horizon the
    /// evaluation does.
    fn probe(&mut self, node: &Node, alpha: i32, depth: u32) -> Option<i32> {
        if self.confidence == CERTAIN {
            return None;
        }
        let beta = alpha + 1;
        let alone = probcut::alone(self.confidence, node.empties, depth);
        let near = alone.map_or(i32::MAX / 2, |alone| alone.margin);
        let value = self.shared.eval.value_near(&node.features, node.empties, alpha, near);
        if let Some(alone) = alone {
            let expected = value + alone.gain;
            if expected > beta * DISC + alone.margin {
                return Some(beta);
            }
            if expected < alpha * DISC - alone.margin {
                return Some(alpha);
            }
        }
        if depth < 3 {
            return None;
        }
        let shallow = probcut::probe_depth(depth);
        let margin = probcut::margin(self.confidence, node.empties, depth);
        let now = whole(value);
        let bound = beta + i32::from(margin.search);
        if bound <= 64 && now >= beta + i32::from(margin.worthwhile) && self.zero(node, bound - 1, shallow) >= bound {
            return (!self.stopped).then_some(beta);
        }
        let bound = alpha - i32::from(margin.search);
        if bound >= -64
            && now <= alpha - i32::from(margin.worthwhile)
            && !self.stopped
            && self.zero(node, bound, shallow) <= bound
        {
            return (!self.stopped).then_some(alpha);
        }
        None
    }

    /// A move that leads to a position already known to refute: no need to search at all.
    fn already_refuted(&self, choices: &Choices, alpha: i32, depth: u32) -> Option<i32> {
        const FROM: u32 = 5;
        if depth < FROM {
            return None;
        }
        choices.all.iter().find_map(|choice| {
            let Board { mover, other } = choice.node.board;
            let table = self.shared.memory.table(choice.node.empties, depth - 1);
            let found = table.get(choice.node.hash(), mover.0, other.0)?;
            let good = u32::from(found.depth) + 1 >= depth
                && found.confidence >= self.confidence
                && -i32::from(found.upper) > alpha;
            good.then_some(-i32::from(found.upper))
        })
    }

    /// The moves, each with how promising it looks.
    pub(crate) fn choices(&mut self, node: &Node, legal: Bitboard, known: [Option<Square>; 2], depth: u32) -> Choices {
        let ahead = if depth >= node.empties {
            match depth {
                0..=20 => 1,
                21..=24 => 2,
                _ => 3,
            }
        } else {
            match depth {
                0..=9 => 1,
                10..=17 => 2,
                _ => 3,
            }
        };
        // What one more reply is worth to the opponent: to the end, above all that there is more to search.
        let reply = match depth {
            _ if depth < node.empties => DISC / 2,
            0..=16 => 7 * DISC / 2,
            _ => 2 * DISC,
        };
        let mut choices = Choices::default();
        for square in legal {
            let flips = node.board.flips(square);
            let next = self.child(node, square, flips);
            if depth > 2 {
                self.shared.memory.table(next.empties, depth - 1).prepare(next.hash());
            }
            let key = if known[0] == Some(square) {
                i32::MIN
            } else if known[1] == Some(square) {
                i32::MIN + 1
            } else if next.board.mover.is_empty() {
                i32::MIN + 2
            } else {
                let replies = next.board.legal();
                let corners = (replies & Bitboard::CORNERS).len();
                let mobility = (replies.len() + corners) as i32;
                let value = match ahead {
                    1 => self.shared.eval.sum(&next.features, next.empties),
                    _ => self.glance(&next, i32::MIN + 3, i32::MAX, ahead - 1),
                };
                value + mobility * reply
            };
            choices.all.push(Choice { square, node: next, key });
        }
        choices
    }

    /// A small search in parts of a disc, for ordering.
    fn glance(&mut self, node: &Node, mut alpha: i32, beta: i32, depth: u32) -> i32 {
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
            return -self.glance(&passed, -beta, -alpha, depth);
        }
        let mut best = -100 * DISC;
        for square in legal {
            let next = self.child(node, square, node.board.flips(square));
            let value = if next.empties == 0 {
                -next.board.score() * DISC
            } else {
                -self.glance(&next, -beta, -alpha, depth - 1)
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

/// A position's moves, and which are still to be tried.
#[derive(Default)]
pub(crate) struct Choices {
    all: SmallVec<[Choice; 16]>,
    /// Those somebody else was busy with when their turn came.
    put_off: SmallVec<[u8; 16]>,
    /// How many of them were tried after all.
    resumed: usize,
}

/// The key of a move that had its turn.
const TAKEN: i32 = i32::MAX;

impl Choices {
    /// Leaves moves out.
    pub(crate) fn retain(&mut self, wanted: impl Fn(&Choice) -> bool) {
        self.all.retain(|choice| wanted(choice));
    }

    /// The next move to try: the most promising that nobody else is busy with, or else the first that was put off.
    pub(crate) fn next(&mut self, busy: impl Fn(&Choice) -> bool) -> Option<&Choice> {
        loop {
            let (at, key) = self.all.iter().map(|choice| choice.key).enumerate().min_by_key(|&(_, key)| key)?;
            if key == TAKEN {
                let at = *self.put_off.get(self.resumed)?;
                self.resumed += 1;
                return self.all.get(at as usize);
            }
            self.all[at].key = TAKEN;
            if !busy(&self.all[at]) {
                return Some(&self.all[at]);
            }
            self.put_off.push(at as u8);
        }
    }
}

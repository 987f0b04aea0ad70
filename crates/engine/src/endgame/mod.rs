//! Solving to the end without an evaluation, with a null window.
//!
//! Above the last four squares ([`last`]) there are two ways to order moves: with five empties by [`parity`] alone; with
//! more, by the fastest-first heuristic ([`replies`]). From [`TABLE_FROM`] empties on what was found is remembered, in a
//! table of the thread's own ([`local_table`]) or, further from the end, in the one all threads share.

mod last;
mod local_table;
mod parity;
mod replies;

pub(crate) use local_table::LocalTable;

use crate::{
    midgame::NO_SCORE,
    probcut::CERTAIN,
    stability,
    transposition::{self, Searched},
    worker::Worker,
};
use local_table::Known;
use parity::{QUADRANT, QUADRANTS, by_parity, first, parity};
use replies::Replies;
use rules::{
    Square,
    kernel::{flips, moves},
};

/// From this many empties on results are remembered.
const TABLE_FROM: u32 = 7;

/// From this many empties on results go to the table all threads share; below, to the thread's own small one.
const SHARED_TABLE: u32 = 12;

/// From this many empties on the next boards are looked up before any of them is searched.
const ETC_FROM: u32 = 9;

/// A board near the end, and what is known of it.
#[derive(Clone, Copy)]
struct EndBoard {
    mover: u64,
    other: u64,
    /// The mover's moves.
    legal: u64,
    empties: u32,
    /// The quadrants with an odd number of empty squares.
    odd: u8,
}

// Functions that call each other many million times a second take their board in registers, one word each.
impl Worker<'_> {
    /// Whether the exact score of a board is above `alpha`: at least the answer if the answer is, else at most the answer.
    ///
    /// `legal` are the mover's moves.
    pub(crate) fn solve(&mut self, mover: u64, other: u64, legal: u64, alpha: i32) -> i32 {
        let empty = !(mover | other);
        let empties = empty.count_ones();
        debug_assert!(empties <= 16, "all moves of a board fit in four groups of four");
        if empties == 0 {
            return last::final_score(mover, 0);
        }
        self.solve_from(mover, other, legal, alpha, empties, parity(empty))
    }

    #[inline(always)]
    fn solve_from(&mut self, mover: u64, other: u64, legal: u64, alpha: i32, empties: u32, odd: u8) -> i32 {
        if empties >= TABLE_FROM {
            self.with_table(mover, other, legal, alpha, empties, odd)
        } else if empties > 5 {
            self.without_table(mover, other, legal, alpha, empties, odd)
        } else if empties == 5 {
            self.five_empties(mover, other, legal, alpha, odd)
        } else {
            self.last_empties(mover, other, alpha, odd)
        }
    }

    /// Five empties: odd quadrants first.
    fn five_empties(&mut self, mover: u64, other: u64, legal: u64, alpha: i32, odd: u8) -> i32 {
        self.nodes += 1;
        if let Some(bound) = stability::cutoff(mover, other, alpha, 5) {
            return bound;
        }
        if legal == 0 {
            let replies = moves(other, mover);
            if replies == 0 {
                return last::final_score(mover, 5);
            }
            return -self.five_empties(other, mover, replies, -alpha - 1, odd);
        }
        let empty = !(mover | other);
        let mut best = NO_SCORE;
        let mut rest = legal;
        while rest != 0 {
            let square = first(rest, QUADRANTS[odd as usize & 15]);
            rest ^= 1 << square;
            let turned = flips(square, mover, other);
            let next = other ^ turned;
            if next == 0 {
                return 64;
            }
            let squares = by_parity(empty ^ 1 << square, odd ^ QUADRANT[square]);
            let played = mover ^ turned ^ 1 << square;
            let score = -last::four(next, played, -alpha - 1, squares, &mut self.nodes);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
        best
    }

    /// Up to four empties.
    #[cold]
    fn last_empties(&mut self, mover: u64, other: u64, alpha: i32, odd: u8) -> i32 {
        let empty = !(mover | other);
        let [a, b, c, d] = by_parity(empty, odd);
        match empty.count_ones() {
            4 => last::four(mover, other, alpha, [a, b, c, d], &mut self.nodes),
            3 => last::three(mover, other, alpha, [a, b, c], &mut self.nodes),
            2 => last::two(mover, other, alpha, a, b, &mut self.nodes),
            _ => {
                self.nodes += 1;
                last::one(mover, a)
            }
        }
    }

    /// From [`TABLE_FROM`] empties on: what was found is remembered.
    fn with_table(&mut self, mover: u64, other: u64, legal: u64, alpha: i32, empties: u32, odd: u8) -> i32 {
        self.nodes += 1;
        if let Some(bound) = stability::cutoff(mover, other, alpha, empties) {
            return bound;
        }
        if legal == 0 {
            let replies = moves(other, mover);
            if replies == 0 {
                return last::final_score(mover, empties as i32);
            }
            return -self.with_table(other, mover, replies, -alpha - 1, empties, odd);
        }

        let hash = transposition::hash(mover, other);
        let shared = empties >= SHARED_TABLE;
        let mut hash_move = 64;
        if shared {
            if empties >= SHARED_TABLE + 2 && self.must_stop() {
                return 0;
            }
            if let Some(stored) = self.shared.tables.small.probe(hash, mover, other)
                && stored.confidence == CERTAIN
            {
                if let Some(score) = stored.cutoff(alpha) {
                    return score;
                }
                hash_move = stored.moves[0].map_or(64, |square| square.index());
            }
        } else {
            match self.local.probe(hash, mover, other, alpha) {
                Known::Cutoff(score) => return score,
                Known::Move(square) => hash_move = square,
            }
        }

        let (score, best) = self.fastest_first(EndBoard { mover, other, legal, empties, odd }, alpha, hash_move);
        if self.stopped {
            return 0;
        }
        if shared {
            let best = Square::ALL.get(best).copied();
            let window = (alpha, alpha + 1);
            let searched = Searched { depth: empties as u8, confidence: CERTAIN, window, score, best };
            self.shared.tables.small.store(hash, (mover, other), searched);
        } else {
            self.local.store(hash, (mover, other), alpha, (score, best));
        }
        score
    }

    /// Six empties, up to [`TABLE_FROM`]: nothing is remembered.
    fn without_table(&mut self, mover: u64, other: u64, legal: u64, alpha: i32, empties: u32, odd: u8) -> i32 {
        self.nodes += 1;
        if let Some(bound) = stability::cutoff(mover, other, alpha, empties) {
            return bound;
        }
        if legal == 0 {
            let replies = moves(other, mover);
            if replies == 0 {
                return last::final_score(mover, empties as i32);
            }
            return -self.without_table(other, mover, replies, -alpha - 1, empties, odd);
        }
        self.fastest_first(EndBoard { mover, other, legal, empties, odd }, alpha, 64).0
    }

    /// The best score and move, the move that leaves the fewest replies tried first.
    #[inline(always)]
    fn fastest_first(&mut self, board: EndBoard, alpha: i32, hash_move: usize) -> (i32, usize) {
        let EndBoard { legal, empties, odd, .. } = board;
        let mut replies = Replies::new(board, hash_move);
        if (ETC_FROM..=SHARED_TABLE).contains(&empties)
            && let Some(refuted) = self.local.cutoff(&replies, legal.count_ones() as usize, alpha)
        {
            return refuted;
        }
        let mut best = NO_SCORE;
        let mut best_square = 64;
        while let Some(reply) = replies.next(empties) {
            let square = reply.square;
            if reply.mover == 0 {
                return (64, square);
            }
            if empties > SHARED_TABLE {
                self.shared.tables.small.prefetch(transposition::hash(reply.mover, reply.other));
            }
            let odd = odd ^ QUADRANT[square & 63];
            let score = -self.solve_from(reply.mover, reply.other, reply.legal, -alpha - 1, empties - 1, odd);
            if self.stopped {
                return (0, 64);
            }
            if score > best {
                best = score;
                best_square = square;
                if score > alpha {
                    break;
                }
            }
        }
        (best, best_square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Evaluator, Options, worker::test_worker};
    use rules::Board;

    fn plain(board: Board, alpha: i32, beta: i32) -> i32 {
        let legal = board.legal();
        if legal.is_empty() {
            return if board.is_over() { board.score() } else { -plain(board.pass(), -beta, -alpha) };
        }
        let mut best = NO_SCORE;
        for square in legal {
            best = best.max(-plain(board.play(square).unwrap(), -beta, -alpha.max(best)));
            if best >= beta {
                break;
            }
        }
        best
    }

    #[test]
    fn every_question_gets_the_right_answer() {
        let mut seed = 5u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as u32
        };
        let mut engine = Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 });
        let mut solved = 0;
        while solved < 400 {
            // random play to a random number of empties
            let until = 1 + random() % 10;
            let mut board = Board::START;
            while board.empty().len() > until && !board.is_over() {
                let legal = board.legal();
                board = if legal.is_empty() {
                    board.pass()
                } else {
                    board.play(legal.iter().nth((random() % legal.len()) as usize).unwrap()).unwrap()
                };
            }
            if board.is_over() {
                continue;
            }
            solved += 1;
            let truth = plain(board, -64, 64);
            test_worker(&mut engine, |worker| {
                for alpha in -64..64 {
                    let answer = worker.solve(board.mover.0, board.other.0, board.legal().0, alpha);
                    let right = if truth > alpha {
                        alpha < answer && answer <= truth
                    } else {
                        truth <= answer && answer <= alpha
                    };
                    assert!(right, "{board:?}: {truth}, but {answer} above {alpha}");
                }
            });
        }
    }
}

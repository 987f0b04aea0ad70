//! Solving to the end without an evaluation: fewest replies first, and parity near the end.
//!
//! Above the last four squares ([`last`]) there are two ways to look: with five empties moves are tried by parity
//! alone; with more, all moves are played at once, four to a register, and the one that leaves the opponent the fewest
//! replies is tried first. From [`TABLE_FROM`] empties on what was found is remembered.

mod last;

use crate::{probcut::CERTAIN, stability::stable, transposition, worker::Worker};
use last::NONE;
use rules::{
    Square,
    kernel::{self, Quad, flips, moves},
};

/// From this many empties on results are remembered.
const TABLE_FROM: u32 = 7;

/// From this many empties on results go to the table all threads share; below, to the thread's own small one.
const SHARED_TABLE: u32 = 12;

/// From this many empties on the next boards are looked up before any of them is searched.
const REFUTED_FROM: u32 = 9;

/// A bit for the quadrant of each square.
static QUADRANT: [u8; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = 1 << ((square >> 5) << 1 | square >> 2 & 1);
        square += 1;
    }
    table
};

/// The squares of the quadrants named by four bits.
static QUADRANTS: [u64; 16] = {
    const ONE: u64 = 0x0f0f_0f0f;
    let mut table = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut quadrant = 0;
        while quadrant < 4 {
            if set >> quadrant & 1 != 0 {
                table[set] |= ONE << ((quadrant >> 1) * 32 + (quadrant & 1) * 4);
            }
            quadrant += 1;
        }
        set += 1;
    }
    table
};

/// The quadrants with an odd number of empty squares.
pub(crate) fn parity(empty: u64) -> u8 {
    (0..4).filter(|q| (empty & QUADRANTS[1 << q]).count_ones() % 2 == 1).fold(0, |set, q| set | 1 << q)
}

/// The first square of a set, one of the preferred if there is any.
#[inline(always)]
fn first(set: u64, preferred: u64) -> usize {
    let best = set & preferred;
    (if best != 0 { best } else { set }).trailing_zeros() as usize & 63
}

/// The squares of a set, four at most, those of odd quadrants first.
#[inline(always)]
fn in_turn(mut set: u64, odd: u8) -> [usize; 4] {
    [(); 4].map(|()| {
        let square = first(set, QUADRANTS[odd as usize & 15]);
        set &= !(1 << square);
        square
    })
}

/// With this many empties, stable discs are counted only if `alpha` is at least this: else they never decide.
static STABILITY_FROM: [i32; 64] = {
    let mut table = [99; 64];
    let mut empties = 5;
    while empties < 64 {
        table[empties] = match empties {
            5 => 8,
            6 => 0,
            7..=8 => 8,
            9..=11 => 16,
            12..=16 => 20,
            17..=20 => 26,
            21..=26 => 32,
            27..=32 => 40,
            _ => 99,
        };
        empties += 1;
    }
    table
};

/// An upper bound on the mover's score, if the discs the opponent keeps for ever already hold it to `alpha`.
#[inline(always)]
pub(crate) fn stability_bound(mover: u64, other: u64, alpha: i32, empties: u32) -> Option<i32> {
    // most boards need not be looked at: all the discs the opponent has would not be enough
    if alpha < STABILITY_FROM[empties as usize & 63] || 2 * (other.count_ones() as i32) < 64 - alpha {
        return None;
    }
    let bound = 64 - 2 * stable(other, mover) as i32;
    (bound <= alpha).then_some(bound)
}

/// A small table of a thread's own, for positions too many and too small for the shared one.
pub(crate) struct Nearby(Box<[Near]>);

#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Near {
    mover: u64,
    other: u64,
    lower: i8,
    upper: i8,
    best: u8,
}

impl Nearby {
    const BITS: u32 = 13;

    pub(crate) fn new() -> Nearby {
        Nearby(vec![Near::default(); 1 << Nearby::BITS].into_boxed_slice())
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(Near::default());
    }

    #[inline(always)]
    fn slot(&mut self, hash: u64) -> &mut Near {
        &mut self.0[(hash >> (64 - Nearby::BITS)) as usize & ((1 << Nearby::BITS) - 1)]
    }

    /// The score and square of a move to a board that is known to be lost enough: no need to search.
    #[inline(always)]
    fn refutation(&mut self, replies: &Replies, count: usize, alpha: i32) -> Option<(i32, usize)> {
        (0..count).find_map(|at| {
            let reply = replies.get(at);
            let near = *self.slot(transposition::hash(reply.mover, reply.other));
            let score = -i32::from(near.upper);
            let good = near.mover == reply.mover && near.other == reply.other && score > alpha;
            good.then_some((score, reply.square))
        })
    }
}

impl Worker<'_> {
    /// The exact score of a board for the mover, above or not above `alpha`.
    ///
    /// `legal` are the mover's moves.
    pub(crate) fn solve(&mut self, mover: u64, other: u64, legal: u64, alpha: i32) -> i32 {
        let empty = !(mover | other);
        let empties = empty.count_ones();
        debug_assert!(empties <= 16, "all moves of a board fit in four groups of four");
        if empties == 0 {
            return last::settled(mover, 0);
        }
        self.solve_from(mover, other, legal, alpha, empties, parity(empty))
    }

    #[inline(always)]
    fn solve_from(&mut self, mover: u64, other: u64, legal: u64, alpha: i32, empties: u32, odd: u8) -> i32 {
        if empties >= TABLE_FROM {
            self.remembering(mover, other, legal, alpha, empties, odd)
        } else if empties > 5 {
            self.fewest_replies(mover, other, legal, alpha, empties, odd)
        } else if empties == 5 {
            self.five(mover, other, legal, alpha, odd)
        } else {
            self.last_few(mover, other, alpha, odd)
        }
    }

    /// Five empties: odd quadrants first.
    fn five(&mut self, mover: u64, other: u64, legal: u64, alpha: i32, odd: u8) -> i32 {
        self.nodes += 1;
        if let Some(bound) = stability_bound(mover, other, alpha, 5) {
            return bound;
        }
        if legal == 0 {
            let replies = moves(other, mover);
            if replies == 0 {
                return last::settled(mover, 5);
            }
            return -self.five(other, mover, replies, -alpha - 1, odd);
        }
        let empty = !(mover | other);
        let mut best = NONE;
        let mut rest = legal;
        while rest != 0 {
            let square = first(rest, QUADRANTS[odd as usize & 15]);
            rest ^= 1 << square;
            let turned = flips(square, mover, other);
            let next = other ^ turned;
            if next == 0 {
                return 64;
            }
            let squares = in_turn(empty ^ 1 << square, odd ^ QUADRANT[square]);
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
    fn last_few(&mut self, mover: u64, other: u64, alpha: i32, odd: u8) -> i32 {
        let empty = !(mover | other);
        let [a, b, c, d] = in_turn(empty, odd);
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
    fn remembering(&mut self, mover: u64, other: u64, legal: u64, alpha: i32, empties: u32, odd: u8) -> i32 {
        self.nodes += 1;
        if let Some(bound) = stability_bound(mover, other, alpha, empties) {
            return bound;
        }
        if legal == 0 {
            let replies = moves(other, mover);
            if replies == 0 {
                return last::settled(mover, empties as i32);
            }
            return -self.remembering(other, mover, replies, -alpha - 1, empties, odd);
        }

        let hash = transposition::hash(mover, other);
        let shared = empties >= SHARED_TABLE;
        let mut known = 64;
        if shared {
            if empties >= SHARED_TABLE + 2 && self.must_stop() {
                return 0;
            }
            if let Some(found) = self.shared.memory.near.get(hash, mover, other)
                && found.confidence == CERTAIN
            {
                if i32::from(found.lower) > alpha {
                    return i32::from(found.lower);
                }
                if i32::from(found.upper) <= alpha {
                    return i32::from(found.upper);
                }
                known = found.moves[0].map_or(64, |square| square.index());
            }
        } else {
            let near = *self.nearby.slot(hash);
            if near.mover == mover && near.other == other {
                if i32::from(near.lower) > alpha {
                    return i32::from(near.lower);
                }
                if i32::from(near.upper) <= alpha {
                    return i32::from(near.upper);
                }
                known = near.best as usize;
            }
        }

        let (best, best_square) = self.in_order(mover, other, legal, alpha, empties, odd, known);
        if self.stopped {
            return 0;
        }
        if shared {
            let square = Square::ALL.get(best_square).copied();
            self.shared.memory.near.put(hash, (mover, other), empties as u8, CERTAIN, (alpha, alpha + 1), best, square);
        } else {
            let near = self.nearby.slot(hash);
            let same = near.mover == mover && near.other == other;
            let (lower, upper) = if same { (near.lower, near.upper) } else { (-64, 64) };
            *near = Near {
                mover,
                other,
                lower: if best > alpha { best as i8 } else { lower },
                upper: if best > alpha { upper } else { best as i8 },
                best: best_square as u8,
            };
        }
        best
    }

    /// Six empties, up to [`TABLE_FROM`]: the fewest replies first, and nothing remembered.
    fn fewest_replies(&mut self, mover: u64, other: u64, legal: u64, alpha: i32, empties: u32, odd: u8) -> i32 {
        self.nodes += 1;
        if let Some(bound) = stability_bound(mover, other, alpha, empties) {
            return bound;
        }
        if legal == 0 {
            let replies = moves(other, mover);
            if replies == 0 {
                return last::settled(mover, empties as i32);
            }
            return -self.fewest_replies(other, mover, replies, -alpha - 1, empties, odd);
        }
        self.in_order(mover, other, legal, alpha, empties, odd, 64).0
    }

    /// The best score and move, the move that leaves the fewest replies tried first.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn in_order(
        &mut self,
        mover: u64,
        other: u64,
        legal: u64,
        alpha: i32,
        empties: u32,
        odd: u8,
        known: usize,
    ) -> (i32, usize) {
        // Play every move at once, four to a register.
        let mut replies = Replies::new();
        let mut set = legal;
        for group in 0..4 {
            let mut placed = Quad::default();
            for lane in &mut placed.0 {
                *lane = set & set.wrapping_neg();
                set &= set.wrapping_sub(1);
            }
            let squares = placed.0.map(|placed| placed.trailing_zeros() as usize);
            let turned = kernel::flips_x4(squares, mover, other);
            replies.add(group, mover, other, turned, placed, known, odd);
            if set == 0 {
                break;
            }
        }

        if (REFUTED_FROM..=SHARED_TABLE).contains(&empties)
            && let Some(refuted) = self.nearby.refutation(&replies, legal.count_ones() as usize, alpha)
        {
            return refuted;
        }

        let mut best = NONE;
        let mut best_square = 64;
        while let Some(reply) = replies.next(empties) {
            let square = reply.square;
            if reply.mover == 0 {
                return (64, square);
            }
            if empties > SHARED_TABLE {
                self.shared.memory.near.prepare(transposition::hash(reply.mover, reply.other));
            }
            let score = -self.solve_from(
                reply.mover,
                reply.other,
                reply.legal,
                -alpha - 1,
                empties - 1,
                odd ^ QUADRANT[square & 63],
            );
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

/// A move already played, from the opponent's side.
struct Reply {
    mover: u64,
    other: u64,
    legal: u64,
    square: usize,
}

/// Moves waiting to be tried, the most promising first: sixteen at most, four to a register.
struct Replies {
    mover: [Quad; 4],
    other: [Quad; 4],
    legal: [Quad; 4],
    placed: [Quad; 4],
    /// How much each move leaves the opponent, 16 bits each: the least comes first.
    ///
    /// The groups are kept in the order 0, 2, 1, 3, so that two of them are read as two words and not as one wide
    /// one, which would have to wait until both are written.
    keys: [u64; 4],
}

/// The key of no move; above that of any.
const NO_MOVE: u16 = 0xf000;

/// Small differences between squares, decided when replies are equal: corners, then edges, X-squares last.
#[rustfmt::skip]
const PLACE: [u8; 64] = [
    0, 5, 2, 2, 2, 2, 5, 0,
    5, 7, 4, 4, 4, 4, 7, 5,
    2, 4, 3, 3, 3, 3, 4, 2,
    2, 4, 3, 3, 3, 3, 4, 2,
    2, 4, 3, 3, 3, 3, 4, 2,
    2, 4, 3, 3, 3, 3, 4, 2,
    5, 7, 4, 4, 4, 4, 7, 5,
    0, 5, 2, 2, 2, 2, 5, 0,
];

/// The squares whose [`PLACE`] has each of three bits set.
static PLACES: [u64; 3] = {
    let mut table = [0; 3];
    let mut square = 0;
    while square < 64 {
        let mut bit = 0;
        while bit < 3 {
            table[bit] |= (PLACE[square] as u64 >> bit & 1) << square;
            bit += 1;
        }
        square += 1;
    }
    table
};

impl Replies {
    #[inline(always)]
    fn new() -> Replies {
        Replies {
            mover: [Quad::default(); 4],
            other: [Quad::default(); 4],
            legal: [Quad::default(); 4],
            placed: [Quad::default(); 4],
            keys: [u64::MAX; 4],
        }
    }

    /// Where the keys of a group are.
    #[inline(always)]
    fn key(group: usize) -> usize {
        (group & 1) * 2 + (group >> 1)
    }

    /// Adds the next four moves, or what is left of them.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn add(&mut self, group: usize, mover: u64, other: u64, turned: Quad, placed: Quad, known: usize, odd: u8) {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        let next_mover = Quad(std::array::from_fn(|lane| other ^ turned.0[lane]));
        let next_other = Quad(std::array::from_fn(|lane| mover ^ turned.0[lane] ^ placed.0[lane]));
        let legal = kernel::moves_x4(next_mover, next_other);
        let known = 1u64.checked_shl(known as u32).unwrap_or(0);
        let odd = QUADRANTS[odd as usize & 15];
        let base: [u64; 4] = std::array::from_fn(|lane| {
            let placed = placed.0[lane];
            let mut key = 1024;
            key += if placed & odd == 0 { 8 } else { 0 };
            key += if placed & PLACES[0] != 0 { 1 } else { 0 };
            key += if placed & PLACES[1] != 0 { 2 } else { 0 };
            key += if placed & PLACES[2] != 0 { 4 } else { 0 };
            key = if placed & known != 0 { 0 } else { key };
            if placed == 0 { u64::from(NO_MOVE) } else { key }
        });
        let replies = kernel::count_x4(legal);
        let corners = kernel::count_x4(Quad(legal.0.map(|legal| legal & CORNERS)));
        let keys = Quad(std::array::from_fn(|lane| 16 * (replies.0[lane] + corners.0[lane]) + base[lane]));
        self.keys[Replies::key(group)] = kernel::pack_x4(keys);
        self.mover[group] = next_mover;
        self.other[group] = next_other;
        self.legal[group] = legal;
        self.placed[group] = placed;
    }

    #[inline(always)]
    fn next(&mut self, empties: u32) -> Option<Reply> {
        let (mut at, mut key) = kernel::least(self.keys[0], self.keys[2]);
        if empties > 8 {
            let (more, other) = kernel::least(self.keys[1], self.keys[3]);
            if other < key {
                (at, key) = (8 + more, other);
            }
        }
        if key >= NO_MOVE {
            return None;
        }
        self.keys[Replies::key(at >> 2 & 3)] |= 0xffff << (16 * (at & 3));
        Some(self.get(at))
    }

    #[inline(always)]
    fn get(&self, at: usize) -> Reply {
        let (group, lane) = (at >> 2 & 3, at & 3);
        Reply {
            mover: self.mover[group].0[lane],
            other: self.other[group].0[lane],
            legal: self.legal[group].0[lane],
            square: self.placed[group].0[lane].trailing_zeros() as usize,
        }
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
        let mut best = NONE;
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

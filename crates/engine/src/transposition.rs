//! The transposition tables, what is known of positions met before: [`Tables`], shared by all threads without locks.
//!
//! Most of what is looked up is near the end of the game, and soon of no use. That goes to a table of its own, small
//! enough to stay in the processor's cache: the large one is slow to reach.
//!
//! An entry keeps the whole board, so a position is never taken for another. Its three words are written one by
//! one; the first two are stored combined with the third, so that a torn entry matches no board.
//!
//! To forget everything costs nothing: each entry carries the generation it was written in, and those of another
//! generation count as empty. Only after [`GENERATIONS`] of them the memory is really written over.

use crate::eval::kernel::prefer_large;
use rules::Square;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

/// What is known of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stored {
    /// The score is at least this.
    pub(crate) lower: i8,
    /// The score is at most this.
    pub(crate) upper: i8,
    /// Plies searched; all the empties when searched to the end.
    pub(crate) depth: u8,
    /// How selective the search was: an index into the confidence ladder.
    pub(crate) confidence: u8,
    /// The best move, and the best before it.
    pub(crate) moves: [Option<Square>; 2],
}

/// What a search of one position found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Searched {
    pub(crate) depth: u8,
    pub(crate) confidence: u8,
    /// The search window: a score outside it is a bound.
    pub(crate) window: (i32, i32),
    pub(crate) score: i32,
    pub(crate) best: Option<Square>,
}

/// The bits of a word that hold the confidence; the rest of its byte, and the last byte, are the generation's.
const CONFIDENCE: u8 = 0b111;

/// The bits of a word that hold the generation.
const GENERATION: u64 = 0xff00_0000_f800_0000;

/// How many generations there are. They count from 1: a word of zeros is of none.
const GENERATIONS: u16 = (1 << GENERATION.count_ones()) - 1;

/// The number of a generation at its place in a word.
fn placed(generation: u16) -> u64 {
    let number = u64::from(generation);
    (number & 0x1f) << 27 | number >> 5 << 56
}

impl Stored {
    /// A score that decides a null window above `alpha`, if the bounds do.
    #[inline(always)]
    pub(crate) fn cutoff(self, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower > alpha {
            return Some(lower);
        }
        (upper <= alpha).then_some(upper)
    }

    fn pack(self, age: u8, generation: u64) -> u64 {
        let square = |square: Option<Square>| square.map_or(64, |s| s as u8);
        generation
            | u64::from_le_bytes([
                self.lower as u8,
                self.upper as u8,
                self.depth,
                self.confidence,
                square(self.moves[0]),
                square(self.moves[1]),
                age,
                0,
            ])
    }

    fn unpack(word: u64) -> Stored {
        let [lower, upper, depth, confidence, first, second, _, _] = word.to_le_bytes();
        let square = |index: u8| Square::ALL.get(index as usize).copied();
        Stored {
            lower: lower as i8,
            upper: upper as i8,
            depth,
            confidence: confidence & CONFIDENCE,
            moves: [square(first), square(second)],
        }
    }
}

fn age_of(word: u64) -> u8 {
    word.to_le_bytes()[6]
}

fn depth_of(word: u64) -> u8 {
    word.to_le_bytes()[2]
}

#[derive(Default)]
struct Entry {
    mover: AtomicU64,
    other: AtomicU64,
    found: AtomicU64,
}

impl Entry {
    #[inline(always)]
    fn read(&self, mover: u64, other: u64, generation: u64) -> Option<u64> {
        let found = self.found.load(Relaxed);
        let same = self.mover.load(Relaxed) ^ found == mover && self.other.load(Relaxed) ^ found == other;
        (same && found & GENERATION == generation).then_some(found)
    }

    #[inline(always)]
    fn write(&self, mover: u64, other: u64, found: u64) {
        self.mover.store(mover ^ found, Relaxed);
        self.other.store(other ^ found, Relaxed);
        self.found.store(found, Relaxed);
    }
}

/// Two entries in one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Entry; 2]);

/// Results of searches to the end from at most so many empties are near the end.
const NEAR: u32 = 15;

/// The most megabytes that are of use for results near the end.
const NEAR_MEGABYTES: usize = 4;

/// Both transposition tables.
pub(crate) struct Tables {
    /// For the midgame, and for all principal variation nodes.
    pub(crate) large: Table,
    /// For what is near the end.
    pub(crate) small: Table,
}

impl Tables {
    /// A large table of at most `megabytes`, and a small one of at most a quarter of that.
    pub(crate) fn new(megabytes: usize) -> Tables {
        Tables { large: Table::new(megabytes), small: Table::new((megabytes / 4).min(NEAR_MEGABYTES)) }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.large.clear();
        self.small.clear();
    }

    /// From here on, what was found before gives way first.
    pub(crate) fn new_search(&self) {
        self.large.new_search();
        self.small.new_search();
    }

    /// Where to look for, and put, the results of searches of `depth` plies with so many empties.
    #[inline(always)]
    pub(crate) fn of(&self, empties: u32, depth: u32) -> &Table {
        if depth >= empties && empties <= NEAR { &self.small } else { &self.large }
    }
}

/// One table.
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    shift: u32,
    age: AtomicU8,
    /// The present generation.
    number: AtomicU16,
    /// The same, at its place in a word.
    generation: AtomicU64,
}

/// Spreads a board over all bits of a word.
#[inline(always)]
pub(crate) fn hash(mover: u64, other: u64) -> u64 {
    let mixed = mover.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
    (mixed ^ mixed >> 29).wrapping_mul(0x1656_67b1_9e37_79f9)
}

impl Table {
    /// A table of at most `megabytes`, a power of two of buckets.
    fn new(megabytes: usize) -> Table {
        let buckets = (megabytes.max(1) << 20) / size_of::<Bucket>();
        let bits = buckets.ilog2();
        let mut buckets = Vec::with_capacity(1 << bits);
        prefer_large(buckets.spare_capacity_mut());
        buckets.resize_with(1 << bits, Bucket::default);
        Table {
            buckets,
            shift: 64 - bits,
            age: AtomicU8::new(0),
            number: AtomicU16::new(1),
            generation: AtomicU64::new(placed(1)),
        }
    }

    /// Forgets everything.
    fn clear(&self) {
        let mut number = self.number.load(Relaxed);
        if number == GENERATIONS {
            self.buckets.iter().flat_map(|bucket| &bucket.0).for_each(|entry| entry.write(0, 0, 0));
            number = 0;
        }
        self.number.store(number + 1, Relaxed);
        self.generation.store(placed(number + 1), Relaxed);
        self.age.store(0, Relaxed);
    }

    #[inline(always)]
    fn generation(&self) -> u64 {
        self.generation.load(Relaxed)
    }

    fn new_search(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, hash: u64) -> &Bucket {
        &self.buckets[(hash >> self.shift) as usize]
    }

    /// Asks for the memory that [`probe`](Table::probe) will read.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        rules::kernel::prefetch(self.bucket(hash));
    }

    /// What is known of this board.
    #[inline(always)]
    pub(crate) fn probe(&self, hash: u64, mover: u64, other: u64) -> Option<Stored> {
        let generation = self.generation();
        self.bucket(hash).0.iter().find_map(|entry| entry.read(mover, other, generation)).map(Stored::unpack)
    }

    /// Remembers what a search of this board found. The deeper entry of a bucket stays, except from older searches.
    #[inline]
    pub(crate) fn store(&self, hash: u64, (mover, other): (u64, u64), searched: Searched) {
        let Searched { depth, confidence, window: (alpha, beta), score, best } = searched;
        let (age, generation) = (self.age.load(Relaxed), self.generation());
        let mut new = Stored {
            lower: if score > alpha { score as i8 } else { -64 },
            upper: if score < beta { score as i8 } else { 64 },
            depth,
            confidence,
            moves: [best, None],
        };
        let bucket = self.bucket(hash);
        let mut victim = &bucket.0[0];
        let mut least = u32::MAX;
        for entry in &bucket.0 {
            if let Some(word) = entry.read(mover, other, generation) {
                let old = Stored::unpack(word);
                if (old.depth, old.confidence) == (depth, confidence) {
                    new.lower = new.lower.max(old.lower);
                    new.upper = new.upper.min(old.upper);
                    if new.lower > new.upper {
                        // selective searches may contradict each other: the newer one counts
                        new.lower = if score > alpha { score as i8 } else { -64 };
                        new.upper = if score < beta { score as i8 } else { 64 };
                    }
                }
                // a search that failed low has no best move of its own worth more than the one known
                let kept = if score <= alpha && old.moves[0].is_some() { old.moves[0] } else { best };
                new.moves = if kept == old.moves[0] { old.moves } else { [kept, old.moves[0]] };
                entry.write(mover, other, new.pack(age, generation));
                return;
            }
            let word = entry.found.load(Relaxed);
            let worth = u32::from(age_of(word) == age) << 8 | u32::from(depth_of(word));
            let worth = if word & GENERATION == generation { worth + 1 } else { 0 };
            if worth < least {
                least = worth;
                victim = entry;
            }
        }
        victim.write(mover, other, new.pack(age, generation));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(depth: u8, confidence: u8, window: (i32, i32), score: i32, best: Option<Square>) -> Searched {
        Searched { depth, confidence, window, score, best }
    }

    #[test]
    fn what_is_put_is_found_and_bounds_tighten() {
        let table = Table::new(1);
        let (mover, other) = (3, 12);
        let hash = hash(mover, other);
        assert_eq!(table.probe(hash, mover, other), None);
        table.store(hash, (mover, other), searched(8, 5, (3, 4), 6, Some(Square::F5)));
        let found = table.probe(hash, mover, other).unwrap();
        assert_eq!((found.lower, found.upper, found.moves), (6, 64, [Some(Square::F5), None]));
        table.store(hash, (mover, other), searched(8, 5, (7, 8), 6, Some(Square::A1)));
        let found = table.probe(hash, mover, other).unwrap();
        assert_eq!((found.lower, found.upper, found.moves[0]), (6, 6, Some(Square::F5)));
        assert_eq!(table.probe(hash, other, mover), None);
    }

    #[test]
    fn the_deeper_entry_of_an_age_stays() {
        let table = Table::new(1);
        // three boards in one bucket
        table.store(0, (1, 2), searched(20, 5, (0, 1), 2, None));
        table.store(0, (2, 4), searched(4, 5, (0, 1), 2, None));
        table.store(0, (4, 8), searched(5, 5, (0, 1), 2, None));
        assert!(table.probe(0, 1, 2).is_some());
        assert!(table.probe(0, 2, 4).is_none());
        assert!(table.probe(0, 4, 8).is_some());
        table.new_search();
        table.store(0, (8, 16), searched(1, 5, (0, 1), 2, None));
        assert!(table.probe(0, 4, 8).is_none(), "the shallower of the old ones goes first");
    }
    #[test]
    fn what_was_forgotten_is_as_if_it_had_never_been_there() {
        let table = Table::new(1);
        let mut fresh = Table::new(1);
        for _ in 0..3 {
            // two deep entries of an older generation fill the bucket; neither is found, and both give way
            table.store(0, (1, 2), searched(40, 4, (0, 1), 2, Some(Square::A1)));
            table.store(0, (2, 4), searched(40, 4, (0, 1), 2, Some(Square::A1)));
            table.clear();
            assert_eq!((table.probe(0, 1, 2), table.probe(0, 2, 4)), (None, None));
            for table in [&table, &fresh] {
                table.store(0, (1, 2), searched(3, 1, (7, 8), 6, None));
                table.store(0, (4, 8), searched(2, 2, (0, 1), 2, Some(Square::H8)));
            }
            for board in [(1, 2), (2, 4), (4, 8)] {
                assert_eq!(table.probe(0, board.0, board.1), fresh.probe(0, board.0, board.1));
            }
            fresh = Table::new(1);
        }
    }

    #[test]
    fn no_entry_comes_back_when_the_generations_begin_again() {
        let table = Table::new(1);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..GENERATIONS {
            assert!(
                seen.insert(table.generation()) && table.generation() != 0 && table.generation() & !GENERATION == 0
            );
            table.store(0, (1, 2), searched(60, 4, (0, 1), 2, Some(Square::H8)));
            let found = table.probe(0, 1, 2).unwrap();
            assert_eq!((found.depth, found.confidence, found.moves[0]), (60, 4, Some(Square::H8)));
            table.clear();
            assert_eq!(table.probe(0, 1, 2), None);
        }
        assert!(seen.contains(&table.generation()));
        // nothing of the first time round is left either
        assert!(table.buckets.iter().flat_map(|bucket| &bucket.0).all(|entry| entry.found.load(Relaxed) == 0));
    }
}

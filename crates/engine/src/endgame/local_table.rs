//! A small transposition table of a thread's own, for positions too many and too small for the shared ones.

use super::replies::Replies;
use crate::transposition;

/// Results of the last few empties; the latest stays.
pub(crate) struct LocalTable(Box<[Entry]>);

#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Entry {
    mover: u64,
    other: u64,
    lower: i8,
    upper: i8,
    best: u8,
}

/// What is known of a board.
pub(super) enum Known {
    /// A score that decides the null window.
    Cutoff(i32),
    /// The move to try first; 64 is none.
    Move(usize),
}

impl LocalTable {
    const BITS: u32 = 13;

    pub(crate) fn new() -> LocalTable {
        LocalTable(vec![Entry::default(); 1 << LocalTable::BITS].into_boxed_slice())
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(Entry::default());
    }

    #[inline(always)]
    fn entry(&mut self, hash: u64) -> &mut Entry {
        &mut self.0[(hash >> (64 - LocalTable::BITS)) as usize & ((1 << LocalTable::BITS) - 1)]
    }

    #[inline(always)]
    pub(super) fn probe(&mut self, hash: u64, mover: u64, other: u64, alpha: i32) -> Known {
        let entry = *self.entry(hash);
        if entry.mover != mover || entry.other != other {
            return Known::Move(64);
        }
        if i32::from(entry.lower) > alpha {
            return Known::Cutoff(i32::from(entry.lower));
        }
        if i32::from(entry.upper) <= alpha {
            return Known::Cutoff(i32::from(entry.upper));
        }
        Known::Move(entry.best as usize)
    }

    #[inline(always)]
    pub(super) fn store(&mut self, hash: u64, (mover, other): (u64, u64), alpha: i32, (score, best): (i32, usize)) {
        let entry = self.entry(hash);
        let same = entry.mover == mover && entry.other == other;
        let (lower, upper) = if same { (entry.lower, entry.upper) } else { (-64, 64) };
        *entry = Entry {
            mover,
            other,
            lower: if score > alpha { score as i8 } else { lower },
            upper: if score > alpha { upper } else { score as i8 },
            best: best as u8,
        };
    }

    /// Enhanced transposition cutoff: the score and square of a move to a board that is known to be lost enough.
    #[inline(always)]
    pub(super) fn cutoff(&mut self, replies: &Replies, count: usize, alpha: i32) -> Option<(i32, usize)> {
        (0..count).find_map(|at| {
            let reply = replies.get(at);
            let entry = *self.entry(transposition::hash(reply.mover, reply.other));
            let score = -i32::from(entry.upper);
            let good = entry.mover == reply.mover && entry.other == reply.other && score > alpha;
            good.then_some((score, reply.square))
        })
    }
}

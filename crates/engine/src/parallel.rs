//! Sharing one search among threads.
//!
//! Every thread searches the whole tree; they help each other through the transposition table. To keep them on
//! different branches, a thread marks the position it is about to search, and others defer a marked move until the
//! rest are done: by then its result is usually in the table. (The idea is ABDADA, in the simple form of
//! [Tom Kerrigan](http://www.tckerrigan.com/Chess/Parallel_Search/Simplified_ABDADA/).) Nothing is ever waited for, so
//! that one slow thread holds up nobody.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Positions being searched right now.
pub(crate) struct InProgress(Box<[AtomicU64]>);

const SLOTS: usize = 1 << 12;

impl InProgress {
    pub(crate) fn new() -> InProgress {
        InProgress(std::iter::repeat_with(AtomicU64::default).take(SLOTS).collect())
    }

    #[inline]
    fn slot(&self, hash: u64) -> &AtomicU64 {
        &self.0[hash as usize & (SLOTS - 1)]
    }

    /// Whether some thread searches this position.
    #[inline]
    pub(crate) fn contains(&self, hash: u64) -> bool {
        self.slot(hash).load(Relaxed) == hash
    }

    /// Marks a position. Two positions in one slot: the later mark stands, and the other may be searched twice.
    #[inline]
    pub(crate) fn mark(&self, hash: u64) {
        self.slot(hash).store(hash, Relaxed);
    }

    /// Takes the mark away.
    #[inline]
    pub(crate) fn clear(&self, hash: u64) {
        let slot = self.slot(hash);
        if slot.load(Relaxed) == hash {
            slot.store(0, Relaxed);
        }
    }
}

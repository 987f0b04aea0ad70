//! One thread's part of a search: what it shares with the others, and what is its own.

use crate::{
    clock::Stopwatch,
    endgame::LocalTable,
    eval::Evaluator,
    history::History,
    parallel::InProgress,
    probcut::{CERTAIN, Margins},
    transposition::Tables,
    variation::Variations,
};
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) eval: &'a Evaluator,
    pub(crate) margins: &'static Margins,
    pub(crate) in_progress: &'a InProgress,
    /// The user asks to stop.
    pub(crate) stop: &'a AtomicBool,
    /// Another thread has finished this round.
    pub(crate) done: &'a AtomicBool,
    /// The time since the search began, and when to stop by itself.
    pub(crate) stopwatch: &'a Stopwatch,
    pub(crate) time: Option<Duration>,
    /// Nodes of all threads together, updated now and then.
    pub(crate) nodes: &'a AtomicU64,
    /// More than one thread searches.
    pub(crate) several: bool,
}

/// Nodes between two looks at the clock and at whether to stop: a fifth of a millisecond in the midgame, where a node is dearest. So long
/// somebody waits for an engine that has to make room for them.
const PATIENCE: u64 = 1024;

/// One thread.
pub(crate) struct Worker<'a> {
    pub(crate) shared: &'a Shared<'a>,
    /// Positions looked at.
    pub(crate) nodes: u64,
    /// Nodes already added to the shared count.
    counted: u64,
    /// The search was told to end; results from here on mean nothing.
    pub(crate) stopped: bool,
    /// The rung of the confidence ladder searched at.
    pub(crate) confidence: u8,
    pub(crate) local: &'a mut LocalTable,
    pub(crate) history: History,
    pub(crate) variations: Variations,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>, local: &'a mut LocalTable) -> Worker<'a> {
        Worker {
            shared,
            nodes: 0,
            counted: 0,
            stopped: false,
            confidence: CERTAIN,
            local,
            history: History::new(),
            variations: Variations::new(),
        }
    }

    /// Whether to give up now. Cheap: it really looks only every thousand nodes.
    #[inline(always)]
    pub(crate) fn must_stop(&mut self) -> bool {
        if self.nodes - self.counted >= PATIENCE {
            self.look_up();
        }
        self.stopped
    }

    #[cold]
    fn look_up(&mut self) {
        let shared = self.shared;
        let fresh = self.nodes - self.counted;
        shared.nodes.fetch_add(fresh, Relaxed);
        self.counted = self.nodes;
        self.stopped |= shared.stop.load(Relaxed)
            || shared.done.load(Relaxed)
            || shared.time.is_some_and(|time| shared.stopwatch.elapsed() >= time);
    }

    /// Adds the nodes not yet counted to the shared count.
    pub(crate) fn settle_count(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.counted, Relaxed);
        self.counted = self.nodes;
    }
}

/// A worker on its own, for tests.
#[cfg(test)]
pub(crate) fn test_worker(engine: &mut crate::Engine, work: impl FnOnce(&mut Worker<'_>)) {
    let iteration = crate::deepening::Iteration { depth: 1, confidence: crate::Confidence::Certain };
    let root = crate::task::Root {
        board: rules::Board::START,
        iteration,
        excluded: rules::Bitboard::EMPTY,
        window: (-64, 64),
    };
    let limits = crate::Limits::default();
    let task = engine.task(root, &limits, &limits.clock.start(), 0, false);
    work(&mut Worker::new(&task.shared(), &mut engine.local));
}

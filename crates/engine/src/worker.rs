//! One thread's part of a search: what it shares with the others, and what is its own.

use crate::{
    endgame::Nearby, eval::Evaluator, parallel::Busy, probcut::CERTAIN, refutation::Refutations, transposition::Memory,
};
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Instant,
};

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) eval: &'a Evaluator,
    pub(crate) busy: &'a Busy,
    /// The user asks to stop.
    pub(crate) stop: &'a AtomicBool,
    /// Another thread has finished this round.
    pub(crate) done: AtomicBool,
    /// When to stop by itself.
    pub(crate) deadline: Option<Instant>,
    /// Nodes of all threads together, updated now and then.
    pub(crate) nodes: AtomicU64,
    pub(crate) node_limit: u64,
    /// More than one thread searches.
    pub(crate) several: bool,
}

/// Nodes between two looks at the clock: well under a millisecond.
const PATIENCE: u64 = 16384;

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
    pub(crate) nearby: &'a mut Nearby,
    pub(crate) refutations: Refutations,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>, nearby: &'a mut Nearby) -> Worker<'a> {
        let refutations = Refutations::new();
        Worker { shared, nodes: 0, counted: 0, stopped: false, confidence: CERTAIN, nearby, refutations }
    }

    /// Whether to give up now. Cheap: it really looks only every few thousand nodes.
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
        let all = shared.nodes.fetch_add(fresh, Relaxed) + fresh;
        self.counted = self.nodes;
        self.stopped |= shared.stop.load(Relaxed)
            || shared.done.load(Relaxed)
            || all >= shared.node_limit
            || shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
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
    let stop = AtomicBool::new(false);
    let shared = Shared {
        memory: &engine.memory,
        eval: &engine.eval,
        busy: &engine.busy,
        stop: &stop,
        done: AtomicBool::new(false),
        deadline: None,
        nodes: AtomicU64::new(0),
        node_limit: u64::MAX,
        several: false,
    };
    work(&mut Worker::new(&shared, &mut engine.nearby[0]));
}

//! One search of one board with one window, which all threads of an engine share: [`Task`].

use crate::{
    Stop,
    clock::Stopwatch,
    deepening::Iteration,
    endgame::LocalTable,
    eval::Evaluator,
    node::Node,
    parallel::InProgress,
    probcut::Margins,
    transposition::{Searched, Tables},
    worker::{Shared, Worker},
};
use rules::{Bitboard, Board, Square};
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

/// What lives as long as the engine, and all its threads share.
pub(crate) struct Core {
    pub(crate) tables: Tables,
    pub(crate) eval: Evaluator,
    pub(crate) in_progress: InProgress,
}

/// What a search of a root found.
pub(crate) struct RootResult {
    pub(crate) score: i32,
    pub(crate) square: Option<Square>,
    /// The principal variation.
    pub(crate) variation: Vec<Square>,
    /// Not stopped before every move had its turn.
    pub(crate) complete: bool,
}

/// What is to be searched.
pub(crate) struct Root {
    pub(crate) board: Board,
    pub(crate) iteration: Iteration,
    /// Moves that are left out.
    pub(crate) excluded: Bitboard,
    pub(crate) window: (i32, i32),
}

/// A root, what ends its search, and what came of it.
pub(crate) struct Task {
    pub(crate) core: Arc<Core>,
    pub(crate) root: Root,
    pub(crate) stop: Stop,
    pub(crate) stopwatch: Stopwatch,
    pub(crate) time: Option<Duration>,
    /// More than one thread searches.
    pub(crate) several: bool,
    /// Positions looked at by all threads, with those of earlier tasks.
    pub(crate) nodes: AtomicU64,
    /// A thread has finished: the others need not.
    pub(crate) done: AtomicBool,
    /// Of the first thread to finish, or where none does, of one that found something.
    pub(crate) result: Mutex<Option<RootResult>>,
}

/// A thread that panics ends the search of the others, who would wait for its part of the tree.
struct EndOnPanic<'a>(&'a AtomicBool);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

impl Task {
    /// What a worker sees of it.
    pub(crate) fn shared(&self) -> Shared<'_> {
        Shared {
            tables: &self.core.tables,
            eval: &self.core.eval,
            margins: Margins::get(),
            in_progress: &self.core.in_progress,
            stop: &self.stop.0,
            done: &self.done,
            stopwatch: &self.stopwatch,
            time: self.time,
            nodes: &self.nodes,
            several: self.several,
        }
    }

    /// One thread's part.
    pub(crate) fn run(&self, local: &mut LocalTable) {
        // On a busy machine a thread may wake up when another has finished, which waits for it.
        if self.done.load(Relaxed) {
            return;
        }
        let _end = EndOnPanic(&self.done);
        let shared = self.shared();
        let mut worker = Worker::new(&shared, local);
        worker.confidence = self.root.iteration.confidence as u8;
        let node = worker.node(self.root.board);
        let found = worker.root(&node, &self.root);
        worker.settle_count();
        let mut result = self.result.lock().unwrap_or_else(PoisonError::into_inner);
        let first = found.complete && !self.done.swap(true, Relaxed);
        // a move that is no better than the window's foot may be worse than those that were not looked at
        if first || result.is_none() && found.score > self.root.window.0 {
            *result = Some(found);
        }
    }
}

impl Worker<'_> {
    /// The best of the root's moves but those excluded.
    fn root(&mut self, node: &Node, root: &Root) -> RootResult {
        let Board { mover, other } = node.board;
        let (depth, window) = (root.iteration.depth, root.window);
        let table = &self.shared.tables.large;
        let hash = node.hash();
        let hash_moves = table.probe(hash, mover.0, other.0).map_or([None; 2], |stored| stored.moves);
        let mut moves = self.order(node, node.board.legal(), hash_moves, depth);
        moves.retain(|one| !root.excluded.contains(one.square));
        self.variations.clear(node.empties);
        let (score, best) = self.pvs_moves(moves, window, depth);
        if !self.stopped && root.excluded.is_empty() {
            let searched = Searched { depth: depth as u8, confidence: self.confidence, window, score, best };
            table.store(hash, (mover.0, other.0), searched);
        }
        let variation = self.variations.line(node.empties).to_vec();
        RootResult { score, square: best, variation, complete: !self.stopped }
    }
}

//! Moves for the computer's seats: a bounded pool of threads around a [`Brain`].

use crate::protocol::Level;
use rules::{Position, Square};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use table::ThinkingTime;
use tokio::sync::Semaphore;

/// Something that can choose a move.
pub trait Brain: Send + Sync + 'static {
    /// Its strengths, weakest first.
    fn levels(&self) -> Vec<Level>;

    /// A move in the position, as strong as its level says and well within the time it has.
    fn choose(&self, turn: &Turn) -> Square;

    /// The best move it can find in a moment, for a player who asks, in a position that is not over.
    fn hint(&self, position: &Position) -> Square;
}

/// The computer's turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Where it stands; the game is not over.
    pub position: Position,
    /// One of the levels.
    pub level: u8,
    /// May make the choice among equals.
    pub seed: u64,
    /// What is on the clock, in a game with one.
    pub time: Option<ThinkingTime>,
}

/// The pool.
#[derive(Clone)]
pub struct Thinker {
    brain: Arc<dyn Brain>,
    free: Arc<Semaphore>,
}

impl std::fmt::Debug for Thinker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thinker").field("free", &self.free.available_permits()).finish_non_exhaustive()
    }
}

impl Thinker {
    /// A pool that thinks about `at_once` positions at a time; others wait their turn.
    pub fn new(brain: Arc<dyn Brain>, at_once: usize) -> Thinker {
        Thinker { brain, free: Arc::new(Semaphore::new(at_once.max(1))) }
    }

    /// The computer's levels.
    pub fn levels(&self) -> Vec<Level> {
        self.brain.levels()
    }

    /// A move; `None` if the game is over.
    pub async fn choose(&self, mut turn: Turn) -> Option<Square> {
        let begun = Instant::now();
        let queue = turn.time.map(|time| Duration::from_millis(time.idle_ms()));
        self.think(turn.position, queue, move |brain| {
            turn.time = turn.time.map(|time| time.less(begun.elapsed().as_millis() as u64));
            brain.choose(&turn)
        })
        .await
    }

    /// A good move in `position`; `None` if it is over.
    pub async fn hint(&self, position: Position) -> Option<Square> {
        self.think(position, None, move |brain| brain.hint(&position)).await
    }

    /// Waits in the queue no longer than `queue`: a running clock does not wait, and a move by the clock is soon made.
    async fn think(
        &self,
        position: Position,
        queue: Option<Duration>,
        choose: impl FnOnce(&dyn Brain) -> Square + Send + 'static,
    ) -> Option<Square> {
        let any = position.legal().first()?;
        let turn = self.free.clone().acquire_owned();
        let permit = match queue {
            Some(longest) => tokio::time::timeout(longest, turn).await.ok(),
            None => Some(turn.await),
        };
        let brain = self.brain.clone();
        let thought = tokio::task::spawn_blocking(move || {
            let square = choose(brain.as_ref());
            drop(permit);
            square
        });
        // A brain that fails, or that plays what the rules forbid, must not stop a game: any legal move goes on.
        let square = thought.await.unwrap_or(any);
        Some(if position.legal().contains(square) { square } else { any })
    }
}

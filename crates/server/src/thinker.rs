//! Moves for the computer's seats: a bounded pool of threads around a [`Brain`].

mod modest;

pub use modest::Modest;

use crate::protocol::Level;
use rules::{Position, Square};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Something that can choose a move.
pub trait Brain: Send + Sync + 'static {
    /// Its strengths, weakest first.
    fn levels(&self) -> Vec<Level>;

    /// A move in a position that is not over, as strong as `level` says. `seed` may make the choice among equals.
    fn choose(&self, position: &Position, level: u8, seed: u64) -> Square;

    /// The best move it can find in a moment, for a player who asks.
    fn hint(&self, position: &Position) -> Square {
        let strongest = self.levels().last().map_or(1, |level| level.level);
        self.choose(position, strongest, 0)
    }
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

    /// A move in `position`; `None` if it is over.
    pub async fn choose(&self, position: Position, level: u8, seed: u64) -> Option<Square> {
        self.think(position, move |brain, position| brain.choose(position, level, seed)).await
    }

    /// A good move in `position`; `None` if it is over.
    pub async fn hint(&self, position: Position) -> Option<Square> {
        self.think(position, |brain, position| brain.hint(position)).await
    }

    async fn think(
        &self,
        position: Position,
        choose: impl FnOnce(&dyn Brain, &Position) -> Square + Send + 'static,
    ) -> Option<Square> {
        let any = position.legal().first()?;
        let permit = self.free.clone().acquire_owned().await.ok()?;
        let brain = self.brain.clone();
        let thought = tokio::task::spawn_blocking(move || {
            let square = choose(brain.as_ref(), &position);
            drop(permit);
            square
        });
        // A brain that fails, or that plays what the rules forbid, must not stop a game: any legal move goes on.
        let square = thought.await.unwrap_or(any);
        Some(if position.legal().contains(square) { square } else { any })
    }
}

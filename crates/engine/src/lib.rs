//! Best move and score of a position.
//!
//! [`Engine::search`] is the whole face of this crate: a position and [`Limits`] in, an [`Analysis`] out. The engine
//! prints nothing, opens no files and holds no globals; its evaluation comes in as bytes.
//!
//! ```
//! use engine::{Engine, Evaluator, Limits, Options};
//! use rules::Position;
//!
//! let mut engine = Engine::new(Evaluator::blank(), Options::default());
//! let analysis = engine.search(&Position::start(), &Limits::depth(4), &mut |_| {});
//! let best = analysis.best().unwrap();
//! assert!(Position::start().legal().contains(best.square));
//! ```

mod analysis;
mod clock;
mod deepening;
mod endgame;
pub mod eval;
mod helpers;
mod history;
mod horizon;
mod level;
mod limits;
mod midgame;
mod node;
mod ordering;
mod pace;
mod parallel;
mod probcut;
mod root;
mod stability;
mod task;
mod transposition;
mod variation;
mod worker;

pub use analysis::{Analysis, Bound, Line};
pub use clock::Clock;
pub use eval::{Evaluator, WeightsError};
pub use level::Level;
pub use limits::{Confidence, Limits, Stop};
pub use pace::pace;
pub use stability::stable_discs;

use endgame::LocalTable;
use helpers::Helpers;
use parallel::InProgress;
use std::sync::Arc;
use task::Core;
use transposition::Tables;

/// What an engine may use of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads that share a search.
    pub threads: usize,
    /// Megabytes for remembering positions; at most four more are for those near the end of a game.
    pub hash: usize,
}

impl Default for Options {
    /// One thread and 64 MB.
    fn default() -> Options {
        Options { threads: 1, hash: 64 }
    }
}

/// A searcher: an evaluation, transposition tables, and threads that live as long as it does.
pub struct Engine {
    core: Arc<Core>,
    /// The table of the thread that calls.
    local: LocalTable,
    helpers: Helpers,
    /// Nothing was searched since all was forgotten.
    fresh: bool,
}

impl Engine {
    /// An engine with this evaluation. Its threads start here and sleep while nothing is searched.
    pub fn new(eval: Evaluator, options: Options) -> Engine {
        let (tables, in_progress) = (Tables::new(options.hash), InProgress::new());
        Engine {
            core: Arc::new(Core { tables, eval, in_progress }),
            local: LocalTable::new(),
            helpers: Helpers::new(options.threads.saturating_sub(1)),
            fresh: true,
        }
    }

    /// Searches with so many threads from now on. What was found before is still known.
    pub fn set_threads(&mut self, threads: usize) {
        let helpers = threads.saturating_sub(1);
        if helpers != self.helpers.len() {
            self.helpers = Helpers::new(helpers);
        }
    }

    /// Forgets every position met so far.
    pub fn forget(&mut self) {
        if !std::mem::replace(&mut self.fresh, true) {
            self.core.tables.clear();
            self.local.clear();
            self.helpers.forget();
        }
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("threads", &(1 + self.helpers.len())).finish_non_exhaustive()
    }
}

/// A position with so many empties after random moves; `None` if the game ended before.
#[cfg(test)]
pub(crate) fn test_position(seed: u64, empties: u32) -> Option<rules::Position> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut position = rules::Position::start();
    while position.empty().len() > empties {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let at = state % u64::from(position.legal().len().max(1));
        position = position.play(position.legal().iter().nth(at as usize)?).ok()?.after;
    }
    (!position.is_over()).then_some(position)
}

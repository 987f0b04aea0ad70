//! The one owner of engines.
//!
//! Whoever wants something searched asks an [`Analyst`] and gets a [`Job`], from which ever deeper analyses come. The
//! analyst has a fixed number of engines and never makes more, however much is asked. What is urgent goes first
//! ([`Purpose`]); people share the engines evenly, however many questions each of them asks ([`Owner`]); and when a job is
//! dropped its search ends, because nobody waits for it any more.
//!
//! ```
//! use analyst::{Analyst, Ask, Config, Owner, Purpose};
//! use engine::{Evaluator, Limits};
//! use rules::Position;
//!
//! let analyst = Analyst::start(Evaluator::blank(), Config { engines: 1, ..Config::default() });
//! let job = analyst.ask(Ask::new(Owner::of(7), Purpose::Hint, Position::start(), Limits::depth(4)))?;
//! let analysis = job.blocking_answer().expect("an answer");
//! assert!(Position::start().legal().contains(analysis.best().unwrap().square));
//! # Ok::<(), analyst::Busy>(())
//! ```

#![forbid(unsafe_code)]

mod computer;
mod job;
mod load;
mod pool;
mod queue;

pub use computer::Turn;
pub use engine::{Analysis, Evaluator, Level, Limits, Line};
pub use job::{Control, Job, Updates};
pub use load::Load;
pub use queue::Busy;

use engine::Options;
use pool::Pool;
use rules::Position;
use std::{sync::Arc, thread::JoinHandle, time::Instant};

/// Whose job it is: a person, or a connection of someone without a name. Who it is means nothing here, only whether it is
/// the same. Those who can be as many people as they like share as one.
///
/// ```
/// use analyst::Owner;
/// let guests = [Owner::of(7).among(99), Owner::of(8).among(99)];
/// assert_ne!(guests[0], guests[1]); // each asks for themselves, and both have one share
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Owner {
    person: u64,
    /// With whom they share: nobody else, if it is their own number.
    group: u64,
}

impl Owner {
    /// Someone with a share of their own.
    pub const fn of(person: u64) -> Owner {
        Owner { person, group: person }
    }

    /// The same person, who has one share with all others among these.
    pub const fn among(self, group: u64) -> Owner {
        Owner { group, ..self }
    }
}

/// What an answer is for; the more urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Purpose {
    /// A move to be played: someone waits for it, perhaps with a clock running.
    Move,
    /// A hint to someone who plays.
    Hint,
    /// A position someone looks at.
    Analysis,
    /// A whole game, for later.
    Review,
}

/// What is to be searched, for whom and how far.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Whose question it is.
    pub owner: Owner,
    /// What the answer is for.
    pub purpose: Purpose,
    /// The position.
    pub position: Position,
    /// How far to search. `stop` is the analyst's own: dropping the [`Job`] stops it.
    pub limits: Limits,
    /// When the search is to begin at the latest, where a clock runs meanwhile: what it waits is taken off its time, and
    /// when it has waited so long, somebody else makes room.
    pub start_by: Option<Instant>,
    /// Threads that an analysis would like to have; it gets those that nobody else needs. Everything else has an engine's own.
    pub threads: usize,
}

impl Ask {
    /// A question that can wait.
    pub fn new(owner: Owner, purpose: Purpose, position: Position, limits: Limits) -> Ask {
        Ask { owner, purpose, position, limits, start_by: None, threads: 1 }
    }
}

/// How much of the machine the engines may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// How many engines there are for everything: so many moves are searched at once.
    pub engines: usize,
    /// How many more there are for analyses and reviews alone. They rest while a move or a hint is searched, so that those are found as
    /// fast as if nobody else were there.
    pub spare: usize,
    /// Threads of each engine.
    pub threads: usize,
    /// Megabytes of each engine's transposition table.
    pub hash: usize,
    /// Jobs of one person under way at once, and a quarter of those of all who share with each other ([`Owner::among`]).
    pub each: usize,
    /// Jobs that wait at once, of all people together; moves to be played are not refused.
    pub all: usize,
    /// Whether engines are made before [`Analyst::start`] returns. Else they are when they are first needed, and the first answer waits for
    /// it: of a large table, longer than a move may take.
    pub at_once: bool,
}

impl Default for Config {
    /// An engine for every core, one of two a spare one.
    fn default() -> Config {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let engines = cores.div_ceil(2);
        Config { engines, spare: cores - engines, threads: 1, hash: 32, each: 8, all: 256, at_once: false }
    }
}

impl From<Options> for Config {
    /// One engine, for a program that asks one question after another: so every answer knows what the last one found.
    fn from(options: Options) -> Config {
        let Options { threads, hash } = options;
        Config { engines: 1, spare: 0, threads, hash, at_once: true, ..Config::default() }
    }
}

/// Where questions are asked. Copies share the same engines; when the last one is dropped, every search ends.
#[derive(Clone, Debug)]
pub struct Analyst {
    threads: Arc<Threads>,
}

/// The threads that search, which end with the last [`Analyst`].
#[derive(Debug)]
struct Threads {
    pool: Arc<Pool>,
    handles: Vec<JoinHandle<()>>,
}

impl Analyst {
    /// Starts the threads.
    pub fn start(evaluator: Evaluator, config: Config) -> Analyst {
        let pool = Arc::new(Pool::new(config));
        let mut handles = Vec::new();
        let engines = config.engines.max(1);
        let (ready, all_ready) = std::sync::mpsc::channel();
        for number in 0..engines + config.spare {
            let (pool, evaluator, ready) = (pool.clone(), evaluator.clone(), ready.clone());
            handles.push(std::thread::spawn(move || pool.search(&evaluator, number >= engines, ready)));
        }
        drop(ready);
        // Nothing is ever sent: each thread drops its end once it is ready.
        let _ = all_ready.recv();
        let watched = pool.clone();
        handles.push(std::thread::spawn(move || watched.supervise()));
        Analyst { threads: Arc::new(Threads { pool, handles }) }
    }

    /// How many threads an analysis may ask for.
    ///
    /// ```
    /// # use analyst::{Analyst, Config, Evaluator};
    /// let analyst = Analyst::start(Evaluator::blank(), Config { engines: 1, spare: 1, hash: 1, ..Config::default() });
    /// assert_eq!(analyst.cores(), 2);
    /// ```
    pub fn cores(&self) -> usize {
        self.threads.pool.cores()
    }

    /// Forgets every position met so far: what is asked from here on is searched as by a new analyst.
    pub fn forget(&self) {
        self.threads.pool.forget();
    }

    /// Asks for a search. Analyses come from the job as they deepen; dropping it ends the search.
    ///
    /// # Errors
    ///
    /// [`Busy`] if this person, or everyone together, has asked too much already.
    pub fn ask(&self, ask: Ask) -> Result<Job, Busy> {
        let pool = &self.threads.pool;
        let (number, updates) = pool.push(ask)?;
        Ok(Job::new(pool.clone(), number, updates))
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.pool.close();
        for handle in self.handles.drain(..) {
            // A thread that has panicked has nothing left to end.
            let _ = handle.join();
        }
    }
}

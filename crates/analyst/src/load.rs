//! How much there is to do: [`Load`].

use crate::Analyst;

/// What an analyst has to do, and what it has to do it with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Jobs that wait.
    pub waiting: usize,
    /// Jobs that are being searched.
    pub running: usize,
    /// Threads that search or look after the searches; fewer than were started if one has failed.
    pub threads: usize,
    /// How many were started.
    pub started: usize,
}

impl Analyst {
    /// How much there is to do now.
    ///
    /// ```
    /// # use analyst::{Analyst, Config, Evaluator};
    /// let load = Analyst::start(Evaluator::blank(), Config { engines: 1, hash: 1, ..Config::default() }).load();
    /// assert_eq!((load.waiting, load.running, load.threads), (0, 0, load.started));
    /// ```
    pub fn load(&self) -> Load {
        let (waiting, running) = self.threads.pool.jobs();
        let handles = &self.threads.handles;
        let threads = handles.iter().filter(|handle| !handle.is_finished()).count();
        Load { waiting, running, threads, started: handles.len() }
    }
}

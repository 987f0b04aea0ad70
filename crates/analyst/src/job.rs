//! A search under way, from the side of whoever waits for it: [`Job`].

use crate::{pool::Pool, queue::Number};
use engine::Analysis;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedReceiver;

/// A search under way. Each analysis that comes from it is deeper than the one before; after the last, nothing comes.
/// Dropping it ends the search.
#[derive(Debug)]
pub struct Job {
    control: Control,
    updates: Updates,
}

/// What steers a search. Dropping it ends the search.
#[derive(Debug)]
pub struct Control {
    pool: Arc<Pool>,
    number: Number,
}

/// What comes from a search.
#[derive(Debug)]
pub struct Updates(UnboundedReceiver<Analysis>);

impl Job {
    pub(crate) fn new(pool: Arc<Pool>, number: Number, updates: UnboundedReceiver<Analysis>) -> Job {
        Job { control: Control { pool, number }, updates: Updates(updates) }
    }

    /// The two sides apart, for one thread that waits for what comes and another that may want it sooner.
    pub fn split(self) -> (Control, Updates) {
        (self.control, self.updates)
    }

    /// The next, deeper analysis; `None` after the last.
    pub async fn next(&mut self) -> Option<Analysis> {
        self.updates.0.recv().await
    }

    /// As [`next`](Job::next), outside asynchronous code.
    pub fn blocking_next(&mut self) -> Option<Analysis> {
        self.updates.blocking_next()
    }

    /// The last analysis; `None` if the search failed, or the analyst is gone.
    pub async fn answer(mut self) -> Option<Analysis> {
        let mut last = None;
        while let Some(analysis) = self.next().await {
            last = Some(analysis);
        }
        last
    }

    /// As [`answer`](Job::answer), outside asynchronous code.
    pub fn blocking_answer(mut self) -> Option<Analysis> {
        let mut last = None;
        while let Some(analysis) = self.blocking_next() {
            last = Some(analysis);
        }
        last
    }

    /// Asks for an answer at once, as good as it is by now.
    pub fn answer_now(&self) {
        self.control.answer_now();
    }
}

impl Control {
    /// Asks for an answer at once, as good as it is by now.
    pub fn answer_now(&self) {
        self.pool.hurry(self.number);
    }
}

impl Updates {
    /// The next, deeper analysis; `None` after the last.
    pub fn blocking_next(&mut self) -> Option<Analysis> {
        self.0.blocking_recv()
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.pool.withdraw(self.number);
    }
}

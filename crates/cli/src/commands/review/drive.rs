//! A review and the engines that answer its questions, one to a thread.

use crate::brain;
use engine::{Engine, Limits, Stop};
use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};
use study::review::Review;

/// How a review is driven.
pub(super) struct Drive<'a> {
    pub(super) threads: usize,
    /// Megabytes, for all engines together.
    pub(super) hash: usize,
    /// Ends it with what is known by then.
    pub(super) stop: &'a Stop,
    /// So does this time.
    pub(super) time: Option<Duration>,
}

impl Drive<'_> {
    /// Answers every question, or those there is time for. `progress` hears of every answer.
    pub(super) fn run(&self, review: &mut Review, progress: &(dyn Fn(&Review) + Sync)) {
        let deadline = self.time.map(|time| Instant::now() + time);
        // a stop of its own: that the time is over is not what Ctrl-C is
        let stop = Stop::default();
        let shared = Shared { review: Mutex::new(review), news: Condvar::new() };
        thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    let mut engine = brain::engine(1, (self.hash / self.threads).max(1));
                    shared.work(&mut engine, &stop, progress);
                });
            }
            // an engine ends its search soon after `stop`, and then its thread
            let mut review = shared.lock();
            while !review.is_done() && !stop.is_set() {
                let over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
                if over || self.stop.is_set() {
                    stop.now();
                    break;
                }
                let tick = shared.news.wait_timeout(review, TICK);
                review = tick.unwrap_or_else(PoisonError::into_inner).0;
            }
            shared.news.notify_all();
        });
    }
}

/// How often it is looked at whether to stop: nothing wakes a thread when the user presses Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// A thread that panics ends the others, who would wait for its answer.
struct EndOnPanic<'a>(&'a Stop);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.now();
        }
    }
}

struct Shared<'a> {
    review: Mutex<&'a mut Review>,
    /// A question was answered.
    news: Condvar,
}

impl<'a> Shared<'a> {
    fn lock(&self) -> MutexGuard<'_, &'a mut Review> {
        // a panic in one thread ends all of them when they are joined
        self.review.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One engine's thread.
    fn work(&self, engine: &mut Engine, stop: &Stop, progress: &dyn Fn(&Review)) {
        let _end = EndOnPanic(stop);
        let mut review = self.lock();
        while !review.is_done() && !stop.is_set() {
            let Some(question) = review.next() else {
                // what others search leads to more
                review = self.news.wait_timeout(review, TICK).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            };
            drop(review);
            let limits = Limits { stop: stop.clone(), ..question.limits };
            let analysis = engine.search(&question.position, &limits, &mut |_| {});
            review = self.lock();
            if stop.is_set() {
                review.put_back(question.number);
            } else {
                review.answer(question.number, &analysis);
                progress(&review);
            }
            self.news.notify_all();
        }
    }
}

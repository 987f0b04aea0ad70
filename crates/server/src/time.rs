//! What time it is: [`Time`].

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use table::At;

/// A clock that starts at the wall clock's time and then only goes forward, at the pace of the monotonic clock: setting the wall
/// clock costs no player anything, and neither does a closed laptop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    started: Instant,
    wall: At,
}

impl Time {
    /// A clock that starts now, and not before `at_least`.
    pub(crate) fn new(at_least: At) -> Time {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as At);
        Time { started: Instant::now(), wall: wall.max(at_least) }
    }

    /// Milliseconds since 1970.
    pub(crate) fn now(&self) -> At {
        self.wall + self.started.elapsed().as_millis() as At
    }

    /// How long it is until `at`.
    pub(crate) fn until(&self, at: At) -> Duration {
        Duration::from_millis(at.saturating_sub(self.now()))
    }
}

//! What time it is: [`Time`].
//!
//! A clock that starts at the wall clock's time and then only goes forward, at the pace of the monotonic clock: setting the wall
//! clock costs no player anything, and neither does a closed laptop. It stands still while the server does: a process that was
//! stopped, or a machine too busy to run it, is not charged to whoever was to move.
//!
//! Nodes that serve the same games must agree on the time, or whoever plays at one that is behind thinks for free. They start at the time of
//! the database that they share, or of those that run already, follow its pace, and go on while one of them stands still, because the
//! others do.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use table::At;
use tokio::time::Instant;

/// How often the server shows that it runs.
const TICK: Duration = Duration::from_millis(50);
/// A server that has not shown it for so long stands still.
const STILL: Duration = Duration::from_millis(250);
/// Two clocks drift apart by parts of a million, less than this between two comparisons: a clock is followed by this much at a time.
const CORRECTION: i64 = 20;
/// A clock that is off by more was set, which costs no player anything.
const STEP: u64 = 100;
/// The last sign of life cannot be later than now by more than this, unless the wall clock was wrong then.
const PLAUSIBLE: At = 24 * 60 * 60 * 1000;

/// The server's clock.
#[derive(Clone, Debug)]
pub(crate) struct Time {
    started: Instant,
    clock: Arc<Mutex<Clock>>,
}

/// What a server's clock shows beside what a steady one does.
#[derive(Debug)]
struct Clock {
    steady: Steady,
    /// What the time was when it started, as far as is known by now.
    wall: At,
    /// What it has shown already: it never goes back.
    shown: At,
    /// By how much the clock that is followed was set since. Its pace is followed, not the step: nodes that took it at different moments
    /// would differ by all of it meanwhile, and a node that starts later goes by the others ([`Time::agree`]). What is left of it is
    /// made up for by a correction at each comparison, at all nodes alike.
    set_by: i64,
}

impl Clock {
    /// What it would show if it never had to wait.
    fn face(&self, reading: Duration) -> At {
        self.wall + self.steady.now(reading).as_millis() as At
    }

    fn now(&self, reading: Duration) -> At {
        self.shown.max(self.face(reading))
    }

    /// A clock that is to be followed shows `theirs`.
    fn follow(&mut self, theirs: At, reading: Duration) {
        self.shown = self.now(reading);
        let mut ahead = theirs.wrapping_sub(self.face(reading)).cast_signed() - self.set_by;
        if ahead.unsigned_abs() > STEP {
            self.set_by += std::mem::take(&mut ahead);
        }
        let made_up = self.set_by.clamp(-CORRECTION, CORRECTION);
        self.set_by -= made_up;
        self.wall = self.wall.saturating_add_signed(ahead.clamp(-CORRECTION, CORRECTION) + made_up);
    }

    /// Other clocks, which have followed the same one for longer, show `theirs`. By how much that one was set is found when it is followed
    /// next, as the others found it.
    fn agree(&mut self, theirs: At, reading: Duration) {
        let behind = theirs.wrapping_sub(self.face(reading)).cast_signed();
        self.wall = self.wall.saturating_add_signed(behind);
        (self.set_by, self.shown) = (0, 0);
    }
}

/// How long and how often the server stood still.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Stalls {
    /// How often.
    pub(crate) count: u64,
    /// All of it together.
    pub(crate) time: Duration,
}

impl Time {
    /// A clock that starts at `wall`, and not before `last_alive`, so that a wall clock that was set back a little does not make an hour
    /// happen twice. A sign of life from a distant future is a clock that was wrong, and forgotten. One that is `shared` with other nodes
    /// does not stand still when this one does.
    pub(crate) fn new(wall: At, last_alive: At, shared: bool) -> Time {
        let steady = Steady { goes_on: shared, ..Steady::default() };
        let clock = Clock { steady, wall: start(wall, last_alive), shown: 0, set_by: 0 };
        let time = Time { started: Instant::now(), clock: Arc::new(Mutex::new(clock)) };
        let (started, clock) = (time.started, Arc::downgrade(&time.clock));
        // Without the thread time would stand still; a system that cannot start one does not start a server either.
        let ticking = thread::Builder::new().name("ticks".to_owned()).spawn(move || tick(started, &clock));
        if ticking.is_err() {
            lock(&time.clock).steady.goes_on = true;
        }
        time
    }

    /// A clock that is `wall` now and goes as the runtime's does, which a simulation moves itself.
    #[cfg(test)]
    pub(crate) fn simulated(wall: At) -> Time {
        let steady = Steady { goes_on: true, ..Steady::default() };
        Time { started: Instant::now(), clock: Arc::new(Mutex::new(Clock { steady, wall, shown: 0, set_by: 0 })) }
    }

    /// Milliseconds since 1970.
    pub(crate) fn now(&self) -> At {
        // The lock first: a reading from before the last tick would be one that goes back.
        let clock = lock(&self.clock);
        clock.now(self.started.elapsed())
    }

    /// The clock that all nodes follow shows `theirs` now.
    pub(crate) fn follow(&self, theirs: At) {
        let mut clock = lock(&self.clock);
        clock.follow(theirs, self.started.elapsed());
    }

    /// Other nodes serve the same games, and it is `theirs` for them now, wherever the clock that all follow was set to meanwhile. Nobody may
    /// have been told the time before.
    pub(crate) fn agree(&self, theirs: At) {
        let mut clock = lock(&self.clock);
        clock.agree(theirs, self.started.elapsed());
    }

    /// How long it is until `at`, if the server does not stand still meanwhile: whoever has waited so long looks again.
    pub(crate) fn until(&self, at: At) -> Duration {
        Duration::from_millis(at.saturating_sub(self.now()))
    }

    /// How long and how often the server stood still so far.
    pub(crate) fn stalls(&self) -> Stalls {
        lock(&self.clock).steady.stalls
    }
}

/// What the machine's clock shows.
pub(crate) fn wall() -> At {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as At)
}

fn start(wall: At, last_alive: At) -> At {
    if last_alive > wall.saturating_add(PLAUSIBLE) { wall } else { wall.max(last_alive) }
}

fn lock(clock: &Mutex<Clock>) -> MutexGuard<'_, Clock> {
    clock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ticks until the clock is gone.
fn tick(started: Instant, clock: &Weak<Mutex<Clock>>) {
    while let Some(clock) = clock.upgrade() {
        let stood = lock(&clock).steady.tick(started.elapsed());
        drop(clock);
        if stood > STILL {
            tracing::warn!(?stood, "the server stood still");
        }
        thread::sleep(TICK);
    }
}

/// Time that does not count standing still, made from readings of a clock that does.
#[derive(Debug, Default)]
struct Steady {
    /// The reading at the last tick.
    last: Duration,
    stalls: Stalls,
    /// Every reading counts: nobody ticks, or other nodes go on when this one does not.
    goes_on: bool,
}

impl Steady {
    /// The time when the clock reads `reading`.
    fn now(&self, reading: Duration) -> Duration {
        if self.goes_on { reading } else { reading.min(self.last + STILL).saturating_sub(self.stalls.time) }
    }

    /// The server runs; the answer is for how long it stood still before.
    fn tick(&mut self, reading: Duration) -> Duration {
        let stood = reading.saturating_sub(self.last + STILL);
        if !stood.is_zero() {
            self.stalls.count += 1;
            self.stalls.time += stood;
        }
        self.last = self.last.max(reading);
        stood
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn while_it_ticks_time_is_what_the_clock_reads() {
        let mut steady = Steady::default();
        for reading in (0..10_000).step_by(50) {
            steady.tick(ms(reading));
            assert_eq!(steady.now(ms(reading + 49)), ms(reading + 49));
        }
        assert_eq!(steady.stalls, Stalls::default());
    }

    #[test]
    fn a_process_that_was_frozen_has_lost_a_quarter_of_a_second() {
        let mut steady = Steady::default();
        steady.tick(ms(1_000));
        // It is thawed 5.5 s later and reads what has come in before anybody ticks.
        assert_eq!(steady.now(ms(6_500)), ms(1_000).saturating_sub(ms(750)) + ms(250));
        steady.tick(ms(6_500));
        let thawed = steady.now(ms(6_500));
        assert_eq!(steady.now(ms(6_600)), thawed + ms(100), "and goes on");
        assert_eq!(steady.stalls.count, 2, "the first second had no tick either");
    }

    #[test]
    fn a_node_among_others_goes_on_as_they_do() {
        let mut steady = Steady { goes_on: true, ..Steady::default() };
        steady.tick(ms(100));
        assert_eq!(steady.now(ms(5_100)), ms(5_100));
        steady.tick(ms(5_100));
        assert_eq!(steady.now(ms(5_200)), ms(5_200));
        assert_eq!(steady.stalls, Stalls { count: 1, time: ms(4_750) }, "it is known all the same");
    }

    #[test]
    fn another_clock_is_followed_slowly_and_never_backwards() {
        let steady = Steady { goes_on: true, ..Steady::default() };
        let mut clock = Clock { steady, wall: 100_000, shown: 0, set_by: 0 };
        clock.follow(101_003, ms(1_000));
        assert_eq!(clock.now(ms(1_000)), 101_003);
        clock.follow(2_000_000, ms(2_000));
        assert_eq!(clock.now(ms(2_000)), 102_023, "set ahead by hours: nobody is charged for it");
        clock.follow(103_020, ms(3_000));
        assert_eq!(clock.now(ms(3_000)), 103_023, "it waits where it is to go back");
        assert_eq!(clock.now(ms(3_002)), 103_023);
        assert_eq!(clock.now(ms(4_000)), 104_020);
        clock.follow(0, ms(5_000));
        assert_eq!(clock.now(ms(6_000)), 106_000);
    }

    #[test]
    fn nodes_agree_although_the_clock_they_follow_was_set_and_some_start_later() {
        let node = |wall| Clock { steady: Steady { goes_on: true, ..Steady::default() }, wall, shown: 0, set_by: 0 };
        for step in [3_600_000, -90_000, -5_000, 3_000, -1_500] {
            let database =
                |reading: u64| (1_000_000 + reading).saturating_add_signed(if reading < 60_000 { 0 } else { step });
            let mut first = node(1_000_000);
            first.follow(database(30_000), ms(30_000));
            assert_eq!(first.now(ms(59_999)), 1_059_999);
            // Another node starts a moment after the clock was set, not before the last sign of life, and hears what time it is for the first.
            let mut second = node(start(database(70_000), first.now(ms(69_000))) - 70_000);
            second.agree(first.now(ms(70_000)), ms(70_000));
            assert_eq!(second.now(ms(70_000)), first.now(ms(70_000)), "set by {step}");
            for minute in 2..2_000 {
                // The second one's own clock is a little fast.
                let fast = |reading: u64| ms(reading + reading / 50_000);
                let reading = minute * 60_000;
                first.follow(database(reading), ms(reading));
                second.follow(database(reading), fast(reading));
                let (one, other) = (first.now(ms(reading)), second.now(fast(reading)));
                assert!(one.abs_diff(other) <= 50, "set by {step}, minute {minute}: {one}, {other}");
            }
        }
    }

    #[test]
    fn time_never_goes_back_and_never_jumps_ahead() {
        let mut steady = Steady::default();
        let (mut reading, mut last, mut random) = (0, Duration::ZERO, 1_u64);
        for _ in 0..100_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Mostly a few milliseconds, now and then seconds.
            let step = if random >> 60 == 0 { (random >> 33) % 5_000 } else { (random >> 33) % 60 };
            reading += step;
            let before = steady.now(ms(reading));
            assert!(before >= last && before - last <= ms(step));
            if random >> 63 == 0 {
                steady.tick(ms(reading));
                assert_eq!(steady.now(ms(reading)), before, "a tick changes nothing at its own moment");
            }
            last = before;
        }
        assert!(steady.stalls.time + steady.now(ms(reading)) <= ms(reading));
    }

    #[test]
    fn a_clock_that_was_years_ahead_once_is_forgotten() {
        let (now, hour, years) = (1_800_000_000_000, 3_600_000, 10 * 365 * 24 * 3_600_000);
        assert_eq!(start(now, 0), now);
        assert_eq!(start(now, now - hour), now);
        assert_eq!(start(now, now + hour), now + hour, "set back a little: no hour happens twice");
        assert_eq!(start(now, now + years), now);
    }

    #[test]
    fn a_real_clock_goes_on() {
        let time = Time::new(wall(), 0, false);
        let begun = time.now();
        while time.now() < begun + 2 * STILL.as_millis() as At {
            thread::yield_now(); // it would stand still here if nobody ticked
        }
        assert_eq!(time.until(begun), Duration::ZERO);
    }
}

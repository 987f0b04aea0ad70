//! The one place where this library may ask the time: [`Clock`], which [`Limits`](crate::Limits) carries.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

/// Where a search reads the time. A browser, a simulation or a test brings its own.
///
/// ```
/// use engine::{Clock, Engine, Evaluator, Limits, Options};
/// use rules::Position;
/// use std::{sync::atomic::{AtomicU64, Ordering}, time::Duration};
///
/// // a clock on which every look takes a millisecond
/// let looks = AtomicU64::new(0);
/// let clock = Clock::new(move || Duration::from_millis(looks.fetch_add(1, Ordering::Relaxed)));
/// let limits = Limits { clock, ..Limits::time(Duration::from_millis(20)) };
/// let mut engine = Engine::new(Evaluator::blank(), Options::default());
/// assert!(engine.search(&Position::start(), &limits, &mut |_| {}).time >= Duration::from_millis(12));
/// ```
#[derive(Clone, Default)]
pub struct Clock(Source);

#[derive(Clone, Default)]
enum Source {
    /// The operating system's.
    #[default]
    System,
    Given(Arc<dyn Fn() -> Duration + Send + Sync>),
}

impl Clock {
    /// A clock that says how much time has gone by since some moment, always the same one, and never runs back.
    pub fn new(read: impl Fn() -> Duration + Send + Sync + 'static) -> Clock {
        Clock(Source::Given(Arc::new(read)))
    }

    /// Starts to measure.
    pub(crate) fn start(&self) -> Stopwatch {
        Stopwatch(match &self.0 {
            Source::System => Started::System(Instant::now()),
            Source::Given(read) => Started::Given(read.clone(), read()),
        })
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Source::System => "Clock::System",
            Source::Given(_) => "Clock::Given",
        })
    }
}

/// The time since a moment.
#[derive(Clone)]
pub(crate) struct Stopwatch(Started);

#[derive(Clone)]
enum Started {
    System(Instant),
    Given(Arc<dyn Fn() -> Duration + Send + Sync>, Duration),
}

impl Stopwatch {
    pub(crate) fn elapsed(&self) -> Duration {
        match &self.0 {
            Started::System(begun) => begun.elapsed(),
            Started::Given(read, begun) => read().saturating_sub(*begun),
        }
    }
}

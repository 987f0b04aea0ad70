//! The threads' side: engines that take jobs from the queue, and what may interrupt them.

use crate::{
    Ask, Busy, Config, Purpose,
    queue::{Bounds, Entry, Number, Queue, TURN},
};
use engine::{Analysis, Confidence, Engine, Evaluator, Limits, Options, Stop};
use rules::Position;
use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc::Sender},
    time::{Duration, Instant},
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How often it is looked at whether a turn is over.
const TICK: Duration = Duration::from_millis(100);
/// The least time a search gets, however late it is, unless it asked for less.
const LEAST: Duration = Duration::from_millis(5);

/// Engines, and the jobs they work on.
pub(crate) struct Pool {
    config: Config,
    state: Mutex<State>,
    /// Something was asked, or an engine is free, or all is over.
    news: Condvar,
}

struct State {
    queue: Queue,
    work: HashMap<Number, Work>,
    next: Number,
    closed: bool,
    /// How often everything was to be forgotten.
    forgotten: u64,
}

/// A job, waiting or under way.
struct Work {
    ask: Ask,
    asked: Instant,
    updates: UnboundedSender<Analysis>,
    stop: Stop,
    /// Since when an engine works on it.
    since: Option<Instant>,
    /// That is a spare engine, of no use to a move.
    spare: bool,
    /// Engine time it has had.
    used: Duration,
    /// The deepest analysis so far: a search that begins again after an interruption says nothing new until it is past it.
    deepest: Option<Analysis>,
    /// Why its search was stopped.
    interrupted: Option<Interruption>,
}

/// A job that an engine is to work on.
struct Taken {
    number: Number,
    position: Position,
    limits: Limits,
    threads: usize,
    /// How often everything was to be forgotten before it.
    forgotten: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Interruption {
    /// For something more urgent, or because others wait: it goes on later.
    Paused,
    /// What is known by now is the answer.
    Hurried,
    /// Nobody waits for it any more.
    Withdrawn,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Pool {
    pub(crate) fn new(config: Config) -> Pool {
        let Config { engines, spare, each, all, .. } = config;
        let queue = Queue::new(Bounds { each, all, engines: engines.max(1), spare });
        let state = State { queue, work: HashMap::new(), next: 1, closed: false, forgotten: 0 };
        Pool { config, state: Mutex::new(state), news: Condvar::new() }
    }

    /// How many engines there are, spare ones too.
    pub(crate) fn cores(&self) -> usize {
        self.config.engines.max(1) + self.config.spare
    }

    /// How many jobs wait, and how many are searched.
    pub(crate) fn jobs(&self) -> (usize, usize) {
        self.lock().queue.jobs()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing here panics between two writes that belong together.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, ask: Ask) -> Result<(Number, UnboundedReceiver<Analysis>), Busy> {
        let (sender, updates) = unbounded_channel();
        let mut state = self.lock();
        let number = state.next;
        state.queue.push(Entry::new(number, ask.owner, ask.purpose, ask.threads))?;
        state.next += 1;
        let work = Work {
            ask,
            asked: Instant::now(),
            updates: sender,
            stop: Stop::default(),
            since: None,
            spare: false,
            used: Duration::ZERO,
            deepest: None,
            interrupted: None,
        };
        state.work.insert(number, work);
        state.make_room();
        self.news.notify_all();
        Ok((number, updates))
    }

    /// Nobody waits for this job any more.
    pub(crate) fn withdraw(&self, number: Number) {
        let mut state = self.lock();
        if state.queue.withdraw(number) {
            state.work.remove(&number);
        } else {
            state.interrupt(number, Interruption::Withdrawn);
        }
    }

    /// This job's answer is wanted now.
    pub(crate) fn hurry(&self, number: Number) {
        let mut state = self.lock();
        state.interrupt(number, Interruption::Hurried);
    }

    /// What is taken from now on is searched as if nothing had been before.
    pub(crate) fn forget(&self) {
        self.lock().forgotten += 1;
    }

    /// No job is taken or finished from now on.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.work.values().for_each(|work| work.stop.now());
        // With a job that no engine will take goes its sender: whoever waits hears that nothing comes.
        state.work.retain(|_, work| work.since.is_some());
        self.news.notify_all();
    }

    /// One engine's thread: drops `ready` once it could take a job, then takes them until the pool is closed.
    pub(crate) fn search(&self, evaluator: &Evaluator, spare: bool, ready: Sender<()>) {
        let usual = self.config.threads;
        let new_engine = || Engine::new(evaluator.clone(), Options { threads: usual, hash: self.config.hash });
        let mut engine = self.config.at_once.then(new_engine);
        drop(ready);
        let mut forgot = 0;
        while let Some(Taken { number, position, limits, threads, forgotten }) = self.take(spare) {
            let engine_here = engine.get_or_insert_with(new_engine);
            engine_here.set_threads(threads.max(usual));
            if std::mem::replace(&mut forgot, forgotten) != forgotten {
                engine_here.forget();
            }
            let search = || engine_here.search(&position, &limits, &mut |analysis| self.report(number, analysis));
            let found = catch_unwind(AssertUnwindSafe(search));
            if found.is_err() {
                engine = None; // whatever it was in the middle of
            }
            self.give_back(number, found.ok());
        }
    }

    /// Waits for a job and starts it; `None` when the pool is closed.
    fn take(&self, spare: bool) -> Option<Taken> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(entry) = state.queue.start_next(spare) {
                let (moves_waiting, forgotten) = (state.queue.moves_waiting(), state.forgotten);
                let work = state.work.get_mut(&entry.number)?;
                (work.since, work.spare) = (Some(Instant::now()), spare);
                let limits = work.limits(moves_waiting, self.config.engines.max(1));
                let Entry { number, threads, .. } = entry;
                return Some(Taken { number, position: work.ask.position, limits, threads, forgotten });
            }
            state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A round of a search has ended.
    fn report(&self, number: Number, analysis: &Analysis) {
        if let Some(work) = self.lock().work.get_mut(&number) {
            work.tell(analysis);
        }
    }

    /// A search has ended: with an answer, or because it was stopped, or because it failed.
    fn give_back(&self, number: Number, found: Option<Analysis>) {
        let mut state = self.lock();
        let closed = state.closed;
        let Some(work) = state.work.get_mut(&number) else { return };
        let spent = work.since.take().map_or(Duration::ZERO, |since| since.elapsed());
        let ms = spent.as_millis() as u64;
        work.used += spent;
        if work.interrupted == Some(Interruption::Paused) && found.is_some() && !closed {
            work.interrupted = None;
            work.stop = Stop::default();
            state.queue.pause(number, ms);
        } else {
            if let Some(analysis) = found {
                work.tell(&analysis);
            }
            // With it goes the sender: whoever waits hears that nothing more comes.
            state.work.remove(&number);
            state.queue.finish(number, ms);
        }
        self.news.notify_all();
    }

    /// Lets jobs make room for others that are late or that had no turn yet, until the pool is closed.
    pub(crate) fn supervise(&self) {
        let mut state = self.lock();
        while !state.closed {
            let now = Instant::now();
            state.share(now);
            state.make_room_for_late_moves(now);
            // With nothing waiting there is nothing to look at until something is asked.
            state = match state.next_look(now) {
                None => self.news.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(pause) => self.news.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }
}

impl State {
    /// Jobs that had their turn give way to other people's, if those are as urgent; or begin again with threads that are free by now.
    fn share(&mut self, now: Instant) {
        let had_turn = |work: &Work| work.since.is_some_and(|since| now.duration_since(since) >= TURN);
        let over: Vec<Number> = self.numbers(had_turn);
        for number in over {
            if self.queue.should_share(number) || self.queue.may_have_more(number) {
                self.interrupt(number, Interruption::Paused);
            }
        }
    }

    /// A move whose time is up while it waits takes the engine of whoever has most time left.
    fn make_room_for_late_moves(&mut self, now: Instant) {
        let late = self.numbers(|work| work.due().is_some_and(|start_by| start_by <= now)).len();
        let stopping = self.numbers(|work| work.is_stopping() && !work.spare).len();
        for _ in self.queue.idle() + stopping..late {
            let running = self.work.iter().filter(|(_, work)| {
                let begun = work.since.is_some_and(|since| now.duration_since(since) >= LEAST * 4);
                begun && !work.spare && !work.is_stopping()
            });
            // One that can wait, before those that cannot.
            let Some((&number, _)) = running.max_by_key(|(_, work)| (work.ask.start_by.is_none(), work.ask.start_by))
            else {
                return;
            };
            self.interrupt(number, Interruption::Paused);
        }
    }

    /// How long until something may have to make room; `None` if nothing waits and nothing could have more.
    fn next_look(&self, now: Instant) -> Option<Duration> {
        if self.queue.is_empty() && !self.queue.wants_more() {
            return None;
        }
        let soonest = self.work.values().filter_map(Work::due).min();
        Some(soonest.map_or(TICK, |start_by| start_by.saturating_duration_since(now).clamp(LEAST, TICK)))
    }

    fn numbers(&self, which: impl Fn(&Work) -> bool) -> Vec<Number> {
        self.work.iter().filter(|(_, work)| which(work)).map(|(number, _)| *number).collect()
    }

    /// Where something more urgent waits than what some engine works on, that engine stops; so do those that have to rest meanwhile.
    fn make_room(&mut self) {
        for number in self.queue.to_rest() {
            self.interrupt(number, Interruption::Paused);
        }
        let making_room = self.numbers(Work::is_stopping);
        if let Some(number) = self.queue.to_interrupt(self.queue.idle(), &making_room) {
            self.interrupt(number, Interruption::Paused);
        }
    }

    fn interrupt(&mut self, number: Number, why: Interruption) {
        let Some(work) = self.work.get_mut(&number) else { return };
        // Being hurried or withdrawn is not undone by a pause.
        if why != Interruption::Paused || work.interrupted.is_none() {
            work.interrupted = Some(why);
        }
        if work.since.is_some() {
            work.stop.now();
        }
    }
}

impl Work {
    /// When a move that still waits is late.
    fn due(&self) -> Option<Instant> {
        self.ask.start_by.filter(|_| self.since.is_none() && self.ask.purpose == Purpose::Move)
    }

    /// Its engine was told to stop and has not yet.
    fn is_stopping(&self) -> bool {
        self.since.is_some() && self.interrupted.is_some()
    }

    /// How far to search now: less where much of the time is gone, or where many wait.
    fn limits(&self, moves_waiting: usize, engines: usize) -> Limits {
        let mut limits = Limits { stop: self.stop.clone(), ..self.ask.limits.clone() };
        if self.interrupted == Some(Interruption::Hurried) {
            limits.time = Some(LEAST);
            return limits;
        }
        // Where a clock runs, waiting costs as much as searching.
        let gone = if self.ask.start_by.is_some() { self.asked.elapsed() } else { self.used };
        limits.time = limits.time.map(|time| time.saturating_sub(gone));
        if self.ask.purpose == Purpose::Move {
            let others = 1 + (moves_waiting / engines) as u32;
            limits.time = limits.time.map(|time| time / others);
        }
        let least = LEAST.min(self.ask.limits.time.unwrap_or(LEAST));
        limits.time = limits.time.map(|time| time.max(least));
        limits
    }

    /// Passes an analysis on, if it is deeper or surer than what was told before.
    fn tell(&mut self, analysis: &Analysis) {
        let worth = |analysis: &Analysis| {
            let surest = analysis.best().map_or(Confidence::Percent73, |best| best.confidence);
            (analysis.depth, surest)
        };
        if self.deepest.as_ref().is_none_or(|deepest| worth(analysis) >= worth(deepest)) {
            self.deepest = Some(analysis.clone());
            // Nobody listens when the job was just dropped.
            let _ = self.updates.send(analysis.clone());
        }
    }
}

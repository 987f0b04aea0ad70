//! What players and faults share: [`World`].

use crate::players::Told;
use std::{
    sync::{
        Arc, Mutex, RwLock,
        atomic::{AtomicBool, AtomicU64},
    },
    time::{Duration, Instant},
};

/// Everything players share.
pub(crate) struct World {
    /// The ports of each node and of the wire to it.
    pub(crate) nodes: Vec<(u16, u16)>,
    /// Held by whoever does something; while nobody does, everything that was asked is answered.
    gate: RwLock<()>,
    pub(crate) stop: AtomicBool,
    /// Whether every command is sent three times: twice by one connection, and once by another to another node.
    pub(crate) twice: AtomicBool,
    /// One for each pair.
    pub(crate) pulses: Vec<Pulse>,
    /// What players were told since it was last looked at.
    pub(crate) told: Mutex<Vec<Arc<Mutex<Told>>>>,
    pub(crate) acknowledged: AtomicU64,
    /// Games that were played to their end.
    pub(crate) games: AtomicU64,
    /// The most that somebody was charged in a game beyond the time they thought, and what they may have been.
    pub(crate) overcharged_ms: AtomicU64,
    /// The time of faults that may cost players something.
    costly: Mutex<(Duration, Option<Instant>)>,
    wrong: Mutex<Vec<String>>,
}

impl World {
    pub(crate) fn new(nodes: Vec<(u16, u16)>, pairs: usize) -> World {
        World {
            nodes,
            gate: RwLock::default(),
            stop: AtomicBool::new(false),
            twice: AtomicBool::new(false),
            pulses: (0..pairs).map(|_| Pulse::default()).collect(),
            told: Mutex::default(),
            acknowledged: AtomicU64::new(0),
            games: AtomicU64::new(0),
            overcharged_ms: AtomicU64::new(0),
            costly: Mutex::default(),
            wrong: Mutex::default(),
        }
    }

    /// A player does something, as soon as one may.
    pub(crate) fn step<T>(&self, doing: impl FnOnce() -> T) -> T {
        let _open = self.gate.read().unwrap();
        doing()
    }

    /// Does something while no player does.
    pub(crate) fn quietly<T>(&self, doing: impl FnOnce() -> T) -> T {
        let _closed = self.gate.write().unwrap();
        doing()
    }

    /// A fault that may cost players something begins or is over.
    pub(crate) fn costs(&self, begins: bool) {
        let mut costly = self.costly.lock().unwrap();
        let (all, since) = *costly;
        *costly = (all + since.map_or(Duration::ZERO, |since| since.elapsed()), begins.then(Instant::now));
    }

    /// How long all such faults took so far.
    pub(crate) fn costly(&self) -> Duration {
        let (all, since) = *self.costly.lock().unwrap();
        all + since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Something that must never happen.
    pub(crate) fn is_wrong(&self, what: String) {
        self.wrong.lock().unwrap().push(what);
    }

    /// All of that so far.
    pub(crate) fn wrong(&self) -> Vec<String> {
        self.wrong.lock().unwrap().clone()
    }
}

/// When a pair of players was last answered.
pub(crate) struct Pulse(Mutex<Beats>);

struct Beats {
    count: u64,
    last: Instant,
    longest: Duration,
}

impl Default for Pulse {
    fn default() -> Pulse {
        Pulse(Mutex::new(Beats { count: 0, last: Instant::now(), longest: Duration::ZERO }))
    }
}

impl Pulse {
    /// An answer has come.
    pub(crate) fn beat(&self) {
        let mut beats = self.0.lock().unwrap();
        beats.count += 1;
        beats.longest = beats.longest.max(beats.last.elapsed());
        beats.last = Instant::now();
    }

    /// How many answers there were; pauses are measured from now on.
    pub(crate) fn start(&self) -> u64 {
        let mut beats = self.0.lock().unwrap();
        (beats.last, beats.longest) = (Instant::now(), Duration::ZERO);
        beats.count
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.lock().unwrap().count
    }

    /// The longest time without an answer.
    pub(crate) fn longest(&self) -> Duration {
        let beats = self.0.lock().unwrap();
        beats.longest.max(beats.last.elapsed())
    }
}

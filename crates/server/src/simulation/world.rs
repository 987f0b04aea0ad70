//! Everything there is, and what happens to it: [`World`].

use super::{
    dice::Dice,
    node::Node,
    panics,
    person::Person,
    store::wait,
    truth::{Ends, Someone, Truth},
};
use crate::bus::{Event, Heard, NodeId};
use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::{Sqlite, Store};
use table::At;

/// When every world begins: any moment will do.
pub(super) const BEGINNING: At = 1_800_000_000_000;
/// How long the world stands still while people act.
const STEP: u64 = 10;
/// The same while nothing is left but to wait.
const LONG_STEP: u64 = 250;
/// After so long without faults everyone is connected, has their answers and knows how things stand.
const HEALING: u64 = 90_000;
/// No clock of any game is longer than this, with all that is added to it.
const LONGEST_GAME: u64 = 330_000;
/// A flag falls so long after its time at the latest: a node that has fallen behind says when.
const SLACK: At = 30_000;

/// What becomes of a question to the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// What should.
    Well,
    /// Nothing is read, or kept, and the caller is told so.
    NotKept,
    /// As that.
    Full,
    /// It is kept, and nobody can tell.
    KeptInSilence,
    /// It is not, and nobody can tell.
    Lost,
    /// It may be kept later, before anything else of the same node is.
    Late,
}

/// How much goes wrong, in a thousand times each.
#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    read: u64,
    write: u64,
    unknown: u64,
    slow: u64,
    bus_loses: u64,
    bus_repeats: u64,
    bus_delays: u64,
    kill: u64,
    freeze: u64,
    bus_away: u64,
    outage: u64,
}

/// What happened, for whoever wants to know whether anything did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) acknowledged: u64,
    pub(super) refused: u64,
    pub(super) unsure: u64,
    pub(super) observed: u64,
    pub(super) reconnected: u64,
    pub(super) repeated: u64,
    pub(super) conflicts: u64,
    pub(super) failed: u64,
    pub(super) lost: u64,
    pub(super) kills: u64,
    pub(super) freezes: u64,
    pub(super) signed_out: u64,
}

/// What the world and its nodes share.
#[derive(Clone, Debug)]
pub(super) struct Shared(Arc<Mutex<Inner>>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) dice: Dice,
    pub(super) now: At,
    pub(super) bus_is_there: bool,
    pub(super) counts: Counts,
    faults: Faults,
    /// The store answers nobody until then.
    outage_until: At,
    nodes: usize,
    letters: Vec<Letter>,
}

/// Something on its way over the bus.
#[derive(Debug)]
struct Letter {
    due: At,
    to: usize,
    by: NodeId,
    event: Event,
}

impl Shared {
    /// A world in which nothing goes wrong unless it is told to.
    pub(super) fn calm() -> Shared {
        Shared(Arc::new(Mutex::new(Inner {
            dice: Dice::new(1),
            now: BEGINNING,
            bus_is_there: true,
            counts: Counts::default(),
            faults: Faults::default(),
            outage_until: 0,
            nodes: 1,
            letters: Vec::new(),
        })))
    }

    /// Whether the store answers nobody.
    pub(super) fn set_away(&self, away: bool) {
        self.lock().outage_until = if away { At::MAX } else { 0 };
    }

    /// Whether the store takes its time.
    pub(super) fn set_slow(&self, slow: bool) {
        self.lock().faults.slow = if slow { 1000 } else { 0 };
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// How long a question to the store takes, before and after it is answered, and what becomes of it.
    pub(super) fn reading(&mut self) -> (Duration, Duration, Fate) {
        let (before, after) = self.delays();
        let fails = self.now < self.outage_until || self.dice.chance(self.faults.read);
        self.counts.failed += u64::from(fails);
        (before, after, if fails { Fate::NotKept } else { Fate::Well })
    }

    pub(super) fn writing(&mut self) -> (Duration, Duration, Fate) {
        let (before, after) = self.delays();
        let fate = if self.now < self.outage_until || self.dice.chance(self.faults.write) {
            if self.dice.chance(700) { Fate::NotKept } else { Fate::Full }
        } else if self.dice.chance(self.faults.unknown) {
            self.counts.unsure += 1;
            self.dice.pick(&[Fate::KeptInSilence, Fate::Lost, Fate::Late]).unwrap_or(Fate::Lost)
        } else {
            Fate::Well
        };
        self.counts.failed += u64::from(fate != Fate::Well);
        (before, after, fate)
    }

    fn delays(&mut self) -> (Duration, Duration) {
        let slow = self.dice.chance(self.faults.slow);
        let mut one = || Duration::from_millis(if slow { self.dice.among(0, 900) } else { self.dice.among(0, 3) });
        (one(), one())
    }

    /// A node tells the others.
    pub(super) fn post(&mut self, from: usize, by: NodeId, event: &Event) {
        for to in (0..self.nodes).filter(|to| *to != from) {
            if !self.bus_is_there || self.dice.chance(self.faults.bus_loses) {
                self.counts.lost += 1;
                continue;
            }
            let copies = 1 + usize::from(self.dice.chance(self.faults.bus_repeats));
            for _ in 0..copies {
                let late = self.dice.chance(self.faults.bus_delays);
                let delay = if late { self.dice.among(50, 4_000) } else { self.dice.among(0, 5) };
                self.letters.push(Letter { due: self.now + delay, to, by, event: event.clone() });
            }
        }
    }
}

/// What people have around them.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) shared: Shared,
    pub(super) truth: Truth,
    /// Invitations that somebody has left for the others: the game and what lets them in.
    pub(super) invitations: Vec<(String, String)>,
    /// Games that anybody may watch.
    pub(super) games: Vec<String>,
    /// Whether all that can go wrong has: nobody begins anything any more.
    pub(super) healing: bool,
    loud: bool,
    pub(super) trace: Vec<String>,
}

impl Scene {
    pub(super) fn now(&self) -> At {
        self.shared.lock().now
    }

    pub(super) fn note(&mut self, what: impl fmt::Display) {
        let line = format!("{:>7} {what}", self.now() - BEGINNING);
        if self.loud {
            println!("{line}");
        }
        self.trace.push(line);
    }
}

/// Says which seed it was when something is not as it should be.
#[derive(Debug)]
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "the world of seed {0} failed: OUTFLANK_SEED={0} runs it again, and says all that happens",
                self.0
            );
        }
    }
}

/// Everything there is.
#[derive(Debug)]
pub(super) struct World {
    seed: Seed,
    folder: tempfile::TempDir,
    real: Arc<Sqlite>,
    scene: Scene,
    nodes: Vec<Slot>,
    people: Vec<Person>,
    /// When faults end.
    until: At,
}

/// A place for a node.
#[derive(Debug, Default)]
struct Slot {
    node: Option<Node>,
    /// When it starts again.
    back: At,
    /// It does not run until then.
    frozen: At,
    /// For how long it has not.
    stood_ms: u64,
}

impl World {
    pub(super) fn new(seed: u64, loud: bool) -> World {
        let mut dice = Dice::new(seed);
        // In memory where there is such a folder: nothing here loses its power.
        let memory = std::path::Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
        let real = Arc::new(Sqlite::open(folder.path()).unwrap());
        let nodes = dice.among(1, 3) as usize;
        let faults = faults(&mut dice, nodes);
        let people: Vec<Someone> = (0..6).map(|number| Someone::new(number, number < 4)).collect();
        wait(real.write(people.iter().flat_map(Someone::writes).collect())).unwrap();
        let until = BEGINNING + dice.among(25_000, 70_000);
        let (outage_until, letters, counts) = (0, Vec::new(), Counts::default());
        let inner = Inner { dice, now: BEGINNING, bus_is_there: true, counts, faults, outage_until, nodes, letters };
        let scene = Scene {
            shared: Shared(Arc::new(Mutex::new(inner))),
            truth: Truth::new(real.clone()),
            invitations: Vec::new(),
            games: Vec::new(),
            healing: false,
            loud,
            trace: Vec::new(),
        };
        let people = people.into_iter().enumerate().map(|(number, someone)| Person::new(number, someone)).collect();
        let nodes = (0..nodes).map(|_| Slot::default()).collect();
        World { seed: Seed(seed), folder, real, scene, nodes, people, until }
    }

    pub(super) fn run(mut self) -> Report {
        self.scene.note(format_args!("seed {}, {} nodes, {:?}", self.seed.0, self.nodes.len(), self.faults()));
        while self.scene.now() < self.until {
            self.disturb();
            self.step(STEP);
        }
        self.heal();
        let quiet = self.scene.now() + HEALING;
        while self.scene.now() < quiet {
            self.step(STEP.max(50));
        }
        let last = self.scene.now() + LONGEST_GAME;
        while self.scene.now() < last {
            self.step(LONG_STEP);
        }
        self.scene.note("the end");
        for person in &mut self.people {
            person.check(&mut self.scene);
        }
        let (people, now): (Vec<_>, _) = (self.people.iter().map(Person::who).collect(), self.scene.now());
        let ends = self.scene.truth.check(&people, now, SLACK);
        for node in self.nodes.into_iter().filter_map(|slot| slot.node) {
            node.kill();
        }
        let counts = self.scene.shared.lock().counts;
        Report { seeds: 1, steps: self.scene.trace.len() as u64, counts, ends, trace: self.scene.trace }
    }

    fn faults(&self) -> Faults {
        self.scene.shared.lock().faults
    }

    /// One moment.
    fn step(&mut self, ms: u64) {
        let now = self.scene.now();
        for number in 0..self.nodes.len() {
            let slot = &mut self.nodes[number];
            if slot.node.is_none() && slot.back <= now {
                let (folder, shared) = (self.folder.path(), &self.scene.shared);
                let count = shared.lock().nodes;
                slot.node = Some(Node::start(number, count, folder, &self.real, shared));
            }
        }
        self.deliver();
        let nodes: Vec<Option<&Node>> = self.nodes.iter().map(|slot| slot.node.as_ref()).collect();
        for person in &mut self.people {
            person.step(&mut self.scene, &nodes, &self.real);
        }
        for slot in &mut self.nodes {
            match &slot.node {
                Some(_) if slot.frozen > now => slot.stood_ms += ms,
                // Its clock went on meanwhile, as that of any machine does.
                Some(node) => node.go_on(std::mem::take(&mut slot.stood_ms), ms),
                None => slot.stood_ms = 0,
            }
        }
        assert_eq!(panics(), 0, "something panicked");
        self.scene.shared.lock().now += ms;
    }

    /// What is due on the bus arrives.
    fn deliver(&mut self) {
        let mut inner = self.scene.shared.lock();
        let now = inner.now;
        let due: Vec<Letter> = inner.letters.extract_if(.., |letter| letter.due <= now).collect();
        drop(inner);
        for Letter { to, by, event, .. } in due {
            if let Some(node) = &self.nodes[to].node {
                node.hear(Heard::Said { by, event });
            }
        }
    }

    /// Something goes wrong, or not.
    fn disturb(&mut self) {
        let faults = self.faults();
        let shared = self.scene.shared.clone();
        let mut inner = shared.lock();
        let now = inner.now;
        if inner.dice.chance(faults.outage) {
            inner.outage_until = now + inner.dice.among(200, 8_000);
            drop(inner);
            self.scene.note("the store is away for a while");
            inner = shared.lock();
        }
        if inner.dice.chance(faults.bus_away) {
            inner.bus_is_there = !inner.bus_is_there;
            let there = inner.bus_is_there;
            drop(inner);
            self.scene.note(if there { "the bus is back" } else { "the bus is away" });
            if there {
                self.everyone_missed_something();
            }
            inner = shared.lock();
        }
        let count = inner.nodes as u64;
        let number = inner.dice.among(0, count - 1) as usize;
        let (kill, freeze) = (inner.dice.chance(faults.kill), inner.dice.chance(faults.freeze));
        let (back, frozen) = (now + inner.dice.among(100, 9_000), now + inner.dice.among(100, 9_000));
        inner.counts.kills += u64::from(kill);
        inner.counts.freezes += u64::from(freeze && !kill);
        drop(inner);
        if kill && let Some(node) = self.nodes[number].node.take() {
            self.scene.note(format_args!("node {number} is killed"));
            node.kill();
            for person in &mut self.people {
                person.lose_node(number);
            }
            self.nodes[number].back = back;
        } else if freeze {
            self.scene.note(format_args!("node {number} is frozen"));
            self.nodes[number].frozen = frozen;
        }
    }

    fn everyone_missed_something(&self) {
        for node in self.nodes.iter().filter_map(|slot| slot.node.as_ref()) {
            node.hear(Heard::Missed);
        }
    }

    /// From now on nothing goes wrong.
    fn heal(&mut self) {
        self.scene.note("nothing goes wrong from now on");
        self.scene.healing = true;
        let mut inner = self.scene.shared.lock();
        let now = inner.now;
        inner.faults = Faults::default();
        inner.outage_until = 0;
        let was_there = std::mem::replace(&mut inner.bus_is_there, true);
        drop(inner);
        for slot in &mut self.nodes {
            (slot.back, slot.frozen) = (now, now);
        }
        if !was_there {
            self.everyone_missed_something();
        }
    }
}

/// How much goes wrong in a world: something in each, and rarely everything at once.
fn faults(dice: &mut Dice, nodes: usize) -> Faults {
    let mut some = |often: u64, most: u64| if dice.chance(often) { dice.among(1, most) } else { 0 };
    let several = |fault: u64| if nodes > 1 { fault } else { 0 };
    Faults {
        read: some(500, 60),
        write: some(500, 80),
        unknown: some(600, 80),
        slow: some(500, 200),
        bus_loses: several(some(700, 500)),
        bus_repeats: several(some(500, 300)),
        bus_delays: several(some(700, 400)),
        kill: some(600, 2),
        freeze: several(some(400, 3)),
        bus_away: several(some(300, 3)),
        outage: some(300, 1),
    }
}

/// What came of one world, or of many.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    seeds: u64,
    steps: u64,
    counts: Counts,
    ends: Ends,
    /// Everything that happened, in one world.
    pub(super) trace: Vec<String>,
}

impl Report {
    pub(super) fn add(&mut self, other: &Report) {
        self.seeds += other.seeds;
        self.steps += other.steps;
        let (all, more) = (&mut self.counts, other.counts);
        all.acknowledged += more.acknowledged;
        all.refused += more.refused;
        all.unsure += more.unsure;
        all.observed += more.observed;
        all.reconnected += more.reconnected;
        all.repeated += more.repeated;
        all.conflicts += more.conflicts;
        all.failed += more.failed;
        all.lost += more.lost;
        all.kills += more.kills;
        all.freezes += more.freezes;
        all.signed_out += more.signed_out;
        let (all, more) = (&mut self.ends, other.ends);
        all.games += more.games;
        all.over += more.over;
        all.out_of_time += more.out_of_time;
        all.left += more.left;
        all.rated += more.rated;
    }

    /// Whether everything that should be tried was, often enough to mean something.
    pub(super) fn check_that_it_was_hard(&self) {
        let Counts { acknowledged, conflicts, failed, lost, kills, freezes, repeated, unsure, .. } = self.counts;
        for (what, count) in [
            ("acknowledged", acknowledged),
            ("conflicts", conflicts),
            ("failed", failed),
            ("lost", lost),
            ("kills", kills),
            ("freezes", freezes),
            ("repeated", repeated),
            ("unsure", unsure),
            ("games out of time", self.ends.out_of_time as u64),
            ("rated games", self.ends.rated as u64),
        ] {
            assert!(count > 0, "{what}: {self}");
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { seeds, steps, counts, ends, .. } = self;
        write!(f, "{seeds} seeds, {steps} events, {counts:?}, {ends:?}")
    }
}

//! What can happen to a server: [`Fault`].

use crate::{
    common::Random,
    servers::{Servers, service},
    world::World,
};
use std::{fmt, sync::atomic::Ordering, thread, time::Duration};

/// A kind of fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Kill,
    KillAll,
    Freeze,
    Cut,
    LoseAnswers,
    Twice,
    Clock,
    /// One node cannot reach the database.
    CutOff,
    RestartDatabase,
    CrashDatabase,
    StopDatabase,
    StopBus,
    CrashBus,
}

impl Kind {
    /// Those that need nothing but a node.
    pub(crate) const OF_A_NODE: [Kind; 6] =
        [Kind::Kill, Kind::Freeze, Kind::Cut, Kind::LoseAnswers, Kind::Twice, Kind::Clock];
    /// All.
    pub(crate) const OF_SEVERAL: [Kind; 13] = [
        Kind::Kill,
        Kind::KillAll,
        Kind::Freeze,
        Kind::Cut,
        Kind::LoseAnswers,
        Kind::Twice,
        Kind::Clock,
        Kind::CutOff,
        Kind::RestartDatabase,
        Kind::CrashDatabase,
        Kind::StopDatabase,
        Kind::StopBus,
        Kind::CrashBus,
    ];
}

impl Kind {
    /// Whether nobody can play while it lasts, so that nobody may be charged for it. What happens to one node of several, or between players
    /// and a node, costs those whom it happens to the time until they have found another way.
    pub(crate) fn is_outage(self, nodes: usize) -> bool {
        match self {
            Kind::KillAll | Kind::RestartDatabase | Kind::CrashDatabase | Kind::StopDatabase => true,
            Kind::Kill | Kind::Clock | Kind::Freeze => nodes == 1,
            Kind::Cut | Kind::LoseAnswers | Kind::Twice | Kind::CutOff | Kind::StopBus | Kind::CrashBus => false,
        }
    }
}

/// Something that happens while people play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: Kind,
    node: usize,
    /// For how long, or how long until a node that was killed is started again.
    wait: Duration,
    /// How wrong the clock is.
    wrong_by_ms: i64,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { kind, node, wait, wrong_by_ms } = self;
        write!(f, "{kind:?}, node {node}, {} ms", wait.as_millis())?;
        if *kind == Kind::Clock { write!(f, ", wrong by {wrong_by_ms} ms") } else { Ok(()) }
    }
}

impl Fault {
    /// A fault of this kind. In a `long` run some nodes stand still for longer than anybody waits for them.
    pub(crate) fn draw(kind: Kind, nodes: usize, long: bool, random: &mut Random) -> Fault {
        // A database that is away for longer than a node waits for it; nodes that are gone for almost as long as a node is missed.
        let (least, most) = match kind {
            Kind::Freeze if long && random.below(3) == 0 => (4_000, 30_000),
            Kind::StopDatabase => (9_000, 11_000),
            Kind::KillAll => (2_000, 5_000),
            Kind::Freeze => (0, 4_000),
            _ => (0, 1_500),
        };
        let wait = Duration::from_millis(least + random.below(most - least));
        let node = random.below(nodes as u64) as usize;
        let wrong_by_ms = [-7_200_000, -90_000, -5_000, 5_000, 90_000, 7_200_000][random.below(6) as usize];
        Fault { kind, node, wait, wrong_by_ms }
    }

    /// Lets it happen, and mends it: how many nodes were killed.
    pub(crate) fn happen(&self, servers: &mut Servers, world: &World) -> u64 {
        let wait = || thread::sleep(self.wait);
        let node = &mut servers.nodes[self.node];
        match self.kind {
            Kind::Kill => {
                node.kill();
                wait();
                node.start();
                return 1;
            }
            Kind::KillAll => {
                servers.nodes.iter_mut().for_each(|node| node.kill());
                wait();
                servers.nodes.iter_mut().for_each(|node| node.start());
                return servers.nodes.len() as u64;
            }
            Kind::Clock => {
                // Those that run on and those that start are to agree.
                node.set_clock(self.wrong_by_ms);
                wait();
                node.kill();
                node.start();
                return 1;
            }
            Kind::Freeze => {
                node.freeze(true);
                wait();
                node.freeze(false);
            }
            Kind::Cut => node.wire.cut(),
            Kind::CutOff => {
                node.database.as_ref().unwrap().set_away(true);
                wait();
                node.database.as_ref().unwrap().set_away(false);
            }
            Kind::LoseAnswers => {
                node.wire.lose_answers(true);
                wait();
                node.wire.cut();
                node.wire.lose_answers(false);
                // What was opened meanwhile has a gap too.
                node.wire.cut();
            }
            Kind::Twice => {
                world.twice.store(true, Ordering::SeqCst);
                wait();
                world.twice.store(false, Ordering::SeqCst);
            }
            Kind::RestartDatabase => service("restart", "postgres"),
            Kind::CrashDatabase => {
                service("kill", "postgres");
                service("start", "postgres");
            }
            Kind::StopDatabase => {
                service("stop", "postgres");
                wait();
                service("start", "postgres");
            }
            Kind::StopBus => {
                service("stop", "nats");
                wait();
                service("start", "nats");
            }
            Kind::CrashBus => {
                service("kill", "nats");
                service("start", "nats");
            }
        }
        0
    }
}

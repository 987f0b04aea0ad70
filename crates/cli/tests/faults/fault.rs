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
    RestartDatabase,
    CrashDatabase,
    StopBus,
    CrashBus,
}

impl Kind {
    /// Those that need nothing but a node.
    pub(crate) const OF_A_NODE: [Kind; 6] =
        [Kind::Kill, Kind::Freeze, Kind::Cut, Kind::LoseAnswers, Kind::Twice, Kind::Clock];
    /// All.
    pub(crate) const OF_SEVERAL: [Kind; 11] = [
        Kind::Kill,
        Kind::KillAll,
        Kind::Freeze,
        Kind::Cut,
        Kind::LoseAnswers,
        Kind::Twice,
        Kind::Clock,
        Kind::RestartDatabase,
        Kind::CrashDatabase,
        Kind::StopBus,
        Kind::CrashBus,
    ];
}

/// Something that happens while people play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: Kind,
    node: usize,
    /// For how long, or how long until a node that was killed is started again.
    wait: Duration,
    /// How wrong the clock of a machine is.
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
    pub(crate) fn draw(kind: Kind, nodes: usize, random: &mut Random) -> Fault {
        let most = if kind == Kind::Freeze { 4_000 } else { 1_500 };
        let (node, wait) = (random.below(nodes as u64) as usize, Duration::from_millis(random.below(most)));
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
                node.kill();
                node.wrong_by_ms = self.wrong_by_ms;
                node.start();
                return 1;
            }
            Kind::Freeze => {
                node.freeze(true);
                wait();
                node.freeze(false);
            }
            Kind::Cut => node.wire.cut(),
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

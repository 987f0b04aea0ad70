//! One server of the world: [`Node`].

use super::{
    bus::FaultyBus,
    store::{FaultyStore, wait},
    truth::{Someone, session_of},
    wire::Wire,
    world::Shared,
};
use crate::{
    Config, House,
    audience::Fanout,
    book,
    bus::{Alone, Bus, Heard},
    caller::Caller,
    connections::Place,
    entrance::{Kind, Visitor},
    socket,
    time::Time,
};
use analyst::{Analyst, Evaluator};
use axum::http::{HeaderMap, header};
use people::{AccountChange, SessionId};
use std::{
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};
use store::{Sqlite, Store};
use tokio::{
    runtime::{Builder, Runtime},
    sync::mpsc,
    time::{advance, sleep},
};

/// A server that could not start tries again after so long, as whoever runs it does.
const AGAIN: Duration = Duration::from_secs(1);

/// A server, in a runtime whose time the world moves.
#[derive(Debug)]
pub(super) struct Node {
    runtime: Runtime,
    /// There once it has started.
    house: Arc<OnceLock<Arc<House>>>,
    heard: Option<mpsc::UnboundedSender<Heard>>,
}

impl Node {
    /// Starts one of `nodes` servers.
    pub(super) fn start(number: usize, nodes: usize, folder: &Path, real: &Arc<Sqlite>, shared: &Shared) -> Node {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let (bus, heard): (Arc<dyn Bus>, _) = if nodes == 1 {
            (Arc::new(Alone), None)
        } else {
            let (bus, heard) = FaultyBus::new(number, shared.clone());
            (Arc::new(bus), Some(heard))
        };
        let config = Config { home: false, open_lobby: true, ..Config::new(folder) };
        let store = Arc::new(FaultyStore::new(real.clone(), shared.clone()));
        let (house, shared) = (Arc::<OnceLock<Arc<House>>>::default(), shared.clone());
        let started = house.clone();
        runtime.spawn(async move {
            let house = loop {
                match open(&config, &store, &bus, &shared).await {
                    Some(house) => break house,
                    None => sleep(AGAIN).await,
                }
            };
            house.tend();
            started.set(house).unwrap();
        });
        Node { runtime, house, heard }
    }

    /// Lets so much time go by, after some in which it stood still.
    pub(super) fn go_on(&self, stood_ms: u64, ms: u64) {
        self.runtime.block_on(async {
            if stood_ms > 0 {
                advance(Duration::from_millis(stood_ms)).await;
            }
            sleep(Duration::from_millis(ms)).await;
        });
    }

    /// It ends without a word, whatever it was doing.
    pub(super) fn kill(self) {
        let Node { runtime, house, .. } = self;
        drop(runtime);
        // Rooms and house hold each other.
        if let Some(house) = house.get() {
            drop(house.rooms.take());
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        self.house.get().is_some()
    }

    /// Something comes over the bus.
    pub(super) fn hear(&self, heard: Heard) {
        if let Some(bus) = &self.heard {
            let _ = bus.send(heard);
        }
    }

    /// Someone connects.
    pub(super) fn connect(&self, wire: &Wire, who: &Someone) {
        let Some(house) = self.house.get().cloned() else { return wire.cut() };
        let (end, cookie) = (wire.end(), who.cookie());
        self.runtime.spawn(async move {
            let headers = HeaderMap::from_iter([(header::COOKIE, cookie.parse().unwrap())]);
            let caller = Caller { kind: Kind::Main, place: Place::Home, at_home: false, secure: false };
            // As the handshake does: whoever cannot be told who they are is not let in.
            let Ok((identity, _)) = house.identify(&caller, &headers).await else { return };
            let visitor = Visitor::from(([127, 0, 0, 1], 1).into(), Kind::Main);
            socket::serve(&house, end, identity, Place::Home, visitor, true).await;
        });
    }

    /// Someone signs out of one browser and in to another.
    pub(super) fn sign_out(&self, real: &Sqlite, who: &mut Someone, now: table::At) {
        let Some(house) = self.house.get().cloned() else { return };
        let ended = AccountChange::SignOut { who: who.who, id: SessionId(who.secret.clone()) };
        who.another_browser();
        wait(real.write(vec![session_of(who, now)])).unwrap();
        let who = who.who;
        self.runtime.spawn(async move {
            if house.change([ended]).await.is_ok() {
                house.recheck(who).await;
            }
        });
    }
}

async fn open(config: &Config, store: &Arc<FaultyStore>, bus: &Arc<dyn Bus>, shared: &Shared) -> Option<Arc<House>> {
    static ANALYST: OnceLock<Analyst> = OnceLock::new();
    let analyst = ANALYST.get_or_init(|| {
        Analyst::start(Evaluator::blank(), analyst::Config { engines: 1, hash: 1, ..Default::default() })
    });
    let last = store.last_alive().await.ok()?.unwrap_or(0);
    let now = shared.lock().now;
    let (time, fanout, book) = (Time::simulated(now.max(last)), Fanout::start(2), book::open(&config.data));
    let house = House::new(config.clone(), store.clone(), bus.clone(), analyst.clone(), time, fanout, book).unwrap();
    house.take_up(last).await.ok()?;
    Some(house)
}

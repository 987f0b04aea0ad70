//! The Outflank server: tables made durable and shared.
//!
//! ```text
//! entrance lets connections in     → socket  a page's connection  → lobby  finds the game  → live  ask, keep, commit, tell
//! guard    keeps other sites out     door    opens a way in         rooms  games at hand     audience  who watches
//! limits   what grows or costs       people  who is asking          alarms fallen flags      computer  moves and hints
//! caller   where a request is from   pace    how fast is read       connections  how many   health, metrics  how things are
//! node, bus  of several servers      time    what time it is        outages  when nothing could be kept
//! accounts, sign_in, passkeys, tokens, admin  over HTTP  sessions  who has signed in      passwords, guesses  made and tried slowly
//! offers   who plays whom            meeting who is there           ratings, profiles  how well people play
//! studies  trees that people keep    analysis, reviews  what the computer says of them      library  many games, searched
//! fair_play  no engine in games that count                            conduct  what the owner may look at
//! ```
//!
//! [`Server::open`] opens the games and takes up those that were going on; [`Server::run`] serves them until it is told to stop.

#![forbid(unsafe_code)]

mod accounts;
mod address;
mod admin;
mod alarms;
mod analysis;
mod answers;
mod api;
mod audience;
mod book;
pub mod bus;
mod caller;
mod claim;
mod client;
mod computer;
mod conduct;
mod config;
mod connections;
mod door;
mod entrance;
mod exercises;
mod fair_play;
mod files;
mod guard;
mod guesses;
mod health;
mod http;
mod library;
mod limits;
mod live;
mod lobby;
mod meeting;
mod metrics;
mod node;
mod offers;
mod outages;
mod pace;
mod page;
mod passkeys;
mod passwords;
mod people;
mod profiles;
pub mod protocol;
mod ratings;
mod refusal;
mod reviews;
mod rooms;
mod saved;
mod seat_names;
mod secret;
mod sessions;
mod sign_in;
#[cfg(test)]
mod simulation;
mod socket;
mod studies;
mod time;
mod tokens;
mod visitor;

pub use book::BOOK_FILE;
pub use caller::{AddressError, HostName, Subnet};
pub use client::{Client, ReachError, reach};
pub use config::{Config, SecretAddress};
pub use connections::raise_file_limit;
pub use door::Network;
pub use files::{record_of, record_of_table};
pub use library::{Message, message_of};
pub use people::OwnerToken;
pub use room::balanced_opening;
pub use saved::SavedGame;
pub use store::{MoveError, MoveProgress, OpenError, StorePlace, move_data};

use alarms::Alarms;
use analyst::Analyst;
use answers::Answers;
use audience::Fanout;
use axum::{
    Router,
    extract::{DefaultBodyLimit, State},
    middleware,
    routing::{get, post},
};
use bus::{Alone, Bus, BusError, Nats, NodeId};
use claim::Claim;
use connections::Connections;
use door::Door;
use entrance::{Gate, Kind};
use futures_util::{FutureExt, future::BoxFuture};
use guesses::Guesses;
use health::Health;
use limits::Limits;
use meeting::Meeting;
use metrics::Metrics;
use outages::Outages;
use passwords::Passwords;
use people::OwnerLink;
use profiles::Faces;
use protocol::HouseView;
use room::Write;
use rooms::Rooms;
use std::{
    io,
    net::SocketAddr,
    sync::{Arc, atomic::AtomicU64},
    time::{Duration, Instant},
};
use store::{Postgres, Sqlite, Store, StoreError};
use studies::Studies;
use study::book::Book;
use table::At;
use time::Time;
use tokio::{
    net::TcpListener,
    sync::{Notify, watch},
    task::JoinHandle,
};

/// How often the server leaves a sign of life: a crash charges the running clocks at most up to the last.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// A player whose last page has gone for so long has left: loading a page again takes less.
const AWAY: Duration = Duration::from_secs(3);
/// How often rooms that nobody needs are closed.
const TIDY: Duration = Duration::from_secs(60);

/// A game in a terminal that was asked for its games has left them by then.
const HAND_OVER: Duration = Duration::from_secs(10);

/// How long one waits for the last to leave.
const CLOSING: Duration = Duration::from_secs(3);

/// Everything the parts of a server share.
#[derive(Debug)]
pub(crate) struct House {
    config: Config,
    time: Time,
    store: Arc<dyn Store>,
    /// How other nodes that serve the same games are heard.
    bus: Arc<dyn Bus>,
    node: NodeId,
    analyst: Analyst,
    /// What is known of the openings: ours, and what the owner added.
    book: Arc<Book>,
    rooms: Rooms,
    meeting: Meeting,
    faces: Faces,
    studies: Studies,
    alarms: Alarms,
    fanout: Fanout,
    answers: Answers,
    /// Programs that wait for events.
    desks: api::Desks,
    connections: Arc<Connections>,
    /// Pages, by the address of whoever looks at them, which a proxy may have told.
    pages: Arc<Connections>,
    owner_link: OwnerLink,
    /// Somebody's games against the engine's moves, for the owner.
    comparisons: conduct::Comparisons,
    /// Pages by who looks at them, to close those of whoever may not any more.
    signed: Arc<sessions::SignedPages>,
    passwords: Passwords,
    guesses: Guesses,
    /// What the server is open for, as pages are told.
    settings: watch::Sender<HouseView>,
    limits: Limits,
    library: Arc<library::Shelf>,
    metrics: Metrics,
    health: Health,
    outages: Outages,
    next_socket: AtomicU64,
    door: Door,
    /// Whoever shows it is the owner: it is left beside the games, where only the owner can read it.
    token: String,
    /// Another program of the owner's wants to serve the games.
    hand_over: Notify,
    /// Whether pages are still heard. Gone with the house, and the last field: what is above it is closed by then.
    open: watch::Sender<bool>,
}

/// A server that is ready.
#[derive(Clone, Debug)]
pub struct Server {
    house: Arc<House>,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The games cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The games cannot be read or written.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// The other nodes cannot be heard.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// The operating system has no randomness to give.
    #[error(transparent)]
    Random(#[from] getrandom::Error),
}

/// What takes a while is boxed here, once: else every program and test that starts a server compiles all of it again.
impl Server {
    /// Opens the games in `config.data`, or in `config.database`, and takes up those in which a clock was running.
    ///
    /// # Errors
    ///
    /// [`StartError`] if the games cannot be used; nothing was changed then.
    pub fn open(config: Config, analyst: Analyst) -> BoxFuture<'static, Result<Server, StartError>> {
        Server::opened(config, analyst).boxed()
    }

    async fn opened(config: Config, analyst: Analyst) -> Result<Server, StartError> {
        if config.private && Claim::is_taken(&config.data) {
            return Err(OpenError::InUse(config.data).into());
        }
        let (data, database, alone) = (config.data.clone(), config.database.clone(), config.bus.is_none());
        // Opening a database waits.
        let opened = tokio::task::spawn_blocking(move || -> Result<Arc<dyn Store>, OpenError> {
            Ok(match database {
                Some(address) if alone => Arc::new(Postgres::open_for_one_server(address.reveal())?),
                Some(address) => Arc::new(Postgres::open(address.reveal())?),
                None => Arc::new(Sqlite::open(&data)?),
            })
        });
        let store = opened.await.map_err(|error| OpenError::Io(io::Error::other(error)))??;
        let bus: Arc<dyn Bus> = match &config.bus {
            Some(address) => Arc::new(Nats::connect(address.reveal(), &store.key()).await?),
            None => Arc::new(Alone),
        };
        Server::join(config, store, bus, analyst).await
    }

    /// Serves the games of a store that other nodes may be serving too, of which this one hears by `bus`. What belongs to this node alone
    /// is in `config.data`.
    ///
    /// # Errors
    ///
    /// [`StartError`] if the games cannot be read or written.
    pub fn join(
        config: Config,
        store: Arc<dyn Store>,
        bus: Arc<dyn Bus>,
        analyst: Analyst,
    ) -> BoxFuture<'static, Result<Server, StartError>> {
        Server::joined(config, store, bus, analyst).boxed()
    }

    async fn joined(
        config: Config,
        store: Arc<dyn Store>,
        bus: Arc<dyn Bus>,
        analyst: Analyst,
    ) -> Result<Server, StartError> {
        let last = store.last_alive().await?.unwrap_or(0);
        let wall = config.wrong(node::shared_time(&*store).await?.unwrap_or_else(time::wall));
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let (time, fanout, book) =
            (Time::new(wall, last, !bus.is_alone()), Fanout::start(threads), book::open(&config.data));
        let house = House::new(config, store, bus, analyst, time, fanout, book)?;
        house.take_up(last).await?;
        Ok(Server { house })
    }
}

impl House {
    fn new(
        config: Config,
        store: Arc<dyn Store>,
        bus: Arc<dyn Bus>,
        analyst: Analyst,
        time: Time,
        fanout: Fanout,
        book: Arc<Book>,
    ) -> Result<Arc<House>, getrandom::Error> {
        Ok(Arc::new(House {
            time,
            door: Door::new(config.network.clone()),
            connections: Connections::new(config.connections, config.connections_per_address),
            pages: Connections::new(config.connections, config.connections_per_address),
            owner_link: OwnerLink::new(config.owner),
            library: Arc::new(library::Shelf::new(config.data.clone())),
            config,
            store,
            bus,
            node: NodeId(secret::number()?),
            analyst,
            book,
            rooms: Rooms::default(),
            meeting: Meeting::default(),
            faces: Faces::default(),
            studies: Studies::default(),
            alarms: Alarms::default(),
            fanout,
            answers: Answers::default(),
            desks: api::Desks::default(),
            metrics: Metrics::default(),
            health: Health::default(),
            outages: Outages::default(),
            limits: Limits::default(),
            comparisons: conduct::Comparisons::default(),
            signed: Arc::default(),
            passwords: Passwords::default(),
            guesses: Guesses::default(),
            settings: watch::Sender::new(HouseView { lobby: false, registration: false, announcement: None }),
            next_socket: AtomicU64::new(1),
            token: secret::random(people::SECRET)?,
            hand_over: Notify::new(),
            open: watch::Sender::new(true),
        }))
    }

    /// Takes up what was going on when a server was last seen alive, at `last`.
    async fn take_up(self: &Arc<House>, last: At) -> Result<(), StoreError> {
        self.owner_link.is_printed(self.store.settings().await?.owner_ended);
        self.read_settings().await?;
        self.bring_in_saved_games().await?;
        match self.time_of_others(last).await {
            Some(theirs) => self.time.agree(theirs),
            None => self.come_back(last).await?,
        }
        self.keep(vec![Write::Alive { at: self.time.now() }]).await
    }

    /// What goes on as long as a server runs.
    fn tend(self: &Arc<House>) -> [JoinHandle<()>; 6] {
        [
            tokio::spawn(heartbeat(self.clone())),
            tokio::spawn(self.clone().keep_time()),
            tokio::spawn(self.clone().mend_outages()),
            tokio::spawn(self.clone().collect_finished_games()),
            tokio::spawn(self.clone().mind_others()),
            tokio::spawn(self.clone().keep_lobby()),
        ]
    }
}

impl Server {
    /// As [`open`](Server::open); if a game in a terminal has the games open, it is asked to leave them to this server, of which it
    /// becomes a page.
    ///
    /// # Errors
    ///
    /// [`StartError`] if the games cannot be used, or another server has them.
    pub async fn take_over(config: Config, analyst: Analyst) -> Result<Server, StartError> {
        let in_use = match Server::open(config.clone(), analyst.clone()).await {
            Err(StartError::Open(in_use @ OpenError::InUse(_))) => in_use,
            opened => return opened,
        };
        let Ok(Some(_claim)) = Claim::new(&config.data) else { return Err(in_use.into()) };
        let until = Instant::now() + HAND_OVER;
        loop {
            // A terminal says yes, a server no; whoever is just coming or going says nothing.
            let asked = client::ask_for(&config.data).await;
            let refused = asked.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied);
            match Server::open(config.clone(), analyst.clone()).await {
                Err(StartError::Open(OpenError::InUse(_))) if !refused && Instant::now() < until => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                opened => return opened,
            }
        }
    }

    /// Waits until the games are closed: every page has gone, and what they asked for is done. Whatever takes longer than anyone
    /// wants to wait for keeps them open.
    pub async fn closed(self) {
        let mut open = self.house.open.subscribe();
        drop(self);
        let gone = async { while open.changed().await.is_ok() {} };
        let _ = tokio::time::timeout(CLOSING, gone).await;
    }

    /// The owner's page in this process. `hear` is given every message, and `None` when there are no more.
    pub async fn page(&self, hear: impl FnMut(Option<protocol::ToBrowser>) + Send + 'static) -> Client {
        client::page(&self.house, Box::new(hear))
    }

    /// Opens the door to the network, for a server that listens on `main`: the addresses under which other devices reach it.
    ///
    /// # Errors
    ///
    /// If this machine has addresses in the network and can listen on none of them.
    pub async fn open_door(&self, main: SocketAddr) -> io::Result<Vec<SocketAddr>> {
        self.house.door.beside(main);
        self.house.open_door().await
    }

    /// Serves until `stop` is done, then says goodbye to every page and returns.
    ///
    /// # Errors
    ///
    /// If the listener fails.
    pub fn run(
        &self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> BoxFuture<'_, io::Result<()>> {
        self.run_until(listener, stop.boxed())
    }

    fn run_until(&self, listener: TcpListener, stop: BoxFuture<'static, ()>) -> BoxFuture<'_, io::Result<()>> {
        self.serve(listener, stop).boxed()
    }

    async fn serve(&self, listener: TcpListener, stop: BoxFuture<'static, ()>) -> io::Result<()> {
        let bound = listener.local_addr()?;
        self.house.door.beside(bound);
        // Without it the server works all the same; a game in a terminal says that it cannot be reached.
        let address = address::leave(&self.house.config.data, bound, &self.house.token);
        let tending = self.house.tend();
        let (gate, serving) = Gate::open(&self.house, listener, Kind::Main);
        let serving = tokio::spawn(serving);
        tracing::info!(address = %bound, "serving");
        tokio::select! {
            () = stop => {}
            () = self.house.hand_over.notified() => {}
        }
        tracing::info!("stopping");
        drop(address);
        self.house.open.send_replace(false);
        // A server that was started open to the network has no door to close.
        let (_, ()) = tokio::join!(self.house.close_door(), gate.close());
        let served = serving.await.map_err(io::Error::other);
        tending.iter().for_each(JoinHandle::abort);
        // Pages hear a goodbye; one that does not listen is not waited for.
        for _ in 0..40 {
            if self.house.pages.count() == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // The last sign of life: nobody is charged for the time until the server comes back. If it cannot be kept, the one before holds.
        let _ = self.house.keep(vec![Write::Alive { at: self.house.time.now() }]).await;
        // Rooms hold the house as it holds them: without this it would never be given up.
        for live in self.house.rooms.take() {
            live.close().await;
        }
        served
    }
}

/// The whole server, for whoever comes in by an entrance. A game in a terminal gives others nothing but its games.
fn app(house: &Arc<House>) -> Router {
    let app = Router::new().route("/api/socket", get(socket::connect));
    let app = if house.config.private {
        app.route("/api/hand-over", post(hand_over))
    } else {
        app.merge(api::router().route_layer(middleware::from_fn_with_state(house.clone(), http::pay_as_program)))
            .route("/api/games/{game}/{file}", get(files::file))
            .route("/api/owner", post(people::claim).layer(DefaultBodyLimit::max(64)))
            .merge(people_routes(house))
            .route("/api/library", post(library::upload).layer(DefaultBodyLimit::disable()))
            .route("/api/library/export", get(library::export))
            .route("/metrics", get(metrics::page))
            .route("/api/health", get(health::page))
            .fallback(get(page::asset))
    };
    app.layer(middleware::from_fn_with_state(house.clone(), guard::guard)).with_state(house.clone())
}

/// Accounts, and what the owner decides.
fn people_routes(house: &Arc<House>) -> Router<Arc<House>> {
    accounts::routes()
        .merge(sign_in::routes())
        .merge(passkeys::routes())
        .merge(tokens::routes())
        .merge(admin::routes())
        .merge(conduct::routes())
        .layer(DefaultBodyLimit::max(http::LONGEST))
        .route_layer(middleware::from_fn_with_state(house.clone(), http::pay))
}

/// A server is being started on the games of a terminal: it can do more with them.
async fn hand_over(State(house): State<Arc<House>>) -> &'static str {
    house.hand_over.notify_one();
    "ok\n"
}

async fn heartbeat(house: Arc<House>) {
    let mut beat = tokio::time::interval(HEARTBEAT);
    let mut tidy = tokio::time::interval(TIDY);
    loop {
        tokio::select! {
            biased;
            _ = beat.tick() => {
                // Only running clocks need it. If the disk is full now, the next beat may find room; until then nobody is charged
                // after a crash.
                if house.alarms.first().is_some() || !house.bus.is_alone() {
                    let _ = house.keep(vec![Write::Alive { at: house.time.now() }]).await;
                }
                house.mind_door().await;
            }
            _ = tidy.tick() => {
                house.rooms.tidy();
                // Not here: a sign of life waits for nobody, or others think that the server is gone.
                let house = house.clone();
                tokio::spawn(async move {
                    house.follow_time().await;
                    house.look_at_people_again().await;
                });
            }
        }
    }
}

//! The way to the games: the server that has them open, or else a server of our own, which listens to nobody but this user's
//! other terminals.

use crate::brain;
use server::{
    Client, Config, OpenError, ReachError, Server, StartError,
    protocol::{ToBrowser, ToServer},
};
use std::{
    io,
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    time::{Duration, Instant},
};
use tokio::{net::TcpListener, runtime::Runtime, sync::oneshot, task::JoinHandle};

/// How long a server may take to start or to stop.
const PATIENCE: Duration = Duration::from_secs(10);
/// A lock is looked at again after so long: nobody tells when it is free.
const AGAIN: Duration = Duration::from_millis(20);

/// What happens, as far as a terminal hears of it.
#[derive(Debug)]
pub(super) enum Event {
    /// The server says something.
    Message(Box<ToBrowser>),
    /// The connection has ended.
    Gone,
    /// Somebody typed a line.
    Line(String),
    /// There will be no more lines.
    End,
}

/// Why there is no way to the games.
#[derive(Debug)]
pub(super) enum NoWay {
    /// They cannot be opened.
    Start(StartError),
    /// The server that has them open cannot be reached.
    Reach(PathBuf, ReachError),
    /// This machine does not let programs talk to each other.
    Listen(io::Error),
}

/// A connection to the games, made again when it ends.
#[derive(Debug)]
pub(super) struct Link {
    runtime: Runtime,
    folder: PathBuf,
    /// The computer takes at least so long, so that a player can follow.
    pause: Duration,
    /// The events, each with the number of the connection it came by; what was typed has 0.
    events: Receiver<(u64, Event)>,
    sender: Sender<(u64, Event)>,
    number: u64,
    client: Option<Client>,
    own: Option<Own>,
}

/// A server of our own.
#[derive(Debug)]
struct Own {
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

impl Link {
    /// No connection yet: [`connect`](Link::connect) makes it.
    pub(super) fn new(folder: PathBuf, pause: Duration) -> io::Result<Link> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let (sender, events) = mpsc::channel();
        Ok(Link { runtime, folder, pause, events, sender, number: 0, client: None, own: None })
    }

    /// Where whatever is typed goes.
    pub(super) fn keyboard(&self) -> impl Fn(Event) -> bool + Send + use<> {
        let sender = self.sender.clone();
        move |event| sender.send((0, event)).is_ok()
    }

    pub(super) fn send(&self, command: ToServer) {
        if let Some(client) = &self.client {
            client.send(command);
        }
    }

    /// The next event; `None` if there is none for so long.
    pub(super) fn next(&self, wait: Duration) -> Option<Event> {
        let until = Instant::now() + wait;
        loop {
            match self.events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                // What an earlier connection had to say has been said again since.
                Ok((number, event)) if number == 0 || number == self.number => return Some(event),
                Ok(_) => {}
                // There is always a sender: our own.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Whether the games are open in this process.
    pub(super) fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// Makes the connection, if need be again: to the server that has the games open, or else by opening them.
    pub(super) fn connect(&mut self) -> Result<(), NoWay> {
        self.close();
        self.number += 1;
        let begun = Instant::now();
        loop {
            match self.open() {
                Err(NoWay::Start(StartError::Open(OpenError::InUse(_)))) => {}
                done => return done,
            }
            match self.runtime.block_on(server::reach(&self.folder, self.hear())) {
                Ok(client) => {
                    self.client = Some(client);
                    return Ok(());
                }
                // Someone has the games, and is just starting or stopping.
                Err(ReachError::Io(_)) if begun.elapsed() < PATIENCE => std::thread::sleep(AGAIN),
                Err(error) => return Err(NoWay::Reach(self.folder.clone(), error)),
            }
        }
    }

    fn open(&mut self) -> Result<(), NoWay> {
        let config = Config { private: true, home: false, pause: self.pause, ..Config::new(&self.folder) };
        let opened = async {
            let server = Server::open(config, brain::analyst().clone()).await.map_err(NoWay::Start)?;
            let here = (IpAddr::from(Ipv4Addr::LOCALHOST), 0);
            let listener = TcpListener::bind(here).await.map_err(NoWay::Listen)?;
            let client = server.page(self.hear()).await;
            Ok((server, listener, client))
        };
        let (server, listener, client) = self.runtime.block_on(opened)?;
        let (stop, stopped) = oneshot::channel();
        let (sender, number) = (self.sender.clone(), self.number);
        let running = self.runtime.spawn(async move {
            // A listener that fails costs the other terminals their connection, not this one its game.
            let _ = server.run(listener, async { drop(stopped.await) }).await;
            // Nobody may be listening any more.
            let _ = sender.send((number, Event::Gone));
            server.closed().await;
        });
        self.client = Some(client);
        self.own = Some(Own { stop, running });
        Ok(())
    }

    /// Ends the connection; games that were open here are closed, with the time they have used.
    pub(super) fn close(&mut self) {
        self.client = None;
        if let Some(Own { stop, running }) = self.own.take() {
            drop(stop);
            // It ends by itself; one that panicked has said so on standard error.
            let _ = self.runtime.block_on(running);
        }
    }

    fn hear(&self) -> impl FnMut(Option<ToBrowser>) + Send + use<> {
        let (sender, number) = (self.sender.clone(), self.number);
        move |message| {
            let event = message.map_or(Event::Gone, |message| Event::Message(Box::new(message)));
            // Nobody may be listening any more.
            let _ = sender.send((number, event));
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.close();
    }
}

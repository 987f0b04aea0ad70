//! The owner's pages without a browser: in the process of the server, and from another one that reads where it is.

mod common;

use common::{House, LONG, analyst, config};
use rules::{ByColor, Square};
use server::{
    Client, Config, OpenError, ReachError, Server, StartError,
    protocol::{Ask, SeatChoice, ToBrowser, ToServer, Why},
};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
};
use table::{Called, CommandId, GameId, Ply, Preset};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::timeout,
};

/// A client and what it hears.
struct Page {
    client: Client,
    heard: mpsc::UnboundedReceiver<Option<ToBrowser>>,
}

/// Each command has an id of its own, whoever sends it: all are the owner's.
static COMMANDS: AtomicU32 = AtomicU32::new(0);

fn ear() -> (impl FnMut(Option<ToBrowser>) + Send + 'static, mpsc::UnboundedReceiver<Option<ToBrowser>>) {
    let (sender, heard) = mpsc::unbounded_channel();
    (move |message| drop(sender.send(message)), heard)
}

impl Page {
    async fn within(server: &Server) -> Page {
        let (ear, heard) = ear();
        Page { client: server.page(ear).await, heard }
    }

    async fn reaching(folder: &Path) -> Result<Page, ReachError> {
        let (ear, heard) = ear();
        Ok(Page { client: server::reach(folder, ear).await?, heard })
    }

    async fn hear(&mut self) -> Option<ToBrowser> {
        timeout(LONG, self.heard.recv()).await.expect("something is heard").expect("the connection's task lives")
    }

    async fn ask(&mut self, id: &str, ask: Ask) -> ToBrowser {
        let id = format!("{id}{}", COMMANDS.fetch_add(1, Ordering::Relaxed));
        self.client.send(ToServer { id: id.parse().unwrap(), ask });
        loop {
            let message = self.hear().await.expect("the server is there");
            let answers = match &message {
                ToBrowser::Refused { id, .. } => Some(id.as_str()),
                ToBrowser::Done { id, .. } | ToBrowser::Games { id, .. } => Some(id.as_str()),
                ToBrowser::Game(view) => view.id.as_ref().map(CommandId::as_str),
                _ => None,
            };
            if answers == Some(id.as_str()) {
                return message;
            }
        }
    }

    async fn begin(&mut self) -> GameId {
        let person = |name| SeatChoice::Person { name };
        let seats = ByColor { black: person(Called::First), white: person(Called::Second) };
        let create = Ask::Create { seats, toss: false, rules: Preset::Casual.rules() };
        match self.ask("create", create).await {
            ToBrowser::Done { game: Some(game), .. } => game,
            other => panic!("{other:?}"),
        }
    }
}

struct Running {
    server: Server,
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

/// A server as a game in a terminal is one.
async fn private(folder: &Path) -> Running {
    let server = Server::open(Config { private: true, ..config(folder) }, analyst()).await.unwrap();
    run(server, folder).await
}

async fn run(server: Server, folder: &Path) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn({
        let server = server.clone();
        async move { server.run(listener, async { drop(stopped.await) }).await.unwrap() }
    });
    until_there(folder).await;
    Running { server, address, stop, running }
}

/// A server is there once it has left its address.
async fn until_there(folder: &Path) {
    while !folder.join("outflank.address").exists() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn pages_here_and_there_are_the_owners_and_see_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    until_there(folder.path()).await;
    let mut there = Page::reaching(folder.path()).await.unwrap();
    let game = there.begin().await;
    let mut other = Page::reaching(folder.path()).await.unwrap();
    let ToBrowser::Game(view) = other.ask("open", Ask::Open { game: game.clone(), have: None }).await else { panic!() };
    assert!(view.view.seats.black.you && view.view.seats.white.you, "both are the owner");
    there.ask("play", Ask::Play { game: game.clone(), square: Square::F5, ply: Ply(0) }).await;
    while !matches!(other.hear().await, Some(ToBrowser::Game(view)) if view.view.ply == Ply(1)) {}
    house.stop().await;
    while other.hear().await.is_some() {}
    assert!(!folder.path().join("outflank.address").exists(), "nobody is there any more");
    assert!(matches!(Page::reaching(folder.path()).await, Err(ReachError::Io(_))));
    // the same games, in this process
    let private = private(folder.path()).await;
    let mut here = Page::within(&private.server).await;
    let ToBrowser::Games { games, .. } = here.ask("list", Ask::List { before: None }).await else { panic!() };
    assert_eq!((games[0].game.clone(), games[0].ply), (game.clone(), Ply(1)));
    let again = here.ask("play", Ask::Play { game, square: Square::F5, ply: Ply(1) }).await;
    assert!(matches!(again, ToBrowser::Refused { why: Why::Occupied, .. }), "{again:?}");
    drop(private.stop);
    private.running.await.unwrap();
}

#[tokio::test]
async fn only_who_has_read_the_address_gets_into_a_terminals_games() {
    let folder = tempfile::tempdir().unwrap();
    let private = private(folder.path()).await;
    let address = private.address;
    let left = fs::read_to_string(folder.path().join("outflank.address")).unwrap();
    let token = left.lines().nth(1).unwrap();
    for (path, shown, status) in [
        ("/", None, "403"),
        ("/api/health", None, "403"),
        ("/api/socket", None, "403"),
        ("/api/socket", Some("x".repeat(26)), "403"),
        ("/api/hand-over", None, "403"),
        // with the token there is still nothing but the games
        ("/", Some(token.to_owned()), "404"),
        ("/api/games/x/game.sgf", Some(token.to_owned()), "404"),
    ] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let token = shown.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{token}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        timeout(LONG, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {answer}");
    }
    assert!(Page::reaching(folder.path()).await.is_ok());
    drop(private.stop);
    private.running.await.unwrap();
}

#[tokio::test]
async fn a_server_that_starts_gets_the_games_of_a_terminal_and_never_those_of_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let terminal = private(folder.path()).await;
    let mut page = Page::within(&terminal.server).await;
    let game = page.begin().await;
    let starting = tokio::spawn({
        let config = config(folder.path());
        async move { Server::take_over(config, analyst()).await }
    });
    timeout(LONG, terminal.running).await.expect("the terminal's server ends by itself").unwrap();
    drop((page, terminal.server));
    let server = timeout(LONG, starting).await.unwrap().unwrap().unwrap();
    let server = run(server, folder.path()).await;
    let mut page = Page::reaching(folder.path()).await.unwrap();
    let ToBrowser::Games { games, .. } = page.ask("list", Ask::List { before: None }).await else { panic!() };
    assert_eq!(games[0].game, game);
    // a server keeps its games
    let second = Server::take_over(config(folder.path()), analyst()).await;
    assert!(matches!(second, Err(StartError::Open(OpenError::InUse(_)))));
    drop(server.stop);
    server.running.await.unwrap();
}

#[tokio::test]
async fn what_is_not_our_server_is_not_spoken_to() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    fs::write(folder.path().join("outflank.address"), format!("{}\nsecret\n", listener.local_addr().unwrap())).unwrap();
    // somebody else has the port now, and says another thing
    let other = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"220 mail.example.org\r\n").await.unwrap();
    });
    assert!(matches!(Page::reaching(folder.path()).await, Err(ReachError::Io(_))));
    other.await.unwrap();
}

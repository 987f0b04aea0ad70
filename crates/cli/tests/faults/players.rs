//! Pairs of players who play one game after another, whatever happens to the nodes: whoever is cut off connects to another node and asks
//! again, under the same id, whatever was not answered. Games of guests are watched by a third.

use crate::{common::Random, world::World};
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    net::{Ipv4Addr, TcpStream},
    sync::{Arc, Mutex, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};
use tungstenite::{Message, WebSocket, client::IntoClientRequest};

/// A node that says nothing for so long, although somebody waits, is left for another.
const PATIENCE: Duration = Duration::from_secs(3);
/// Whoever gets no answer at all for so long has found something.
const LONG: Duration = Duration::from_secs(60);
/// Before somebody tries again.
const PAUSE: Duration = Duration::from_millis(50);
/// What each player has for a game, which takes some seconds.
const MAIN_MS: u64 = 600_000;
/// Clocks of two nodes differ by less.
const PRECISE: Duration = Duration::from_secs(1);
/// So much may be charged in a game beyond what its player thought: until they have found a node that serves,
const FINDING: Duration = Duration::from_secs(3);
/// and with each move, for the way there and back on a machine that does all of this at once.
const WAY: Duration = Duration::from_millis(100);

type Socket = WebSocket<TcpStream>;

/// What one player was told of one game, as `outflank load --check` reads it.
#[derive(Clone, Default, Serialize)]
pub(crate) struct Told {
    client: String,
    game: String,
    acknowledged: Vec<Acknowledged>,
    saw: Vec<String>,
    /// Nobody will be told more of it.
    #[serde(skip)]
    pub(crate) is_over: bool,
}

/// A move that a node said is kept.
#[derive(Clone, Serialize)]
struct Acknowledged {
    id: String,
    seq: u64,
    ply: u64,
    square: String,
}

/// Who somebody is, wherever they connect.
#[derive(Clone, Default)]
pub(crate) enum Who {
    /// Someone who has never been here.
    #[default]
    New,
    /// A guest, by what their browser was told.
    Guest(String),
    /// Somebody with an account, by a token.
    Account(String),
}

/// A player in one game.
struct Player<'a> {
    world: &'a World,
    pair: usize,
    name: String,
    who: Who,
    /// The node to try next.
    node: usize,
    socket: Option<Socket>,
    /// Whether this connection hears of the game.
    hears: bool,
    sent: u32,
    told: Arc<Mutex<Told>>,
    /// The game as it was last shown.
    view: Value,
    /// How long they thought: it was their turn, and they had not asked for their move yet.
    thought: Duration,
}

impl<'a> Player<'a> {
    fn new(world: &'a World, pair: usize, name: String, who: Who, node: usize) -> Player<'a> {
        let told = Arc::new(Mutex::new(Told { client: name.clone(), ..Told::default() }));
        Player {
            world,
            pair,
            name,
            who,
            node,
            socket: None,
            hears: false,
            sent: 0,
            told,
            view: Value::Null,
            thought: Duration::ZERO,
        }
    }

    /// A new connection to a node; `None` if it lets nobody in now.
    fn connect(&mut self, node: usize) -> Option<Socket> {
        let (node, wire) = self.world.nodes[node % self.world.nodes.len()];
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, wire)).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.set_nodelay(true).ok()?;
        let mut request = format!("ws://127.0.0.1:{node}/api/socket").into_client_request().ok()?;
        let headers = request.headers_mut();
        headers.insert("origin", format!("http://127.0.0.1:{node}").parse().ok()?);
        // Who comes through a proxy is not the owner, although this is the owner's machine.
        headers.insert("via", "1.1 faults".parse().ok()?);
        match &self.who {
            Who::New => {}
            Who::Guest(cookie) => _ = headers.insert("cookie", cookie.parse().ok()?),
            Who::Account(token) => _ = headers.insert("authorization", format!("Bearer {token}").parse().ok()?),
        }
        let (mut socket, response) = tungstenite::client(request, stream).ok()?;
        if read(&mut socket)?["type"] != "welcome" {
            return None;
        }
        if let (Who::New, Some(set)) = (&self.who, response.headers().get("set-cookie")) {
            self.who = Who::Guest(set.to_str().ok()?.split(';').next()?.to_owned());
        }
        Some(socket)
    }

    /// The connection; a new one, to another node, if the last was lost.
    fn socket(&mut self) -> &mut Socket {
        let until = Instant::now() + LONG;
        while self.socket.is_none() {
            assert!(Instant::now() < until, "{} is let in nowhere", self.name);
            self.socket = self.connect(self.node);
            self.hears = false;
            if self.socket.is_none() {
                self.node += 1;
                thread::sleep(PAUSE);
            }
        }
        self.socket.as_mut().unwrap()
    }

    fn lose(&mut self) {
        self.socket = None;
        self.node += 1;
    }

    /// The next message; `None` if the connection is lost.
    fn next(&mut self) -> Option<Value> {
        let message = read(self.socket());
        match &message {
            Some(message) => self.note(message),
            None => self.lose(),
        }
        message
    }

    /// What is shown is remembered. A move that was shown once stays.
    fn note(&mut self, message: &Value) {
        let mut told = self.told.lock().unwrap();
        if message["type"] != "game" || message["game"] != *told.game {
            return;
        }
        let keep = message["keep"].as_u64().unwrap() as usize;
        let moves = message["moves"].as_array().unwrap().iter();
        let mut shown: Vec<String> = told.saw.iter().take(keep).cloned().collect();
        let gap = shown.len() < keep;
        shown.extend(moves.map(|played| played["square"].as_str().unwrap().to_owned()));
        if gap || !shown.starts_with(&told.saw) {
            let (name, game, saw) = (&self.name, &told.game, &told.saw);
            self.world.is_wrong(format!("{game}: {name} saw {saw:?}, then from {keep} on {shown:?}"));
        }
        told.saw = shown;
        self.view = message["view"].clone();
    }

    /// Asks until there is an answer, under one id.
    fn ask(&mut self, ask: Value) -> (String, Value) {
        self.sent += 1;
        let id = format!("{}-{}", self.name, self.sent);
        let mut text = ask;
        text["id"] = json!(id);
        let text = text.to_string();
        let until = Instant::now() + LONG;
        loop {
            assert!(Instant::now() < until, "{} has no answer to {text}", self.name);
            let other = self.world.twice.load(Ordering::SeqCst).then(|| self.send_elsewhere(&text)).flatten();
            let Some(answer) = self.try_ask(&id, &text) else { continue };
            match answer["why"].as_str() {
                // The store cannot be reached, or somebody begins games faster than one may.
                Some("not_saved" | "unsure" | "too_many") => thread::sleep(4 * PAUSE),
                Some(_) => {
                    self.world.is_wrong(format!("{text} → {answer}"));
                    return (id, answer);
                }
                None => {
                    self.same_answer(&id, &answer, other);
                    self.world.pulses[self.pair].beat();
                    return (id, answer);
                }
            }
        }
    }

    fn try_ask(&mut self, id: &str, text: &str) -> Option<Value> {
        let twice = self.world.twice.load(Ordering::SeqCst);
        for _ in 0..=usize::from(twice) {
            if self.socket().send(Message::text(text)).is_err() {
                self.lose();
                return None;
            }
        }
        loop {
            let message = self.next()?;
            if message["id"] == *id {
                return Some(message);
            }
        }
    }

    /// Sends the same command by a connection of its own to the next node.
    fn send_elsewhere(&mut self, text: &str) -> Option<Socket> {
        // Whoever is nobody yet would be somebody else there.
        if matches!(self.who, Who::New) {
            return None;
        }
        let mut socket = self.connect(self.node + 1)?;
        socket.send(Message::text(text)).ok()?;
        Some(socket)
    }

    /// What another node answered to the same command is the same.
    fn same_answer(&self, id: &str, answer: &Value, other: Option<Socket>) {
        let Some(mut socket) = other else { return };
        while let Some(message) = read(&mut socket) {
            if message["id"] == *id {
                let retry = ["not_saved", "unsure", "too_many"].iter().any(|why| message["why"] == *why);
                let key = |message: &Value| ["type", "game", "seq"].map(|name| message[name].clone());
                if answer["type"] == "done" && !retry && key(&message) != key(answer) {
                    self.world.is_wrong(format!("{id}: {answer} here, {message} there"));
                }
                return;
            }
        }
    }

    /// Sees the game until it is as wanted.
    fn see(&mut self, wanted: impl Fn(&Value) -> bool) {
        let game = self.told.lock().unwrap().game.clone();
        while !wanted(&self.view) {
            self.socket();
            if !self.hears {
                self.hears = true;
                let (_, opened) = self.ask(json!({"type": "open", "game": game}));
                // A connection that was lost meanwhile hears nothing.
                self.hears = self.socket.is_some() && opened["type"] == "game";
                if opened["type"] != "game" {
                    return;
                }
                continue;
            }
            self.next();
        }
    }

    fn play(&mut self, square: &str, ply: u64) {
        let game = self.told.lock().unwrap().game.clone();
        let play = json!({"type": "play", "game": game, "square": square, "ply": ply});
        let (id, done) = self.ask(play);
        if let Some(seq) = done["seq"].as_u64() {
            let square = square.to_owned();
            self.told.lock().unwrap().acknowledged.push(Acknowledged { id, seq, ply, square });
            self.world.acknowledged.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// The next message of a connection; `None` if it is lost, or says nothing for too long.
fn read(socket: &mut Socket) -> Option<Value> {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
            Ok(Message::Close(_)) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

/// Two who play until it is enough.
pub(crate) struct Pair {
    pub(crate) number: usize,
    /// Who they are; new guests for each game if nobody.
    pub(crate) who: [Who; 2],
    /// Between two moves.
    pub(crate) think: Duration,
    pub(crate) random: Random,
}

impl Pair {
    pub(crate) fn play(mut self, world: &World) {
        let mut game = 0;
        while !world.stop.load(Ordering::SeqCst) {
            game += 1;
            self.one(world, game);
        }
    }

    fn one(&mut self, world: &World, number: u32) {
        let (begun, costly) = (Instant::now(), world.costly());
        let rated = matches!(self.who[0], Who::Account(_));
        let first = self.random.below(2) as usize; // who has Black
        let mut player = |color: &str, who: &Who| {
            let name = format!("p{}-{number}-{color}", self.number);
            Player::new(world, self.number, name, who.clone(), self.random.below(2) as usize)
        };
        let mut players = vec![player("b", &self.who[first]), player("w", &self.who[1 - first])];
        if !rated {
            players.push(player("s", &Who::New)); // only watches
        }
        if !world.step(|| begin(world, &mut players, rated)) {
            return;
        }
        // A rated game may be given up, so that more of them end.
        let resign_at = if rated { 6 + self.random.below(60) } else { 99 };
        let (mut over, mut since) = (false, begun);
        while !over && !world.stop.load(Ordering::SeqCst) {
            thread::sleep(self.think);
            let turn = self.random.below(1 << 20);
            over = world.step(|| advance(world, &mut players, turn, resign_at, &mut since));
        }
        if over {
            self.check_end(world, &players, begun.elapsed(), world.costly() - costly);
        }
        players.iter().for_each(|player| player.told.lock().unwrap().is_over = true);
    }

    /// Nobody's clock ran out, and nobody was charged for more than what went by, or for a time in which nobody could play. Faults that may
    /// cost players something took so long meanwhile.
    fn check_end(&self, world: &World, players: &[Player<'_>], took: Duration, costly: Duration) {
        let game = players[0].told.lock().unwrap().game.clone();
        let view = &players[0].view;
        let ending = view["verdict"]["ending"].as_str().unwrap_or_default();
        if !["full", "no_moves", "wiped_out", "resigned"].contains(&ending) {
            world.is_wrong(format!("{game}: ended because of {ending} after {took:?}"));
        }
        let left = ["black", "white"].map(|color| view["clocks"][color]["left_ms"].as_u64().unwrap_or(0));
        let charged = left.map(|left| Duration::from_millis(MAIN_MS.saturating_sub(left)));
        if charged[0] + charged[1] > took + PRECISE {
            world.is_wrong(format!("{game}: {charged:?} were charged, {took:?} went by"));
        }
        for (charged, player) in charged.iter().zip(players) {
            let beyond = charged.saturating_sub(player.thought + costly);
            world.overcharged_ms.fetch_max(beyond.as_millis() as u64, Ordering::SeqCst);
            let moves = view["ply"].as_u64().unwrap_or(0) as u32;
            if beyond > FINDING + moves * WAY {
                let (name, thought) = (&player.name, player.thought);
                world.is_wrong(format!(
                    "{game}: {name} thought for {thought:?} and was charged for {charged:?}, {costly:?} apart"
                ));
            }
        }
        world.games.fetch_add(1, Ordering::SeqCst);
    }
}

/// Begins a game between the first two, which all then see; false if that was refused, which is noted.
fn begin(world: &World, players: &mut [Player<'_>], rated: bool) -> bool {
    let [black, white, ..] = players else { return false };
    let rules = json!({"time": {"kind": "sudden_death", "main_ms": MAIN_MS}, "overrun": "loses", "empties": "to_winner",
        "takebacks": false, "rated": rated});
    let seats = json!({"black": {"kind": "person", "name": 1}, "white": {"kind": "open"}});
    let (_, done) = black.ask(json!({"type": "create", "seats": seats, "rules": rules}));
    let Some(game) = done["game"].as_str() else { return false };
    let (_, opened) = black.ask(json!({"type": "open", "game": game}));
    let sit = json!({"type": "sit", "game": game, "invite": opened["invites"]["white"], "name": 2});
    if white.ask(sit).1["type"] != "done" {
        return false;
    }
    for player in players {
        player.told.lock().unwrap().game = game.to_owned();
        world.told.lock().unwrap().push(player.told.clone());
        player.see(|view| view["status"] != "waiting" && !view.is_null());
    }
    true
}

/// The next move, seen by all; whether the game is over. It has been somebody's turn `since`.
fn advance(world: &World, players: &mut [Player<'_>], turn: u64, resign_at: u64, since: &mut Instant) -> bool {
    let view = players[1].view.clone();
    let (Some(legal), Some(ply)) = (view["legal"].as_array(), view["ply"].as_u64()) else { return true };
    if view["status"] == "over" {
        return true;
    }
    if legal.is_empty() {
        world.is_wrong(format!("nobody can move, and it is not over: {view}"));
        return true;
    }
    let mover = &mut players[usize::from(view["turn"] == "white")];
    let resigns = ply >= resign_at;
    mover.thought += since.elapsed();
    if resigns {
        let game = mover.told.lock().unwrap().game.clone();
        mover.ask(json!({"type": "resign", "game": game}));
    } else {
        mover.play(legal[turn as usize % legal.len()]["square"].as_str().unwrap(), ply);
    }
    *since = Instant::now();
    for player in players.iter_mut() {
        player.see(|view| view["status"] == "over" || !resigns && view["ply"].as_u64() > Some(ply));
    }
    players[1].view["status"] == "over"
}

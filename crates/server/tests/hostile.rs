//! Two people play and one watches while somebody does their worst. They are refused, and the three notice nothing: every move is
//! acknowledged, everyone sees all of them, nothing of what was sent appears anywhere, and at last the server is as it was.
//!
//! SECURITY.md says which lines of the list are proved elsewhere. All of it is on loopback and ends by itself.

mod common;

use common::{
    House, LONG, Page,
    browser::{Browser, OTHER, ask_with},
    config, request,
};
use serde_json::{Value, json};
use server::{Config, raise_file_limit};
use std::{
    collections::BTreeSet,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::timeout,
};
use tokio_tungstenite::tungstenite::Message;

/// It is in everything that the hostile client sends where a text can be.
const MARK: &str = "mallory";
/// Where the hostile client comes from, as the proxy says.
const HOSTILE: &str = "198.51.100.66";

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        (self.number() >> 16) as usize % most
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| (self.number() >> 24) as u8).collect()
    }
}

/// A server behind a proxy, so that people come from several addresses, with two players and one who watches.
struct Club {
    house: House,
    _folder: tempfile::TempDir,
    ana: Page,
    luis: Page,
    eve: Page,
    game: String,
    invite: String,
}

/// A page from an address.
async fn page_from(at: SocketAddr, address: &str) -> Page {
    Page::try_with(at, &[("origin", &format!("http://{at}")), ("x-forwarded-for", address)]).await.unwrap()
}

/// What a metric says.
async fn metric(at: SocketAddr, name: &str) -> u64 {
    let metrics = request(at, "GET", "/metrics", "", "").await;
    let line = metrics.lines().find(|line| line.starts_with(&format!("outflank_{name} "))).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

/// Asks until it is not too early: they begin one game after another far faster than anyone.
async fn insist(page: &mut Page, ask: &Value) -> Value {
    loop {
        let answer = page.ask(ask.clone()).await;
        if answer["type"] != "refused" {
            return answer;
        }
        assert_eq!(answer["why"], "too_many", "{answer}");
        page.wait_for_ping().await;
    }
}

impl Club {
    async fn open() -> Club {
        let folder = tempfile::tempdir().unwrap();
        let proxies = vec!["127.0.0.1".parse().unwrap()];
        let config = Config { proxies, metrics_for_all: true, open_lobby: true, ..config(folder.path()) };
        let house = House::start(config).await;
        let at = house.address;
        let (mut ana, luis) = (page_from(at, "192.0.2.1").await, page_from(at, "192.0.2.2").await);
        let (game, state) = ana.begin(common::by_link(common::sudden(1_800_000))).await;
        let invite = state["invites"]["white"].as_str().unwrap().to_owned();
        let eve = page_from(at, "192.0.2.3").await;
        let mut club = Club { house, _folder: folder, ana, luis, eve, game, invite };
        club.luis.open(&club.game).await;
        let sit = json!({"type": "sit", "game": club.game, "invite": club.invite, "name": "Luis"});
        club.luis.done(sit).await;
        club.ana.news(&club.game, 1).await;
        club
    }

    /// Plays the game to its end, and goes on with another until `enough`; how many games that were. Each move is acknowledged to
    /// whoever made it, and everyone is shown it, under the same number.
    async fn play(&mut self, enough: &AtomicBool) -> usize {
        let mut games = 0;
        loop {
            self.play_to_the_end().await;
            games += 1;
            if enough.load(Ordering::SeqCst) {
                return games;
            }
            let again = json!({"type": "again", "game": self.game, "swap": true});
            insist(&mut self.ana, &again).await;
            self.game = insist(&mut self.luis, &again).await["game"].as_str().unwrap().to_owned();
        }
    }

    async fn play_to_the_end(&mut self) {
        let game = self.game.clone();
        let open = json!({"type": "open", "game": game});
        insist(&mut self.eve, &open).await;
        insist(&mut self.luis, &open).await;
        let mut state = insist(&mut self.ana, &open).await;
        let mut moves = 0;
        while state["view"]["status"] == "playing" {
            let anas = state["view"]["seats"][state["view"]["turn"].as_str().unwrap()]["you"] == true;
            let mover = if anas { &mut self.ana } else { &mut self.luis };
            let done = timeout(LONG, mover.play_first(&state)).await.expect("the move is acknowledged");
            assert_eq!(done["type"], "done", "{done}");
            let seq = done["seq"].as_u64().unwrap();
            state = self.ana.news(&game, seq).await;
            moves += 1;
            for other in [&mut self.luis, &mut self.eve] {
                let shown = other.news(&game, seq).await;
                assert_eq!(shown["seq"], seq, "nothing lies between");
                assert_eq!(shown["view"]["board"], state["view"]["board"]);
                assert_eq!(shown["view"]["ply"], state["view"]["ply"]);
            }
        }
        assert!(moves >= 9, "{moves} moves: a game");
        // Nothing else came, and nothing that somebody else made up.
        for page in [&mut self.ana, &mut self.luis, &mut self.eve] {
            for message in page.early.drain(..) {
                assert!(["game", "presence"].contains(&message["type"].as_str().unwrap()), "{message}");
                assert!(!message.to_string().contains(MARK), "{message}");
            }
        }
    }

    /// Waits until nobody is connected but the three, and nothing is left of whoever else was.
    async fn is_as_it_was(&self) {
        let at = self.house.address;
        let alone = async {
            // The request for the number is a connection too.
            while metric(at, "sockets").await != 3 || metric(at, "connections").await > 4 {
                tokio::task::yield_now().await;
            }
        };
        timeout(3 * LONG, alone).await.expect("the hostile client's connections are gone");
    }
}

/// The three play while `attack` goes on, and for one whole game at least.
async fn while_they_play<A: Future<Output = ()> + Send + 'static>(
    mut club: Club,
    attack: impl FnOnce(Target) -> A,
) -> Club {
    let over = AtomicBool::new(false);
    let target = Target { at: club.house.address, game: club.game.clone(), invite: club.invite.clone() };
    let attacking = tokio::spawn(attack(target));
    let mut playing = Box::pin(club.play(&over));
    // An attack that was not refused ends the test at once.
    let attacked = tokio::select! {
        attacked = attacking => attacked,
        games = &mut playing => unreachable!("they play as long as the attack goes on, not only {games} games"),
    };
    attacked.unwrap();
    over.store(true, Ordering::SeqCst);
    playing.await;
    club.is_as_it_was().await;
    club
}

/// What the hostile client knows: the game is public, and the invitation was once shown to them.
#[derive(Clone)]
struct Target {
    at: SocketAddr,
    game: String,
    invite: String,
}

/// A connection after a good handshake, as bytes.
async fn raw_socket(at: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(at).await.unwrap();
    let head = format!(
        "GET /api/socket HTTP/1.1\r\nHost: {at}\r\nOrigin: http://{at}\r\nX-Forwarded-For: {HOSTILE}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(timeout(LONG, stream.read_u8()).await.unwrap().unwrap());
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&answer));
    stream
}

/// A frame as it should be: masked, with its length.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mask = [7, 77, 177, 27];
    let mut bytes = vec![first];
    match payload.len() {
        length @ 0..126 => bytes.push(0x80 | length as u8),
        length @ 126..65536 => {
            bytes.push(0x80 | 126);
            bytes.extend((length as u16).to_be_bytes());
        }
        length => {
            bytes.push(0x80 | 127);
            bytes.extend((length as u64).to_be_bytes());
        }
    }
    bytes.extend(mask);
    bytes.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    bytes
}

/// A frame that breaks the protocol, and its name. The server ends the connection.
fn broken_frame(dice: &mut Dice) -> (&'static str, Vec<u8>) {
    let length = dice.below(100);
    let payload = dice.bytes(length);
    let declared = |length: u64| [&[0x81, 0x80 | 127][..], &length.to_be_bytes(), &[1, 2, 3, 4], &payload].concat();
    match dice.below(12) {
        0 => ("reserved bits", frame(0x81 | (0x10 << dice.below(3)), &payload)),
        1 => ("an unknown kind", frame(0x80 | [3, 4, 5, 6, 7, 11, 12, 13, 14, 15][dice.below(10)], &payload)),
        2 => ("no mask", [&[0x81, payload.len() as u8][..], &payload].concat()),
        3 => ("a ping that is too long", frame(0x89, &[7; 126])),
        4 => ("half a ping", frame(0x09, &payload)),
        5 => ("the rest of nothing", frame(0x80, &payload)),
        6 => ("text that is none", frame(0x81, &[b"{\"id\":\"".as_slice(), &[0xc0, 0xff, 0xed, 0xa0, 0x80]].concat())),
        7 => ("a length of 2^63", declared(1 << 63)),
        8 => ("a length of 2^40", declared(1 << 40)),
        9 => ("more than a message may have", frame(0x81, &vec![b'x'; 64 * 1024 + 1])),
        10 => ("a beginning in a beginning", [frame(0x01, b"{"), frame(0x01, b"}")].concat()),
        _ => ("binary", frame(0x82, &payload)),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_that_are_none_end_the_connection_and_nothing_else() {
    let attack = |Target { at, .. }: Target| async move {
        for seed in 1..=300_u64 {
            let mut dice = Dice(seed);
            let (name, bytes) = broken_frame(&mut dice);
            let mut stream = raw_socket(at).await;
            // In one piece or in two, after something that is fine or not.
            let fine = frame(0x81, br#"{"id":"1","type":"ping"}"#);
            let sent = if dice.below(2) == 0 { bytes } else { [fine, bytes].concat() };
            let cut = dice.below(sent.len());
            // The server may hang up before all of it is sent.
            let _ = stream.write_all(&sent[..cut]).await;
            let _ = stream.write_all(&sent[cut..]).await;
            let mut rest = Vec::new();
            let ended = timeout(LONG, stream.read_to_end(&mut rest)).await;
            assert!(ended.is_ok(), "seed {seed}: {name} did not end the connection");
        }
        // Bytes that are anything at all, and half of something, left to itself.
        for seed in 301..=600_u64 {
            let mut dice = Dice(seed);
            let mut stream = raw_socket(at).await;
            let length = 1 + dice.below(300);
            let bytes = if dice.below(2) == 0 { dice.bytes(length) } else { broken_frame(&mut dice).1 };
            let _ = stream.write_all(&bytes[..1 + dice.below(bytes.len())]).await;
        }
    };
    while_they_play(Club::open().await, attack).await;
}

/// One of every kind of command, as a page would send it.
fn commands(Target { game, invite, .. }: &Target) -> Vec<Value> {
    let rules = common::sudden(60_000);
    let named = |more: Value| {
        let mut ask = json!({"game": game});
        ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask
    };
    let mut all: Vec<Value> = [
        json!({"type": "play", "square": "f5", "ply": 0}),
        json!({"type": "takeback", "ply": 1}),
        json!({"type": "answer", "what": "takeback", "accept": true}),
        json!({"type": "resign", "color": "black"}),
        json!({"type": "resign", "color": null}),
        json!({"type": "scrap"}),
        json!({"type": "abort"}),
        json!({"type": "claim", "what": "win"}),
        json!({"type": "pause"}),
        json!({"type": "resume"}),
        json!({"type": "say", "phrase": "hello"}),
        json!({"type": "again", "swap": false}),
        json!({"type": "sit", "invite": invite, "name": MARK}),
        json!({"type": "delete"}),
        json!({"type": "hint", "ply": 0}),
    ]
    .map(named)
    .into();
    all.extend([
        json!({"type": "open_door"}),
        json!({"type": "close_door"}),
        json!({"type": "library_delete", "numbers": [1], "source": null}),
        json!({"type": "offer", "rules": rules, "rated": true}),
        json!({"type": "challenge", "handle": MARK, "rules": rules}),
        json!({"type": "offer_accept", "offer": game}),
        json!({"type": "offer_withdraw", "offer": game}),
        json!({"type": "block", "handle": MARK}),
        json!({"type": "study_open", "study": game}),
        json!({"type": "study_delete", "study": game}),
    ]);
    all
}

/// A message that is nearly one: its text, and whether it is too long for any.
fn mutated(dice: &mut Dice, commands: &[Value]) -> (String, bool) {
    let mut message = commands[dice.below(commands.len())].clone();
    message["id"] = json!(format!("{MARK}-{}", dice.below(1000)));
    let keys: Vec<String> = message.as_object().unwrap().keys().cloned().collect();
    let key = &keys[dice.below(keys.len())];
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(u64::MAX),
        json!(1.5e300),
        json!([]),
        json!({}),
        json!([[[[MARK]]]]),
        json!({"kind": MARK}),
        json!(""),
        json!(format!("{MARK}\u{0}\u{202e}\u{feff}")),
        json!(format!("../../{MARK}")),
        json!(format!("'; DROP TABLE game; -- {MARK}")),
        json!(MARK.repeat(4000)),
    ];
    let text = |message: &Value| message.to_string();
    match dice.below(8) {
        0 | 1 => message[key] = odd[dice.below(odd.len())].clone(),
        2 => _ = message.as_object_mut().unwrap().remove(key),
        3 => message["type"] = json!(format!("{MARK}_{}", dice.below(10))),
        // Nested without end, with and without an end.
        4 => return (format!("{}{}", "[".repeat(5_000), "]".repeat(dice.below(2) * 5_000)), false),
        // The same key twice, and numbers that are none.
        5 => return (text(&message).replacen('{', &format!("{{\"{key}\":1e999,\"id\":\"{MARK}\","), 1), false),
        6 => {
            let mut cut = text(&message);
            cut.truncate(dice.below(cut.len()));
            return (cut, false);
        }
        _ => {
            message["name"] = json!(MARK.repeat((1 << 20) / MARK.len()));
            return (text(&message), true);
        }
    }
    (text(&message), false)
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_are_nearly_right_are_refused_and_nothing_comes_of_them() {
    let attack = |target: Target| async move {
        // An offer to play is anyone's to make.
        let mut commands = commands(&target);
        commands.retain(|ask| ask["type"] != "offer");
        let mut page = page_from(target.at, HOSTILE).await;
        for seed in 1..=300_u64 {
            let mut dice = Dice(seed * 7919);
            let (text, too_long) = mutated(&mut dice, &commands);
            if too_long {
                let mut stream = raw_socket(target.at).await;
                // The server hangs up before all of it is sent.
                let _ = stream.write_all(&frame(0x81, text.as_bytes())).await;
                let ended = timeout(LONG, stream.read_to_end(&mut Vec::new())).await;
                assert!(ended.is_ok(), "seed {seed}: it is not read");
                continue;
            }
            page.send_raw(Message::text(text.clone())).await;
            let answer =
                timeout(LONG, page.next()).await.unwrap_or_else(|_| panic!("seed {seed}: no answer to {text}"));
            assert_eq!(answer["type"], "refused", "seed {seed}: {text} → {answer}");
            // Of what was sent nothing is repeated but the id by which it is known.
            assert!(!answer["text"].as_str().unwrap().contains(MARK), "seed {seed}: {answer}");
        }
        assert_eq!(page.done(json!({"type": "ping"})).await["type"], "done", "and they may still play themselves");
    };
    while_they_play(Club::open().await, attack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_holds_no_seat_does_nothing_however_often_they_try() {
    let attack = |target: Target| async move {
        let commands = commands(&target);
        let mut page = page_from(target.at, HOSTILE).await;
        let mut state = page.open(&target.game).await;
        let mut tried = BTreeSet::new();
        // For as long as the first game lasts: each move for whoever is to move, under the very ids that the players use.
        while state["view"]["status"] == "playing" {
            let view = &state["view"];
            let play =
                json!({"type": "play", "game": target.game, "square": view["legal"][0]["square"], "ply": view["ply"]});
            let id = format!("id-{}-{}", std::process::id(), view["ply"]);
            let refused = page.ask_as(&id, play).await;
            assert_eq!(refused["type"], "refused", "{refused}");
            for ask in &commands {
                let kind = ask["type"].as_str().unwrap();
                // Some of it is slowed down, and is refused for that.
                let answer = page.ask(ask.clone()).await;
                assert_eq!(answer["type"], "refused", "{ask} → {answer}");
                tried.insert(kind.to_owned());
            }
            // Looking costs something too: the next that is told, if there is any more.
            let ply = state["view"]["ply"].as_u64();
            let newer = |message: &Value| message["type"] == "game" && message["view"]["ply"].as_u64() > ply;
            state = page.wait(|message| newer(message) || message["view"]["status"] == "over").await;
        }
        assert!(tried.len() >= 20, "{tried:?}");
    };
    while_they_play(Club::open().await, attack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_ended_lets_nobody_in_again() {
    let club = Club::open().await;
    let at = club.house.address;
    let mut browser = Browser::visit(at).await;
    browser.open(at, "Mallory").await;
    let made = browser.post(at, "/api/tokens", json!({"name": "x", "scopes": ["play"]})).await;
    let (token, id) = (made.body["token"].as_str().unwrap().to_owned(), made.body["id"].as_str().unwrap().to_owned());
    let old = browser.clone();
    assert_eq!(browser.ask(at, "DELETE", &format!("/api/tokens/{id}"), Value::Null).await.status, 204);
    assert_eq!(browser.ask(at, "DELETE", "/api/session", Value::Null).await.status, 204);
    let attack = move |Target { at, .. }: Target| async move {
        for _ in 0..100 {
            let bearer = format!("Bearer {token}");
            assert_eq!(Page::try_with(at, &[("authorization", &bearer)]).await.err(), Some(401));
            let headers = format!("Authorization: {bearer}\r\nContent-Type: application/json\r\n");
            assert_eq!(ask_with(at, "POST", "/api/games", &headers, json!({})).await.status, 401);
            // The session's cookie makes nobody of anybody: a guest is what they are.
            assert_eq!(old.handle(at).await, Value::Null);
            assert_eq!(old.page(at).await.welcome["me"]["handle"], Value::Null);
        }
    };
    while_they_play(club, attack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_do_not_arrive_are_not_waited_for() {
    let attack = |Target { at, .. }: Target| async move {
        let mut waiting = JoinSet::new();
        for path in ["/api/owner", "/api/session", "/api/account", "/api/account/recover", "/api/games", "/api/library"]
        {
            for sent in ["", "{", "{\"handle\":"] {
                let head = format!(
                    "POST {path} HTTP/1.1\r\nHost: {at}\r\nX-Forwarded-For: {HOSTILE}\r\nContent-Type: application/json\r\n\
                     Content-Length: 60\r\n\r\n{sent}"
                );
                waiting.spawn(async move {
                    let mut stream = TcpStream::connect(at).await.unwrap();
                    stream.write_all(head.as_bytes()).await.unwrap();
                    let mut answer = Vec::new();
                    let ended = timeout(2 * LONG, stream.read_to_end(&mut answer)).await;
                    assert!(ended.is_ok(), "{path} waits for ever: {}", String::from_utf8_lossy(&answer));
                    // Whatever it says, nothing was done.
                    assert!(!answer.starts_with(b"HTTP/1.1 2"), "{}", String::from_utf8_lossy(&answer));
                });
            }
        }
        while let Some(one) = waiting.join_next().await {
            one.unwrap();
        }
    };
    while_they_play(Club::open().await, attack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_connections_from_one_address_leave_room_for_the_others() {
    const CONNECTIONS: usize = 10_000;
    const HANDS: usize = 32;
    let _ = raise_file_limit();
    let attack = |Target { at, .. }: Target| async move {
        let (next, inside, outside) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let counts = Arc::new((next, inside, outside));
        let begun = std::time::Instant::now();
        let mut hands = JoinSet::new();
        for _ in 0..HANDS {
            let counts = counts.clone();
            hands.spawn(async move {
                let (next, inside, outside) = &*counts;
                let mut kept = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    if number >= CONNECTIONS {
                        return;
                    }
                    let mut stream = TcpStream::connect(at).await.unwrap();
                    let head = format!(
                        "GET /api/socket HTTP/1.1\r\nHost: {at}\r\nOrigin: http://{at}\r\nX-Forwarded-For: {HOSTILE}\r\n\
                         Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
                    );
                    stream.write_all(head.as_bytes()).await.unwrap();
                    let mut status = [0; 12];
                    match timeout(LONG, stream.read_exact(&mut status)).await.expect("an answer or an end") {
                        Ok(_) if &status == b"HTTP/1.1 101" => {
                            inside.fetch_add(1, Ordering::SeqCst);
                            kept.push(stream);
                        }
                        Ok(_) => {
                            assert_eq!(&status, b"HTTP/1.1 503");
                            outside.fetch_add(1, Ordering::SeqCst);
                        }
                        Err(_) => _ = outside.fetch_add(1, Ordering::SeqCst),
                    }
                }
            });
        }
        hands.join_all().await;
        let (inside, outside) = (counts.1.load(Ordering::SeqCst), counts.2.load(Ordering::SeqCst));
        let seconds = begun.elapsed().as_secs_f64();
        println!("{CONNECTIONS} connections in {seconds:.1} s: {inside} let in, {outside} refused");
        // A hand that ends gives its connections back, so a few more than the limit may have had their turn.
        assert!(inside >= 200 && outside >= CONNECTIONS / 2, "{inside} let in, {outside} refused");
    };
    while_they_play(Club::open().await, attack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_passwords_and_names_without_end_disturbs_nobody() {
    let attack = |Target { at, .. }: Target| async move {
        let mut statuses = BTreeSet::new();
        for number in 0..300 {
            let handle = if number % 2 == 0 { "Ana".to_owned() } else { format!("Name{number}") };
            let headers = format!("X-Forwarded-For: {HOSTILE}\r\nContent-Type: application/json\r\n");
            let body = json!({"handle": handle, "password": OTHER});
            statuses.insert(ask_with(at, "POST", "/api/session", &headers, body).await.status);
        }
        assert_eq!(statuses, BTreeSet::from([401, 429]), "wrong, and then too often");
    };
    while_they_play(Club::open().await, attack).await;
}

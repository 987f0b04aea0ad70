//! What comes in at the door, and what does not; and the door to the network.

mod common;

use common::{House, LONG, Page, by_link, casual, config, two_here};
use serde_json::{Value, json};
use server::{Config, Network};
use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::Path,
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_tungstenite::{
    connect_async,
    tungstenite::{Error, Message, client::IntoClientRequest},
};

/// One plain request; the whole answer as text.
async fn get(house: &House, path: &str, headers: &str) -> String {
    common::request(house.address, "GET", path, headers, "").await
}

#[tokio::test]
async fn the_page_comes_with_its_guards() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let page = get(&house, "/", "").await;
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    let lower = page.to_lowercase();
    for header in [
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "content-type: text/html",
        "cache-control: no-cache",
    ] {
        assert!(lower.contains(header), "{header} in {page}");
    }
    let etag = lower.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().trim().to_owned();
    // The same for every coding in which it is sent: it says that the content is the same, not every byte.
    assert!(etag.starts_with("w/\""), "{etag}");
    for known in [etag.replace("w/", "W/"), etag[2..].to_owned()] {
        assert!(get(&house, "/", &format!("If-None-Match: {known}\r\n")).await.starts_with("HTTP/1.1 304"));
    }
    assert!(get(&house, "/no/such/thing", "").await.starts_with("HTTP/1.1 404"));
    assert!(get(&house, "/api/qr.svg?text=x", "").await.starts_with("HTTP/1.1 404"), "pages draw their own");
    assert!(get(&house, "/../../../../etc/passwd", "").await.starts_with("HTTP/1.1 404"));
    assert!(get(&house, "/", "Host: evil.example\r\n").await.starts_with("HTTP/1.1 403"));
}

#[tokio::test]
async fn a_foreign_page_cannot_open_a_socket() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    for (header, value) in [("origin", "http://evil.example"), ("host", "evil.example"), ("origin", "null")] {
        let mut request = format!("ws://{}/api/socket", house.address).into_client_request().unwrap();
        request.headers_mut().insert(header, value.parse().unwrap());
        match connect_async(request).await {
            Err(Error::Http(response)) => assert_eq!(response.status(), 403, "{header}: {value}"),
            other => panic!("{header}: {value} → {other:?}"),
        }
    }
    let mut request = format!("ws://{}/api/socket", house.address).into_client_request().unwrap();
    request.headers_mut().insert("origin", format!("http://{}", house.address).parse().unwrap());
    assert!(connect_async(request).await.is_ok());
}

#[tokio::test]
async fn nonsense_is_refused_politely() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    for nonsense in ["", "{", "[]", "null", r#"{"type":"ping"}"#, r#"{"id":"","type":"ping"}"#] {
        page.send_raw(Message::text(nonsense)).await;
        let answer = page.next().await;
        assert_eq!(
            (&answer["type"], &answer["why"], &answer["id"]),
            (&json!("refused"), &json!("bad_message"), &json!(""))
        );
        let text = answer["text"].as_str().unwrap();
        assert!(text.starts_with("the message cannot be read: PROTOCOL.md"), "{text}");
    }
    for (id, ask) in [
        ("a", json!({"type": "dance"})),
        ("b", json!({"type": "play", "game": "x", "square": "z9", "ply": 0})),
        ("c", json!({"type": "play", "game": "x", "square": "f5", "ply": 300})),
        ("d", json!({"type": "sit", "game": "x", "invite": "y", "name": ""})),
    ] {
        assert_eq!(page.ask_as(id, ask).await["why"], "bad_message");
    }
    assert_eq!(page.ask(json!({"type": "open", "game": "nowhere"})).await["why"], "no_such_game");
    let mut create = two_here(casual());
    create["rules"]["time"] = json!({"kind": "sudden_death", "main_ms": 0});
    assert_eq!(page.ask(create).await["why"], "bad_rules");
    let nobody =
        json!({"type": "create", "rules": casual(), "seats": {"black": {"kind": "open"}, "white": {"kind": "open"}}});
    assert_eq!(page.ask(nobody).await["why"], "bad_rules");
    assert_eq!(page.done(json!({"type": "ping"})).await["type"], "done", "and the connection holds");
}

#[tokio::test]
async fn too_much_at_once_ends_the_connection_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    page.send_raw(Message::text("x".repeat(65 * 1024))).await;
    assert_eq!(page.try_next().await, None);
    let mut page = page.again(&house).await;
    page.send_raw(Message::binary(vec![1, 2, 3])).await;
    assert_eq!(page.try_next().await, None);
    let mut page = page.again(&house).await;
    assert_eq!(page.done(json!({"type": "ping"})).await["type"], "done");
}

#[tokio::test]
async fn a_game_can_be_taken_away_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (game, mut state) = page.begin(two_here(common::sudden(90_000))).await;
    // To the end, through every pass there is.
    let mut seq = 0;
    while state["view"]["status"] == "playing" {
        page.play_first(&state).await;
        seq += 1;
        state = page.news(&game, seq).await;
    }
    let file = |name: &str| {
        let path = format!("/api/games/{game}/{name}");
        let house = &house;
        async move {
            let answer = get(house, &path, "").await;
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            answer.split_once("\r\n\r\n").unwrap().1.to_owned()
        }
    };
    let transcript = file("transcript.txt").await;
    let raw = record::transcript::read(transcript.trim().as_bytes()).unwrap();
    let played = record::Record::try_from(raw).unwrap();
    let score = &state["view"]["verdict"]["score"];
    assert_eq!(played.outcome().unwrap().to_string(), format!("{}-{}", score["black"], score["white"]));
    let moves: Vec<_> = played.main_line().collect();
    let ggf = file("game.ggf").await;
    assert!(ggf.contains("PB[Ana]") && ggf.contains("PW[Luis]") && ggf.contains("TI[01:30//00:00]"), "{ggf}");
    let sgf = file("game.sgf").await;
    assert!(sgf.contains("TM[90]"), "{sgf}");
    let names = record::wthor::Names::default();
    for (format, text) in [(record::Format::Ggf, ggf), (record::Format::Sgf, sgf)] {
        let game = record::import::games(format, text.as_bytes(), &names).next_record().unwrap().unwrap();
        assert_eq!(game.main_line().collect::<Vec<_>>(), moves, "{text}");
        let claim = game.headers.claim.unwrap();
        assert_eq!(claim.difference(), state["view"]["verdict"]["difference"].as_i64().map(|black| black as f32));
    }
    let told: Value = serde_json::from_str(&file("game.json").await).unwrap();
    let squares: Vec<String> =
        told["moves"].as_array().unwrap().iter().map(|one| one["square"].as_str().unwrap().to_owned()).collect();
    assert_eq!(squares, moves.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!((&told["game"], &told["verdict"]), (&json!(game), &state["view"]["verdict"]));
    assert_eq!(told["seats"]["black"], json!({"kind": "person", "name": "Ana", "level": null}), "nobody's view of it");
    assert_eq!((&told["rules"], &told["rated"]), (&state["view"]["rules"], &Value::Null));
    assert_eq!(told["lag_ms"], state["view"]["lag_ms"]);
    assert!(told["opening"]["en"].is_string() && told["opening"]["es"].is_string(), "{}", told["opening"]);
    assert!(told["begun"].as_u64() > Some(0) && told["moves"][0]["ms"].is_u64() && told["moves"][0]["given"] == false);
    assert!(file("diagram.svg").await.contains("<svg"));
    assert!(file("diagram.svg?ply=3").await.contains("<svg"));
    assert!(file("diagram.svg?ply=99").await.contains("<svg"));
    assert!(get(&house, &format!("/api/games/{game}/game.exe"), "").await.starts_with("HTTP/1.1 404"));
    assert!(get(&house, "/api/games/nowhere/game.ggf", "").await.starts_with("HTTP/1.1 404"));
}

/// A machine whose place in the network is what the test says, on loopback only.
#[derive(Debug, Default)]
struct Here(Mutex<Vec<IpAddr>>);

impl Here {
    fn at(addresses: &[IpAddr]) -> Arc<Here> {
        Arc::new(Here(Mutex::new(addresses.to_vec())))
    }

    fn moves_to(&self, addresses: &[IpAddr]) {
        *self.0.lock().unwrap() = addresses.to_vec();
    }
}

impl Network for Here {
    fn addresses(&self) -> Vec<IpAddr> {
        self.0.lock().unwrap().clone()
    }
}

/// The main entrance has the port already, so that the door takes another.
const SAME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A server as `outflank` starts it: whoever comes from this machine is its owner.
fn at_home(data: &Path, network: Arc<Here>) -> Config {
    Config { home: true, network, ..config(data) }
}

/// The next news of the door that `wanted` likes: its first address, if it has one.
async fn door(page: &mut Page, wanted: impl Fn(&Value) -> bool) -> Option<SocketAddr> {
    let news = page.wait(|message| message["type"] == "door" && wanted(message)).await;
    let address = news["addresses"][0].as_str()?;
    Some(address.strip_prefix("http://").unwrap().parse().unwrap())
}

async fn open_door(page: &mut Page) -> SocketAddr {
    page.done(json!({"type": "open_door"})).await;
    door(page, |door| door["open"] == true && door["addresses"] != json!([])).await.unwrap()
}

#[tokio::test]
async fn the_owner_opens_the_door_and_whoever_comes_in_by_it_is_a_stranger() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(at_home(folder.path(), Here::at(&[SAME]))).await;
    let mut owner = house.page().await;
    assert_eq!(owner.welcome["door"], json!({"open": false, "addresses": [], "yours": true}));
    owner.begin(two_here(casual())).await;
    let address = open_door(&mut owner).await;
    assert_ne!(address, house.address, "the port was taken, and another does as well");
    let mut stranger = Page::connect(address, None).await;
    assert!(stranger.cookie.is_some(), "not the owner, though the address is this machine's");
    let seen = json!({"open": true, "addresses": [format!("http://{address}")], "yours": false});
    assert_eq!(stranger.welcome["door"], seen);
    assert_eq!(stranger.done(json!({"type": "list"})).await["games"], json!([]));
    for ask in ["open_door", "close_door"] {
        assert_eq!(stranger.ask(json!({"type": ask})).await["why"], "not_yours");
    }
    // Opening it twice opens it once, and a second page of the owner knows.
    owner.done(json!({"type": "open_door"})).await;
    let other = house.page().await;
    assert_eq!(other.welcome["door"], json!({"open": true, "addresses": [format!("http://{address}")], "yours": true}));
    stranger.done(json!({"type": "ping"})).await;
}

#[cfg(target_os = "linux")] // elsewhere a machine has one loopback address only
#[tokio::test]
async fn the_door_has_the_port_that_people_know_where_it_is_free() {
    let folder = tempfile::tempdir().unwrap();
    let here: IpAddr = "127.0.0.2".parse().unwrap();
    let house = House::start(at_home(folder.path(), Here::at(&[here]))).await;
    let address = open_door(&mut house.page().await).await;
    assert_eq!(address, SocketAddr::new(here, house.address.port()));
    assert!(Page::connect(address, None).await.cookie.is_some());
}

#[tokio::test]
async fn closing_the_door_drops_strangers_and_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(at_home(folder.path(), Here::at(&[SAME]))).await;
    let mut ana = house.page().await;
    let (game, state) = ana.begin(by_link(casual())).await;
    let address = open_door(&mut ana).await;
    let mut luis = Page::connect(address, None).await;
    luis.open(&game).await;
    let invite = &state["invites"]["white"];
    luis.done(json!({"type": "sit", "game": game, "invite": invite, "name": "Luis"})).await;
    let state = ana.news(&game, 1).await;
    ana.play_first(&state).await;
    luis.news(&game, 2).await;
    // Half a request is a connection too.
    let mut half = TcpStream::connect(address).await.unwrap();
    half.write_all(b"GET / HT").await.unwrap();
    ana.done(json!({"type": "close_door"})).await;
    assert_eq!(luis.close_code().await, Some(4001));
    let mut rest = Vec::new();
    let cut = tokio::time::timeout(LONG, half.read_to_end(&mut rest)).await.expect("it is cut off");
    assert!(rest.is_empty() || cut.is_err(), "{rest:?}");
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens there any more");
    // The owner's own page has not noticed anything but the door, and the game stands.
    let closed = json!({"type": "door", "open": false, "addresses": [], "yours": true});
    ana.wait(|message| *message == closed).await;
    assert_eq!(ana.open(&game).await["view"]["ply"], 1);
    // Opened again, Luis is who they were and plays on.
    let address = open_door(&mut ana).await;
    let mut luis = Page::connect(address, luis.cookie.as_deref()).await;
    let state = luis.open(&game).await;
    assert_eq!((&state["view"]["seats"]["white"]["you"], &state["view"]["turn"]), (&json!(true), &json!("white")));
    luis.play_first(&state).await;
    assert_eq!(ana.news(&game, 3).await["view"]["ply"], 2);
    // After a restart it is closed.
    house.stop().await;
    let house = House::start(at_home(folder.path(), Here::at(&[SAME]))).await;
    assert_eq!(house.page().await.welcome["door"]["open"], false);
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn the_door_goes_where_the_machine_goes() {
    let folder = tempfile::tempdir().unwrap();
    let here = Here::at(&[]);
    let house = House::start(at_home(folder.path(), here.clone())).await;
    let mut owner = house.page().await;
    // On no network it is open and leads nowhere, until there is one.
    owner.done(json!({"type": "open_door"})).await;
    assert_eq!(door(&mut owner, |door| door["open"] == true).await, None);
    here.moves_to(&[SAME]);
    let address = door(&mut owner, |door| door["addresses"] != json!([])).await.unwrap();
    let mut stranger = Page::connect(address, None).await;
    here.moves_to(&[]);
    door(&mut owner, |door| door["open"] == true && door["addresses"] == json!([])).await;
    assert_eq!(stranger.close_code().await, Some(4001));
    owner.done(json!({"type": "ping"})).await;
}

#[tokio::test]
async fn a_door_that_cannot_be_opened_stays_closed_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    // An address of the documentation's own, which no computer has.
    let nowhere: IpAddr = "198.51.100.7".parse().unwrap();
    let house = House::start(at_home(folder.path(), Here::at(&[nowhere]))).await;
    let mut owner = house.page().await;
    assert_eq!(owner.ask(json!({"type": "open_door"})).await["why"], "cannot_listen");
    assert_eq!(house.page().await.welcome["door"]["open"], false);
}

#[tokio::test]
async fn half_a_request_does_not_keep_the_server_from_stopping() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut half = TcpStream::connect(house.address).await.unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: ").await.unwrap();
    house.stop().await;
}

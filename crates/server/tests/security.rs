//! A hostile client gets refusals, and others notice nothing. SECURITY.md says which line of the checklist each of these is for.

mod common;

use common::{
    House, LONG, Page,
    browser::{Answer, Browser, OTHER, PASSWORD, ask_with},
    by_link, casual, config, request, set_cookie, two_here,
};
use serde_json::{Value, json};
use server::{Config, OwnerToken};
use sha2::{Digest, Sha256};
use std::{net::SocketAddr, path::Path};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::timeout,
};
use tokio_tungstenite::tungstenite::Message;

/// A server behind a proxy, so that one test can come from many addresses.
fn proxied(data: &Path) -> Config {
    Config { proxies: vec!["127.0.0.1".parse().unwrap()], metrics_for_all: true, ..config(data) }
}

/// A request as it comes from an address.
async fn from(at: SocketAddr, address: &str, path: &str, body: Value) -> Answer {
    let headers = format!("X-Forwarded-For: {address}\r\nContent-Type: application/json\r\n");
    ask_with(at, "POST", path, &headers, body).await
}

/// How many passwords were hashed so far.
async fn hashes(at: SocketAddr) -> u64 {
    let metrics = request(at, "GET", "/metrics", "", "").await;
    let line = metrics.lines().find(|line| line.starts_with("outflank_password_hashes_total ")).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn nobody_plays_on_anothers_seat() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let (mut ana, mut eve) = (Browser::visit(at).await, Browser::visit(at).await);
    ana.open(at, "Ana").await;
    eve.open(at, "Eve").await;
    let mut ana = ana.page(at).await;
    let (game, state) = ana.begin(two_here(casual())).await;
    assert_eq!(state["view"]["seats"]["black"]["you"], true);
    for mut stranger in [eve.page(at).await, house.page().await] {
        let seen = stranger.open(&game).await;
        assert_eq!(seen["view"]["seats"]["black"]["you"], false);
        assert_eq!(seen["invites"], json!({"black": null, "white": null}));
        for ask in [
            json!({"type": "play", "game": game, "square": "f5", "ply": 0}),
            json!({"type": "resign", "game": game}),
            json!({"type": "takeback", "game": game, "ply": 0}),
            json!({"type": "scrap", "game": game}),
            json!({"type": "again", "game": game, "swap": true}),
            json!({"type": "delete", "game": game}),
            json!({"type": "sit", "game": game, "invite": "0123456789abcdef", "name": "Somebody"}),
        ] {
            let why = stranger.ask(ask.clone()).await["why"].clone();
            assert!(why == "not_yours" || why == "bad_invite" || why == "seat_taken", "{ask}: {why}");
        }
    }
    // Neither does somebody else's command id play twice, nor an answer to it come to another.
    ana.send(&json!({"id": "the-same", "type": "play", "game": game, "square": "f5", "ply": 0})).await;
    ana.wait(|message| message["type"] == "done" && message["id"] == "the-same").await;
    let mut eve = eve.page(at).await;
    eve.send(&json!({"id": "the-same", "type": "play", "game": game, "square": "f5", "ply": 0})).await;
    let answer = eve.wait(|message| message["id"] == "the-same").await;
    assert_eq!(answer["type"], "refused");
}

#[tokio::test]
async fn an_invitation_is_good_once_and_a_game_that_is_watched_gives_none_away() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis, mut eve) = (house.page().await, house.page().await, house.page().await);
    let (game, state) = ana.begin(by_link(casual())).await;
    let invite = state["invites"]["white"].as_str().unwrap().to_owned();
    assert!(invite.len() >= 26, "130 bits");
    assert_eq!(eve.open(&game).await["invites"]["white"], Value::Null);
    luis.open(&game).await;
    luis.done(json!({"type": "sit", "game": game, "invite": invite, "name": "Luis"})).await;
    let again = eve.ask(json!({"type": "sit", "game": game, "invite": invite, "name": "Eve"})).await;
    assert_eq!(again["type"], "refused");
}

#[tokio::test]
async fn other_sites_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let mut ana = Browser::visit(at).await;
    ana.open(at, "Ana").await;
    let cookies = ana.cookies();
    let body = json!({"old": PASSWORD, "new": OTHER});
    let ask = async |more: &str, kind: &str| {
        let headers = format!("Cookie: {cookies}\r\nContent-Type: {kind}\r\n{more}");
        ask_with(at, "POST", "/api/account/password", &headers, body.clone()).await.status
    };
    let own = format!("Origin: http://{at}\r\n");
    // The browser says which page asks, or at least that it is not ours.
    assert_eq!(ask("Origin: http://evil.example\r\n", "application/json").await, 403);
    assert_eq!(ask("Origin: null\r\n", "application/json").await, 403);
    assert_eq!(ask("Sec-Fetch-Site: cross-site\r\n", "application/json").await, 403);
    assert_eq!(ask(&format!("{own}Sec-Fetch-Site: same-site\r\n"), "application/json").await, 403);
    // What a form can send is not what we read.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
        assert_eq!(ask(&own, kind).await, 415, "{kind}");
    }
    for path in ["/api/session", "/api/sessions/x", "/api/tokens/x"] {
        let headers = format!("Cookie: {cookies}\r\nOrigin: http://evil.example\r\n");
        assert_eq!(ask_with(at, "DELETE", path, &headers, Value::Null).await.status, 403, "{path}");
    }
    // A link changes nothing, whoever follows it.
    for path in ["/api/session", "/api/account/password", "/api/admin/settings"] {
        let status = ask_with(at, "GET", path, &format!("Cookie: {cookies}\r\n"), Value::Null).await.status;
        assert_eq!(status, 405, "{path}");
    }
    // No socket for another site's page, nor for one that says nothing and shows only a cookie.
    assert_eq!(Page::try_with(at, &[("origin", "http://evil.example"), ("cookie", &cookies)]).await.err(), Some(403));
    assert_eq!(Page::try_with(at, &[("cookie", &cookies)]).await.err(), Some(403));
    assert_eq!(ana.handle(at).await, "Ana", "all that was tried has changed nothing");
    assert_eq!(ask(&format!("{own}Sec-Fetch-Site: same-origin\r\n"), "application/json; charset=utf-8").await, 200);
}

#[tokio::test]
async fn a_name_that_does_not_exist_is_not_told_from_one_that_does() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(proxied(folder.path())).await;
    let at = house.address;
    let opened = from(at, "192.0.2.1", "/api/account", json!({"handle": "Ana", "password": PASSWORD})).await;
    assert_eq!(opened.status, 201);
    let mut answers = Vec::new();
    for (number, handle) in ["Ana", "Nobody", "ana", "not a handle", ""].into_iter().enumerate() {
        let before = hashes(at).await;
        let address = format!("192.0.2.{}", 10 + number);
        let refused = from(at, &address, "/api/session", json!({"handle": handle, "password": OTHER})).await;
        assert_eq!(hashes(at).await - before, 1, "the same work for {handle:?}");
        let head: Vec<String> =
            refused.head.lines().filter(|line| !line.starts_with("date")).map(str::to_owned).collect();
        answers.push((refused.status, refused.body, head));
    }
    assert_eq!((answers[0].0, &answers[0].1["why"]), (401, &json!("wrong_password")));
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    // Recovering is no way to find out either.
    let mut answers = Vec::new();
    for (number, handle) in ["Ana", "Nobody"].into_iter().enumerate() {
        let before = hashes(at).await;
        let body = json!({"handle": handle, "code": "0000-0000-0000-0000", "password": OTHER});
        let refused = from(at, &format!("192.0.2.{}", 30 + number), "/api/account/recover", body).await;
        answers.push((refused.status, refused.body, hashes(at).await - before));
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0].0, 401);
}

#[tokio::test]
async fn guessing_is_slow_for_whoever_guesses_and_for_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(proxied(folder.path())).await;
    let at = house.address;
    from(at, "192.0.2.1", "/api/account", json!({"handle": "Ana", "password": PASSWORD})).await;
    let (guess, right) = (json!({"handle": "Ana", "password": OTHER}), json!({"handle": "Ana", "password": PASSWORD}));
    let before = hashes(at).await;
    let mut refused = Vec::new();
    for _ in 0..40 {
        refused.push(from(at, "198.51.100.1", "/api/session", guess.clone()).await);
    }
    let slowed: Vec<&Answer> = refused.iter().filter(|answer| answer.status == 429).collect();
    assert!(slowed.len() >= 25, "{} of 40", slowed.len());
    assert!(slowed.iter().all(|answer| answer.body["why"] == "too_many" && answer.head.contains("retry-after: ")));
    assert_eq!(hashes(at).await - before, 40 - slowed.len() as u64, "no work for those that come too early");
    // The right password does not help there before its time, or guessing would tell.
    loop {
        let refused = from(at, "198.51.100.1", "/api/session", guess.clone()).await;
        let wait = refused.head.lines().find_map(|line| line.strip_prefix("retry-after: "));
        if wait.is_some_and(|seconds| seconds.parse::<u64>().unwrap() >= 8) {
            break;
        }
    }
    assert_eq!(from(at, "198.51.100.1", "/api/session", right.clone()).await.status, 429);
    // A name that does not exist is slowed just so.
    let mut nobody = Vec::new();
    for _ in 0..20 {
        nobody.push(
            from(at, "198.51.100.2", "/api/session", json!({"handle": "Nobody", "password": OTHER})).await.status,
        );
    }
    assert!(nobody[..5] == [401; 5] && nobody.contains(&429), "{nobody:?}");
    // Ana comes in from where they have signed in before.
    assert_eq!(from(at, "192.0.2.1", "/api/session", right).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_sign_ins_is_refused_and_games_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(proxied(folder.path())).await;
    let at = house.address;
    let before = hashes(at).await;
    let mut flood = JoinSet::new();
    for number in 0..300_u32 {
        let address = format!("10.0.{}.{}", number / 200, number % 200);
        let body = json!({"handle": format!("Name{number}"), "password": OTHER});
        flood.spawn(async move { from(at, &address, "/api/session", body).await });
    }
    // Meanwhile somebody plays.
    let origin = format!("http://{at}");
    let mut ana = Page::try_with(at, &[("origin", origin.as_str())]).await.unwrap();
    let (game, _) = ana.begin(two_here(casual())).await;
    for (ply, square) in ["f5", "d6", "c3", "d3", "c4"].into_iter().enumerate() {
        ana.done(json!({"type": "play", "game": game, "square": square, "ply": ply})).await;
    }
    let answers = timeout(3 * LONG, flood.join_all()).await.unwrap();
    let of = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!(of(401) + of(503), 300, "tried, or told to come again");
    assert!(of(503) > 0, "more at once than there are hands");
    assert!(answers.iter().filter(|answer| answer.status == 503).all(|answer| answer.body["why"] == "busy"));
    assert_eq!(hashes(at).await - before, of(401) as u64);
}

#[tokio::test]
async fn an_address_that_asks_without_end_meets_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(proxied(folder.path())).await;
    let get = async |path: &str, address: &str| {
        let headers = format!("X-Forwarded-For: {address}\r\n");
        ask_with(house.address, "GET", path, &headers, Value::Null).await
    };
    // A page's requests and a program's, whose token is not even looked at any more.
    for (path, address, usual, least) in
        [("/api/account", "198.51.100.1", 200, 500), ("/api/games", "198.51.100.2", 401, 4000)]
    {
        let mut answered = 0;
        let refused = loop {
            match get(path, address).await {
                answer if answer.status == usual && answered < 20_000 => answered += 1,
                answer => break answer,
            }
        };
        assert_eq!((refused.status, &refused.body["why"]), (429, &json!("too_many")), "{path}, after {answered}");
        assert!(answered >= least, "{path}: {answered}");
        assert_eq!(get(path, "198.51.100.3").await.status, usual, "others are served");
    }
    // The page itself comes however often it is asked for; who it is that asks is not looked up each time.
    let mut known = 0;
    while get("/", "198.51.100.4").await.head.to_lowercase().contains("set-cookie") && known < 20_000 {
        known += 1;
    }
    assert!((500..20_000).contains(&known), "{known}");
    assert_eq!(get("/", "198.51.100.4").await.status, 200);
}

#[tokio::test]
async fn what_is_too_large_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let mut ana = Browser::visit(at).await;
    let huge = "x".repeat(1 << 20);
    // The server answers as soon as it knows how much is to come; whoever goes on sending is not listened to.
    let head = |length: usize| {
        format!(
            "POST /api/account HTTP/1.1\r\nHost: {at}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        )
    };
    let mut stream = TcpStream::connect(at).await.unwrap();
    stream.write_all(head(1 << 20).as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let read = timeout(LONG, stream.read(&mut answer)).await.unwrap().unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("too_large"), "{answer}");
    // In a name, in a header, in an address, over the socket.
    for body in [
        json!({"handle": "x".repeat(3000), "password": PASSWORD}),
        json!({"handle": "Ana", "password": "x".repeat(3000)}),
    ] {
        assert_eq!(ana.post(at, "/api/account", body).await.status, 422);
    }
    let long = request(at, "GET", "/api/account", &format!("X-Long: {}\r\n", &huge[..9000]), "").await;
    assert!(long.is_empty() || long.starts_with("HTTP/1.1 431") || long.starts_with("HTTP/1.1 400"), "{long}");
    let mut page = house.page().await;
    let named = json!({"id": "1", "type": "create", "rules": casual(), "seats": {
        "black": {"kind": "person", "name": &huge[..50_000]}, "white": {"kind": "open"}}});
    page.send(&named).await;
    assert_eq!(page.next().await["why"], "bad_message");
    page.send_raw(Message::text(huge)).await;
    assert_eq!(page.try_next().await, None, "the connection ends");
    // Neither JSON that nests without end nor fields nobody knows.
    for body in
        ["[".repeat(4000), r#"{"handle":"Ana","password":"seven small owls","admin":true}"#.to_owned(), "{".to_owned()]
    {
        let headers = "Content-Type: application/json\r\n";
        let answer = request(at, "POST", "/api/account", headers, &body).await;
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("bad_request"), "{answer}");
        assert!(!answer.contains("owls"), "nothing is repeated");
    }
    assert_eq!(ana.handle(at).await, Value::Null);
}

#[tokio::test]
async fn no_secret_is_kept_or_said_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let mut ana = Browser::visit(at).await;
    let opened = ana.open(at, "Ana").await;
    let code = opened["recovery"][0].as_str().unwrap().to_owned();
    let session = ana.session.clone().unwrap();
    let session = session.split_once('=').unwrap().1.to_owned();
    assert_eq!(session.len(), 26, "130 bits");
    assert!(code.len() == 19 && code.split('-').all(|group| group.len() == 4), "80 bits: {code}");
    let guest = ana.guest.clone().unwrap().split_once('=').unwrap().1.to_owned();
    house.stop().await;
    for name in ["outflank.db", "outflank.db-wal"] {
        let Ok(bytes) = std::fs::read(folder.path().join(name)) else { continue };
        for text in [&session, &code, &code.replace('-', ""), PASSWORD, &guest] {
            assert!(!bytes.windows(text.len()).any(|part| part == text.as_bytes()), "{text} in {name}");
        }
    }
    let file = rusqlite::Connection::open(folder.path().join("outflank.db")).unwrap();
    let hash: String = file.query_row("SELECT password FROM account", [], |row| row.get(0)).unwrap();
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
}

#[tokio::test]
async fn whoever_reads_the_store_and_its_key_is_not_the_owner() {
    let folder = tempfile::tempdir().unwrap();
    let (text, token) = OwnerToken::fresh().unwrap();
    let house = House::start(Config { owner: Some(token), ..config(folder.path()) }).await;
    let claimed = request(house.address, "POST", "/api/owner", "", &text).await;
    let (cookie, _) = set_cookie(&claimed).unwrap();
    assert_eq!(Page::connect(house.address, Some(&cookie)).await.welcome["me"]["owner"], true);
    let (name, secret) = cookie.split_once('=').unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()), "in {}", path.display());
    }
    // What older versions gave browsers followed from the key.
    let key = std::fs::read(folder.path().join("outflank.key")).unwrap();
    let letters = b"0123456789abcdefghjkmnpqrstvwxyz";
    for purpose in ["owner", "owner 1"] {
        let digest = Sha256::new().chain_update(&key).chain_update(purpose).finalize();
        let made: String = digest[..26].iter().map(|byte| char::from(letters[usize::from(byte % 32)])).collect();
        let page = Page::connect(house.address, Some(&format!("{name}={made}"))).await;
        assert_eq!(page.welcome["me"]["owner"], false);
    }
}

#[tokio::test]
async fn the_cookie_of_a_session_is_for_our_pages_only() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = vec!["https://safe.example".parse().unwrap()];
    let house = House::start(Config { hosts, ..config(folder.path()) }).await;
    let at = house.address;
    let json = "Content-Type: application/json\r\n";
    let body = |handle: &str| json!({"handle": handle, "password": PASSWORD}).to_string();
    let safe = request(at, "POST", "/api/account", &format!("Host: safe.example\r\n{json}"), body("Ana")).await;
    let (cookie, about) = set_cookie(&safe).unwrap();
    assert!(cookie.starts_with("__Host-outflank-session="), "{cookie}");
    for part in ["; Secure", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=31536000"] {
        assert!(about.contains(part), "{about}");
    }
    assert!(safe.contains("cache-control: no-store") && safe.contains("strict-transport-security: max-age=31536000"));
    let plain = request(at, "POST", "/api/account", json, body("Luis")).await;
    let (cookie, about) = set_cookie(&plain).unwrap();
    assert!(cookie.starts_with("outflank-session=") && !about.contains("Secure"), "{cookie};{about}");
    // The name without the prefix, which another site of the domain could have set, is worth nothing by https.
    let headers = format!("Host: safe.example\r\nCookie: {cookie}\r\n");
    let shown = request(at, "GET", "/api/account", &headers, "").await;
    assert!(shown.contains("\"account\":null"), "{shown}");
}

#[tokio::test]
async fn every_answer_carries_the_protecting_headers() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    for (method, path) in [
        ("GET", "/"),
        ("GET", "/api/account"),
        ("POST", "/api/session"),
        ("GET", "/nothing"),
        ("GET", "/api/admin/audit"),
    ] {
        let answer = request(house.address, method, path, "", "").await.to_lowercase();
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "permissions-policy: ",
        ] {
            assert!(answer.contains(header), "{header} for {method} {path}: {answer}");
        }
    }
}

#[tokio::test]
async fn nothing_that_is_sent_is_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    // Half a gibibyte of nothing would fit into what a request may have; this is a small one of its kind.
    let packed = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x63, 0x60, 0x18, 0x05, 0xa3, 0x60, 0x14, 0x0c, 0x77, 0x00, 0x00, 0x2e,
        0xaf, 0xb5, 0xef, 0x00, 0x04, 0x00, 0x00,
    ];
    let headers = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n";
    let answer = request(at, "POST", "/api/account", headers, packed).await;
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("bad_request"), "{answer}");
    // Nor is it agreed on for a socket.
    let mut stream = TcpStream::connect(at).await.unwrap();
    let head = format!(
        "GET /api/socket HTTP/1.1\r\nHost: {at}\r\nOrigin: http://{at}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
         Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(timeout(LONG, stream.read_u8()).await.unwrap().unwrap());
    }
    let answer = String::from_utf8_lossy(&answer).to_lowercase();
    assert!(answer.starts_with("http/1.1 101") && !answer.contains("sec-websocket-extensions"), "{answer}");
}

#[test]
fn there_is_nothing_that_could_ask_other_servers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).unwrap();
    let packages: Vec<&str> =
        lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')).collect();
    assert!(packages.contains(&"hyper"), "{} packages", packages.len());
    for client in
        ["reqwest", "ureq", "curl", "isahc", "attohttpc", "surf", "minreq", "awc", "lettre", "hickory-resolver"]
    {
        assert!(
            !packages.contains(&client),
            "{client} is among the packages: SECURITY.md says that there is none such"
        );
    }
}

#[test]
fn every_test_that_the_document_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = std::fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let named: Vec<(&str, &str)> = document.split('`').filter_map(|part| part.split_once(".rs::")).collect();
    assert!(named.len() > 40, "{}", named.len());
    for (file, test) in named {
        let folder = if file.contains('/') { root.clone() } else { root.join("crates/server/tests") };
        let text = std::fs::read_to_string(folder.join(format!("{file}.rs")))
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(text.contains(&format!("fn {test}(")), "{file}.rs::{test}");
    }
}

#[tokio::test]
async fn whoever_finds_no_room_is_turned_away_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(Config { connections: 2, metrics_for_all: true, ..config(folder.path()) }).await;
    let pages = [house.page().await, house.page().await];
    // Whoever comes now is hung up on before anything of theirs is read.
    let metrics = async || {
        let mut stream = TcpStream::connect(house.address).await.unwrap();
        let _ = stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await;
        let mut answer = String::new();
        let _ = timeout(LONG, stream.read_to_string(&mut answer)).await.expect("it is told at once");
        answer
    };
    assert_eq!(metrics().await, "");
    drop(pages);
    // The server notices that the others are gone.
    let count = timeout(LONG, async {
        loop {
            let metrics = metrics().await;
            if let Some(line) = metrics.lines().find(|line| line.starts_with("outflank_turned_away_total ")) {
                return line.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
            }
            tokio::task::yield_now().await;
        }
    });
    assert!(count.await.unwrap() >= 1);
}

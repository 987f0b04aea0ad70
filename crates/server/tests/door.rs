//! What comes in at the door, and what does not.

mod common;

use common::{House, casual, config, two_here};
use serde_json::json;
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
    let mut stream = TcpStream::connect(house.address).await.unwrap();
    let host = if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", house.address) };
    let request = format!("GET {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
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
    assert!(get(&house, "/", &format!("If-None-Match: {etag}\r\n")).await.starts_with("HTTP/1.1 304"));
    assert!(get(&house, "/no/such/thing", "").await.starts_with("HTTP/1.1 404"));
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
    page.send_raw(Message::text("x".repeat(5000))).await;
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
    assert!(ggf.contains("PB[Ana]") && ggf.contains("PW[Luis]") && ggf.contains("TI[1:30]"), "{ggf}");
    let sgf = file("game.sgf").await;
    assert!(sgf.contains("TM[90]"), "{sgf}");
    let names = record::wthor::Names::default();
    for (format, text) in [(record::Format::Ggf, ggf), (record::Format::Sgf, sgf)] {
        let game = record::import::games(format, text.as_bytes(), &names).next_record().unwrap().unwrap();
        assert_eq!(game.main_line().collect::<Vec<_>>(), moves, "{text}");
        let claim = game.headers.claim.unwrap();
        assert_eq!(claim.difference(), state["view"]["verdict"]["difference"].as_i64().map(|black| black as f32));
    }
    assert!(file("diagram.svg").await.contains("<svg"));
    assert!(file("diagram.svg?ply=3").await.contains("<svg"));
    assert!(file("diagram.svg?ply=99").await.contains("<svg"));
    assert!(get(&house, &format!("/api/games/{game}/game.exe"), "").await.starts_with("HTTP/1.1 404"));
    assert!(get(&house, "/api/games/nowhere/game.ggf", "").await.starts_with("HTTP/1.1 404"));
}

//! Connections that do nothing, half of something or far too much, as an attacker makes them. All of it is on loopback and ends by itself.

mod common;

use common::{House, LONG, Page, by_link, casual, config, two_here};
use futures_util::StreamExt;
use serde_json::{Value, json};
use server::{Config, raise_file_limit};
use std::net::SocketAddr;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use tokio_tungstenite::{MaybeTlsStream, connect_async, tungstenite::Message};

/// A connection on which `said` has been sent, and nothing more.
async fn half(address: SocketAddr, said: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(said).await.unwrap();
    stream
}

/// Waits until the server has ended a connection.
async fn ended(stream: &mut TcpStream) {
    // What it says before, if anything, does not matter; an error is an end too.
    let _ = timeout(LONG, stream.read_to_end(&mut Vec::new())).await.expect("the server ends it");
}

#[tokio::test]
async fn half_sent_requests_are_gone_after_a_while() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let mut halves = Vec::new();
    for _ in 0..300 {
        halves.push(half(house.address, b"GET / HTTP/1.1\r\nHost: ").await);
    }
    let mut idle = half(house.address, b"").await;
    let mut kept =
        half(house.address, format!("GET /api/health HTTP/1.1\r\nHost: {}\r\n\r\n", house.address).as_bytes()).await;
    for stream in &mut halves {
        ended(stream).await;
    }
    ended(&mut idle).await;
    ended(&mut kept).await;
    assert_eq!(page.done(json!({"type": "ping"})).await["type"], "done", "a page is no such connection");
}

#[tokio::test]
async fn a_head_without_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut stream = half(house.address, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ").await;
    // The server may have hung up before all of it is sent.
    let _ = stream.write_all(&[b'x'; 20_000]).await;
    let mut answer = Vec::new();
    let _ = timeout(LONG, stream.read_to_end(&mut answer)).await.expect("the server ends it");
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test]
async fn eleven_hundred_idle_connections_leave_the_owner_served() {
    let _ = raise_file_limit();
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(Config { connections: 200, home: true, ..config(folder.path()) }).await;
    let mut before = house.page().await;
    let mut idle = Vec::new();
    for _ in 0..1100 {
        idle.push(half(house.address, b"").await);
    }
    before.done(json!({"type": "ping"})).await;
    let mut owner = house.page().await;
    let (game, state) = owner.begin(two_here(casual())).await;
    owner.play_first(&state).await;
    owner.news(&game, 1).await;
    // The latest of them still has its turn: it is those that waited longest that made room.
    let mut latest = idle.pop().unwrap();
    let request = format!("GET /api/health HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", house.address);
    latest.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    latest.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn whoever_falls_silent_seems_away_and_is_still_connected() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let (game, state) = ana.begin(by_link(casual())).await;
    luis.open(&game).await;
    luis.done(json!({"type": "sit", "game": game, "invite": state["invites"]["white"], "name": "Luis"})).await;
    ana.news(&game, 1).await;
    // A page that nobody reads for does not even answer pings: a phone in a tunnel.
    let presence =
        |here: bool| move |message: &Value| message["type"] == "presence" && message["here"]["white"] == here;
    ana.wait(presence(false)).await;
    assert_eq!(luis.done(json!({"type": "ping"})).await["type"], "done", "the same connection");
    ana.wait(presence(true)).await;
}

#[tokio::test]
async fn fragments_and_pings_without_end_are_read_slowly() {
    const FLOOD: usize = 32 << 20;
    // An empty fragment, the first of a message that never ends; then an empty ping. The mask is zero.
    let (start, fragment, ping) = ([0x01, 0x80, 0, 0, 0, 0], [0x00, 0x80, 0, 0, 0, 0], [0x89, 0x80, 0, 0, 0, 0]);
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(Config { home: true, ..config(folder.path()) }).await;
    let url = format!("ws://{}/api/socket", house.address);
    for frame in [fragment, ping] {
        let (socket, _) = connect_async(&url).await.unwrap();
        let (mut watching, _) = connect_async(&url).await.unwrap();
        let MaybeTlsStream::Plain(mut stream) = socket.into_inner() else { unreachable!("no TLS here") };
        let flood = async {
            if frame == fragment {
                stream.write_all(&start).await?;
            }
            let (mut incoming, mut outgoing) = stream.split();
            let chunk = frame.repeat(1024);
            let pour = async {
                for _ in 0..FLOOD / chunk.len() {
                    outgoing.write_all(&chunk).await?;
                }
                std::io::Result::Ok(())
            };
            // Whoever answers pings shall not be held up by an attacker who does not read.
            let drain = async { tokio::io::copy(&mut incoming, &mut tokio::io::sink()).await.map(drop) };
            tokio::select! { poured = pour => poured, drained = drain => drained }
        };
        // Long enough for a server that takes everything: until it has asked another page for the third time whether it is there.
        let other = async {
            let mut pings = 0;
            while pings < 3 {
                pings += usize::from(matches!(watching.next().await, Some(Ok(Message::Ping(_)))));
            }
        };
        tokio::select! {
            flooded = flood => panic!("{FLOOD} bytes of {frame:?} were taken: {flooded:?}"),
            () = other => {}
        }
    }
}

#[tokio::test]
async fn one_address_cannot_take_all_pages() {
    let folder = tempfile::tempdir().unwrap();
    let proxies = vec!["127.0.0.1".parse().unwrap()];
    let house = House::start(Config { connections_per_address: 20, proxies, ..config(folder.path()) }).await;
    let origin = format!("http://{}", house.address);
    let from = |address: &'static str| {
        let (house, origin) = (house.address, origin.clone());
        async move { Page::try_with(house, &[("origin", &origin), ("x-forwarded-for", address)]).await }
    };
    let mut pages = Vec::new();
    for _ in 0..20 {
        pages.push(from("203.0.113.9").await.unwrap());
    }
    assert_eq!(from("203.0.113.9").await.err(), Some(503));
    assert!(from("203.0.113.10").await.is_ok());
    // A whole /64 is one customer's.
    let mut six = Vec::new();
    for address in ["2001:db8::1", "2001:db8::2", "2001:db8::ffff"].iter().cycle().take(20) {
        six.push(from(address).await.unwrap());
    }
    assert_eq!(from("2001:db8::3").await.err(), Some(503));
    drop(pages);
    // The server notices that they are gone.
    while from("203.0.113.9").await.is_err() {
        tokio::task::yield_now().await;
    }
}

//! A server on a real socket and pages that talk to it.

#![allow(dead_code, unreachable_pub)] // each test file uses its part

pub mod browser;
pub mod lobby;

use analyst::{Analyst, Evaluator};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use server::{Config, Server};
use std::{
    net::SocketAddr,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{self, Message, client::IntoClientRequest},
};

/// Longer than anything here takes: a test that waits so long has failed.
pub const LONG: Duration = Duration::from_secs(20);

/// A running server.
pub struct House {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

/// People are told apart by their cookies, and the computer answers at once.
pub fn config(data: &Path) -> Config {
    Config { home: false, pause: Duration::ZERO, ..Config::new(data) }
}

/// One engine that knows nothing: enough to answer.
pub fn analyst() -> Analyst {
    Analyst::start(Evaluator::blank(), analyst::Config { engines: 1, hash: 1, ..Default::default() })
}

impl House {
    pub async fn start(config: Config) -> House {
        House::serve(Server::open(config, analyst()).await.unwrap()).await
    }

    pub async fn serve(server: Server) -> House {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            server.run(listener, stopped).await.unwrap();
        });
        House { address, stop: Some(stop), task }
    }

    /// Stops as Ctrl-C does, and waits until it has.
    pub async fn stop(mut self) {
        drop(self.stop.take());
        timeout(LONG, &mut self.task).await.expect("the server stops").unwrap();
    }

    /// Ends as a machine that loses its power does: nobody is told anything.
    pub fn vanish(self) {
        self.task.abort();
    }

    /// Someone who comes for the first time.
    pub async fn page(&self) -> Page {
        Page::connect(self.address, None).await
    }
}

/// One plain request; the whole answer as text.
pub async fn request(address: SocketAddr, method: &str, path: &str, headers: &str, body: impl AsRef<[u8]>) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let host = if headers.contains("Host:") { String::new() } else { format!("Host: {address}\r\n") };
    let body = body.as_ref();
    let length = body.len();
    let head =
        format!("{method} {path} HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n");
    stream.write_all(&[head.as_bytes(), body].concat()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// The cookie that an answer sets: `name=value`, and all that is said of it.
pub fn set_cookie(answer: &str) -> Option<(String, String)> {
    let line = answer.lines().find(|line| line.to_lowercase().starts_with("set-cookie: "))?;
    let (cookie, rest) = line["set-cookie: ".len()..].split_once(';')?;
    Some((cookie.to_owned(), rest.to_owned()))
}

/// A page in a browser.
pub struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// What the server calls this browser.
    pub cookie: Option<String>,
    pub welcome: Value,
    /// Messages that came while another was waited for.
    pub early: Vec<Value>,
}

impl Page {
    pub async fn connect(address: SocketAddr, cookie: Option<&str>) -> Page {
        let origin = format!("http://{address}");
        let headers: Vec<_> =
            [("origin", origin.as_str())].into_iter().chain(cookie.map(|it| ("cookie", it))).collect();
        Page::try_with(address, &headers).await.unwrap()
    }

    /// A handshake with these headers; the status if it is refused.
    pub async fn try_with(address: SocketAddr, headers: &[(&'static str, &str)]) -> Result<Page, u16> {
        let mut request = format!("ws://{address}/api/socket").into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let cookie = headers.iter().find(|(name, _)| *name == "cookie").map(|(_, cookie)| *cookie);
        let (socket, response) = match connect_async(request).await {
            Ok(connected) => connected,
            Err(tungstenite::Error::Http(response)) => return Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        };
        let set = response.headers().get("set-cookie").map(|value| value.to_str().unwrap().to_owned());
        let cookie = set.and_then(|set| set.split(';').next().map(str::to_owned)).or(cookie.map(str::to_owned));
        let mut page = Page { socket, cookie, welcome: Value::Null, early: Vec::new() };
        page.welcome = page.next().await;
        assert_eq!(page.welcome["type"], "welcome");
        Ok(page)
    }

    /// The same browser again.
    pub async fn again(&self, house: &House) -> Page {
        Page::connect(house.address, self.cookie.as_deref()).await
    }

    pub async fn send(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).await.unwrap();
    }

    pub async fn send_raw(&mut self, message: Message) {
        self.socket.send(message).await.unwrap();
    }

    /// The next message, or `None` when the connection has ended.
    pub async fn try_next(&mut self) -> Option<Value> {
        loop {
            match timeout(LONG, self.socket.next()).await.expect("the server says something") {
                Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// Waits until the server asks whether the page is there, which it does every few seconds.
    pub async fn wait_for_ping(&mut self) {
        loop {
            match timeout(LONG, self.socket.next()).await.expect("the server asks") {
                Some(Ok(Message::Ping(_))) => return,
                Some(Ok(Message::Text(text))) => self.early.push(serde_json::from_str(&text).unwrap()),
                other => panic!("{other:?}"),
            }
        }
    }

    /// With which code the connection ends, whatever is said before.
    pub async fn close_code(&mut self) -> Option<u16> {
        loop {
            match timeout(LONG, self.socket.next()).await.expect("the connection ends") {
                Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
                Some(Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    pub async fn next(&mut self) -> Value {
        if !self.early.is_empty() {
            return self.early.remove(0);
        }
        self.try_next().await.expect("the connection holds")
    }

    /// Waits for a message that `wanted` likes and keeps the others for later.
    pub async fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.early.iter().position(&wanted) {
            return self.early.remove(index);
        }
        loop {
            let message = self.try_next().await.expect("the connection holds");
            if wanted(&message) {
                return message;
            }
            self.early.push(message);
        }
    }

    /// Sends a command with a new id and waits for its answer.
    pub async fn ask(&mut self, ask: Value) -> Value {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = format!("id-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        self.ask_as(&id, ask).await
    }

    pub async fn ask_as(&mut self, id: &str, mut ask: Value) -> Value {
        ask["id"] = id.into();
        self.send(&ask).await;
        self.wait(|message| message["id"] == id).await
    }

    /// As `ask`, for what must succeed.
    pub async fn done(&mut self, ask: Value) -> Value {
        let answer = self.ask(ask.clone()).await;
        assert_ne!(answer["type"], "refused", "{ask} → {answer}");
        answer
    }

    /// Begins a game and opens it: its id, and how it stands.
    pub async fn begin(&mut self, create: Value) -> (String, Value) {
        let game = self.done(create).await["game"].as_str().unwrap().to_owned();
        let opened = self.open(&game).await;
        (game, opened)
    }

    pub async fn open(&mut self, game: &str) -> Value {
        self.done(json!({"type": "open", "game": game})).await
    }

    /// The news of `game` at entry `seq` or later.
    pub async fn news(&mut self, game: &str, seq: u64) -> Value {
        self.wait(|message| {
            message["type"] == "game" && message["game"] == game && message["seq"].as_u64() >= Some(seq)
        })
        .await
    }

    /// Plays the first legal square of a position.
    pub async fn play_first(&mut self, state: &Value) -> Value {
        let (game, view) = (&state["game"], &state["view"]);
        self.done(json!({"type": "play", "game": game, "square": view["legal"][0]["square"], "ply": view["ply"]})).await
    }
}

pub fn casual() -> Value {
    json!({"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": true})
}

pub fn sudden(main_ms: u64) -> Value {
    json!({"time": {"kind": "sudden_death", "main_ms": main_ms}, "overrun": "loses", "empties": "to_winner", "takebacks": true})
}

pub fn two_here(rules: Value) -> Value {
    json!({"type": "create", "rules": rules,
        "seats": {"black": {"kind": "person", "name": "Ana"}, "white": {"kind": "person", "name": "Luis"}}})
}

pub fn against_computer(rules: Value) -> Value {
    json!({"type": "create", "rules": rules,
        "seats": {"black": {"kind": "person", "name": "Ana"}, "white": {"kind": "computer", "level": 1}}})
}

pub fn by_link(rules: Value) -> Value {
    json!({"type": "create", "rules": rules,
        "seats": {"black": {"kind": "person", "name": "Ana"}, "white": {"kind": "open"}}})
}

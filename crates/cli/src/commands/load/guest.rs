//! One guest's connection: says what a page says, and remembers what it was told.

use crate::remote::{Address, Socket, io_error};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    io,
    time::{Duration, Instant},
};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

/// A server that says nothing for so long is taken to be gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a guest waits who has asked for too much.
const LATER: Duration = Duration::from_millis(500);

/// What a guest reads of a message; the rest is for pages.
#[derive(Deserialize, Debug)]
pub(super) struct Heard {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) id: Option<String>,
    pub(super) game: Option<String>,
    pub(super) seq: Option<u64>,
    why: Option<String>,
    #[serde(default)]
    keep: usize,
    #[serde(default)]
    moves: Vec<Moved>,
    pub(super) invites: Option<Invites>,
    pub(super) view: Option<Seen>,
}

#[derive(Deserialize, Debug)]
struct Moved {
    square: String,
}

#[derive(Deserialize, Debug)]
pub(super) struct Invites {
    pub(super) white: Option<String>,
}

/// A game as a guest sees it.
#[derive(Clone, Deserialize, Debug)]
pub(super) struct Seen {
    pub(super) ply: u8,
    pub(super) turn: Option<String>,
    pub(super) legal: Vec<Legal>,
}

#[derive(Clone, Deserialize, Debug)]
pub(super) struct Legal {
    pub(super) square: String,
}

/// A guest in one game.
pub(super) struct Guest {
    socket: Socket,
    /// When to stop trying.
    end: Instant,
    /// How often the server has said that too much was asked for, and it had to ask again later.
    pub(super) waited: u64,
    name: String,
    sent: u32,
    /// The moves that stand, as far as this guest was told.
    pub(super) saw: Vec<String>,
    /// The game as it was last shown.
    pub(super) seen: Option<Seen>,
}

impl Guest {
    /// Someone who comes for the first time. Who comes through a proxy is nobody's owner, not even on this machine.
    pub(super) async fn come(server: &Address, name: String, end: Instant) -> io::Result<Guest> {
        let origin = server.to_string();
        let headers = [("origin", origin.as_str()), ("via", "1.1 outflank-load")];
        let socket = server.connect(&headers).await?;
        let mut guest = Guest { socket, end, waited: 0, name, sent: 0, saw: Vec::new(), seen: None };
        guest.until(|heard| heard.kind == "welcome").await?;
        Ok(guest)
    }

    /// Sends a command under an id of its own.
    pub(super) async fn send(&mut self, mut ask: Value) -> io::Result<String> {
        self.sent += 1;
        let id = format!("{}-{}", self.name, self.sent);
        ask["id"] = json!(id);
        self.socket.send(Message::text(ask.to_string())).await.map_err(io_error)?;
        Ok(id)
    }

    /// Sends a command and waits for its answer. A server takes only so many new games in a second: one that has had enough for now is
    /// asked again a little later, as a person would.
    pub(super) async fn ask(&mut self, ask: Value) -> io::Result<Heard> {
        loop {
            let id = self.send(ask.clone()).await?;
            match self.until(|heard| heard.id.as_ref() == Some(&id)).await {
                Err(error) if error.kind() == io::ErrorKind::QuotaExceeded && Instant::now() < self.end => {
                    self.waited += 1;
                    sleep(LATER).await;
                }
                answer => return answer,
            }
        }
    }

    /// Plays, and waits until that is acknowledged and shown: under which id, as which entry, after how long.
    pub(super) async fn play(&mut self, game: &str, square: &str, ply: u8) -> io::Result<(String, u64, Duration)> {
        let begun = Instant::now();
        let id = self.send(json!({"type": "play", "game": game, "square": square, "ply": ply})).await?;
        let done = self.until(|heard| heard.id.as_ref() == Some(&id)).await?;
        let took = begun.elapsed();
        Ok((id, done.seq.ok_or_else(strange)?, took))
    }

    /// Waits until more than `ply` moves stand.
    pub(super) async fn see_past(&mut self, ply: u8) -> io::Result<()> {
        while self.seen.as_ref().is_none_or(|seen| seen.ply <= ply) {
            self.until(|heard| heard.kind == "game").await?;
        }
        Ok(())
    }

    /// The first message that is wanted; every game that is shown meanwhile is noted. A refusal of anything is an error.
    async fn until(&mut self, wanted: impl Fn(&Heard) -> bool) -> io::Result<Heard> {
        loop {
            let frame = timeout(PATIENCE, self.socket.next()).await?;
            let frame = frame.ok_or(io::ErrorKind::ConnectionAborted)?.map_err(io_error)?;
            let Message::Text(text) = frame else { continue };
            let mut heard: Heard = serde_json::from_str(&text)?;
            if heard.kind == "refused" {
                let why = heard.why.unwrap_or_default();
                let kind = if why == "too_many" { io::ErrorKind::QuotaExceeded } else { io::ErrorKind::Other };
                return Err(io::Error::new(kind, why));
            }
            if let Some(seen) = &heard.view {
                self.seen = Some(seen.clone());
                self.saw.truncate(heard.keep);
                self.saw.extend(std::mem::take(&mut heard.moves).into_iter().map(|moved| moved.square));
            }
            if wanted(&heard) {
                return Ok(heard);
            }
        }
    }
}

/// The server answered something that no server of ours answers.
pub(super) fn strange() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::{net::TcpListener, runtime::Runtime};
    use tokio_tungstenite::accept_async;

    /// A server that says these things, one after the other, each to the command that it has heard.
    async fn server(listener: TcpListener, says: Vec<Value>) {
        let (stream, _) = listener.accept().await.unwrap();
        let mut socket = accept_async(stream).await.unwrap();
        socket.send(Message::text(r#"{"type": "welcome"}"#)).await.unwrap();
        for mut answer in says {
            let asked = socket.next().await.unwrap().unwrap();
            let asked: Value = serde_json::from_str(asked.to_text().unwrap()).unwrap();
            answer["id"] = asked["id"].clone();
            socket.send(Message::text(answer.to_string())).await.unwrap();
        }
    }

    /// What a guest with so much time hears who begins a game, and how often it waited.
    fn begin(says: Vec<Value>, time: Duration) -> (io::Result<Heard>, u64) {
        Runtime::new().unwrap().block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = Address::named(&listener.local_addr().unwrap().to_string()).unwrap();
            tokio::spawn(server(listener, says));
            let mut guest = Guest::come(&address, "g".to_owned(), Instant::now() + time).await.unwrap();
            (guest.ask(json!({"type": "create"})).await, guest.waited)
        })
    }

    #[test]
    fn whoever_is_put_off_asks_again_as_long_as_there_is_time() {
        let put_off = json!({"type": "refused", "why": "too_many"});
        let (begun, waited) = begin(vec![put_off.clone(), json!({"type": "done", "game": "a"})], PATIENCE);
        assert_eq!((begun.unwrap().game.as_deref(), waited), (Some("a"), 1));
        let (late, waited) = begin(vec![put_off], Duration::ZERO);
        assert_eq!((late.unwrap_err().kind(), waited), (io::ErrorKind::QuotaExceeded, 0));
        let (refused, waited) = begin(vec![json!({"type": "refused", "why": "bad_rules"})], PATIENCE);
        assert_eq!((refused.unwrap_err().to_string().as_str(), waited), ("bad_rules", 0));
    }
}

//! The bot's connection: asks, answers, and what is said meanwhile.

use crate::remote::{Address, Socket, io_error};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::{
    collections::VecDeque,
    io,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

/// A server asks every few seconds whether its pages are there: one that was silent for so long is gone.
const SILENCE: Duration = Duration::from_secs(15);

/// A command was not carried out.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) why: String,
    pub(super) text: String,
}

pub(super) struct Line {
    socket: Socket,
    /// The first thing that the server said.
    pub(super) welcome: Value,
    /// What came while something else was waited for.
    early: VecDeque<Value>,
    /// Commands are called by the time at which the connection began, and a number.
    name: String,
    sent: u64,
}

impl Line {
    pub(super) async fn open(server: &Address, token: &str) -> io::Result<Line> {
        let bearer = format!("Bearer {token}");
        let socket = server.connect(&[("authorization", &bearer)]).await?;
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        let (welcome, early, name) = (Value::Null, VecDeque::new(), format!("bot-{began}"));
        let mut line = Line { socket, welcome, early, name, sent: 0 };
        line.welcome = line.read().await?;
        Ok(line)
    }

    async fn read(&mut self) -> io::Result<Value> {
        loop {
            let frame = timeout(SILENCE, self.socket.next()).await?;
            match frame.ok_or(io::ErrorKind::ConnectionAborted)?.map_err(io_error)? {
                Message::Text(text) => return Ok(serde_json::from_str(&text)?),
                Message::Close(_) => return Err(io::ErrorKind::ConnectionAborted.into()),
                _ => {}
            }
        }
    }

    /// A name for a command that no other has.
    pub(super) fn new_id(&mut self) -> String {
        self.sent += 1;
        format!("{}-{}", self.name, self.sent)
    }

    /// Sends a command and waits for its answer.
    pub(super) async fn ask(&mut self, ask: Value) -> io::Result<Result<Value, Refused>> {
        let id = self.new_id();
        self.ask_as(&id, ask).await
    }

    /// As [`ask`](Line::ask), under a name by which it may have been asked before.
    pub(super) async fn ask_as(&mut self, id: &str, mut ask: Value) -> io::Result<Result<Value, Refused>> {
        ask["id"] = json!(id);
        self.socket.send(Message::text(ask.to_string())).await.map_err(io_error)?;
        loop {
            let message = self.read().await?;
            if message["id"] != id {
                self.early.push_back(message);
                continue;
            }
            let word = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
            let refused = message["type"] == "refused";
            return Ok(if refused { Err(Refused { why: word("why"), text: word("text") }) } else { Ok(message) });
        }
    }

    /// The next thing that is said.
    pub(super) async fn next(&mut self) -> io::Result<Value> {
        match self.early.pop_front() {
            Some(message) => Ok(message),
            None => self.read().await,
        }
    }

    /// Takes in one more message, for later.
    pub(super) async fn listen(&mut self) -> io::Result<()> {
        let message = self.read().await?;
        self.early.push_back(message);
        Ok(())
    }

    /// The next news of a game, or of who is there. What else was said is forgotten: it was for someone who waits.
    pub(super) async fn news(&mut self, game: &str) -> io::Result<Value> {
        loop {
            let message = self.next().await?;
            if message["game"] == game && (message["type"] == "game" || message["type"] == "presence") {
                return Ok(message);
            }
        }
    }

    /// The game that an offer became, if that was said already.
    pub(super) fn take_paired(&mut self) -> Option<String> {
        let paired = self.early.drain(..).find(|message| message["type"] == "paired")?;
        paired["game"].as_str().map(str::to_owned)
    }
}

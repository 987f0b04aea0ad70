//! The real binary as a child process, and a page that talks to it.

#![allow(dead_code, unreachable_pub)] // each test file uses its part

use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};
use tungstenite::{Message, WebSocket, client::IntoClientRequest};

/// `outflank` in English, whatever the environment says.
pub fn outflank(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
    command.args(args).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env("LC_ALL", "C");
    command
}

/// xorshift64
#[derive(Clone, Copy)]
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

/// A server that was started and says where it is. It is killed when it goes out of scope.
pub struct Server {
    pub child: Child,
    pub address: String,
}

impl Server {
    pub fn start(data: &Path) -> Server {
        Server::start_with(data, &[]).0
    }

    /// With more options; also the line it says after where the games are, if it has more to say.
    pub fn start_with(data: &Path, more: &[&str]) -> (Server, Option<String>) {
        let mut child = outflank(&["serve", "--no-open", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        let line = said.next().transpose().unwrap().unwrap_or_default();
        let third = if !["--lan", "--host"].iter().any(|talkative| more.contains(talkative)) {
            None
        } else {
            said.nth(1).transpose().unwrap()
        };
        let Some((_, address)) = line.trim().trim_end_matches('/').split_once("http://") else {
            let mut why = String::new();
            child.stderr.take().unwrap().read_to_string(&mut why).unwrap();
            panic!("it did not start: {line}{why}");
        };
        (Server { address: address.to_owned(), child }, third)
    }

    pub fn page(&self) -> Option<Page> {
        Server::page_at(&self.address)
    }

    /// The whole answer to a plain request.
    pub fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// A number that the server counts.
    pub fn counted(&self, name: &str) -> u64 {
        let text = self.get("/metrics");
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("{name} in {text}")).parse().unwrap()
    }

    /// Somebody else: one who comes through a proxy is not at this machine.
    pub fn guest(&self) -> Option<Page> {
        let origin = format!("http://{}", self.address);
        Server::page_with(&self.address, &[("origin", &origin), ("x-forwarded-for", "192.0.2.7")])
    }

    pub fn page_at(address: &str) -> Option<Page> {
        Server::page_with(address, &[("origin", &format!("http://{address}"))])
    }

    /// A page whose handshake has these headers.
    pub fn page_with(address: &str, headers: &[(&'static str, &str)]) -> Option<Page> {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
        stream.set_nodelay(true).ok()?;
        let mut request = format!("ws://{address}/api/socket").into_client_request().ok()?;
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().ok()?);
        }
        let (socket, _) = tungstenite::client(request, stream).ok()?;
        Some(Page { socket, news: Vec::new() })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page. Every answer is `None` once the server is gone.
pub struct Page {
    socket: WebSocket<TcpStream>,
    /// Every `game` message that was seen.
    pub news: Vec<Value>,
}

impl Page {
    pub fn ask(&mut self, id: &str, ask: Value) -> Option<Value> {
        self.send(id, ask)?;
        self.answer(id)
    }

    /// The last `game` message since the news were cleared; one that is still on its way is waited for.
    pub fn latest(&mut self) -> Option<Value> {
        while self.news.is_empty() {
            let message = self.next()?;
            if message["type"] == "game" {
                self.news.push(message);
            }
        }
        self.news.last().cloned()
    }

    pub fn send(&mut self, id: &str, mut ask: Value) -> Option<()> {
        ask["id"] = id.into();
        self.socket.send(Message::text(ask.to_string())).ok()
    }

    /// Waits until the server has asked so often whether the page is there.
    pub fn pings(&mut self, mut number: usize) {
        while number > 0 {
            number -= usize::from(self.socket.read().unwrap().is_ping());
        }
    }

    pub fn answer(&mut self, id: &str) -> Option<Value> {
        loop {
            let message = self.next()?;
            if message["type"] == "game" {
                self.news.push(message.clone());
            }
            if message["id"] == id {
                return Some(message);
            }
        }
    }

    fn next(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(Message::Close(_)) => return None,
                Ok(_) => {}
                Err(tungstenite::Error::Io(error))
                    if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) =>
                {
                    panic!("the server is there but says nothing")
                }
                Err(_) => return None,
            }
        }
    }
}

/// A game in lines of text.
pub struct Plain {
    pub child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Plain {
    pub fn start(data: &Path, more: &[&str]) -> Plain {
        let mut child = outflank(&["play", "--plain", "--data"])
            .arg(data)
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Plain { child, input, output }
    }

    pub fn type_line(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// What it said before it ended.
    pub fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        rest
    }

    /// Reads until a line holds one of `words`.
    pub fn until(&mut self, words: &[&str]) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "it ended before saying {words:?}");
            if words.iter().any(|word| line.contains(word)) {
                return line;
            }
        }
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! A browser with its cookies, for what goes over HTTP.

use super::{Page, request, set_cookie};
use serde_json::{Value, json};
use std::net::SocketAddr;

/// The password of everyone here.
pub const PASSWORD: &str = "seven small owls";
/// Another.
pub const OTHER: &str = "another dozen of owls";

/// A browser: its cookies.
#[derive(Clone, Default, Debug)]
pub struct Browser {
    pub guest: Option<String>,
    pub session: Option<String>,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
    pub head: String,
}

impl Browser {
    /// Someone who has loaded the page once.
    pub async fn visit(address: SocketAddr) -> Browser {
        let page = request(address, "GET", "/", "", "").await;
        Browser { guest: Some(set_cookie(&page).unwrap().0), session: None }
    }

    pub fn cookies(&self) -> String {
        [&self.guest, &self.session].into_iter().flatten().cloned().collect::<Vec<_>>().join("; ")
    }

    pub async fn ask(&mut self, address: SocketAddr, method: &str, path: &str, body: Value) -> Answer {
        let headers =
            format!("Cookie: {}\r\nContent-Type: application/json\r\nUser-Agent: A browser\r\n", self.cookies());
        let answer = ask_with(address, method, path, &headers, body).await;
        for line in answer.head.lines().filter(|line| line.to_lowercase().starts_with("set-cookie: ")) {
            let cookie = line["set-cookie: ".len()..].split(';').next().unwrap().to_owned();
            match cookie.split_once('=').unwrap() {
                (name, "") if name.ends_with("-session") => self.session = None,
                (name, _) if name.ends_with("-session") => self.session = Some(cookie),
                (_, "") => self.guest = None,
                _ => self.guest = Some(cookie),
            }
        }
        answer
    }

    pub async fn get(&mut self, address: SocketAddr, path: &str) -> Value {
        let answer = self.ask(address, "GET", path, Value::Null).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    }

    pub async fn post(&mut self, address: SocketAddr, path: &str, body: Value) -> Answer {
        self.ask(address, "POST", path, body).await
    }

    pub async fn open(&mut self, address: SocketAddr, handle: &str) -> Value {
        let answer = self.post(address, "/api/account", json!({"handle": handle, "password": PASSWORD})).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.body
    }

    pub async fn sign_in(&mut self, address: SocketAddr, handle: &str, password: &str) -> Answer {
        self.post(address, "/api/session", json!({"handle": handle, "password": password})).await
    }

    pub async fn page(&self, address: SocketAddr) -> Page {
        Page::connect(address, Some(&self.cookies())).await
    }

    pub async fn handle(&self, address: SocketAddr) -> Value {
        self.clone().get(address, "/api/account").await["account"]["handle"].clone()
    }
}

pub async fn ask_with(address: SocketAddr, method: &str, path: &str, headers: &str, body: Value) -> Answer {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let answer = request(address, method, path, headers, body).await;
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    Answer { status, body: serde_json::from_str(body).unwrap_or(Value::Null), head: head.to_owned() }
}

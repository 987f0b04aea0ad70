//! Passkeys from the outside, with devices that are made here: whoever has the key comes in, and nobody else does.

#[path = "common/authenticator.rs"]
mod authenticator;
mod common;

use authenticator::{Authenticator, bytes, text};
use common::{
    House, analyst,
    browser::{Answer, PASSWORD, ask_with},
    config,
};
use serde_json::{Value, json};
use server::{Config, Server, bus::Alone};
use std::{collections::BTreeMap, net::SocketAddr, path::Path, sync::Arc};
use store::Sqlite;

const NAME: &str = "club.example";
const ORIGIN: &str = "https://club.example";

fn hosted(data: &Path) -> Config {
    Config { hosts: vec![ORIGIN.parse().unwrap()], ..config(data) }
}

/// A browser with its cookies, on a page of the server.
#[derive(Clone)]
struct Visitor {
    at: SocketAddr,
    origin: String,
    host: String,
    cookies: BTreeMap<String, String>,
}

impl Visitor {
    fn new(at: SocketAddr) -> Visitor {
        Visitor { at, origin: ORIGIN.to_owned(), host: NAME.to_owned(), cookies: BTreeMap::new() }
    }

    /// Somebody who has just opened an account.
    async fn with_account(at: SocketAddr, handle: &str) -> Visitor {
        let mut visitor = Visitor::new(at);
        let opened = visitor.post("/api/account", json!({"handle": handle, "password": PASSWORD})).await;
        assert_eq!(opened.status, 201, "{opened:?}");
        visitor
    }

    async fn ask(&mut self, method: &str, path: &str, body: Value) -> Answer {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let headers = format!(
            "Host: {}\r\nOrigin: {}\r\nCookie: {}\r\nContent-Type: application/json\r\nUser-Agent: A browser\r\n",
            self.host,
            self.origin,
            cookies.join("; ")
        );
        let answer = ask_with(self.at, method, path, &headers, body).await;
        for line in answer.head.lines().filter(|line| line.to_lowercase().starts_with("set-cookie: ")) {
            let (name, value) = line["set-cookie: ".len()..].split(';').next().unwrap().split_once('=').unwrap();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }

    async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.ask("POST", path, body).await
    }

    async fn handle(&mut self) -> Value {
        self.ask("GET", "/api/account", Value::Null).await.body["account"]["handle"].clone()
    }

    async fn passkeys(&mut self) -> Vec<Value> {
        self.ask("GET", "/api/passkeys", Value::Null).await.body.as_array().unwrap().clone()
    }

    /// What a device is asked for, to make a passkey.
    async fn begin_add(&mut self) -> Value {
        let begun = self.post("/api/passkeys/begin", json!({"password": PASSWORD})).await;
        assert_eq!(begun.status, 200, "{begun:?}");
        begun.body["options"].clone()
    }

    async fn begin_sign_in(&mut self) -> Vec<u8> {
        let begun = self.post("/api/session/passkey/begin", json!({})).await;
        assert_eq!(begun.status, 200, "{begun:?}");
        challenge(&begun.body["options"])
    }

    /// Makes a passkey, and what the device knows its owner by.
    async fn add(&mut self, device: &Authenticator) -> Value {
        let options = self.begin_add().await;
        let added = self.post("/api/passkeys", made(device, &challenge(&options))).await;
        assert_eq!(added.status, 201, "{added:?}");
        options["user"]["id"].clone()
    }

    async fn sign_in(&mut self, device: &Authenticator, user: &Value) -> Answer {
        let challenge = self.begin_sign_in().await;
        self.post("/api/session/passkey", used(device, &challenge, user)).await
    }
}

fn challenge(options: &Value) -> Vec<u8> {
    bytes(options["challenge"].as_str().unwrap())
}

fn made(device: &Authenticator, challenge: &[u8]) -> Value {
    json!({"client_data": text(&device.client_data("create", challenge)), "attestation": text(&device.attestation())})
}

fn used(device: &Authenticator, challenge: &[u8], user: &Value) -> Value {
    let client_data = device.client_data("get", challenge);
    let (data, signature) = device.used(&client_data);
    json!({"credential": text(&device.credential), "client_data": text(&client_data),
        "authenticator_data": text(&data), "signature": text(&signature), "user": user})
}

fn refused(answer: &Answer, status: u16, why: &str) {
    assert_eq!((answer.status, &answer.body["why"]), (status, &json!(why)), "{answer:?}");
}

#[tokio::test]
async fn a_passkey_of_each_kind_is_made_used_listed_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(hosted(folder.path())).await;
    let mut ana = Visitor::with_account(house.address, "Ana").await;
    let mut devices = [Authenticator::es256(ORIGIN), Authenticator::eddsa(ORIGIN), Authenticator::rs256(ORIGIN)];
    let mut user = Value::Null;
    for device in &devices {
        user = ana.add(device).await;
    }
    let options = ana.begin_add().await;
    assert_eq!((&options["rp"]["id"], &options["user"]["name"]), (&json!(NAME), &json!("Ana")));
    assert_eq!((&options["user"]["id"], &options["attestation"]), (&user, &json!("none")));
    let asked = json!({"residentKey": "required", "requireResidentKey": true, "userVerification": "required"});
    assert_eq!(options["authenticatorSelection"], asked);
    assert_eq!(challenge(&options).len(), 32);
    assert_eq!(options["excludeCredentials"].as_array().unwrap().len(), 3, "the device is told which it has");
    // Each lets another browser in, and again after a restart.
    house.stop().await;
    let house = House::start(hosted(folder.path())).await;
    for (count, device) in devices.iter_mut().enumerate() {
        let mut phone = Visitor::new(house.address);
        for counter in [1, 7] {
            device.counter = counter;
            let signed_in = phone.sign_in(device, &user).await;
            assert_eq!((signed_in.status, &signed_in.body["account"]["handle"]), (200, &json!("Ana")), "{count}");
            assert_eq!(phone.handle().await, "Ana");
        }
        assert!(phone.cookies.keys().all(|name| name.starts_with("__Host-") && !name.contains("passkey")));
    }
    let mut ana = Visitor { at: house.address, ..ana };
    let listed = ana.passkeys().await;
    assert_eq!(listed.len(), 3);
    assert_eq!((&listed[0]["agent"], &listed[0]["site"]), (&json!("A browser"), &json!(ORIGIN)));
    assert!(listed.iter().all(|one| one["seen"].as_u64() >= one["made"].as_u64()));
    // Not somebody else's to remove, nor to see.
    let mut luis = Visitor::with_account(house.address, "Luis").await;
    assert!(luis.passkeys().await.is_empty());
    for one in &listed {
        let path = format!("/api/passkeys/{}", one["id"].as_str().unwrap());
        refused(&luis.ask("DELETE", &path, Value::Null).await, 404, "not_found");
        assert_eq!(ana.ask("DELETE", &path, Value::Null).await.status, 204);
        refused(&ana.ask("DELETE", &path, Value::Null).await, 404, "not_found");
    }
    devices[0].counter = 8;
    let mut phone = Visitor::new(house.address);
    refused(&phone.sign_in(&devices[0], &user).await, 401, "wrong_passkey");
    assert!(ana.passkeys().await.is_empty());
    let password = phone.post("/api/session", json!({"handle": "ana", "password": PASSWORD})).await;
    assert_eq!(password.status, 200, "the password is good as before");
}

#[tokio::test]
async fn making_one_takes_the_password_and_the_browser_that_asked() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(hosted(folder.path())).await;
    let at = house.address;
    let (mut ana, mut luis) = (Visitor::with_account(at, "Ana").await, Visitor::with_account(at, "Luis").await);
    let device = Authenticator::es256(ORIGIN);
    refused(&Visitor::new(at).post("/api/passkeys/begin", json!({"password": PASSWORD})).await, 401, "not_signed_in");
    refused(&ana.post("/api/passkeys/begin", json!({"password": "not the password"})).await, 401, "wrong_password");
    // Without having begun, with somebody else's beginning, with another challenge, with one for signing in.
    refused(&ana.post("/api/passkeys", made(&device, &[7; 32])).await, 422, "passkey_late");
    let theirs = challenge(&luis.begin_add().await);
    refused(&ana.post("/api/passkeys", made(&device, &theirs)).await, 422, "passkey_late");
    let stolen = luis.cookies.iter().find(|(name, _)| name.contains("passkey")).unwrap();
    let mut with_ticket = ana.clone();
    with_ticket.cookies.insert(stolen.0.clone(), stolen.1.clone());
    refused(&with_ticket.post("/api/passkeys", made(&device, &theirs)).await, 422, "passkey_late");
    let mine = challenge(&ana.begin_add().await);
    refused(&ana.post("/api/passkeys", made(&device, &[7; 32])).await, 422, "passkey_late");
    let signing_in = ana.clone().begin_sign_in().await;
    refused(&ana.post("/api/passkeys", made(&device, &signing_in)).await, 422, "passkey_late");
    // A device that does not ask who is there, one asked by another page, an answer to another question.
    for (wrong, what) in [
        (Authenticator { flags: 0x01, ..Authenticator::es256(ORIGIN) }, "create"),
        (Authenticator { flags: 0x04, ..Authenticator::es256(ORIGIN) }, "create"),
        (Authenticator { name: "evil.example".to_owned(), ..Authenticator::es256(ORIGIN) }, "create"),
        (Authenticator { origin: "https://evil.example".to_owned(), ..Authenticator::es256(ORIGIN) }, "create"),
        (Authenticator::es256(ORIGIN), "get"),
    ] {
        let client_data = text(&wrong.client_data(what, &mine));
        let said = json!({"client_data": client_data, "attestation": text(&wrong.attestation())});
        refused(&ana.post("/api/passkeys", said).await, 422, "wrong_passkey");
    }
    let said = |attestation: &str| json!({"client_data": text(&device.client_data("create", &mine)), "attestation": attestation});
    refused(&ana.post("/api/passkeys", said("oA")).await, 422, "wrong_passkey");
    refused(&ana.post("/api/passkeys", said("*")).await, 400, "bad_request");
    refused(&ana.post("/api/passkeys", said(&"A".repeat(5000))).await, 413, "too_large");
    refused(&ana.post("/api/passkeys", json!({})).await, 400, "bad_request");
    assert!(ana.passkeys().await.is_empty(), "nothing was kept of all that");
    // After all of that the challenge is still good; then it is used up, and the passkey is known.
    let ticket = ana.cookies.clone();
    assert_eq!(ana.post("/api/passkeys", made(&device, &mine)).await.status, 201);
    let other = Authenticator::es256(ORIGIN);
    let mut again = Visitor { cookies: ticket, ..ana.clone() };
    refused(&again.post("/api/passkeys", made(&other, &mine)).await, 409, "has_passkey");
    let theirs = challenge(&luis.begin_add().await);
    refused(&luis.post("/api/passkeys", made(&device, &theirs)).await, 409, "has_passkey");
    assert_eq!((ana.passkeys().await.len(), luis.passkeys().await.len()), (1, 0));
}

#[tokio::test]
async fn nobody_comes_in_by_what_is_not_their_passkey() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(hosted(folder.path())).await;
    let at = house.address;
    let (mut ana, mut luis) = (Visitor::with_account(at, "Ana").await, Visitor::with_account(at, "Luis").await);
    let (mut device, theirs) = (Authenticator::es256(ORIGIN), Authenticator::es256(ORIGIN));
    let (user, other) = (ana.add(&device).await, luis.add(&theirs).await);
    assert_ne!(user, other);
    device.counter = 5;
    let mut phone = Visitor::new(at);
    assert_eq!(phone.sign_in(&device, &user).await.status, 200);
    let mut phone = Visitor::new(at);
    let given = phone.begin_sign_in().await;
    // Each of these in a browser of its own, so that none waits for another.
    let attempt = |said: Value| {
        let mut phone = phone.clone();
        async move { phone.post("/api/session/passkey", said).await }
    };
    device.counter = 6;
    // An unknown one, one for somebody else, one that another has signed.
    refused(&attempt(used(&Authenticator::es256(ORIGIN), &given, &user)).await, 401, "wrong_passkey");
    refused(&attempt(used(&device, &given, &other)).await, 401, "wrong_passkey");
    let mut forged = used(&theirs, &given, &user);
    forged["credential"] = json!(text(&device.credential));
    refused(&attempt(forged).await, 401, "wrong_passkey");
    // The device has counted further before.
    for counter in [5, 4, 0] {
        device.counter = counter;
        refused(&attempt(used(&device, &given, &user)).await, 401, "wrong_passkey");
    }
    device.counter = 6;
    let good = used(&device, &given, &user);
    let mut other_challenge = good.clone();
    other_challenge["client_data"] = json!(text(&device.client_data("get", &[7; 32])));
    // Whoever has to wait after some wrong ones waits for this credential only; that one is waited for here.
    let waited = attempt(other_challenge.clone()).await;
    refused(&waited, 429, "too_many");
    house.stop().await;
    let house = House::start(hosted(folder.path())).await;
    let phone = Visitor { at: house.address, ..phone };
    let attempt = |said: Value| {
        let mut phone = phone.clone();
        async move { phone.post("/api/session/passkey", said).await }
    };
    refused(&attempt(other_challenge).await, 401, "passkey_late");
    for field in ["signature", "authenticator_data"] {
        let mut wrong = good.clone();
        wrong[field] = json!("AAAA");
        refused(&attempt(wrong).await, 401, "wrong_passkey");
    }
    let mut without = good.clone();
    without.as_object_mut().unwrap().remove("user");
    refused(&attempt(without).await, 400, "bad_request");
    // Another browser, which has not asked.
    refused(&Visitor::new(house.address).post("/api/session/passkey", good.clone()).await, 401, "passkey_late");
    // What was refused has used nothing up. What was taken is, by whoever has seen all of it.
    let mut first = phone.clone();
    assert_eq!(first.post("/api/session/passkey", good.clone()).await.status, 200);
    assert_eq!(first.handle().await, "Ana");
    let replayed = attempt(good).await;
    refused(&replayed, 401, "wrong_passkey");
    assert!(!replayed.head.contains("set-cookie"));
}

#[tokio::test]
async fn an_answer_is_good_once_though_the_device_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(hosted(folder.path())).await;
    let mut ana = Visitor::with_account(house.address, "Ana").await;
    let device = Authenticator::eddsa(ORIGIN);
    let user = ana.add(&device).await;
    let mut phone = Visitor::new(house.address);
    let said = used(&device, &phone.begin_sign_in().await, &user);
    let (mut one, mut other) = (phone.clone(), phone.clone());
    let (first, second) =
        tokio::join!(one.post("/api/session/passkey", said.clone()), other.post("/api/session/passkey", said.clone()));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401], "two at once");
    house.stop().await;
    let house = House::start(hosted(folder.path())).await;
    let mut later = Visitor { at: house.address, ..phone };
    refused(&later.post("/api/session/passkey", said).await, 401, "passkey_late");
}

#[tokio::test]
async fn another_node_takes_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Sqlite::open(folder.path()).unwrap());
    let mut nodes = Vec::new();
    for name in ["one", "two"] {
        let config = hosted(&folder.path().join(name));
        let server = Server::join(config, store.clone(), Arc::new(Alone), analyst()).await.unwrap();
        nodes.push(House::serve(server).await);
    }
    let [one, two] = [nodes[0].address, nodes[1].address];
    let mut ana = Visitor::with_account(one, "Ana").await;
    let device = Authenticator::eddsa(ORIGIN);
    let options = ana.begin_add().await;
    ana.at = two;
    assert_eq!(ana.post("/api/passkeys", made(&device, &challenge(&options))).await.status, 201);
    let mut phone = Visitor::new(one);
    let said = used(&device, &phone.begin_sign_in().await, &options["user"]["id"]);
    let mut elsewhere = Visitor { at: two, ..phone.clone() };
    assert_eq!(elsewhere.post("/api/session/passkey", said.clone()).await.status, 200);
    refused(&phone.post("/api/session/passkey", said).await, 401, "passkey_late");
}

#[tokio::test]
async fn a_page_without_a_name_or_https_has_no_passkeys() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let port = at.port();
    for (host, good) in [(format!("127.0.0.1:{port}"), false), (format!("localhost:{port}"), true)] {
        let mut visitor = Visitor { origin: format!("http://{host}"), host: host.clone(), ..Visitor::new(at) };
        let begun = visitor.post("/api/session/passkey/begin", json!({})).await;
        if good {
            assert_eq!((begun.status, &begun.body["options"]["rpId"]), (200, &json!("localhost")));
        } else {
            refused(&begun, 422, "no_passkeys_here");
        }
    }
    // Another program on this machine, with a page under the same name: it has the assertion, and shows it as if it were us.
    let ours = format!("http://localhost:{port}");
    let mut ana = Visitor { origin: ours.clone(), host: format!("localhost:{port}"), ..Visitor::new(at) };
    assert_eq!(ana.post("/api/account", json!({"handle": "Ana", "password": PASSWORD})).await.status, 201);
    let device = Authenticator::es256(&ours);
    let user = ana.add(&device).await;
    let mut relay =
        Visitor { origin: "http://localhost:3000".to_owned(), host: "localhost:3000".to_owned(), ..Visitor::new(at) };
    let given = relay.begin_sign_in().await;
    let fooled = Authenticator { origin: "http://localhost:3000".to_owned(), ..device };
    refused(&relay.post("/api/session/passkey", used(&fooled, &given, &user)).await, 401, "wrong_passkey");
}

#[tokio::test]
async fn a_page_of_another_site_and_a_program_have_nothing_to_do_with_passkeys() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(hosted(folder.path())).await;
    let at = house.address;
    let mut ana = Visitor::with_account(at, "Ana").await;
    let mut foreign = Visitor { origin: "https://evil.example".to_owned(), ..ana.clone() };
    for path in ["/api/passkeys/begin", "/api/passkeys", "/api/session/passkey/begin", "/api/session/passkey"] {
        assert_eq!(foreign.post(path, json!({})).await.status, 403, "{path}");
    }
    let made = ana.post("/api/tokens", json!({"name": "bot", "scopes": ["play"]})).await;
    let token = made.body["token"].as_str().unwrap();
    let headers = format!(
        "Host: {NAME}\r\nOrigin: {ORIGIN}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
    );
    let by_program = ask_with(at, "POST", "/api/passkeys/begin", &headers, json!({"password": PASSWORD})).await;
    refused(&by_program, 403, "not_by_token");
    refused(&ask_with(at, "GET", "/api/passkeys", &headers, Value::Null).await, 403, "not_by_token");
}

#[tokio::test]
async fn a_suspended_account_stays_out_and_a_reset_takes_the_passkeys_too() {
    let folder = tempfile::tempdir().unwrap();
    let (owner_text, owner) = server::OwnerToken::fresh().unwrap();
    let house = House::start(Config { owner: Some(owner), ..hosted(folder.path()) }).await;
    let at = house.address;
    let mut ana = Visitor::with_account(at, "Ana").await;
    let device = Authenticator::es256(ORIGIN);
    let user = ana.add(&device).await;
    let headers = format!(
        "Host: {NAME}\r\nOrigin: {ORIGIN}\r\nAuthorization: Bearer {owner_text}\r\nContent-Type: application/json\r\n"
    );
    let decide = |what: &str, body: Value| {
        let (path, headers) = (format!("/api/admin/people/ana/{what}"), headers.clone());
        async move { ask_with(at, "POST", &path, &headers, body).await.status }
    };
    assert!(decide("suspend", json!({"days": null})).await < 300);
    refused(&Visitor::new(at).sign_in(&device, &user).await, 403, "suspended");
    assert!(decide("restore", json!({})).await < 300);
    assert_eq!(Visitor::new(at).sign_in(&device, &user).await.status, 200);
    assert_eq!(decide("reset", json!({})).await, 200);
    refused(&Visitor::new(at).sign_in(&device, &user).await, 401, "wrong_passkey");
}

#[tokio::test]
async fn an_account_has_so_many_passkeys_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(hosted(folder.path())).await;
    let mut ana = Visitor::with_account(house.address, "Ana").await;
    let device = Authenticator::eddsa(ORIGIN);
    let begun = challenge(&ana.begin_add().await);
    house.stop().await;
    let file = rusqlite::Connection::open(folder.path().join("outflank.db")).unwrap();
    let sql = "INSERT INTO passkey SELECT ?1, ?2, who, 'https://club.example', x'a0', 0, '', 1, NULL FROM account";
    for number in 0..people::MOST_PASSKEYS {
        file.execute(sql, (format!("c{number}").into_bytes(), format!("p{number}"))).unwrap();
    }
    drop(file);
    let house = House::start(hosted(folder.path())).await;
    let mut ana = Visitor { at: house.address, ..ana };
    refused(&ana.post("/api/passkeys", made(&device, &begun)).await, 409, "too_many_passkeys");
    let begun = ana.post("/api/passkeys/begin", json!({"password": PASSWORD})).await;
    refused(&begun, 409, "too_many_passkeys");
    assert_eq!(ana.passkeys().await.len(), people::MOST_PASSKEYS);
}

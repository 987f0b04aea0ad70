//! The server for programs, over real connections; and `docs/api.md`, example by example.

mod common;

use common::{House, LONG, browser::Browser, by_link, casual, config, request, set_cookie};
use serde_json::{Value, json};
use server::{Config, OwnerToken};
use std::{collections::HashMap, net::SocketAddr};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    time::timeout,
};

/// A program with a token of its own account.
struct Program {
    address: SocketAddr,
    token: String,
    /// Where its owner has signed in.
    browser: Browser,
}

impl Program {
    async fn new(house: &House, handle: &str) -> Program {
        Program::with(house, handle, &["play"]).await
    }

    async fn with(house: &House, handle: &str, scopes: &[&str]) -> Program {
        let address = house.address;
        let mut browser = Browser::visit(address).await;
        browser.open(address, handle).await;
        assert_eq!(browser.post(address, "/api/account/bot", json!({})).await.status, 200);
        let made = browser.post(address, "/api/tokens", json!({"name": "test", "scopes": scopes})).await;
        let token = made.body["token"].as_str().unwrap_or_else(|| panic!("{made:?}")).to_owned();
        Program { address, token, browser }
    }

    fn headers(&self, more: &str) -> String {
        format!("Authorization: Bearer {}\r\n{more}", self.token)
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        parsed(&request(self.address, "GET", path, &self.headers(""), "").await)
    }

    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.post_as("", path, body).await
    }

    async fn post_as(&self, more: &str, path: &str, body: &Value) -> (u16, Value) {
        let headers = self.headers(&format!("Content-Type: application/json\r\n{more}"));
        parsed(&request(self.address, "POST", path, &headers, body.to_string()).await)
    }

    async fn stream(&self, path: &str) -> Lines {
        Lines::open(self.address, path, &self.headers("")).await
    }

    async fn begin(&self, seats: Value) -> String {
        let (status, done) = self.post("/api/games", &json!({"seats": seats, "rules": casual()})).await;
        assert_eq!(status, 201, "{done}");
        done["game"].as_str().unwrap().to_owned()
    }
}

fn parsed(answer: &str) -> (u16, Value) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or_else(|_| json!(body)))
}

/// A stream of lines of JSON.
struct Lines {
    status: u16,
    stream: BufReader<TcpStream>,
    /// Lines that came in one piece of the body, the last first.
    left: Vec<String>,
}

impl Lines {
    async fn open(address: SocketAddr, path: &str, headers: &str) -> Lines {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut stream = BufReader::new(stream);
        let (mut status, mut line) = (0, String::new());
        while timeout(LONG, stream.read_line(&mut line)).await.unwrap().unwrap() > 2 {
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse().unwrap();
            }
            line.clear();
        }
        Lines { status, stream, left: Vec::new() }
    }

    /// The next piece of the body; `None` when there are no more.
    async fn piece(&mut self) -> Option<String> {
        let mut size = String::new();
        timeout(LONG, self.stream.read_line(&mut size)).await.expect("the server says something").ok()?;
        let size = usize::from_str_radix(size.trim(), 16).ok().filter(|size| *size > 0)?;
        let mut piece = vec![0; size + 2];
        timeout(LONG, self.stream.read_exact(&mut piece)).await.expect("the whole piece").ok()?;
        piece.truncate(size);
        Some(String::from_utf8(piece).unwrap())
    }

    /// The next line that says something; `None` when the stream has ended.
    async fn next(&mut self) -> Option<Value> {
        loop {
            while let Some(line) = self.left.pop() {
                if !line.is_empty() {
                    return Some(serde_json::from_str(&line).unwrap());
                }
            }
            self.left = self.piece().await?.lines().rev().map(str::to_owned).collect();
        }
    }

    async fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.next().await.expect("the stream goes on");
            if wanted(&line) {
                return line;
            }
        }
    }
}

fn person(name: &str) -> Value {
    json!({"kind": "person", "name": name})
}

#[tokio::test]
async fn two_programs_play_a_game_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (ana, bot) = (Program::new(&house, "ana").await, Program::new(&house, "bot").await);
    let mut calls = bot.stream("/api/events").await;
    assert_eq!(calls.status, 200);
    let game = ana.begin(json!({"black": person("Ana"), "white": {"kind": "open"}})).await;
    let (_, shown) = ana.get(&format!("/api/games/{game}")).await;
    let sit = json!({"invite": shown["invites"]["white"], "name": "Bot"});
    assert_eq!(bot.post(&format!("/api/games/{game}/sit"), &sit).await.0, 200);
    let events = format!("/api/games/{game}/events");
    let (mut black, mut white) = (ana.stream(&events).await, bot.stream(&events).await);
    let mut moves = 0;
    loop {
        let (line, other) = (black.next().await.unwrap(), white.next().await);
        if line["type"] != "game" {
            continue;
        }
        let view = &line["view"];
        if view["status"] == "over" {
            break;
        }
        let _ = other;
        let Some(turn) = view["turn"].as_str() else { continue };
        let player = if turn == "black" { &ana } else { &bot };
        let play = json!({"square": view["legal"][0]["square"], "ply": view["ply"]});
        let (status, done) = player.post(&format!("/api/games/{game}/moves"), &play).await;
        if status == 200 {
            moves += 1;
            assert_eq!(done["game"], game.as_str());
        } else {
            assert_eq!(done["why"], "wrong_ply", "a line that came twice: {done}");
        }
    }
    assert!(moves > 8);
    assert_eq!(black.next().await, None, "the stream ends with the game");
    let first = calls.wait(|line| line["type"] == "your_turn").await;
    assert_eq!((&first["game"], &first["ply"]), (&json!(game), &json!(1)));
    let over = calls.wait(|line| line["type"] == "game_over").await;
    let score = &over["verdict"]["score"];
    assert_eq!(score["black"].as_u64().unwrap() + score["white"].as_u64().unwrap(), 64);
    let (_, list) = bot.get("/api/games").await;
    assert_eq!((&list["games"][0]["game"], &list["games"][0]["status"]), (&json!(game), &json!("over")));
    house.stop().await;
}

#[tokio::test]
async fn a_program_and_a_page_meet_at_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (game, state) = page.begin(by_link(casual())).await;
    let bot = Program::new(&house, "bot").await;
    let sit = json!({"invite": state["invites"]["white"], "name": "Bot"});
    bot.post(&format!("/api/games/{game}/sit"), &sit).await;
    let mut stream = bot.stream(&format!("/api/games/{game}/events")).await;
    assert_eq!(stream.next().await.unwrap()["view"]["seats"]["white"]["you"], true);
    let here = page.wait(|message| message["here"]["white"] == true).await;
    assert_eq!(here["game"], game.as_str(), "whoever reads the stream is there");
    page.done(json!({"type": "play", "game": game, "square": "f5", "ply": 0})).await;
    let seen = stream.wait(|line| line["view"]["ply"] == 1).await;
    assert_eq!((&seen["moves"][0]["square"], &seen["keep"]), (&json!("f5"), &json!(0)));
    assert_eq!(bot.post(&format!("/api/games/{game}/moves"), &json!({"square": "d6", "ply": 1})).await.0, 200);
    page.news(&game, 3).await;
    // Whoever hangs up is missed, as a page would be.
    drop(stream);
    page.wait(|message| message["type"] == "presence" && message["here"]["white"] == false).await;
    // Whoever comes again is told only what they miss.
    let mut again = bot.stream(&format!("/api/games/{game}/events?have=2")).await;
    let missed = again.next().await.unwrap();
    assert_eq!((&missed["keep"], missed["moves"].as_array().unwrap().len()), (&json!(1), 1));
    house.stop().await;
}

#[tokio::test]
async fn a_program_does_at_a_table_what_a_page_can() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(Config { open_lobby: true, ..config(folder.path()) }).await;
    let (ana, bot) = (Program::new(&house, "ana").await, Program::new(&house, "bot").await);
    let (mut calls, mut heard) = (ana.stream("/api/events").await, bot.stream("/api/events").await);
    let new = json!({"seats": {"black": person("Ana"), "white": {"kind": "open"}}, "rules": common::sudden(600_000)});
    let game = ana.post("/api/games", &new).await.1["game"].as_str().unwrap().to_owned();
    let at = |what: &str| format!("/api/games/{game}{what}");
    let invite = ana.get(&at("")).await.1["invites"]["white"].clone();
    bot.post(&at("/sit"), &json!({"invite": invite, "name": "Bot"})).await;
    let answer = |what: &str, accept: bool| json!({"what": what, "accept": accept});
    let ok = |(status, body): (u16, Value)| {
        assert_eq!(status, 200, "{body}");
        body
    };
    let why = |(status, body): (u16, Value)| (status, body["why"].as_str().unwrap_or_default().to_owned());

    ok(ana.post(&at("/moves"), &json!({"square": "f5", "ply": 0})).await);
    ok(bot.post(&at("/moves"), &json!({"square": "d6", "ply": 1})).await);
    // Back, by agreement.
    ok(ana.post(&at("/takeback"), &json!({"ply": 2})).await);
    assert_eq!(bot.get(&at("")).await.1["view"]["offer"], json!({"by": "black", "what": "takeback"}));
    ok(bot.post(&at("/answer"), &answer("takeback", true)).await);
    assert_eq!(ana.get(&at("")).await.1["view"]["ply"], 0);
    ok(ana.post(&at("/moves"), &json!({"square": "e6", "ply": 0})).await);
    // A word, and a pause with the clocks stopped.
    ok(bot.post(&at("/say"), &json!({"phrase": "good_luck"})).await);
    assert_eq!(ana.get(&at("")).await.1["view"]["said"], json!([{"by": "white", "phrase": "good_luck"}]));
    assert_eq!(bot.post(&at("/say"), &json!({"phrase": "you fool"})).await.0, 400);
    ok(bot.post(&at("/pause"), &json!({})).await);
    ok(ana.post(&at("/answer"), &answer("pause", true)).await);
    assert_eq!(ana.get(&at("")).await.1["view"]["paused"], true);
    ok(ana.post(&at("/resume"), &json!({})).await);
    ok(bot.post(&at("/answer"), &answer("resume", true)).await);
    assert_eq!(ana.get(&at("")).await.1["view"]["paused"], false);
    ok(ana.post(&at("/scrap"), &json!({})).await);
    ok(bot.post(&at("/answer"), &answer("scrap", false)).await);
    // What a page may not do, a program may not.
    assert_eq!(why(ana.post(&at("/claim"), &json!({"what": "win"})).await), (409, "not_away_yet".to_owned()));
    assert_eq!(why(bot.post(&at("/hint"), &json!({"ply": 1})).await), (403, "no_hints".to_owned()));

    // Another game, colours swapped: who asked hears of it as who agreed does.
    ok(bot.post(&at("/resign"), &json!({})).await);
    let over = calls.wait(|line| line["type"] == "game_over").await;
    assert_eq!(over["game"], game.as_str());
    heard.wait(|line| line["type"] == "game_over").await;
    assert_eq!(ok(bot.post(&at("/again"), &json!({"swap": true})).await)["game"], game.as_str(), "ana is asked");
    let agreed = ok(ana.post(&at("/answer"), &answer("rematch", true)).await);
    let next = agreed["next"].as_str().unwrap_or_else(|| panic!("{agreed}")).to_owned();
    let turn = heard.next().await.unwrap();
    assert_eq!((&turn["type"], &turn["game"]), (&json!("your_turn"), &json!(next)), "the end is said once");
    ok(bot.post(&format!("/api/games/{next}/moves"), &json!({"square": "f5", "ply": 0})).await);
    assert_eq!(calls.next().await.unwrap()["game"], next.as_str());

    // Alone against the computer: a hint, and then it is thrown away.
    let own = ana.begin(json!({"black": person("Ana"), "white": {"kind": "computer", "level": 1}})).await;
    let hint = ok(ana.post(&format!("/api/games/{own}/hint"), &json!({"ply": 0})).await);
    assert!(hint["square"].is_string() && hint["ply"] == 0, "{hint}");
    let gone = request(house.address, "DELETE", &format!("/api/games/{own}"), &ana.headers(""), "").await;
    assert_eq!(parsed(&gone).0, 200);
    assert_eq!(ana.get(&format!("/api/games/{own}")).await.0, 404);

    // Whoever the server finds; and whom one does not want to meet.
    let quick = json!({"speed": "rapid", "opening": "balanced", "rated": true});
    let (status, offered) = ana.post("/api/quick", &quick).await;
    assert_eq!((status, &offered["offer"]["quick"]), (201, &json!(true)), "{offered}");
    let (status, found) = bot.post("/api/quick", &quick).await;
    assert_eq!(status, 201);
    assert_eq!(calls.wait(|line| line["type"] == "paired").await["game"], found["game"], "{found}");
    ok(bot.post("/api/people/ana/block", &json!({})).await);
    let challenge = json!({"handle": "bot", "rules": common::sudden(600_000)});
    assert_eq!(why(ana.post("/api/challenges", &challenge).await), (403, "not_wanted".to_owned()));
    let forgiven = request(house.address, "DELETE", "/api/people/ana/block", &bot.headers(""), "").await;
    assert_eq!(parsed(&forgiven).0, 200);
    assert_eq!(ana.post("/api/challenges", &challenge).await.0, 201);

    assert_eq!(ok(ana.get("/api/leaders/rapid-standard").await), json!({"category": "rapid-standard", "leaders": []}));
    assert_eq!(why(ana.get("/api/leaders/slow-motion").await), (404, "no_such_category".to_owned()));
    house.stop().await;
}

#[tokio::test]
async fn the_same_key_is_the_same_command() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let ana = Program::new(&house, "ana").await;
    let new = json!({"seats": {"black": person("Ana"), "white": person("Luis")}, "rules": casual()});
    let key = "Idempotency-Key: once\r\n";
    let first = ana.post_as(key, "/api/games", &new).await;
    assert_eq!(ana.post_as(key, "/api/games", &new).await, first);
    assert_ne!(ana.post("/api/games", &new).await.1["game"], first.1["game"]);
    let moves = format!("/api/games/{}/moves", first.1["game"].as_str().unwrap());
    let play = json!({"square": "f5", "ply": 0});
    let played = ana.post_as("Idempotency-Key: move\r\n", &moves, &play).await;
    assert_eq!((played.0, &played.1["seq"]), (200, &json!(1)));
    assert_eq!(ana.post_as("Idempotency-Key: move\r\n", &moves, &play).await, played, "not a second move");
    assert_eq!(ana.post(&moves, &play).await.1["why"], "wrong_ply");
    let long = format!("Idempotency-Key: {}\r\n", "x".repeat(65));
    assert_eq!(ana.post_as(&long, &moves, &play).await.0, 400);
    house.stop().await;
}

#[tokio::test]
async fn what_cannot_be_done_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (ana, eva) = (Program::new(&house, "ana").await, Program::new(&house, "eva").await);
    let game = ana.begin(json!({"black": person("Ana"), "white": person("Luis")})).await;
    let moves = format!("/api/games/{game}/moves");
    let f5 = json!({"square": "f5", "ply": 0});
    let why = |(status, body): (u16, Value)| (status, body["why"].as_str().unwrap_or_default().to_owned());
    let no = |status, why: &str| (status, why.to_owned());
    assert_eq!(why(eva.post(&moves, &f5).await), no(403, "not_yours"));
    assert_eq!(why(ana.post(&moves, &json!({"square": "a1", "ply": 0})).await), no(409, "turns_nothing"));
    assert_eq!(why(ana.post(&moves, &json!({"square": "z9", "ply": 0})).await), no(400, "bad_request"));
    assert_eq!(why(ana.post(&moves, &json!({"square": "f5", "ply": 0, "x": 1})).await), no(400, "bad_request"));
    assert_eq!(why(ana.post("/api/games/nosuchgame00/moves", &f5).await), no(404, "no_such_game"));
    assert_eq!(why(ana.get("/api/games/../etc").await).0, 404);
    assert_eq!(why(ana.get("/api/games/nosuchgame00/events").await), no(404, "no_such_game"));
    let form = ana.headers("Content-Type: application/x-www-form-urlencoded\r\n");
    assert_eq!(why(parsed(&request(house.address, "POST", &moves, &form, f5.to_string()).await)), no(415, "not_json"));
    let large = json!({"square": "f5", "ply": 0, "x": "x".repeat(20_000)});
    assert_eq!(why(ana.post(&moves, &large).await), no(413, "too_large"));
    assert_eq!(why(parsed(&request(house.address, "GET", "/api/games", "", "").await)), no(401, "no_token"));
    let foreign = ana.headers("Origin: http://evil.example\r\nContent-Type: application/json\r\n");
    assert_eq!(parsed(&request(house.address, "POST", &moves, &foreign, f5.to_string()).await).0, 403);
    // Nothing of all that has changed the game, and whoever asks for too much is told so.
    assert_eq!(ana.get(&format!("/api/games/{game}")).await.1["seq"], 0);
    let mut last = (0, Value::Null);
    for _ in 0..20 {
        last = eva
            .post("/api/games", &json!({"seats": {"black": person("E"), "white": person("F")}, "rules": casual()}))
            .await;
    }
    assert_eq!(why(last), no(429, "too_many"));
    house.stop().await;
}

#[tokio::test]
async fn a_token_lets_in_for_what_it_is_for_and_as_long_as_it_is_good() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut reader = Program::with(&house, "Reader", &["read"]).await;
    let new = json!({"seats": {"black": person("Reader"), "white": {"kind": "open"}}, "rules": casual()});
    let (status, refused) = reader.post("/api/games", &new).await;
    assert_eq!((status, &refused["why"]), (403, &json!("scope")));
    assert_eq!(reader.get("/api/games").await.0, 200, "reading is what it is for");
    let mut events = reader.stream("/api/events").await;
    assert_eq!(events.status, 200);
    let tokens = reader.browser.get(house.address, "/api/tokens").await;
    let path = format!("/api/tokens/{}", tokens[0]["id"].as_str().unwrap());
    reader.browser.ask(house.address, "DELETE", &path, Value::Null).await;
    assert_eq!(events.next().await, None, "the stream ends with the token");
    let (status, refused) = reader.get("/api/games").await;
    assert_eq!((status, &refused["why"]), (401, &json!("bad_token")));
    house.stop().await;
}

#[tokio::test]
async fn whoever_asks_may_do_what_their_own_token_is_for() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(Config { open_lobby: true, ..config(folder.path()) }).await;
    let mut player = Program::new(&house, "bot").await;
    let made = player.browser.post(house.address, "/api/tokens", json!({"name": "look", "scopes": ["read"]})).await;
    let reader = Program {
        address: house.address,
        token: made.body["token"].as_str().unwrap().to_owned(),
        browser: player.browser.clone(),
    };
    let rules = json!({"time": {"kind": "sudden_death", "main_ms": 600_000}, "overrun": "loses", "empties": "to_winner", "takebacks": false});
    let offer = json!({"rules": rules, "rated": true});
    let challenge = json!({"handle": "bot", "rules": rules});
    let held = player.stream("/api/events").await;
    for (path, body) in [("/api/offers", &offer), ("/api/challenges", &challenge)] {
        let (status, refused) = reader.post(path, body).await;
        assert_eq!((status, &refused["why"]), (403, &json!("scope")), "{path}");
    }
    assert_eq!(player.post("/api/offers", &offer).await.0, 201);
    // And the other way round: who reads the stream takes nothing from who plays.
    drop(held);
    let _held = reader.stream("/api/events").await;
    let (status, offered) = player.post("/api/offers", &offer).await;
    assert_eq!(status, 201, "{offered}");
    house.stop().await;
}

/// More than a page of the list, of games that are not over and then of games that are.
#[tokio::test]
async fn a_program_with_many_games_hears_of_every_one() {
    const GAMES: usize = 33;
    let folder = tempfile::tempdir().unwrap();
    let (text, token) = OwnerToken::fresh().unwrap();
    let house = House::start(Config { open_lobby: true, owner: Some(token), ..config(folder.path()) }).await;
    let claimed = request(house.address, "POST", "/api/owner", "", &text).await;
    let owner = Browser { guest: Some(set_cookie(&claimed).unwrap().0), session: None };
    let mut page = owner.page(house.address).await;
    let (bot, ana) = (Program::new(&house, "bot").await, Program::new(&house, "ana").await);
    let mut games = Vec::new();
    for _ in 0..GAMES {
        let seats = json!({"black": {"kind": "open"}, "white": person("Boss")});
        let (game, state) = page.begin(json!({"type": "create", "seats": seats, "rules": casual()})).await;
        let sit = json!({"invite": state["invites"]["black"], "name": "Bot"});
        assert_eq!(bot.post(&format!("/api/games/{game}/sit"), &sit).await.0, 200);
        games.push(game);
    }
    let _held = ana.stream("/api/events").await;
    let rules = json!({"time": {"kind": "sudden_death", "main_ms": 600_000}, "overrun": "loses", "empties": "to_winner", "takebacks": false});
    assert_eq!(ana.post("/api/challenges", &json!({"handle": "bot", "rules": rules})).await.0, 201);
    games.sort();
    // However often it comes back: what is its own costs nothing.
    for _ in 0..5 {
        let mut events = bot.stream("/api/events").await;
        let challenged = events.next().await.unwrap();
        assert_eq!((&challenged["type"], &challenged["offer"]["by"]["handle"]), (&json!("challenged"), &json!("ana")));
        let mut heard = Vec::new();
        while heard.len() < GAMES {
            let line = events.next().await.unwrap();
            assert_eq!(line["type"], "your_turn", "{line}");
            heard.push(line["game"].as_str().unwrap().to_owned());
        }
        heard.sort();
        assert_eq!(heard, games);
    }
    for game in &games {
        assert_eq!(bot.post(&format!("/api/games/{game}/resign"), &json!({})).await.0, 200);
    }
    // All it may spend is spent; what it reads comes all the same, only later.
    while bot.get("/api/people/bot").await.0 == 200 {}
    let mut all = loop {
        let lines = bot.stream("/api/people/bot/games").await;
        if lines.status == 200 {
            break lines;
        }
    };
    let mut read = Vec::new();
    while let Some(line) = all.next().await {
        read.push(line["game"].as_str().unwrap_or_else(|| panic!("{line}")).to_owned());
    }
    let mut sorted = read.clone();
    sorted.sort();
    assert_eq!(sorted, games);
    // And read on from where one was.
    let mut rest = loop {
        let lines = bot.stream(&format!("/api/people/bot/games?before={}", read[GAMES - 3])).await;
        if lines.status == 200 {
            break lines;
        }
    };
    for game in &read[GAMES - 2..] {
        assert_eq!(rest.next().await.unwrap()["game"], game.as_str());
    }
    assert_eq!(rest.next().await, None);
    house.stop().await;
}

/// The examples of the page: what is sent, and which status and body is promised.
fn examples(page: &str) -> Vec<(String, u16, String, String)> {
    let mut blocks = page.split("```").skip(1).step_by(2).map(|block| block.split_once('\n').unwrap());
    let mut examples = Vec::new();
    while let Some((kind, sent)) = blocks.next() {
        assert_eq!(kind, "http", "{sent}");
        let (promised, answer) = blocks.next().expect("an answer");
        let (kind, status) = promised.split_once(' ').unwrap();
        examples.push((sent.to_owned(), status.parse().unwrap(), kind.to_owned(), answer.to_owned()));
    }
    examples
}

/// Whether all that the example shows is there, in the same form; ids and secrets of the example are noted as what they really are.
fn compare(example: &Value, real: &Value, at: &str, names: &mut HashMap<String, String>) {
    match (example, real) {
        (Value::Object(example), _) => {
            for (name, value) in example {
                compare(value, &real[name], &format!("{at}.{name}"), names);
            }
        }
        (Value::Array(example), Value::Array(real)) => {
            for (index, value) in example.iter().enumerate() {
                let real = real.get(index).unwrap_or_else(|| panic!("{at} has no {index}"));
                compare(value, real, &format!("{at}[{index}]"), names);
            }
        }
        (Value::Number(_), Value::Number(_)) if !at.ends_with("ply") && !at.ends_with("seq") => {}
        (Value::String(shown), Value::String(real))
            if at.ends_with(".game")
                || at.ends_with(".offer.id")
                || at == ".offers[0].id"
                || at.contains(".invites.") =>
        {
            names.insert(shown.clone(), real.clone());
        }
        (Value::String(_), Value::String(_)) if at.ends_with(".text") => {}
        _ => assert_eq!(example, real, "{at}"),
    }
}

#[tokio::test]
async fn the_manual_is_true() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(Config { open_lobby: true, ..config(folder.path()) }).await;
    let page = include_str!("../../../docs/api.md");
    let mut held = Vec::new();
    let examples = examples(page);
    assert!(examples.len() > 9);
    let (bot, other) = (Program::new(&house, "Bot").await, Program::new(&house, "Other").await);
    let mut names = HashMap::from([("TOKEN".to_owned(), bot.token), ("OTHER".to_owned(), other.token)]);
    for (sent, status, kind, answer) in examples {
        let mut told = sent.clone();
        // Longer names first: one may be a part of another.
        let mut known: Vec<_> = names.clone().into_iter().collect();
        known.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        for (name, real) in &known {
            told = told.replace(name, real);
        }
        let (head, body) = told.split_once("\n\n").unwrap_or((told.trim_end(), ""));
        let (line, headers) = head.split_once('\n').unwrap_or((head, ""));
        let (method, path) = line.split_once(' ').unwrap();
        let headers: String = headers.lines().map(|header| format!("{header}\r\n")).collect();
        if kind == "ndjson" {
            let mut lines = Lines::open(house.address, path, &headers).await;
            assert_eq!(lines.status, status, "{sent}");
            for line in answer.lines() {
                let real = lines.next().await.unwrap();
                compare(&serde_json::from_str(line).unwrap(), &real, "", &mut names);
            }
            // As a program that waits would: what it offers stands as long as it does.
            held.push(lines);
            continue;
        }
        let real = parsed(&request(house.address, method, path, &headers, body).await);
        assert_eq!(real.0, status, "{sent} → {}", real.1);
        match kind.as_str() {
            "json" => compare(&serde_json::from_str(&answer).unwrap(), &real.1, "", &mut names),
            _ => assert_eq!(real.1, json!(answer)),
        }
    }
    let (_, document) = parsed(&request(house.address, "GET", "/api/openapi.json", "", "").await);
    assert_eq!(document["info"]["title"], "Outflank");
    house.stop().await;
}

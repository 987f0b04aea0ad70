//! Programs that play: `outflank bot` and `examples/bot.py`, against the real server.

mod common;

use common::{Page, Server, outflank};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
};

/// A process that is ended when the test is.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn start(command: &mut Command) -> Running {
        Running(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Waits until it ends by itself: whether it went well, and what it said.
    fn end(mut self) -> (bool, String) {
        let mut said = String::new();
        self.0.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        self.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.0.wait().unwrap().success(), said)
    }
}

/// Whether a game ended on the board, not by a clock or because somebody gave up.
fn was_played_out(verdict: &Value) -> bool {
    ["full", "no_moves", "wiped_out"].iter().any(|ending| verdict["ending"] == *ending)
}

fn rules(time: Value) -> Value {
    json!({"time": time, "overrun": "loses", "empties": "to_winner", "takebacks": true})
}

/// A game with an open seat, opened: its id, and the link of invitation.
fn invite(page: &mut Page, time: Value) -> (String, String) {
    let seats = json!({"black": {"kind": "person", "name": "Ana"}, "white": {"kind": "open"}});
    let done = page.ask("create", json!({"type": "create", "seats": seats, "rules": rules(time)})).unwrap();
    let game = done["game"].as_str().unwrap().to_owned();
    let opened = page.ask("open", json!({"type": "open", "game": game})).unwrap();
    let link = format!("http://here/#/join/{game}/{}", opened["invites"]["white"].as_str().unwrap());
    (game, link)
}

/// Plays the first legal square whenever it is Black's turn, until the game is over: how it stands then.
fn play_on(page: &mut Page, game: &str, mut after_move: impl FnMut(u64)) -> Value {
    let mut number = 0;
    loop {
        number += 1;
        let id = format!("o{number}");
        let Some(state) = page.ask(&id, json!({"type": "open", "game": game})) else { panic!("the server is there") };
        let view = &state["view"];
        if view["status"] == "over" {
            return state;
        }
        if view["turn"] != "black" {
            page.news.clear();
            page.latest();
            continue;
        }
        let play = json!({"type": "play", "game": game, "square": view["legal"][0]["square"], "ply": view["ply"]});
        let done = page.ask(&format!("p{number}"), play).unwrap();
        assert_eq!(done["type"], "done", "{done}");
        after_move(view["ply"].as_u64().unwrap());
    }
}

#[test]
fn our_engine_takes_a_seat_by_a_link_and_plays_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut ana = server.guest().unwrap();
    let (game, link) = invite(&mut ana, json!({"kind": "sudden_death", "main_ms": 600_000}));
    // At this machine whoever shows no account is the owner.
    let bot = Running::start(&mut outflank(&[
        "bot",
        "--server",
        &server.address,
        "--token",
        "at-home",
        "--level",
        "1",
        "--join",
        &link,
    ]));
    let over = play_on(&mut ana, &game, |_| ());
    assert!(was_played_out(&over["view"]["verdict"]), "{over}");
    let (well, said) = bot.end();
    assert!(well && said.contains(&format!("Game {game} is over")), "{said}");
}

#[test]
fn another_engine_plays_by_gtp_and_a_takeback_does_not_confuse_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut ana = server.guest().unwrap();
    let (game, link) = invite(&mut ana, json!({"kind": "none"}));
    let engine = format!("'{}' gtp --level 1", env!("CARGO_BIN_EXE_outflank"));
    let bot = Running::start(&mut outflank(&[
        "bot",
        "--server",
        &server.address,
        "--token",
        "at-home",
        "--engine",
        &engine,
        "--join",
        &link,
    ]));
    ana.news.clear();
    let first = |page: &mut Page, id: &str| page.ask(id, json!({"type": "open", "game": game})).unwrap();
    // Until the seat is taken.
    while first(&mut ana, "wait")["view"]["status"] != "playing" {
        ana.news.clear();
        ana.latest();
    }
    ana.ask("f5", json!({"type": "play", "game": game, "square": "f5", "ply": 0})).unwrap();
    while first(&mut ana, "reply")["view"]["ply"] != 2 {
        ana.news.clear();
        ana.latest();
    }
    let back = ana.ask("back", json!({"type": "takeback", "game": game, "ply": 2})).unwrap();
    assert_eq!(back["type"], "done", "{back}");
    while first(&mut ana, "taken")["view"]["ply"] != 0 {
        ana.news.clear();
        ana.latest();
    }
    let over = play_on(&mut ana, &game, |_| ());
    assert!(was_played_out(&over["view"]["verdict"]), "{over}");
    assert!(bot.end().0);
}

#[test]
fn a_bot_comes_back_to_its_game_after_the_server_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let address = server.address.clone();
    let mut ana = server.guest().unwrap();
    let (game, link) = invite(&mut ana, json!({"kind": "none"}));
    let mut bot = Running::start(&mut outflank(&[
        "bot", "--server", &address, "--token", "at-home", "--level", "1", "--join", &link,
    ]));
    while ana.ask("wait", json!({"type": "open", "game": game})).unwrap()["view"]["status"] != "playing" {
        ana.news.clear();
        ana.latest();
    }
    drop((server, ana));
    // The bot says so, and goes on trying.
    let mut said = BufReader::new(bot.0.stdout.take().unwrap()).lines();
    assert!(said.by_ref().map(Result::unwrap).any(|line| line.contains("is lost")));
    let again = outflank(&["serve", "--no-open", "--listen", &address, "--data"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut again = Running(again);
    let mut ready = String::new();
    BufReader::new(again.0.stdout.as_mut().unwrap()).read_line(&mut ready).unwrap();
    assert!(said.by_ref().map(Result::unwrap).any(|line| line.contains(&game)), "it takes up its game");
    // White is the owner's: the page at this machine sees that it is there.
    let mut owner = Server::page_at(&address).unwrap();
    let state = owner.ask("look", json!({"type": "open", "game": game})).unwrap();
    assert_eq!((&state["view"]["status"], &state["here"]["white"]), (&json!("playing"), &json!(true)));
}

#[test]
fn what_is_wrong_is_said_in_a_sentence() {
    let refused = |args: &[&str]| {
        let output = outflank(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["bot", "--server", "127.0.0.1:1", "--token", "x"]).contains("cannot be reached"));
    assert!(refused(&["bot", "--server", "127.0.0.1:1"]).contains("--token"));
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let join = |link| refused(&["bot", "--server", &server.address, "--token", "x", "--level", "1", "--join", link]);
    assert!(join("nowhere").contains("no link"));
    assert!(join("#/join/k7q2m9x4tbcd/0123456789abcdef").contains("no_such_game"));
    assert!(
        refused(&["bot", "--server", &server.address, "--token", "x", "--engine", "x", "--protocol", "uci"])
            .contains("uci")
    );
    // A person's account plays no rated games by a program.
    let person = token(&server, "Ana", false);
    let said = refused(&["bot", "--server", &server.address, "--token", &person, "--level", "1"]);
    assert!(said.contains("Ana is a person’s account") && said.contains("--casual"), "{said}");
}

/// The answer to a plain request: its head and its body.
fn request(server: &Server, method: &str, path: &str, headers: &str, body: &str) -> (String, Value) {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let (host, length) = (&server.address, body.len());
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), serde_json::from_str(body).unwrap_or_else(|_| Value::String(body.to_owned())))
}

/// A token of a new account, a program's or a person's, made as a browser elsewhere would.
fn token(server: &Server, handle: &str, bot: bool) -> String {
    let cookie = |head: &str| {
        let set = head.lines().filter_map(|line| line.strip_prefix("set-cookie: "));
        set.map(|set| set.split(';').next().unwrap().to_owned()).collect::<Vec<_>>().join("; ")
    };
    let elsewhere = "X-Forwarded-For: 192.0.2.7\r\nContent-Type: application/json\r\n";
    let guest = cookie(&request(server, "GET", "/", elsewhere, "").0);
    let account = json!({"handle": handle, "password": "seven small owls", "bot": bot}).to_string();
    let headers = format!("{elsewhere}Cookie: {guest}\r\n");
    let (head, made) = request(server, "POST", "/api/account", &headers, &account);
    assert!(head.contains(" 201 "), "{head}{made}");
    let headers = format!("{elsewhere}Cookie: {}\r\n", cookie(&head));
    let wanted = json!({"name": "a program", "scopes": ["play"]}).to_string();
    let (head, made) = request(server, "POST", "/api/tokens", &headers, &wanted);
    made["token"].as_str().unwrap_or_else(|| panic!("{head}{made}")).to_owned()
}

#[test]
fn the_example_in_python_plays_a_rated_game_to_its_end() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bot.py");
    let lines = std::fs::read_to_string(example).unwrap();
    let code = lines.rsplit("\"\"\"").next().unwrap().lines().filter(|line| !line.trim().is_empty()).count();
    assert!(code <= 40, "{code} lines of code");
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (server, _) = Server::start_with(folder.path(), &["--open-lobby"]);
    let (python, ours) = (token(&server, "Python", true), token(&server, "Beetle", true));
    let address = format!("http://{}", server.address);
    let mut script = Command::new("python3");
    let script = Running::start(script.args([example, &address, &python]));
    let bot =
        Running::start(&mut outflank(&["bot", "--server", &address, "--token", &ours, "--level", "1", "--games", "1"]));
    let (well, said) = script.end();
    assert!(well, "{said}");
    let over: Value = serde_json::from_str(said.trim()).unwrap();
    assert!(was_played_out(&over["verdict"]), "{over}");
    let (well, said) = bot.end();
    assert!(well && said.contains("is over"), "{said}");
    // It counted for both, once.
    let headers = format!("Authorization: Bearer {python}\r\n");
    for handle in ["Python", "Beetle"] {
        let (_, person) = request(&server, "GET", &format!("/api/people/{handle}"), &headers, "");
        let ratings = person["ratings"].as_array().unwrap_or_else(|| panic!("{person}"));
        let games: Vec<(&Value, &Value)> =
            ratings.iter().map(|rating| (&rating["category"], &rating["games"])).collect();
        assert_eq!(games, [(&json!("rapid-standard"), &json!(1))], "{person}");
    }
    // And is there for everyone, with its moves.
    let (_, games) = request(&server, "GET", "/api/people/python/games", &headers, "");
    let games = games.to_string();
    assert!(games.contains(over["game"].as_str().unwrap()), "{games}");
}

/// A program that waits for events, for as long as this is there.
fn events(server: &Server, token: &str) -> impl Iterator<Item = Value> {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let (host, line) = (&server.address, "GET /api/events HTTP/1.1\r\n");
    stream.write_all(format!("{line}Host: {host}\r\nAuthorization: Bearer {token}\r\n\r\n").as_bytes()).unwrap();
    // Between the lines stand the sizes of the pieces, which are no JSON objects.
    BufReader::new(stream)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| serde_json::from_str::<Value>(&line).ok())
        .filter(Value::is_object)
}

#[test]
fn a_bot_declines_what_would_keep_it_for_days_and_waits_for_a_lobby() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let (ana, ours) = (token(&server, "Ana", false), token(&server, "Beetle", true));
    let address = format!("http://{}", server.address);
    let mut bot =
        Running::start(&mut outflank(&["bot", "--server", &address, "--token", &ours, "--level", "1", "--games", "1"]));
    let mut said = BufReader::new(bot.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(said.by_ref().any(|line| line.contains("lobby_closed")), "it says why it waits");
    let json = "Content-Type: application/json\r\n";
    let (head, _) = request(&server, "POST", "/api/admin/settings", json, &json!({"lobby": true}).to_string());
    assert!(head.contains(" 200 "), "{head}");
    assert!(said.by_ref().any(|line| line.contains("Waiting for an opponent")));
    let mut heard = events(&server, &ana);
    let headers = format!("Authorization: Bearer {ana}\r\n{json}");
    let challenge = |time: Value| {
        let body = json!({"handle": "Beetle", "rules": rules(time)}).to_string();
        // The stream is there when its head has come, which nobody here has read yet.
        loop {
            let (head, made) = request(&server, "POST", "/api/challenges", &headers, &body);
            if head.contains(" 201 ") {
                return made["offer"]["id"].clone();
            }
            assert_eq!(made["why"], "not_waiting", "{head}{made}");
        }
    };
    challenge(json!({"kind": "per_move", "per_move_ms": 86_400_000}));
    challenge(json!({"kind": "none"}));
    let live = challenge(json!({"kind": "sudden_death", "main_ms": 60_000}));
    let paired = heard.find(|line| line["type"] == "paired").unwrap();
    assert_eq!(paired["game"], live);
    let (_, lobby) = request(&server, "GET", "/api/offers", &headers, "");
    assert_eq!(lobby["challenges"], json!([]), "the others were declined");
}

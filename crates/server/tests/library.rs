//! The library over the wire: the owner fills it, and it tells only whom it may.

mod common;

use common::{House, LONG, Page, analyst, config, request};
use serde_json::{Value, json};
use server::{Config, Server};
use std::time::Duration;
use store::Store as _;

/// Files as one body.
fn body(files: &[(&str, &str)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, text) in files {
        for piece in [name, text] {
            body.extend((piece.len() as u32).to_le_bytes());
            body.extend(piece.as_bytes());
        }
    }
    body
}

/// The last line of an answer.
fn report(answer: &str) -> Value {
    let line = answer.lines().rev().find(|line| line.starts_with('{')).unwrap_or_else(|| panic!("{answer}"));
    serde_json::from_str(line).unwrap()
}

const PGN: &str = "[Event \"Copa\"]\n[Date \"1999\"]\n[Black \"Ana\"]\n[White \"Luis\"]\n1. f5 d6 2. c3\n
[Date \"2004\"]\n[Black \"Eva\"]\n[White \"Ana\"]\n1. d3 c5\n";

async fn owners(data: &std::path::Path) -> House {
    House::start(Config { pause: Duration::ZERO, ..Config::new(data) }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_adds_finds_exports_and_removes() {
    let folder = tempfile::tempdir().unwrap();
    let house = owners(folder.path()).await;
    let mut page = house.page().await;
    let empty = page.ask(json!({ "type": "library_stats" })).await;
    assert_eq!(
        (empty["games"].clone(), empty["yours"].clone(), empty["own"].clone()),
        (json!(0), json!(true), json!(true))
    );
    let files = body(&[("games.pgn", PGN), ("bad.txt", "f5d6c3d3\nf5a1\n"), ("note.md", "nothing")]);
    let added = report(&request(house.address, "POST", "/api/library", "", &files).await);
    assert_eq!(
        (added["added"].clone(), added["already_there"].clone(), added["refused"].clone()),
        (json!(3), json!(0), json!(2))
    );
    assert_eq!(
        added["rejected"][0],
        json!({ "file": "bad.txt", "game": 2, "line": 2, "why": "cli-why-turns-nothing", "with": { "ply": 2, "square": "a1" } })
    );
    assert_eq!(added["rejected"][1]["why"], "cli-why-unknown");
    let again = report(&request(house.address, "POST", "/api/library", "", &body(&[("x.pgn", PGN)])).await);
    assert_eq!((again["added"].clone(), again["already_there"].clone()), (json!(0), json!(2)));

    let found = page.ask(json!({ "type": "library_find", "moves": "f5d6" })).await;
    assert_eq!(
        (found["type"].clone(), found["games"].clone(), found["turn"].clone()),
        (json!("library"), json!(3), json!("black"))
    );
    assert_eq!(found["board"], "---------------------------OX------OXX-----O--------------------");
    assert_eq!((found["next"][0]["square"].clone(), found["next"][0]["games"].clone()), (json!("c3"), json!(2)));
    assert_eq!(found["list"][0]["year"], 2004);
    let ana = page.ask(json!({ "type": "library_find", "player": "ana", "to": 2000 })).await;
    assert_eq!((ana["games"].clone(), ana["list"][0]["tournament"].clone()), (json!(1), json!("Copa")));
    let names = page.ask(json!({ "type": "library_names", "kind": "player", "part": "a" })).await;
    assert_eq!(names["names"][0], json!({ "name": "Ana", "games": 2 }));
    let illegal = page.ask(json!({ "type": "library_find", "moves": "f5a1" })).await;
    assert_eq!((illegal["type"].clone(), illegal["why"].clone()), (json!("refused"), json!("bad_message")));

    let number = found["list"][0]["number"].clone();
    let study = page.ask(json!({ "type": "study_new", "from": { "kind": "library", "number": number } })).await;
    assert_eq!(
        (study["type"].clone(), study["black"].clone(), study["white"].clone()),
        (json!("study"), json!("Eva"), json!("Ana"))
    );
    let again = page.ask(json!({ "type": "study_new", "from": { "kind": "library", "number": number } })).await;
    assert_eq!(again["study"], study["study"], "a game that was read before is the same study");
    let none = page.ask(json!({ "type": "study_new", "from": { "kind": "library", "number": 999 } })).await;
    assert_eq!(none["why"], "no_such_game");

    let query = "%7B%22player%22%3A%22ana%22%7D";
    let file = request(house.address, "GET", &format!("/api/library/export?format=txt&query={query}"), "", "").await;
    assert!(file.ends_with("f5d6c3\nd3c5\n"), "{file}");
    let file = request(house.address, "GET", "/api/library/export?format=exe", "", "").await;
    assert!(file.starts_with("HTTP/1.1 404"), "{file}");

    let number = ana["list"][0]["number"].clone();
    let gone = page.ask(json!({ "type": "library_delete", "numbers": [number] })).await;
    assert_eq!(gone["removed"], 1);
    let gone = page.ask(json!({ "type": "library_delete", "source": "bad.txt" })).await;
    assert_eq!(gone["removed"], 1);
    let stats = page.ask(json!({ "type": "library_stats" })).await;
    assert_eq!(
        (stats["games"].clone(), stats["sources"].clone()),
        (json!(1), json!([{ "name": "games.pgn", "games": 1 }]))
    );
    house.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn others_see_nothing_unless_the_owner_wants_it_and_never_change_anything() {
    let folder = tempfile::tempdir().unwrap();
    let house = owners(folder.path()).await;
    request(house.address, "POST", "/api/library", "", &body(&[("games.pgn", PGN)])).await;
    let away = "X-Forwarded-For: 192.0.2.7\r\n";
    for answer in [
        request(house.address, "POST", "/api/library", away, &body(&[("games.pgn", PGN)])).await,
        request(house.address, "GET", "/api/library/export?format=txt", away, "").await,
    ] {
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    }
    house.stop().await;

    for (for_all, why) in [(false, json!("not_yours")), (true, Value::Null)] {
        let house = House::start(Config { library_for_all: for_all, ..config(folder.path()) }).await;
        let mut guest = house.page().await;
        let found = guest.ask(json!({ "type": "library_find" })).await;
        assert_eq!((found["why"].clone(), found["games"].as_u64()), (why, for_all.then_some(2)));
        for ask in [json!({ "type": "library_delete", "numbers": [1] }), json!({ "type": "library_own", "on": false })]
        {
            assert_eq!(guest.ask(ask).await["why"], "not_yours");
        }
        house.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_file_comes_in_at_once_from_the_owner() {
    let folder = tempfile::tempdir().unwrap();
    let house = owners(folder.path()).await;
    // as much as a page may say in a minute
    let line = "f5d6c3d3c4\n";
    let files = body(&[("many.txt", &line.repeat(4 * 1024 * 1024 / line.len()))]);
    let answer = tokio::time::timeout(LONG, request(house.address, "POST", "/api/library", "", &files)).await;
    let added = report(&answer.expect("it does not take a minute"));
    assert_eq!((added["added"].clone(), added["progress"].clone()), (json!(1), json!(1.0)));
    let broken = request(house.address, "POST", "/api/library", "", "no files").await;
    assert!(broken.starts_with("HTTP/1.1 400"), "{broken}");
    house.stop().await;
}

/// Plays both sides of the shortest game there is.
async fn play_out(page: &mut Page) {
    let rules = json!({ "time": { "kind": "none" } });
    let presets = page.welcome["presets"].as_array().unwrap().clone();
    let rules =
        presets.iter().find(|preset| preset["name"] == "casual").map_or(rules, |preset| preset["rules"].clone());
    let seats = json!({ "black": { "kind": "person", "name": "Ana" }, "white": { "kind": "person", "name": "Luis" } });
    let made = page.ask(json!({ "type": "create", "seats": seats, "rules": rules })).await;
    let game = made["game"].as_str().unwrap().to_owned();
    for (ply, square) in ["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6", "e3"].into_iter().enumerate() {
        let answer = page.ask(json!({ "type": "play", "game": game, "square": square, "ply": ply })).await;
        assert_eq!(answer["type"], "done", "{answer}");
    }
}

/// How many games the library has, once it has so many.
async fn until(page: &mut Page, games: u64) {
    let counted = async { while page.ask(json!({ "type": "library_stats" })).await["games"] != games {} };
    tokio::time::timeout(LONG, counted).await.expect("the game joins");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owners_finished_games_join_until_they_do_not_want_it() {
    let folder = tempfile::tempdir().unwrap();
    let house = owners(folder.path()).await;
    let mut page = house.page().await;
    play_out(&mut page).await;
    until(&mut page, 1).await;
    let found = page.ask(json!({ "type": "library_find" })).await;
    assert_eq!((found["list"][0]["black"].clone(), found["list"][0]["score"].clone()), (json!("Ana"), json!(64.0)));
    assert_eq!(page.ask(json!({ "type": "library_own", "on": false })).await["type"], "done");
    page.ask(json!({ "type": "library_delete", "source": "Outflank" })).await;
    play_out(&mut page).await;
    // a file that is added after it shows that it did not come
    request(house.address, "POST", "/api/library", "", &body(&[("games.pgn", PGN)])).await;
    let stats = page.ask(json!({ "type": "library_stats" })).await;
    assert_eq!((stats["games"].clone(), stats["own"].clone()), (json!(2), json!(false)));
    house.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_ended_before_there_was_a_library_join_it_once() {
    let folder = tempfile::tempdir().unwrap();
    let house = owners(folder.path()).await;
    let mut page = house.page().await;
    play_out(&mut page).await;
    until(&mut page, 1).await;
    house.stop().await;
    // As an earlier version left the folder: with the game, without a library.
    let owner = table::PersonId(1);
    let mark = room::DocumentKey { who: owner, kind: room::DocumentKind("library"), id: "joined".parse().unwrap() };
    let store = store::Sqlite::open(folder.path()).unwrap();
    assert!(store.document(&mark).await.unwrap().is_some(), "every start looks once");
    store.write(vec![room::Write::Discard(mark)]).await.unwrap();
    drop(store);
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with("library") {
            std::fs::remove_file(path).unwrap();
        }
    }
    let house = owners(folder.path()).await;
    let mut page = house.page().await;
    until(&mut page, 1).await;
    // What is removed does not come back.
    page.ask(json!({ "type": "library_delete", "source": "Outflank" })).await;
    house.stop().await;
    let house = owners(folder.path()).await;
    let mut page = house.page().await;
    play_out(&mut page).await;
    until(&mut page, 1).await;
    house.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_program_adds_is_seen_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::open(Config { pause: Duration::ZERO, ..Config::new(folder.path()) }, analyst()).await.unwrap();
    drop(server);
    let house = owners(folder.path()).await;
    let mut page = house.page().await;
    assert_eq!(page.ask(json!({ "type": "library_find" })).await["games"], 0);
    let mut library = library::Library::open(folder.path()).unwrap();
    let game = record::Record::from_moves([rules::Square::F5]).unwrap();
    library.add(&[game], "elsewhere").unwrap();
    assert_eq!(page.ask(json!({ "type": "library_find" })).await["games"], 1);
    house.stop().await;
}

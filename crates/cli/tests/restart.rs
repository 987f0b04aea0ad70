//! A server that comes back to very many unfinished games.

mod common;

use common::Server;
use room::{Answer, Ask, Command, Random, Room};
use rules::{ByColor, Square};
use serde_json::json;
use std::{
    fs::File,
    io::Read,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use store::{Sqlite, Store};
use table::{At, Called, PersonId, Ply, Preset, Rules, Seat, TimeControl};

fn random() -> Random {
    let mut bytes = [0; 128];
    File::open("/dev/urandom").unwrap().read_exact(&mut bytes).unwrap();
    Random::new(bytes)
}

#[test]
#[ignore = "measures: run it by name"]
fn ten_thousand_unfinished_games() {
    const GAMES: i64 = 10_000;
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let now: At = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as At;
    {
        // Timed games of two people, in each of which one move was made.
        let store = Sqlite::open(folder.path()).unwrap();
        let person = |who| Seat::Person { who: PersonId(who), name: Called::First };
        let rules = Rules { time: TimeControl::SuddenDeath { main_ms: 1_800_000 }, ..Preset::Casual.rules() };
        for number in 1..=GAMES {
            let (black, white) = (2 * number, 2 * number + 1);
            let command =
                |id: &str| Command { who: PersonId(black), id: format!("{id}{number}").parse().unwrap(), at: now };
            let seats = ByColor { black: person(black), white: person(white) };
            let mut random = random();
            let (room, mut writes) = Room::begin(store.key(), &command("c"), seats, rules, &mut random).unwrap();
            let play = Ask::Play { square: Square::F5, ply: Ply(0) };
            let Answer::New(effects) = room.ask(&command("p"), &play, &mut random).unwrap() else {
                panic!("it is new")
            };
            writes.extend(effects.writes);
            runtime.block_on(store.write(writes)).unwrap();
        }
        runtime.block_on(store.write(vec![room::Write::Alive { at: now }])).unwrap();
    }
    // As it is after a crash: from the start of the process until a move is on disk.
    for _ in 0..3 {
        let begun = Instant::now();
        let server = Server::start(folder.path());
        let mut page = server.page().unwrap();
        let seat = |name: &str| json!({"kind": "person", "name": name});
        let rules = json!({"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": true});
        let seats = json!({"black": seat("Ana"), "white": seat("Luis")});
        let made = page.ask("c", json!({"type": "create", "seats": seats, "rules": rules})).unwrap();
        let play = json!({"type": "play", "game": made["game"], "square": "f5", "ply": 0});
        assert_eq!(page.ask("p", play).unwrap()["type"], "done");
        let took = begun.elapsed();
        println!("{GAMES} unfinished games: the first move is accepted after {:.2} s", took.as_secs_f64());
        assert!(took <= Duration::from_secs(2));
    }
}

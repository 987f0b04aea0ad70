//! The server is killed without warning, again and again, while a game is played.
//!
//! Whatever a player has seen or been told is there afterwards, once. `OUTFLANK_KILLS=200 cargo test -p outflank --test kill`
//! tries it for longer.

mod common;

use common::{Page, Server};
use serde_json::{Value, json};
use std::{
    sync::{Arc, Mutex},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// What the player knows.
#[derive(Default)]
struct Player {
    /// Commands so far: each gets its own id.
    commands: u64,
    /// A command that has not been answered, and the square it plays, if it plays one.
    pending: Option<(String, Value, Option<String>)>,
    game: Option<String>,
    /// The moves that were acknowledged, or shown, in order.
    known: Vec<String>,
    /// The highest entry that was seen.
    seq: u64,
    finished: u64,
    moves: u64,
}

fn squares(moves: &Value) -> Vec<String> {
    moves.as_array().unwrap().iter().map(|played| played["square"].as_str().unwrap().to_owned()).collect()
}

impl Player {
    /// Plays until the server is gone.
    fn play(&mut self, page: &mut Page) -> Option<()> {
        if let Some((id, ask, square)) = self.pending.clone() {
            // Sent again with the same id: it counts once, whether or not it had arrived.
            let answer = page.ask(&id, ask)?;
            self.answered(&answer, square);
        }
        if let Some(game) = self.game.clone() {
            self.check(page, &game)?;
        }
        loop {
            let Some(game) = self.game.clone() else {
                let seat = |name: &str| json!({"kind": "person", "name": name});
                let rules = json!({"time": {"kind": "sudden_death", "main_ms": 3_600_000}, "overrun": "loses",
                    "empties": "to_winner", "takebacks": true});
                let create =
                    json!({"type": "create", "seats": {"black": seat("Ana"), "white": seat("Luis")}, "rules": rules});
                self.command(page, create, None)?;
                continue;
            };
            let state = self.check(page, &game)?;
            if state["view"]["status"] == "over" {
                self.finished += 1;
                (self.game, self.seq) = (None, 0);
                self.known.clear();
                continue;
            }
            let mut state = state;
            while state["view"]["status"] == "playing" {
                let legal = state["view"]["legal"].as_array().unwrap();
                let square = legal[self.commands as usize % legal.len()]["square"].as_str().unwrap().to_owned();
                let play = json!({"type": "play", "game": game, "square": square, "ply": state["view"]["ply"]});
                page.news.clear();
                self.command(page, play, Some(square))?;
                state = page.latest()?;
            }
        }
    }

    fn command(&mut self, page: &mut Page, ask: Value, square: Option<String>) -> Option<()> {
        self.commands += 1;
        let id = format!("c{}", self.commands);
        self.pending = Some((id.clone(), ask.clone(), square.clone()));
        page.news.clear();
        let answer = page.ask(&id, ask);
        // What was shown counts as well as what was acknowledged.
        if answer.is_none()
            && let Some(shown) = page.news.last()
            && shown["view"]["ply"].as_u64() == Some(self.known.len() as u64 + 1)
            && let Some(square) = square.clone()
        {
            self.known.push(square);
            self.moves += 1;
            if let Some((_, _, pending)) = &mut self.pending {
                *pending = None; // it is on disk: the answer to come says so again
            }
        }
        self.answered(&answer?, square);
        Some(())
    }

    fn answered(&mut self, answer: &Value, square: Option<String>) {
        assert_eq!(answer["type"], "done", "{answer}");
        match square {
            Some(square) => {
                self.known.push(square);
                self.moves += 1;
            }
            None if self.game.is_none() => self.game = Some(answer["game"].as_str().unwrap().to_owned()),
            None => {}
        }
        self.pending = None;
    }

    /// The game is exactly what the player knows: nothing lost, nothing twice.
    fn check(&mut self, page: &mut Page, game: &str) -> Option<Value> {
        self.commands += 1;
        let state = page.ask(&format!("o{}", self.commands), json!({"type": "open", "game": game}))?;
        assert_eq!(state["type"], "game", "{state}");
        assert_eq!(squares(&state["moves"]), self.known, "game {game}");
        let seq = state["seq"].as_u64().unwrap();
        assert!(seq >= self.seq, "the log never shrinks");
        self.seq = seq;
        assert_ne!(state["view"]["verdict"]["ending"], "out_of_time");
        Some(state)
    }
}

#[test]
fn kill_9_loses_no_acknowledged_move_and_doubles_none() {
    let kills: u64 = std::env::var("OUTFLANK_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
    println!("seed {seed}");
    let mut random = seed;
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::default();
    for _ in 0..kills {
        let server = Arc::new(Mutex::new(Server::start(folder.path())));
        // xorshift64
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let wait = Duration::from_micros(random % 150_000);
        let killer = thread::spawn({
            let server = server.clone();
            let page = server.lock().unwrap().page();
            move || {
                thread::sleep(wait);
                server.lock().unwrap().child.kill().unwrap();
                drop(page);
            }
        });
        let page = server.lock().unwrap().page();
        if let Some(mut page) = page {
            player.play(&mut page);
        }
        killer.join().unwrap();
    }
    let server = Server::start(folder.path());
    let mut page = server.page().unwrap();
    if let Some((id, ask, square)) = player.pending.clone() {
        let answer = page.ask(&id, ask).unwrap();
        player.answered(&answer, square);
    }
    if let Some(game) = player.game.clone() {
        player.check(&mut page, &game).unwrap();
    }
    let list = page.ask("list", json!({"type": "list"})).unwrap();
    let listed = list["games"].as_array().unwrap().len() as u64;
    let begun = player.finished + u64::from(player.game.is_some());
    assert!(listed == begun || list["more"] == true, "{listed} games listed, {begun} begun");
    println!("{kills} kills, {} moves acknowledged, {begun} games: none lost, none doubled", player.moves);
    assert!(player.moves > 0);
}

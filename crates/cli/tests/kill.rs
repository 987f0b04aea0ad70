//! The server is killed without warning, again and again, while a game is played in a page and another in a terminal; the terminal
//! is killed too, be it a page of the server's or the one that has the games open.
//!
//! Whatever a player has seen or been told is there afterwards, once. `OUTFLANK_KILLS=200 cargo test -p outflank --test kill`
//! tries it for longer.

mod common;

use common::{Page, Plain, Random, Server, outflank};
use serde_json::{Value, json};
use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
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

/// What the player at the terminal knows. Whatever it printed counts.
struct AtTerminal<'a> {
    folder: &'a Path,
    random: Random,
    /// Each of the players has a name of their own, so that the game is found again.
    names: u64,
    known: Vec<String>,
    begun: u64,
    moves: u64,
    kills: u64,
}

/// How it went on.
enum After {
    /// Killed, after this was typed and perhaps done.
    Killed(String),
    /// The game is over, and so is the program.
    Over,
    /// It is enough.
    Stopped,
}

impl AtTerminal<'_> {
    fn name(&self) -> String {
        format!("T{}", self.names)
    }

    /// The id of the game that is not over and has this name in it.
    fn find(&self) -> Option<String> {
        let output = outflank(&["play", "--game", "none", "--data"]).arg(self.folder).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("there is no game none"), "{said}");
        let (_, games) = said.split_once("not over are ")?;
        let mine = games.split("; ").find(|game| game.contains(&format!(" ({},", self.name())))?;
        Some(mine.split(' ').next().unwrap().to_owned())
    }

    fn play_until(&mut self, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            self.names += 1;
            self.known.clear();
            let name = self.name();
            let mut terminal = Plain::start(self.folder, &["--black", &name]);
            terminal.until(&["Black may play"]);
            self.begun += 1;
            loop {
                match self.play(&mut terminal, stop) {
                    After::Killed(pending) => {
                        drop(terminal);
                        let Some(id) = self.find() else {
                            // its last move ended the game: the terminal was killed before it said so
                            self.moves += 1;
                            break;
                        };
                        terminal = Plain::start(self.folder, &["--game", &id]);
                        self.check(&mut terminal, &pending);
                    }
                    After::Over => break,
                    After::Stopped => return,
                }
            }
        }
    }

    /// Plays until the game is over, it is enough, or the terminal has been killed.
    fn play(&mut self, terminal: &mut Plain, stop: &AtomicBool) -> After {
        loop {
            if stop.load(Ordering::Relaxed) {
                terminal.type_line("quit");
                assert!(terminal.child.wait().unwrap().success());
                return After::Stopped;
            }
            terminal.type_line("legal");
            let legal = terminal.until(&["may play"]);
            let squares: Vec<&str> = legal.split(": ").nth(1).unwrap().split_whitespace().collect();
            let square = squares[self.random.below(squares.len() as u64) as usize].to_owned();
            terminal.type_line(&square);
            let killed = self.random.below(20) == 0;
            let said = if killed {
                thread::sleep(Duration::from_micros(self.random.below(4000)));
                terminal.child.kill().unwrap();
                self.kills += 1;
                match terminal.rest().lines().find(|line| line.contains("turns")).map(str::to_owned) {
                    None => return After::Killed(square),
                    Some(said) => said,
                }
            } else {
                terminal.until(&["turns"])
            };
            assert!(said.contains(&format!(" {square}, turns")), "{square}: {said}");
            self.known.push(square);
            self.moves += 1;
            if ["wins", "draw"].iter().any(|word| said.contains(word)) {
                return After::Over;
            }
            if killed {
                return After::Killed(String::new());
            }
        }
    }

    /// The game is exactly what was printed, and perhaps the move that was typed last.
    fn check(&mut self, terminal: &mut Plain, pending: &str) {
        terminal.type_line("moves");
        let list = terminal.until(&["1. ", "No moves yet"]);
        let is_square = |word: &&str| word.len() == 2 && word.ends_with(|last| ('1'..='8').contains(&last));
        let moves: Vec<String> = list.split_whitespace().filter(is_square).map(str::to_owned).collect();
        if moves.len() > self.known.len() && !pending.is_empty() {
            self.known.push(pending.to_owned());
            self.moves += 1;
        }
        assert_eq!(moves, self.known, "{list}");
    }
}

/// How many games the list has.
fn count_games(page: &mut Page) -> u64 {
    let (mut count, mut before) = (0, Value::Null);
    loop {
        let mut ask = json!({"type": "list"});
        if !before.is_null() {
            ask["before"] = before;
        }
        let list = page.ask(&format!("list{count}"), ask).unwrap();
        let games = list["games"].as_array().unwrap();
        count += games.len() as u64;
        if list["more"] != true {
            return count;
        }
        before = games.last().unwrap()["game"].clone();
    }
}

#[test]
fn kill_9_loses_no_acknowledged_move_and_doubles_none() {
    let kills: u64 = std::env::var("OUTFLANK_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
    println!("seed {seed}");
    let mut random = Random(seed);
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::default();
    let mut terminal =
        AtTerminal { folder: folder.path(), random, names: 0, known: Vec::new(), begun: 0, moves: 0, kills: 0 };
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let playing = scope.spawn(|| terminal.play_until(&stop));
        for _ in 0..kills {
            // A terminal that failed has found something: no need to go on.
            if playing.is_finished() {
                break;
            }
            let server = Arc::new(Mutex::new(Server::start(folder.path())));
            let wait = Duration::from_micros(random.below(150_000));
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
        stop.store(true, Ordering::Relaxed);
    });
    let server = Server::start(folder.path());
    let mut page = server.page().unwrap();
    if let Some((id, ask, square)) = player.pending.clone() {
        let answer = page.ask(&id, ask).unwrap();
        player.answered(&answer, square);
    }
    if let Some(game) = player.game.clone() {
        player.check(&mut page, &game).unwrap();
    }
    let begun = player.finished + u64::from(player.game.is_some()) + terminal.begun;
    assert_eq!(count_games(&mut page), begun, "games listed, and begun");
    let (in_page, in_terminal) = (player.moves, terminal.moves);
    println!(
        "{kills} kills of the server, {} of the terminal; {in_page} moves acknowledged in the page,",
        terminal.kills
    );
    println!("{in_terminal} printed by the terminal, {begun} games: none lost, none doubled");
    assert!(in_page > 0 && in_terminal > 0);
}

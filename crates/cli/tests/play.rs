//! `outflank play`, played: line by line through pipes, and on a real terminal through tmux where there is one.

mod common;

use common::{Plain, Server, outflank};
use serde_json::{Value, json};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Plays the first legal square until the game is over; what was said about the end.
fn play_out(game: &mut Plain) -> String {
    loop {
        game.type_line("legal");
        let legal = game.until(&["may play", "puede jugar"]);
        let squares: Vec<&str> = legal.split(": ").nth(1).unwrap().split_whitespace().collect();
        game.type_line(squares[0]);
        let said = game.until(&["turns", "voltea"]);
        if is_over(&said) {
            return said;
        }
    }
}

fn is_over(said: &str) -> bool {
    ["wins", "draw", "Gana", "Empate"].iter().any(|word| said.contains(word))
}

#[test]
fn two_people_play_to_the_end_and_nothing_is_left_to_resume() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Plain::start(folder.path(), &["--black", "Ana", "--white", "Luis"]);
    let end = play_out(&mut game);
    assert!(end.contains("Score"), "{end}");
    game.type_line("f5");
    game.until(&["The game is over"]);
    game.type_line("quit");
    assert!(game.child.wait().unwrap().success());
    let output = outflank(&["play", "--resume", "--data"]).arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no game to go on with"));
}

#[test]
fn the_computer_answers() {
    let folder = tempfile::tempdir().unwrap();
    // a level that never errs plays the same game every time
    let mut game = Plain::start(folder.path(), &["--level", "12", "--color", "white"]);
    let first = game.until(&["White to move"]);
    assert!(first.contains("turns"), "{first}");
    for _ in 0..3 {
        game.type_line("legal");
        let legal = game.until(&["may play"]);
        game.type_line(legal.split(": ").nth(1).unwrap().split_whitespace().next().unwrap());
        game.until(&["White "]);
        game.until(&["Black "]);
    }
    game.type_line("undo");
    game.until(&["Taken back"]);
    game.type_line("moves");
    // "White 1. " is a score
    let moves = std::iter::repeat_with(|| game.until(&["1. "])).find(|line| line.starts_with("1. ")).unwrap();
    assert!(moves.contains("5. ") && !moves.contains("6. "), "{moves}");
}

#[test]
fn levels_have_names() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Plain::start(folder.path(), &["--level", "casual"]);
    game.type_line("quit");
    assert!(game.child.wait().unwrap().success());
    // the page has it in its list
    let list = Server::start(folder.path()).page().unwrap().ask("l", json!({"type": "list"})).unwrap();
    assert_eq!(list["games"][0]["seats"]["white"]["level"], 5, "{list}");
}

#[test]
fn killed_in_the_middle_it_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Plain::start(folder.path(), &["--minutes", "30"]);
    for square in ["f5", "d6", "c3"] {
        game.type_line(square);
        game.until(&["turns"]);
    }
    drop(game);
    for _ in 0..2 {
        let mut game = Plain::start(folder.path(), &["--resume"]);
        let which = game.until(&["goes on"]);
        assert!(which.contains("Player 1 (Black) against Player 2 (White), 3 moves played."), "{which}");
        game.type_line("moves");
        assert_eq!(game.until(&["1. "]).trim(), "1. f5 2. d6 3. c3 Opening: Perpendicular.");
    }
    let mut game = Plain::start(folder.path(), &["--resume", "--lang", "es"]);
    game.type_line("d3");
    game.until(&["Blanco d3, voltea"]);
}

/// A game as `outflank play` kept it before it had a server: f5 d6 c3, begun an hour ago, which is more than the clocks hold.
fn old_game(data: &Path, name: &str, minutes: u64, more: &[Value]) {
    let hour_ago = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64 - 3_600_000;
    let person = |name: &str| json!({"kind": "person", "who": 1, "name": name});
    let rules = json!({"time": {"kind": "sudden_death", "main_ms": minutes * 60_000}, "overrun": "loses",
        "empties": "to_winner", "takebacks": true});
    let mut lines =
        vec![json!({"at": hour_ago, "seats": {"black": person("Ana"), "white": person("Luis")}, "rules": rules})];
    for (ply, square) in ["f5", "d6", "c3"].into_iter().enumerate() {
        let by = if ply % 2 == 0 { "black" } else { "white" };
        lines.push(json!({"at": hour_ago, "by": by, "play": {"square": square, "ply": ply}}));
    }
    lines.extend_from_slice(more);
    for line in &mut lines[4..] {
        line["at"] = (line["at"].as_u64().unwrap() + hour_ago).into();
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::create_dir_all(data.join("terminal")).unwrap();
    // A line that was cut short by a crash never happened.
    fs::write(data.join("terminal").join(name), format!("{text}{{\"at\":99,\"by\":\"white\",\"play\":{{\"squ"))
        .unwrap();
}

#[test]
fn games_of_an_earlier_version_go_on_and_none_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let terminal = folder.path().join("terminal");
    old_game(folder.path(), "0000000000002.game", 30, &[]);
    old_game(folder.path(), "0000000000001.game", 30, &[json!({"at": 0, "by": "white", "resign": {}})]);
    fs::write(terminal.join("0000000000003.game"), "half a li").unwrap();
    let kept = fs::read_to_string(terminal.join("0000000000002.game")).unwrap();
    // each once, however often the games are opened
    for _ in 0..2 {
        let mut game = Plain::start(folder.path(), &["--resume"]);
        game.until(&["Ana (Black) against Luis (White), 3 moves played."]);
        game.type_line("moves");
        assert_eq!(game.until(&["1. "]).trim(), "1. f5 2. d6 3. c3 Opening: Perpendicular.");
        // nobody has paid for the hour
        game.type_line("clock");
        game.until(&["Black 30:00, White 2"]);
    }
    let list = Server::start(folder.path()).page().unwrap().ask("l", json!({"type": "list"})).unwrap();
    let games = list["games"].as_array().unwrap();
    assert_eq!(games.len(), 2, "{list}");
    assert!(games.iter().any(|game| game["verdict"]["ending"] == "resigned"), "{list}");
    // the files are still there, also the one that holds no game
    assert_eq!(fs::read_to_string(terminal.join("0000000000002.game.imported")).unwrap(), kept);
    assert!(terminal.join("0000000000001.game.imported").exists());
    assert_eq!(fs::read_to_string(terminal.join("0000000000003.game")).unwrap(), "half a li");
    assert_eq!(fs::read_dir(&terminal).unwrap().count(), 3);
}

#[test]
fn questions_are_asked_before_anything_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Plain::start(folder.path(), &["--black", "Ana", "--white", "Luis"]);
    game.type_line("f5");
    game.until(&["turns"]);
    game.type_line("new");
    game.until(&["A new game?"]);
    game.type_line("no");
    game.type_line("resign");
    game.until(&["give up?"]);
    game.type_line("no");
    game.type_line("moves");
    game.until(&["1. f5"]);
    game.type_line("new");
    game.until(&["A new game?"]);
    game.type_line("2");
    game.until(&["Black may play"]);
    game.type_line("resign");
    game.until(&["Does Black give up?"]);
    game.type_line("y");
    game.until(&["Black gave up. White wins 64–0."]);
}

#[test]
fn a_flag_falls_while_nobody_types() {
    let folder = tempfile::tempdir().unwrap();
    // Most of White's minute is used: so the log says.
    old_game(folder.path(), "1.game", 1, &[json!({"at": 59_500, "by": null, "look": {}})]);
    let mut game = Plain::start(folder.path(), &["--resume"]);
    game.until(&["White ran out of time. Black wins 64–0."]);
}

#[test]
fn two_terminals_and_a_server_have_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = Plain::start(folder.path(), &["--black", "Ana", "--white", "Luis"]);
    first.until(&["Black may play"]);
    // the second terminal is a page of the first one's server
    let mut second = Plain::start(folder.path(), &["--resume"]);
    second.until(&["Black may play"]);
    second.type_line("f5");
    for terminal in [&mut first, &mut second] {
        terminal.until(&["Black f5, turns e5."]);
    }
    // a server that is started gets the games, and both terminals are its pages
    let server = Server::start(folder.path());
    first.until(&["A server has been started. The game goes on there."]);
    second.until(&["The connection to the server was lost and is back.", "A server has been started."]);
    let mut page = server.page().unwrap();
    let list = page.ask("l", json!({"type": "list"})).unwrap();
    let id = list["games"][0]["game"].as_str().unwrap().to_owned();
    assert_eq!((&list["games"][0]["ply"], list["games"].as_array().unwrap().len()), (&json!(1), 1));
    page.ask("p", json!({"type": "play", "game": id, "square": "d6", "ply": 1})).unwrap();
    for terminal in [&mut first, &mut second] {
        terminal.until(&["White d6, turns d5."]);
    }
    // without it one of them opens the games, and the other is its page again
    drop(server);
    first.until(&["The server has stopped. The game goes on in this terminal.", "was lost and is back"]);
    first.type_line("c3");
    for terminal in [&mut first, &mut second] {
        terminal.until(&["Black c3, turns d4."]);
    }
    first.type_line("quit");
    assert!(first.child.wait().unwrap().success());
    second.type_line("undo");
    second.until(&["Taken back."]);
    second.type_line("quit");
    assert!(second.child.wait().unwrap().success());
    // a game can be named
    let mut named = Plain::start(folder.path(), &["--game", &id]);
    named.until(&[&format!("Game {id} goes on: Ana (Black) against Luis (White), 2 moves played.")]);
    named.type_line("quit");
    assert!(named.child.wait().unwrap().success());
    let output = outflank(&["play", "--game", "nosuch", "--data"]).arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.trim(), format!("outflank: there is no game nosuch; not over are {id} (Ana, Luis)"));
}

#[test]
fn two_people_on_two_devices_one_of_them_at_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut page = server.page().unwrap();
    let create = json!({"type": "create", "seats": {"black": {"kind": "person", "name": "Ana"}, "white": {"kind": "open"}},
        "rules": {"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": true}});
    let id = page.ask("c", create).unwrap()["game"].as_str().unwrap().to_owned();
    // it waits: there is nothing to go on with yet, but it can be named
    let output = outflank(&["play", "--resume", "--data"]).arg(folder.path()).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("no game to go on with"));
    let mut terminal = Plain::start(folder.path(), &["--game", &id]);
    terminal.until(&["against nobody yet (White), 0 moves played."]);
    terminal.type_line("f5");
    terminal.until(&["The other player is not here yet."]);
    let opened = page.ask("o", json!({"type": "open", "game": id})).unwrap();
    let invite = opened["invites"]["white"].as_str().unwrap().to_owned();
    let mut guest = server.guest().unwrap();
    guest.ask("s", json!({"type": "sit", "game": id, "invite": invite, "name": "Luis"})).unwrap();
    terminal.until(&["The other player is here."]);
    terminal.type_line("f5");
    terminal.until(&["Black f5, turns e5."]);
    terminal.type_line("c3");
    terminal.until(&["It is the other player’s turn."]);
    terminal.type_line("hint");
    terminal.until(&["No hints against another person."]);
    // what takes both is asked, and answered from either side
    terminal.type_line("undo");
    terminal.until(&["You asked Luis to take a move back."]);
    guest.ask("n", json!({"type": "answer", "game": id, "what": "takeback", "accept": false})).unwrap();
    terminal.until(&["Luis says no."]);
    guest.ask("p", json!({"type": "play", "game": id, "square": "d6", "ply": 1})).unwrap();
    terminal.until(&["White d6, turns d5."]);
    guest.ask("t", json!({"type": "takeback", "game": id, "ply": 2})).unwrap();
    terminal.until(&["Luis asks to take a move back. y or yes: agree, x or no: decline."]);
    terminal.type_line("yes");
    terminal.until(&["Taken back."]);
    guest.ask("a", json!({"type": "again", "game": id, "swap": true})).unwrap();
    terminal.until(&["Luis asks to scrap this game for a rematch."]);
    terminal.type_line("yes");
    terminal.until(&["Black may play"]);
    terminal.type_line("f5");
    terminal.until(&["It is the other player’s turn."]);
}

/// A terminal of its own, closed when it goes out of scope.
struct Terminal {
    name: String,
}

impl Terminal {
    fn start(name: &str, size: (u16, u16), data: &Path, more: &str) -> Option<Terminal> {
        Terminal::start_in("en", name, size, data, more)
    }

    fn start_in(language: &str, name: &str, size: (u16, u16), data: &Path, more: &str) -> Option<Terminal> {
        Terminal::running(&Terminal::command(language, data, more), name, size)
    }

    fn command(language: &str, data: &Path, more: &str) -> String {
        let binary = env!("CARGO_BIN_EXE_outflank");
        format!("LC_ALL=C.UTF-8 {binary} play --lang {language} --data {} {more}", data.display())
    }

    /// A terminal in which this command runs.
    fn running(command: &str, name: &str, size: (u16, u16)) -> Option<Terminal> {
        let name = format!("outflank-{name}-{}", std::process::id());
        let (width, height) = (size.0.to_string(), size.1.to_string());
        let started = Command::new("tmux")
            .env("LC_ALL", "C.UTF-8")
            .args(["-L", &name, "-f", "/dev/null", "new-session", "-d", "-x", &width, "-y", &height, command])
            .status();
        if !started.is_ok_and(|status| status.success()) {
            println!("skipped: there is no tmux");
            return None;
        }
        Some(Terminal { name })
    }

    fn tmux(&self, args: &[&str]) -> String {
        let output =
            Command::new("tmux").env("LC_ALL", "C.UTF-8").args(["-L", &self.name]).args(args).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Waits until the screen shows `wanted`.
    fn until(&self, wanted: &str) -> String {
        for _ in 0..200 {
            let shown = self.tmux(&["capture-pane", "-p"]);
            if shown.contains(wanted) {
                return shown;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("never shown: {wanted}\n{}", self.tmux(&["capture-pane", "-p"]));
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// Twelve squares are empty, and most moves give a corner away.
const BEFORE_CORNER: &str =
    "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1";

#[test]
fn a_hint_is_followed_by_what_speaks_for_it_in_both_languages() {
    for (language, hint, corner) in [("en", "A good move: ", "the corner"), ("es", "Una buena jugada: ", "la esquina")]
    {
        let folder = tempfile::tempdir().unwrap();
        let mut game = Plain::start(folder.path(), &["--black", "Ana", "--white", "Luis", "--lang", language]);
        for square in BEFORE_CORNER.as_bytes().chunks(2) {
            game.type_line(std::str::from_utf8(square).unwrap());
        }
        game.type_line(if language == "en" { "hint" } else { "pista" });
        game.until(&[hint]);
        game.until(&[corner]);
    }
}

#[test]
fn the_name_of_the_opening_is_said_when_it_is_reached_and_with_the_moves() {
    let folder = tempfile::tempdir().unwrap();
    for (language, said) in [("en", "Opening: Tiger."), ("es", "Apertura: Tigre.")] {
        let mut game = Plain::start(folder.path(), &["--lang", language]);
        for square in ["f5", "d6", "c3", "d3", "c4"] {
            game.type_line(square);
        }
        game.until(&[said]);
        game.type_line("f4");
        let next = game.until(&["f4"]);
        assert!(!next.contains(said), "once: {next}");
        game.type_line(if language == "en" { "moves" } else { "lista" });
        game.until(&[said]);
        game.type_line("quit");
        assert!(game.child.wait().unwrap().success());
    }
}

#[test]
fn a_game_on_a_terminal_by_keys_and_by_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let Some(terminal) = Terminal::start("game", (90, 26), folder.path(), "--black Ana --white Luis") else { return };
    // What is drawn last.
    let start = terminal.until("q quit");
    assert!(start.contains("▶ ● Ana  2") && start.contains("○ Luis  2"), "{start}");
    assert_eq!(start.matches('·').count(), 4 + 5, "four legal squares, and the dots of the last line\n{start}");
    terminal.keys(&["f", "5", "Enter"]);
    terminal.until("Black f5, turns e5.");
    terminal.keys(&["a", "1", "Enter"]);
    terminal.until("a1 turns no disc");
    // The mouse, as a terminal reports it: button 0 at column 15, row 12 is d6.
    terminal.keys(&["-l", "\x1b[<0;16;12M\x1b[<0;16;12m"]);
    terminal.until("White d6, turns d5.");
    terminal.keys(&["u"]);
    terminal.until("Taken back.");
    terminal.keys(&["PageUp"]);
    terminal.until("After move 0 of 1.");
    terminal.keys(&["End", "?"]);
    terminal.until("go to e6");
    terminal.keys(&["Escape"]);
    terminal.keys(&["n"]);
    terminal.until("A new game?");
    terminal.keys(&["2"]);
    terminal.until("▶ ● Luis  2");
    terminal.until("○ Ana  2");
    terminal.keys(&["r"]);
    terminal.until("Does Black give up?");
    terminal.keys(&["y"]);
    terminal.until("White wins 64–0.");
}

#[test]
fn who_gave_no_name_is_called_something_in_every_language() {
    let folder = tempfile::tempdir().unwrap();
    let Some(english) = Terminal::start("names", (90, 26), folder.path(), "") else { return };
    let start = english.until("q quit");
    assert!(start.contains("▶ ● Player 1  2") && start.contains("○ Player 2  2"), "{start}");
    // Colours swapped, the second player has Black.
    english.keys(&["n"]);
    english.until("A new game?");
    english.keys(&["2"]);
    english.until("▶ ● Player 2  2");
    english.keys(&["f", "5", "Enter"]);
    english.until("Black f5, turns e5.");
    english.keys(&["q"]);
    drop(english);
    let spanish = Terminal::start_in("es", "nombres", (90, 26), folder.path(), "--resume").unwrap();
    let go_on = spanish.until("Negro f5");
    assert!(go_on.contains("● Jugador 2  4") && go_on.contains("○ Jugador 1  1"), "{go_on}");
    for english in ["Player", "Black", "White", "move", "quit", "You"] {
        assert!(!go_on.contains(english), "{english}\n{go_on}");
    }
    spanish.keys(&["q"]);
    drop(spanish);
    let folder = tempfile::tempdir().unwrap();
    let alone = Terminal::start_in("es", "solo", (90, 26), folder.path(), "--level 1 --color white").unwrap();
    assert!(alone.until("○ Tú").contains("● Ordenador"));
}

#[test]
fn a_game_is_taken_out_in_any_format_and_nothing_is_replaced_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = Plain::start(folder.path(), &["--black", "Ana", "--white", "Luis"]);
    for square in ["f5", "d6", "c3"] {
        game.type_line(square);
        game.until(&["turns"]);
    }
    let path = |name: &str| folder.path().join(name).display().to_string();
    for name in ["game.sgf", "game.pgn", "game.ggf", "game.txt", "game.wtb", "game.board", "game.svg"] {
        game.type_line(&format!("save {}", path(name)));
        assert!(game.until(&["aved"]).starts_with("Saved as"), "{name}");
        let answer = outflank(&["show", "--json"]).arg(path(name)).output().unwrap();
        if !["game.svg"].contains(&name) {
            let answer: serde_json::Value = serde_json::from_slice(&answer.stdout).unwrap();
            let board = "------------------X--------XX------OXX-----O--------------------";
            assert!(answer["board"].as_str().unwrap().starts_with(board), "{name}: {answer}");
        }
    }
    assert!(fs::read_to_string(path("game.sgf")).unwrap().contains("PB[Ana]"));
    // what the format has no place for is said
    game.type_line(&format!("save {}", path("bare.txt")));
    let said = game.until(&["aved as"]);
    assert!(said.contains("bare.txt, without ") && said.contains("names"), "{said}");
    // what is there stays there unless the user says so
    fs::write(path("mine.txt"), "mine").unwrap();
    game.type_line("save");
    game.until(&["Save the game as"]);
    game.type_line(&path("mine.txt"));
    game.until(&["Replace it?"]);
    game.type_line("no");
    game.type_line("save nothing.doc");
    game.until(&["does not say a format"]);
    assert_eq!(fs::read_to_string(path("mine.txt")).unwrap(), "mine");
    game.type_line(&format!("save {}", path("mine.txt")));
    game.until(&["Replace it?"]);
    game.type_line("yes");
    game.until(&["Saved as"]);
    assert_eq!(fs::read_to_string(path("mine.txt")).unwrap(), "f5d6c3\n");
    game.type_line("save /nowhere/at/all/game.sgf");
    game.until(&["cannot write"]);
    // positions cannot hold a game, and that is said
    game.type_line(&format!("save {}", path("game.obf")));
    game.until(&["was not saved: obf holds positions"]);
    game.type_line("moves");
    game.until(&["1. f5 2. d6 3. c3"]);
}

#[test]
fn on_a_terminal_a_game_is_saved_by_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let Some(terminal) = Terminal::start("save", (90, 26), folder.path(), "") else { return };
    terminal.until("q quit");
    terminal.keys(&["f", "5", "Enter"]);
    terminal.until("Black f5, turns e5.");
    terminal.keys(&["s"]);
    terminal.until("Save the game as");
    // letters are letters of the name now, and can be taken back
    let path = folder.path().join("quiet.sgf");
    terminal.keys(&["-l", &format!("{}x", path.display())]);
    terminal.until("quiet.sgfx");
    terminal.keys(&["BSpace", "Enter"]);
    terminal.until("Saved as");
    assert!(fs::read_to_string(&path).unwrap().contains(";B[f5]"));
    fs::write(&path, "mine").unwrap();
    for (answer, wanted) in [("n", "mine"), ("y", "(;")] {
        terminal.keys(&["s"]);
        terminal.until("Save the game as");
        terminal.keys(&["-l", path.to_str().unwrap()]);
        terminal.keys(&["Enter"]);
        terminal.until("Replace it?");
        terminal.keys(&[answer]);
        terminal.until(if answer == "y" { "Saved as" } else { "Black f5, turns e5." });
        assert!(fs::read_to_string(&path).unwrap().starts_with(wanted), "{answer}");
    }
    terminal.keys(&["s"]);
    terminal.until("Save the game as");
    terminal.keys(&["Escape"]);
    terminal.until("Black f5, turns e5.");
}

#[test]
fn ctrl_z_gives_the_terminal_back_and_fg_draws_the_game_again() {
    let folder = tempfile::tempdir().unwrap();
    let Some(terminal) = Terminal::running("PS1='ready> ' sh -i", "stop", (90, 26)) else { return };
    terminal.until("ready>");
    let command = Terminal::command("en", folder.path(), "--minutes 5");
    terminal.keys(&["-l", &command]);
    terminal.keys(&["Enter"]);
    terminal.until("q quit");
    terminal.keys(&["f", "5", "Enter"]);
    terminal.until("Black f5, turns e5.");
    terminal.keys(&["C-z"]);
    terminal.until("Stopped");
    // the shell is there, and what is typed is seen
    terminal.keys(&["-l", "echo I am $((40+2))"]);
    terminal.keys(&["Enter"]);
    terminal.until("I am 42");
    // a program that stands still keeps nobody from the games
    let mut other = Plain::start(folder.path(), &["--resume"]);
    other.type_line("f6");
    other.until(&["White f6, turns"]);
    other.type_line("quit");
    assert!(other.child.wait().unwrap().success());
    terminal.keys(&["-l", "fg"]);
    terminal.keys(&["Enter"]);
    let again = terminal.until("q quit");
    assert!(again.contains("Black to move.") && !again.contains("I am 42"), "{again}");
    terminal.keys(&["e", "6", "Enter"]);
    terminal.until("Black e6, turns");
    terminal.keys(&["q"]);
    terminal.until("ready>");
    let kept = fs::read(folder.path().join("outflank.db")).unwrap();
    assert!(kept.windows(6).any(|bytes| bytes == b"\"away\""), "nobody paid for the time between");
}

#[test]
fn a_terminal_that_can_do_nothing_gets_lines() {
    let folder = tempfile::tempdir().unwrap();
    let command = format!("TERM=dumb {}", Terminal::command("en", folder.path(), ""));
    let Some(terminal) = Terminal::running(&command, "dumb", (90, 26)) else { return };
    let shown = terminal.until("Black may play");
    assert!(shown.starts_with("Type a square such as f5"), "{shown}");
}

#[test]
fn without_colours_lines_and_marks_tell_everything() {
    let folder = tempfile::tempdir().unwrap();
    let command = format!("NO_COLOR=1 {}", Terminal::command("en", folder.path(), ""));
    let Some(terminal) = Terminal::running(&command, "mono", (90, 26)) else { return };
    terminal.until("q quit");
    terminal.keys(&["f", "5", "Enter"]);
    terminal.until("Black f5, turns e5.");
    terminal.keys(&["a", "1"]);
    let shown = terminal.until("(●)");
    let row = shown.lines().find(|line| line.starts_with('5')).unwrap();
    assert!(row.starts_with("5 │   │   │   │ ● │ ● │(●)│   │   │"), "{shown}");
    assert!(shown.contains("┼───┼───┼") && shown.contains("[ ]"), "{shown}");
}

#[test]
fn the_board_grows_and_looking_back_counts_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let Some(terminal) = Terminal::start("large", (120, 40), folder.path(), "--black Ana --white Luis") else { return };
    terminal.until("q quit");
    terminal.keys(&["f", "5", "Enter"]);
    let shown = terminal.until("● Ana  4");
    assert!(shown.contains("○ Luis  1") && shown.contains("██"), "{shown}");
    terminal.keys(&["PageUp"]);
    let before = terminal.until("After move 0 of 1.");
    assert!(before.contains("▶ ● Ana  2") && before.contains("○ Luis  2"), "{before}");
    terminal.keys(&["End"]);
    terminal.until("▶ ○ Luis  1");
}

/// A black disc on a dark screen is black only if what is behind it is not.
#[test]
fn the_disc_beside_the_black_player_is_black() {
    let folder = tempfile::tempdir().unwrap();
    let Some(terminal) = Terminal::start("disc", (90, 26), folder.path(), "--black Ana") else { return };
    terminal.until("q quit");
    let painted = terminal.tmux(&["capture-pane", "-p", "-e"]);
    let line = painted.lines().find(|line| line.contains("Ana")).unwrap();
    let (before, _) = line.rsplit_once('●').unwrap();
    let escapes: Vec<&str> = before.rsplit("\x1b[").take(3).collect();
    assert!(escapes.iter().any(|escape| escape.contains("48;2;22;110;74") || escape.contains("48;5;")), "{line:?}");
}

#[test]
fn a_place_where_nothing_can_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    for (language, said) in [("en", "cannot be saved"), ("es", "no se puede guardar")] {
        let output = outflank(&["play", "--plain", "--lang", language, "--data"])
            .arg(&file)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(said) && text.lines().count() == 1, "{text}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

#[test]
fn a_small_terminal_still_shows_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let Some(terminal) = Terminal::start("small", (50, 14), folder.path(), "--level 1") else { return };
    terminal.until("a b c d e f g h");
    terminal.until("Black to move.");
    terminal.keys(&["d", "3", "Enter"]);
    terminal.until("1.\u{a0}d3  2.");
    let Some(tiny) = Terminal::start("tiny", (18, 6), folder.path(), "") else { return };
    tiny.until("The window is too");
}

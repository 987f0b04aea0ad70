//! `outflank play`, played: line by line through pipes, and on a real terminal through tmux where there is one.

mod common;

use common::outflank;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::Duration,
};

/// A game in lines of text.
struct Plain {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Plain {
    fn start(data: &Path, more: &[&str]) -> Plain {
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

    fn type_line(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Reads until a line holds one of `words`.
    fn until(&mut self, words: &[&str]) -> String {
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
    game.until(&["Black "]);
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
    let kept = fs::read_dir(folder.path().join("terminal")).unwrap().flatten().next().unwrap().path();
    let setup = fs::read_to_string(kept).unwrap();
    assert!(setup.contains(r#""level":5}"#), "{setup}");
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
    let kept = || fs::read_dir(folder.path().join("terminal")).unwrap().flatten().next().unwrap().path();
    // All of it was an hour ago, which is more than the clocks hold: nobody pays for the time between.
    let hour_ago = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["at"] = (line["at"].as_u64().unwrap() - 3_600_000).into();
        format!("{line}\n")
    };
    let log: String = fs::read_to_string(kept()).unwrap().lines().map(hour_ago).collect();
    fs::write(kept(), log).unwrap();
    // A line that was cut short by the crash never happened.
    let mut file = fs::OpenOptions::new().append(true).open(kept()).unwrap();
    file.write_all(br#"{"at":99,"by":"white","play":{"squ"#).unwrap();
    drop(file);
    for _ in 0..2 {
        let mut game = Plain::start(folder.path(), &["--resume"]);
        game.type_line("moves");
        assert_eq!(game.until(&["1. "]).trim(), "1. f5 2. d6 3. c3");
    }
    let mut game = Plain::start(folder.path(), &["--resume", "--lang", "es"]);
    game.type_line("d3");
    game.until(&["Blanco d3, voltea"]);
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
    let mut game = Plain::start(folder.path(), &["--minutes", "1"]);
    game.type_line("f5");
    game.until(&["White to move"]);
    drop(game);
    // Most of White's minute is used: so the log says.
    let path = fs::read_dir(folder.path().join("terminal")).unwrap().flatten().next().unwrap().path();
    let log = fs::read_to_string(&path).unwrap();
    let played: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    let at = played["at"].as_u64().unwrap() + 59_500;
    fs::write(&path, format!("{log}{{\"at\":{at},\"by\":null,\"look\":{{}}}}\n")).unwrap();
    let mut game = Plain::start(folder.path(), &["--resume"]);
    game.until(&["White ran out of time. Black wins 64–0."]);
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
        let name = format!("outflank-{name}-{}", std::process::id());
        let command = format!(
            "LC_ALL=C.UTF-8 {} play --lang {language} --data {} {more}",
            env!("CARGO_BIN_EXE_outflank"),
            data.display()
        );
        let (width, height) = (size.0.to_string(), size.1.to_string());
        let started = Command::new("tmux")
            .env("LC_ALL", "C.UTF-8")
            .args(["-L", &name, "-f", "/dev/null", "new-session", "-d", "-x", &width, "-y", &height, &command])
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

#[test]
fn a_game_on_a_terminal_by_keys_and_by_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let Some(terminal) = Terminal::start("game", (90, 26), folder.path(), "--black Ana --white Luis") else { return };
    // What is drawn last.
    let start = terminal.until("q quit");
    assert!(start.contains("▶ ● Ana  2") && start.contains("○ Luis  2"), "{start}");
    assert_eq!(start.matches('·').count(), 4 + 4, "four legal squares, and the dots of the last line\n{start}");
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

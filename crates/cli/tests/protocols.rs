//! `outflank gtp` and `outflank nboard` through real pipes.

mod common;

use common::outflank;
use rules::{Color, Position};
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Talk {
    fn start(args: &[&str]) -> Talk {
        let mut child =
            outflank(args).args(["--hash", "4"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Talk { child, input, output }
    }

    fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes.as_ref()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "it has hung up");
        line.trim_end_matches('\n').to_owned()
    }

    /// A GTP reply: its lines up to the empty one.
    fn reply(&mut self, line: &str) -> String {
        self.send(line);
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            if line.is_empty() && !lines.is_empty() {
                return lines.join("\n");
            }
            lines.push(line);
        }
    }

    /// Reads until a line begins like this; that line.
    fn until(&mut self, begin: &str) -> String {
        loop {
            let line = self.line();
            if line.starts_with(begin) {
                return line;
            }
        }
    }

    /// Hangs up; the rest of what it says, and whether it ended well.
    fn end(mut self) -> (Vec<String>, bool) {
        drop(self.input.take());
        let rest = self.output.by_ref().lines().map(Result::unwrap).collect();
        (rest, self.child.wait().unwrap().success())
    }
}

/// Bytes of every kind: printable and not, commands cut short, long lines.
fn garbage(seed: u64, words: &[&str]) -> Vec<Vec<u8>> {
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    (0..300)
        .map(|_| {
            let mut line = Vec::new();
            for _ in 0..next() % 6 {
                match next() % 3 {
                    0 => line.extend_from_slice(words[next() % words.len()].as_bytes()),
                    1 => line.extend((0..next() % 12).map(|_| next() as u8).filter(|&byte| byte != b'\n')),
                    _ => line.push(b' '),
                }
            }
            if next() % 40 == 0 {
                line.extend(std::iter::repeat_n(b'9', 100_000));
            }
            line
        })
        .filter(|line| !line.windows(4).any(|part| part == b"quit"))
        .collect()
}

#[test]
fn gtp_plays_whole_games_against_itself() {
    let mut players = [Talk::start(&["gtp", "--level", "3", "--seed", "1"]), Talk::start(&["gtp", "--level", "4"])];
    for game in 0..3 {
        let mut position = Position::start();
        players.iter_mut().for_each(|player| assert_eq!(player.reply("clear_board"), "="));
        let mut mover = Color::Black;
        while !position.is_over() {
            let side = usize::from(mover == Color::White) ^ (game % 2);
            let reply = players[side].reply(&format!("genmove {mover}"));
            let place = reply.strip_prefix("= ").unwrap_or_else(|| panic!("{reply}"));
            if place != "pass" {
                let step = position.play(place.parse().unwrap()).unwrap();
                assert_eq!(step.by, mover);
                position = step.after;
            } else {
                assert_ne!(position.turn(), Some(mover), "a pass with a move at hand");
            }
            assert_eq!(players[1 - side].reply(&format!("play {mover} {place}")), "=");
            mover = !mover;
        }
        let score = players[0].reply("final_score");
        assert_eq!(score, players[1].reply("final_score"));
    }
    for player in players {
        assert!(player.end().1);
    }
}

#[test]
fn gtp_survives_garbage() {
    let mut gtp = Talk::start(&["gtp", "--level", "1"]);
    let words = ["play", "b", "w", "f5", "genmove", "undo", "1", "loadsgf", "time_left", "komi", "#", "set_level"];
    for line in garbage(1, &words) {
        gtp.send(line);
    }
    gtp.send("77 name");
    assert_eq!(gtp.until("=77"), "=77 Outflank");
    assert!(gtp.end().1);
}

#[test]
fn gtp_quits_in_the_middle_of_a_search() {
    let mut gtp = Talk::start(&["gtp", "--level", "perfect"]);
    gtp.send("time_settings 36000 0 0");
    gtp.send("2 genmove b");
    gtp.send("3 quit");
    assert!(gtp.until("=2").len() > 4, "a move, if a hasty one");
    let (rest, well) = gtp.end();
    assert_eq!((rest, well), (vec!["".to_owned(), "=3".to_owned(), "".to_owned()], true));
}

#[test]
fn gtp_answers_what_it_was_asked_before_the_end() {
    let mut gtp = Talk::start(&["gtp", "--level", "5"]);
    gtp.send("1 genmove b\r");
    let (rest, well) = gtp.end();
    assert!(well && rest[0].starts_with("=1 "), "{rest:?}");
}

#[test]
fn nboard_survives_garbage_and_plays_on() {
    let mut nboard = Talk::start(&["nboard"]);
    nboard.send("nboard 2");
    nboard.send("set depth 2");
    let words =
        ["set", "game", "depth", "(;GM[Othello]B[f5]", ";)", "hint", "go", "move", "PA", "F5", "analyze", "ping"];
    for line in garbage(2, &words) {
        nboard.send(line);
    }
    nboard.send("set depth 2");
    nboard.send("set game (;GM[Othello]TI[0];)");
    nboard.send("ping 4242");
    nboard.until("pong 4242");
    let mut position = Position::start();
    let mut owes_pass = false;
    while !position.is_over() {
        nboard.send("go");
        let answer = nboard.until("=== ");
        let place = answer[4..].split('/').next().unwrap().to_owned();
        if place == "PA" {
            assert!(owes_pass);
            owes_pass = false;
        } else {
            assert!(!owes_pass);
            let step = position.play(place.parse().unwrap()).unwrap();
            (position, owes_pass) = (step.after, step.passed);
        }
        nboard.send(format!("move {place}"));
    }
    assert!(nboard.end().1);
}

#[test]
fn ping_ends_a_search_and_nothing_more_is_said_of_it() {
    let mut nboard = Talk::start(&["nboard"]);
    nboard.send("set depth 60");
    nboard.send("set game (;GM[Othello]TI[0]B[f5];)");
    nboard.send("hint 3");
    nboard.until("status Analyzing");
    nboard.until("search ");
    nboard.send("ping 7");
    nboard.until("pong 7");
    nboard.send("ping 8");
    assert_eq!(nboard.line(), "pong 8");
    nboard.send("go");
    nboard.send("quit");
    let (rest, well) = nboard.end();
    assert!(well && !rest.iter().any(|line| line.starts_with("===")), "{rest:?}");
}

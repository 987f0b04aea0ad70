//! `outflank match`, with players that behave and players that do not.

mod common;

use common::outflank;
use serde_json::Value;
use std::{fs, process::Output};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn play(args: &[&str]) -> (Value, String) {
    let Output { stdout, stderr, status } = outflank(&["match", "--json", "--hash", "1"]).args(args).output().unwrap();
    assert_eq!(status.code(), Some(0), "{}{}", text(&stdout), text(&stderr));
    (serde_json::from_str(&text(&stdout)).unwrap(), text(&stderr))
}

#[test]
fn the_better_player_wins() {
    let (result, _) = play(&["level:5", "random", "--games", "8", "--random", "6", "--parallel", "2"]);
    assert_eq!(result["games"], 8);
    assert!(result["points"].as_f64().unwrap() > 0.8, "{result}");
    let (again, _) = play(&["level:5", "random", "--games", "8", "--random", "6"]);
    assert_eq!(result["discs"], again["discs"], "the seed decides, not the number of games at a time");
}

#[test]
fn engines_speak_both_protocols() {
    let binary = env!("CARGO_BIN_EXE_outflank");
    let gtp = format!("gtp:'{binary}' gtp --level 2 --hash 1 --seed 3");
    let nboard = format!("nboard/2:'{binary}' nboard --hash 1");
    let (result, trouble) = play(&[&gtp, &nboard, "--games", "4"]);
    assert_eq!((&result["games"], trouble.as_str()), (&4.into(), ""));
    let (result, trouble) = play(&[&gtp, &nboard, "--games", "2", "--time-per-game", "20"]);
    assert_eq!((&result["games"], trouble.as_str()), (&2.into(), ""));
}

#[cfg(unix)]
#[test]
fn getting_ready_takes_nothing_from_the_first_move() {
    let binary = env!("CARGO_BIN_EXE_outflank");
    for (player, command) in [("gtp", "gtp --level 2"), ("nboard/2", "nboard")] {
        let slow = format!("{player}:sh -c 'sleep 3; exec {binary} {command} --hash 1'");
        let (result, trouble) = play(&["mobility", &slow, "--games", "2", "--time-per-move", "1"]);
        assert_eq!((&result["games"], trouble.as_str()), (&2.into(), ""));
    }
}

#[cfg(unix)]
#[test]
fn whoever_crashes_hangs_or_cheats_loses_and_the_match_goes_on() {
    let games = ["--games", "2", "--random", "4", "--time-per-move", "0.3"];
    let answers = |move_: &str| {
        format!(
            "gtp:sh -c 'while read word rest; do case $word in genmove) echo \"= {move_}\";; *) echo =;; esac; echo; done'"
        )
    };
    for (engine, why) in [
        ("gtp:/nowhere/at/all".to_owned(), "cannot be run"),
        ("gtp:true".to_owned(), "ended in the middle"),
        ("nboard:true".to_owned(), "ended in the middle"),
        (answers("a1"), "a1 is not a legal move"),
        (answers("nonsense"), "answers “nonsense”"),
        (
            "gtp:sh -c 'while read word rest; do [ $word = genmove ] && sleep 60; echo =; echo; done'".to_owned(),
            "does not answer",
        ),
    ] {
        let (result, trouble) = play(&[&["mobility", engine.as_str()], &games[..]].concat());
        assert_eq!((&result["games"], &result["wins"]), (&2.into(), &2.into()), "{engine}");
        assert!(trouble.lines().count() == 2 && trouble.contains("B loses") && trouble.contains(why), "{trouble}");
    }
}

#[test]
fn a_match_goes_on_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("match.jsonl");
    let path = log.to_str().unwrap();
    let args = |games| ["mobility", "random", "--random", "5", "--log", path, "--games", games];
    let file = folder.path().join("openings.txt");
    fs::write(&file, "f5d6c3\nf5f6e6\nf5f4\n").unwrap();
    let openings = file.to_str().unwrap();
    let from_file = |games| ["mobility", "random", "--openings", openings, "--log", path, "--games", games];
    let (first, _) = play(&from_file("4"));
    let (whole, said) = play(&from_file("10"));
    assert_eq!((&first["games"], &whole["games"]), (&4.into(), &10.into()));
    assert!(said.contains("already has 4 games"), "{said}");
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), 11);
    fs::remove_file(&log).unwrap();
    let (mut never_stopped, _) = play(&from_file("10"));
    let mut whole = whole;
    for result in [&mut never_stopped, &mut whole] {
        let seconds = result.as_object_mut().unwrap().remove("seconds").unwrap();
        assert!(seconds["A"].as_f64().unwrap() > 0.0 && seconds["B"].as_f64().unwrap() > 0.0, "{seconds}");
    }
    assert_eq!(never_stopped, whole, "as if it had never been stopped");
    let other = outflank(&["match"]).args(args("4")).output().unwrap();
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("holds another match"));
}

#[test]
fn what_is_no_player_or_opening_is_one_sentence() {
    for args in [&["edax", "random"][..], &["random", "level:0"], &["random", "random", "--openings", "/nowhere"]] {
        let output = outflank(&["match"]).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&output.stderr).lines().count(), 1, "{args:?}");
    }
}

//! `outflank match`, with players that behave and players that do not.

mod common;

use common::outflank;
use serde_json::Value;
use std::{fs, process::Output};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn play(args: &[&str]) -> (Value, String) {
    ended(args, 0)
}

fn ended(args: &[&str], code: i32) -> (Value, String) {
    let Output { stdout, stderr, status } = outflank(&["match", "--json", "--hash", "1"]).args(args).output().unwrap();
    assert_eq!(status.code(), Some(code), "{}{}", text(&stdout), text(&stderr));
    (serde_json::from_str(&text(&stdout)).unwrap(), text(&stderr))
}

#[test]
fn the_better_player_wins() {
    let (result, _) = play(&["level:5", "random", "--games", "8", "--random", "6", "--parallel", "2"]);
    assert_eq!(result["games"], 8);
    assert!(result["points"]["value"].as_f64().unwrap() > 0.8, "{result}");
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
    let hangs = "gtp:sh -c 'while read word rest; do [ $word = genmove ] && sleep 60; echo =; echo; done'".to_owned();
    for (engine, kind, said, why) in [
        ("gtp:/nowhere/at/all".to_owned(), "not_started", None, "cannot be run"),
        ("gtp:true".to_owned(), "crashed", Some(Value::Null), "ended in the middle"),
        ("nboard:true".to_owned(), "crashed", Some(Value::Null), "ended in the middle"),
        (answers("a1"), "illegal", Some("a1".into()), "a1 is not a legal move"),
        (answers("nonsense"), "answered", Some("nonsense".into()), "answers “nonsense”"),
        (hangs, "hung", Some(Value::Null), "does not answer"),
    ] {
        let args = [&["mobility", engine.as_str()], &games[..]].concat();
        let (result, trouble) = ended(&args, 1);
        assert_eq!((&result["games"], &result["wins"]), (&2.into(), &2.into()), "{engine}");
        assert!(trouble.lines().count() == 2 && trouble.contains("B loses") && trouble.contains(why), "{trouble}");
        let [counted] = &result["trouble"].as_array().unwrap()[..] else { panic!("{result}") };
        assert_eq!((&counted["by"], &counted["why"], &counted["games"]), (&"b".into(), &kind.into(), &2.into()));
        assert!(said.is_none_or(|said| said == counted["said"]), "{counted}");
    }
    // on the screen it is part of the summary
    let shown = outflank(&["match", "random", "gtp:/nowhere/at/all", "--games", "2"]).output().unwrap();
    let summary = text(&shown.stdout);
    assert!(summary.contains("B lost 2 of 2 games without playing them out, because"), "{summary}");
    assert!(!summary.contains('∞') && !summary.contains("inf"), "{summary}");
    assert_eq!(shown.status.code(), Some(1));
}

#[cfg(unix)]
#[test]
fn trouble_that_is_in_the_file_is_not_forgotten_and_written_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("match.jsonl");
    let says = "gtp:sh -c 'while read word rest; do echo \"= \\\"odd\\\"\"; echo; done'";
    let args = |games| ["random", says, "--games", games, "--log", log.to_str().unwrap()];
    let (first, _) = ended(&args("2"), 1);
    let (again, said) = ended(&args("2"), 1);
    assert_eq!(first["trouble"], again["trouble"]);
    assert_eq!(said.lines().count(), 1, "nothing was played: {said}");
    let lines: Vec<Value> =
        fs::read_to_string(&log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["match"]["a"], "random");
    assert_eq!(lines[1]["trouble"]["said"], "\"odd\"", "as it was said, not as Rust prints it");
    let text = fs::read_to_string(&log).unwrap();
    for debug in ["Some(", "Outside(", "Gtp", "Random"] {
        assert!(!text.contains(debug), "{text}");
    }
}

#[test]
fn few_games_prove_little_and_nothing_is_infinite() {
    let (result, _) = play(&["random", "level:8", "--games", "4", "--random", "6"]);
    assert_eq!(result["losses"], 4, "{result}");
    for name in ["points", "elo"] {
        let [low, value, high] = ["low", "value", "high"].map(|end| result[name][end].as_f64().unwrap());
        assert!(low <= value && value <= high && low < high, "{result}");
    }
    let (one, _) = play(&["random", "mobility", "--games", "1"]);
    assert_eq!((&one["points"], &one["elo"]), (&Value::Null, &Value::Null), "half a pair says nothing");
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
        let seconds = result.as_object_mut().unwrap().remove("seconds_per_move").unwrap();
        assert!(seconds["a"].as_f64().unwrap() > 0.0 && seconds["b"].as_f64().unwrap() > 0.0, "{seconds}");
    }
    assert_eq!(never_stopped, whole, "as if it had never been stopped");
    let other = outflank(&["match"]).args(args("4")).output().unwrap();
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("holds another match"));
}

#[test]
fn openings_are_listed_and_none_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    let list = |args: &[&str]| outflank(&["openings", "--depth", "1", "--plies", "2"]).args(args).output().unwrap();
    let some = list(&["--count", "2", "--most", "64", "--json"]);
    let lines: Vec<Value> = text(&some.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[2]["total"]["openings"]), (3, &2.into()));
    assert!(lines[..2].iter().all(|line| line["moves"].as_str().unwrap().len() == 4), "{lines:?}");
    // there are three ways to answer the first move
    let few = list(&["--count", "9", "--most", "64"]);
    assert!(text(&few.stderr).contains("only 3 such openings were found, not 9"), "{}", text(&few.stderr));
    assert_eq!((few.status.code(), text(&few.stdout).lines().count()), (Some(0), 3 + 3));
    let none = outflank(&["openings", "--plies", "1", "--depth", "1", "--most", "0", "--count", "1", "--out"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(text(&none.stderr).contains("no such opening was found"), "{}", text(&none.stderr));
    assert_eq!((none.status.code(), file.exists()), (Some(2), false));
}

#[test]
fn what_is_no_player_or_opening_is_one_sentence() {
    for args in [&["edax", "random"][..], &["random", "level:0"], &["random", "random", "--openings", "/nowhere"]] {
        let output = outflank(&["match"]).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&output.stderr).lines().count(), 1, "{args:?}");
    }
}

#[test]
fn files_of_weights_play_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("a b@c.bin");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../../weights/eval.bin"), &copy).unwrap();
    // the same weights play the same games, wherever they come from
    let other = format!("depth:2@{}", copy.display());
    let games = ["--games", "4", "--random", "6"];
    let (own, _) = play(&[&["depth:2", "depth:3"], &games[..]].concat());
    let (result, _) = play(&[&[other.as_str(), "depth:3"], &games[..]].concat());
    assert_eq!(own["discs"], result["discs"]);
    let bad = folder.path().join("bad.bin");
    fs::write(&bad, "no weights at all").unwrap();
    for path in [bad, folder.path().join("none.bin")] {
        let player = format!("level:3@{}", path.display());
        let Output { stderr, status, .. } = outflank(&["match", "depth:1", &player]).output().unwrap();
        assert_eq!((status.code(), text(&stderr).lines().count()), (Some(2), 1), "{}", text(&stderr));
        assert!(text(&stderr).contains(&path.display().to_string()), "{}", text(&stderr));
    }
}

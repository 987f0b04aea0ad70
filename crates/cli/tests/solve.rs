//! `outflank solve` and `outflank bench`, as a user meets them.

mod common;

use common::outflank;
use serde_json::Value;
use std::fs;

/// Two problems of the FFO test with 14 empties, the second with a score that is not its own, and a line that is no
/// position.
const FILE: &str = "% a comment
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; H1:+12; G8:+18; --:-127;
-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X; A4:+12;
not a position
";

fn solve(args: &[&str]) -> (String, String, Option<i32>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.obf");
    fs::write(&path, FILE).unwrap();
    let output = outflank(&["solve", "--hash", "4"]).arg(&path).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn a_wrong_score_is_shown_and_is_the_exit_code() {
    let (out, err, code) = solve(&[]);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[1].contains("+18") && lines[1].contains("g8") && !lines[1].contains("WRONG"), "{out}");
    assert!(lines[2].contains("+10") && lines[2].contains("a4") && lines[2].ends_with("WRONG, it is 12"), "{out}");
    assert!(lines[3].starts_with("2 positions: ") && lines[4] == "1 WRONG", "{out}");
    assert!(err.contains("some.obf, game 3, line 4: "), "{err}");
    assert_eq!(code, Some(1));
}

#[test]
fn some_positions_only_and_in_json() {
    let (out, err, code) = solve(&["--to", "1", "--json"]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), code), (2, Some(0)), "{out}{err}");
    assert_eq!((&lines[0]["score"], &lines[0]["move"], &lines[0]["right"]), (&18.into(), &"g8".into(), &true.into()));
    assert_eq!((&lines[1]["total"]["solved"], &lines[1]["total"]["wrong"]), (&1.into(), &0.into()));
    let (_, err, code) = solve(&["--from", "9"]);
    assert!(err.contains("no position with such a number"), "{err}");
    assert_eq!(code, Some(2));
}

#[test]
fn the_line_is_played_to_the_end_and_keeps_the_score() {
    let (out, ..) = solve(&["--json"]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &lines[..2] {
        let board = format!("{} {}", line["board"].as_str().unwrap(), if line["turn"] == "black" { "X" } else { "O" });
        let mut position = board.parse::<rules::Setup>().unwrap().position().unwrap();
        let moves = line["line"].as_str().unwrap();
        assert!(moves.starts_with(line["move"].as_str().unwrap()), "{line}");
        for at in (0..moves.len()).step_by(2) {
            position = position.play(moves[at..at + 2].parse().unwrap()).unwrap().after;
        }
        // both are Black's to move
        assert_eq!(line["score"], position.outcome().unwrap().difference(), "{line}");
    }
    let (out, ..) = solve(&["--to", "1"]);
    let row = out.lines().nth(1).unwrap();
    assert_eq!(row.split_whitespace().filter(|word| word.parse::<rules::Square>().is_ok()).count(), 1 + 14, "{row}");
}

/// Making the table, emptying it and reading the file take time as well: the total is more than the positions' sum.
#[test]
fn all_that_is_waited_for_is_counted() {
    let (out, ..) = solve(&["--json"]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let each: f64 = lines[..2].iter().map(|line| line["seconds"].as_f64().unwrap()).sum();
    assert!(lines[2]["total"]["seconds"].as_f64().unwrap() > each, "{out}");
}

#[test]
fn positions_are_counted_from_one() {
    for option in ["--from", "--to"] {
        let (out, err, code) = solve(&[option, "0"]);
        assert_eq!((out.as_str(), code), ("", Some(2)));
        assert!(err.lines().count() == 1 && err.contains("1 or more"), "{err}");
    }
}

#[test]
fn of_a_game_the_last_position_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    fs::write(&path, "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7")
        .unwrap();
    let output = outflank(&["solve", "--json"]).arg(&path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!((&line["empties"], &line["known"]), (&16.into(), &Value::Null), "{text}");
    assert_eq!(line["right"], Value::Null, "what is not known is neither right nor wrong");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_is_no_file_is_one_sentence() {
    let output = outflank(&["solve", "/nowhere/at/all.obf"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
}

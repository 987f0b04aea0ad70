//! `outflank analyse` of positions and games.

mod common;

use common::outflank;
use serde_json::Value;

fn json(args: &[&str]) -> Vec<Value> {
    let output = outflank(&["analyse", "--json", "--hash", "4"]).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_position_is_looked_at_deeper_and_deeper() {
    let lines = json(&["f5d6c3", "--at", "3", "--depth", "6"]);
    let depths: Vec<i64> = lines.iter().map(|line| line["depth"].as_i64().unwrap()).collect();
    assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
    assert!(lines.last().unwrap()["line"].as_str().unwrap().starts_with(lines[5]["move"].as_str().unwrap()));
    let lines = json(&["f5d6c3", "--at", "3", "--depth", "2", "--lines", "3"]);
    assert_eq!(lines.len(), 6);
}

#[test]
fn a_solved_position_is_proven() {
    let board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let lines = json(&[board]);
    let last = lines.last().unwrap();
    assert_eq!((&last["score"], &last["move"], &last["proven"]), (&18.into(), &"g8".into(), &true.into()));
}

/// The shortest game there is: White's last moves let them be wiped out.
#[test]
fn every_move_of_a_game_has_its_price() {
    let lines = json(&["f5d6c5f4e7f6g5e6e3", "--depth", "5"]);
    assert_eq!(lines.len(), 10);
    let last = &lines[8];
    assert_eq!((&last["move"], &last["score"], &last["loss"]), (&"e3".into(), &64.into(), &0.into()));
    // with e6 White allowed it
    assert!(lines[7]["loss"].as_i64().unwrap() > 20, "{}", lines[7]);
    let sum = |who: &str| -> i64 {
        lines[..9].iter().filter(|line| line["by"] == who).map(|line| line["loss"].as_i64().unwrap()).sum()
    };
    assert_eq!(lines[9]["total"]["loss"]["white"].as_i64().unwrap(), sum("white"));
    let output = outflank(&["analyse", "f5d6c5f4e7f6g5e6e3", "--depth", "3", "--lang", "es"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().count() == 11 && text.contains("Fichas perdidas"), "{text}");
}

#[test]
fn a_whole_file_is_analysed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.txt");
    std::fs::write(&file, "f5d6c3\nf5a1\nf5f6\n").unwrap();
    let path = file.to_str().unwrap();
    let output = outflank(&["analyse", "--json", "--hash", "4", "--depth", "2", path]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let moves: Vec<(i64, &str)> =
        lines[..5].iter().map(|line| (line["game"].as_i64().unwrap(), line["move"].as_str().unwrap())).collect();
    assert_eq!(moves, [(1, "f5"), (1, "d6"), (1, "c3"), (3, "f5"), (3, "f6")]);
    assert_eq!((&lines[5]["total"]["games"], &lines[5]["total"]["moves"]), (&2.into(), &5.into()));
    // the game that cannot be read is named, and is the exit code
    assert!(String::from_utf8(output.stderr).unwrap().contains("game 2, line 2"), "{text}");
    assert_eq!(output.status.code(), Some(2));
    let one = json(&["--depth", "2", "--number", "3", path]);
    assert_eq!((one.len(), &one[0]["game"]), (3, &3.into()));
    // positions, one line each
    let file = folder.path().join("positions.obf");
    let board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    std::fs::write(&file, format!("{board}; G8:+18;\n{board};\n")).unwrap();
    let lines = json(&[file.to_str().unwrap()]);
    let seen: Vec<_> = lines[..2].iter().map(|line| (&line["game"], &line["move"], &line["score"])).collect();
    assert_eq!(seen, [(&1.into(), &"g8".into(), &18.into()), (&2.into(), &"g8".into(), &18.into())]);
    let output = outflank(&["analyse", "--depth", "2", path]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Game 1\n") && text.contains("Game 3\n"), "{text}");
}

#[test]
fn a_game_that_is_over_prints_nothing_but_json() {
    let lines = json(&["f5d6c5f4e7f6g5e6e3", "--at", "9"]);
    assert_eq!(lines, Vec::<Value>::new());
}

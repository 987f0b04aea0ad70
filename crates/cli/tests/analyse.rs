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

/// The shortest game there is: White's last moves let himself be wiped out.
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

//! The levels against each other and against a simple player.

mod common;

use common::outflank;
use serde_json::Value;

/// The points the first player wins, 0 to 1.
fn points(first: &str, second: &str, games: &str) -> f64 {
    let args = ["match", first, second, "--json", "--hash", "1", "--random", "6", "--parallel", "2", "--games", games];
    let output = outflank(&args).output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    result["points"]["value"].as_f64().unwrap()
}

#[test]
fn the_first_level_loses_to_one_that_only_counts_moves() {
    let points = points("level:1", "mobility", "300");
    assert!(points < 0.5, "{points}");
}

#[test]
fn every_step_of_the_ladder_that_is_quick_to_try_is_a_step() {
    for level in 2..=10 {
        let points = points(&format!("level:{level}"), &format!("level:{}", level - 1), "80");
        assert!(points > 0.5, "level {level}: {points}");
    }
}

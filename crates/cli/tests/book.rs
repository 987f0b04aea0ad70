//! `outflank book`: what the book knows is shown and more is added.

mod common;

use common::outflank;
use serde_json::{Value, json};
use std::{fs, path::Path, process::Output};

fn run(folder: &Path, args: &[&str]) -> Output {
    outflank(&["book"]).args(args).args(["--data", "data"]).current_dir(folder).output().unwrap()
}

fn answer(folder: &Path, args: &[&str]) -> Value {
    let output = run(folder, &[args, &["--json"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// A line so bad that no book has it.
const UNKNOWN: &str = "f5f4g3g4f3e2c3g2f2";

#[test]
fn the_first_position_and_the_tiger_are_in_the_book() {
    let folder = tempfile::tempdir().unwrap();
    let first = answer(folder.path(), &["show"]);
    assert_eq!((&first["known"], &first["opening"]), (&json!(true), &Value::Null));
    assert_eq!(first["next"].as_array().unwrap().len(), 4, "four moves that a symmetry makes one");
    assert!(first["next"].as_array().unwrap().iter().all(|next| next["score"] == first["score"]));
    let tiger = answer(folder.path(), &["show", "f5d6c3d3c4"]);
    assert_eq!(tiger["opening"], json!({ "en": "Tiger", "es": "Tigre" }));
    let best = &tiger["next"][0];
    assert_eq!(best["score"], tiger["score"], "what a position is worth is what its best move is");
    // for people, in their language
    let output =
        outflank(&["book", "show", "e6f4c3c4d3", "--lang", "es", "--data", "data"]).current_dir(folder.path()).output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    assert!(text.starts_with("Tigre\n"), "{text}");
    assert!(!folder.path().join("data").exists(), "to look makes no folder");
}

#[test]
fn what_is_added_is_known_from_then_on_and_carried_back() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(answer(folder.path(), &["show", UNKNOWN])["known"], false);
    let added = answer(folder.path(), &["add", UNKNOWN, "--depth", "6"]);
    assert!(added["added"].as_u64().unwrap() > 1, "{added}");
    assert_eq!(added["known"], true);
    let shown = answer(folder.path(), &["show", UNKNOWN]);
    for key in ["score", "depth", "next", "lines"] {
        assert_eq!(shown[key], added[key], "{key}");
    }
    // the move before leads there, with the value turned round
    let before = answer(folder.path(), &["show", &UNKNOWN[..UNKNOWN.len() - 2]]);
    let last = &UNKNOWN[UNKNOWN.len() - 2..];
    let next = before["next"].as_array().unwrap().iter().find(|next| next["square"] == last).unwrap();
    assert_eq!(next["score"].as_i64(), shown["score"].as_i64().map(|score| -score));
    // the same again finds everything there
    assert_eq!(answer(folder.path(), &["add", UNKNOWN, "--depth", "6"])["added"], 0);
}

#[test]
fn a_damaged_file_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("data")).unwrap();
    let path = folder.path().join("data/book.bin");
    fs::write(&path, "something else").unwrap();
    for args in [&["show"][..], &["add", "f5", "--depth", "2"]] {
        let output = run(folder.path(), args);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("book.bin"));
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "something else");
    let output = run(folder.path(), &["show", "f5a1"]);
    assert_eq!(output.status.code(), Some(2));
}

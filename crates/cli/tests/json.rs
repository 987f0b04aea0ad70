//! `docs/json.md` is true: each of its commands prints what its examples promise.

mod common;

use common::outflank;
use serde_json::Value;
use std::{fs, path::Path};

/// The commands of the page, each with the lines of its example.
fn examples(page: &str) -> Vec<(Vec<String>, Vec<Value>)> {
    let mut examples: Vec<(Vec<String>, Vec<Value>)> = Vec::new();
    for (block, kind) in blocks(page) {
        match kind {
            "sh" => {
                let words = block.split_whitespace().map(str::to_owned).collect();
                examples.push((words, Vec::new()));
            }
            "json" => examples.last_mut().unwrap().1.extend(values(block)),
            _ => {}
        }
    }
    examples
}

/// What stands between fences, and what each is said to be.
fn blocks(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.split("```").skip(1).step_by(2).map(|block| {
        let (kind, text) = block.split_once('\n').unwrap();
        (text, kind)
    })
}

fn values(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

/// Why two values are not of one kind; what is not known is of any.
fn difference(example: &Value, value: &Value, at: &str) -> Option<String> {
    match (example, value) {
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Object(left), Value::Object(right)) => {
            let names = |object: &serde_json::Map<String, Value>| object.keys().cloned().collect::<Vec<_>>();
            if let Some(name) = left.keys().find(|name| !right.contains_key(*name)) {
                return Some(format!("{at}: {name} is not there, only {:?}", names(right)));
            }
            if let Some(name) = right.keys().find(|name| !left.contains_key(*name)) {
                return Some(format!("{at}: {name} is not in the example"));
            }
            left.iter().find_map(|(name, value)| difference(value, &right[name], &format!("{at}.{name}")))
        }
        (Value::Array(left), Value::Array(right)) => {
            let first = left.first()?;
            right.iter().find_map(|value| difference(first, value, &format!("{at}[]")))
        }
        (Value::Number(left), Value::Number(right)) if left.is_f64() == right.is_f64() => None,
        (Value::String(_), Value::String(_)) | (Value::Bool(_), Value::Bool(_)) => None,
        _ => Some(format!("{at}: {value} is not like {example}")),
    }
}

/// Every line is like some example, and every example like some line.
fn compare(what: &str, examples: &[Value], lines: &[Value]) {
    assert!(!examples.is_empty(), "{what}: no example");
    let like = |one: &Value, other: &Value| difference(one, other, "").is_none();
    for line in lines {
        let why: Vec<_> = examples.iter().filter_map(|example| difference(example, line, "")).collect();
        assert!(why.len() < examples.len(), "{what}\n{line}\n{why:#?}");
    }
    for example in examples {
        assert!(lines.iter().any(|line| like(example, line)), "{what} never prints {example}");
    }
}

/// The files that the page speaks of.
fn files(folder: &Path) {
    let sgf = "(;GM[2]PB[Ana]PW[Luis];B[f5](;W[d6];B[c3])(;W[f6]))\n(;GM[2];B[f5];W[f6])\n";
    fs::write(folder.join("games.sgf"), sgf).unwrap();
    fs::write(folder.join("bad.txt"), "f5d6c3\nf5a1\n").unwrap();
    let problem = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;\n";
    fs::write(folder.join("problems.obf"), problem).unwrap();
}

#[test]
fn every_command_prints_what_its_example_promises() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let examples = examples(&page);
    assert!(examples.len() >= 10, "{examples:?}");
    for (words, promised) in &examples {
        let [program, args @ ..] = &words[..] else { panic!("an empty command") };
        assert_eq!(program, "outflank");
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = outflank(&args).current_dir(folder.path()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.is_empty(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        compare(&words.join(" "), promised, &values(&text));
    }
    // and every command that has --json is there
    let help = String::from_utf8(outflank(&["man"]).output().unwrap().stdout).unwrap();
    for section in help.split("\n.SS outflank ").skip(1).filter(|section| section.contains("\\-\\-json")) {
        let name = section.split_whitespace().next().unwrap();
        // One that needs a server is shown, and tested with one in `load.rs`.
        let shown = page.contains(&format!("## {name}\n")) && name == "load";
        assert!(shown || examples.iter().any(|(words, _)| words[1] == name), "{name} has no example");
    }
}

#[test]
fn the_file_of_a_match_is_as_described() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let args = ["match", "mobility", "random", "--games", "2", "--log"];
    assert!(outflank(&args).arg(&log).output().unwrap().status.success());
    let described = blocks(&page).find(|(_, kind)| *kind == "json-log").unwrap().0;
    compare("--log", &values(described), &values(&fs::read_to_string(log).unwrap()));
}

/// Squares, moves and boards are written in one way, whoever prints them.
#[test]
fn one_way_to_write_each_thing() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md")).unwrap();
    fn check(name: &str, value: &Value) {
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'), "{name}");
        match (name, value) {
            (_, Value::Object(object)) => object.iter().for_each(|(name, value)| check(name, value)),
            (_, Value::Array(list)) => list.iter().for_each(|value| check(name, value)),
            ("move" | "square", Value::String(square)) => assert!(square.parse::<rules::Square>().is_ok(), "{square}"),
            ("line" | "moves", Value::String(moves)) => {
                let squares: Vec<&str> = (0..moves.len()).step_by(2).map(|at| &moves[at..at + 2]).collect();
                assert!(squares.iter().all(|square| square.parse::<rules::Square>().is_ok()), "{moves}");
            }
            ("board", Value::String(board)) => {
                assert!(board.len() == 64 && board.bytes().all(|byte| b"XO-".contains(&byte)), "{board}");
            }
            ("turn", Value::String(color)) => assert!(["black", "white"].contains(&color.as_str()), "{color}"),
            ("score" | "loss", Value::Number(number)) => assert!(!number.is_f64(), "{name} {number}"),
            _ => {}
        }
    }
    for (block, kind) in blocks(&page).filter(|(_, kind)| kind.starts_with("json")) {
        assert!(!block.trim().is_empty(), "{kind}");
        values(block).iter().for_each(|value| check("", value));
    }
}

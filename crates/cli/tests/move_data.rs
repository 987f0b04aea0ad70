//! `outflank move-data` from the outside.

use std::{
    env,
    io::Write as _,
    process::{Command, Output},
};

fn outflank(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outflank")).args(["--lang", "en"]).args(args).output().unwrap()
}

fn said(output: &Output) -> (Option<i32>, String) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn what_cannot_be_moved_is_said_in_a_sentence_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    let (from, to) = (from.to_str().unwrap(), to.to_str().unwrap());
    let (code, text) = said(&outflank(&["move-data", from, to]));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains(from) && text.contains("no games"), "{text}");
    assert!(!folder.path().join("from").exists(), "nothing is made where there was nothing");
    let (code, text) = said(&outflank(&["move-data", "postgres://ana:secret@127.0.0.1:1/games", to]));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("postgres://127.0.0.1:1/games") && !text.contains("secret"), "{text}");
}

#[test]
fn a_folder_goes_to_postgresql_and_comes_back() {
    let Ok(server) = env::var("OUTFLANK_TEST_POSTGRES") else {
        let _ = writeln!(std::io::stderr(), "skipped: move-data: OUTFLANK_TEST_POSTGRES names no database");
        return;
    };
    let name = format!("cli_move_{}", std::process::id());
    let psql = |sql: &str| {
        let status = Command::new("psql").args([&server, "-q", "-c", sql]).status();
        assert!(status.is_ok_and(|status| status.success()), "{sql}");
    };
    psql(&format!("CREATE SCHEMA {name}"));
    let database = format!("{server}?options=-csearch_path%3D{name}");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // A game in a terminal makes a store with something in it.
    let played = Command::new(env!("CARGO_BIN_EXE_outflank"))
        .args(["--lang", "en", "play", "--plain", "--data", &path("one")])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(folder.path().join("one/outflank.db").exists(), "{:?}", said(&played));
    for (from, to) in [(path("one"), database.clone()), (database.clone(), path("two"))] {
        let (code, text) = said(&outflank(&["move-data", &from, &to]));
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("compared"), "{text}");
        let (code, text) = said(&outflank(&["move-data", &from, &to]));
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("not empty"), "{text}");
    }
    let key = |name: &str| std::fs::read(folder.path().join(name).join("outflank.key")).unwrap();
    assert_eq!(key("one"), key("two"));
    psql(&format!("DROP SCHEMA {name} CASCADE"));
}

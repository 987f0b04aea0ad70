//! `outflank library`: games are added, found, exported, removed, copied and brought back.

mod common;

use common::outflank;
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, path::Path, process::Output};

fn run(folder: &Path, args: &[&str]) -> Output {
    outflank(&["library"]).args(args).args(["--data", "data"]).current_dir(folder).output().unwrap()
}

fn answer(folder: &Path, args: &[&str]) -> Value {
    let output =
        outflank(&["library"]).args(args).args(["--data", "data", "--json"]).current_dir(folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{}", said(&output.stderr)))
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const PGN: &str =
    "[Event \"Copa\"]\n[Date \"1999.05.01\"]\n[Black \"Núñez, Ana\"]\n[White \"Luis\"]\n[Result \"64-0\"]\n
1. f5 d6 2. c5 f4 3. e7 f6 4. g5 e6 5. e3\n
[Event \"Open\"]\n[Date \"2004.??.??\"]\n[Black \"Luis\"]\n[White \"Eva\"]\n[Result \"20-44\"]\n
1. d3 c5 2. f6\n
[Date \"2005\"]\n[Black \"Eva\"]\n[White \"Luis\"]\n
1. f5 f6\n";

fn filled() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), PGN).unwrap();
    let added = answer(folder.path(), &["add", "games.pgn"]);
    assert_eq!(added, json!({ "added": 3, "already_there": 0, "rejected": [] }));
    folder
}

#[test]
fn a_file_is_added_once_and_what_is_wrong_is_explained() {
    let folder = filled();
    let there = json!({ "added": 0, "already_there": 3, "rejected": [] });
    assert_eq!(answer(folder.path(), &["add", "games.pgn"]), there);
    // in another format it is the same games
    assert!(outflank(&["convert", "games.pgn", "games.sgf"]).current_dir(folder.path()).status().unwrap().success());
    assert_eq!(answer(folder.path(), &["add", "games.sgf"]), there);
    let start = "---------------------------OX------XO--------------------------- X\n";
    fs::write(folder.path().join("board.obf"), start).unwrap();
    fs::write(folder.path().join("bad.txt"), "f5d6c4\nf5a1\n").unwrap();
    let mixed = answer(folder.path(), &["add", "bad.txt", "board.obf", "nowhere.pgn"]);
    assert_eq!((mixed["added"].clone(), mixed["already_there"].clone()), (json!(1), json!(0)));
    let why: Vec<&str> = mixed["rejected"].as_array().unwrap().iter().map(|one| one["why"].as_str().unwrap()).collect();
    assert_eq!(why[..2], ["move 2: a1 turns no disc", "there are no moves in it; a library keeps games"]);
    assert!(why[2].contains("nowhere.pgn"), "{why:?}");
    assert_eq!(mixed["rejected"][0]["line"], 2);
    let output = run(folder.path(), &["add", "bad.txt"]);
    assert_eq!((output.status.code(), said(&output.stderr).lines().count()), (Some(2), 1));
    assert!(said(&output.stdout).starts_with("0 games added, 1 already there, 1 rejected"), "{}", said(&output.stdout));
}

#[test]
fn files_of_names_give_their_names_to_the_games() {
    let folder = filled();
    assert!(outflank(&["convert", "games.pgn", "x.wtb"]).current_dir(folder.path()).status().unwrap().success());
    // not beside the games: only the command line says where they are
    fs::create_dir(folder.path().join("names")).unwrap();
    for end in ["jou", "trn"] {
        let file = format!("x.{end}");
        fs::rename(folder.path().join(&file), folder.path().join("names").join(&file)).unwrap();
    }
    let data = ["--data", "other", "--json"];
    let add = |files: &[&str]| {
        let output = outflank(&["library", "add"]).args(files).args(data).current_dir(folder.path()).output().unwrap();
        (output.status.code(), serde_json::from_slice::<Value>(&output.stdout).unwrap())
    };
    let added = add(&["names/x.jou", "x.wtb", "names/x.trn"]);
    assert_eq!(added, (Some(0), json!({ "added": 3, "already_there": 0, "rejected": [] })));
    let found =
        outflank(&["library", "find", "--player", "eva"]).args(data).current_dir(folder.path()).output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&found.stdout).unwrap()["games"], 2);
    // damaged names are told, and the games are added all the same; names alone are no games
    fs::write(folder.path().join("names/bad.jou"), b"short").unwrap();
    let (code, answer) = add(&["names/bad.jou", "x.wtb"]);
    assert_eq!((code, &answer["already_there"]), (Some(2), &json!(3)));
    assert!(answer["rejected"][0]["why"].as_str().unwrap().contains("bad.jou"), "{answer}");
    assert_eq!(add(&["names/x.jou"]).0, Some(2));
}

#[test]
fn games_are_found_by_position_from_any_side_and_by_all_else() {
    let folder = filled();
    let all = answer(folder.path(), &["find"]);
    let keys: Vec<&String> = all.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["average", "black_wins", "draws", "games", "next", "white_wins"]);
    assert_eq!(
        (all["games"].clone(), all["black_wins"].clone(), all["white_wins"].clone()),
        (json!(3), json!(1), json!(1))
    );
    assert_eq!(all["average"], json!(20.0));
    assert_eq!(all["next"].as_array().unwrap().len(), 1, "the first moves are one");
    // d3 c5 is f5 d6 from another side; the answer is in the orientation of the question
    let found = answer(folder.path(), &["find", "f5d6"]);
    let next: Vec<(&str, u64)> = found["next"]
        .as_array()
        .unwrap()
        .iter()
        .map(|next| (next["square"].as_str().unwrap(), next["games"].as_u64().unwrap()))
        .collect();
    assert_eq!((found["games"].clone(), next), (json!(2), vec![("c3", 1), ("c5", 1)]));
    let shown = outflank(&["show", "d3c5", "--json"]).output().unwrap();
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let board = format!("{} X", shown["board"].as_str().unwrap());
    let by_board = answer(folder.path(), &["find", &board]);
    assert_eq!((by_board["games"].clone(), by_board["next"][0]["square"].clone()), (json!(2), json!("d6")));
    for (args, games) in [
        (&["--player", "nunez ana"][..], 1),
        (&["--player", "luis"], 3),
        (&["--black", "luis"], 1),
        (&["--white", "LUIS"], 2),
        (&["--tournament", "ope"], 1),
        (&["--year", "2000..2004"], 1),
        (&["--year", "..1999"], 1),
        (&["--year", "2004.."], 2),
        (&["--result", "white"], 1),
        (&["--result", "draw"], 0),
        (&["f5d6", "--player", "eva"], 1),
        (&["f5d6c4"], 0),
    ] {
        let found = answer(folder.path(), &[&["find"], args].concat());
        assert_eq!(found["games"], games, "{args:?}");
    }
    let output = run(folder.path(), &["find", "f5d6"]);
    let text = said(&output.stdout);
    assert!(text.contains("Núñez, Ana – Luis, Copa  +64") && text.contains("2004"), "{text}");
    for (args, sentence) in [
        (&["find", "--year", "soon"][..], "1990..1999"),
        (&["find", "--result", "x"], "black, white or draw"),
        (&["find", "f5a1"], "a1"),
    ] {
        let output = run(folder.path(), args);
        assert_eq!((output.status.code(), said(&output.stderr).lines().count()), (Some(2), 1), "{args:?}");
        assert!(said(&output.stderr).contains(sentence), "{}", said(&output.stderr));
    }
}

#[test]
fn nothing_is_made_by_looking() {
    let folder = tempfile::tempdir().unwrap();
    let found = answer(folder.path(), &["find", "f5"]);
    assert_eq!((found["games"].clone(), found["average"].clone()), (json!(0), Value::Null));
    assert_eq!(answer(folder.path(), &[])["games"], 0);
    assert!(said(&run(folder.path(), &[]).stdout).contains("library add"));
    assert!(!folder.path().join("data").exists());
}

#[test]
fn what_is_there_is_told_removed_and_exported() {
    let folder = filled();
    let summary = answer(folder.path(), &[]);
    assert_eq!(summary["sources"], json!([{ "file": "games.pgn", "games": 3 }]));
    assert_eq!((summary["players"].clone(), summary["years"].clone()), (json!(3), json!({ "from": 1999, "to": 2005 })));
    for file in ["eva.pgn", "eva.sgf", "eva.ggf", "eva.txt", "eva.wtb"] {
        let written = answer(folder.path(), &["export", file, "--player", "eva"]);
        assert_eq!(written["games"], 2, "{file}");
        let read = outflank(&["import", "--json", file]).current_dir(folder.path()).output().unwrap();
        assert!(said(&read.stdout).contains("\"games\":2,\"legal\":2"), "{}", said(&read.stdout));
    }
    let output = run(folder.path(), &["export", "eva.pgn"]);
    assert_eq!(said(&output.stderr), "outflank: eva.pgn is there already; --force replaces it\n");
    assert_eq!(answer(folder.path(), &["export", "eva.pgn", "--force", "--to", "pgn"])["games"], 3);
    let sent = run(folder.path(), &["export", "-", "--to", "txt", "--year", "2004"]);
    assert_eq!(said(&sent.stdout), "d3c5f6\n");
    assert_eq!(answer(folder.path(), &["remove", "1", "99"]), json!({ "removed": 1 }));
    assert_eq!(run(folder.path(), &["remove", "1"]).status.code(), Some(2));
    assert_eq!(answer(folder.path(), &["remove", "--from", "games.pgn"]), json!({ "removed": 2 }));
    let output = run(folder.path(), &["remove", "--from", "games.pgn"]);
    assert_eq!(said(&output.stderr), "outflank: no game in the library came from games.pgn\n");
    assert_eq!(answer(folder.path(), &["find"])["games"], 0);
}

#[test]
fn a_backup_brings_everything_back_and_overwrites_nothing_unasked() {
    let folder = filled();
    // games too: a server that was here
    let server = common::Server::start(&folder.path().join("data"));
    let copied = answer(folder.path(), &["backup", "all.zip"]);
    assert_eq!(copied["files"], json!(["outflank.db", "library.sqlite", "outflank.key"]));
    assert_eq!(run(folder.path(), &["backup", "all.zip"]).status.code(), Some(2), "a backup is not written over");
    let output = run(folder.path(), &["restore", "all.zip", "--force"]);
    assert!(said(&output.stderr).contains("another Outflank is using"), "{}", said(&output.stderr));
    drop(server);
    let output = run(folder.path(), &["restore", "all.zip"]);
    assert!(said(&output.stderr).contains("--force replaces it"), "{}", said(&output.stderr));
    answer(folder.path(), &["remove", "--from", "games.pgn"]);
    assert_eq!(answer(folder.path(), &["restore", "all.zip", "--force"])["files"].as_array().unwrap().len(), 3);
    assert_eq!(answer(folder.path(), &["find"])["games"], 3);
    drop(common::Server::start(&folder.path().join("data")));
    // into a new folder
    let elsewhere = outflank(&["library", "restore", "all.zip", "--data", "new"]).current_dir(folder.path()).output();
    assert!(elsewhere.unwrap().status.success());
    #[cfg(unix)]
    for (name, mode) in [("new", 0o700), ("new/outflank.lock", 0o600), ("new/outflank.key", 0o600)] {
        use std::os::unix::fs::PermissionsExt;
        let found = fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode, "{name} is its owner's only");
    }
    assert_eq!(
        fs::read(folder.path().join("new/outflank.key")).unwrap(),
        fs::read(folder.path().join("data/outflank.key")).unwrap()
    );
    let output = run(folder.path(), &["restore", "games.pgn", "--force"]);
    assert_eq!(said(&output.stderr), "outflank: games.pgn is not a whole backup; nothing was changed\n");
    let whole = fs::read(folder.path().join("all.zip")).unwrap();
    fs::write(folder.path().join("half.zip"), &whole[..whole.len() / 2]).unwrap();
    assert_eq!(run(folder.path(), &["restore", "half.zip", "--force"]).status.code(), Some(2));
    assert_eq!(answer(folder.path(), &["find"])["games"], 3);
}

/// The files of a folder that a backup holds, and what is in them.
fn kept(folder: &Path) -> Vec<(&'static str, Option<Vec<u8>>)> {
    ["outflank.db", "library.sqlite", "outflank.key"].map(|name| (name, fs::read(folder.join(name)).ok())).into()
}

#[test]
fn a_backup_with_one_wrong_byte_is_refused_or_brings_back_everything_as_it_was() {
    let folder = filled();
    drop(common::Server::start(&folder.path().join("data")));
    answer(folder.path(), &["backup", "all.zip"]);
    let restore = |file: &str, into: &str| {
        let output =
            outflank(&["library", "restore", file, "--data", into]).current_dir(folder.path()).output().unwrap();
        (output.status.success(), said(&output.stderr), kept(&folder.path().join(into)))
    };
    let (_, _, whole) = restore("all.zip", "whole");
    assert!(whole.iter().all(|(_, bytes)| bytes.is_some()));
    let intact = fs::read(folder.path().join("all.zip")).unwrap();
    // All over the file; and closely at its beginning and its end, where names, lengths and kinds are.
    let end = intact.len();
    let places = (0..end).step_by(end / 60).chain((0..48).step_by(3)).chain((end - 400..end).step_by(3));
    let places: BTreeSet<usize> = places.collect();
    let mut refused = 0;
    for place in places {
        let mut bytes = intact.clone();
        bytes[place] ^= 1;
        fs::write(folder.path().join("wrong.zip"), bytes).unwrap();
        let (restored, why, there) = restore("wrong.zip", &format!("new{place}"));
        if restored {
            assert!(there == whole, "byte {place} of {end} is wrong, and what was brought back is not what was kept");
        } else {
            let expected = "outflank: wrong.zip is not a whole backup; nothing was changed\n";
            assert_eq!(why, expected, "byte {place} of {end}");
            assert!(there.iter().all(|(_, bytes)| bytes.is_none()), "byte {place} of {end}");
            refused += 1;
        }
    }
    assert!(refused > 60, "{refused}");
}

/// `deploy/backup`, as the nightly service calls it: whether it went well, what it complained of, and which files are there then.
#[cfg(unix)]
fn nightly(folder: &Path, args: &[&str], environment: &[(&str, &str)]) -> (bool, String, Vec<String>) {
    let program = env!("CARGO_BIN_EXE_outflank");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/backup");
    let mut command = std::process::Command::new(script);
    command.args(args).current_dir(folder).env("OUTFLANK", program);
    command.env_remove("OUTFLANK_DATABASE").env_remove("OUTFLANK_ARGS");
    let output = command.envs(environment.iter().copied()).output().unwrap();
    let files = fs::read_dir(folder.join("backups")).into_iter().flatten();
    let mut files: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    (output.status.success(), said(&output.stderr), files)
}

#[cfg(unix)]
#[test]
fn the_nightly_backup_keeps_the_newest_and_never_passes_an_old_folder_off_as_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    drop(common::Server::start(&folder.path().join("data")));
    fs::create_dir(folder.path().join("backups")).unwrap();
    for old in
        ["outflank-2026-01-01T033000Z.zip", "outflank-2026-01-02T033000Z.zip", "outflank-2026-01-01T033000Z.dump"]
    {
        fs::write(folder.path().join("backups").join(old), "").unwrap();
    }
    // Nothing of these makes a file or takes one away.
    let moved = [("OUTFLANK_DATABASE", "postgres://outflank@127.0.0.1/outflank")];
    let moved_by_a_flag = [("OUTFLANK_ARGS", "--open-lobby --database postgres://outflank@127.0.0.1/outflank")];
    let moved_by_another = [("OUTFLANK_ARGS", "--database=postgres://outflank@127.0.0.1/outflank")];
    let none: &[(&str, &str)] = &[];
    for (args, environment, why) in [
        (&["data", "backups", "0"][..], none, "how many to keep is a number from 1 on, and 0 is not"),
        (&["nowhere", "backups", "1"], none, "there are no games in nowhere"),
        (&["data", "backups", "1"], &moved, "the games are in a database and not in data any more"),
        (&["data", "backups", "1"], &moved_by_a_flag, "the games are in a database and not in data any more"),
        (&["data", "backups", "1"], &moved_by_another, "the games are in a database and not in data any more"),
        (&["data"], none, "which folder, and where to?"),
    ] {
        let (done, complaint, files) = nightly(folder.path(), args, environment);
        assert!(!done && complaint.starts_with(&format!("backup: {why}")), "{args:?}: {complaint}");
        assert_eq!(files.len(), 3, "{args:?}");
    }
    let others = [("OUTFLANK_ARGS", "--host https://club.example --open-lobby")];
    let (done, complaint, files) = nightly(folder.path(), &["data", "backups", "2"], &others);
    assert!(done, "{complaint}");
    assert_eq!(files[..2], ["outflank-2026-01-01T033000Z.dump", "outflank-2026-01-02T033000Z.zip"]);
    assert_eq!(files.len(), 3);
    let restored = run(folder.path(), &["restore", &format!("backups/{}", files[2]), "--force"]);
    assert!(restored.status.success(), "{}", said(&restored.stderr));
}

#[cfg(unix)]
#[test]
fn the_nightly_backup_of_a_database_is_there_when_it_is_whole() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    // What pg_dump does with a database is PostgreSQL's affair; here it writes what it was asked for, fails for one of that name, and lets
    // whoever called it be stopped for another.
    let stand_in = folder.path().join("pg_dump");
    let text = "#!/bin/sh\nfor arg; do case $arg in --file=*) echo \"$@\" >\"${arg#--file=}\" ;; broken) exit 1 ;; stopped) kill -TERM $PPID ;; esac; done\n";
    fs::write(&stand_in, text).unwrap();
    fs::set_permissions(&stand_in, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    // The server's own address is of no use here, and no reason to refuse.
    let environment = [("PATH", path.as_str()), ("OUTFLANK_DATABASE", "postgres://outflank@127.0.0.1/outflank")];
    let (done, _, files) = nightly(folder.path(), &["postgresql:broken", "backups"], &environment);
    assert_eq!((done, files.len()), (false, 0), "what is not whole does not stay");
    let (done, _, files) = nightly(folder.path(), &["postgresql:stopped", "backups"], &environment);
    assert_eq!((done, files.len()), (false, 0), "nor what was cut short");
    fs::write(folder.path().join("backups/outflank-2026-01-01T033000Z.dump"), "").unwrap();
    fs::write(folder.path().join("backups/outflank-2026-01-01T033000Z.zip"), "").unwrap();
    let (done, complaint, files) = nightly(folder.path(), &["postgresql:club", "backups", "1"], &environment);
    assert!(done, "{complaint}");
    assert_eq!((files.len(), files[0].as_str()), (2, "outflank-2026-01-01T033000Z.zip"));
    let dump = folder.path().join("backups").join(&files[1]);
    assert!(fs::read_to_string(&dump).unwrap().starts_with("--format=custom --file="));
    assert_eq!(fs::metadata(&dump).unwrap().permissions().mode() & 0o777, 0o600);
    // A whole address is passed on as it is.
    let address = "postgresql://outflank@db.example/club";
    let (done, complaint, files) = nightly(folder.path(), &[address, "elsewhere"], &environment);
    assert!(done && files.len() == 2, "{complaint}");
    let dump = fs::read_dir(folder.path().join("elsewhere")).unwrap().next().unwrap().unwrap().path();
    assert!(fs::read_to_string(dump).unwrap().trim_end().ends_with(&format!(" {address}")));
}

#[cfg(unix)]
#[test]
fn a_killed_process_leaves_a_library_that_opens_and_holds_whole_batches() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let mut child = outflank(&["library", "add", "-", "--data", "data"])
        .current_dir(folder.path())
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // every opening of seven moves: more than one batch of them
    let mut games = String::new();
    fn lines(position: rules::Position, moves: &str, depth: usize, games: &mut String) {
        if depth == 0 {
            games.push_str(moves);
            games.push('\n');
            return;
        }
        for square in position.legal() {
            lines(position.play(square).unwrap().after, &format!("{moves}{square}"), depth - 1, games);
        }
    }
    lines(rules::Position::start(), "", 7, &mut games);
    let all = games.lines().count();
    let mut input = child.stdin.take().unwrap();
    input.write_all(games.as_bytes()).unwrap();
    drop(input);
    // killed as soon as anything is there
    while answer(folder.path(), &[])["games"] == 0 && child.try_wait().unwrap().is_none() {}
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = answer(folder.path(), &[])["games"].as_u64().unwrap() as usize;
    assert!(kept > 0 && kept <= all);
    // four ways to look at each: a quarter of them is kept
    let again =
        fs::write(folder.path().join("all.txt"), &games).map(|()| answer(folder.path(), &["add", "all.txt"])).unwrap();
    assert_eq!(again["added"].as_u64().unwrap() as usize + kept, all / 4);
}

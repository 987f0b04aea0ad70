//! Passwords in addresses: they are used, and never said.

mod common;

use common::outflank;
use std::{
    env,
    io::{BufRead, BufReader, Read, Write},
    process::{Command, Output, Stdio},
};

const SECRET: &str = "s3cr3t";

fn said(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr[..]].concat()).unwrap()
}

#[test]
fn what_cannot_be_reached_or_read_is_named_without_its_password() {
    let folder = tempfile::tempdir().unwrap();
    for (database, shown) in [
        ("127.0.0.1:1/games", "postgres://127.0.0.1:1/games"),
        ("127.0.0.1:1/games?sslmode=verify-full", "postgres://127.0.0.1:1/games"),
        ("127.0.0.1:1/games?sslmode=perhaps", "sslmode is one of"),
        ("host:port/games", "postgres://"),
        ("127.0.0.1:1/games?unknown=7", "postgres://"),
    ] {
        let address = format!("postgres://ana:{SECRET}@{database}");
        let given =
            outflank(&["serve", "--no-open", "--listen", "127.0.0.1:0", "--log", "debug", "--database", &address])
                .arg("--data")
                .arg(folder.path())
                .output()
                .unwrap();
        let text = said(&given);
        assert_eq!(given.status.code(), Some(2), "{text}");
        assert!(text.contains(shown) && !text.contains(SECRET), "{text}");
        let copied = outflank(&["move-data", &address]).arg(folder.path().join("copy")).output().unwrap();
        assert!(!said(&copied).contains(SECRET), "{copied:?}");
    }
}

#[test]
fn help_does_not_tell_what_the_environment_says() {
    let address = format!("postgres://ana:{SECRET}@host/games");
    let names = ["OUTFLANK_DATABASE", "OUTFLANK_BUS", "OUTFLANK_TOKEN"];
    for command in ["serve", "bot"] {
        let mut help = outflank(&[command, "--help"]);
        help.envs(names.map(|name| (name, &address)));
        let text = said(&help.output().unwrap());
        assert!(text.contains("OUTFLANK_") && !text.contains(SECRET), "{text}");
    }
}

#[test]
fn a_server_says_where_the_games_really_are_and_logs_no_password() {
    let Ok(server) = env::var("OUTFLANK_TEST_POSTGRES") else {
        let _ =
            writeln!(std::io::stderr(), "skipped: a server on PostgreSQL: OUTFLANK_TEST_POSTGRES names no database");
        return;
    };
    let (user, place) = server.strip_prefix("postgres://").unwrap().split_once('@').unwrap();
    let password = user.split_once(':').unwrap().1;
    let name = format!("cli_secrets_{}", std::process::id());
    let psql = |sql: &str| {
        let status = Command::new("psql").args([&server, "-q", "-c", sql]).status();
        assert!(status.is_ok_and(|status| status.success()), "{sql}");
    };
    psql(&format!("CREATE SCHEMA {name}"));
    let folder = tempfile::tempdir().unwrap();
    let mut child = outflank(&["serve", "--no-open", "--listen", "127.0.0.1:0", "--log", "debug", "--data"])
        .arg(folder.path())
        .env("OUTFLANK_DATABASE", format!("{server}?options=-csearch_path%3D{name}"))
        // Nobody is there: it is tried again and again, and that is logged.
        .env("OUTFLANK_BUS", format!("nats://ana:{SECRET}@127.0.0.1:1"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let (ready, saved) = (lines.next().unwrap(), lines.next().unwrap());
    child.kill().unwrap();
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    child.wait().unwrap();
    psql(&format!("DROP SCHEMA {name} CASCADE"));
    assert!(saved.starts_with(&format!("Games are saved in postgres://{place}.")), "{saved}");
    assert!(log.contains("the bus is not there yet"), "{log}");
    for text in [&ready, &saved, &log] {
        assert!(!text.contains(SECRET) && !text.contains(password), "{text}");
    }
}

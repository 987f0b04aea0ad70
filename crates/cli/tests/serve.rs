//! `outflank serve` as a user meets it: it starts, it stops, and what goes wrong is one sentence.

mod common;

use common::{Server, outflank};
use serde_json::json;
use std::{fs, net::TcpListener, path::Path, process::Output};

fn serve(data: &Path, more: &[&str]) -> Output {
    outflank(&["serve", "--no-open", "--data"]).arg(data).args(more).output().unwrap()
}

/// One sentence on standard error, nothing on standard output, exit code 2.
fn sentence(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(output.stdout.is_empty(), "{output:?}");
    text
}

/// It does not start, and says why in each language.
fn refuses(data: &Path, more: &[&str], english: &str, spanish: &str) {
    for (language, said) in [("en", english), ("es", spanish)] {
        let text = sentence(&serve(data, &[more, &["--lang", language]].concat()));
        assert!(text.contains(said), "{language}: {text}");
    }
}

const ANY: [&str; 2] = ["--listen", "127.0.0.1:0"];

#[test]
fn it_starts_plays_and_stops_politely() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let mut page = server.page().unwrap();
    let seat = |name: &str| json!({"kind": "person", "name": name});
    let rules = json!({"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": true});
    let create = json!({"type": "create", "seats": {"black": seat("Ana"), "white": seat("Luis")}, "rules": rules});
    let game = page.ask("c", create).unwrap()["game"].clone();
    page.ask("p", json!({"type": "play", "game": game, "square": "f5", "ply": 0})).unwrap();
    #[cfg(unix)]
    {
        let pid = server.child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        assert_eq!(server.child.wait().unwrap().code(), Some(0));
    }
    drop(server);
    let server = Server::start(folder.path());
    // A new page is the same person: the one at this computer.
    let list = server.page().unwrap().ask("l", json!({"type": "list"})).unwrap();
    assert_eq!((&list["games"][0]["game"], &list["games"][0]["ply"]), (&game, &json!(1)));
}

#[test]
fn with_lan_the_door_stands_open_from_the_start_and_the_owner_closes_it() {
    let folder = tempfile::tempdir().unwrap();
    let (server, said) = Server::start_with(folder.path(), &["--lan", "--network", "127.0.0.1"]);
    let said = said.unwrap();
    let door = said.split("http://").nth(1).unwrap().trim_end_matches('/').to_owned();
    assert_ne!(door, server.address);
    let mut owner = server.page().unwrap();
    owner.ask(
        "c",
        json!({"type": "create", "seats": {"black": {"kind": "person", "name": 1}, "white": {"kind": "open"}},
        "rules": {"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": true}}),
    );
    // Whoever comes in by it is somebody else.
    let mut stranger = Server::page_at(&door).unwrap();
    assert_eq!(stranger.ask("l", json!({"type": "list"})).unwrap()["games"], json!([]));
    assert_eq!(stranger.ask("d", json!({"type": "close_door"})).unwrap()["why"], "not_yours");
    assert_eq!(owner.ask("d", json!({"type": "close_door"})).unwrap()["type"], "done");
    assert!(Server::page_at(&door).is_none());
    assert!(server.page().is_some());
}

#[test]
fn with_a_name_the_owner_is_whoever_has_the_link() {
    let folder = tempfile::tempdir().unwrap();
    let (server, said) = Server::start_with(folder.path(), &["--host", "https://club.example"]);
    let link = said.unwrap();
    let token = link.split("https://club.example/#owner=").nth(1).unwrap().split(' ').next().unwrap();
    let mut stranger = server.page().unwrap();
    assert_eq!(stranger.ask("d", json!({"type": "open_door"})).unwrap()["why"], "not_yours");
    let mut owner = Server::page_with(&server.address, &[("authorization", &format!("Bearer {token}"))]).unwrap();
    owner.ask(
        "c",
        json!({"type": "create", "seats": {"black": {"kind": "person", "name": 1}, "white": {"kind": "open"}},
        "rules": {"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": true}}),
    );
    assert_eq!(owner.ask("l", json!({"type": "list"})).unwrap()["games"].as_array().unwrap().len(), 1);
    assert_eq!(stranger.ask("l", json!({"type": "list"})).unwrap()["games"], json!([]));
    for (flag, wrong) in [("--host", "club.example:80"), ("--behind-proxy", "1.2.3.4/33")] {
        let (english, spanish) = (format!("{wrong} is no value"), format!("{wrong} no es un valor"));
        refuses(folder.path(), &[flag, wrong], &english, &spanish);
    }
}

#[cfg(unix)]
#[test]
fn a_server_that_stood_still_charges_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut page = server.page().unwrap();
    let seat = |name: u8| json!({"kind": "person", "name": name});
    let rules = json!({"time": {"kind": "sudden_death", "main_ms": 3000}, "overrun": "loses", "empties": "to_winner", "takebacks": false});
    let create = json!({"type": "create", "seats": {"black": seat(1), "white": seat(2)}, "rules": rules});
    let game = page.ask("c", create).unwrap()["game"].clone();
    let play = |square: &str, ply: u8| json!({"type": "play", "game": game, "square": square, "ply": ply});
    page.ask("o", json!({"type": "open", "game": game})).unwrap();
    assert_eq!(page.ask("p0", play("f5", 0)).unwrap()["type"], "done");
    let signal = |name: &str| {
        let pid = server.child.id().to_string();
        assert!(std::process::Command::new("kill").args([name, &pid]).status().unwrap().success());
    };
    // White's move is sent at once, to a process that is stopped for longer than White has time.
    signal("-STOP");
    page.send("p1", play("d6", 1)).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(5500));
    signal("-CONT");
    assert_eq!(page.answer("p1").unwrap()["type"], "done", "it was sent in time");
    let state = page.ask("o2", json!({"type": "open", "game": game})).unwrap();
    assert_eq!(state["view"]["status"], "playing");
    assert!(state["view"]["clocks"]["white"]["left_ms"].as_u64().unwrap() > 2000, "{}", state["view"]["clocks"]);
    assert!(server.counted("outflank_stalls_total") > 0);
}

#[test]
fn the_log_has_no_secrets_and_says_nothing_of_moves() {
    use std::io::Read;
    let folder = tempfile::tempdir().unwrap();
    let (mut server, link) = Server::start_with(folder.path(), &["--host", "club.example", "--log", "debug"]);
    let link = link.unwrap();
    let token = link.split("#owner=").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let mut page = Server::page_with(&server.address, &[("authorization", &format!("Bearer {token}"))]).unwrap();
    let rules = json!({"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": true});
    let seats = json!({"black": {"kind": "person", "name": "Ana"}, "white": {"kind": "open"}});
    let game = page.ask("c", json!({"type": "create", "seats": seats, "rules": rules})).unwrap()["game"].clone();
    let state = page.ask("o", json!({"type": "open", "game": game})).unwrap();
    let invite = state["invites"]["white"].as_str().unwrap().to_owned();
    let mut other = server.page().unwrap();
    assert_eq!(
        other.ask("s", json!({"type": "sit", "game": game, "invite": invite, "name": "Luis"})).unwrap()["type"],
        "done"
    );
    assert_eq!(page.ask("p", json!({"type": "play", "game": game, "square": "f5", "ply": 0})).unwrap()["type"], "done");
    assert_eq!(other.ask("x", json!({"type": "nonsense", "invite": invite})).unwrap()["why"], "bad_message");
    server.child.kill().unwrap();
    let mut log = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains("serving"), "{log}");
    for secret in [token.as_str(), &invite, "f5"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
    refuses(folder.path(), &["--log", "loud"], "loud is no value", "loud no es un valor");
}

#[test]
fn an_idle_server_leaves_the_disk_alone() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut page = server.page().unwrap();
    let commits = || server.counted("outflank_commit_seconds_count");
    // A new folder is written to twice: a sign of life, and that the library has all games there were before it.
    while commits() < 2 {
        page.pings(1);
    }
    let before = commits();
    // The server asks every few seconds whether a page is there: by the third time it has had its beats.
    page.pings(3);
    assert_eq!(commits(), before);
    let seat = |name: u8| json!({"kind": "person", "name": name});
    let rules = json!({"time": {"kind": "sudden_death", "main_ms": 600_000}, "overrun": "loses", "empties": "to_winner", "takebacks": false});
    let create = json!({"type": "create", "seats": {"black": seat(1), "white": seat(2)}, "rules": rules});
    let game = page.ask("c", create).unwrap()["game"].clone();
    page.ask("p", json!({"type": "play", "game": game, "square": "f5", "ply": 0})).unwrap();
    let playing = commits();
    page.pings(2);
    assert!(commits() > playing, "a running clock needs signs of life");
}

#[test]
fn networks_that_this_computer_is_not_in() {
    let folder = tempfile::tempdir().unwrap();
    // An address of the documentation's own, which no computer has.
    let nowhere = ["--lan", "--network", "198.51.100.7", ANY[0], ANY[1]];
    refuses(folder.path(), &nowhere, "does not have the address 198.51.100.7", "no tiene la dirección 198.51.100.7");
    refuses(folder.path(), &["--network", "house"], "house is no value", "house no es un valor");
}

#[test]
fn a_port_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let games = folder.path().join("games");
    let (english, spanish) = (format!("{address} is in use"), format!("{address} está ocupado"));
    refuses(&games, &["--listen", &address], &english, &spanish);
    assert!(!games.exists(), "the games were not even opened");
}

#[test]
fn addresses_and_flags_that_make_no_sense() {
    let folder = tempfile::tempdir().unwrap();
    for wrong in ["nonsense", "127.0.0.1:99999"] {
        let (english, spanish) = (format!("{wrong} is no value"), format!("{wrong} no es un valor"));
        refuses(folder.path(), &["--listen", wrong], &english, &spanish);
    }
    refuses(folder.path(), &["--dance"], "no option or argument --dance", "no existe la opción o el argumento --dance");
    refuses(folder.path(), &["now"], "no option or argument now", "no existe la opción o el argumento now");
    // An address of the documentation's own, which no computer has.
    let nowhere = ["--listen", "198.51.100.7:0"];
    refuses(folder.path(), &nowhere, "does not have the address", "no tiene la dirección");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was made");
}

#[test]
fn games_that_another_server_uses() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    refuses(folder.path(), &ANY, "another Outflank is using", "otro Outflank está usando");
    assert!(server.page().is_some(), "the first goes on");
}

#[test]
fn files_that_are_not_ours_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("outflank.db");
    let mut header = b"SQLite format 3\0".to_vec();
    header.resize(8192, 1);
    let foreign = ("belongs to another program", "es de otro programa");
    let damaged = ("is damaged", "está dañado");
    for (bytes, (english, spanish)) in [
        (b"hello".to_vec(), foreign),
        (b"SQLite form".to_vec(), damaged),
        (vec![b'x'; 5000], foreign),
        (header, foreign),
    ] {
        fs::write(&file, &bytes).unwrap();
        refuses(folder.path(), &ANY, english, spanish);
        assert_eq!(fs::read(&file).unwrap(), bytes);
    }
}

#[test]
fn games_that_were_damaged_or_written_by_a_later_version() {
    let folder = tempfile::tempdir().unwrap();
    drop(Server::start(folder.path()));
    let file = folder.path().join("outflank.db");
    // What the killed server left beside it belongs to the whole file only.
    let log = folder.path().join("outflank.db-wal");
    if log.exists() {
        fs::remove_file(log).unwrap();
    }
    let whole = fs::read(&file).unwrap();
    let mut damaged = whole.clone();
    damaged[4096..].fill(0xab);
    let mut newer = whole;
    newer[60..64].copy_from_slice(&99i32.to_be_bytes());
    for (bytes, english, spanish) in [
        (damaged, "is damaged", "está dañado"),
        (newer, "was written by a newer Outflank", "lo escribió un Outflank más reciente"),
    ] {
        fs::write(&file, &bytes).unwrap();
        refuses(folder.path(), &ANY, english, spanish);
        assert_eq!(fs::read(&file).unwrap(), bytes, "{english}");
    }
}

#[test]
fn a_file_in_place_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    refuses(&file, &ANY, "is a file, not a folder", "es un archivo, no una carpeta");
    refuses(&file.join("games"), &ANY, "a part of the path is not a folder", "una parte de la ruta no es una carpeta");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written() {
    use std::{os::unix::fs::PermissionsExt, process::Command};
    let folder = tempfile::tempdir().unwrap();
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(folder.path(), 0o755);
    mode(&closed, 0o555);
    if fs::write(closed.join("probe"), "").is_err() {
        refuses(&closed, &ANY, "no permission to write", "no hay permiso para escribir");
        return;
    }
    // Root may write everywhere; nobody may not.
    fs::remove_file(closed.join("probe")).unwrap();
    for (language, said) in [("en", "no permission to write"), ("es", "no hay permiso para escribir")] {
        let output = Command::new("setpriv")
            .args([
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                env!("CARGO_BIN_EXE_outflank"),
                "serve",
                "--no-open",
            ])
            .args(ANY)
            .args(["--lang", language, "--data"])
            .arg(&closed)
            .output();
        match output {
            Ok(output) if output.status.code() == Some(2) => {
                let text = sentence(&output);
                assert!(text.contains(said), "{language}: {text}");
            }
            // The program may lie where nobody else can start it.
            other => println!("skipped: this user may write everywhere, and cannot be another ({other:?})"),
        }
    }
    assert_eq!(fs::read_dir(&closed).unwrap().count(), 0);
}

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
fn a_port_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let text = sentence(&serve(&folder.path().join("games"), &["--listen", &address]));
    assert!(text.contains(&address) && text.contains("in use"), "{text}");
    assert!(!folder.path().join("games").exists(), "the games were not even opened");
    let text = sentence(&serve(folder.path(), &["--listen", &address, "--lang", "es"]));
    assert!(text.contains("está ocupado"), "{text}");
}

#[test]
fn addresses_and_flags_that_make_no_sense() {
    let folder = tempfile::tempdir().unwrap();
    for more in [["--listen", "nonsense"], ["--listen", "127.0.0.1:99999"], ["--dance", "now"]] {
        let text = sentence(&serve(folder.path(), &more));
        assert!(text.contains(more[0]), "{text}");
    }
    // An address of the documentation's own, which no computer has.
    let text = sentence(&serve(folder.path(), &["--listen", "198.51.100.7:0"]));
    assert!(text.contains("does not have the address"), "{text}");
}

#[test]
fn games_that_another_server_uses() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let text = sentence(&serve(folder.path(), &["--listen", "127.0.0.1:0"]));
    assert!(text.contains("another Outflank"), "{text}");
    assert!(server.page().is_some(), "the first goes on");
}

#[test]
fn files_that_are_not_ours_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("outflank.db");
    let mut header = b"SQLite format 3\0".to_vec();
    header.resize(8192, 1);
    for (bytes, said) in [
        (b"hello".to_vec(), "another program"),
        (b"SQLite form".to_vec(), "damaged"),
        (vec![b'x'; 5000], "another program"),
        (header, "another program"),
    ] {
        fs::write(&file, &bytes).unwrap();
        let text = sentence(&serve(folder.path(), &["--listen", "127.0.0.1:0"]));
        assert!(text.contains(said), "{text}");
        assert_eq!(fs::read(&file).unwrap(), bytes);
    }
    fs::write(folder.path().join("file"), "").unwrap();
    let text = sentence(&serve(&folder.path().join("file/games"), &["--listen", "127.0.0.1:0"]));
    assert!(text.contains("not a folder"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(closed.join("probe"), "").is_ok() {
        println!("skipped: this user may write everywhere");
        return;
    }
    let text = sentence(&serve(&closed, &["--listen", "127.0.0.1:0"]));
    assert!(text.contains("no permission"), "{text}");
}

//! The disk is full: before the start, and in the middle of a game.
//!
//! It needs a small disk of its own, which only Linux's root may have; elsewhere it says that it was skipped.
#![cfg(target_os = "linux")]

mod common;

use common::{Server, outflank};
use serde_json::json;
use std::{fs, path::PathBuf, process::Command};

/// A file system in memory, gone when it goes out of scope.
struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    fn new(size: &str) -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(folder.path())
            .output()
            .is_ok_and(|output| output.status.success());
        if !mounted {
            println!("skipped: this user may not mount a disk");
            return None;
        }
        Some(SmallDisk { folder })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn fill(&self) {
        let mut size = 1 << 20;
        for n in 0.. {
            while fs::write(self.path(&format!("fill{n}")), vec![7; size]).is_err() {
                size /= 2;
                if size < 512 {
                    return;
                }
            }
        }
    }

    fn free(&self) {
        for entry in fs::read_dir(self.folder.path()).unwrap().flatten() {
            if entry.file_name().to_string_lossy().starts_with("fill") {
                fs::remove_file(entry.path()).unwrap();
            }
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.folder.path()).status();
    }
}

#[test]
fn no_room_to_begin_with() {
    for size in ["8k", "32k", "64k"] {
        let Some(disk) = SmallDisk::new(size) else { return };
        for (language, said) in [("en", "the disk is full"), ("es", "el disco está lleno")] {
            let output = outflank(&["serve", "--no-open", "--listen", "127.0.0.1:0", "--lang", language, "--data"])
                .arg(disk.path("games"))
                .output()
                .unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{size}: {text}");
            assert!(text.contains(said) && text.lines().count() == 1, "{size}: {text}");
        }
    }
}

#[test]
fn no_room_for_a_game_in_the_terminal() {
    let Some(disk) = SmallDisk::new("64k") else { return };
    disk.fill();
    for (language, said) in [("en", "the disk is full"), ("es", "el disco está lleno")] {
        let output = outflank(&["play", "--plain", "--lang", language, "--data"])
            .arg(disk.path("games"))
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(said) && text.lines().count() == 1, "{text}");
    }
}

#[test]
fn no_room_in_the_middle_of_a_game() {
    let Some(disk) = SmallDisk::new("4m") else { return };
    let server = Server::start(&disk.path("games"));
    let mut page = server.page().unwrap();
    let seat = |name: &str| json!({"kind": "person", "name": name});
    let rules = json!({"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": true});
    let create = json!({"type": "create", "seats": {"black": seat("Ana"), "white": seat("Luis")}, "rules": rules});
    let game = page.ask("c", create.clone()).unwrap()["game"].clone();
    let play = |square: &str, ply: u8| json!({"type": "play", "game": game, "square": square, "ply": ply});
    assert_eq!(page.ask("p1", play("f5", 0)).unwrap()["type"], "done");
    disk.fill();
    // Games until one cannot be kept: what was acknowledged before stays, what is refused is not there.
    let mut begun = 1;
    let refused = loop {
        let answer = page.ask(&format!("c{begun}"), create.clone()).unwrap();
        if answer["type"] == "refused" {
            break answer;
        }
        begun += 1;
        assert!(begun < 10_000, "the disk never fills");
    };
    assert_eq!(refused["why"], "not_saved", "{refused}");
    let health = server.get("/api/health");
    assert!(health.starts_with("HTTP/1.1 503") && health.contains(r#""store":"failing""#), "{health}");
    let state = page.ask("o1", json!({"type": "open", "game": game})).unwrap();
    assert_eq!((&state["view"]["ply"], &state["seq"]), (&json!(1), &json!(1)));
    disk.free();
    // The same command again, now that there is room.
    assert_eq!(page.ask(&format!("c{begun}"), create).unwrap()["type"], "done");
    assert_eq!(page.ask("p2", play("d6", 1)).unwrap()["type"], "done");
    let health = server.get("/api/health");
    assert!(health.starts_with("HTTP/1.1 200") && health.contains(r#""status":"ok""#), "{health}");
    drop(server);
    let server = Server::start(&disk.path("games"));
    let state = server.page().unwrap().ask("o2", json!({"type": "open", "game": game})).unwrap();
    assert_eq!(state["view"]["ply"], 2);
}

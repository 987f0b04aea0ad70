//! Pages that ask and never read. Nobody else waits for them, and the server does not hoard what they leave lying.

mod common;

use common::{Page, Server};
use serde_json::{Value, json};
use std::{
    net::TcpStream,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};
use tungstenite::{Message, WebSocket};

/// How many pages there are, and how often each asks for the whole game: well over 100 MB that nobody takes.
const PAGES: usize = 20;
const TIMES: usize = 600;

fn begin(page: &mut Page) -> String {
    let seat = |name: &str| json!({"kind": "person", "name": name});
    let rules = json!({"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": true});
    let create = json!({"type": "create", "seats": {"black": seat("Ana"), "white": seat("Luis")}, "rules": rules});
    let game = page.ask("create", create).unwrap()["game"].as_str().unwrap().to_owned();
    // Until the game is long, so that every answer is.
    let mut state = page.ask("open", json!({"type": "open", "game": game})).unwrap();
    while state["view"]["status"] == "playing" && state["view"]["ply"].as_u64() < Some(50) {
        let play = json!({"type": "play", "game": game, "square": state["view"]["legal"][0]["square"], "ply": state["view"]["ply"]});
        page.ask(&format!("play-{}", state["view"]["ply"]), play).unwrap();
        state = page.news.last().unwrap().clone();
    }
    game
}

/// Asks without reading; when at last it looks, the server has hung up. How many answers it finds until then.
fn sulk(address: &str, game: &str, done: &AtomicBool) -> usize {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let (mut socket, _) = tungstenite::client(format!("ws://{address}/api/socket"), stream).unwrap();
    for time in 0..TIMES {
        let open = json!({"id": format!("open-{time}"), "type": "open", "game": game});
        if socket.send(Message::text(open.to_string())).is_err() {
            break;
        }
    }
    while !done.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(50));
    }
    count(&mut socket)
}

fn count(socket: &mut WebSocket<TcpStream>) -> usize {
    let mut answers = 0;
    loop {
        match socket.read() {
            Ok(message) => {
                let answer = message.to_text().ok().and_then(|text| serde_json::from_str::<Value>(text).ok());
                answers += usize::from(answer.is_some_and(|answer| answer["type"] == "game"));
            }
            Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {
                panic!("the server should have let it go")
            }
            Err(_) => return answers,
        }
    }
}

/// Kilobytes of memory in use, where the system tells.
fn memory(server: &Server) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[test]
fn pages_that_do_not_read_hold_nobody_up_and_are_let_go() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut page = server.page().unwrap();
    let game = begin(&mut page);
    let before = memory(&server);
    let done = AtomicBool::new(false);
    let (mut most, mut moves) = (before, 0);
    let answers: Vec<usize> = thread::scope(|scope| {
        let sulking: Vec<_> = (0..PAGES).map(|_| scope.spawn(|| sulk(&server.address, &game, &done))).collect();
        // Long enough for each to ask its fill and for the server to lose patience; a page that hears nothing for
        // twenty seconds fails the test.
        let begun = std::time::Instant::now();
        while begun.elapsed() < Duration::from_secs(25) {
            let state = page.ask(&format!("look-{moves}"), json!({"type": "open", "game": game})).unwrap();
            let ply = &state["view"]["ply"];
            let ask = if moves % 2 == 0 {
                json!({"type": "takeback", "game": game, "ply": ply})
            } else {
                json!({"type": "play", "game": game, "square": state["view"]["legal"][0]["square"], "ply": ply})
            };
            assert_eq!(page.ask(&format!("move-{moves}"), ask).unwrap()["type"], "done");
            page.news.clear();
            moves += 1;
            most = most.max(memory(&server));
            thread::sleep(Duration::from_millis(50));
        }
        done.store(true, Ordering::Relaxed);
        sulking.into_iter().map(|page| page.join().unwrap()).collect()
    });
    let most_answers = answers.iter().max().unwrap();
    println!(
        "{moves} moves beside {PAGES} pages that do not read; none got more than {most_answers} of {TIMES} answers"
    );
    assert!(*most_answers < TIMES);
    if let (Some(before), Some(most)) = (before, most) {
        let grown = most.saturating_sub(before) / 1024;
        println!("memory grew by {grown} MB");
        assert!(grown < 80, "memory grew by {grown} MB");
    }
}

//! What connections cost the real program, in memory.

#![cfg(target_os = "linux")] // where a process can be asked how much it has

mod common;

use common::Server;
use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

/// The memory a process holds, in KiB.
fn memory(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// What each of `number` connections costs when all of them have sent `said`, in bytes.
fn cost(number: u64, said: &[u8]) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    assert_eq!(server.counted("outflank_connections"), 1);
    let before = memory(&server);
    let mut held = Vec::new();
    for _ in 0..number {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(said).unwrap();
        held.push(stream);
    }
    assert_eq!(server.counted("outflank_connections"), number + 1, "all are there");
    let after = memory(&server);
    // And they are gone by themselves.
    for mut stream in held {
        let _ = stream.read_to_end(&mut Vec::new()); // however it ends
    }
    assert_eq!(server.counted("outflank_connections"), 1);
    after.saturating_sub(before) * 1024 / number
}

fn half_a_request_costs_little(said: &[u8]) {
    let cost = cost(300, said);
    println!("300 halves of a request of {} bytes: {cost} bytes each", said.len());
    assert!(cost <= 16 * 1024, "{cost} bytes each");
}

#[test]
fn half_a_short_request_costs_little() {
    half_a_request_costs_little(b"GET / HTTP/1.1\r\nHost: ");
}

#[test]
fn half_a_long_request_costs_little() {
    let long = [b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ".as_slice(), &[b'x'; 8000]].concat();
    half_a_request_costs_little(&long);
}

#[test]
#[ignore = "opens 10,000 connections: run it by name"]
fn ten_thousand_idle_pages() {
    const PAGES: usize = 10_000;
    assert!(server::raise_file_limit().is_none_or(|files| files > PAGES + 100), "too few files are allowed");
    let folder = tempfile::tempdir().unwrap();
    let (server, _) = Server::start_with(folder.path(), &["--connections", "11000"]);
    let before = memory(&server);
    let pages: Vec<_> = (0..PAGES).map(|_| server.page().unwrap()).collect();
    assert_eq!(server.counted("outflank_sockets"), PAGES as u64);
    let cost = (memory(&server) - before) * 1024 / PAGES as u64;
    println!("{PAGES} idle pages: {cost} bytes each");
    assert!(cost <= 20 * 1024, "{cost} bytes each");
    drop(pages);
}

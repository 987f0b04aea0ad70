//! An analyst that makes its engines at once is ready when it is there. Alone in its file, because it counts the process's threads.

#![cfg(target_os = "linux")]

use analyst::{Analyst, Config, Evaluator};
use std::fs;

fn threads() -> usize {
    fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
fn the_first_move_does_not_wait_for_an_engine_to_be_made() {
    let before = threads();
    let config = Config { engines: 1, spare: 0, threads: 3, hash: 64, at_once: true, ..Config::default() };
    let analyst = Analyst::start(Evaluator::blank(), config);
    // One that takes jobs, one that watches, and two more that the engine starts once its table is there.
    assert_eq!(threads(), before + 4);
    drop(analyst);
}

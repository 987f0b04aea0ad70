//! The threads of an engine live as long as it does. Alone in its file: it counts the threads of this process.
#![cfg(target_os = "linux")]

use engine::{Engine, Evaluator, Limits, Options};
use rules::Position;
use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

/// The numbers of the threads of this process that search.
fn searching() -> BTreeSet<PathBuf> {
    let threads = fs::read_dir("/proc/self/task").expect("the threads of this process");
    let paths = threads.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    // one that ends meanwhile has no name any more
    paths.filter(|path| fs::read_to_string(path.join("comm")).is_ok_and(|name| name.starts_with("search-"))).collect()
}

/// The system lists a thread for a moment longer than it takes to join it; one that lives on would be listed for ever.
fn wait_until_none_search() {
    let waiting = Instant::now();
    while !searching().is_empty() {
        assert!(waiting.elapsed() < Duration::from_secs(60), "threads outlive their engine");
        std::thread::yield_now();
    }
}

#[test]
fn threads_live_as_long_as_the_engine() {
    assert!(searching().is_empty());
    let mut engine = Engine::new(Evaluator::blank(), Options { threads: 3, hash: 1 });
    let analysis = engine.search(&Position::start(), &Limits::depth(8), &mut |_| {});
    let before = searching();
    assert_eq!(before.len(), 2, "two help the one that asks");
    for _ in 0..20 {
        engine.forget();
        let again = engine.search(&Position::start(), &Limits::depth(8), &mut |_| {});
        assert_eq!(again.depth, analysis.depth);
        assert_eq!(searching(), before, "the same ones");
    }
    drop(engine);
    wait_until_none_search();
    let one = Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 });
    assert!(searching().is_empty(), "one needs no help");
    drop(one);
}

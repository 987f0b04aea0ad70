//! The library reads no clock but the one that `Limits` carries.

use engine::{Clock, Engine, Evaluator, Limits, Options};
use rules::Position;
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// Every source file under a folder.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).expect("text")));
        }
    }
    found
}

#[test]
fn only_one_file_asks_the_system() {
    let all = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let asks = |text: &str| text.contains("Instant") || text.contains("SystemTime");
    let who: Vec<&str> = all.iter().filter(|(_, text)| asks(text)).map(|(path, _)| path.as_str()).collect();
    assert!(who.len() == 1 && who[0].ends_with("clock.rs"), "{who:?}");
}

#[test]
fn a_search_ends_by_the_clock_it_was_given() {
    let looks = Arc::new(AtomicU64::new(0));
    // Each look is a tenth of a second later than the one before: by that clock ten looks are the whole time.
    let counted = looks.clone();
    let clock = Clock::new(move || Duration::from_millis(100 * counted.fetch_add(1, Ordering::Relaxed)));
    let limits = Limits { clock, ..Limits::time(Duration::from_secs(1)) };
    let mut engine = Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 });
    let analysis = engine.search(&Position::start(), &limits, &mut |_| {});
    assert!(analysis.best().is_some());
    assert!(analysis.time >= Duration::from_millis(600), "{:?}", analysis.time);
    assert!((5..40).contains(&looks.load(Ordering::Relaxed)), "{looks:?}");
}

#[test]
fn a_clock_that_stands_still_ends_nothing() {
    let limits = Limits { clock: Clock::new(|| Duration::from_secs(9)), depth: 6, solve_at: 0, ..Limits::default() };
    let limits = Limits { time: Some(Duration::from_micros(1)), ..limits };
    let mut engine = Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 });
    let analysis = engine.search(&Position::start(), &limits, &mut |_| {});
    assert_eq!((analysis.depth, analysis.time), (6, Duration::ZERO));
}

/// A search that is told to stop has its engine for others only when it looks up; in the midgame a thousand nodes take a fifth of a millisecond.
#[test]
fn a_search_looks_up_every_thousand_nodes() {
    let looks = Arc::new(AtomicU64::new(0));
    let counted = looks.clone();
    let clock = Clock::new(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        Duration::ZERO
    });
    let limits = Limits { clock, time: Some(Duration::from_secs(3600)), depth: 16, solve_at: 0, ..Limits::default() };
    let mut engine = Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 });
    let nodes = engine.search(&Position::start(), &limits, &mut |_| {}).nodes;
    let looks = looks.load(Ordering::Relaxed);
    assert!(nodes > 100_000 && nodes / looks <= 1100, "{looks} looks at {nodes} nodes");
}

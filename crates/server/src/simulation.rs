//! The server's own code in worlds that a seed decides: nodes, a store and a bus that fail, people who come, play and vanish.
//!
//! What runs is [`House`](crate::House) with its rooms, its connections' loops, its alarms and its lobby, over the real SQLite store. In
//! the place of sockets, of the bus and of the clock stand others that one source of numbers drives, in one thread, so that the same seed
//! goes the same way every time. Each node has a runtime of its own whose time stands still unless the world moves it; dropping the
//! runtime is what `kill -9` is.
//!
//! ```text
//! world    moves time on, frame by frame; kills, freezes and starts nodes; at last heals everything and compares
//! node     one server                 store, bus   what goes wrong on the way to them
//! wire     in the place of a socket   person       someone who plays or watches, and notes what they were told
//! truth    what the store says, and so what everyone may have been told
//! clocks   what becomes of players' time in faults that are chosen, not drawn
//! ```
//!
//! `OUTFLANK_SEEDS=1000` runs so many, `OUTFLANK_SEED=7` that one, with everything that happens in it. Left out: the computer's moves,
//! which are searched by threads of their own, and everything over HTTP.

mod bus;
mod clocks;
mod dice;
mod node;
mod person;
mod store;
mod truth;
mod wire;
mod world;

use dice::Dice;
use std::{
    cell::{Cell, RefCell},
    sync::Once,
};
use world::{Report, World};

thread_local! {
    /// What the server draws in this thread, if it is simulated here.
    static DRAWN: RefCell<Option<Dice>> = const { RefCell::new(None) };
    /// How often anything panicked in this thread.
    static PANICS: Cell<u32> = const { Cell::new(0) };
}

/// Fills `bytes` with what a simulation draws; `false` if none runs in this thread.
pub(crate) fn drawn(bytes: &mut [u8]) -> bool {
    DRAWN.with_borrow_mut(|dice| {
        let Some(dice) = dice else { return false };
        bytes.fill_with(|| dice.number() as u8);
        true
    })
}

/// How often anything panicked in this thread: what a task does is otherwise nobody's concern but its own.
fn panics() -> u32 {
    PANICS.get()
}

/// Runs the world of one seed to its end.
fn run(seed: u64, loud: bool) -> Report {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANICS.set(PANICS.get() + 1);
            before(info);
        }));
    });
    PANICS.set(0);
    DRAWN.set(Some(Dice::new(!seed)));
    let report = World::new(seed, loud).run();
    DRAWN.set(None);
    report
}

/// A number from the environment.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text}")))
}

#[test]
fn whatever_fails_the_game_is_one_game_and_everyone_is_told_of_it() {
    if let Some(seed) = number("OUTFLANK_SEED") {
        println!("{}", run(seed, true));
        return;
    }
    let mut all = Report::default();
    for seed in 1..=number("OUTFLANK_SEEDS").unwrap_or(40) {
        all.add(&run(seed, false));
    }
    println!("{all}");
    // A world in which nothing goes wrong proves nothing.
    all.check_that_it_was_hard();
}

#[test]
fn the_same_seed_goes_the_same_way() {
    for seed in [3, 4, 5] {
        let (first, second) = (run(seed, false), run(seed, false));
        let differs = first.trace.iter().zip(&second.trace).find(|(one, other)| one != other);
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(first.trace.len(), second.trace.len(), "seed {seed}");
        assert!(first.trace.len() > 100, "seed {seed}");
    }
    assert_ne!(run(3, false).trace, run(4, false).trace);
}

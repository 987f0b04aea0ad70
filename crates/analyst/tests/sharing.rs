//! What those who ask see: answers that deepen, in the right order, from a fixed number of engines.

use analyst::{Analyst, Ask, Busy, Config, Job, Load, Owner, Purpose, Turn};
use engine::{Evaluator, Level, Limits, Options};
use rules::{Position, Square};
use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

fn analyst(engines: usize) -> Analyst {
    with_spare(engines, 0)
}

fn with_spare(engines: usize, spare: usize) -> Analyst {
    let config = Config { engines, spare, threads: 1, hash: 1, each: 8, all: 64, at_once: false };
    Analyst::start(Evaluator::blank(), config)
}

/// A search that nobody lives to see the end of.
fn endless() -> Limits {
    Limits::solve()
}

fn ask(analyst: &Analyst, owner: u64, purpose: Purpose, limits: Limits) -> Job {
    analyst.ask(Ask::new(Owner::of(owner), purpose, Position::start(), limits)).unwrap()
}

/// A job that has certainly begun.
fn begun(analyst: &Analyst, owner: u64, purpose: Purpose) -> Job {
    let mut job = ask(analyst, owner, purpose, endless());
    job.blocking_next().expect("a first round");
    job
}

/// Waits for this, or for ever.
fn until(analyst: &Analyst, wanted: impl Fn(Load) -> bool) {
    while !wanted(analyst.load()) {
        thread::yield_now();
    }
}

#[test]
fn analyses_deepen_up_to_what_was_asked() {
    let analyst = analyst(1);
    let mut job = ask(&analyst, 1, Purpose::Analysis, Limits::depth(6));
    let mut depths = Vec::new();
    while let Some(analysis) = job.blocking_next() {
        assert!(Position::start().legal().contains(analysis.best().unwrap().square));
        depths.push(analysis.depth);
    }
    assert!(depths.is_sorted() && depths.last() == Some(&6), "{depths:?}");
}

#[test]
fn a_move_is_answered_although_the_only_engine_is_busy_and_the_other_search_goes_on() {
    let analyst = analyst(1);
    let mut analysis = begun(&analyst, 1, Purpose::Analysis);
    let answer = ask(&analyst, 2, Purpose::Move, Limits::depth(2)).blocking_answer().expect("a move");
    assert_eq!(answer.depth, 2);
    let deeper = analysis.blocking_next().expect("it goes on");
    assert!(deeper.depth >= 1);
}

#[test]
fn people_take_turns() {
    let analyst = analyst(1);
    let _first = begun(&analyst, 1, Purpose::Analysis);
    // Of equal purpose, so it is not interrupted at once; but it does not keep the engine for ever.
    let second = ask(&analyst, 2, Purpose::Analysis, Limits::depth(3));
    assert_eq!(second.blocking_answer().expect("an answer").depth, 3);
}

#[test]
fn a_dropped_job_frees_its_engine() {
    let analyst = analyst(1);
    drop(begun(&analyst, 1, Purpose::Move));
    let answer = ask(&analyst, 1, Purpose::Review, Limits::depth(2)).blocking_answer();
    assert_eq!(answer.expect("an answer").depth, 2);
}

#[test]
fn an_answer_can_be_had_at_once() {
    let analyst = analyst(1);
    let job = begun(&analyst, 1, Purpose::Move);
    job.answer_now();
    assert!(job.blocking_answer().is_some_and(|answer| answer.best().is_some()));
    // Also while it waits.
    let _other = begun(&analyst, 1, Purpose::Move);
    let waiting = ask(&analyst, 2, Purpose::Review, endless());
    waiting.answer_now();
    drop(_other);
    assert!(waiting.blocking_answer().is_some_and(|answer| answer.best().is_some()));
}

#[test]
fn late_moves_are_quick_ones() {
    let analyst = analyst(1);
    let past = Instant::now();
    let jobs: Vec<Job> = (0..100)
        .map(|owner| {
            let limits = Limits::time(Duration::from_millis(1));
            let ask =
                Ask { start_by: Some(past), ..Ask::new(Owner::of(owner), Purpose::Move, Position::start(), limits) };
            analyst.ask(ask).expect("moves are never refused")
        })
        .collect();
    for job in jobs {
        let square = job.blocking_answer().and_then(|answer| answer.best().map(|best| best.square));
        assert!(square.is_some_and(|square: Square| Position::start().legal().contains(square)));
    }
}

#[test]
fn the_computer_moves_in_the_time_its_clock_has_left_while_others_think() {
    let analyst = analyst(1);
    let _slow = begun(&analyst, 1, Purpose::Move);
    let _deep = ask(&analyst, 2, Purpose::Analysis, endless());
    let position = Position::start();
    // Half a second for the rest of the game: a level that likes to look far ahead plays what it sees at once.
    let clock = Some((Duration::from_millis(500), Duration::ZERO));
    for seed in 0..5 {
        let turn = Turn { owner: Owner::of(3), position, level: Level::STRONGEST, seed, clock };
        let limits = turn.limits();
        assert!(limits.time.is_some_and(|time| time < Duration::from_millis(100)), "{limits:?}");
        assert!(analyst.blocking_choose(&turn).is_some_and(|square| position.legal().contains(square)));
    }
}

#[test]
fn what_was_forgotten_is_searched_again() {
    let analyst = Analyst::start(Evaluator::blank(), Config::from(Options { threads: 1, hash: 1 }));
    let nodes = || ask(&analyst, 1, Purpose::Analysis, Limits::depth(8)).blocking_answer().expect("an answer").nodes;
    let first = nodes();
    assert!(nodes() < first, "it remembers");
    analyst.forget();
    assert_eq!(nodes(), first);
}

#[test]
fn a_job_may_be_hurried_by_one_thread_while_another_waits_for_it() {
    let analyst = analyst(1);
    let (control, mut updates) = begun(&analyst, 1, Purpose::Analysis).split();
    let waiting = thread::spawn(move || std::iter::from_fn(|| updates.blocking_next()).last());
    control.answer_now();
    assert!(waiting.join().unwrap().is_some_and(|last| last.best().is_some()));
    // Dropped, it ends as well.
    let (control, mut updates) = begun(&analyst, 1, Purpose::Analysis).split();
    drop(control);
    while updates.blocking_next().is_some() {}
}

#[test]
fn a_move_whose_time_is_up_does_not_wait_for_another_move() {
    let analyst = analyst(1);
    let _slow = begun(&analyst, 1, Purpose::Move);
    // Far less than anyone's turn: it would be over on the clock.
    for _ in 0..20 {
        let start_by = Some(Instant::now() + Duration::from_millis(10));
        let limits = Limits::time(Duration::from_millis(20));
        let ask = Ask { start_by, ..Ask::new(Owner::of(2), Purpose::Move, Position::start(), limits) };
        assert!(analyst.ask(ask).unwrap().blocking_answer().is_some());
    }
}

#[test]
fn too_much_is_refused() {
    let analyst = analyst(1);
    let _running = begun(&analyst, 1, Purpose::Hint);
    let _waiting: Vec<Job> = (0..7).map(|_| ask(&analyst, 1, Purpose::Hint, endless())).collect();
    let one_more = Ask::new(Owner::of(1), Purpose::Hint, Position::start(), endless());
    assert_eq!(analyst.ask(one_more.clone()).err(), Some(Busy::Yours));
    assert!(analyst.ask(Ask { owner: Owner::of(2), ..one_more }).is_ok());
}

#[test]
fn when_the_analyst_goes_every_job_ends() {
    let analyst = analyst(1);
    let jobs = [begun(&analyst, 1, Purpose::Analysis), ask(&analyst, 2, Purpose::Review, endless())];
    let (done, ended) = mpsc::channel();
    thread::spawn(move || {
        for job in jobs {
            job.blocking_answer();
        }
        done.send(()).unwrap();
    });
    drop(analyst);
    ended.recv_timeout(Duration::from_secs(60)).expect("every job ends");
}

#[test]
fn a_review_uses_spare_engines_and_gives_way_to_a_move() {
    let analyst = with_spare(1, 1);
    let mut jobs: Vec<Job> = (0..2).map(|_| begun(&analyst, 1, Purpose::Review)).collect();
    assert_eq!(analyst.load().running, 2, "both cores work on it");
    let slow = begun(&analyst, 2, Purpose::Move);
    // The move has the machine to itself.
    until(&analyst, |load| (load.running, load.waiting) == (1, 2));
    drop(slow);
    for job in &mut jobs {
        job.blocking_next().expect("it goes on");
    }
}

#[test]
fn a_board_with_many_threads_gives_them_to_another_board_at_once() {
    let analyst = with_spare(1, 1);
    let ask = Ask { threads: 2, ..Ask::new(Owner::of(1), Purpose::Analysis, Position::start(), endless()) };
    let mut first = analyst.ask(ask).unwrap();
    first.blocking_next().expect("a first round");
    let _second = begun(&analyst, 2, Purpose::Analysis);
    until(&analyst, |load| load.running == 2);
    first.blocking_next().expect("it goes on");
}

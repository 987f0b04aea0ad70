//! Games to review, and an engine to ask.
#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod recheck;

use engine::{Engine, Evaluator, Limits, Options};
use record::{Record, import, wthor};
use rules::{Position, Square};
use std::{fs, io::Write, path::PathBuf, sync::Mutex, time::Duration};
use study::review::{Plan, Report, Review, Stage};

/// An engine as it is shipped.
pub(crate) fn engine() -> Engine {
    let weights = include_bytes!("../../../../weights/eval.bin");
    Engine::new(Evaluator::new(weights).unwrap(), Options { threads: 1, hash: 32 })
}

/// A number from the environment, for tests that can be made longer.
pub(crate) fn size(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Up to `count` finished tournament games of all years; none, and a line that says so, where the files are not there.
pub(crate) fn corpus_games(count: usize) -> Vec<Record> {
    spread(corpus(|_| true), count)
}

/// Up to `count` finished games of one file.
pub(crate) fn games_of(file: &str, count: usize) -> Vec<Record> {
    spread(corpus(|name| name == file), count)
}

/// `count` of these, evenly from the first to the last.
fn spread(games: Vec<Record>, count: usize) -> Vec<Record> {
    let step = games.len() as f64 / count as f64;
    let chosen = (0..count).filter_map(|at| games.get((at as f64 * step) as usize));
    chosen.cloned().collect()
}

fn corpus(wanted: impl Fn(&str) -> bool) -> Vec<Record> {
    let folder = std::env::var_os("OUTFLANK_CORPUS").map(|root| PathBuf::from(root).join("wthor"));
    let Some(folder) = folder.filter(|folder| folder.exists()) else {
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        // Not `eprintln!`: of a test that passes, what that prints is not shown.
        let _ = writeln!(std::io::stderr(), "skipped: {test}: OUTFLANK_CORPUS names no folder with wthor/");
        return Vec::new();
    };
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "wtb"));
    files.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(&wanted));
    files.sort();
    let names = wthor::Names::default();
    let mut games = Vec::new();
    for path in files {
        let bytes = fs::read(path).unwrap();
        let records = import::records(record::Format::Wthor, &bytes, &names).flatten();
        games.extend(records.filter(|game| game.outcome().is_some() && game.main_len() > 50));
    }
    games
}

/// A game that an engine plays against itself, with a bad move now and then: `seed` chooses opening and bad moves.
pub(crate) fn own_game(seed: u64, engine: &mut Engine) -> Record {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 33) % u64::from(below)) as u32
    };
    let mut position = Position::start();
    let mut moves: Vec<Square> = Vec::new();
    while !position.is_over() {
        let careless = moves.len() < 6 || random(5) == 0;
        let square = if careless {
            position.legal().iter().nth(random(position.legal().len()) as usize).unwrap()
        } else {
            engine.search(&position, &Limits::depth(4), &mut |_| {}).best().unwrap().square
        };
        moves.push(square);
        position = position.play(square).unwrap().after;
    }
    Record::from_moves(moves).unwrap()
}

/// Answers the questions of a review until it has come this far.
pub(crate) fn drive(review: &mut Review, engine: &mut Engine, until: Stage) {
    while review.stage() < until {
        let question = review.next().expect("nothing is under way");
        let analysis = engine.search(&question.position, &question.limits, &mut |_| {});
        review.answer(question.number, &analysis);
    }
}

/// The finished review of a game.
pub(crate) fn review(game: &Record, plan: Plan, engine: &mut Engine) -> Report {
    let mut review = Review::new(game, plan);
    drive(&mut review, engine, Stage::Done);
    review.report(Duration::ZERO)
}

/// Does something with each of many things, on all cores.
pub(crate) fn each<T: Sync>(things: &[T], work: impl Fn(&T, &mut Engine) + Sync) {
    let left = Mutex::new(things.iter());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut engine = engine();
                loop {
                    let Some(one) = left.lock().unwrap().next() else { break };
                    work(one, &mut engine);
                }
            });
        }
    });
}

//! Every puzzle has exactly the solution it claims: solved again, move by move. The best moves of midgames are found again by a search.

use engine::{Engine, Evaluator, Limits, Options};
use std::path::Path;
use study::puzzle::{MARGIN, Puzzle};

fn engine() -> Engine {
    let weights = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights/eval.bin")).unwrap();
    Engine::new(Evaluator::new(&weights).unwrap(), Options { threads: 1, hash: 64 })
}

fn solve<'a>(puzzles: impl Iterator<Item = &'a Puzzle>) -> usize {
    let mut engine = engine();
    let mut solved = 0;
    for puzzle in puzzles {
        let limits = Limits { lines: usize::MAX, ..Limits::solve() };
        let analysis = engine.search(&puzzle.position, &limits, &mut |_| {});
        assert!(analysis.lines.iter().all(|line| line.is_proven()), "{puzzle}");
        let mut found: Vec<_> = analysis.lines.iter().map(|line| (line.square, line.score as i8)).collect();
        found.sort_by_key(|&(square, score)| (-score, square));
        assert_eq!(found, puzzle.scores, "{puzzle}");
        solved += 1;
    }
    solved
}

#[test]
fn short_puzzles_and_a_part_of_the_long_ones_are_solved() {
    let short = |puzzle: &&Puzzle| puzzle.position.empty().len() <= 12;
    let long = Puzzle::shipped().iter().filter(|puzzle| !short(puzzle)).step_by(17);
    assert!(solve(Puzzle::shipped().iter().filter(short).chain(long)) >= 300);
}

#[test]
#[ignore = "some minutes: every puzzle, also those with 20 empties"]
fn every_puzzle_is_solved() {
    assert_eq!(solve(Puzzle::shipped().iter()), Puzzle::shipped().len());
}

/// The depth of the search that has made them: see `train/README.md`.
const DEPTH: u32 = 20;

fn find_again<'a>(midgames: impl Iterator<Item = &'a Puzzle>) -> usize {
    let mut engine = engine();
    let mut found = 0;
    for puzzle in midgames {
        engine.forget();
        let limits = Limits { depth: DEPTH, solve_at: 0, lines: 2, ..Limits::default() };
        let analysis = engine.search(&puzzle.position, &limits, &mut |_| {});
        let [best, second, ..] = &analysis.lines[..] else { panic!("{puzzle}: nothing to choose") };
        assert_eq!(best.square, puzzle.solution, "{puzzle}");
        // an engine that has learned since may be a disc or two of another opinion
        assert!(best.score - second.score >= i32::from(MARGIN) / 2, "{puzzle}: {} {}", best.score, second.score);
        found += 1;
    }
    found
}

#[test]
fn the_best_moves_of_some_midgames_are_found_again() {
    assert!(find_again(Puzzle::midgames().iter().step_by(40)) >= 1);
}

#[test]
#[ignore = "some minutes: every midgame, 20 plies deep"]
fn the_best_move_of_every_midgame_is_found_again() {
    assert_eq!(find_again(Puzzle::midgames().iter()), Puzzle::midgames().len());
}

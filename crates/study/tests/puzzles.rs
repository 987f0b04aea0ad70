//! Every puzzle has exactly the solution it claims: solved again, move by move.

use engine::{Engine, Evaluator, Limits, Options};
use std::path::Path;
use study::puzzle::Puzzle;

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

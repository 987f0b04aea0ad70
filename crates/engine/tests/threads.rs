//! Several threads that share a search find what one finds, and a line of best play that leads there: positions whose
//! scores are known, with 16 to 20 empty squares.

use engine::{Engine, Evaluator, Limits, Options};
use rules::{Color, Position, Setup};

/// Problems of the FFO end-game test, and the score of each for the player to move.
const FFO: [(u32, &str, i32); 12] = [
    (15, "----O------OOX---OOOXX-XOOOXOOOOOXXOXXOOOXXXOOOOOXXXOOXO--OOOOOX X", 4),
    (16, "-XXXXXX-X-XXXOO-XOXXXOOXXOOXXXOX-OOOXXXX--OOXXXX---OOO----XOX-O- X", 24),
    (18, "-XXX------OOOX--XOOOOOXXOXOXOOXXOXXOOOOOXXXOXOOX--OXXO---OOOOO-- X", -2),
    (19, "--OXXO--XOXXXX--XOOOOXXXXOOOXXXXX-OOOXXX--OOOOXX--XXOOO----XXOO- X", 8),
    (22, "--OOOO--X-OOOOO-XXOOXOXXXOXOXXXXXXXOXXXX-XXOXOXX--OXXX-X----X--- O", 2),
    (23, "--O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X", 4),
    (24, "--O--O-----OOOX--X-XOXOO--XXXOOOXXXXOOOOXXXOXXOOXXXXXX--XOXX-O-- O", 0),
    (25, "----X------XXXO--OOOXXXXXOOOOXXO-XXOOXXOOOXOXXXXOOOXX---X-XXXX-- O", 0),
    (27, "--XO-O----OOOO--OOXOXXO-OOOOXXOOOOOXXOX-OXOXXXXX--XXXX----X-O-X- X", -2),
    (29, "-OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X", 10),
    (30, "-XXX----X-XOO---XXOXOO--XOXOXO--XOOXOXXXXOOXXOX---OOOOO--XXXXX-- X", 0),
    (31, "-OOOOO----OOOO--OXXOOO---XXXOO--XXXXXXO-XXXOOO-OX-OOOO---OOOOO-- X", -2),
];

fn position(text: &str) -> Position {
    let setup: Setup = text.parse().expect("a board and whose turn it is");
    setup.position().expect("a position in which someone can move")
}

fn solve_all(threads: usize) {
    let weights = Evaluator::new(include_bytes!("../../../weights/eval.bin")).expect("the weights that are shipped");
    let mut engine = Engine::new(weights, Options { threads, ..Options::default() });
    for (number, text, known) in FFO {
        let position = position(text);
        engine.forget();
        let analysis = engine.search(&position, &Limits::solve(), &mut |_| {});
        let best = analysis.best().expect("someone can move");
        assert_eq!(best.score, known, "FFO {number} with {threads} threads");
        let end = best.variation.iter().fold(position, |at, &square| at.play(square).expect("a legal line").after);
        let outcome = end.outcome().unwrap_or_else(|| panic!("FFO {number}: the line stops short: {best:?}"));
        let black = i32::from(outcome.difference());
        let score = if position.turn() == Some(Color::Black) { black } else { -black };
        assert_eq!(score, known, "FFO {number} with {threads} threads: {best:?}");
    }
}

#[test]
fn one_thread() {
    solve_all(1);
}

#[test]
fn two_threads() {
    solve_all(2);
}

#[test]
fn four_threads() {
    solve_all(4);
}

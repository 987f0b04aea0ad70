//! Boards, squares and moves as the answers of every command write them; for programs, as `docs/json.md` says.

use record::board_text;
use rules::{Position, Square};
use serde_json::Value;

/// The 64 squares from a1, row by row: `X`, `O` and `-`.
pub(crate) fn board(position: &Position) -> String {
    board_text::write(position.setup()).chars().take(64).collect()
}

/// `"black"` or `"white"`; `null` when the game is over.
pub(crate) fn turn(position: &Position) -> Value {
    position.turn().map(|turn| turn.to_string()).into()
}

/// `"f5"`, or `null`.
pub(crate) fn square(square: Option<Square>) -> Value {
    square.map(|square| square.to_string()).into()
}

/// `f5d6c3`: as transcripts write moves, without the passes.
pub(crate) fn joined(squares: &[Square]) -> String {
    squares.iter().map(ToString::to_string).collect()
}

/// `f5 d6 -- c3`: for those who read, with the passes between.
pub(crate) fn spaced(position: &Position, squares: &[Square]) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for &square in squares {
        let Ok(step) = position.play(square) else { break };
        words.push(square.to_string());
        if step.passed {
            words.push("--".to_owned());
        }
        position = step.after;
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_and_a_line() {
        let start = Position::start();
        assert_eq!(board(&start), "---------------------------OX------XO---------------------------");
        assert_eq!((turn(&start), square(Some(Square::F5)), square(None)), ("black".into(), "f5".into(), Value::Null));
        // the 34th move leaves White without an answer
        let game = "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2\
                    h1g2b8a8a7b7a2g8b2g7";
        let moves: Vec<Square> =
            record::Record::try_from(record::transcript::read(game.as_bytes()).unwrap()).unwrap().main_line().collect();
        assert_eq!(joined(&moves), game);
        let read = spaced(&start, &moves);
        assert_eq!((read.split(' ').count(), read.matches(" -- ").count()), (61, 1), "{read}");
    }
}

//! What GoGui asks an engine whose game is not Go: the `gogui-rules_` commands of the chapter
//! [*Rules*](https://www.kayufu.com/gogui/rules.html) of its manual.
//!
//! GoGui draws row 1 at the bottom, so that the board, which it reads from the top, begins with row 8: then a click on
//! F5 is f5 here. It compares legal moves with its own names of points, which are upper case, while `pass` is not. No
//! legal move at all ends the game, and then the side to move must still be somebody.

use crate::protocol::game::Game;
use rules::{Color, Square};

/// Eight lines of `.`, `X` (black) and `O` (white), row 8 first.
pub(super) fn board(game: &Game) -> String {
    let position = game.position();
    let disc = |square: Square| match position.at(square) {
        Some(Color::Black) => "X",
        Some(Color::White) => "O",
        None => ".",
    };
    let row = |row: u8| (0..8).filter_map(|column| Square::at(column, row)).map(disc).collect::<Vec<_>>().join(" ");
    (0..8).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// `C4 D3 E6 F5`, or `pass`; nothing when the game is over.
pub(super) fn legal_moves(game: &Game) -> String {
    if game.must_pass() {
        return "pass".to_owned();
    }
    let names: Vec<String> = game.position().legal().iter().map(|square| square.to_string().to_uppercase()).collect();
    names.join(" ")
}

pub(super) fn side_to_move(game: &Game) -> String {
    game.now().next.to_string()
}

/// A sentence for the window that GoGui opens at the end.
pub(super) fn final_result(game: &Game) -> String {
    let position = game.position();
    let Some(outcome) = position.outcome() else {
        let count = position.count();
        return format!("The game is not over. Black has {} discs, White {}.", count.black, count.white);
    };
    let score = outcome.score();
    let counts = format!("Black {}, White {}", score.black, score.white);
    match outcome.winner() {
        Some(Color::Black) => format!("Black wins by {}. {counts}.", score.black - score.white),
        Some(Color::White) => format!("White wins by {}. {counts}.", score.white - score.black),
        None => format!("A draw. {counts}."),
    }
}

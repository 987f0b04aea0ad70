//! Another library's opinion: [magpie](https://crates.io/crates/magpie) agrees on moves, flips, turns and counts.

use magpie::othello::{Board as Theirs, Position as TheirSquare, Stone};
use rules::{Bitboard, Board, ByColor, Color, Position, Setup, Square, perft};

/// magpie has a1 in the highest bit, we have it in the lowest.
fn theirs(discs: ByColor<Bitboard>) -> Theirs {
    Theirs::try_from((discs.black.0.reverse_bits(), discs.white.0.reverse_bits())).unwrap()
}

fn stone(color: Color) -> Stone {
    match color {
        Color::Black => Stone::Black,
        Color::White => Stone::White,
    }
}

fn their_square(square: Square) -> TheirSquare {
    TheirSquare::try_from((square.row(), square.column())).unwrap()
}

/// The same numbers every time: a test that fails, fails again.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Compares one position: both sides' moves, and what each move of the side to move turns.
fn agree(position: &Position) {
    let discs = position.discs();
    let board = theirs(discs);
    for color in Color::ALL {
        let ours = Board { mover: discs[color], other: discs[!color] }.legal();
        assert_eq!(board.moves_for(stone(color)).raw().reverse_bits(), ours.0, "{position}");
    }
    let Some(turn) = position.turn() else { return };
    for square in position.legal() {
        let step = position.play(square).unwrap();
        let mut after = board.clone();
        after.play(stone(turn), their_square(square));
        let discs = step.after.discs();
        assert_eq!(after.bits_for(Stone::Black).raw().reverse_bits(), discs.black.0, "{square} in\n{position}");
        assert_eq!(after.bits_for(Stone::White).raw().reverse_bits(), discs.white.0, "{square} in\n{position}");
    }
}

#[test]
fn half_a_million_positions_of_random_games() {
    let mut random = Random(1);
    let mut checked = 0;
    while checked < 500_000 {
        let mut position = Position::start();
        loop {
            agree(&position);
            checked += 1;
            let legal = position.legal();
            if legal.is_empty() {
                break;
            }
            let pick = random.next() as usize % legal.len() as usize;
            let square = legal.iter().nth(pick).unwrap();
            position = position.play(square).unwrap().after;
        }
    }
}

#[test]
fn half_a_million_boards_of_random_discs() {
    let mut random = Random(2);
    for round in 0..500_000 {
        // fuller and emptier boards in turn
        let occupied = match round % 3 {
            0 => random.next(),
            1 => random.next() | random.next(),
            _ => random.next() & random.next(),
        };
        let colors = random.next();
        let setup = Setup {
            black: Bitboard(occupied & colors),
            white: Bitboard(occupied & !colors),
            turn: if round % 2 == 0 { Color::Black } else { Color::White },
        };
        if let Ok(position) = setup.position() {
            agree(&position);
        }
    }
}

/// Counts lines of play with magpie's moves alone.
fn their_perft(board: &Theirs, turn: Stone, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.moves_for(turn);
    if moves.is_empty() {
        let other = board.moves_for(turn.flip());
        return if other.is_empty() { 1 } else { their_perft(board, turn.flip(), depth - 1) };
    }
    let after = |square| {
        let mut next = board.clone();
        next.play(turn, square);
        their_perft(&next, turn.flip(), depth - 1)
    };
    moves.hot_bits().map(after).sum()
}

#[test]
fn lines_of_play_from_the_middle_of_games() {
    let mut random = Random(3);
    for _ in 0..200 {
        let mut position = Position::start();
        for _ in 0..random.next() % 56 {
            let legal = position.legal();
            let Some(square) = legal.iter().nth(random.next() as usize % legal.len().max(1) as usize) else { break };
            position = position.play(square).unwrap().after;
        }
        let Some(turn) = position.turn() else { continue };
        let board = theirs(position.discs());
        for depth in 0..=4 {
            assert_eq!(perft(position.board(), depth), their_perft(&board, stone(turn), depth), "{position}");
        }
    }
}

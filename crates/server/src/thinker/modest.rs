//! A player of modest strength that needs nothing but the rules: mobility and corners, a few plies ahead.

use super::Brain;
use crate::protocol::Level;
use rules::{Bitboard, Board, Position, Square};

/// The built-in player.
#[derive(Clone, Copy, Debug, Default)]
pub struct Modest;

/// Name, plies looked ahead, empties from which on it counts to the end, and how wrong it may be.
const LEVELS: [(&str, u8, u8, i32); 5] =
    [("beginner", 1, 0, 120), ("easy", 1, 4, 40), ("casual", 3, 8, 16), ("club", 5, 10, 4), ("strong", 7, 12, 0)];

impl Brain for Modest {
    fn levels(&self) -> Vec<Level> {
        let level = |(index, (name, ..)): (usize, &(&str, u8, u8, i32))| Level {
            level: index as u8 + 1,
            name: (*name).to_owned(),
        };
        LEVELS.iter().enumerate().map(level).collect()
    }

    fn choose(&self, position: &Position, level: u8, seed: u64) -> Square {
        let index = usize::from(level.clamp(1, LEVELS.len() as u8) - 1);
        let (_, depth, exact, error) = LEVELS[index];
        let empties = position.empty().len() as u8;
        let depth = if empties <= exact { empties } else { depth };
        let mut random = seed | 1;
        let mut best: Option<(i32, Square)> = None;
        for square in position.legal() {
            let board = position.board();
            let after = play(board, square);
            let score = -search(after, depth.saturating_sub(1), -INFINITY, INFINITY, false) + noise(&mut random, error);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, square));
            }
        }
        best.map_or(Square::A1, |(_, square)| square)
    }
}

const INFINITY: i32 = 1_000_000;

fn play(board: Board, square: Square) -> Board {
    let flips = board.flips(square);
    Board { mover: board.other - flips, other: board.mover | flips | square.into() }
}

/// The value for the mover, in hundredths of a disc or so; a finished game counts more than any guess.
fn search(board: Board, depth: u8, mut alpha: i32, beta: i32, passed: bool) -> i32 {
    let legal = board.legal();
    if legal.is_empty() {
        return if passed { finished(board) } else { -search(board.pass(), depth, -beta, -alpha, true) };
    }
    if depth == 0 {
        return guess(board, legal);
    }
    let mut best = -INFINITY;
    let corners = legal & Bitboard::CORNERS;
    for square in corners.iter().chain((legal - corners).iter()) {
        let score = -search(play(board, square), depth - 1, -beta, -alpha, false);
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn finished(board: Board) -> i32 {
    let (mine, yours) = (board.mover.len() as i32, board.other.len() as i32);
    let empties = 64 - mine - yours;
    let difference = mine - yours;
    1000 * (difference + difference.signum() * empties)
}

fn guess(board: Board, legal: Bitboard) -> i32 {
    let replies = board.pass().legal();
    let count = |set: Bitboard, of: Bitboard| (set & of).len() as i32;
    let mobility = legal.len() as i32 - replies.len() as i32;
    let corners = count(board.mover, Bitboard::CORNERS) - count(board.other, Bitboard::CORNERS);
    // The diagonal neighbour of an empty corner gives the corner away.
    let bad = [(Square::A1, Square::B2), (Square::H1, Square::G2), (Square::A8, Square::B7), (Square::H8, Square::G7)]
        .into_iter()
        .filter(|&(corner, _)| !(board.mover | board.other).contains(corner))
        .map(|(_, next)| i32::from(board.mover.contains(next)) - i32::from(board.other.contains(next)))
        .sum::<i32>();
    let few = board.other.len() as i32 - board.mover.len() as i32;
    8 * mobility + 90 * corners - 40 * bad + few
}

/// Up to `error` in either direction.
fn noise(random: &mut u64, error: i32) -> i32 {
    // xorshift64
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    if error == 0 { 0 } else { (*random >> 33) as i32 % (2 * error + 1) - error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Color;

    fn game(black: u8, white: u8, seed: u64) -> i8 {
        let mut position = Position::start();
        let mut ply = 0;
        while let Some(turn) = position.turn() {
            let level = if turn == Color::Black { black } else { white };
            ply += 1;
            let square = Modest.choose(&position, level, seed.wrapping_mul(0x9e37_79b9) + ply);
            position = position.play(square).unwrap().after;
        }
        position.outcome().unwrap().difference()
    }

    #[test]
    fn a_higher_level_beats_a_lower_one() {
        for (strong, weak) in [(3, 1), (4, 2)] {
            let score: i32 =
                (0..10).map(|seed| i32::from(game(strong, weak, seed)) - i32::from(game(weak, strong, seed))).sum();
            assert!(score > 0, "level {strong} against {weak}: {score}");
        }
    }

    #[test]
    fn it_wipes_out_when_it_can() {
        let mut position = Position::start();
        for name in ["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6"] {
            position = position.play(name.parse().unwrap()).unwrap().after;
        }
        assert_eq!(Modest.choose(&position, 5, 1), Square::E3);
    }
}

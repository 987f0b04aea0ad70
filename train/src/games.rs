//! Games as they are kept between self-play and fitting: a few bytes each.
//!
//! For each game: how many moves were random, how many there are, Black's final score, the moves' squares. Passes
//! are not stored.

use anyhow::{Context, bail};
use rules::{Board, Square};
use std::path::Path;

pub(crate) struct Game {
    /// Moves played at random before the players began to think.
    pub(crate) random: usize,
    /// Black's score at the end of the game.
    pub(crate) score: i8,
    pub(crate) moves: Vec<Square>,
}

impl Game {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend([self.random as u8, self.moves.len() as u8, self.score as u8]);
        out.extend(self.moves.iter().map(|square| *square as u8));
    }

    /// Calls `see` with each position the players thought about, and its mover's final score.
    pub(crate) fn positions(&self, mut see: impl FnMut(Board, i8)) {
        let mut board = Board::START;
        let mut black = true;
        for (ply, &square) in self.moves.iter().enumerate() {
            if board.legal().is_empty() {
                board = board.pass();
                black = !black;
            }
            if ply >= self.random {
                see(board, if black { self.score } else { -self.score });
            }
            let Some(next) = board.play(square) else { return };
            board = next;
            black = !black;
        }
    }
}

/// All games of a file; a last game cut short is left out.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Game>> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let mut games = Vec::new();
    let mut rest = &bytes[..];
    while let [random, count, score, tail @ ..] = rest {
        let Some(moves) = tail.get(..*count as usize) else { break };
        let moves = moves.iter().map(|&index| Square::try_from(index)).collect::<Result<Vec<_>, _>>();
        let Ok(moves) = moves else { bail!("{}: not a file of games", path.display()) };
        games.push(Game { random: *random as usize, score: *score as i8, moves });
        rest = &tail[*count as usize..];
    }
    Ok(games)
}

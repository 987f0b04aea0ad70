//! Games as they are kept between self-play and fitting: a few bytes each.
//!
//! For each game: how many moves were random, how many there are, Black's final score, the moves' squares, and the
//! mover's score each search found, for the moves that were not random. Passes are not stored.

use anyhow::{Context, bail};
use rules::{Board, Square};
use std::path::Path;

pub(crate) struct Game {
    /// Moves played at random before the players began to think.
    pub(crate) random: usize,
    /// Black's score at the end of the game.
    pub(crate) score: i8,
    pub(crate) moves: Vec<Square>,
    /// What the search before each move thought, for its mover; one for each move that was not random.
    pub(crate) scores: Vec<i8>,
}

/// A position the players thought about.
#[derive(Clone, Copy)]
pub(crate) struct Thought {
    pub(crate) board: Board,
    /// What the game's result is worth to the mover.
    pub(crate) result: i8,
    /// What there is to learn: the searches from here on and the result, mixed.
    pub(crate) label: f32,
}

impl Game {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend([self.random as u8, self.moves.len() as u8, self.score as u8]);
        out.extend(self.moves.iter().map(|square| *square as u8));
        out.extend(self.scores.iter().map(|score| *score as u8));
    }

    /// The positions the players thought about. Each one's label is part what its own search thought and, by
    /// `patience` (0 to 1), part the label of the position after it; with 1 only the game's result counts.
    pub(crate) fn thoughts(&self, patience: f32) -> Vec<Thought> {
        let mut board = Board::START;
        let mut black = true;
        let mut seen: Vec<(Board, bool)> = Vec::new();
        for (ply, &square) in self.moves.iter().enumerate() {
            if board.legal().is_empty() {
                board = board.pass();
                black = !black;
            }
            if ply >= self.random {
                seen.push((board, black));
            }
            let Some(next) = board.play(square) else { break };
            board = next;
            black = !black;
        }
        // from the end: what everything after is worth to Black
        let mut after = f32::from(self.score);
        let mut thoughts: Vec<Thought> = Vec::with_capacity(seen.len());
        for (&(board, black), &score) in seen.iter().zip(&self.scores).rev() {
            let sign = if black { 1 } else { -1 };
            after = (1.0 - patience) * f32::from(score * sign) + patience * after;
            thoughts.push(Thought { board, result: self.score * sign, label: after * f32::from(sign) });
        }
        thoughts.reverse();
        thoughts
    }
}

/// All games of a file; a last game cut short is left out.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Game>> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let mut games = Vec::new();
    let mut rest = &bytes[..];
    while let [random, count, score, tail @ ..] = rest {
        let thought = (*count).saturating_sub(*random) as usize;
        let Some((moves, tail)) = tail.split_at_checked(*count as usize) else { break };
        let Some((scores, tail)) = tail.split_at_checked(thought) else { break };
        let moves = moves.iter().map(|&index| Square::try_from(index)).collect::<Result<Vec<_>, _>>();
        let Ok(moves) = moves else { bail!("{}: not a file of games", path.display()) };
        games.push(Game {
            random: *random as usize,
            score: *score as i8,
            moves,
            scores: scores.iter().map(|s| *s as i8).collect(),
        });
        rest = tail;
    }
    Ok(games)
}

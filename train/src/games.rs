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
    /// What the search thought a few plies later is worth to this mover; the result, near the end.
    pub(crate) later: i8,
}

/// How many plies later.
const LATER: usize = 4;

impl Game {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend([self.random as u8, self.moves.len() as u8, self.score as u8]);
        out.extend(self.moves.iter().map(|square| *square as u8));
        out.extend(self.scores.iter().map(|score| *score as u8));
    }

    /// The positions the players thought about.
    pub(crate) fn thoughts(&self) -> Vec<Thought> {
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
        let thought = |at: usize| {
            let (board, black) = seen[at];
            let result = if black { self.score } else { -self.score };
            let later = match (seen.get(at + LATER), self.scores.get(at + LATER)) {
                (Some(&(_, other)), Some(&score)) => {
                    if other == black {
                        score
                    } else {
                        -score
                    }
                }
                _ => result,
            };
            Thought { board, result, later }
        };
        (0..seen.len()).map(thought).collect()
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

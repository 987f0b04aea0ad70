//! What tells one game from another, in sixteen bytes.

use crate::fold::folded;
use record::Record;
use rules::{Bitboard, Color, Square, Symmetry};
use sha2::{Digest, Sha256};

/// The same for the same game, and for no other: see the crate's page.
pub(crate) fn mark(record: &Record, year: u16) -> [u8; 16] {
    let moves: Vec<Square> = record.main_line().collect();
    let image = Symmetry::ALL.into_iter().map(|symmetry| image(record, &moves, symmetry)).min();
    let (black, white, moves) = image.unwrap_or_default();
    let mut hash = Sha256::new();
    hash.update(black.0.to_le_bytes());
    hash.update(white.0.to_le_bytes());
    hash.update([u8::from(record.start().setup().turn == Color::White)]);
    hash.update([moves.len() as u8]);
    hash.update(moves.iter().map(|&square| square as u8).collect::<Vec<_>>());
    for name in [&record.headers.players.black, &record.headers.players.white] {
        hash.update(folded(name));
        hash.update([0]);
    }
    hash.update(year.to_le_bytes());
    let mut mark = [0; 16];
    mark.copy_from_slice(&hash.finalize()[..16]);
    mark
}

/// Start and moves as they are seen from one side.
fn image(record: &Record, moves: &[Square], symmetry: Symmetry) -> (Bitboard, Bitboard, Vec<Square>) {
    let discs = record.start().discs().map(|discs| symmetry.bitboard(discs));
    (discs.black, discs.white, moves.iter().map(|&square| symmetry.square(square)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::transcript;

    fn game(moves: &str, black: &str) -> Record {
        let mut record = Record::try_from(transcript::read(moves.as_bytes()).unwrap()).unwrap();
        record.headers.players.black = black.to_owned();
        record
    }

    #[test]
    fn a_game_is_the_same_from_every_side_and_by_any_spelling() {
        let one = mark(&game("f5d6c3", "Éva  Kiss"), 1999);
        for other in ["f5d6c3", "e6f4c3", "c4e3f6", "d3c5f6"] {
            assert_eq!(mark(&game(other, "eva kiss"), 1999), one, "{other}");
        }
        let others = [("f5d6c3", "", 1999), ("f5d6c3", "eva kiss", 2000), ("f5d6", "eva kiss", 1999)];
        for (moves, name, year) in others {
            assert_ne!(mark(&game(moves, name), year), one);
        }
    }
}

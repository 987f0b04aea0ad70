//! What tells one game from another, in sixteen bytes.

use crate::fold::folded;
use record::Record;
use rules::{Bitboard, Color, Square, Symmetry};
use sha2::{Digest, Sha256};

/// The first bytes of a mark tell moves and start, the others players and year: games that differ only in who played, and when, stand beside
/// each other in the order of marks.
pub(crate) const OF_MOVES: usize = 10;

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
    let mut names = Sha256::new();
    names.update(year.to_le_bytes());
    for name in [&record.headers.players.black, &record.headers.players.white] {
        names.update(folded(name));
        names.update([0]);
    }
    let mut mark = [0; 16];
    let (of_moves, of_names) = mark.split_at_mut(OF_MOVES);
    of_moves.copy_from_slice(&hash.finalize()[..of_moves.len()]);
    of_names.copy_from_slice(&names.finalize()[..of_names.len()]);
    mark
}

/// The first and the last mark that a game of the same moves may have.
pub(crate) fn whoever_played(mark: [u8; 16]) -> ([u8; 16], [u8; 16]) {
    let (mut first, mut last) = (mark, mark);
    first[OF_MOVES..].fill(0);
    last[OF_MOVES..].fill(u8::MAX);
    (first, last)
}

/// Whether a name says nothing: there is none, or only the number that a list of names has it under.
pub(crate) fn is_unknown(name: &str) -> bool {
    let name = name.trim();
    name.is_empty() || name.strip_prefix('#').is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether two names may be those of one person.
pub(crate) fn may_be_same(one: &str, other: &str) -> bool {
    is_unknown(one) || is_unknown(other) || folded(one) == folded(other)
}

/// Whether two games may be of one year; 0 is one that nobody knows.
pub(crate) fn may_be_of_one_year(one: u16, other: u16) -> bool {
    one == 0 || other == 0 || one == other
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
        let (first, last) = whoever_played(one);
        assert!((first..=last).contains(&mark(&game("f5d6c3", "Luis"), 1999)));
        assert!((first..=last).contains(&mark(&game("f5d6c3", "eva kiss"), 2000)));
        assert!(!(first..=last).contains(&mark(&game("f5d6", "eva kiss"), 1999)));
    }

    #[test]
    fn a_number_of_a_list_is_no_name() {
        assert!(["", " ", "#7", "#"].into_iter().all(is_unknown));
        assert!(!["Ana", "#7b", "7"].into_iter().any(is_unknown));
        assert!(may_be_same("#7", "Ana") && may_be_same("ANA", "Ána") && !may_be_same("Ana", "Luis"));
    }
}

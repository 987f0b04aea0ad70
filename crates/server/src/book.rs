//! The book of openings: ours, and what the owner of the folder added with `outflank book add`.

use crate::protocol::BookMove;
use rules::Position;
use std::{io, path::Path, sync::Arc};
use study::book::Book;

/// The file beside the games in which what was added is kept.
pub const BOOK_FILE: &str = "book.bin";

/// The book for a folder of games. Additions that cannot be read are left alone and said in the log.
pub(crate) fn open(data: &Path) -> Arc<Book> {
    let path = data.join(BOOK_FILE);
    let shipped = Book::shipped();
    let added = match std::fs::read(&path) {
        Ok(bytes) => Book::read(&bytes).map_err(io::Error::other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return shipped.clone(),
        Err(error) => Err(error),
    };
    match added {
        Ok(added) => {
            let mut all = Book::clone(shipped);
            all.merge(&added);
            Arc::new(all)
        }
        Err(error) => {
            tracing::warn!(?path, %error, "the additions to the book of openings cannot be read");
            shipped.clone()
        }
    }
}

/// What the book knows of a position.
pub(crate) fn moves_at(book: &Book, position: &Position) -> Vec<BookMove> {
    let moves = book.find(position).map(|entry| entry.moves).unwrap_or_default();
    let shown = |one: &study::book::BookMove| BookMove {
        square: one.square,
        score: one.value.score.into(),
        depth: one.value.depth.into(),
        exact: one.value.exact,
        lines: one.lines,
    };
    moves.iter().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Square;
    use study::book::Value;

    #[test]
    fn what_was_added_is_known_and_what_is_damaged_does_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(open(folder.path()).len(), Book::shipped().len());
        // so bad for Black that no book has it
        let position = ["f5", "f4", "g3", "g4", "f3", "e2", "c3", "g2"].iter().fold(Position::start(), |at, name| {
            let square: Square = name.parse().unwrap();
            at.play(square).unwrap().after
        });
        let mut added = Book::default();
        added.add(&position, Value { score: 3, depth: 30, exact: false });
        std::fs::write(folder.path().join(BOOK_FILE), added.write()).unwrap();
        assert_eq!(open(folder.path()).find(&position).unwrap().value.depth, 30);
        std::fs::write(folder.path().join(BOOK_FILE), b"nothing").unwrap();
        assert_eq!(open(folder.path()).len(), Book::shipped().len());
    }
}

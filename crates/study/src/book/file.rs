//! A book as bytes: what follows from a position is computed again, so little is left to be written.
//!
//! Four letters that name the format, then, deflated: how many positions no other leads to, and their boards; then for
//! each position as it is first met on the way from one of those, first a byte that says whether it has replies. If so,
//! for its legal moves in order one bit each, eight to a byte, which of them lead to a reply. In two more parts of one byte
//! for each position: the scores, and the depths, plus 128 where the score is proven. Three lengths come first.

use super::{Book, Reply, Value, replies};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use rules::{Bitboard, Board};
use std::{
    fmt,
    io::{Read, Write},
};

const NAME: &[u8; 4] = b"OFB1";
/// No book is larger: what is read from a file must not fill the memory.
const MOST: u64 = 1 << 28;
const EXACT: u8 = 0x80;

/// Why bytes are no book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadBook {
    /// They do not begin as a book does.
    NotABook,
    /// They break off or were damaged.
    Damaged,
}

impl fmt::Display for BadBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadBook::NotABook => "this is not a book of openings",
            BadBook::Damaged => "the book of openings is damaged",
        })
    }
}

impl std::error::Error for BadBook {}

impl Book {
    /// The book as bytes; the same positions give the same bytes.
    ///
    /// ```
    /// use study::book::Book;
    /// let bytes = Book::shipped().write();
    /// assert_eq!(Book::read(&bytes)?.len(), Book::shipped().len());
    /// # Ok::<(), study::book::BadBook>(())
    /// ```
    pub fn write(&self) -> Vec<u8> {
        let mut led_to = vec![false; self.nodes.len()];
        for reply in self.nodes.iter().flat_map(|node| &node.replies) {
            led_to[reply.to as usize] = true;
        }
        let mut roots: Vec<u32> = (0..self.nodes.len() as u32).filter(|&at| !led_to[at as usize]).collect();
        roots.sort_by_key(|&at| self.nodes[at as usize].board);
        let mut shape = (roots.len() as u32).to_le_bytes().to_vec();
        for &root in &roots {
            let board = self.nodes[root as usize].board;
            shape.extend(board.mover.0.to_le_bytes());
            shape.extend(board.other.0.to_le_bytes());
        }
        let (mut scores, mut depths) = (Vec::new(), Vec::new());
        let mut met = vec![false; self.nodes.len()];
        let mut next: Vec<u32> = roots.into_iter().rev().collect();
        while let Some(at) = next.pop() {
            if std::mem::replace(&mut met[at as usize], true) {
                continue;
            }
            let node = &self.nodes[at as usize];
            scores.push(node.searched.score as u8);
            depths.push(node.searched.depth & !EXACT | if node.searched.exact { EXACT } else { 0 });
            shape.push(u8::from(!node.replies.is_empty()));
            if node.replies.is_empty() {
                continue;
            }
            let to = |board| self.at.get(&board).filter(|to| node.replies.iter().any(|reply| reply.to == **to));
            let found: Vec<Option<&u32>> = replies(node.board).map(|(_, board, _)| to(board)).collect();
            for eight in found.chunks(8) {
                shape.push(eight.iter().enumerate().fold(0, |bits, (bit, to)| bits | u8::from(to.is_some()) << bit));
            }
            next.extend(found.into_iter().flatten().rev());
        }
        let mut bytes = NAME.to_vec();
        let mut deflate = DeflateEncoder::new(&mut bytes, Compression::best());
        let parts = [shape, scores, depths];
        // Writing to memory does not fail.
        let _ = parts.iter().try_for_each(|part| deflate.write_all(&(part.len() as u32).to_le_bytes()));
        let _ = parts.iter().try_for_each(|part| deflate.write_all(part));
        let _ = deflate.finish();
        bytes
    }

    /// Reads what [`write`](Book::write) wrote.
    ///
    /// # Errors
    ///
    /// [`BadBook`] if it did not.
    pub fn read(bytes: &[u8]) -> Result<Book, BadBook> {
        let rest = bytes.strip_prefix(NAME).ok_or(BadBook::NotABook)?;
        let mut all = Vec::new();
        DeflateDecoder::new(rest).take(MOST).read_to_end(&mut all).map_err(|_| BadBook::Damaged)?;
        parse(&all).ok_or(BadBook::Damaged)
    }
}

fn parse(all: &[u8]) -> Option<Book> {
    let mut lengths = all;
    let mut length = || Some(u32::from_le_bytes(take(&mut lengths, 4)?.try_into().ok()?) as usize);
    let (shape, scores, depths) = (length()?, length()?, length()?);
    let mut rest = lengths;
    let (mut shape, scores, depths) = (take(&mut rest, shape)?, take(&mut rest, scores)?, take(&mut rest, depths)?);
    if !rest.is_empty() || scores.len() != depths.len() {
        return None;
    }
    let mut values = scores.iter().zip(depths).map(|(&score, &depth)| Value {
        score: score as i8,
        depth: depth & !EXACT,
        exact: depth & EXACT != 0,
    });
    let roots = u32::from_le_bytes(take(&mut shape, 4)?.try_into().ok()?);
    let mut next: Vec<(Board, Option<(u32, bool)>)> = Vec::new();
    for _ in 0..roots {
        let mut discs = || Some(Bitboard(u64::from_le_bytes(take(&mut shape, 8)?.try_into().ok()?)));
        let board = Board { mover: discs()?, other: discs()? };
        if !(board.mover & board.other).is_empty() || board.canonical().0 != board {
            return None;
        }
        next.push((board, None));
    }
    next.reverse();
    let mut book = Book::default();
    while let Some((board, from)) = next.pop() {
        let known = book.at.get(&board).copied();
        let at = match known {
            Some(at) => at,
            None => book.put(board, values.next()?),
        };
        if let Some((before, passed)) = from {
            book.link(before, Reply { to: at, passed });
        }
        if known.is_some() || take(&mut shape, 1)? == [0] {
            continue;
        }
        let all: Vec<(Board, bool)> = replies(board).map(|(_, board, passed)| (board, passed)).collect();
        let bits = take(&mut shape, all.len().div_ceil(8))?;
        let there = |index: &usize| bits[index / 8] >> (index % 8) & 1 == 1;
        next.extend((0..all.len()).filter(there).rev().map(|index| (all[index].0, Some((at, all[index].1)))));
    }
    if !shape.is_empty() || values.next().is_some() {
        return None;
    }
    book.carry_back();
    Some(book)
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Position, Square};

    fn sample() -> Book {
        let mut book = Book::default();
        let value = |score, depth| Value { score, depth, exact: depth == 60 };
        book.add(&Position::start(), value(0, 8));
        let mut at = vec![Position::start()];
        // five plies of everything: passes, transpositions and symmetries are among it
        for ply in 0..5i8 {
            let mut after = Vec::new();
            for position in at {
                let moves: Vec<Square> = position.legal().iter().collect();
                after.extend(moves.iter().map(|&square| position.play_unchecked(square).after));
                let moves = moves.into_iter().map(|square| {
                    let score = square as i8 % 7 - ply;
                    (square, Some(value(score, if score == 3 { 60 } else { 14 })))
                });
                let moves = moves.collect();
                book.expand(&[(position, moves)]);
            }
            after.truncate(40);
            at = after;
        }
        book
    }

    #[test]
    fn what_is_written_is_read() {
        let book = sample();
        let bytes = book.write();
        let back = Book::read(&bytes).unwrap();
        assert_eq!(back.write(), bytes);
        assert_eq!(back.len(), book.len());
        for node in &book.nodes {
            let same = back.node(node.board).unwrap();
            assert_eq!((same.searched, same.value, same.lines), (node.searched, node.value, node.lines));
        }
        assert!(Book::read(&Book::default().write()).unwrap().is_empty());
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = sample().write();
        assert_eq!(Book::read(b"PNG?").unwrap_err(), BadBook::NotABook);
        assert_eq!(Book::read(&bytes[..bytes.len() / 2]).unwrap_err(), BadBook::Damaged);
        assert_eq!(Book::read(&bytes[..4]).unwrap_err(), BadBook::Damaged);
    }

    #[test]
    fn the_shipped_book_can_be_read() {
        let book = Book::read(include_bytes!("../../data/book.bin")).unwrap();
        assert_eq!(book.len(), Book::shipped().len());
        assert!(book.contains(&Position::start()));
    }
}

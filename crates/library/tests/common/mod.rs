//! A count that shares nothing with the one it checks: every game is played through, and every position of it compared with
//! all eight pictures of what is looked for, square by square.

#![allow(dead_code, unreachable_pub)] // each test file uses its part

use library::{Count, Found, Query};
use record::{Claim, Record};
use rules::{Color, Position, Square};
use std::collections::{BTreeSet, HashMap};

/// A board as letters, and whose turn it is.
pub type Picture = (Vec<char>, Option<Color>);

pub fn picture(position: &Position) -> Picture {
    let letter = |square: &Square| position.at(*square).map_or('-', Color::letter);
    (Square::ALL.iter().map(letter).collect(), position.turn())
}

/// Where a square goes when the board is mirrored `turn % 2` times and turned by `turn / 2` quarters.
pub fn turned(turn: usize, square: usize) -> usize {
    let (mut column, mut row) = (square % 8, square / 8);
    if turn % 2 == 1 {
        column = 7 - column;
    }
    for _ in 0..turn / 2 {
        (column, row) = (7 - row, column);
    }
    row * 8 + column
}

/// The eight pictures of a position.
pub fn pictures(position: &Position) -> Vec<Picture> {
    let (squares, turn) = picture(position);
    let image = |number| {
        let mut image = vec!['-'; 64];
        for (at, &letter) in squares.iter().enumerate() {
            image[turned(number, at)] = letter;
        }
        (image, turn)
    };
    (0..8).map(image).collect()
}

/// Games, and how they went: number, Black's wins, draws, White's wins, sum of differences, number of those.
pub type Tally = (u32, u32, u32, u32, f64, u32);

pub fn tally(tally: &mut Tally, record: &Record) {
    tally.0 += 1;
    let result = record.result();
    let winner = match result {
        Some(Claim::Winner(color, _)) => Some(if color == Color::Black { 1.0 } else { -1.0 }),
        other => other.and_then(Claim::difference),
    };
    match winner {
        Some(black) if black > 0.0 => tally.1 += 1,
        Some(black) if black < 0.0 => tally.3 += 1,
        Some(_) => tally.2 += 1,
        None => {}
    }
    if let Some(difference) = result.and_then(Claim::difference) {
        tally.4 += f64::from(difference);
        tally.5 += 1;
    }
}

/// What a slow count finds: all games, and those of each set of moves that are one up to the position's symmetry.
#[derive(Default, PartialEq, Debug)]
pub struct Slow {
    pub all: Tally,
    pub next: HashMap<BTreeSet<usize>, Tally>,
}

impl Slow {
    /// Counts a game that reaches one of these pictures with the given numbers, then goes on here.
    pub fn count(&mut self, record: &Record, images: &[usize], next: Option<Square>) {
        tally(&mut self.all, record);
        if let Some(next) = next {
            // every square of the position that is taken to `next` by a way in which the position is this one
            let from = |&number: &usize| (0..64).find(|&square| turned(number, square) == next as usize).unwrap();
            tally(self.next.entry(images.iter().map(from).collect()).or_default(), record);
        }
    }

    pub fn of(records: &[Record], position: &Position) -> Slow {
        let pictures = pictures(position);
        let mut slow = Slow::default();
        for record in records {
            let line: Vec<Square> = record.main_line().collect();
            let mut here = record.start();
            for ply in 0..=line.len() {
                let now = picture(&here);
                let images: Vec<usize> = (0..8).filter(|&number| pictures[number] == now).collect();
                if !images.is_empty() {
                    slow.count(record, &images, line.get(ply).copied());
                }
                if let Some(&square) = line.get(ply) {
                    here = here.play(square).unwrap().after;
                }
            }
        }
        slow
    }

    /// Panics where the other count differs.
    pub fn check(&self, found: &Found) {
        same(&self.all, &found.count);
        assert_eq!(self.next.len(), found.next.len(), "{self:?} {found:?}");
        for next in &found.next {
            let (_, tally) = self
                .next
                .iter()
                .find(|(squares, _)| squares.contains(&(next.square as usize)))
                .expect("the same moves");
            same(tally, &next.count);
        }
        let games: Vec<u32> = found.next.iter().map(|next| next.count.games).collect();
        assert!(games.is_sorted_by(|one, other| one >= other), "most games first");
    }
}

fn same(tally: &Tally, count: &Count) {
    assert_eq!((tally.0, tally.1, tally.2, tally.3), (count.games, count.black_wins, count.draws, count.white_wins));
    let average = (tally.5 > 0).then(|| tally.4 / f64::from(tally.5));
    let close = average
        .zip(count.average())
        .map_or(average.is_none() && count.average().is_none(), |(one, other)| (one - other).abs() < 1e-6);
    assert!(close, "{average:?} {:?}", count.average());
}

pub fn at(position: Position) -> Query {
    Query { position: Some(position), ..Query::default() }
}

//! Three files from games.

use super::{Date, Header, PLAYER, TOURNAMENT, move_byte};
use crate::{Claim, Format, Record, WriteError, text};
use rules::{ByColor, Color, Position, Square, Symmetry};
use std::collections::HashMap;

/// Three files that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Base {
    /// The `.wtb` file.
    pub games: Vec<u8>,
    /// The `.jou` file.
    pub players: Vec<u8>,
    /// The `.trn` file.
    pub tournaments: Vec<u8>,
}

impl Base {
    /// Writes games, and the names in them. The year of the file is that of the games, if they agree on one.
    ///
    /// # Errors
    ///
    /// A game that does not begin at the usual start, or more than 65,535 names.
    pub fn write(records: &[Record], created: Date) -> Result<Base, WriteError> {
        let mut players = Table::default();
        let mut tournaments = Table::default();
        let year = |record: &Record| record.headers.date.get(..4).and_then(|year| year.parse().ok()).unwrap_or(0);
        let mut years = records.iter().map(year);
        let first = years.next().unwrap_or(0);
        let header = Header {
            created,
            games: u32::try_from(records.len()).map_err(|_| WriteError::Names)?,
            year: if years.all(|year| year == first) { first } else { 0 },
            ..Header::default()
        };
        let mut games = header.write().to_vec();
        for record in records {
            if !record.from_usual_start() {
                return Err(WriteError::Start(Format::Wthor));
            }
            let headers = &record.headers;
            let names = ByColor {
                black: players.number(&headers.players.black, PLAYER)?,
                white: players.number(&headers.players.white, PLAYER)?,
            };
            let score = score(record);
            games.extend(tournaments.number(&headers.event, TOURNAMENT)?.to_le_bytes());
            games.extend(names.black.to_le_bytes());
            games.extend(names.white.to_le_bytes());
            games.extend([score, headers.theory.unwrap_or(score)]);
            let mut moves = [0; 60];
            let turned = record.main_line().next().map_or(Symmetry::IDENTITY, to_f5);
            for (byte, square) in moves.iter_mut().zip(record.main_line()) {
                *byte = move_byte(turned.square(square));
            }
            games.extend(moves);
        }
        Ok(Base {
            games,
            players: players.file::<PLAYER>(created),
            tournaments: tournaments.file::<TOURNAMENT>(created),
        })
    }
}

/// How to look at a game so that its first move is f5.
fn to_f5(first: Square) -> Symmetry {
    let start = Position::start().board();
    let fits = |symmetry: &Symmetry| symmetry.square(first) == Square::F5 && symmetry.board(start) == start;
    Symmetry::ALL.into_iter().find(fits).unwrap_or_default()
}

/// Black's discs, empties to the winner: as claimed, else as played, else as they lie.
fn score(record: &Record) -> u8 {
    let end = record.end();
    let played = || end.outcome().map_or(end.count().black, |outcome| outcome.score().black);
    match record.headers.claim {
        Some(Claim::Winner(Color::Black, _)) => 64,
        Some(Claim::Winner(Color::White, _)) => 0,
        // the discs on the board: the empties are still to be given
        Some(Claim::Discs(discs)) if end.outcome().is_some_and(|outcome| outcome.discs == discs) => played(),
        Some(claim) => claim.discs().map_or_else(played, |discs| discs.black.min(64)),
        None => played(),
    }
}

/// Names and their numbers.
#[derive(Default)]
struct Table {
    numbers: HashMap<Vec<u8>, u16>,
    names: Vec<Vec<u8>>,
}

impl Table {
    fn number(&mut self, name: &str, size: usize) -> Result<u16, WriteError> {
        if self.names.is_empty() {
            self.names.push(b"???".to_vec());
        }
        let name: Vec<u8> = text::plain_line(name).chars().map(text::to_windows_1252).take(size - 1).collect();
        let name = name.trim_ascii_end().to_vec();
        if name.is_empty() || name == b"???" {
            return Ok(0);
        }
        if let Some(&number) = self.numbers.get(&name) {
            return Ok(number);
        }
        // the header has 16 bits for their count
        let number = u16::try_from(self.names.len()).ok().filter(|&number| number < u16::MAX);
        let number = number.ok_or(WriteError::Names)?;
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        Ok(number)
    }

    fn file<const SIZE: usize>(&self, created: Date) -> Vec<u8> {
        let header = Header { created, names: self.names.len() as u16, ..Header::default() };
        let mut file = header.write().to_vec();
        for name in &self.names {
            let mut record = [0; SIZE];
            record[..name.len()].copy_from_slice(name);
            file.extend(record);
        }
        file
    }
}

//! Three files from games.

use super::{Date, Header, PLAYER, TOURNAMENT, move_byte};
use crate::{Claim, Day, Format, Loss, Record, WriteError, text};
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
        let shared = Shared::of(records);
        let header = Header {
            created,
            games: u32::try_from(records.len()).map_err(|_| WriteError::Names)?,
            year: shared.year,
            depth: shared.empties.unwrap_or(1),
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
            let theory = shared.empties.and(headers.theory).map_or(score, |theory| theory.black);
            games.extend([score, theory]);
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

/// What is said once for all games of a file.
pub(crate) struct Shared {
    /// The year of the games, if they agree on one; else 0.
    year: u16,
    /// From how many empties on the theoretical scores count, if every game has one and they agree.
    empties: Option<u8>,
}

impl Shared {
    pub(crate) fn of(records: &[Record]) -> Shared {
        let year = |record: &Record| record.headers.day().map_or(0, |(day, _)| day.year);
        // 0 would be read as 22, and 1 is no theory
        let empties =
            |record: &Record| record.headers.theory.map(|theory| theory.empties).filter(|&empties| empties > 1);
        let year = agreed(records.iter().map(year)).unwrap_or(0);
        Shared { year, empties: agreed(records.iter().map(empties)).flatten() }
    }
}

fn agreed<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// What of a game comes back when it has been written.
pub(crate) fn keeps(record: &Record, what: Loss, shared: &Shared) -> bool {
    let headers = &record.headers;
    let name = |name: &String, size: usize| text::one_line(&cut(name, size)) == *name && name != UNKNOWN;
    match what {
        Loss::Moves => true,
        Loss::Orientation => record.main_line().next().is_none_or(|first| first == Square::F5),
        Loss::Players => name(&headers.players.black, PLAYER) && name(&headers.players.white, PLAYER),
        Loss::Event => name(&headers.event, TOURNAMENT),
        Loss::Date => {
            let year = Day { year: shared.year, month: None, day: None };
            shared.year != 0 && headers.day() == Some((year, String::new()))
        }
        Loss::Result => record.result().and_then(Claim::difference) == Some(f32::from(score(record)) * 2.0 - 64.0),
        Loss::Theory => shared.empties.is_some(),
        _ => false,
    }
}

/// Black's discs, empties to the winner: as claimed, else as played, else the lead where the game stopped.
fn score(record: &Record) -> u8 {
    let of = |difference: f32| ((64.0 + difference) / 2.0).floor().clamp(0.0, 64.0) as u8;
    let count = record.end().count();
    match record.result() {
        Some(Claim::Winner(Color::Black, _)) => 64,
        Some(Claim::Winner(Color::White, _)) => 0,
        Some(claim) => claim.difference().map_or(32, of),
        None => of(f32::from(count.black) - f32::from(count.white)),
    }
}

/// What stands for a name that is not known.
const UNKNOWN: &str = "???";

/// As much of a name as a record of this size can hold.
fn cut(name: &str, size: usize) -> Vec<u8> {
    let name: Vec<u8> = text::plain_line(name).chars().map(text::to_windows_1252).take(size - 1).collect();
    name.trim_ascii_end().to_vec()
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
            self.names.push(UNKNOWN.into());
        }
        let name = cut(name, size);
        if name.is_empty() || name == UNKNOWN.as_bytes() {
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

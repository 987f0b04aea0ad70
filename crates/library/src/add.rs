//! Games that come in: [`Library::add`].

use crate::{
    Library, claim,
    error::{Error, of_sqlite},
    file::write_start,
    mark::mark,
    rest::Rest,
};
use record::{Claim, Record, Why};
use rules::Color;
use rusqlite::{Connection, TransactionBehavior, params};
use std::collections::HashMap;

/// What became of games that were to be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Added {
    /// How many are new.
    pub added: u64,
    /// How many were there already.
    pub already_there: u64,
}

impl std::ops::AddAssign for Added {
    fn add_assign(&mut self, other: Added) {
        self.added += other.added;
        self.already_there += other.already_there;
    }
}

/// Why a legal game does not belong into a library: nothing was played, or its result is not that of its moves.
///
/// ```
/// use record::{Record, Why};
/// let nothing = Record::from_moves([])?;
/// assert_eq!(library::unfit(&nothing), Some(Why::NoMoves));
/// # Ok::<(), record::ReadError>(())
/// ```
pub fn unfit(record: &Record) -> Option<Why> {
    if record.main_len() == 0 { Some(Why::NoMoves) } else { record.check_result().err() }
}

impl Library {
    /// Adds these games, which came from a file of this name, all or none. What is there already is counted and left alone.
    ///
    /// # Errors
    ///
    /// [`Error`] if the file cannot be written; nothing has been added then.
    pub fn add(&mut self, games: &[Record], source: &str) -> Result<Added, Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let added = transaction.and_then(|transaction| {
            let added = Adder { connection: &transaction, texts: &mut self.texts }.add(games, source)?;
            transaction.commit()?;
            Ok(added)
        });
        self.changed = true;
        added.map_err(|error| {
            // what was to be undone has taken its numbers with it
            self.texts.clear();
            of_sqlite(error, &self.path)
        })
    }
}

struct Adder<'a> {
    connection: &'a Connection,
    texts: &'a mut HashMap<String, i64>,
}

impl Adder<'_> {
    fn add(&mut self, games: &[Record], source: &str) -> rusqlite::Result<Added> {
        let sql = "INSERT INTO game (mark, moves, start, black, white, event, round, source, date, year, claim, winner, difference,
                                     theory_black, theory_empties, rest)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";
        let mut insert = self.connection.prepare_cached(sql)?;
        let mut look = self.connection.prepare_cached("SELECT 1 FROM game WHERE mark = ?1")?;
        let source = self.text(source)?;
        let mut result = Added::default();
        for record in games {
            let headers = &record.headers;
            let year = headers.day().map_or(0, |(day, _)| day.year);
            let mark = mark(record, year);
            if look.exists([mark])? {
                result.already_there += 1;
                continue;
            }
            let moves: Vec<u8> = record.main_line().map(|square| square as u8).collect();
            let counts = record.result();
            let rest = Rest::of(record).and_then(|rest| serde_json::to_string(&rest).ok());
            insert.execute(params![
                mark,
                moves,
                write_start(record.start()),
                self.text(&headers.players.black)?,
                self.text(&headers.players.white)?,
                self.text(&headers.event)?,
                self.text(&headers.round)?,
                source,
                Some(&headers.date).filter(|date| !date.is_empty()),
                year,
                headers.claim.map(claim::write),
                counts.and_then(winner),
                counts.and_then(Claim::difference),
                headers.theory.map(|theory| theory.black),
                headers.theory.map(|theory| theory.empties),
                rest,
            ])?;
            result.added += 1;
        }
        Ok(result)
    }

    /// The number of a text; a new one if it has none.
    fn text(&mut self, text: &str) -> rusqlite::Result<i64> {
        if let Some(&id) = self.texts.get(text) {
            return Ok(id);
        }
        let mut look = self.connection.prepare_cached("SELECT id FROM text WHERE text = ?1")?;
        let id = match look.query_row([text], |row| row.get(0)) {
            Err(rusqlite::Error::QueryReturnedNoRows) => {
                self.connection.prepare_cached("INSERT INTO text (text) VALUES (?1)")?.insert([text])?
            }
            found => found?,
        };
        self.texts.insert(text.to_owned(), id);
        Ok(id)
    }
}

/// 1 for Black, 0 for nobody, -1 for White.
fn winner(claim: Claim) -> Option<i8> {
    match claim {
        Claim::Winner(Color::Black, _) => Some(1),
        Claim::Winner(Color::White, _) => Some(-1),
        _ => claim.difference().map(|black| (black > 0.0) as i8 - (black < 0.0) as i8),
    }
}

//! Games that come in: [`Library::add`].

use crate::{
    Library, claim,
    error::{Error, of_sqlite},
    file::write_start,
    mark::{is_unknown, mark, may_be_of_one_year, may_be_same, whoever_played},
    rest::Rest,
};
use record::{Claim, Record, Why};
use rules::{ByColor, Color};
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
    /// Adds these games, which came from a file of this name, all or none. What is there already is counted, and gets the names
    /// it did not have.
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

/// A game that is there already, and what it says of itself.
struct Same {
    number: i64,
    players: ByColor<String>,
    event: String,
    /// 0 if it is not known.
    year: u16,
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
        let source = self.text(source)?;
        let mut result = Added::default();
        for record in games {
            let headers = &record.headers;
            let year = headers.day().map_or(0, |(day, _)| day.year);
            let mark = mark(record, year);
            if let Some(same) = self.same(record, year, mark)? {
                result.already_there += 1;
                self.name_better(&same, record, year)?;
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

    /// The game that is there already: between the same players in the same year if there is one, else one of which that may be.
    fn same(&self, record: &Record, year: u16, mark: [u8; 16]) -> rusqlite::Result<Option<Same>> {
        let sql = "SELECT number, mark, black.text, white.text, event.text, year FROM game
                   JOIN text AS black ON black.id = black JOIN text AS white ON white.id = white
                   JOIN text AS event ON event.id = event
                   WHERE mark BETWEEN ?1 AND ?2 ORDER BY number";
        let (first, last) = whoever_played(mark);
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([first, last])?;
        let players = &record.headers.players;
        let mut found = None;
        while let Some(row) = rows.next()? {
            let same = Same {
                number: row.get(0)?,
                players: ByColor { black: row.get(2)?, white: row.get(3)? },
                event: row.get(4)?,
                year: row.get(5)?,
            };
            if row.get::<_, [u8; 16]>(1)? == mark {
                return Ok(Some(same));
            }
            if may_be_same(&same.players.black, &players.black)
                && may_be_same(&same.players.white, &players.white)
                && may_be_of_one_year(same.year, year)
            {
                found.get_or_insert(same);
            }
        }
        Ok(found)
    }

    /// Takes over what is known of a game by now and was not when it was added.
    fn name_better(&mut self, same: &Same, record: &Record, year: u16) -> rusqlite::Result<()> {
        let headers = &record.headers;
        let better = |old: &str, new: &str| if is_unknown(old) && !is_unknown(new) { new } else { old }.to_owned();
        let players = ByColor {
            black: better(&same.players.black, &headers.players.black),
            white: better(&same.players.white, &headers.players.white),
        };
        let event = better(&same.event, &headers.event);
        let is_dated = same.year == 0 && year != 0;
        if players == same.players && event == same.event && !is_dated {
            return Ok(());
        }
        let mut named = record.clone();
        named.headers.players = players.clone();
        let mark = mark(&named, if is_dated { year } else { same.year });
        let sql = "UPDATE OR IGNORE game SET mark = ?2, black = ?3, white = ?4, event = ?5 WHERE number = ?1";
        let (black, white, event) = (self.text(&players.black)?, self.text(&players.white)?, self.text(&event)?);
        let named = self.connection.prepare_cached(sql)?.execute(params![same.number, mark, black, white, event])?;
        if is_dated && named == 1 {
            let sql = "UPDATE game SET date = ?2, year = ?3 WHERE number = ?1";
            self.connection.prepare_cached(sql)?.execute(params![same.number, headers.date, year])?;
        }
        // whoever has read it before reads it again
        self.connection.prepare_cached("UPDATE state SET removals = removals + 1")?.execute([])?;
        Ok(())
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

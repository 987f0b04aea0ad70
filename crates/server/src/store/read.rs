//! What can be asked of the store.

use super::{Store, StoreError};
use rules::ByColor;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::de::DeserializeOwned;
use table::{At, Entry, Setup, Who};

/// A game as it is kept.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its id.
    pub game: String,
    /// When something last happened in it.
    pub changed: At,
    /// What was agreed.
    pub setup: Setup,
    /// Secrets for the open seats.
    pub invites: ByColor<Option<String>>,
    /// What happened, first to last.
    pub log: Vec<StoredEntry>,
}

/// One entry of a log.
#[derive(Clone, Debug)]
pub struct StoredEntry {
    /// Who sent the command, if a person did.
    pub who: Option<Who>,
    /// Its id.
    pub cmd: Option<String>,
    /// What happened.
    pub entry: Entry,
}

/// Where the server was when it last stopped.
#[derive(Clone, Debug)]
pub struct Lived {
    /// The last sign of life, if there ever was one.
    pub last: Option<At>,
    /// The games that were not over.
    pub open: Vec<String>,
}

impl Store {
    /// A whole game.
    pub fn game(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        self.with_reader(|connection| game(connection, id))
    }

    /// The game that `maker` began with the command `cmd`.
    pub fn begun_by(&self, maker: Who, cmd: &str) -> Result<Option<String>, StoreError> {
        self.with_reader(|connection| {
            connection
                .prepare_cached("SELECT id FROM game WHERE maker = ?1 AND cmd = ?2")?
                .query_row(params![maker.0, cmd], |row| row.get(0))
                .optional()
        })
    }

    /// The games in the list of `who`, latest first, from the one after `before` on.
    pub fn list(&self, who: Who, before: Option<&str>, most: usize) -> Result<Vec<Stored>, StoreError> {
        self.with_reader(|connection| {
            // Ordered by (begun, game), so that reading on never skips or repeats one.
            let from: Option<(i64, String)> = match before {
                None => None,
                Some(id) => connection
                    .prepare_cached("SELECT begun, id FROM game WHERE id = ?1")?
                    .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
                    .optional()?,
            };
            let (begun, id) = from.unwrap_or((i64::MAX, String::new()));
            let ids: Vec<String> = connection
                .prepare_cached(
                    "SELECT game FROM mine WHERE who = ?1 AND (begun, game) < (?2, ?3)
                     ORDER BY begun DESC, game DESC LIMIT ?4",
                )?
                .query_map(params![who.0, begun, id, most as i64], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            ids.iter().filter_map(|id| game(connection, id).transpose()).collect()
        })
    }

    /// How many games in their list are not over.
    pub fn open_games(&self, who: Who) -> Result<u64, StoreError> {
        self.with_reader(|connection| {
            connection
                .prepare_cached(
                    "SELECT count(*) FROM mine JOIN game ON game.id = mine.game WHERE who = ?1 AND over = 0",
                )?
                .query_row([who.0], |row| row.get::<_, i64>(0))
        })
        .map(|count| count as u64)
    }

    /// The person with this cookie.
    pub fn person(&self, secret: &[u8; 32]) -> Result<Option<Who>, StoreError> {
        self.with_reader(|connection| {
            connection
                .prepare_cached("SELECT id FROM person WHERE secret = ?1")?
                .query_row([secret.as_slice()], |row| row.get(0).map(Who))
                .optional()
        })
    }

    /// Where the server was when it last stopped.
    pub fn lived(&self) -> Result<Lived, StoreError> {
        self.with_reader(|connection| {
            let last: Option<i64> = connection.query_row("SELECT at FROM life", [], |row| row.get(0)).optional()?;
            let open = connection
                .prepare("SELECT id FROM game WHERE over = 0")?
                .query_map([], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            Ok(Lived { last: last.map(|at| at as At), open })
        })
    }
}

fn game(connection: &Connection, id: &str) -> rusqlite::Result<Option<Stored>> {
    let head = connection
        .prepare_cached("SELECT changed, setup, invite_black, invite_white FROM game WHERE id = ?1")?
        .query_row([id], |row| {
            Ok(Stored {
                game: id.to_owned(),
                changed: row.get::<_, i64>(0)? as At,
                setup: parsed(row, 1)?,
                invites: ByColor { black: row.get(2)?, white: row.get(3)? },
                log: Vec::new(),
            })
        })
        .optional()?;
    let Some(mut stored) = head else { return Ok(None) };
    stored.log = connection
        .prepare_cached("SELECT who, cmd, body FROM entry WHERE game = ?1 ORDER BY seq")?
        .query_map([id], |row| {
            Ok(StoredEntry { who: row.get::<_, Option<i64>>(0)?.map(Who), cmd: row.get(1)?, entry: parsed(row, 2)? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(Some(stored))
}

fn parsed<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, error.into()))
}

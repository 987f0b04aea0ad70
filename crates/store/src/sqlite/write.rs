//! What each [`Write`] does to the file.

use super::{
    account, document, meeting,
    summary::{self, json},
};
use crate::words::column;
use room::{Begun, Entered, Write};
use rusqlite::{Connection, OptionalExtension, ToSql, params};

/// Why one thing was not kept.
#[derive(Debug)]
pub(super) enum KeepError {
    /// Someone else was first, or what it belongs to is gone.
    Conflict,
    /// What SQLite says.
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for KeepError {
    fn from(error: rusqlite::Error) -> KeepError {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::ConstraintViolation) => KeepError::Conflict,
            _ => KeepError::Sqlite(error),
        }
    }
}

pub(super) fn keep(connection: &Connection, write: &Write) -> Result<(), KeepError> {
    let run = |sql: &str, values: &[&dyn ToSql]| connection.prepare_cached(sql)?.execute(values);
    let exists = |sql: &str, values: &[&dyn ToSql]| connection.prepare_cached(sql)?.exists(values);
    match write {
        Write::Person { who, secret } => {
            let sql = "INSERT INTO person (id, secret) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING";
            if run(sql, params![who.0, secret.as_slice()])? == 0
                && !exists("SELECT 1 FROM person WHERE id = ?1 AND secret = ?2", params![who.0, secret.as_slice()])?
            {
                return Err(KeepError::Conflict);
            }
        }
        Write::Begin(begun) => begin(connection, begun)?,
        Write::Enter(entered) => enter(connection, entered)?,
        Write::List { who, game, begun: _ } => {
            // When it was begun is the game's to say: the order of a list follows from it.
            let sql = "INSERT INTO listing (who, game, begun, open)
                       SELECT ?1, id, begun, coalesce(status <> 'over', 0) FROM game WHERE id = ?2
                       ON CONFLICT DO NOTHING";
            if run(sql, params![who.0, game.as_str()])? == 0
                && !exists("SELECT 1 FROM game WHERE id = ?1", params![game.as_str()])?
            {
                return Err(KeepError::Conflict);
            }
        }
        Write::Hide { who, game } => {
            let hidden = run("DELETE FROM listing WHERE who = ?1 AND game = ?2", params![who.0, game.as_str()])?;
            // What two people's ratings rest on stays, for whoever looks at theirs.
            if hidden == 1
                && !exists("SELECT 1 FROM listing WHERE game = ?1", params![game.as_str()])?
                && !exists("SELECT 1 FROM rated WHERE game = ?1", params![game.as_str()])?
            {
                delete(connection, game.as_str())?;
            }
        }
        Write::Delete { game, seq } => {
            let sql = "SELECT 1 FROM game WHERE id = ?1 AND (SELECT count(*) FROM entry WHERE game = ?1) = ?2";
            if !exists(sql, params![game.as_str(), column(seq.0)])? {
                return Err(KeepError::Conflict);
            }
            delete(connection, game.as_str())?;
        }
        Write::Keep(kept) => document::write(connection, kept)?,
        Write::Discard(key) => document::delete(connection, key)?,
        Write::Account(change) => account::write(connection, change)?,
        Write::Meeting(change) => meeting::write(connection, change)?,
        Write::Alive { at } => {
            run("INSERT OR REPLACE INTO alive (one, at) VALUES (1, ?1)", params![*at as i64])?;
        }
    }
    Ok(())
}

fn begin(connection: &Connection, begun: &Begun) -> Result<(), KeepError> {
    let Begun { game, setup, maker, command, summary } = begun;
    connection
        .prepare_cached("INSERT INTO game (id, begun, changed, setup, maker, command) VALUES (?1, ?2, ?2, ?3, ?4, ?5)")?
        .execute(params![game.as_str(), setup.at as i64, json(setup)?, maker.0, command.as_str()])?;
    summary::write(connection, game, summary)?;
    Ok(())
}

fn enter(connection: &Connection, entered: &Entered) -> Result<(), KeepError> {
    let Entered { game, seq, by, entry, summary } = entered;
    // A log has no gaps: what follows an entry that was refused is refused as well.
    let last = connection
        .prepare_cached("SELECT seq FROM entry WHERE game = ?1 ORDER BY seq DESC LIMIT 1")?
        .query_row([game.as_str()], |row| row.get::<_, i64>(0))
        .optional()?
        .unwrap_or(0);
    if seq.0 != last as u64 + 1 {
        return Err(KeepError::Conflict);
    }
    let (who, command) = by.as_ref().map(|(who, command)| (who.0, command.as_str())).unzip();
    connection
        .prepare_cached("INSERT INTO entry (game, seq, who, command, body) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![game.as_str(), seq.0 as i64, who, command, json(entry)?])?;
    // The game may have been deleted meanwhile.
    if summary::write(connection, game, summary)? { Ok(()) } else { Err(KeepError::Conflict) }
}

fn delete(connection: &Connection, game: &str) -> rusqlite::Result<()> {
    for sql in
        ["DELETE FROM entry WHERE game = ?1", "DELETE FROM listing WHERE game = ?1", "DELETE FROM game WHERE id = ?1"]
    {
        connection.prepare_cached(sql)?.execute([game])?;
    }
    Ok(())
}

/// Writes something that nobody asked for, see `writer`.
pub(super) fn settle(connection: &Connection) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO settled (one, times) VALUES (1, 1) ON CONFLICT DO UPDATE SET times = times + 1")?
        .execute([])?;
    Ok(())
}

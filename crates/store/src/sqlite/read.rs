//! What can be asked of the file.

use super::summary::{self, COLUMNS, parsed};
use crate::StoreError;
use room::{Listed, Stored, StoredEntry};
use rules::ByColor;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::sync::LazyLock;
use table::{At, CommandId, GameId, PersonId, Seq};

const GAME: &str = "SELECT setup, invite_black, invite_white FROM game WHERE id = ?1";
const ENTRIES: &str = "SELECT who, command, body FROM entry WHERE game = ?1 ORDER BY seq";
const BEGUN_BY: &str = "SELECT id FROM game WHERE maker = ?1 AND command = ?2";
const BEGUN: &str = "SELECT begun FROM game WHERE id = ?1";
static LIST: LazyLock<String> = LazyLock::new(|| {
    // Ordered by (begun, game), so that reading on never skips or repeats one.
    format!(
        "SELECT listing.game, listing.begun, {COLUMNS} FROM listing JOIN game ON game.id = listing.game
         WHERE who = ?1 AND (listing.begun, listing.game) < (?2, ?3)
         ORDER BY listing.begun DESC, listing.game DESC LIMIT ?4"
    )
});
static UNFINISHED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT listing.game, listing.begun, {COLUMNS} FROM listing JOIN game ON game.id = listing.game
         WHERE who = ?1 AND open = 1 ORDER BY listing.begun DESC, listing.game DESC"
    )
});
const OPEN_GAMES: &str = "SELECT count(*) FROM listing WHERE who = ?1 AND open = 1";
const LENGTH: &str = "SELECT coalesce((SELECT max(seq) FROM entry WHERE game = game.id), 0) FROM game WHERE id = ?1";
const DUE: &str = "SELECT deadline, id FROM game WHERE deadline <= ?1 ORDER BY deadline, id LIMIT ?2";
const RUNNING: &str = "SELECT id FROM game WHERE deadline IS NOT NULL AND id > ?1 ORDER BY id LIMIT ?2";
const ALIVE: &str = "SELECT at FROM alive WHERE one = 1";

pub(super) fn game(connection: &Connection, game: &GameId) -> Result<Option<Stored>, StoreError> {
    whole(connection, game).map_err(|error| match error {
        // A field that is not what it should be, or a damaged page.
        error if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt) => StoreError::Unreadable,
        error if error.sqlite_error_code().is_none() => StoreError::Unreadable,
        error => not_read(error),
    })
}

fn whole(connection: &Connection, game: &GameId) -> rusqlite::Result<Option<Stored>> {
    // Both questions are answered from the same moment.
    let connection = connection.unchecked_transaction()?;
    let head = connection
        .prepare_cached(GAME)?
        .query_row([game.as_str()], |row| {
            let invites = ByColor { black: row.get(1)?, white: row.get(2)? };
            Ok(Stored { game: game.clone(), setup: parsed(row, 0)?, invites, log: Vec::new() })
        })
        .optional()?;
    let Some(mut stored) = head else { return Ok(None) };
    stored.log =
        connection.prepare_cached(ENTRIES)?.query_map([game.as_str()], entry)?.collect::<rusqlite::Result<_>>()?;
    Ok(Some(stored))
}

pub(super) fn entry(row: &Row<'_>) -> rusqlite::Result<StoredEntry> {
    let by = match (row.get::<_, Option<i64>>(0)?, row.get::<_, Option<String>>(1)?) {
        (Some(who), Some(command)) => Some((PersonId(who), id(command)?)),
        _ => None,
    };
    Ok(StoredEntry { by, entry: parsed(row, 2)? })
}

pub(super) fn begun_by(
    connection: &Connection,
    maker: PersonId,
    command: &CommandId,
) -> Result<Option<GameId>, StoreError> {
    let one = || {
        let text: Option<String> = connection
            .prepare_cached(BEGUN_BY)?
            .query_row(params![maker.0, command.as_str()], |row| row.get(0))
            .optional()?;
        text.map(id).transpose()
    };
    one().map_err(not_read)
}

pub(super) fn list(
    connection: &Connection,
    who: PersonId,
    before: Option<&GameId>,
    most: usize,
) -> Result<Vec<Listed>, StoreError> {
    let page = || -> rusqlite::Result<Vec<Listed>> {
        let from = match before {
            None => None,
            Some(game) => connection
                .prepare_cached(BEGUN)?
                .query_row([game.as_str()], |row| row.get::<_, i64>(0))
                .optional()?
                .map(|begun| (begun, game.as_str())),
        };
        let (begun, game) = from.unwrap_or((i64::MAX, ""));
        connection.prepare_cached(&LIST)?.query_map(params![who.0, begun, game, most as i64], listed)?.collect()
    };
    page().map_err(not_read)
}

fn listed(row: &Row<'_>) -> rusqlite::Result<Listed> {
    Ok(Listed { game: id(row.get(0)?)?, begun: row.get::<_, i64>(1)? as At, summary: summary::read(row, 2) })
}

pub(super) fn unfinished(connection: &Connection, who: PersonId) -> Result<Vec<Listed>, StoreError> {
    let all = || -> rusqlite::Result<Vec<Listed>> {
        connection.prepare_cached(&UNFINISHED)?.query_map([who.0], listed)?.collect()
    };
    all().map_err(not_read)
}

pub(super) fn open_games(connection: &Connection, who: PersonId) -> Result<u64, StoreError> {
    let count = || connection.prepare_cached(OPEN_GAMES)?.query_row([who.0], |row| row.get::<_, i64>(0));
    count().map(|count| count as u64).map_err(not_read)
}

pub(super) fn lengths(connection: &Connection, games: &[GameId]) -> Result<Vec<(GameId, Seq)>, StoreError> {
    let all = || -> rusqlite::Result<Vec<(GameId, Seq)>> {
        let mut length = connection.prepare_cached(LENGTH)?;
        let mut lengths = Vec::with_capacity(games.len());
        for game in games {
            let found = length.query_row([game.as_str()], |row| row.get::<_, i64>(0)).optional()?;
            lengths.extend(found.map(|seq| (game.clone(), Seq(seq as u64))));
        }
        Ok(lengths)
    };
    all().map_err(not_read)
}

pub(super) fn due(connection: &Connection, by: At, most: usize) -> Result<Vec<(At, GameId)>, StoreError> {
    let by = i64::try_from(by).unwrap_or(i64::MAX);
    let all = || -> rusqlite::Result<Vec<(At, GameId)>> {
        connection
            .prepare_cached(DUE)?
            .query_map(params![by, most as i64], |row| Ok((row.get::<_, i64>(0)? as At, id(row.get(1)?)?)))?
            .collect()
    };
    all().map_err(not_read)
}

pub(super) fn running(connection: &Connection, after: Option<&GameId>, most: usize) -> Result<Vec<Stored>, StoreError> {
    let page = |after: Option<&GameId>, most: usize| -> rusqlite::Result<Vec<GameId>> {
        let after = after.map_or("", GameId::as_str);
        connection.prepare_cached(RUNNING)?.query_map(params![after, most as i64], |row| id(row.get(0)?))?.collect()
    };
    let mut games = Vec::new();
    let mut last = after.cloned();
    // Reads on past games that cannot be read: fewer than `most` means that there are no more.
    while games.len() < most {
        let ids = page(last.as_ref(), most - games.len()).map_err(not_read)?;
        if ids.is_empty() {
            break;
        }
        for id in ids {
            match game(connection, &id) {
                Ok(stored) => games.extend(stored),
                Err(StoreError::Unreadable) => {}
                Err(error) => return Err(error),
            }
            last = Some(id);
        }
    }
    Ok(games)
}

pub(super) fn last_alive(connection: &Connection) -> Result<Option<At>, StoreError> {
    let one = || connection.prepare_cached(ALIVE)?.query_row([], |row| row.get::<_, i64>(0)).optional();
    one().map(|at| at.map(|at| at as At)).map_err(not_read)
}

pub(super) fn not_read(error: rusqlite::Error) -> StoreError {
    StoreError::NotRead(error.to_string().into())
}

/// An id that stands in a column as text.
pub(super) fn id<T: TryFrom<String, Error = table::IdError>>(text: String) -> rusqlite::Result<T> {
    T::try_from(text)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, error.into()))
}

#[cfg(test)]
mod tests;

//! How a game stands, as columns of its row.

use crate::words::{color, color_text, result_text, status, status_text};
use room::Summary;
use rusqlite::{Connection, Row, params};
use serde::{Serialize, de::DeserializeOwned};
use table::{At, GameId, Ply, Status};

/// The columns that [`read`] takes, in its order.
pub(super) const COLUMNS: &str =
    "game.changed, game.seats, game.status, game.ply, game.turn, game.board, game.verdict, game.deadline";

/// Writes how `game` stands; false if there is no such game.
pub(super) fn write(connection: &Connection, game: &GameId, summary: &Summary) -> rusqlite::Result<bool> {
    let verdict = summary.verdict.as_ref();
    let found = connection
        .prepare_cached(
            "UPDATE game SET changed = ?2, seats = ?3, status = ?4, ply = ?5, turn = ?6, board = ?7, result = ?8,
             black_score = ?9, white_score = ?10, verdict = ?11, deadline = ?12 WHERE id = ?1",
        )?
        .execute(params![
            game.as_str(),
            summary.changed as i64,
            json(&summary.seats)?,
            status_text(summary.status),
            summary.ply.0,
            summary.turn.map(color_text),
            summary.board,
            verdict.map(result_text),
            verdict.map(|verdict| verdict.score.black),
            verdict.map(|verdict| verdict.score.white),
            verdict.map(json).transpose()?,
            summary.deadline.map(|at| at as i64),
        ])?;
    connection
        .prepare_cached("UPDATE listing SET open = ?2 WHERE game = ?1 AND open <> ?2")?
        .execute(params![game.as_str(), summary.status != Status::Over])?;
    Ok(found == 1)
}

/// Reads how a game stands from [`COLUMNS`], of which the first is number `first`; `None` if that cannot be read.
pub(super) fn read(row: &Row<'_>, first: usize) -> Option<Summary> {
    let text = |column: usize| row.get::<_, Option<String>>(first + column).ok();
    Some(Summary {
        changed: row.get::<_, i64>(first).ok()? as At,
        seats: serde_json::from_str(&text(1)??).ok()?,
        status: status(&text(2)??)?,
        ply: Ply(row.get(first + 3).ok()?),
        turn: match text(4)? {
            None => None,
            Some(text) => Some(color(&text)?),
        },
        board: text(5)??,
        verdict: match text(6)? {
            None => None,
            Some(text) => Some(serde_json::from_str(&text).ok()?),
        },
        deadline: row.get::<_, Option<i64>>(first + 7).ok()?.map(|at| at as At),
    })
}

pub(super) fn json<T: Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// What stands as JSON in a column.
pub(super) fn parsed<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, error.into()))
}

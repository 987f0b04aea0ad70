//! How a game stands, as columns of its row.

use super::{failed::Failed, link::Value};
use crate::{
    StoreError,
    words::{color, color_text, column, result_text, status, status_text},
};
use room::Summary;
use serde::Serialize;
use table::{At, Ply};
use tokio_postgres::Row;

/// What [`read`] takes, in its order, of a game called `g`.
macro_rules! columns {
    () => {
        "g.changed, g.seats, g.status, g.ply, g.turn, g.board, g.verdict, g.deadline"
    };
}
pub(super) use columns;

/// The values of `changed, seats, status, ply, turn, board, result, black_score, white_score, verdict, deadline`.
pub(super) fn values(summary: &Summary) -> Result<[Value; 11], StoreError> {
    let verdict = summary.verdict.as_ref();
    Ok([
        Box::new(column(summary.changed)),
        Box::new(json(&summary.seats)?),
        Box::new(status_text(summary.status)),
        Box::new(i64::from(summary.ply.0)),
        Box::new(summary.turn.map(color_text)),
        Box::new(summary.board.clone()),
        Box::new(verdict.map(result_text)),
        Box::new(verdict.map(|verdict| i64::from(verdict.score.black))),
        Box::new(verdict.map(|verdict| i64::from(verdict.score.white))),
        Box::new(verdict.map(json).transpose()?),
        Box::new(summary.deadline.map(column)),
    ])
}

/// Reads how a game stands from [`columns!`], of which the first is number `first`; `None` if that cannot be read.
pub(super) fn read(row: &Row, first: usize) -> Option<Summary> {
    let text = |column: usize| row.try_get::<_, Option<&str>>(first + column).ok();
    Some(Summary {
        changed: row.try_get::<_, i64>(first).ok()? as At,
        seats: serde_json::from_str(text(1)??).ok()?,
        status: status(text(2)??)?,
        ply: Ply(row.try_get::<_, i64>(first + 3).ok()?.try_into().ok()?),
        turn: match text(4)? {
            None => None,
            Some(text) => Some(color(text)?),
        },
        board: text(5)??.to_owned(),
        verdict: match text(6)? {
            None => None,
            Some(text) => Some(serde_json::from_str(text).ok()?),
        },
        deadline: row.try_get::<_, Option<i64>>(first + 7).ok()?.map(|at| at as At),
    })
}

pub(super) fn json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::NotKept(error.to_string().into()))
}

/// What stands as JSON in a column.
pub(super) fn parsed<T: serde::de::DeserializeOwned>(row: &Row, column: usize) -> Result<T, Failed> {
    serde_json::from_str(row.try_get(column)?).map_err(|_| Failed::Unreadable)
}

/// An id that stands in a column as text.
pub(super) fn id<T: TryFrom<String, Error = table::IdError>>(row: &Row, column: usize) -> Result<T, Failed> {
    T::try_from(row.try_get(column)?).map_err(|_| Failed::Unreadable)
}

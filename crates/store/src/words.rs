//! What stands in a column as a word, in every kind of database.

use rules::Color;
use table::{Status, Verdict};

pub(crate) fn status_text(status: Status) -> &'static str {
    match status {
        Status::Waiting => "waiting",
        Status::Playing => "playing",
        Status::Over => "over",
    }
}

pub(crate) fn status(text: &str) -> Option<Status> {
    [Status::Waiting, Status::Playing, Status::Over].into_iter().find(|&status| status_text(status) == text)
}

pub(crate) fn color_text(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

pub(crate) fn color(text: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| color_text(color) == text)
}

pub(crate) fn result_text(verdict: &Verdict) -> &'static str {
    match (verdict.ending, verdict.winner) {
        (ending, _) if !ending.has_result() => "scrapped",
        (_, Some(winner)) => color_text(winner),
        (_, None) => "draw",
    }
}

/// A time or a number as a column holds it: one that is too far away is the last there is.
pub(crate) fn column(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

//! Games to take away: transcript, GGF, SGF, JSON, diagram.

mod json;

use crate::{House, caller::Caller, limits, people::OWNER, refusal::Refused};
use axum::{
    Extension,
    extract::{Path, Query, State},
    http::{HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
};
use record::{Claim, Clock, Headers, How, Note, RawGame, RawNote, Record, svg::Diagram};
use rules::ByColor;
use serde::Deserialize;
use std::sync::Arc;
use table::{At, Ending, GameId, MoveView, Rules, SeatView, Table, TimeControl, View};

#[derive(Debug, Deserialize)]
pub(crate) struct Choice {
    /// Draw the position after so many moves; the whole game, numbered, if not given.
    ply: Option<usize>,
}

/// `GET /api/games/{game}/{file}`
pub(crate) async fn file(
    State(house): State<Arc<House>>,
    Extension(caller): Extension<Caller>,
    Path((game, file)): Path<(String, String)>,
    Query(choice): Query<Choice>,
) -> Response {
    let who = caller.at_home.then_some(OWNER);
    if !house.limits.pay(who, caller.place, limits::FILE, house.time.now()) {
        return (StatusCode::TOO_MANY_REQUESTS, "That was too fast. Wait a moment and try again.\n").into_response();
    }
    match write(&house, &game, &file, choice.ply).await {
        Ok(Some((kind, text))) => {
            let name = format!("attachment; filename=\"outflank-{game}-{file}\"");
            let headers: [(HeaderName, &str); 3] = [
                (header::CONTENT_TYPE, kind),
                (header::CONTENT_DISPOSITION, &name),
                (header::CACHE_CONTROL, "no-store"),
            ];
            (headers, text).into_response()
        }
        Ok(None) => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
        Err(refused) => (StatusCode::NOT_FOUND, format!("{}\n", refused.text)).into_response(),
    }
}

async fn write(
    house: &Arc<House>,
    game: &str,
    file: &str,
    ply: Option<usize>,
) -> Result<Option<(&'static str, String)>, Refused> {
    let game: GameId = game.parse().map_err(|_| Refused::no_such_game())?;
    let (table, begun) = house.live(&game).await?.table().await;
    let unwritable = |error: record::ReadError| Refused::new(crate::protocol::Why::BadMessage, error);
    let record = || record_of_table(&table, begun).map_err(unwritable);
    Ok(Some(match file {
        "transcript.txt" => {
            let moves: String = table.moves().iter().map(|played| played.step.square.to_string()).collect();
            ("text/plain; charset=utf-8", format!("{moves}\n"))
        }
        "game.ggf" => ("text/plain; charset=utf-8", format!("{}\n", record::ggf::write(&record()?))),
        "game.sgf" => ("application/x-go-sgf; charset=utf-8", record::sgf::write(&record()?)),
        "game.json" => ("application/json", house.json(&game, &table, begun).await),
        "diagram.svg" => ("image/svg+xml", diagram(&record()?, ply).write()),
        _ => return Ok(None),
    }))
}

fn diagram(record: &Record, ply: Option<usize>) -> Diagram {
    let Some(ply) = ply else { return Diagram::of_game(record) };
    let position = record.after(ply).unwrap_or_else(|| record.end());
    let diagram = Diagram::of(&position);
    match record.main_line().take(ply).last() {
        Some(square) => diagram.last(square),
        None => diagram,
    }
}

/// The game of a table that began at that time, as [`record_of`] writes it.
///
/// # Errors
///
/// None for a table that the rules made.
pub fn record_of_table(table: &Table, begun: At) -> Result<Record, record::ReadError> {
    let moves: Vec<MoveView> = (0..table.moves().len()).map(|index| table.move_view(index)).collect();
    record_of(&table.view(table.at(), None), &moves, begun)
}

/// A game that began at that time as a record, for any format: passes written, seconds for each move, the result as it
/// counts.
///
/// # Errors
///
/// None for moves that the rules allow.
pub fn record_of(view: &View, moves: &[MoveView], begun: At) -> Result<Record, record::ReadError> {
    let name = |seat: &SeatView| match (&seat.name, seat.level) {
        (_, Some(level)) => format!("Outflank {level}"),
        // Who gave no name has none in the file: the words for it would be in one language.
        (Some(called), _) => called.name().map(ToString::to_string).unwrap_or_default(),
        (None, None) => String::new(),
    };
    let claim = view.verdict.filter(|verdict| verdict.ending.has_result()).map(|verdict| {
        let how = match verdict.ending {
            Ending::Resigned => How::Resigned,
            Ending::OutOfTime => How::OutOfTime,
            Ending::Left if verdict.winner.is_some() => How::Resigned,
            Ending::Left => How::Agreed,
            _ => How::Played,
        };
        Claim::Difference { black: f32::from(verdict.difference), how }
    });
    let headers = Headers {
        players: ByColor::from_fn(|color| name(&view.seats[color])),
        site: "Outflank".to_owned(),
        date: date(begun),
        time: clock(&view.rules).map(|clock| clock.to_string()).unwrap_or_default(),
        claim,
        ..Headers::default()
    };
    let mut raw = RawGame { headers, ..RawGame::default() };
    let at = |why| record::ReadError { byte: 0, why };
    for played in moves {
        raw.push(Some(played.by), Some(played.square), 0).map_err(at)?;
        // Nobody thought about a move that was given.
        if !played.given {
            let seconds = Some(played.ms as f32 / 1000.0);
            raw.notes.push(RawNote { on: Some(raw.plies.len() as u32 - 1), note: Note { seconds, ..Note::default() } });
        }
        if played.passed {
            raw.push(Some(!played.by), None, 0).map_err(at)?;
        }
    }
    Record::try_from(raw)
}

/// The time control, if there is one. Byo-yomi is the nearest thing to GGF's extension.
fn clock(rules: &Rules) -> Option<Clock> {
    let (main, increment, extension) = match rules.time {
        // GGF has no days for each move.
        TimeControl::None | TimeControl::PerMove { .. } => return None,
        TimeControl::SuddenDeath { main_ms } => (main_ms, 0, 0),
        TimeControl::Fischer { main_ms, increment_ms } => (main_ms, increment_ms, 0),
        TimeControl::ByoYomi { main_ms, period_ms, .. } => (main_ms, 0, period_ms),
    };
    Some(Clock { main: main / 1000, increment: increment / 1000, extension: extension / 1000 })
}

/// The day of a time, in UTC: `2026-11-15`.
fn date(at: At) -> String {
    // Days from 1 March of year 0, so that the leap day ends a year; a cycle of 400 years has 146,097 days.
    let days = at / 86_400_000 + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", 400 * cycle + year + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let day = 86_400_000;
        for (days, name) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (365, "1971-01-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (20_772, "2026-11-15"),
        ] {
            assert_eq!(date(days * day + 5), name);
        }
    }
}

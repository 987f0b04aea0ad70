//! People: who someone is, and all their games.

use super::{
    answer::bare,
    desk::Visit,
    games::{Before, done, game},
    schema::{Done, FinishedGame, LeadersAnswer, PersonAnswer, Refusal},
    stream::Lines,
};
use crate::{
    House,
    http::{Problem, reply},
    protocol::Ask,
};
use axum::{
    extract::{Path, Query},
    http::StatusCode,
    response::Response,
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use table::{GameId, Table};

/// Whoever has spent all they may waits so long, and tries again.
const AGAIN: Duration = Duration::from_secs(1);

/// Who someone is, and how well they play.
#[utoipa::path(get, path = "/api/people/{handle}", tag = "people", params(("handle" = String, Path)), responses(
    (status = 200, body = PersonAnswer), (status = "default", body = Refusal)
))]
pub(crate) async fn show(visit: Visit, Path(handle): Path<String>) -> Result<Response, Problem> {
    Ok(reply(StatusCode::OK, &bare(visit.ask(Ask::Person { handle }).await?)))
}

/// Meet someone no more: neither sees the other's offers, nor can challenge them.
#[utoipa::path(post, path = "/api/people/{handle}/block", tag = "people", params(("handle" = String, Path)), responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn block(visit: Visit, Path(handle): Path<String>) -> Result<Response, Problem> {
    done(&visit, Ask::Block { handle }).await
}

/// Meet them again.
#[utoipa::path(delete, path = "/api/people/{handle}/block", tag = "people", params(("handle" = String, Path)), responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn unblock(visit: Visit, Path(handle): Path<String>) -> Result<Response, Problem> {
    done(&visit, Ask::Unblock { handle }).await
}

/// The best at one kind of game, such as `rapid-standard`.
#[utoipa::path(get, path = "/api/leaders/{category}", tag = "people", params(("category" = String, Path)), responses(
    (status = 200, body = LeadersAnswer), (status = "default", body = Refusal)
))]
pub(crate) async fn leaders(visit: Visit, Path(category): Path<String>) -> Result<Response, Problem> {
    let known = category
        .parse()
        .map_err(|_| Problem::new(StatusCode::NOT_FOUND, "no_such_category", "there is no such kind of game"))?;
    done(&visit, Ask::Leaders { category: known }).await
}

/// Every finished game of someone against other people, the latest first, one line of JSON each: those that were rated or began in the
/// lobby, and your own. It goes no faster than your allowance, however many there are.
#[utoipa::path(get, path = "/api/people/{handle}/games", tag = "people", params(("handle" = String, Path), Before), responses(
    (status = 200, body = FinishedGame, content_type = "application/x-ndjson"), (status = "default", body = Refusal)
))]
pub(crate) async fn games(
    mut visit: Visit,
    Path(handle): Path<String>,
    Query(Before { before }): Query<Before>,
) -> Result<Response, Problem> {
    let before = before.as_deref().map(game).transpose()?;
    let ticket = visit.ticket()?;
    let mut page = visit.ask(Ask::PersonGames { handle: handle.clone(), before }).await?;
    let (lines, response) = Lines::new();
    tokio::spawn(async move {
        // A page of the list at a time: the reader sets the pace.
        loop {
            let games = page["games"].as_array().cloned().unwrap_or_default();
            let last = games.last().and_then(|game| game["game"].as_str()?.parse::<GameId>().ok());
            for game in games.into_iter().filter(|game| game["status"] == "over") {
                let whole = with_moves(visit.house(), game).await;
                if !lines.send(&whole).await {
                    return;
                }
            }
            if page["more"] != true || last.is_none() {
                break;
            }
            page = match next_page(&mut visit, &handle, last, &lines).await {
                Ok(page) => page,
                Err(problem) => {
                    // Whoever reads knows that this is not the end.
                    let _ = lines.send(&json!({"why": problem.why, "text": problem.text})).await;
                    break;
                }
            };
        }
        drop(ticket);
    });
    Ok(response)
}

/// The page after `last`, as soon as there is something left to spend on it.
async fn next_page(visit: &mut Visit, handle: &str, last: Option<GameId>, lines: &Lines) -> Result<Value, Problem> {
    loop {
        let ask = Ask::PersonGames { handle: handle.to_owned(), before: last.clone() };
        match visit.ask_on(ask).await {
            Err(problem) if problem.why == "too_many" && lines.wait(AGAIN).await => {}
            answer => return answer,
        }
    }
}

/// A line of the list with its moves, what was agreed and what the network took of each player's time; without them if it cannot be read.
async fn with_moves(house: &Arc<House>, mut line: Value) -> Value {
    let Some(game) = line["game"].as_str().and_then(|game| game.parse::<GameId>().ok()) else { return line };
    // Not by a room: a thousand games would be kept at hand that nobody plays.
    let Ok(Some(stored)) = house.store.game(&game).await else { return line };
    let rules = stored.setup.rules;
    let Ok(mut table) = Table::new(stored.setup) else { return line };
    for kept in &stored.log {
        match table.after(&kept.entry) {
            Ok(after) => table = after,
            Err(_) => return line,
        }
    }
    let moves: String = table.moves().iter().map(|played| played.step.square.to_string()).collect();
    if let Some(fields) = line.as_object_mut() {
        fields.insert("moves".to_owned(), json!(moves));
        fields.insert("rules".to_owned(), json!(rules));
        fields.insert("lag_ms".to_owned(), json!(table.view(table.at(), None).lag_ms));
        fields.remove("board");
    }
    line
}

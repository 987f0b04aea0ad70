//! What players do at a table besides moving: claim, take back, ask, answer, talk, begin again.

use super::{
    answer::bare,
    desk::Visit,
    games::{done, game},
    schema::{Again, Answer, Claim, Done, Hint, Phrase, Refusal, Takeback},
};
use crate::{
    http::{Json, Problem, reply},
    protocol::Ask,
};
use axum::{extract::Path, http::StatusCode, response::Response};
use serde::Deserialize;
use serde_json::json;
use table::{Ply, Wish};

/// After how many moves it was asked, as it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct At {
    ply: Ply,
}

/// Take your last move back, or ask the other player to allow it (`view.offer`).
#[utoipa::path(post, path = "/api/games/{game}/takeback", tag = "games", params(("game" = String, Path)), request_body = Takeback, responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn takeback(
    visit: Visit,
    Path(id): Path<String>,
    Json(At { ply }): Json<At>,
) -> Result<Response, Problem> {
    done(&visit, Ask::Takeback { game: game(&id)?, ply }).await
}

/// A good move, in a game that no other person plays.
#[utoipa::path(post, path = "/api/games/{game}/hint", tag = "games", params(("game" = String, Path)), request_body = Takeback, responses(
    (status = 200, body = Hint), (status = "default", body = Refusal)
))]
pub(crate) async fn hint(
    visit: Visit,
    Path(id): Path<String>,
    Json(At { ply }): Json<At>,
) -> Result<Response, Problem> {
    done(&visit, Ask::Hint { game: game(&id)?, ply }).await
}

/// What a claim is for, as it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claimed {
    what: table::Claim,
}

/// Claim a live game, once the other player has been away on their turn for long enough (`claim_in_ms` is 0).
#[utoipa::path(post, path = "/api/games/{game}/claim", tag = "games", params(("game" = String, Path)), request_body = Claim, responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn claim(
    visit: Visit,
    Path(id): Path<String>,
    Json(claimed): Json<Claimed>,
) -> Result<Response, Problem> {
    done(&visit, Ask::Claim { game: game(&id)?, what: claimed.what }).await
}

/// Stop the clocks of a casual game, or ask the other player to.
#[utoipa::path(post, path = "/api/games/{game}/pause", tag = "games", params(("game" = String, Path)), responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn pause(visit: Visit, Path(id): Path<String>) -> Result<Response, Problem> {
    done(&visit, Ask::Pause { game: game(&id)? }).await
}

/// Let the clocks run on, or ask the other player to.
#[utoipa::path(post, path = "/api/games/{game}/resume", tag = "games", params(("game" = String, Path)), responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn resume(visit: Visit, Path(id): Path<String>) -> Result<Response, Problem> {
    done(&visit, Ask::Resume { game: game(&id)? }).await
}

/// Something to say, as it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    phrase: table::Phrase,
}

/// Say one of the phrases to the other player, who reads it in their own language.
#[utoipa::path(post, path = "/api/games/{game}/say", tag = "games", params(("game" = String, Path)), request_body = Phrase, responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn say(visit: Visit, Path(id): Path<String>, Json(said): Json<Said>) -> Result<Response, Problem> {
    done(&visit, Ask::Say { game: game(&id)?, phrase: said.phrase }).await
}

/// Scrap a casual game without a result, or ask the other player to.
#[utoipa::path(post, path = "/api/games/{game}/scrap", tag = "games", params(("game" = String, Path)), responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn scrap(visit: Visit, Path(id): Path<String>) -> Result<Response, Problem> {
    done(&visit, Ask::Scrap { game: game(&id)? }).await
}

/// Whether colours are swapped, as it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Swap {
    swap: bool,
}

/// Begin another game with the same players and rules, or ask the other player for it. The answer names the new game, or this one if
/// they were asked: if they agree, `view.next` of this game is the new one, and your `GET /api/events` hears of it.
#[utoipa::path(post, path = "/api/games/{game}/again", tag = "games", params(("game" = String, Path)), request_body = Again, responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn again(
    visit: Visit,
    Path(id): Path<String>,
    Json(Swap { swap }): Json<Swap>,
) -> Result<Response, Problem> {
    let done = visit.ask(Ask::Again { game: game(&id)?, swap }).await?;
    visit.attend(&done);
    Ok(reply(StatusCode::OK, &bare(done)))
}

/// An answer to the other player, as it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answered {
    what: Wish,
    accept: bool,
}

/// Agree to what the other player asks (`view.offer`), or decline it; declining your own withdraws it. Where another game begins by
/// it, the answer has it as `next`.
#[utoipa::path(post, path = "/api/games/{game}/answer", tag = "games", params(("game" = String, Path)), request_body = Answer, responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn answer(
    mut visit: Visit,
    Path(id): Path<String>,
    Json(answered): Json<Answered>,
) -> Result<Response, Problem> {
    let (game, Answered { what, accept }) = (game(&id)?, answered);
    let mut done = visit.ask(Ask::Answer { game: game.clone(), what, accept }).await?;
    if accept && matches!(what, Wish::Rematch | Wish::NewGame) {
        let shown = visit.ask_on(Ask::Open { game, have: None }).await?;
        done["next"] = shown["view"]["next"].clone();
        visit.attend(&json!({"game": done["next"]}));
    }
    Ok(reply(StatusCode::OK, &bare(done)))
}

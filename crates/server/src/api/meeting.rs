//! The lobby: offers to anyone, challenges to one person.

use super::{
    answer::bare,
    desk::Visit,
    schema::{Challenge, Done, LobbyAnswer, NewOffer, Offered, QuickGame, Refusal},
};
use crate::{
    http::{Json, Problem, reply},
    meeting::view,
    protocol::{Ask, Why},
    refusal::Refused,
};
use axum::{extract::Path, http::StatusCode, response::Response};
use people::Speed;
use rules::Color;
use serde::Deserialize;
use serde_json::{Value, json};
use table::{GameId, Opening, Rules};

fn offer(text: &str) -> Result<GameId, Problem> {
    text.parse().map_err(|_| Refused::new(Why::NoSuchOffer, "there is no such offer").into())
}

/// Who offers to play, and who challenges you.
#[utoipa::path(get, path = "/api/offers", tag = "lobby", responses(
    (status = 200, body = LobbyAnswer), (status = "default", body = Refusal)
))]
pub(crate) async fn lobby(visit: Visit) -> Result<Response, Problem> {
    let mut lobby = bare(visit.ask(Ask::Lobby).await?);
    // A page is told of the latest offers a moment later; whoever asks once is told now.
    let (house, who) = (visit.house(), visit.who());
    let hidden = house.strangers_to(who).await?;
    let offers = house.open_offers().await?;
    let shown = offers.iter().filter(|offer| !hidden.contains(&offer.by.who));
    lobby["offers"] = shown.map(|offer| json!(view(offer, who, None))).collect();
    Ok(reply(StatusCode::OK, &lobby))
}

/// An offer, as it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Make {
    rules: Rules,
    #[serde(default)]
    color: Option<Color>,
    #[serde(default)]
    rated: bool,
    #[serde(default)]
    rating_min: Option<i32>,
    #[serde(default)]
    rating_max: Option<i32>,
}

/// Offer a game to anyone. It stands as long as your `GET /api/events` is open, which says `paired` when somebody takes it.
#[utoipa::path(post, path = "/api/offers", tag = "lobby", request_body = NewOffer, responses(
    (status = 201, body = Offered), (status = "default", body = Refusal)
))]
pub(crate) async fn make(visit: Visit, Json(make): Json<Make>) -> Result<Response, Problem> {
    let Make { rules, color, rated, rating_min, rating_max } = make;
    let answer = visit.ask_waiting(Ask::Offer { rules, color, rated, rating_min, rating_max }).await?;
    Ok(offered(&visit, answer))
}

/// What became of an offer: it waits, or is a game already.
fn offered(visit: &Visit, answer: Value) -> Response {
    visit.attend(&answer);
    reply(StatusCode::CREATED, &bare(answer))
}

/// Take an offer, or accept a challenge.
#[utoipa::path(post, path = "/api/offers/{offer}/accept", tag = "lobby", params(("offer" = String, Path)), responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn accept(visit: Visit, Path(id): Path<String>) -> Result<Response, Problem> {
    let done = visit.ask(Ask::OfferAccept { offer: offer(&id)? }).await?;
    visit.attend(&done);
    Ok(reply(StatusCode::OK, &bare(done)))
}

/// Decline a challenge.
#[utoipa::path(post, path = "/api/offers/{offer}/decline", tag = "lobby", params(("offer" = String, Path)), responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn decline(visit: Visit, Path(id): Path<String>) -> Result<Response, Problem> {
    Ok(reply(StatusCode::OK, &bare(visit.ask(Ask::ChallengeDecline { offer: offer(&id)? }).await?)))
}

/// Withdraw an offer or a challenge of yours.
#[utoipa::path(delete, path = "/api/offers/{offer}", tag = "lobby", params(("offer" = String, Path)), responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn withdraw(visit: Visit, Path(id): Path<String>) -> Result<Response, Problem> {
    Ok(reply(StatusCode::OK, &bare(visit.ask(Ask::OfferWithdraw { offer: offer(&id)? }).await?)))
}

/// A challenge, as it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dare {
    handle: String,
    rules: Rules,
    #[serde(default)]
    color: Option<Color>,
    #[serde(default)]
    rated: bool,
}

/// Offer a game to one person. It stands as long as your `GET /api/events` is open.
#[utoipa::path(post, path = "/api/challenges", tag = "lobby", request_body = Challenge, responses(
    (status = 201, body = Offered), (status = "default", body = Refusal)
))]
pub(crate) async fn challenge(visit: Visit, Json(dare): Json<Dare>) -> Result<Response, Problem> {
    let Dare { handle, rules, color, rated } = dare;
    let answer = visit.ask_waiting(Ask::Challenge { handle, rules, color, rated }).await?;
    Ok(offered(&visit, answer))
}

/// A game at once, as it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Quick {
    speed: Speed,
    #[serde(default)]
    opening: Opening,
    #[serde(default)]
    rated: bool,
}

/// A game with whoever the server finds: at once, or as an offer that waits as long as your `GET /api/events` is open.
#[utoipa::path(post, path = "/api/quick", tag = "lobby", request_body = QuickGame, responses(
    (status = 201, body = Offered), (status = "default", body = Refusal)
))]
pub(crate) async fn quick(visit: Visit, Json(quick): Json<Quick>) -> Result<Response, Problem> {
    let Quick { speed, opening, rated } = quick;
    let answer = visit.ask_waiting(Ask::Quick { speed, opening, rated }).await?;
    Ok(offered(&visit, answer))
}

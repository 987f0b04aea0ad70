//! Games: begin one, see it, hear of it, play in it.

use super::{
    answer::bare,
    desk::{Visit, answer, checked},
    schema::{Done, GameList, GameMessage, Invitation, Move, NewGame, Refusal},
    stream::{Hears, Stream},
};
use crate::{
    http::{Json, Problem, reply},
    protocol::{Ask, SeatChoice},
    refusal::Refused,
};
use axum::{
    extract::{Path, Query},
    http::StatusCode,
    response::Response,
};
use rules::{ByColor, Square};
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;
use table::{Called, GameId, Ply, Rules, Seq};
use tokio::time::timeout;
use utoipa::IntoParams;

/// A game that has not been shown by then is not there.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) fn game(text: &str) -> Result<GameId, Problem> {
    text.parse().map_err(|_| Refused::no_such_game().into())
}

/// Which games.
#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Before {
    /// Only games before this one in the list, to read on.
    pub(super) before: Option<String>,
}

/// Your games, the latest first.
#[utoipa::path(get, path = "/api/games", tag = "games", params(Before), responses(
    (status = 200, body = GameList), (status = "default", body = Refusal)
))]
pub(crate) async fn list(visit: Visit, Query(Before { before }): Query<Before>) -> Result<Response, Problem> {
    let before = before.as_deref().map(game).transpose()?;
    Ok(reply(StatusCode::OK, &bare(visit.ask(Ask::List { before }).await?)))
}

/// A game to begin, as it is read; [`NewGame`] is how it looks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Create {
    seats: ByColor<SeatChoice>,
    #[serde(default)]
    toss: bool,
    rules: Rules,
}

/// Begin a game: against the computer, at one screen, or with a seat for whoever has the invitation.
#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame, responses(
    (status = 201, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn create(visit: Visit, Json(new): Json<Create>) -> Result<Response, Problem> {
    let Create { seats, toss, rules } = new;
    let done = visit.ask(Ask::Create { seats, toss, rules }).await?;
    visit.attend(&done);
    Ok(reply(StatusCode::CREATED, &bare(done)))
}

/// A game as it stands.
#[utoipa::path(get, path = "/api/games/{game}", tag = "games", params(("game" = String, Path)), responses(
    (status = 200, body = GameMessage), (status = "default", body = Refusal)
))]
pub(crate) async fn show(visit: Visit, Path(id): Path<String>) -> Result<Response, Problem> {
    let ask = Ask::Open { game: game(&id)?, have: None };
    Ok(reply(StatusCode::OK, &bare(visit.ask(ask).await?)))
}

/// From where on.
#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Have {
    /// The last `seq` you have: only the moves after it are sent.
    have: Option<u64>,
}

/// A game as it stands, and again after everything that happens in it, one line of JSON each. The stream ends with the game. An empty
/// line every few seconds says that the server is there. While it is open the other player sees that you are, too.
#[utoipa::path(get, path = "/api/games/{game}/events", tag = "games", params(("game" = String, Path), Have), responses(
    (status = 200, body = GameMessage, content_type = "application/x-ndjson"), (status = "default", body = Refusal)
))]
pub(crate) async fn events(
    visit: Visit,
    Path(id): Path<String>,
    Query(Have { have }): Query<Have>,
) -> Result<Response, Problem> {
    let game = game(&id)?;
    let mut stream = Stream::new(&visit).await?;
    visit.say(&stream.page, Ask::Open { game: game.clone(), have: have.map(Seq) });
    let first = timeout(PATIENCE, answer(&mut stream.waiting, visit.key())).await.ok().flatten();
    let first = match checked(first) {
        Ok(first) => first,
        Err(problem) => {
            visit.house().forget(&stream.page);
            return Err(problem);
        }
    };
    let mut watched = Watched { game };
    let (said, last) = watched.hear(first);
    Ok(stream.run_after(said, last, watched))
}

/// All that is heard of one game.
struct Watched {
    game: GameId,
}

impl Hears for Watched {
    fn hear(&mut self, mut message: Value) -> (Vec<Value>, bool) {
        if message["game"] != self.game.as_str() {
            return (Vec::new(), false);
        }
        let over = message["type"] == "gone" || message["view"]["status"] == "over";
        if let Some(fields) = message.as_object_mut() {
            fields.remove("id");
        }
        (vec![message], over)
    }
}

/// A move, as it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Play {
    square: Square,
    ply: Ply,
}

/// Place a disc. It is on disk when the answer comes.
#[utoipa::path(post, path = "/api/games/{game}/moves", tag = "games", params(("game" = String, Path)), request_body = Move, responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn play(visit: Visit, Path(id): Path<String>, Json(play): Json<Play>) -> Result<Response, Problem> {
    let Play { square, ply } = play;
    done(&visit, Ask::Play { game: game(&id)?, square, ply }).await
}

/// An invitation, as it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sit {
    invite: String,
    name: Called,
}

/// Take the seat to which one was invited by a link, `/#/join/GAME/INVITE`.
#[utoipa::path(post, path = "/api/games/{game}/sit", tag = "games", params(("game" = String, Path)), request_body = Invitation, responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn sit(visit: Visit, Path(id): Path<String>, Json(sit): Json<Sit>) -> Result<Response, Problem> {
    let Sit { invite, name } = sit;
    let done = visit.ask(Ask::Sit { game: game(&id)?, invite, name }).await?;
    visit.attend(&done);
    Ok(reply(StatusCode::OK, &bare(done)))
}

/// Give up.
#[utoipa::path(post, path = "/api/games/{game}/resign", tag = "games", params(("game" = String, Path)), responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn resign(visit: Visit, Path(id): Path<String>) -> Result<Response, Problem> {
    done(&visit, Ask::Resign { game: game(&id)?, color: None }).await
}

/// End a game before your second move, without a result.
#[utoipa::path(post, path = "/api/games/{game}/abort", tag = "games", params(("game" = String, Path)), responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn abort(visit: Visit, Path(id): Path<String>) -> Result<Response, Problem> {
    done(&visit, Ask::Abort { game: game(&id)? }).await
}

/// Take a game off your list; where no other person plays in it, for good.
#[utoipa::path(delete, path = "/api/games/{game}", tag = "games", params(("game" = String, Path)), responses(
    (status = 200, body = Done), (status = "default", body = Refusal)
))]
pub(crate) async fn remove(visit: Visit, Path(id): Path<String>) -> Result<Response, Problem> {
    done(&visit, Ask::Delete { game: game(&id)? }).await
}

/// Asks, and answers what there is to answer.
pub(super) async fn done(visit: &Visit, ask: Ask) -> Result<Response, Problem> {
    Ok(reply(StatusCode::OK, &bare(visit.ask(ask).await?)))
}

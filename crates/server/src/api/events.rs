//! What concerns one person, wherever it happens: for programs that wait.
//!
//! The page behind the stream has all games of the person open that are not over, so that it hears of them as any page does.

use super::{
    desk::{Desk, Visit, say},
    schema::{Event, Refusal},
    stream::{Hears, Stream},
};
use crate::{House, http::Problem, lobby::Page, protocol::Ask, secret};
use axum::response::Response;
use serde_json::{Value, json};
use std::{collections::HashMap, sync::Arc};
use table::GameId;

/// What happens to you: `paired` and `challenged` in the lobby, `your_turn` and `game_over` in your games, one line of JSON each, for as
/// long as you read. What waits already is said first. An empty line every few seconds says that the server is there.
///
/// Offers that were made by `POST /api/offers` stand as long as this is open.
#[utoipa::path(get, path = "/api/events", tag = "events", responses(
    (status = 200, body = Event, content_type = "application/x-ndjson"), (status = "default", body = Refusal)
))]
pub(crate) async fn events(visit: Visit) -> Result<Response, Problem> {
    let stream = Stream::new(&visit)?;
    let desk = Arc::new(Desk::new(stream.page.clone()));
    visit.house().meeting.arrive(&stream.page);
    visit.house().desks.add(&desk);
    say(visit.house(), &stream.page, visit.key().clone(), Ask::List { before: None });
    let waits =
        Waits { house: visit.house().clone(), desk, listed: visit.key().as_str().to_owned(), games: HashMap::new() };
    Ok(stream.run(waits))
}

struct Waits {
    house: Arc<House>,
    desk: Arc<Desk>,
    /// The command whose answer is the list of games.
    listed: String,
    /// In which games something was said, after how many moves.
    games: HashMap<String, u64>,
}

impl Waits {
    /// From now on the game is heard of.
    fn open(&self, game: &str) {
        if let Ok(game) = game.parse::<GameId>() {
            self.ask(&self.desk.page, Ask::Open { game, have: None });
        }
    }

    fn ask(&self, page: &Page, ask: Ask) {
        // Without randomness nothing begins anywhere.
        let id = secret::random(20).ok().and_then(|id| id.parse().ok());
        if let Some(id) = id {
            say(&self.house, page, id, ask);
        }
    }

    /// What there is to say of a game.
    fn look(&mut self, message: &Value) -> Vec<Value> {
        let (Some(game), view) = (message["game"].as_str(), &message["view"]) else { return Vec::new() };
        let ply = view["ply"].as_u64().unwrap_or_default();
        if view["status"] == "over" {
            self.games.remove(game);
            if let Ok(id) = game.parse::<GameId>() {
                self.ask(&self.desk.page, Ask::Close { game: id });
            }
            if let Some(next) = view["next"].as_str() {
                self.open(next);
            }
            return vec![json!({"type": "game_over", "game": game, "verdict": view["verdict"], "next": view["next"]})];
        }
        let mine = view["turn"].as_str().is_some_and(|turn| view["seats"][turn]["you"] == true);
        if !mine {
            self.games.remove(game);
            return Vec::new();
        }
        // Once, however often something else happens meanwhile.
        if self.games.insert(game.to_owned(), ply) == Some(ply) {
            return Vec::new();
        }
        vec![json!({"type": "your_turn", "game": game, "ply": ply})]
    }
}

impl Hears for Waits {
    fn hear(&mut self, message: Value) -> (Vec<Value>, bool) {
        if message["id"] == self.listed.as_str() && message["type"] == "games" {
            let open = |game: &&Value| game["status"] != "over";
            for game in message["games"].as_array().into_iter().flatten().filter(open) {
                self.open(game["game"].as_str().unwrap_or_default());
            }
            return (Vec::new(), false);
        }
        let Some(message) = self.desk.hand_out(message) else { return (Vec::new(), false) };
        let said = match message["type"].as_str() {
            Some("game") => self.look(&message),
            Some("paired") => {
                self.open(message["game"].as_str().unwrap_or_default());
                vec![message]
            }
            Some("challenged") => vec![message],
            _ => Vec::new(),
        };
        (said, false)
    }

    fn end(&mut self, house: &House) {
        house.desks.remove(&self.desk);
    }
}

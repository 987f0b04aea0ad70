//! What concerns one person, wherever it happens: for programs that wait.
//!
//! The page behind the stream has all games of the person open that are not over, so that it hears of them as any page does.

use super::{
    desk::{Desk, Visit, fresh, show},
    schema::{Event, Refusal},
    stream::{Hears, Stream},
};
use crate::{House, http::Problem, protocol::ToBrowser, refusal::Refused};
use axum::response::Response;
use serde_json::{Value, json};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
};
use table::{GameId, PersonId};

/// What happens to you: `paired` and `challenged` in the lobby, `your_turn` and `game_over` in your games, one line of JSON each, for as
/// long as you read. What waits already is said first: challenges, and every game in which it is your turn. An empty line every few
/// seconds says that the server is there. A line with `why` and `text` says why the stream ends.
///
/// Offers that were made by `POST /api/offers` stand as long as this is open.
#[utoipa::path(get, path = "/api/events", tag = "events", responses(
    (status = 200, body = Event, content_type = "application/x-ndjson"), (status = "default", body = Refusal)
))]
pub(crate) async fn events(visit: Visit) -> Result<Response, Problem> {
    // In a task of its own: a program that hangs up meanwhile leaves nothing behind.
    let begun = tokio::spawn(begin(visit)).await;
    begun.unwrap_or_else(|_| Err(Problem::not_saved("the stream could not begin")))
}

async fn begin(visit: Visit) -> Result<Response, Problem> {
    let stream = Stream::new(&visit).await?;
    let (house, who) = (visit.house().clone(), visit.who());
    let desk = Arc::new(Desk::new(stream.page.clone()));
    house.meeting.arrive(&stream.page);
    house.desks.add(&desk);
    let (queue, games, over) = (VecDeque::new(), HashMap::new(), HashSet::new());
    let mut waits = Waits { house: house.clone(), desk, queue, opening: None, games, over };
    // From here on nothing is missed; what there is already comes first.
    match what_waits(&house, who).await {
        Ok((challenges, games)) => {
            waits.queue = games.into();
            waits.open_next();
            Ok(stream.run_after(challenges, false, waits))
        }
        Err(refused) => {
            waits.end(&house);
            house.forget(&stream.page);
            Err(refused.into())
        }
    }
}

/// The challenges to someone, as lines, and all their games that are not over.
async fn what_waits(house: &Arc<House>, who: PersonId) -> Result<(Vec<Value>, Vec<GameId>), Refused> {
    let challenges = house.challenges_to(who, &house.strangers_to(who).await?).await?;
    let challenges = challenges.into_iter().map(|offer| json!(ToBrowser::Challenged { offer })).collect();
    let games = house.store.unfinished(who).await?.into_iter().map(|listed| listed.game).collect();
    Ok((challenges, games))
}

struct Waits {
    house: Arc<House>,
    desk: Arc<Desk>,
    /// Games that are still to be opened: one after another, so that no more waits for the page than it reads.
    queue: VecDeque<GameId>,
    /// The command that opens one now.
    opening: Option<String>,
    /// In which games something was said, after how many moves.
    games: HashMap<String, u64>,
    /// The games whose end was said.
    over: HashSet<String>,
}

impl Waits {
    /// From now on the game is heard of.
    fn open(&mut self, game: &str) {
        if let Ok(game) = game.parse() {
            self.queue.push_back(game);
            self.open_next();
        }
    }

    fn open_next(&mut self) {
        if self.opening.is_some() {
            return;
        }
        let Some(game) = self.queue.pop_front() else { return };
        // Without randomness nothing begins anywhere.
        let Ok(id) = fresh() else { return };
        self.opening = Some(id.as_str().to_owned());
        show(&self.house, &self.desk.page, id, game);
    }

    /// What there is to say of a game.
    fn look(&mut self, message: &Value) -> Vec<Value> {
        let (Some(game), view) = (message["game"].as_str(), &message["view"]) else { return Vec::new() };
        let ply = view["ply"].as_u64().unwrap_or_default();
        if view["status"] == "over" {
            self.games.remove(game);
            // While one of the two asks for another game, what comes of it is still to be heard.
            if view["offer"].is_null()
                && let Ok(id) = game.parse::<GameId>()
            {
                self.desk.page.close(&id);
                if let Some(live) = self.house.rooms.at_hand(&id) {
                    live.leave(&self.desk.page);
                }
            }
            if let Some(next) = view["next"].as_str() {
                self.open(next);
            }
            if !self.over.insert(game.to_owned()) {
                return Vec::new();
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
        if self.opening.is_some() && message["id"].as_str() == self.opening.as_deref() {
            self.opening = None;
            self.open_next();
            // A game that was deleted meanwhile is no more; anything else would be missed from now on, and whoever reads must know.
            if message["type"] == "refused" && !matches!(message["why"].as_str(), Some("no_such_game" | "unreadable")) {
                return (vec![json!({"why": message["why"], "text": message["text"]})], true);
            }
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

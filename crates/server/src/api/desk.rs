//! A page without a socket: [`Visit`]. What a program asks takes the way of every page's commands.

use super::answer::refused;
use crate::{
    House,
    caller::{Caller, bearer},
    connections::Ticket,
    entrance::Visitor,
    http::Problem,
    lobby::Page,
    people::Identity,
    protocol::{Ask, ToServer},
    secret,
    socket::{Outbox, text},
};
use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{HeaderMap, StatusCode, header, request::Parts},
};
use room::Command;
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use table::{At, CommandId, GameId, PersonId};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::timeout,
};

/// Whatever is not answered by then is lost: ask again under the same key.
const PATIENCE: Duration = Duration::from_secs(20);
/// By this a program says that two requests are the same.
const KEY: &str = "idempotency-key";

/// A program that asks, and who it is.
#[derive(Debug)]
pub(crate) struct Visit {
    house: Arc<House>,
    pub(super) caller: Caller,
    pub(super) visitor: Visitor,
    identity: Identity,
    /// How long it took to find out who it is: a move is not charged for that. When the request came is not asked, because its move may
    /// have come later.
    looked_up_ms: At,
    /// The name of the command, by which it is carried out once.
    key: CommandId,
}

impl FromRequestParts<Arc<House>> for Visit {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, house: &Arc<House>) -> Result<Visit, Problem> {
        let came = house.time.now();
        // The guard and the entrance put them there.
        let caller = parts.extensions.get::<Caller>().copied();
        let visitor = parts.extensions.get::<ConnectInfo<Visitor>>().map(|ConnectInfo(visitor)| visitor.clone());
        let (Some(caller), Some(visitor)) = (caller, visitor) else {
            return Err(Problem::not_saved("where the request is from is not known"));
        };
        let (identity, cookie) = house.identify(&caller, &parts.headers).await?;
        let looked_up_ms = house.time.now().saturating_sub(came);
        // A program that shows nothing would be someone new with each request.
        let shown = bearer(&parts.headers).is_some() || parts.headers.contains_key(header::COOKIE);
        if cookie.is_some() && !shown {
            let text = "say who you are, with Authorization: Bearer TOKEN";
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "no_token", text));
        }
        let key = key(&parts.headers)?;
        Ok(Visit { house: house.clone(), caller, visitor, identity, looked_up_ms, key })
    }
}

/// A name that no command has had.
pub(super) fn fresh() -> Result<CommandId, Problem> {
    secret::random(20)?.parse().map_err(|_| Problem::not_saved("no key"))
}

fn key(headers: &HeaderMap) -> Result<CommandId, Problem> {
    let Some(key) = headers.get(KEY) else {
        return fresh();
    };
    let key = key.to_str().ok().and_then(|key| key.parse().ok());
    key.ok_or_else(|| refused("bad_message", "an Idempotency-Key has 1 to 64 characters"))
}

impl Visit {
    pub(super) fn who(&self) -> PersonId {
        self.identity.who
    }

    /// When what is asked now was there to be asked.
    fn at(&self) -> At {
        self.house.time.now().saturating_sub(self.looked_up_ms)
    }

    /// A page for this program, and what it hears.
    pub(super) fn page(&self) -> (Page, mpsc::Receiver<Arc<str>>) {
        let (outbox, waiting) = Outbox::new();
        (Page::new(self.house.next_socket(), self.identity.clone(), self.caller.place, outbox), waiting)
    }

    /// A place among the pages that are connected.
    pub(super) fn ticket(&self) -> Result<Arc<Ticket>, Problem> {
        let ticket = self.house.pages.admit(self.caller.place).filter(|ticket| ticket.work());
        ticket.ok_or_else(|| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too_many", "too many are connected"))
    }

    /// Asks as a page does that comes for this alone: the answer.
    pub(super) async fn ask(&self, ask: Ask) -> Result<Value, Problem> {
        let (page, mut waiting) = self.page();
        let (house, key) = (self.house.clone(), self.key.clone());
        let asked = say(&house, &page, key.clone(), ask, self.at());
        let (answered, wait) = oneshot::channel();
        // In a task of its own: however the program goes, nothing of its page stays behind, not even what is carried out late.
        tokio::spawn(async move {
            let _ = answered.send(timeout(PATIENCE, answer(&mut waiting, &key)).await.ok().flatten());
            let _ = asked.await;
            house.forget(&page);
        });
        checked(wait.await.ok().flatten())
    }

    /// Asks one thing more, under a name of its own.
    pub(super) async fn ask_on(&mut self, ask: Ask) -> Result<Value, Problem> {
        self.key = fresh()?;
        self.looked_up_ms = 0;
        self.ask(ask).await
    }

    /// Asks as the page of this person that waits for events, so that what is asked for lasts as long as it waits: the answer. What may be
    /// asked is what this program's own token is for.
    pub(super) async fn ask_waiting(&self, ask: Ask) -> Result<Value, Problem> {
        let Some(desk) = self.house.desks.of(self.who()) else {
            let text = "nobody waits for the answer: open GET /api/events first, and keep it open";
            return Err(refused("not_waiting", text));
        };
        let answered = desk.expect(&self.key);
        self.say(&desk.page_for(self), ask);
        let answer = timeout(PATIENCE, answered).await.ok().and_then(Result::ok);
        desk.expect_no_more(&self.key);
        checked(answer)
    }

    /// A game that this person plays from now on: whoever waits for events hears of it.
    pub(super) fn attend(&self, done: &Value) {
        let game = done["game"].as_str().and_then(|game| game.parse().ok());
        if let (Some(desk), Some(game), Ok(id)) = (self.house.desks.of(self.who()), game, fresh()) {
            show(&self.house, &desk.page, id, game);
        }
    }

    /// A command that has begun is always finished, whatever becomes of the connection.
    pub(super) fn say(&self, page: &Page, ask: Ask) {
        say(&self.house, page, self.key.clone(), ask, self.at());
    }

    pub(super) fn key(&self) -> &CommandId {
        &self.key
    }

    pub(super) fn house(&self) -> &Arc<House> {
        &self.house
    }
}

/// Has a command of a page carried out; its answer goes where the page's messages go.
pub(super) fn say(house: &Arc<House>, page: &Page, id: CommandId, ask: Ask, at: At) -> JoinHandle<()> {
    let (house, page) = (house.clone(), page.clone());
    tokio::spawn(async move {
        // A command is plain data with text keys; writing it cannot fail.
        let text = serde_json::to_string(&ToServer { id, ask }).unwrap_or_default();
        house.hear(&page, &text, at).await;
    })
}

/// Has a page hear of a game of its person's own. That costs nothing: whoever plays must be able to come back.
pub(super) fn show(house: &Arc<House>, page: &Page, id: CommandId, game: GameId) {
    let (house, page) = (house.clone(), page.clone());
    tokio::spawn(async move {
        let command = Command { who: page.who(), id: id.clone(), at: house.time.now() };
        let shown = match house.live(&game).await {
            Ok(live) => live.listen(&page, &command, None).await,
            Err(refused) => Err(refused),
        };
        if let Err(refused) = shown {
            page.outbox.push(&text(&refused.answer(id)));
        }
        // Whoever hung up meanwhile is not there.
        if page.outbox.is_closed() {
            house.forget(&page);
        }
    });
}

/// The answer to a command, among all that a page hears.
pub(super) async fn answer(waiting: &mut mpsc::Receiver<Arc<str>>, id: &CommandId) -> Option<Value> {
    loop {
        let message: Value = serde_json::from_str(&waiting.recv().await?).ok()?;
        if names(&message) == Some(id.as_str()) {
            return Some(message);
        }
    }
}

/// Which command a message answers.
fn names(message: &Value) -> Option<&str> {
    message.get("id").and_then(Value::as_str)
}

/// An answer that is none is a refusal.
pub(super) fn checked(answered: Option<Value>) -> Result<Value, Problem> {
    let Some(message) = answered else {
        let text = "there was no answer in time: ask again under the same Idempotency-Key";
        return Err(refused("unsure", text));
    };
    if message["type"] != "refused" {
        return Ok(message);
    }
    let word = |name: &str| message[name].as_str().unwrap_or_default();
    Err(refused(word("why"), word("text")))
}

/// A page that waits for events, and those who wait for what it is answered.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(super) page: Page,
    asked: Mutex<HashMap<String, oneshot::Sender<Value>>>,
}

impl Desk {
    pub(super) fn new(page: Page) -> Desk {
        Desk { page, asked: Mutex::default() }
    }

    /// The same page with the rights of whoever asks.
    fn page_for(&self, visit: &Visit) -> Page {
        Page { identity: visit.identity.clone(), place: visit.caller.place, ..self.page.clone() }
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<String, oneshot::Sender<Value>>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer that will come to a command.
    fn expect(&self, id: &CommandId) -> oneshot::Receiver<Value> {
        let (answer, answered) = oneshot::channel();
        self.asked().insert(id.as_str().to_owned(), answer);
        answered
    }

    /// Nobody waits for the answer to a command any more, whether it came or not.
    fn expect_no_more(&self, id: &CommandId) {
        // The same command again may wait for its own.
        let mut asked = self.asked();
        if asked.get(id.as_str()).is_some_and(oneshot::Sender::is_closed) {
            asked.remove(id.as_str());
        }
    }

    /// Hands a message to whoever waits for it; gives it back if nobody does.
    pub(super) fn hand_out(&self, message: Value) -> Option<Value> {
        let waits = names(&message).and_then(|id| self.asked().remove(id));
        match waits {
            Some(waits) => waits.send(message).err(),
            None => Some(message),
        }
    }
}

/// The pages that wait for events, by whose they are.
#[derive(Debug, Default)]
pub(crate) struct Desks {
    by_person: Mutex<HashMap<PersonId, Vec<Arc<Desk>>>>,
}

impl Desks {
    fn lock(&self) -> MutexGuard<'_, HashMap<PersonId, Vec<Arc<Desk>>>> {
        self.by_person.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest of a person's.
    fn of(&self, who: PersonId) -> Option<Arc<Desk>> {
        self.lock().get(&who)?.last().cloned()
    }

    pub(super) fn add(&self, desk: &Arc<Desk>) {
        self.lock().entry(desk.page.who()).or_default().push(desk.clone());
    }

    pub(super) fn remove(&self, desk: &Desk) {
        let mut all = self.lock();
        let Some(theirs) = all.get_mut(&desk.page.who()) else { return };
        theirs.retain(|other| other.page.socket != desk.page.socket);
        if theirs.is_empty() {
            all.remove(&desk.page.who());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connections::Place;

    #[tokio::test]
    async fn whoever_waits_no_more_leaves_nothing_behind() {
        let desk = Desk::new(Page::new(1, Identity::OWNER, Place::Home, Outbox::new().0));
        let key: CommandId = "k".parse().unwrap();
        drop(desk.expect(&key));
        desk.expect_no_more(&key);
        assert!(desk.asked().is_empty());
        // Somebody who asks the same again waits on.
        let waits = desk.expect(&key);
        desk.expect_no_more(&key);
        assert!(desk.hand_out(serde_json::json!({"id": "k"})).is_none());
        assert!(waits.await.is_ok() && desk.asked().is_empty());
    }
}

//! Carries out what pages ask: finds or begins the game, and leaves the rest to its room.

use crate::{
    House, computer,
    connections::Place,
    limits::cost,
    people::{Identity, OWNER},
    protocol::{Ask, DoorView, GameSummary, Level, NamedRules, PROTOCOL, SeatChoice, ToBrowser, ToServer, Why},
    refusal::Refused,
    room::{By, Room, seat_of, text},
    secret,
    socket::Outbox,
    store::{Begun, Stored, Write},
};
use rules::{ByColor, Color, Square};
use std::sync::{Arc, atomic::Ordering};
use table::{Action, At, Next, Opening, Preset, Rules, Seat, Setup, Table, Who, board_text};

/// So many games in one answer to `list`.
const PAGE: usize = 30;
/// So many games that are not over in one person's list.
const MOST_OPEN: u64 = 1000;
/// The longest id of a command.
const LONGEST_ID: usize = 64;

/// A page that is connected.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// The connection.
    pub(crate) socket: u64,
    /// Who looks at it.
    pub(crate) identity: Identity,
    /// From where.
    pub(crate) place: Place,
    /// What goes out to it.
    pub(crate) outbox: Outbox,
}

impl House {
    /// The first message on every connection.
    pub(crate) fn welcome(&self, door: DoorView) -> Arc<str> {
        text(&ToBrowser::Welcome {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            now: self.time.now(),
            levels: computer::levels(),
            presets: Preset::ALL.into_iter().map(|name| NamedRules { name, rules: name.rules() }).collect(),
            door,
        })
    }

    /// Carries out one message from a page and answers it.
    pub(crate) async fn hear(self: &Arc<House>, page: &Page, message: &str, at: At) {
        let command: ToServer = match serde_json::from_str(message) {
            Ok(command) => command,
            Err(error) => {
                let id = serde_json::from_str::<serde_json::Value>(message)
                    .ok()
                    .and_then(|value| value.get("id")?.as_str().map(str::to_owned))
                    .filter(|id| id.len() <= LONGEST_ID)
                    .unwrap_or_default();
                let text_ = error.to_string();
                page.outbox.push(&text(&ToBrowser::Refused { id, why: Why::BadMessage, text: text_ }));
                return;
            }
        };
        if command.id.is_empty() || command.id.len() > LONGEST_ID {
            let refused = "an id has 1 to 64 characters".to_owned();
            page.outbox.push(&text(&ToBrowser::Refused { id: String::new(), why: Why::BadMessage, text: refused }));
            return;
        }
        if let Some(answer) = self.answers.get(page.identity.who, &command.id) {
            page.outbox.push(&answer);
            return;
        }
        if !self.limits.pay(Some(page.identity.who), page.place, cost(&command.ask), at) {
            let answer =
                ToBrowser::Refused { id: command.id, why: Why::TooMany, text: "too much in a short time".to_owned() };
            page.outbox.push(&text(&answer));
            return;
        }
        let id = command.id.clone();
        let remembered = changes_something(&command.ask);
        match self.carry_out(page, command, at).await {
            Ok(None) => {}
            Ok(Some(answer)) => {
                let answer = text(&answer);
                if remembered {
                    self.answers.keep(page.identity.who, &id, &answer);
                }
                page.outbox.push(&answer);
            }
            Err(Refused { why, text: reason }) => {
                let answer = text(&ToBrowser::Refused { id: id.clone(), why, text: reason });
                // What could not be saved may be tried again under the same id.
                if remembered && why != Why::NotSaved {
                    self.answers.keep(page.identity.who, &id, &answer);
                }
                page.outbox.push(&answer);
            }
        }
    }

    async fn carry_out(
        self: &Arc<House>,
        page: &Page,
        ToServer { id, ask }: ToServer,
        at: At,
    ) -> Result<Option<ToBrowser>, Refused> {
        let who = page.identity.who;
        let by = By { who, cmd: id.clone(), at };
        let (game, seq) = match ask {
            Ask::Ping => return Ok(Some(ToBrowser::Done { id, game: None, seq: None })),
            Ask::OpenDoor | Ask::CloseDoor if who != OWNER => {
                return Err(Refused::new(
                    Why::NotYours,
                    "only whoever is at the computer itself opens and closes the door",
                ));
            }
            Ask::OpenDoor => {
                self.open_door().await.map_err(|error| Refused::new(Why::CannotListen, error))?;
                return Ok(Some(ToBrowser::Done { id, game: None, seq: None }));
            }
            Ask::CloseDoor => {
                self.close_door().await?;
                return Ok(Some(ToBrowser::Done { id, game: None, seq: None }));
            }
            Ask::Create { seats, toss, rules } => {
                (self.create(&by, page.identity.write(), seats, toss, rules).await?, 0)
            }
            Ask::Again { game, swap } => {
                let next = random(12)?.parse().map_err(|error| Refused::new(Why::NotSaved, error))?;
                let another = |table: &Table| Ok((seat(table, who)?, Action::Another { next, swap }));
                let room = self.room(&game).await?;
                let seq = room.act(&by, another).await?;
                room.table().await.next().map_or((game, seq), |next| (next.game.to_string(), 0))
            }
            Ask::Open { game, have } => {
                self.room(&game).await?.listen(page.socket, who, &page.outbox, &id, have).await?;
                return Ok(None);
            }
            Ask::Close { game } => {
                if let Ok(room) = self.room(&game).await {
                    room.leave(page.socket).await;
                }
                return Ok(Some(ToBrowser::Done { id, game: Some(game), seq: None }));
            }
            Ask::Play { game, square, ply } => {
                let play = |table: &Table| Ok((seat(table, who)?, Action::Play { square, ply }));
                let seq = self.room(&game).await?.act(&by, play).await?;
                (game, seq)
            }
            Ask::Takeback { game, ply } => {
                let take = |table: &Table| {
                    let color = table.takeback_seat(who).ok_or_else(Refused::not_yours)?;
                    Ok((color, Action::Takeback { ply }))
                };
                let seq = self.room(&game).await?.act(&by, take).await?;
                (game, seq)
            }
            Ask::Answer { game, what, accept } => {
                let answer = |table: &Table| {
                    let color = seat(table, who)?;
                    if table.offer().is_none_or(|offer| offer.what != what) {
                        return Err(table::Refusal::NotAsked.into());
                    }
                    Ok((color, if accept { Action::Accept {} } else { Action::Decline {} }))
                };
                let seq = self.room(&game).await?.act(&by, answer).await?;
                (game, seq)
            }
            Ask::Resign { game, color } => {
                let resign = |table: &Table| {
                    let color = match color {
                        Some(color) if table.holds(Some(who), color) => color,
                        Some(_) => return Err(Refused::not_yours()),
                        None => seat(table, who)?,
                    };
                    Ok((color, Action::Resign {}))
                };
                let seq = self.room(&game).await?.act(&by, resign).await?;
                (game, seq)
            }
            Ask::Scrap { game } => {
                let scrap = |table: &Table| Ok((seat(table, who)?, Action::Scrap {}));
                let seq = self.room(&game).await?.act(&by, scrap).await?;
                (game, seq)
            }
            Ask::Sit { game, invite, name } => {
                let seq = self.room(&game).await?.sit(&by, page.identity.write(), &invite, name).await?;
                (game, seq)
            }
            Ask::Hint { game, ply } => {
                let position = self.room(&game).await?.hint_position(who, ply).await?;
                self.send_hint(page, id, game, ply, position)?;
                return Ok(None);
            }
            Ask::List { before } => return self.list(id, who, before.as_deref()).map(Some),
            Ask::Delete { game } => {
                self.delete(who, &game).await?;
                return Ok(Some(ToBrowser::Done { id, game: Some(game), seq: None }));
            }
        };
        Ok(Some(ToBrowser::Done { id, game: Some(game), seq: Some(seq) }))
    }

    async fn create(
        self: &Arc<House>,
        by: &By,
        maker: Option<Write>,
        seats: ByColor<SeatChoice>,
        toss: bool,
        rules: Rules,
    ) -> Result<String, Refused> {
        if let Some(game) = self.store.begun_by(by.who, &by.cmd)? {
            return Ok(game);
        }
        rules.check().map_err(|error| Refused::new(Why::BadRules, error))?;
        let levels = computer::levels();
        let person = seats.iter().any(|seat| matches!(seat, SeatChoice::Person { .. }));
        if !person {
            return Err(Refused::new(Why::BadRules, "at least one seat is for whoever begins the game"));
        }
        if self.store.open_games(by.who)? >= MOST_OPEN {
            return Err(Refused::new(Why::TooMany, "too many games are not over: finish or delete some"));
        }
        let ByColor { black, white } = seats;
        let mut seats = ByColor { black: taken(black, by.who, &levels)?, white: taken(white, by.who, &levels)? };
        if toss && random(1)?.as_bytes()[0] & 1 == 1 {
            seats = seats.swapped();
        }
        let begun = lay(random(12)?, seats, rules, opening(rules)?, by)?;
        let game = begun.game.clone();
        let room = Room::begin(self.clone(), game.clone(), begun.setup.clone(), begun.invites.clone())?;
        let list = Write::List { who: by.who, game: game.clone(), begun: begun.setup.at };
        match self.store.write(maker.into_iter().chain([Write::Begin(Box::new(begun)), list]).collect()).await {
            Ok(()) => {}
            // The same command came twice at once: the other one was first.
            Err(crate::store::StoreError::Conflict) => {
                return self.store.begun_by(by.who, &by.cmd)?.ok_or_else(Refused::no_such_game);
            }
            Err(error) => return Err(error.into()),
        }
        self.furnish(room).await;
        Ok(game)
    }

    /// A room for a game that has just been begun.
    pub(crate) async fn furnish(self: &Arc<House>, room: Arc<Room>) {
        self.rooms.lock().await.insert(room.game.clone(), room.clone());
        room.wake().await;
    }

    fn list(&self, id: String, who: Who, before: Option<&str>) -> Result<ToBrowser, Refused> {
        let mut stored = self.store.list(who, before, PAGE + 1)?;
        let more = stored.len() > PAGE;
        stored.truncate(PAGE);
        // A game that cannot be read does not hide the others.
        let games = stored.into_iter().filter_map(|stored| summary(stored, who)).collect();
        Ok(ToBrowser::Games { id, games, more })
    }

    async fn delete(self: &Arc<House>, who: Who, game: &str) -> Result<(), Refused> {
        if self.room(game).await?.delete(who).await? {
            self.rooms.lock().await.remove(game);
        }
        Ok(())
    }

    /// The room of a game, which is opened if nobody is in it.
    pub(crate) async fn room(self: &Arc<House>, game: &str) -> Result<Arc<Room>, Refused> {
        let mut rooms = self.rooms.lock().await;
        if let Some(room) = rooms.get(game) {
            return Ok(room.clone());
        }
        let stored = self.store.game(game)?.ok_or_else(Refused::no_such_game)?;
        let room = Room::load(self.clone(), stored)?;
        rooms.insert(game.to_owned(), room.clone());
        Ok(room)
    }

    /// Closes the rooms that nobody needs.
    pub(crate) async fn tidy(&self) {
        self.rooms.lock().await.retain(|_, room| Arc::strong_count(room) > 1 || !room.is_idle());
    }

    /// A number for a new connection.
    pub(crate) fn next_socket(&self) -> u64 {
        self.next_socket.fetch_add(1, Ordering::Relaxed)
    }
}

fn changes_something(ask: &Ask) -> bool {
    !matches!(ask, Ask::Ping | Ask::Open { .. } | Ask::Close { .. } | Ask::List { .. } | Ask::Hint { .. })
}

fn seat(table: &Table, who: Who) -> Result<Color, Refused> {
    seat_of(table, who).ok_or_else(Refused::not_yours)
}

fn taken(choice: SeatChoice, who: Who, levels: &[Level]) -> Result<Seat, Refused> {
    match choice {
        SeatChoice::Person { name } => Ok(Seat::Person { who, name }),
        SeatChoice::Open => Ok(Seat::Open),
        SeatChoice::Computer { level } if levels.iter().any(|known| known.level == level) => {
            Ok(Seat::Computer { level })
        }
        SeatChoice::Computer { level } => Err(Refused::new(Why::BadRules, format!("there is no level {level}"))),
    }
}

/// A new game with a secret for each open seat. Its id is one that nobody can guess.
fn lay(game: String, seats: ByColor<Seat>, rules: Rules, opening: Vec<Square>, by: &By) -> Result<Begun, Refused> {
    let invite = |color: Color| match seats[color] {
        Seat::Open => random(16).map(Some),
        Seat::Person { .. } | Seat::Computer { .. } => Ok(None),
    };
    let invites = ByColor { black: invite(Color::Black)?, white: invite(Color::White)? };
    let setup = Setup { opening, ..Setup::new(by.at, seats, rules) };
    Ok(Begun { game, setup, maker: by.who, cmd: by.cmd.clone(), invites })
}

/// The game that takes the place of the one at `table`, with the same players and rules.
pub(crate) fn successor(table: &Table, next: &Next, by: &By) -> Result<Begun, Refused> {
    let (seats, rules) = (table.seats().clone(), *table.rules());
    let seats = if next.swap { seats.swapped() } else { seats };
    // With colours swapped both play the same opening from either side; else another one is drawn.
    let given = || table.moves()[..table.given()].iter().map(|played| played.step.square).collect();
    let opening = if next.swap { given() } else { opening(rules)? };
    lay(next.game.to_string(), seats, rules, opening, by)
}

/// The moves a game by these rules begins with.
fn opening(rules: Rules) -> Result<Vec<Square>, Refused> {
    match rules.opening {
        Opening::Standard => Ok(Vec::new()),
        Opening::Balanced => {
            let number = getrandom::u64().map_err(|error| Refused::new(Why::NotSaved, error))?;
            Ok(::room::balanced_opening(number))
        }
    }
}

fn random(length: usize) -> Result<String, Refused> {
    secret::random(length).map_err(|error| Refused::new(Why::NotSaved, error))
}

fn summary(stored: Stored, who: Who) -> Option<GameSummary> {
    let begun = stored.setup.at;
    let table = Table::new(stored.setup).ok()?.replay(stored.log.iter().map(|kept| &kept.entry)).ok()?;
    let position = table.position();
    Some(GameSummary {
        game: stored.game,
        begun,
        changed: stored.changed,
        status: table.status(),
        seats: table.seats_view(Some(who)),
        ply: table.ply(),
        turn: table.turn(),
        board: board_text(&position),
        counts: position.count(),
        verdict: table.verdict(),
    })
}

//! Carries out what pages ask: finds or begins the game, and leaves the rest to its room.

use crate::{
    House,
    analysis::{Analyses, Wanted},
    computer::{self, HintAsked},
    connections::Place,
    exercises::Tried,
    limits::cost,
    live::Live,
    offers::Terms,
    people::Identity,
    protocol::{Ask, DoorView, GameSummary, Level, NamedRules, PROTOCOL, SeatChoice, ToBrowser, ToServer, Why},
    refusal::Refused,
    secret,
    socket::{Outbox, text},
    studies::OpenStudies,
};
use people::{Range, Scope};
use room::{Command, Listed, Removal, Room, Write};
use rules::ByColor;
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
};
use store::StoreError;
use table::{At, GameId, PersonId, Ply, Preset, Rules, Seat, SeatKind, SeatView, Status};

/// How many games in one answer to `list`.
pub(crate) const PAGE: usize = 30;
/// How many games that are not over in one person's list.
pub(crate) const MOST_OPEN: u64 = 1000;

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
    /// The games it has open.
    pub(crate) open: OpenGames,
    /// The studies it has open.
    pub(crate) studies: OpenStudies,
    /// Its boards that are being analysed.
    pub(crate) analyses: Analyses,
}

/// The games a page has open.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenGames(Arc<Mutex<BTreeSet<GameId>>>);

impl OpenGames {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<GameId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Page {
    pub(crate) fn new(socket: u64, identity: Identity, place: Place, outbox: Outbox) -> Page {
        Page {
            socket,
            identity,
            place,
            outbox,
            open: OpenGames::default(),
            studies: OpenStudies::default(),
            analyses: Analyses::default(),
        }
    }

    /// Who looks at it.
    pub(crate) fn who(&self) -> PersonId {
        self.identity.who
    }

    pub(crate) fn open(&self, game: &GameId) {
        self.open.lock().insert(game.clone());
    }

    pub(crate) fn close(&self, game: &GameId) {
        self.open.lock().remove(game);
    }

    pub(crate) fn has_open(&self, game: &GameId) -> bool {
        self.open.lock().contains(game)
    }
}

impl House {
    /// The first message on every connection.
    pub(crate) fn welcome(&self, identity: &Identity, door: DoorView) -> Arc<str> {
        text(&ToBrowser::Welcome {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            now: self.time.now(),
            levels: computer::levels(),
            presets: Preset::ALL.into_iter().map(|name| NamedRules { name, rules: name.rules() }).collect(),
            door,
            me: identity.me(),
            house: self.settings.borrow().clone(),
        })
    }

    /// Carries out one message from a page and answers it.
    pub(crate) async fn hear(self: &Arc<House>, page: &Page, message: &str, at: At) {
        let ToServer { id, ask } = match serde_json::from_str(message) {
            Ok(command) => command,
            Err(_) => {
                // Whoever sent it knows it by its id, if it has one.
                let id = serde_json::from_str::<serde_json::Value>(message)
                    .ok()
                    .and_then(|value| value.get("id")?.as_str()?.parse::<table::CommandId>().ok());
                let sentence = "the message cannot be read: PROTOCOL.md shows what can";
                let id = id.map(String::from).unwrap_or_default();
                self.metrics.refused(Why::BadMessage);
                page.outbox.push(&text(&Refused::new(Why::BadMessage, sentence).answer(id)));
                return;
            }
        };
        if let Some(answer) = self.answers.get(page.who(), &id) {
            page.outbox.push(&answer);
            return;
        }
        // The report of a review is kept with the study.
        let keeps = changes_something(&ask) || matches!(ask, Ask::Review { .. });
        if keeps && !page.identity.may(Scope::Play) {
            self.metrics.refused(Why::Scope);
            page.outbox.push(&text(&Refused::new(Why::Scope, "the token is for reading only").answer(id)));
            return;
        }
        let is_free = cost(&ask) == 0.0;
        let may_try = || self.limits.may_try(page.who(), page.place, || self.plays_in(page.who(), &ask), at);
        if !self.limits.pay(Some(page.who()), page.place, cost(&ask), at) || is_free && !may_try() {
            self.metrics.refused(Why::TooMany);
            page.outbox.push(&text(&Refused::new(Why::TooMany, "too much in a short time").answer(id)));
            return;
        }
        let remembered = changes_something(&ask);
        let command = Command { who: page.who(), id, at };
        match self.carry_out(page, &command, ask).await {
            Ok(None) => {}
            Ok(Some(answer)) => {
                page.outbox.push(&text(&answer));
            }
            Err(refused) => {
                self.metrics.refused(refused.why);
                let of_the_disk = refused.is_of_the_disk();
                if is_free && !of_the_disk {
                    self.limits.waste(page.who(), page.place, at);
                }
                let answer = text(&refused.answer(command.id.clone()));
                // What the disk refused may be tried again under the same id. What was done is known by its entry.
                if remembered && !of_the_disk {
                    self.answers.keep(page.who(), &command.id, &answer);
                }
                page.outbox.push(&answer);
            }
        }
    }

    /// Whether a command is of someone who is known to hold a seat in the game it is for.
    fn plays_in(&self, who: PersonId, ask: &Ask) -> bool {
        let (Ask::Play { game, .. } | Ask::Answer { game, .. } | Ask::Resign { game, .. }) = ask else { return false };
        self.rooms.at_hand(game).is_some_and(|live| live.audience().has_seat(who))
    }

    /// Carries out a command; `None` where the answer goes out by another way.
    async fn carry_out(
        self: &Arc<House>,
        page: &Page,
        command: &Command,
        ask: Ask,
    ) -> Result<Option<ToBrowser>, Refused> {
        let id = command.id.clone();
        let done = |game| Ok(Some(ToBrowser::Done { id: id.clone(), game, seq: None }));
        let (game, ask) = match ask {
            Ask::Ping => return done(None),
            Ask::OpenDoor | Ask::CloseDoor if !page.identity.is_owner_at_machine() => {
                let sentence = "only whoever is at the computer itself opens and closes the door";
                return Err(Refused::new(Why::NotYours, sentence));
            }
            Ask::OpenDoor => {
                self.open_door().await.map_err(|error| Refused::new(Why::CannotListen, error))?;
                return done(None);
            }
            Ask::CloseDoor => {
                self.close_door().await?;
                return done(None);
            }
            Ask::Create { seats, toss, rules } => {
                let game = self.create(page, command, seats, toss, rules).await?;
                return Ok(Some(ToBrowser::Done { id, game: Some(game), seq: Some(table::Seq(0)) }));
            }
            Ask::Open { game, have } => {
                self.live(&game).await?.listen(page, command, have).await?;
                return Ok(None);
            }
            Ask::Close { game } => {
                page.close(&game);
                if let Some(live) = self.rooms.at_hand(&game) {
                    live.leave(page);
                }
                return done(Some(game));
            }
            Ask::Hint { game, ply } => {
                let live = self.live(&game).await?;
                let position = live.hint_position(page.who(), ply).await?;
                let line: Vec<_> = live.table().await.0.moves().iter().map(|played| played.step.after).collect();
                self.check_engine_may_help(page, &line).await?;
                self.send_hint(page, HintAsked { id, game, ply, position })?;
                return Ok(None);
            }
            Ask::List { before } => {
                let (games, more) = self.list(page.who(), before.as_ref()).await?;
                return Ok(Some(ToBrowser::Games { id, games, more }));
            }
            Ask::Turns => {
                let games = self.turns(page.who()).await?;
                return Ok(Some(ToBrowser::Games { id, games, more: false }));
            }
            Ask::Delete { game } => {
                self.delete(page.who(), &game).await?;
                return done(Some(game));
            }
            Ask::StudyNew { from } => {
                self.study_new(page, command, from).await?;
                return Ok(None);
            }
            Ask::StudyOpen { study } => {
                self.study_open(page, command, &study).await?;
                return Ok(None);
            }
            Ask::StudyClose { study } => {
                self.study_close(page, &study);
                return done(None);
            }
            Ask::Studies { before } => {
                let (studies, more) = self.studies(page.who(), before.as_ref()).await?;
                return Ok(Some(ToBrowser::Studies { id, studies, more }));
            }
            Ask::StudyEdit { study, seq, edit } => {
                self.study_edit(page, command, &study, seq, &edit).await?;
                return Ok(None);
            }
            Ask::StudyDelete { study } => {
                self.study_delete(page.who(), &study).await?;
                // What was asked of the computer there ends with it.
                self.study_close(page, &study);
                return done(None);
            }
            Ask::StudyFile { study, format, at } => {
                let text = self.study_file(page, &study, format, at).await?;
                return Ok(Some(ToBrowser::StudyFile { id, study, text }));
            }
            Ask::StudyOverlay { study, at } => {
                let overlay = self.study_overlay(page, &study, at).await?;
                return Ok(Some(ToBrowser::StudyOverlay { id, study, at, overlay }));
            }
            Ask::StudyLine { study, at, squares } => {
                let boards = self.study_line(page, &study, at, &squares).await?;
                return Ok(Some(ToBrowser::StudyLine { id, study, at, boards }));
            }
            // Answered when it has begun, or a page that lost its connection would ask for everything it ever looked at.
            Ask::Analyse { key, study, at, depth, seconds, lines, threads } => {
                self.analyse(page, Wanted { key, study, at, depth, seconds, lines, threads }).await?;
                return done(None);
            }
            Ask::AnalyseStop { key } => {
                page.analyses.stop(&key);
                return done(None);
            }
            Ask::Review { study, depth, thresholds } => {
                self.review(page, &study, depth, thresholds).await?;
                return done(None);
            }
            Ask::ReviewStop { study } => {
                self.open_study(page, &study)?.stop_review(page);
                return done(None);
            }
            Ask::LibraryFind { query, sort, skip } => {
                return self.library_find(page, id, query, sort, skip).await.map(Some);
            }
            Ask::LibraryNames { kind, part } => return self.library_names(page, id, kind, part).await.map(Some),
            Ask::LibraryStats => return self.library_stats(page, id).await.map(Some),
            Ask::LibraryDelete { numbers, source } => {
                return self.library_delete(page, id, numbers, source).await.map(Some);
            }
            Ask::LibraryOwn { on } => {
                self.library_own(page, on).await?;
                return done(None);
            }
            Ask::Exercises { offset } => return self.exercises(page, command, offset).await.map(Some),
            Ask::Exercise { kind, level, color, moves } => {
                return self.exercise(page, command, kind, level, color, moves.as_deref()).await.map(Some);
            }
            Ask::ExerciseTry { card, square, moves } => {
                self.send_judgement(page, command, Tried { card, square, moves });
                return Ok(None);
            }
            Ask::ExerciseAdd { study, at } => return self.exercise_add(page, command, study, at).await.map(Some),
            Ask::ExerciseRemove { card } => {
                self.exercise_remove(page, card).await?;
                return done(None);
            }
            Ask::ExercisePlay { card } => {
                let game = self.exercise_play(page, command, &card).await?;
                return Ok(Some(ToBrowser::Done { id, game: Some(game), seq: Some(table::Seq(0)) }));
            }
            Ask::Lobby => return self.show_lobby(page, command).await.map(Some),
            Ask::LobbyClose => {
                self.meeting.close(page);
                return done(None);
            }
            Ask::Offer { rules, color, rated, rating_min, rating_max } => {
                let range = Range { min: rating_min, max: rating_max };
                let terms = Terms { rules: Rules { rated, ..rules }, color, range, quick: false };
                return self.offer(page, command, terms).await.map(Some);
            }
            Ask::OfferWithdraw { offer } => {
                self.offer_withdraw(page, &offer).await?;
                return done(None);
            }
            Ask::OfferAccept { offer } => {
                let game = self.offer_accept(page, command, &offer).await?;
                return Ok(Some(ToBrowser::Done { id, game: Some(game), seq: Some(table::Seq(0)) }));
            }
            Ask::Quick { speed, opening, rated } => {
                return self.quick(page, command, speed, opening, rated).await.map(Some);
            }
            Ask::Challenge { handle, rules, color, rated } => {
                let rules = Rules { rated, ..rules };
                let terms = Terms { rules, color, range: Range::default(), quick: false };
                return self.challenge(page, command, &handle, terms).await.map(Some);
            }
            Ask::ChallengeDecline { offer } => {
                self.challenge_decline(page, &offer).await?;
                return done(None);
            }
            Ask::Block { handle } => {
                self.block_person(page, &handle, true).await?;
                return done(None);
            }
            Ask::Unblock { handle } => {
                self.block_person(page, &handle, false).await?;
                return done(None);
            }
            Ask::Person { handle } => return self.show_person(page, command, &handle).await.map(Some),
            Ask::PersonGames { handle, before } => {
                return self.show_person_games(page, command, &handle, before.as_ref()).await.map(Some);
            }
            Ask::Leaders { category } => return self.show_leaders(command, category).await.map(Some),
            Ask::Play { game, square, ply } => (game, room::Ask::Play { square, ply }),
            Ask::Takeback { game, ply } => (game, room::Ask::Takeback { ply }),
            Ask::Answer { game, what, accept } => (game, room::Ask::Answer { what, accept }),
            Ask::Resign { game, color } => (game, room::Ask::Resign { color }),
            Ask::Scrap { game } => (game, room::Ask::Scrap),
            Ask::Again { game, swap } => (game, room::Ask::Again { swap }),
            Ask::Sit { game, invite, name } => {
                let name = self.seat_name(&page.identity, name, true).await?;
                (game, room::Ask::Sit { invite, name })
            }
            Ask::Abort { game } => (game, room::Ask::Abort),
            Ask::Claim { game, what } => {
                let live = self.live(&game).await?;
                let away_ms = live.away_ms(page.who(), command.at);
                live.ask(page, command, &room::Ask::Claim { what, away_ms }).await?;
                return Ok(None);
            }
            Ask::Pause { game } => (game, room::Ask::Pause),
            Ask::Resume { game } => (game, room::Ask::Resume),
            Ask::Say { game, phrase } => (game, room::Ask::Say { phrase }),
        };
        self.live(&game).await?.ask(page, command, &ask).await?;
        Ok(None)
    }

    async fn create(
        self: &Arc<House>,
        page: &Page,
        command: &Command,
        seats: ByColor<SeatChoice>,
        toss: bool,
        rules: Rules,
    ) -> Result<GameId, Refused> {
        let levels = computer::levels();
        if !seats.iter().any(|seat| matches!(seat, SeatChoice::Person { .. })) {
            return Err(Refused::new(Why::BadRules, "at least one seat is for whoever begins the game"));
        }
        let ByColor { black, white } = seats;
        let mut seats =
            ByColor { black: taken(black, page.who(), &levels)?, white: taken(white, page.who(), &levels)? };
        seats = self.name_seats(&page.identity, seats).await?;
        if toss && secret::for_command()?.number() & 1 == 1 {
            seats = seats.swapped();
        }
        self.check_may_play(&page.identity, &rules).await?;
        if seats.iter().any(|seat| matches!(seat, Seat::Computer { .. })) {
            self.check_engine_may_help(page, &[]).await?;
        }
        let key = self.store.key();
        let live = self.begin(page, command, |random| Room::begin(key, command, seats, rules, random)).await?;
        Ok(live.game.clone())
    }

    /// Keeps a new game and lets it begin. The same command again gets the same game.
    pub(crate) async fn begin(
        self: &Arc<House>,
        page: &Page,
        command: &Command,
        lay: impl FnOnce(&mut room::Random) -> Result<(Room, Vec<Write>), room::Refused>,
    ) -> Result<Arc<Live>, Refused> {
        if let Some(game) = self.store.begun_by(command.who, &command.id).await? {
            return self.live(&game).await;
        }
        if self.store.open_games(command.who).await? >= MOST_OPEN {
            return Err(Refused::new(Why::Full, "too many games are not over: finish or delete some"));
        }
        let (room, mut writes) = lay(&mut secret::for_command()?)?;
        writes.extend(page.identity.write());
        match self.keep(writes).await {
            Ok(()) => {}
            // The same command came twice at once: the other one was first.
            Err(StoreError::Conflict) => {
                let game = self.store.begun_by(command.who, &command.id).await?.ok_or_else(Refused::not_saved)?;
                return self.live(&game).await;
            }
            Err(error) => return Err(error.into()),
        }
        let live = Live::new(self.clone(), room);
        self.rooms.put(&live);
        live.begin(page).await;
        Ok(live)
    }

    async fn list(&self, who: PersonId, before: Option<&GameId>) -> Result<(Vec<GameSummary>, bool), Refused> {
        let mut listed = self.store.list(who, before, PAGE + 1).await?;
        let more = listed.len() > PAGE;
        listed.truncate(PAGE);
        Ok((self.summaries(listed, who).await?, more))
    }

    async fn turns(&self, who: PersonId) -> Result<Vec<GameSummary>, Refused> {
        let mut games = self.store.unfinished(who).await?;
        games.retain(|listed| {
            let summary = listed.summary.as_ref();
            summary.is_some_and(|summary| summary.turn.is_some_and(|turn| summary.seats[turn].person() == Some(who)))
        });
        Ok(self.summaries(games, who).await?)
    }

    async fn delete(self: &Arc<House>, who: PersonId, game: &GameId) -> Result<(), Refused> {
        match self.live(game).await {
            Ok(live) => {
                if live.delete(who).await? == Removal::ForGood {
                    self.rooms.remove(game);
                }
                Ok(())
            }
            // Whose it is cannot be read: it goes from the list of whoever has it there.
            Err(refused) if refused.why == Why::Unreadable => {
                Ok(self.keep(vec![Write::Hide { who, game: game.clone() }]).await?)
            }
            Err(refused) => Err(refused),
        }
    }

    /// A page has gone: no game needs to know it any more.
    pub(crate) fn forget(self: &Arc<House>, page: &Page) {
        let open = std::mem::take(&mut *page.open.lock());
        for live in open.iter().filter_map(|game| self.rooms.at_hand(game)) {
            live.leave(page);
        }
        self.forget_studies(page);
        self.leave_lobby(page);
    }

    /// A page has been silent for a while, or is heard again: the others are told.
    pub(crate) fn silence_changed(&self, open: &OpenGames) {
        let open = open.lock().clone();
        for live in open.iter().filter_map(|game| self.rooms.at_hand(game)) {
            live.silence_changed();
        }
    }

    /// A number for a new connection.
    pub(crate) fn next_socket(&self) -> u64 {
        self.next_socket.fetch_add(1, Ordering::Relaxed)
    }
}

fn changes_something(ask: &Ask) -> bool {
    !matches!(
        ask,
        Ask::Ping
            | Ask::Open { .. }
            | Ask::Close { .. }
            | Ask::List { .. }
            | Ask::Turns
            | Ask::Hint { .. }
            | Ask::StudyOpen { .. }
            | Ask::StudyClose { .. }
            | Ask::Studies { .. }
            | Ask::StudyFile { .. }
            | Ask::StudyOverlay { .. }
            | Ask::StudyLine { .. }
            | Ask::Analyse { .. }
            | Ask::AnalyseStop { .. }
            | Ask::Review { .. }
            | Ask::ReviewStop { .. }
            | Ask::Exercises { .. }
            | Ask::Exercise { .. }
            | Ask::LibraryFind { .. }
            | Ask::LibraryNames { .. }
            | Ask::LibraryStats
            | Ask::Lobby
            | Ask::LobbyClose
            | Ask::Person { .. }
            | Ask::PersonGames { .. }
            | Ask::Leaders { .. }
    )
}

fn taken(choice: SeatChoice, who: PersonId, levels: &[Level]) -> Result<Seat, Refused> {
    match choice {
        SeatChoice::Person { name } => Ok(Seat::Person { who, name }),
        SeatChoice::Open => Ok(Seat::Open),
        SeatChoice::Computer { level } if levels.iter().any(|known| known.level == level) => {
            Ok(Seat::Computer { level })
        }
        SeatChoice::Computer { level } => Err(Refused::new(Why::BadRules, format!("there is no level {level}"))),
    }
}

/// A line in the list of `who`.
pub(crate) fn summary(Listed { game, begun, summary }: Listed, who: PersonId) -> GameSummary {
    let Some(summary) = summary else {
        let nobody = || SeatView::new(SeatKind::Open);
        return GameSummary {
            game,
            begun,
            changed: begun,
            status: Status::Over,
            seats: ByColor { black: nobody(), white: nobody() },
            ply: Ply(0),
            turn: None,
            board: String::new(),
            counts: ByColor { black: 0, white: 0 },
            verdict: None,
            until: None,
            unreadable: true,
            rated: None,
        };
    };
    let discs = |letter| summary.board.bytes().filter(|byte| *byte == letter).count() as u8;
    GameSummary {
        game,
        begun,
        changed: summary.changed,
        status: summary.status,
        seats: summary.seats.as_ref().map(|seat| seat.view(Some(who))),
        ply: summary.ply,
        turn: summary.turn,
        counts: ByColor { black: discs(b'X'), white: discs(b'O') },
        board: summary.board,
        verdict: summary.verdict,
        until: summary.deadline,
        unreadable: false,
        rated: None,
    }
}

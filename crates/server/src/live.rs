//! One game that is being served: drives its [`Room`]. **Ask, keep, commit, tell**: nobody hears of a move that is not on disk.

use crate::{
    House, audience::Audience, bus::Event, computer, lobby::Page, node, protocol::ToBrowser, refusal::Refused, secret,
    socket::text,
};
use room::{Answer, Ask, Command, Effects, News, Removal, Room};
use rules::Position;
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use store::StoreError;
use table::{At, GameId, PersonId, Ply, Seat, Seq, Table};
use tokio::sync::oneshot;

/// What could not be kept is tried again after so long.
pub(crate) const RETRY: Duration = Duration::from_secs(1);
/// How often a command is decided anew because somebody else wrote to the same game, or to a player's rating: a program may end dozens
/// of rated games in one moment.
const ATTEMPTS: usize = 32;
/// How many watch is told so long after it has changed, and not once for each who comes.
const CROWD: Duration = Duration::from_secs(1);

/// A game that is being served.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) game: GameId,
    pub(crate) house: Arc<House>,
    state: tokio::sync::Mutex<State>,
    audience: Mutex<Audience>,
    /// Whether it will be told soon how many watch.
    telling_crowd: AtomicBool,
}

#[derive(Debug)]
pub(crate) struct State {
    room: Room,
    deleted: bool,
    /// The computer's search for a move, and after which entry it was begun. Dropping the sender ends it.
    pub(crate) thinking: Option<(Seq, oneshot::Sender<()>)>,
    /// Whoever asked last for something that was done here, as the analyst tells them from others: the computer answers them.
    asker: Option<analyst::Owner>,
    /// The last entry, if this node made it.
    ours: Option<Seq>,
    /// The outage of the store for which the time was given back here, by when it began.
    given_back: Option<At>,
}

impl State {
    /// Another node says how long entry `seq` was on its way; that is news if it is the last one, was made there and was not known.
    fn was_stalled(&mut self, stalled: Option<(Seq, u64)>) -> bool {
        let Some((seq, ms)) = stalled else { return false };
        let news = self.room.seq() == seq && self.ours != Some(seq) && self.room.stalled_ms() < ms;
        if news {
            self.room.was_stalled(ms);
        }
        news
    }
}

impl Live {
    pub(crate) fn new(house: Arc<House>, mut room: Room) -> Arc<Live> {
        let game = room.game().clone();
        if !house.bus.is_alone() {
            room.may_be_far();
        }
        let state = State { room, deleted: false, thinking: None, asker: None, ours: None, given_back: None };
        Arc::new(Live {
            game,
            house,
            state: tokio::sync::Mutex::new(state),
            audience: Mutex::default(),
            telling_crowd: AtomicBool::new(false),
        })
    }

    /// Sees to whatever the game waits for: a flag, the computer's move.
    pub(crate) async fn wake(self: &Arc<Live>) {
        let mut state = self.state.lock().await;
        self.attend(&mut state);
    }

    /// The same for a game that a page has just begun.
    pub(crate) async fn begin(self: &Arc<Live>, page: &Page) {
        let mut state = self.state.lock().await;
        state.asker = Some(computer::owner(page));
        self.attend(&mut state);
    }

    /// A person asks for something; the page has its answer before anyone else hears of it.
    pub(crate) async fn ask(self: &Arc<Live>, page: &Page, command: &Command, ask: &Ask) -> Result<(), Refused> {
        let mut state = self.enter().await?;
        let mut is_latest = self.house.bus.is_alone();
        for _ in 0..ATTEMPTS {
            state.room.measured(command.who, page.outbox.round_trip_ms());
            self.give_back(&mut state).await?;
            self.let_flag_fall(&mut state, command.at).await?;
            let mut effects = match state.room.ask(command, ask, &mut secret::for_command()?) {
                Ok(Answer::Already(seq)) => {
                    page.outbox.push(&done(command, &state.room, ask, seq));
                    return Ok(());
                }
                Ok(Answer::New(effects)) => *effects,
                // Whoever asks may have heard at another node of what is not known here yet: nothing is refused before it is read, except
                // to those for whom there is no seat, whatever has happened.
                Err(_) if !is_latest && !state.room.is_closed_to(command.who) => {
                    self.reload(&mut state).await?;
                    is_latest = true;
                    continue;
                }
                Err(refused) => return Err(refused.into()),
            };
            self.house.check_may_play(&page.identity, state.room.table().rules()).await?;
            if let Some(other) = state.room.turns_to(command.who, ask) {
                self.house.check_wanted(command.who, other).await?;
            }
            if let Ask::Sit { .. } = ask {
                effects.writes.extend(page.identity.write());
            }
            state.asker = Some(computer::owner(page));
            let answer = |room: &Room, seq| _ = page.outbox.push(&done(command, room, ask, seq));
            if self.append(&mut state, effects, answer).await?.is_some() {
                return Ok(());
            }
        }
        Err(Refused::not_saved())
    }

    /// Lets a flag fall that is due, or tries again later if that cannot be kept.
    pub(crate) async fn look(self: &Arc<Live>) {
        let Ok(mut state) = self.enter().await else { return };
        let now = self.house.time.now();
        let looked = match self.read_before_flag(&mut state, now).await {
            Ok(()) => self.let_flag_fall(&mut state, now).await,
            unread => unread,
        };
        match looked {
            Ok(()) => self.attend(&mut state),
            Err(_) => self.house.alarms.set(&self.game, Some(now + RETRY.as_millis() as At)),
        }
    }

    /// Whoever is to move may have moved at another node, or be unable to because the store is away: a flag does not fall before the store
    /// was heard.
    async fn read_before_flag(self: &Arc<Live>, state: &mut State, now: At) -> Result<(), Refused> {
        if self.house.bus.is_alone() || state.room.wake_at().is_none_or(|at| at > now) {
            return Ok(());
        }
        let asked = self.house.outages.asked(now);
        let read = self.reload(state).await;
        asked.answered(self.house.time.now(), !read.as_ref().is_err_and(Refused::is_of_the_disk));
        read
    }

    /// The store is there again: whoever is to move gets the time back in which it was not.
    pub(crate) async fn mend(self: &Arc<Live>) {
        if let Ok(mut state) = self.enter().await {
            // What cannot be kept now is given back before anything else happens in the game.
            let _ = self.give_back(&mut state).await;
        }
    }

    /// Gives the time back in which nothing could be kept, once for each outage.
    async fn give_back(self: &Arc<Live>, state: &mut State) -> Result<(), Refused> {
        let Some(from) = self.house.outages.since(self.house.time.now()) else { return Ok(()) };
        for _ in 0..ATTEMPTS {
            if state.given_back == Some(from) {
                return Ok(());
            }
            let now = self.house.time.now();
            let back = state.room.come_back(from, now, &mut secret::for_command()?)?;
            match back {
                // A flag that had fallen before stays fallen.
                Some(effects) if effects.ends().is_none() => {
                    if self.append(state, effects, |_, _| ()).await?.is_some() {
                        state.given_back = Some(from);
                    }
                }
                _ => state.given_back = Some(from),
            }
        }
        Err(Refused::not_saved())
    }

    /// The computer has made up its mind. Its move takes the same path as a person's; one that comes late is refused.
    pub(crate) async fn play(self: &Arc<Live>, turn: &room::ComputersTurn, square: rules::Square) {
        loop {
            let Ok(mut state) = self.enter().await else { return };
            let now = self.house.time.now();
            match self.try_play(&mut state, turn, square, now).await {
                Err(refused) if refused.is_of_the_disk() => drop(state),
                _ => return,
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    async fn try_play(
        self: &Arc<Live>,
        state: &mut State,
        turn: &room::ComputersTurn,
        square: rules::Square,
        now: At,
    ) -> Result<(), Refused> {
        for _ in 0..ATTEMPTS {
            if state.room.computer().as_ref() != Some(turn) {
                return Ok(());
            }
            self.give_back(state).await?;
            self.let_flag_fall(state, now).await?;
            let effects = state.room.play(now, turn.color, square, turn.ply, &mut secret::for_command()?)?;
            if self.append(state, effects, |_, _| ()).await?.is_some() {
                return Ok(());
            }
        }
        Err(Refused::not_saved())
    }

    async fn let_flag_fall(self: &Arc<Live>, state: &mut State, now: At) -> Result<(), Refused> {
        if state.room.wake_at().is_some_and(|at| at <= now) {
            self.give_back(state).await?;
        }
        if let Some(effects) = state.room.look(now, &mut secret::for_command()?)? {
            self.append(state, effects, |_, _| ()).await?;
        }
        Ok(())
    }

    /// Keep, commit, tell. `None` if somebody else wrote to the game meanwhile: the room is then as it is on disk.
    async fn append(
        self: &Arc<Live>,
        state: &mut State,
        mut effects: Effects,
        answer: impl FnOnce(&Room, Seq),
    ) -> Result<Option<News>, Refused> {
        let mut writes = std::mem::take(&mut effects.writes);
        let ends = effects.ends();
        if let Some(ended) = &ends {
            writes.extend(self.house.writes_at_the_end(ended).await?);
        }
        match self.house.keep(writes).await {
            Ok(()) => {} // it exists from here
            Err(StoreError::Conflict) => {
                self.reload(state).await?;
                return Ok(None);
            }
            Err(error) => {
                state.given_back = None;
                return Err(error.into());
            }
        }
        for who in ends.iter().flat_map(|ended| ended.seats.iter().filter_map(Seat::person)) {
            self.house.faces.forget(who);
        }
        let successor = effects.successor.take();
        let news = state.room.commit(effects, self.house.time.now());
        self.house.metrics.kept(news.cause);
        state.ours = Some(news.seq);
        self.house.say(&Event::Game { game: self.game.clone(), seq: news.seq, stalled_ms: state.room.stalled_ms() });
        if let Some(room) = successor {
            let next = Live::new(self.house.clone(), *room);
            next.audience().expect_players();
            next.miss();
            self.house.rooms.put(&next);
            next.wake().await;
        }
        answer(&state.room, news.seq);
        self.tell(state, news.keep);
        self.house.note_end(state.room.table(), state.room.begun());
        self.attend(state);
        Ok(Some(news))
    }

    /// The disk may know more than the room, and is right. A room that knows all of it stays: how long its last entry was on the way
    /// and how far away its players are is written nowhere.
    async fn reload(self: &Arc<Live>, state: &mut State) -> Result<(), Refused> {
        self.reload_as(state, None).await
    }

    /// The same, where another node has said how long entry `seq` was on its way.
    async fn reload_as(self: &Arc<Live>, state: &mut State, stalled: Option<(Seq, u64)>) -> Result<(), Refused> {
        let Some(stored) = self.house.store.game(&self.game).await? else {
            self.end(state);
            return Err(Refused::no_such_game());
        };
        let had = state.room.seq();
        let mut room = Room::load(self.house.store.key(), stored)?;
        if room.seq() != had {
            let alone = self.house.bus.is_alone();
            if !alone {
                room.may_be_far();
            }
            // Of those who are here it is known how far away they are, and written nowhere.
            let here = self.audience().here_at_this_node().map(|here| here || alone);
            room.measured_as(&state.room, here);
            state.room = room;
            state.was_stalled(stalled);
            self.tell(state, state.room.kept_since(had));
            self.attend(state);
        }
        Ok(())
    }

    /// Another node has made the game `seq` entries long, of which the last was on its way for so long.
    pub(crate) async fn follow(self: &Arc<Live>, seq: Seq, stalled_ms: u64) {
        let Ok(mut state) = self.enter().await else { return };
        if seq > state.room.seq() {
            // What cannot be read now is read the next time.
            let _ = self.reload_as(&mut state, Some((seq, stalled_ms))).await;
        } else if state.was_stalled(Some((seq, stalled_ms))) {
            // Nothing has happened since, but the clocks that pages show are wrong.
            self.tell(&state, state.room.table().ply());
            self.attend(&mut state);
        }
    }

    /// Something may have been missed: the game is read again.
    pub(crate) async fn look_again(self: &Arc<Live>) {
        if let Ok(mut state) = self.enter().await {
            // What cannot be read now is read the next time.
            let _ = self.reload(&mut state).await;
        }
    }

    /// How many entries the game has here and how long the last was on its way; `None` while something is being done in it.
    pub(crate) fn last_entry(&self) -> Option<(Seq, u64)> {
        self.state.try_lock().ok().map(|state| (state.room.seq(), state.room.stalled_ms()))
    }

    /// Tells everyone who watches, outside the room and after whoever asked.
    fn tell(self: &Arc<Live>, state: &State, keep: Ply) {
        let mut audience = self.audience();
        audience.sits(state.room.table());
        if !audience.is_empty() {
            let snapshot = state.room.snapshot(self.house.time.now());
            drop(audience);
            self.house.fanout.announce(self, snapshot, keep);
        }
    }

    /// The position for which `who` may have a hint.
    pub(crate) async fn hint_position(&self, who: PersonId, ply: Ply) -> Result<Position, Refused> {
        Ok(self.enter().await?.room.hint(who, ply)?)
    }

    /// The game as it stands, and when it began.
    pub(crate) async fn table(&self) -> (Table, At) {
        let state = self.state.lock().await;
        (state.room.table().clone(), state.room.begun())
    }

    /// Shows the game to a page, now and after everything that happens.
    pub(crate) async fn listen(
        self: &Arc<Live>,
        page: &Page,
        command: &Command,
        have: Option<Seq>,
    ) -> Result<(), Refused> {
        let mut state = self.enter().await?;
        if !self.house.bus.is_alone() {
            // Nobody may have been listening here when another node made an entry.
            self.reload(&mut state).await?;
        }
        let now = self.house.time.now();
        state.room.measured(command.who, page.outbox.round_trip_ms());
        self.let_flag_fall(&mut state, now).await?;
        let mut snapshot = state.room.snapshot(now);
        if have.is_none() {
            snapshot.cause = room::Cause::Opened;
        }
        let keep = have.map_or(Ply(0), |have| state.room.kept_since(have));
        // In the order of the queue: nothing that is still to be told may reach the page after this.
        page.open(&self.game);
        self.audience().expect();
        self.house.fanout.show(self, snapshot, keep, page, command.id.clone());
        self.attend(&mut state);
        Ok(())
    }

    /// A page wants to hear no more.
    pub(crate) fn leave(self: &Arc<Live>, page: &Page) {
        page.close(&self.game);
        let was_there = self.audience().remove(page.socket);
        if was_there {
            self.miss();
        }
    }

    /// A page has been silent for a while, or is heard again.
    pub(crate) fn silence_changed(&self) {
        self.audience().tell_presence(&self.game, self.house.time.now(), false, None);
    }

    /// More people watch: the others hear of all who come within the next moment at once.
    pub(crate) fn tell_crowd_soon(self: &Arc<Live>) {
        if self.telling_crowd.swap(true, Ordering::Relaxed) {
            return;
        }
        let live = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(CROWD).await;
            if let Some(live) = live.upgrade() {
                live.telling_crowd.store(false, Ordering::Relaxed);
                live.audience().tell_presence(&live.game, live.house.time.now(), true, None);
            }
        });
    }

    /// For how long the player across from `who` has been away. Nobody is while they may be at a node that cannot be heard.
    pub(crate) fn away_ms(&self, who: PersonId, now: At) -> u64 {
        if self.house.bus.is_there() { self.audience().away_ms(who, now) } else { 0 }
    }

    /// Someone may have left: if they are not back soon, the others are told.
    pub(crate) fn miss(self: &Arc<Live>) {
        // A server that stops meanwhile is not kept open for it.
        let live = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(crate::AWAY).await;
            if let Some(live) = live.upgrade() {
                let mut audience = live.audience();
                audience.forget_expected();
                audience.tell_presence(&live.game, live.house.time.now(), true, None);
            }
        });
    }

    /// Takes the game off the list of whoever asks, or away altogether where no other person plays.
    pub(crate) async fn delete(self: &Arc<Live>, who: PersonId) -> Result<Removal, Refused> {
        let mut state = self.enter().await?;
        for _ in 0..ATTEMPTS {
            let (removal, writes) = state.room.delete(who)?;
            match self.house.keep(writes).await {
                Err(StoreError::Conflict) => self.reload(&mut state).await?,
                kept => {
                    kept?;
                    if removal == Removal::ForGood {
                        self.end(&mut state);
                    }
                    return Ok(removal);
                }
            }
        }
        Err(Refused::not_saved())
    }

    /// The game is no more.
    fn end(&self, state: &mut State) {
        state.deleted = true;
        state.thinking = None;
        self.house.alarms.set(&self.game, None);
        self.audience().dismiss(&text(&ToBrowser::Gone { game: self.game.clone() }));
    }

    /// The server stops.
    pub(crate) async fn close(&self) {
        self.state.lock().await.thinking = None;
    }

    /// Whether nobody needs it to be kept at hand: nobody watches and the computer does not think.
    pub(crate) fn is_idle(&self) -> bool {
        self.audience().is_empty() && self.state.try_lock().is_ok_and(|state| state.thinking.is_none())
    }

    pub(crate) fn audience(&self) -> MutexGuard<'_, Audience> {
        self.audience.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn enter(&self) -> Result<tokio::sync::MutexGuard<'_, State>, Refused> {
        let state = self.state.lock().await;
        if state.deleted { Err(Refused::no_such_game()) } else { Ok(state) }
    }

    /// Sets the alarm for the next flag and lets the computer think where it is its turn, and nowhere else.
    fn attend(self: &Arc<Live>, state: &mut State) {
        self.house.alarms.set(&self.game, state.room.wake_at());
        let seq = state.room.seq();
        if state.thinking.as_ref().is_some_and(|(since, _)| *since == seq) {
            return;
        }
        state.thinking = None;
        let Some(turn) = state.room.computer() else { return };
        let (going_on, given_up) = oneshot::channel();
        state.thinking = Some((seq, going_on));
        // The node that made the last entry thinks. If it is gone, another one does.
        let wait = if self.house.bus.is_alone() || state.ours == Some(seq) { Duration::ZERO } else { node::TAKE_OVER };
        computer::think(self, &state.room, turn, state.asker, given_up, wait);
    }

    /// The computer is done thinking, or gave up.
    pub(crate) async fn thought(&self, since: Seq) {
        let mut state = self.state.lock().await;
        if state.thinking.as_ref().is_some_and(|(seq, _)| *seq == since) {
            state.thinking = None;
        }
    }
}

/// The answer to a command that is on disk.
fn done(command: &Command, room: &Room, ask: &Ask, seq: Seq) -> Arc<str> {
    // Whoever asked for another game goes there, if there is one already.
    let next = if matches!(ask, Ask::Again { .. }) { room.table().next() } else { None };
    let (game, seq) = next.map_or((room.game(), seq), |next| (&next.game, Seq(0)));
    text(&ToBrowser::Done { id: command.id.clone(), game: Some(game.clone()), seq: Some(seq) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Server, bus::Deaf, socket::Outbox};
    use analyst::{Analyst, Evaluator};
    use rules::{ByColor, Square};
    use store::{Sqlite, Store};
    use table::{Called, Preset, Rules, TimeControl};

    /// One of several nodes.
    async fn node(folder: &tempfile::TempDir) -> (Server, Arc<dyn Store>) {
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
        let analyst = Analyst::start(Evaluator::blank(), analyst::Config { engines: 1, hash: 1, ..Default::default() });
        let server = Server::join(Config::new(folder.path()), store.clone(), Arc::new(Deaf), analyst).await.unwrap();
        (server, store)
    }

    #[tokio::test]
    async fn whoever_can_never_have_a_seat_is_refused_before_anything_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let (server, store) = node(&folder).await;
        let (house, random) = (&server.house, &mut secret::for_command().unwrap());
        let person = |who| Seat::Person { who: PersonId(who), name: Called::First };
        let command = |who, id: &str| Command { who: PersonId(who), id: id.parse().unwrap(), at: house.time.now() };
        let page = Page::new(1, crate::people::Identity::OWNER, crate::connections::Place::Home, Outbox::new().0);
        let play = Ask::Play { square: Square::F5, ply: Ply(0) };
        for (white, seq) in [(person(3), Seq(0)), (Seat::Open, Seq(1))] {
            let seats = ByColor { black: person(2), white };
            let id = format!("begin-{}", seq.0);
            let (mut elsewhere, writes) =
                Room::begin(store.key(), &command(2, &id), seats, Preset::Casual.rules(), random).unwrap();
            store.write(writes).await.unwrap();
            let live = house.live(elsewhere.game()).await.unwrap();
            // Something happens at another node.
            let say = Ask::Say { phrase: table::Phrase::Hello };
            let sit = Ask::Sit { invite: elsewhere.invitations().white.unwrap_or_default(), name: Called::First };
            let (ask, by) = if seq == Seq(0) { (say, 2) } else { (sit, 3) };
            let Answer::New(mut effects) = elsewhere.ask(&command(by, &format!("s-{}", seq.0)), &ask, random).unwrap()
            else {
                panic!("it is new")
            };
            store.write(std::mem::take(&mut effects.writes)).await.unwrap();
            elsewhere.commit(*effects, elsewhere.table().at());
            let refused = live.ask(&page, &command(9, &format!("p-{}", seq.0)), &play).await.unwrap_err();
            assert_eq!(refused.why, crate::protocol::Why::NotYours);
            assert_eq!(live.state.lock().await.room.seq(), seq, "read again only where a seat was open");
        }
    }

    #[tokio::test]
    async fn how_far_away_a_player_is_stays_known_when_the_game_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let (server, store) = node(&folder).await;
        let (house, random) = (&server.house, &mut secret::for_command().unwrap());
        let person = |who| Seat::Person { who: PersonId(who), name: Called::First };
        let rules = Rules { time: TimeControl::SuddenDeath { main_ms: 60_000 }, ..Preset::Casual.rules() };
        let command = |id: &str| Command { who: PersonId(2), id: id.parse().unwrap(), at: house.time.now() };
        let seats = ByColor { black: person(2), white: person(3) };
        let (mut elsewhere, writes) = Room::begin(store.key(), &command("c"), seats, rules, random).unwrap();
        store.write(writes).await.unwrap();
        let live = house.live(elsewhere.game()).await.unwrap();
        live.audience().sits(elsewhere.table());
        live.audience().expect_players();
        live.state.lock().await.room.measured(PersonId(3), 300);
        // Black plays at another node, and White's clock runs.
        let play = Ask::Play { square: Square::F5, ply: Ply(0) };
        let Answer::New(mut effects) = elsewhere.ask(&command("p"), &play, random).unwrap() else {
            panic!("it is new")
        };
        store.write(std::mem::take(&mut effects.writes)).await.unwrap();
        elsewhere.commit(*effects, elsewhere.table().at());
        live.follow(Seq(1), 0).await;
        let deadline = elsewhere.table().deadline().unwrap();
        let wake_at = live.state.lock().await.room.wake_at().unwrap();
        assert_eq!(wake_at - live.state.lock().await.room.stalled_ms(), deadline + 300);
        // Whoever is not here may be anywhere.
        live.audience().forget_expected();
        let Answer::New(mut effects) =
            elsewhere.ask(&command("s"), &Ask::Say { phrase: table::Phrase::Hello }, random).unwrap()
        else {
            panic!("it is new")
        };
        store.write(std::mem::take(&mut effects.writes)).await.unwrap();
        elsewhere.commit(*effects, elsewhere.table().at());
        live.follow(Seq(2), 0).await;
        let deadline = elsewhere.table().deadline().unwrap();
        assert_eq!(live.state.lock().await.room.wake_at(), Some(deadline + 500));
    }
}

//! One live game. Four verbs: **check, append, swap, publish**. Nobody hears of a move that is not on disk.

use crate::{
    AWAY, House, computer,
    lobby::successor,
    protocol::{Cause, GameView, ToBrowser, Why},
    refusal::Refused,
    socket::Outbox,
    store::{Entered, StoreError, Stored, Write},
};
use analyst::Turn;
use rules::{ByColor, Color, Position};
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::Duration,
};
use table::{Action, At, Entry, Seat, Setup, Table, View, Who};
use tokio::{
    sync::{Mutex, MutexGuard, oneshot},
    task::AbortHandle,
};

/// A live game.
#[derive(Debug)]
pub(crate) struct Room {
    /// Its id.
    pub(crate) game: String,
    /// When it was begun.
    pub(crate) begun: At,
    house: Arc<House>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    table: Table,
    seq: u64,
    /// How many moves stood after each entry, to tell a page that was away what it may keep.
    plies: Vec<u8>,
    /// What the last entry was.
    cause: Cause,
    /// Commands that made an entry, and which.
    answered: HashMap<(Who, String), u64>,
    listeners: HashMap<u64, Listener>,
    /// Which players were last said to be there.
    here: ByColor<bool>,
    /// Whether the players are on their way here from another game.
    expected: bool,
    invites: ByColor<Option<String>>,
    deleted: bool,
    alarm: Option<AbortHandle>,
    /// The computer's search for a move, and after how many entries it was begun. Dropping the sender ends it.
    thinking: Option<(u64, oneshot::Sender<()>)>,
}

#[derive(Debug)]
struct Listener {
    who: Who,
    outbox: Outbox,
}

/// Who does something, and by which command.
#[derive(Clone, Debug)]
pub(crate) struct By {
    /// The person.
    pub(crate) who: Who,
    /// The id of their command.
    pub(crate) cmd: String,
    /// When it was received.
    pub(crate) at: At,
}

impl Room {
    /// A game that has just been begun.
    pub(crate) fn begin(
        house: Arc<House>,
        game: String,
        setup: Setup,
        invites: ByColor<Option<String>>,
    ) -> Result<Arc<Room>, Refused> {
        Room::load(house, Stored { game, changed: setup.at, setup, invites, log: Vec::new() })
    }

    /// A game as it was left.
    pub(crate) fn load(house: Arc<House>, stored: Stored) -> Result<Arc<Room>, Refused> {
        let (game, begun) = (stored.game.clone(), stored.setup.at);
        let state = State::replay(stored)?;
        Ok(Arc::new(Room { game, begun, house, state: Mutex::new(state) }))
    }

    /// Sees to whatever the game waits for: a flag, the computer's move.
    pub(crate) async fn wake(self: &Arc<Room>) {
        let mut state = self.state.lock().await;
        self.attend(&mut state);
    }

    /// A person does something: `make` says what, once it is known how the game stands. The answer is the entry's number.
    pub(crate) async fn act(
        self: &Arc<Room>,
        by: &By,
        make: impl FnOnce(&Table) -> Result<(Color, Action), Refused>,
    ) -> Result<u64, Refused> {
        let mut state = self.enter().await?;
        if let Some(seq) = state.answered.get(&(by.who, by.cmd.clone())) {
            return Ok(*seq);
        }
        self.look(&mut state, by.at).await?;
        let (color, action) = make(&state.table)?;
        let entry = Entry::new(by.at, Some(color), action);
        self.append(&mut state, entry, Some(by), Vec::new()).await
    }

    /// Someone with an invitation takes an open seat.
    pub(crate) async fn sit(
        self: &Arc<Room>,
        by: &By,
        person: Option<Write>,
        invite: &str,
        name: table::Called,
    ) -> Result<u64, Refused> {
        let mut state = self.enter().await?;
        if let Some(seq) = state.answered.get(&(by.who, by.cmd.clone())) {
            return Ok(*seq);
        }
        let good =
            |color: &Color| state.invites[*color].as_ref().is_some_and(|secret| crate::secret::same(secret, invite));
        let color = Color::ALL
            .into_iter()
            .find(good)
            .ok_or_else(|| Refused::new(Why::BadInvite, "the invitation is not good for this game"))?;
        let entry = Entry::new(by.at, Some(color), Action::Sit { who: by.who, name });
        let list = Write::List { who: by.who, game: self.game.clone(), begun: self.begun };
        self.append(&mut state, entry, Some(by), person.into_iter().chain([list]).collect()).await
    }

    /// The position for which `who` may have a hint.
    pub(crate) async fn hint_position(self: &Arc<Room>, who: Who, ply: u8) -> Result<Position, Refused> {
        let state = self.enter().await?;
        if state.table.verdict().is_some() {
            return Err(table::Refusal::Over.into());
        }
        if state.table.ply() != ply {
            return Err(table::Refusal::WrongPly { now: state.table.ply() }.into());
        }
        if !state.table.may_have_hint(who) {
            return Err(Refused::new(Why::NoHints, "hints are for those who play alone, on their turn"));
        }
        Ok(state.table.position())
    }

    /// The game as it stands.
    pub(crate) async fn table(self: &Arc<Room>) -> Table {
        self.state.lock().await.table.clone()
    }

    /// Shows the game to a page, now and after everything that happens.
    pub(crate) async fn listen(
        self: &Arc<Room>,
        socket: u64,
        who: Who,
        outbox: &Outbox,
        id: &str,
        have: Option<u64>,
    ) -> Result<(), Refused> {
        let mut state = self.enter().await?;
        let now = self.house.time.now();
        self.look(&mut state, now).await?;
        state.listeners.insert(socket, Listener { who, outbox: outbox.clone() });
        self.tell_presence(&mut state, Some(socket));
        let keep = have.map_or(0, |have| state.kept_since(have));
        let (cause, id) = (if have.is_some() { state.cause } else { Cause::Opened }, Some(id.to_owned()));
        let message = self.message(&state, who, now, keep, cause, id);
        outbox.push(&message);
        self.attend(&mut state);
        Ok(())
    }

    /// A page wants to hear no more.
    pub(crate) async fn leave(self: &Arc<Room>, socket: u64) {
        if self.state.lock().await.listeners.remove(&socket).is_some() {
            self.miss();
        }
    }

    /// A page has been silent for a while, or is heard again.
    pub(crate) async fn silence_changed(&self, socket: u64) {
        let mut state = self.state.lock().await;
        if state.listeners.contains_key(&socket) {
            self.tell_presence(&mut state, None);
        }
    }

    /// Someone may have left: if they are not back soon, the others are told.
    fn miss(self: &Arc<Room>) {
        // A server that stops meanwhile is not kept open for it.
        let room = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(AWAY).await;
            if let Some(room) = room.upgrade() {
                let mut state = room.state.lock().await;
                state.expected = false;
                room.tell_presence(&mut state, None);
            }
        });
    }

    /// The players come over from another game: nobody is missed before they had the time to.
    async fn expect_players(self: &Arc<Room>) {
        let mut state = self.state.lock().await;
        state.expected = true;
        state.here = state.here();
        self.miss();
    }

    /// Tells everyone who is there, if that has changed; a page that has just come reads it in its first message.
    fn tell_presence(&self, state: &mut State, newcomer: Option<u64>) {
        let here = state.here();
        if state.here == here {
            return;
        }
        state.here = here;
        let presence = text(&ToBrowser::Presence { game: self.game.clone(), here });
        // One that is too slow is found out with the next move.
        for (socket, listener) in &state.listeners {
            if Some(*socket) != newcomer {
                listener.outbox.push(&presence);
            }
        }
    }

    /// The server stops: no flag falls any more.
    pub(crate) async fn close(&self) {
        let mut state = self.state.lock().await;
        state.thinking = None;
        if let Some(alarm) = state.alarm.take() {
            alarm.abort();
        }
    }

    /// Whether the room may be closed: nobody listens and no clock runs.
    pub(crate) fn is_idle(&self) -> bool {
        self.state.try_lock().is_ok_and(|state| state.listeners.is_empty() && state.table.running().is_none())
    }

    /// Charges nobody for the time the server was away.
    pub(crate) async fn back(self: &Arc<Room>, from: At) -> Result<(), Refused> {
        let mut state = self.enter().await?;
        if state.table.running().is_some() {
            let entry = Entry::new(self.house.time.now(), None, Action::Away { from });
            self.append(&mut state, entry, None, Vec::new()).await?;
        }
        Ok(())
    }

    /// Takes the game off the list of `who`, or away altogether where no other person plays.
    pub(crate) async fn delete(self: &Arc<Room>, who: Who) -> Result<bool, Refused> {
        let mut state = self.enter().await?;
        let seats = state.table.seats();
        seat_of(&state.table, who).ok_or_else(Refused::not_yours)?;
        let shared = seats.iter().any(|seat| seat.person().is_some_and(|other| other != who));
        let game = self.game.clone();
        if shared {
            if state.table.verdict().is_none() {
                return Err(Refused::new(Why::NotYours, "another person plays: give up first"));
            }
            self.house.store.write(vec![Write::Hide { who, game }]).await?;
            return Ok(false);
        }
        self.house.store.write(vec![Write::Delete { game: game.clone() }]).await?;
        state.deleted = true;
        state.thinking = None;
        if let Some(alarm) = state.alarm.take() {
            alarm.abort();
        }
        let gone = text(&ToBrowser::Gone { game });
        for (_, listener) in state.listeners.drain() {
            listener.outbox.push(&gone);
        }
        Ok(true)
    }

    async fn enter(&self) -> Result<MutexGuard<'_, State>, Refused> {
        let state = self.state.lock().await;
        if state.deleted { Err(Refused::no_such_game()) } else { Ok(state) }
    }

    /// Lets a flag fall that is due by now, before anything else happens.
    async fn look(self: &Arc<Room>, state: &mut State, now: At) -> Result<(), Refused> {
        if state.table.deadline().is_some_and(|deadline| deadline <= now) {
            let entry = Entry::new(now, None, Action::Look {});
            self.append(state, entry, None, Vec::new()).await?;
        }
        Ok(())
    }

    /// Check, append, swap, publish.
    async fn append(
        self: &Arc<Room>,
        state: &mut State,
        entry: Entry,
        by: Option<&By>,
        mut writes: Vec<Write>,
    ) -> Result<u64, Refused> {
        let next = state.table.after(&entry)?; // check
        let seq = state.seq + 1;
        let cause = cause_of(&entry, &state.table, &next);
        // A game that takes this one's place goes to disk with the entry that began it, or neither does.
        let begun = match (next.next(), by) {
            (Some(next), Some(by)) if state.table.next().is_none() => Some(successor(&state.table, next, by)?),
            _ => None,
        };
        if let Some(begun) = &begun {
            writes.push(Write::Begin(Box::new(begun.clone())));
            for who in begun.setup.seats.iter().filter_map(Seat::person) {
                writes.push(Write::List { who, game: begun.game.clone(), begun: begun.setup.at });
            }
        }
        writes.push(Write::Enter(Box::new(Entered {
            game: self.game.clone(),
            seq,
            who: by.map(|by| by.who),
            cmd: by.map(|by| by.cmd.clone()),
            entry,
            over: next.verdict().is_some(),
        })));
        match self.house.store.write(writes).await {
            Ok(()) => {} // append: it exists from here
            Err(StoreError::Conflict) => return Err(self.reload(state)),
            Err(error) => return Err(error.into()),
        }
        let keep = state.table.ply().min(next.ply());
        state.table = next; // swap
        state.seq = seq;
        state.plies.push(state.table.ply());
        state.cause = cause;
        if let Some(by) = by {
            state.answered.insert((by.who, by.cmd.clone()), seq);
        }
        if let Some(begun) = begun {
            let room = Room::begin(self.house.clone(), begun.game, begun.setup, begun.invites)?;
            room.expect_players().await;
            self.house.furnish(room).await;
        }
        self.publish(state, keep, cause);
        self.attend(state);
        Ok(seq)
    }

    /// The disk knows more than the room: an earlier entry was kept although the store could not say so. The disk is right.
    fn reload(self: &Arc<Room>, state: &mut State) -> Refused {
        let fresh = match self.house.store.game(&self.game) {
            Ok(Some(stored)) => State::replay(stored),
            Ok(None) => Err(Refused::no_such_game()),
            Err(error) => Err(error.into()),
        };
        match fresh {
            Ok(fresh) => {
                let (listeners, here) = (std::mem::take(&mut state.listeners), state.here);
                *state = State { listeners, here, expected: state.expected, ..fresh };
                self.publish(state, 0, state.cause);
                Refused::new(Why::NotSaved, "the game had gone on: look again")
            }
            Err(refused) => refused,
        }
    }

    fn publish(self: &Arc<Room>, state: &mut State, keep: u8, cause: Cause) {
        let now = self.house.time.now();
        state.here = state.here(); // every message says it
        let mut texts: HashMap<Who, Arc<str>> = HashMap::new();
        let mut slow = Vec::new();
        for (&socket, listener) in &state.listeners {
            let text =
                texts.entry(listener.who).or_insert_with(|| self.message(state, listener.who, now, keep, cause, None));
            if !listener.outbox.push(text) {
                slow.push(socket);
            }
        }
        for socket in slow {
            state.listeners.remove(&socket);
            self.miss();
        }
    }

    fn message(&self, state: &State, who: Who, now: At, keep: u8, cause: Cause, id: Option<String>) -> Arc<str> {
        static START: OnceLock<String> = OnceLock::new();
        let start = START.get_or_init(|| table::board_text(&Position::start()));
        let table = &state.table;
        let view: View = table.view(now, Some(who));
        let plays = view.seats.iter().any(|seat| seat.you);
        let open = |color: Color| plays && table.seats()[color] == Seat::Open;
        text(&ToBrowser::Game(Box::new(GameView {
            game: self.game.clone(),
            id,
            seq: state.seq,
            cause,
            now,
            start: start.clone(),
            keep,
            moves: (usize::from(keep)..table.moves().len()).map(|index| table.move_view(index)).collect(),
            invites: ByColor::from_fn(|color| state.invites[color].clone().filter(|_| open(color))),
            here: state.here(),
            view,
        })))
    }

    /// Sets the alarm for the next flag and lets the computer think where it is its turn, and nowhere else.
    fn attend(self: &Arc<Room>, state: &mut State) {
        if let Some(alarm) = state.alarm.take() {
            alarm.abort();
        }
        if let Some(deadline) = state.table.deadline() {
            let room = self.clone();
            let alarm = tokio::spawn(async move { room.keep_time(deadline).await });
            state.alarm = Some(alarm.abort_handle());
        }
        if state.thinking.as_ref().is_some_and(|(seq, _)| *seq == state.seq) {
            return;
        }
        state.thinking = None;
        if let Some(color) = state.table.turn()
            && let Seat::Computer { level } = state.table.seats()[color]
        {
            let (going_on, given_up) = oneshot::channel();
            state.thinking = Some((state.seq, going_on));
            let now = self.house.time.now();
            let seed = now ^ state.seq << 32;
            let time = state.table.thinking_time(now);
            let turn = computer::turn(&state.table, level, seed, time);
            // A polite pause may take a part of the clock, never the game.
            let pause = time.map_or(Duration::MAX, |time| Duration::from_millis(time.idle_ms()));
            let pause = self.house.config.pause.min(pause);
            let (room, ply) = (self.clone(), state.table.ply());
            tokio::spawn(async move { room.answer(turn, color, ply, pause, given_up).await });
        }
    }

    async fn keep_time(self: Arc<Room>, deadline: At) {
        tokio::time::sleep(self.house.time.until(deadline)).await;
        // In a task of its own: the entry made below sets a new alarm, which ends this one.
        tokio::spawn(async move {
            loop {
                let Ok(mut state) = self.enter().await else { return };
                let now = self.house.time.now();
                match self.look(&mut state, now).await {
                    Ok(()) => return,
                    Err(_) => drop(state), // the disk is full, perhaps: the flag falls when it can be kept
                }
                tokio::time::sleep(RETRY).await;
            }
        });
    }

    /// The computer's move takes the same path as a person's. A late one has an old ply and is refused.
    async fn answer(
        self: Arc<Room>,
        turn: Turn,
        color: Color,
        ply: u8,
        pause: Duration,
        given_up: oneshot::Receiver<()>,
    ) {
        let pause = tokio::time::sleep(pause);
        let square = tokio::select! {
            square = self.house.analyst.choose(&turn) => square,
            // The game went another way, or is gone: the sender was dropped.
            _ = given_up => return,
        };
        let Some(square) = square else { return };
        pause.await;
        loop {
            let Ok(mut state) = self.enter().await else { return };
            let entry = Entry::new(self.house.time.now(), Some(color), Action::Play { square, ply });
            if state.table.position() != turn.position {
                return;
            }
            let saved = match self.look(&mut state, entry.at).await {
                Ok(()) => self.append(&mut state, entry, None, Vec::new()).await.map(|_| ()),
                Err(error) => Err(error),
            };
            match saved {
                Err(refused) if refused.why == Why::NotSaved => drop(state),
                _ => return,
            }
            tokio::time::sleep(RETRY).await;
        }
    }
}

/// What could not be saved is tried again after so long.
const RETRY: Duration = Duration::from_secs(1);

impl State {
    /// Rebuilds a game from what was kept.
    fn replay(stored: Stored) -> Result<State, Refused> {
        let mut table = Table::new(stored.setup).map_err(|error| Refused::new(Why::BadRules, error))?;
        let mut plies = vec![table.ply()];
        let mut answered = HashMap::new();
        let mut cause = Cause::Opened;
        for (index, kept) in stored.log.iter().enumerate() {
            let next = table.after(&kept.entry).map_err(|refusal| {
                Refused::new(Why::NotSaved, format!("entry {} of game {}: {refusal}", index + 1, stored.game))
            })?;
            cause = cause_of(&kept.entry, &table, &next);
            table = next;
            plies.push(table.ply());
            if let (Some(who), Some(cmd)) = (kept.who, &kept.cmd) {
                answered.insert((who, cmd.clone()), index as u64 + 1);
            }
        }
        Ok(State {
            seq: stored.log.len() as u64,
            table,
            plies,
            cause,
            answered,
            listeners: HashMap::new(),
            here: ByColor { black: false, white: false },
            expected: false,
            invites: stored.invites,
            deleted: false,
            alarm: None,
            thinking: None,
        })
    }

    /// Which players have the game open somewhere.
    fn here(&self) -> ByColor<bool> {
        self.table.seats().as_ref().map(|seat| match seat {
            Seat::Open => false,
            Seat::Computer { .. } => true,
            Seat::Person { who, .. } => {
                self.expected
                    || self.listeners.values().any(|listener| listener.who == *who && !listener.outbox.is_silent())
            }
        })
    }

    /// How many moves a page that has entry `have` may keep: those that no takeback has touched since.
    fn kept_since(&self, have: u64) -> u8 {
        let since = self.plies.get(usize::try_from(have).unwrap_or(usize::MAX)..).unwrap_or_default();
        since.iter().copied().min().unwrap_or(0)
    }
}

/// A seat that `who` holds: that of the player to move, if it is theirs.
pub(crate) fn seat_of(table: &Table, who: Who) -> Option<Color> {
    let held = |color: &Color| table.holds(Some(who), *color);
    table.turn().filter(held).or(Color::ALL.into_iter().find(held))
}

fn cause_of(entry: &Entry, before: &Table, after: &Table) -> Cause {
    let asked = |done| if after.offer().is_some() { Cause::Asked } else { done };
    match &entry.action {
        Action::Play { .. } => Cause::Move,
        Action::Resign {} => Cause::Resigned,
        Action::Takeback { .. } => asked(Cause::Takeback),
        Action::Another { .. } | Action::Scrap {} => asked(Cause::Again),
        Action::Accept {} if before.ply() != after.ply() => Cause::Takeback,
        Action::Accept {} | Action::Again { .. } => Cause::Again,
        Action::Decline {} if before.offer().map(|offer| offer.by) == entry.by => Cause::Withdrawn,
        Action::Decline {} => Cause::Declined,
        Action::Sit { .. } => Cause::Seated,
        Action::Look {} => Cause::Clock,
        Action::Away { .. } => Cause::Back,
    }
}

/// A message as it goes over the wire.
pub(crate) fn text(message: &ToBrowser) -> Arc<str> {
    // Every message is plain data with text keys; writing it cannot fail.
    serde_json::to_string(message).unwrap_or_default().into()
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        Refused::new(Why::NotSaved, error)
    }
}

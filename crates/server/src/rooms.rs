//! The games at hand: [`Rooms`]. A game is read from the store when it is first needed, once, however many need it.

use crate::{House, live::Live, protocol::Why, refusal::Refused, secret};
use room::{Effects, Room, Stored, Write};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use store::StoreError;
use table::{At, GameId, Pace};
use tokio::sync::OnceCell;

/// How many games are read at once, and written at once, when the server comes back.
const BATCH: usize = 1000;

type Cell = Arc<OnceCell<Arc<Live>>>;

/// The games at hand.
#[derive(Debug, Default)]
pub(crate) struct Rooms {
    cells: Mutex<BTreeMap<GameId, Cell>>,
}

impl Rooms {
    /// A game that has just been begun.
    pub(crate) fn put(&self, live: &Arc<Live>) {
        self.lock().insert(live.game.clone(), Arc::new(OnceCell::new_with(Some(live.clone()))));
    }

    pub(crate) fn remove(&self, game: &GameId) {
        self.lock().remove(game);
    }

    /// Those that are at hand.
    pub(crate) fn at_hand(&self, game: &GameId) -> Option<Arc<Live>> {
        self.lock().get(game)?.get().cloned()
    }

    /// All that are at hand.
    pub(crate) fn all(&self) -> Vec<Arc<Live>> {
        self.lock().values().filter_map(|cell| cell.get().cloned()).collect()
    }

    /// How many are at hand.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Puts away those that nobody needs. Whoever has the cell is about to have the game.
    pub(crate) fn tidy(&self) {
        self.lock().retain(|_, cell| {
            let needed = |live: &Arc<Live>| Arc::strong_count(live) > 1 || !live.is_idle();
            Arc::strong_count(cell) > 1 || cell.get().is_some_and(needed)
        });
    }

    /// Where a game is, or will be once it is read. Taken under the lock alone: what nobody else has can be put away.
    fn cell(&self, game: &GameId) -> Cell {
        self.lock().entry(game.clone()).or_default().clone()
    }

    /// A game could not be read. Ids that nobody has leave nothing behind, unless somebody else is just trying.
    fn put_back(&self, game: &GameId, cell: Cell) {
        let mut cells = self.lock();
        drop(cell);
        if cells.get(game).is_some_and(|kept| Arc::strong_count(kept) == 1 && !kept.initialized()) {
            cells.remove(game);
        }
    }

    /// Puts all away.
    pub(crate) fn take(&self) -> Vec<Arc<Live>> {
        std::mem::take(&mut *self.lock()).into_values().filter_map(|cell| cell.get().cloned()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<GameId, Cell>> {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl House {
    /// The game, which is read if it is not at hand.
    pub(crate) async fn live(self: &Arc<House>, game: &GameId) -> Result<Arc<Live>, Refused> {
        let cell = self.rooms.cell(game);
        let read = async {
            let stored = self.store.game(game).await?.ok_or_else(Refused::no_such_game)?;
            let room = Room::load(self.store.key(), stored)?;
            Ok(Live::new(self.clone(), room))
        };
        let live = cell.get_or_try_init(|| read).await.cloned();
        if live.is_err() {
            self.rooms.put_back(game, cell);
        }
        live
    }

    /// Takes up the games in which a clock was running when the server was last seen alive, at `last`: nobody is charged for the
    /// time since.
    pub(crate) async fn come_back(self: &Arc<House>, last: At) -> Result<(), StoreError> {
        let mut after: Option<GameId> = None;
        loop {
            let stored = self.store.running(after.as_ref(), BATCH).await?;
            let Some(end) = stored.last() else { return Ok(()) };
            after = Some(end.game.clone());
            self.take_up_games(stored, last).await?;
        }
    }

    /// Takes up these games, as they were read.
    pub(crate) async fn take_up_games(self: &Arc<House>, stored: Vec<Stored>, last: At) -> Result<(), StoreError> {
        let rooms = stored.into_iter().filter_map(|stored| Room::load(self.store.key(), stored).ok());
        let mut back: Vec<(Room, Effects)> =
            rooms.filter_map(|room| self.back_in(&room, last).map(|effects| (room, effects))).collect();
        let writes: Vec<Vec<Write>> = back.iter_mut().map(|(_, effects)| std::mem::take(&mut effects.writes)).collect();
        match self.store.write(writes.concat()).await {
            Ok(()) => {
                for (room, effects) in back {
                    self.taken_up(room, effects).await;
                }
                Ok(())
            }
            // Another node that started at the same time was first, in these games or in some of them.
            Err(StoreError::Conflict) if !self.bus.is_alone() => self.take_up_one_by_one(back, last).await,
            Err(error) => Err(error),
        }
    }

    async fn take_up_one_by_one(self: &Arc<House>, back: Vec<(Room, Effects)>, last: At) -> Result<(), StoreError> {
        for (room, _) in back {
            // Anew for each: nobody is charged for the time that those before it took.
            let Some(mut effects) = self.back_in(&room, last) else { continue };
            match self.store.write(std::mem::take(&mut effects.writes)).await {
                Ok(()) => self.taken_up(room, effects).await,
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// What it takes for nobody in a game to be charged for the time from `last` until now.
    fn back_in(&self, room: &Room, last: At) -> Option<Effects> {
        let now = self.time.now();
        let effects = secret::for_command().and_then(|mut random| Ok(room.come_back(last, now, &mut random)?));
        let effects = effects.ok().flatten()?;
        // A flag had fallen before the server was gone. It ends as any other game does, and by itself: two games of one player that
        // change their rating are not kept in one write.
        if effects.ends().is_some() {
            self.alarms.set(room.game(), Some(now));
            return None;
        }
        Some(effects)
    }

    /// A game goes on where it was. How long its entry was on its way is written nowhere: a live game stays at hand for those who come.
    async fn taken_up(self: &Arc<House>, mut room: Room, effects: Effects) {
        room.commit(effects, self.time.now());
        self.alarms.set(room.game(), room.wake_at());
        if room.computer().is_some() || matches!(room.table().rules().pace(), Pace::Live(_)) {
            let live = Live::new(self.clone(), room);
            self.rooms.put(&live);
            live.wake().await;
        }
    }

    /// Lets flags fall when they are due.
    pub(crate) async fn keep_time(self: Arc<House>) {
        loop {
            match self.alarms.first() {
                None => self.alarms.earlier().await,
                Some(at) => tokio::select! {
                    biased;
                    () = tokio::time::sleep(self.time.until(at)) => {}
                    () = self.alarms.earlier() => {}
                },
            }
            for game in self.alarms.take_due(self.time.now()) {
                let house = self.clone();
                tokio::spawn(async move {
                    match house.live(&game).await {
                        Ok(live) => live.look().await,
                        Err(refused) if refused.why == Why::NoSuchGame || refused.why == Why::Unreadable => {}
                        // The disk could not be read: the flag falls when it can.
                        Err(_) => {
                            house.alarms.set(&game, Some(house.time.now() + crate::live::RETRY.as_millis() as At))
                        }
                    }
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Server};
    use analyst::{Analyst, Evaluator};
    use room::Command;
    use rules::{ByColor, Square};
    use table::{Called, PersonId, Ply, Preset, Rules, Seat, TimeControl};

    #[tokio::test]
    async fn whoever_is_about_to_have_a_game_has_the_one_that_others_find() {
        let folder = tempfile::tempdir().unwrap();
        let analyst = Analyst::start(Evaluator::blank(), analyst::Config { engines: 1, hash: 1, ..Default::default() });
        let server = Server::open(Config::new(folder.path()), analyst).await.unwrap();
        let (house, rooms) = (&server.house, &server.house.rooms);
        let person = |who| Seat::Person { who: PersonId(who), name: Called::First };
        let command = Command { who: PersonId(2), id: "c".parse().unwrap(), at: house.time.now() };
        let seats = ByColor { black: person(2), white: person(3) };
        let random = &mut secret::for_command().unwrap();
        let (room, _) = Room::begin(house.store.key(), &command, seats, Preset::Casual.rules(), random).unwrap();
        let game = room.game().clone();
        // The first of two who look could not read it; the second is still at it.
        let (first, second) = (rooms.cell(&game), rooms.cell(&game));
        rooms.put_back(&game, first);
        rooms.tidy();
        second.set(Live::new(house.clone(), room)).unwrap();
        assert!(Arc::ptr_eq(&rooms.cell(&game), &second), "there is one such game");
        // Nobody has it open, and one is about to.
        rooms.tidy();
        assert!(Arc::ptr_eq(&rooms.cell(&game), &second));
        drop(second);
        rooms.tidy();
        assert_eq!(rooms.len(), 0);
        // An id that nobody has.
        let unknown = rooms.cell(&game);
        rooms.put_back(&game, unknown);
        assert_eq!(rooms.len(), 0);
    }

    #[tokio::test]
    async fn a_game_by_correspondence_costs_an_alarm_while_nobody_looks() {
        let folder = tempfile::tempdir().unwrap();
        let analyst = Analyst::start(Evaluator::blank(), analyst::Config { engines: 1, hash: 1, ..Default::default() });
        let server = Server::open(Config::new(folder.path()), analyst).await.unwrap();
        let house = &server.house;
        let person = |who| Seat::Person { who: PersonId(who), name: Called::First };
        let time = TimeControl::PerMove { per_move_ms: 86_400_000 };
        let rules = Rules { time, ..Preset::Casual.rules() };
        let mut deadlines = Vec::new();
        for number in 0..50 {
            let command = Command { who: PersonId(2), id: format!("c{number}").parse().unwrap(), at: house.time.now() };
            let seats = ByColor { black: person(2), white: person(3) };
            let random = &mut secret::for_command().unwrap();
            let (mut room, writes) = Room::begin(house.store.key(), &command, seats, rules, random).unwrap();
            house.keep(writes).await.unwrap();
            let id = format!("p{number}").parse().unwrap();
            let play = room::Ask::Play { square: Square::F5, ply: Ply(0) };
            let answer = room.ask(&Command { id, ..command }, &play, random).unwrap();
            let room::Answer::New(mut effects) = answer else { panic!("it is new") };
            house.keep(std::mem::take(&mut effects.writes)).await.unwrap();
            room.commit(*effects, house.time.now());
            deadlines.push(room.wake_at().unwrap());
            let live = Live::new(house.clone(), room);
            house.rooms.put(&live);
            live.wake().await;
        }
        assert_eq!(house.rooms.len(), 50);
        house.rooms.tidy();
        assert_eq!(house.rooms.len(), 0, "nothing is kept of them but when to look");
        assert_eq!(house.alarms.first(), deadlines.iter().min().copied());
        // When the day is over each is read, and its flag falls.
        let due = house.alarms.take_due(u64::MAX);
        assert_eq!(due.len(), 50);
        assert!(house.live(&due[0]).await.is_ok());
    }
}

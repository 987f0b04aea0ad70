//! What becomes of players' time when something fails: faults that are chosen, one at a time.

use super::{
    store::{FaultyStore, wait},
    world::{BEGINNING, Shared},
};
use crate::{
    Config, House,
    audience::Fanout,
    book,
    bus::{Alone, Bus, Deaf},
    secret,
    time::Time,
};
use analyst::{Analyst, Evaluator};
use room::{Answer, Ask, Command, Room, Write};
use rules::{ByColor, Square};
use std::{sync::Arc, time::Duration};
use store::{Sqlite, Store};
use table::{At, Called, Ending, GameId, PersonId, Ply, Preset, Rules, Seat, Table, TimeControl};
use tokio::time::sleep;

/// What each player has.
const MAIN_MS: u64 = 6_000;

/// A server over a store that fails when it is told to.
struct Scene {
    shared: Shared,
    real: Arc<Sqlite>,
    house: Arc<House>,
    _folder: tempfile::TempDir,
}

impl Scene {
    fn new(bus: Arc<dyn Bus>) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let real = Arc::new(Sqlite::open(folder.path()).unwrap());
        let shared = Shared::calm();
        let analyst = Analyst::start(Evaluator::blank(), analyst::Config { engines: 1, hash: 1, ..Default::default() });
        let store = Arc::new(FaultyStore::new(real.clone(), shared.clone()));
        let (time, fanout, book) = (Time::simulated(BEGINNING), Fanout::start(1), book::open(folder.path()));
        let house = House::new(Config::new(folder.path()), store, bus, analyst, time, fanout, book).unwrap();
        Scene { shared, real, house, _folder: folder }
    }

    /// A game between two people in which White is to move.
    fn game(&self, number: u64) -> GameId {
        let person = |who| Seat::Person { who: PersonId(who), name: Called::First };
        let rules = Rules { time: TimeControl::SuddenDeath { main_ms: MAIN_MS as u32 }, ..Preset::Casual.rules() };
        let command = |id: String| Command { who: PersonId(2), id: id.parse().unwrap(), at: self.house.time.now() };
        let (seats, mut random) = (ByColor { black: person(2), white: person(3) }, secret::for_command().unwrap());
        let key = self.house.store.key();
        let (room, writes) = Room::begin(key, &command(format!("c{number}")), seats, rules, &mut random).unwrap();
        wait(self.real.write(writes)).unwrap();
        let play = Ask::Play { square: Square::F5, ply: Ply(0) };
        let Answer::New(effects) = room.ask(&command(format!("p{number}")), &play, &mut random).unwrap() else {
            panic!("it is new")
        };
        wait(self.real.write(effects.writes)).unwrap();
        room.game().clone()
    }

    fn table(&self, game: &GameId) -> Table {
        let stored = wait(self.real.game(game)).unwrap().unwrap();
        Room::load(self.house.store.key(), stored).unwrap().table().clone()
    }

    /// When each entry of a game was made.
    fn entries(&self, game: &GameId) -> Vec<At> {
        wait(self.real.game(game)).unwrap().unwrap().log.iter().map(|kept| kept.entry.at).collect()
    }
}

async fn seconds(seconds: u64) {
    sleep(Duration::from_secs(seconds)).await;
}

#[tokio::test(start_paused = true)]
async fn nobody_is_charged_while_nothing_can_be_kept() {
    let scene = Scene::new(Arc::new(Alone));
    let tending = scene.house.tend();
    let game = scene.game(1);
    scene.house.live(&game).await.unwrap().wake().await;
    seconds(1).await;
    scene.shared.set_away(true);
    // Longer than White has; whoever looks finds that nothing can be kept.
    seconds(30).await;
    assert_eq!(scene.table(&game).verdict(), None);
    scene.shared.set_away(false);
    seconds(2).await;
    let (table, now) = (scene.table(&game), scene.house.time.now());
    assert_eq!(table.verdict(), None, "the flag does not fall as soon as it can be kept");
    let left = table.clocks(now).unwrap().white.left_ms;
    assert!((MAIN_MS - 4_000..MAIN_MS).contains(&left), "{left}");
    // Then time goes on as ever.
    seconds(MAIN_MS / 1000).await;
    assert_eq!(scene.table(&game).verdict().map(|verdict| verdict.ending), Some(Ending::OutOfTime));
    assert_eq!(scene.entries(&game).len(), 3, "the move, the time that is given back once, and the flag");
    tending.iter().for_each(|task| task.abort());
}

#[tokio::test(start_paused = true)]
async fn nodes_that_start_together_charge_nobody_for_each_others_writes() {
    let scene = Scene::new(Arc::new(Deaf));
    let games = [scene.game(1), scene.game(2), scene.game(3)];
    seconds(60).await;
    let stored = scene.house.store.running(None, 9).await.unwrap();
    assert_eq!(stored.len(), 3);
    // Another node takes one of them up before this one can.
    let first = stored.iter().find(|stored| stored.game == games[0]).unwrap().clone();
    let room = Room::load(scene.house.store.key(), first).unwrap();
    let back = room.come_back(BEGINNING, scene.house.time.now(), &mut secret::for_command().unwrap());
    wait(scene.real.write(back.unwrap().unwrap().writes)).unwrap();
    scene.shared.set_slow(true);
    scene.house.take_up_games(stored, BEGINNING).await.unwrap();
    let lengths = games.each_ref().map(|game| scene.entries(game).len());
    assert_eq!(lengths, [2, 2, 2], "each is taken up once");
    let mut taken_up: Vec<At> = games[1..].iter().map(|game| scene.entries(game)[1]).collect();
    taken_up.sort();
    assert!(taken_up[0] < taken_up[1], "the second after the first was written: {taken_up:?}");
    // How long that took is known: the whole time is left.
    for game in &games[1..] {
        let live = scene.house.live(game).await.unwrap();
        let (seq, stalled_ms) = live.last_entry().unwrap();
        assert!(seq.0 == 2 && stalled_ms > 0, "{stalled_ms}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_that_starts_asks_whether_anybody_serves_the_games() {
    let scene = Scene::new(Arc::new(Deaf));
    let last = scene.house.time.now();
    wait(scene.real.write(vec![Write::Alive { at: last }])).unwrap();
    assert_eq!(scene.house.time_of_others(last).await, None, "nobody, although the last sign is young");
    // One that does shows itself, whatever the time is there: far from this one's, or a second ahead of it, as it is when this one went by
    // the last sign of life because the database's clock was set back.
    for ahead in [3_600_000, 1_000, -1_000, 0] {
        let last = wait(scene.real.last_alive()).unwrap().unwrap();
        let theirs = |now: At| now.saturating_add_signed(ahead);
        let signs = async {
            loop {
                sleep(Duration::from_millis(700)).await;
                wait(scene.real.write(vec![Write::Alive { at: theirs(scene.house.time.now()) }])).unwrap();
            }
        };
        let heard = tokio::select! {
            () = signs => None,
            heard = scene.house.time_of_others(last) => heard,
        };
        let (heard, now) = (heard.expect("somebody does"), scene.house.time.now());
        assert!(heard <= theirs(now) && heard + 60 >= theirs(now), "{ahead}: {heard}, {now}");
        scene.house.time.agree(heard);
        assert_eq!(scene.house.time.now(), heard);
    }
}

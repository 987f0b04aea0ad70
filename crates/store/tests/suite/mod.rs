//! What every store promises, written against the trait. `store_suite!(place)` makes a test of each promise, where `place` is a
//! [`Place`]: a store that nobody else uses, and that can be opened again; or `None` where there is none to be had.

#![allow(unreachable_pub)]

mod accounts;
mod meeting;

pub use accounts::*;
pub use meeting::*;

use people::Holder;
use room::{
    Begun, Document, DocumentCounts, DocumentKey, DocumentKind, Entered, Listed, Stored, StoredEntry, Summary, Write,
};
use rules::{ByColor, Color, Square};
use std::{collections::BTreeSet, sync::Arc};
use store::{Store, StoreError};
use table::{
    Action, At, Called, CommandId, Entry, GameId, PersonId, Ply, Preset, Rules, Seat, Seq, Setup, Status, Table,
};

/// Where a store is.
pub trait Place {
    /// Opens it; the one opened before is closed by then.
    fn open(&self) -> Arc<dyn Store>;
}

/// A test for each promise.
#[macro_export]
macro_rules! store_suite {
    ($place:expr; $($promise:ident)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $promise() {
                let Some(place) = $place else { return };
                suite::$promise(&place).await;
            }
        )*
    };
    ($place:expr) => {
        $crate::store_suite! { $place;
            what_was_written_is_there_after_opening_again
            a_job_is_kept_whole_or_not_at_all
            a_log_has_no_gaps_and_no_number_twice
            a_refused_job_does_not_spoil_others
            a_command_begins_one_game_and_makes_one_entry
            a_summary_comes_back_as_it_was_written
            lists_are_read_page_by_page_without_gaps
            a_list_names_a_game_once_and_only_one_that_exists
            games_that_are_over_are_not_open
            a_game_that_is_in_nobodys_list_is_gone
            a_deleted_game_leaves_nothing
            a_person_keeps_their_secret
            deadlines_are_found_earliest_first
            a_deadline_is_handed_to_one_caller
            running_games_come_whole_and_in_order
            many_entries_are_one_job
            the_key_stays
            a_document_is_kept_revision_by_revision
            documents_are_listed_latest_first_and_belong_to_one_person
            documents_that_are_due_come_earliest_first
            writing_goes_on_when_nobody_waits
            reads_are_answered_while_others_write
            a_guest_becomes_an_account_and_their_cookie_is_nobodys
            a_handle_is_one_persons_and_a_person_has_one
            nothing_happens_to_an_account_that_is_not_there
            whoever_knew_the_old_password_comes_too_late
            a_recovery_code_is_good_once
            sessions_are_found_seen_and_ended
            sessions_do_not_pile_up
            tokens_say_what_they_are_good_for
            passkeys_are_found_counted_and_ended
            a_challenge_is_answered_once
            what_the_owner_decides_is_kept_and_written_down
            an_offer_is_there_until_it_is_taken_withdrawn_or_too_old
            an_offer_is_taken_once
            offers_by_correspondence_hide_no_others
            only_so_many_offers_wait
            two_offers_become_one_game_or_none
            whoever_plays_offers_nothing_else_that_needs_them
            a_game_counts_once_and_for_the_ratings_it_was_computed_from
            a_rating_and_the_end_of_its_game_are_kept_together
            what_someone_played_is_counted_and_listed
            rated_games_that_go_on_are_known
            who_is_blocked_is_known_from_both_sides
            the_best_are_those_of_whom_enough_is_known
        }
    };
}

fn game_id(text: &str) -> GameId {
    text.parse().unwrap()
}

fn command(text: &str) -> CommandId {
    text.parse().unwrap()
}

fn person(who: i64) -> Seat {
    Seat::Person { who: PersonId(who), name: Called::Name("Ana".parse().unwrap()) }
}

/// A game on its way: the table, and what is written for each step.
#[derive(Clone, Debug)]
struct Game {
    id: GameId,
    setup: Setup,
    table: Table,
    seq: Seq,
    log: Vec<StoredEntry>,
}

impl Game {
    fn new(id: &str, at: At, seats: ByColor<Seat>, rules: Rules) -> Game {
        let setup = Setup::new(at, seats, rules);
        let table = Table::new(setup.clone()).unwrap();
        Game { id: game_id(id), setup, table, seq: Seq(0), log: Vec::new() }
    }

    /// One person on both sides, without a clock.
    fn casual(id: &str, at: At) -> Game {
        Game::new(id, at, ByColor { black: person(1), white: person(1) }, Preset::Casual.rules())
    }

    /// Two people with a clock each.
    fn timed(id: &str, at: At) -> Game {
        Game::new(id, at, ByColor { black: person(1), white: person(2) }, Preset::Tournament.rules())
    }

    /// Begun by person 1 with a command named like the game.
    fn begin(&self) -> Write {
        let summary = Summary::of(&self.table);
        let (game, setup) = (self.id.clone(), self.setup.clone());
        Write::Begin(Box::new(Begun { game, setup, maker: PersonId(1), command: command(self.id.as_str()), summary }))
    }

    fn list(&self, who: i64) -> Write {
        Write::List { who: PersonId(who), game: self.id.clone(), begun: self.setup.at }
    }

    fn hide(&self, who: i64) -> Write {
        Write::Hide { who: PersonId(who), game: self.id.clone() }
    }

    fn delete(&self) -> Write {
        Write::Delete { game: self.id.clone(), seq: self.seq }
    }

    fn enter(&mut self, at: At, by: Color, action: Action, cause: Option<(PersonId, CommandId)>) -> Write {
        let entry = Entry::new(at, Some(by), action);
        self.table = self.table.after(&entry).unwrap();
        self.seq = self.seq.next();
        self.log.push(StoredEntry { by: cause.clone(), entry: entry.clone() });
        let summary = Summary::of(&self.table);
        Write::Enter(Box::new(Entered { game: self.id.clone(), seq: self.seq, by: cause, entry, summary }))
    }

    /// Plays the first move there is.
    fn play(&mut self, at: At) -> Write {
        let (position, ply) = (self.table.position(), self.table.ply());
        let square: Square = position.legal().into_iter().next().unwrap();
        self.enter(at, position.turn().unwrap(), Action::Play { square, ply }, None)
    }

    fn resign(&mut self, at: At) -> Write {
        self.enter(at, Color::Black, Action::Resign {}, None)
    }

    fn stored(&self) -> Stored {
        let (game, setup) = (self.id.clone(), self.setup.clone());
        Stored { game, setup, invites: ByColor { black: None, white: None }, log: self.log.clone() }
    }

    fn listed(&self) -> Listed {
        Listed { game: self.id.clone(), begun: self.setup.at, summary: Some(Summary::of(&self.table)) }
    }
}

fn ids(listed: &[Listed]) -> Vec<&str> {
    listed.iter().map(|listed| listed.game.as_str()).collect()
}

pub async fn what_was_written_is_there_after_opening_again(place: &impl Place) {
    let mut game = Game::casual("a", 1);
    let writes = vec![
        Write::Person { who: PersonId(1), secret: [7; 32] },
        game.begin(),
        game.list(1),
        game.enter(
            5,
            Color::Black,
            Action::Play { square: Square::F5, ply: Ply(0) },
            Some((PersonId(1), command("p1"))),
        ),
        Write::Alive { at: 77 },
    ];
    let store = place.open();
    assert_eq!(store.last_alive().await, Ok(None));
    store.write(writes).await.unwrap();
    drop(store);
    let store = place.open();
    assert_eq!(store.game(&game.id).await, Ok(Some(game.stored())));
    assert_eq!(store.list(PersonId(1), None, 9).await, Ok(vec![game.listed()]));
    assert_eq!(store.last_alive().await, Ok(Some(77)));
    assert_eq!(store.begun_by(PersonId(1), &command("a")).await, Ok(Some(game_id("a"))));
    assert_eq!(store.holder(&[7; 32]).await, Ok(Some(Holder::Guest(PersonId(1)))));
    assert_eq!(store.game(&game_id("b")).await, Ok(None));
    assert_eq!(store.begun_by(PersonId(2), &command("a")).await, Ok(None));
    assert_eq!(store.holder(&[8; 32]).await, Ok(None));
    store.write(vec![Write::Alive { at: 70 }]).await.unwrap();
    assert_eq!(store.last_alive().await, Ok(Some(70)), "the last one said so");
}

pub async fn a_job_is_kept_whole_or_not_at_all(place: &impl Place) {
    let store = place.open();
    let (mut a, mut b) = (Game::casual("a", 1), Game::casual("b", 1));
    store.write(vec![a.begin(), a.list(1), a.clone().play(2)]).await.unwrap();
    // The last of them cannot be kept.
    let job = vec![
        Write::Person { who: PersonId(9), secret: [9; 32] },
        Write::Alive { at: 5 },
        b.begin(),
        b.list(1),
        b.play(3),
        a.hide(1),
        a.play(2),
    ];
    assert_eq!(store.write(job).await, Err(StoreError::Conflict));
    assert_eq!(store.game(&b.id).await, Ok(None));
    assert_eq!(store.begun_by(PersonId(1), &command("b")).await, Ok(None));
    assert_eq!(ids(&store.list(PersonId(1), None, 9).await.unwrap()), ["a"]);
    assert_eq!(store.holder(&[9; 32]).await, Ok(None));
    assert_eq!(store.last_alive().await, Ok(None));
    assert_eq!(store.write(Vec::new()).await, Ok(()));
}

pub async fn a_log_has_no_gaps_and_no_number_twice(place: &impl Place) {
    let store = place.open();
    let mut game = Game::casual("a", 1);
    store.write(vec![game.begin()]).await.unwrap();
    let (first, second, third) = (game.play(2), game.play(3), game.play(4));
    assert_eq!(store.write(vec![second.clone()]).await, Err(StoreError::Conflict), "1 is missing");
    store.write(vec![first.clone()]).await.unwrap();
    assert_eq!(store.write(vec![first.clone()]).await, Err(StoreError::Conflict), "1 is taken");
    assert_eq!(store.write(vec![third.clone()]).await, Err(StoreError::Conflict), "2 is missing");
    store.write(vec![second, third]).await.unwrap();
    assert_eq!(store.game(&game.id).await, Ok(Some(game.stored())));
    let mut nowhere = Game::casual("b", 1);
    assert_eq!(store.write(vec![nowhere.play(2)]).await, Err(StoreError::Conflict), "there is no such game");
    assert_eq!(store.write(vec![game.begin()]).await, Err(StoreError::Conflict), "there is such a game");
}

pub async fn a_refused_job_does_not_spoil_others(place: &impl Place) {
    let store = place.open();
    let mut games: Vec<Game> = (0..40).map(|n| Game::casual(&format!("g{n}"), 1)).collect();
    store.write(games.iter().map(Game::begin).collect()).await.unwrap();
    // Two for each number of each game, all at once.
    let jobs = games.iter_mut().flat_map(|game| {
        let job = game.play(2);
        [job.clone(), job]
    });
    let tasks: Vec<_> = jobs
        .map(|job| {
            let store = store.clone();
            tokio::spawn(async move { store.write(vec![job]).await })
        })
        .collect();
    let mut results = Vec::new();
    for task in tasks {
        results.push(task.await.unwrap());
    }
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), games.len());
    assert_eq!(results.iter().filter(|result| **result == Err(StoreError::Conflict)).count(), games.len());
    for game in &games {
        assert_eq!(store.game(&game.id).await, Ok(Some(game.stored())));
    }
}

pub async fn a_command_begins_one_game_and_makes_one_entry(place: &impl Place) {
    let store = place.open();
    let mut game = Game::casual("a", 1);
    store.write(vec![game.begin()]).await.unwrap();
    let Write::Begin(mut again) = Game::casual("b", 2).begin() else { unreachable!() };
    again.command = command("a");
    assert_eq!(store.write(vec![Write::Begin(again.clone())]).await, Err(StoreError::Conflict));
    again.maker = PersonId(2);
    store.write(vec![Write::Begin(again)]).await.unwrap();
    assert_eq!(store.begun_by(PersonId(2), &command("a")).await, Ok(Some(game_id("b"))), "someone else's command");

    let by = |who: i64, id: &str| Some((PersonId(who), command(id)));
    let play = |game: &mut Game, square, ply, by| {
        let turn = game.table.turn().unwrap();
        game.enter(3, turn, Action::Play { square, ply }, by)
    };
    store.write(vec![play(&mut game, Square::F5, Ply(0), by(1, "x"))]).await.unwrap();
    let same = play(&mut game.clone(), Square::D6, Ply(1), by(1, "x"));
    assert_eq!(store.write(vec![same]).await, Err(StoreError::Conflict));
    store.write(vec![play(&mut game, Square::D6, Ply(1), by(2, "x"))]).await.unwrap();
    assert_eq!(store.game(&game.id).await, Ok(Some(game.stored())));
}

pub async fn a_summary_comes_back_as_it_was_written(place: &impl Place) {
    let store = place.open();
    let waiting = ByColor { black: person(1), white: Seat::Open };
    let computer = ByColor { black: Seat::Computer { level: 3 }, white: person(1) };
    let mut games = vec![
        Game::new("waiting", 1, waiting, Preset::Casual.rules()),
        Game::new("computer", 2, computer, Preset::Casual.rules()),
        Game::timed("timed", 3),
        Game::casual("resigned", 4),
        Game::casual("finished", 5),
        Game::casual("scrapped", 6),
    ];
    for game in &mut games {
        store.write(vec![game.begin(), game.list(1)]).await.unwrap();
        assert_eq!(store.list(PersonId(1), None, 1).await, Ok(vec![game.listed()]), "before the first move");
        let writes = match game.id.as_str() {
            "timed" => vec![game.play(1000), game.play(2500)],
            "resigned" => vec![game.play(7), game.resign(8)],
            "finished" => {
                let mut writes = Vec::new();
                while game.table.verdict().is_none() {
                    writes.push(game.play(9));
                }
                writes
            }
            "scrapped" => vec![game.enter(9, Color::Black, Action::Scrap {}, None)],
            _ => continue,
        };
        store.write(writes).await.unwrap();
    }
    let listed = store.list(PersonId(1), None, 9).await.unwrap();
    games.reverse();
    assert_eq!(listed, games.iter().map(Game::listed).collect::<Vec<_>>());
    // The games are as different as they should be.
    let summary = |id: &str| {
        let one = listed.iter().find(|listed| listed.game.as_str() == id).unwrap();
        one.summary.clone().unwrap()
    };
    assert_eq!(summary("waiting").status, Status::Waiting);
    assert_eq!((summary("computer").status, summary("computer").turn), (Status::Playing, Some(Color::Black)));
    assert!(summary("timed").deadline.is_some_and(|at| at > 2500));
    assert_eq!(summary("resigned").verdict.unwrap().winner, Some(Color::White));
    assert!(summary("finished").ply.0 > 8 && summary("finished").turn.is_none());
    assert_eq!(summary("scrapped").verdict.unwrap().ending, table::Ending::Scrapped);
}

pub async fn lists_are_read_page_by_page_without_gaps(place: &impl Place) {
    let store = place.open();
    // Three begun at a time, so that the id has to decide.
    let games: Vec<Game> = (0..25u64).map(|n| Game::casual(&format!("g{n:02}"), n / 3)).collect();
    for game in &games {
        store.write(vec![game.begin(), game.list(1)]).await.unwrap();
    }
    let mut seen = Vec::new();
    let mut before: Option<GameId> = None;
    loop {
        let page = store.list(PersonId(1), before.as_ref(), 4).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.game.clone());
        seen.extend(page.iter().map(|listed| listed.game.to_string()));
    }
    let wanted: Vec<String> = (0..25).rev().map(|n| format!("g{n:02}")).collect();
    assert_eq!(seen, wanted);
    assert_eq!(store.list(PersonId(2), None, 4).await, Ok(Vec::new()));
    assert_eq!(store.list(PersonId(1), None, 0).await, Ok(Vec::new()));
    // From a game that is not there, a list begins with the latest: nothing is out of reach.
    assert_eq!(ids(&store.list(PersonId(1), Some(&game_id("gone")), 2).await.unwrap()), ["g24", "g23"]);
    // From one that is in somebody else's list only, it goes on where that one would be.
    store.write(vec![games[10].list(2), games[10].hide(1)]).await.unwrap();
    assert_eq!(ids(&store.list(PersonId(1), Some(&game_id("g10")), 2).await.unwrap()), ["g09", "g08"]);
}

pub async fn a_list_names_a_game_once_and_only_one_that_exists(place: &impl Place) {
    let store = place.open();
    let game = Game::casual("a", 1);
    assert_eq!(store.write(vec![game.list(1)]).await, Err(StoreError::Conflict), "there is no such game");
    store.write(vec![game.begin(), game.list(1), game.list(1)]).await.unwrap();
    store.write(vec![game.list(1), game.list(2)]).await.unwrap();
    for who in [1, 2] {
        assert_eq!(store.list(PersonId(who), None, 9).await, Ok(vec![game.listed()]));
    }
}

pub async fn games_that_are_over_are_not_open(place: &impl Place) {
    let store = place.open();
    assert_eq!(store.open_games(PersonId(1)).await, Ok(0));
    let mut games: Vec<Game> = (0..5).map(|n| Game::casual(&format!("g{n}"), 1)).collect();
    for game in &games {
        store.write(vec![game.begin(), game.list(1), game.list(2)]).await.unwrap();
    }
    assert_eq!(store.open_games(PersonId(1)).await, Ok(5));
    let over: Vec<Write> = games[..2].iter_mut().map(|game| game.resign(2)).collect();
    store.write(over).await.unwrap();
    assert_eq!(store.open_games(PersonId(1)).await, Ok(3));
    let [over, begun, none] = ["g0", "g2", "nowhere"].map(|game| game.parse::<GameId>().unwrap());
    let mut lengths = store.lengths(&[begun.clone(), none, over.clone()]).await.unwrap();
    lengths.sort();
    assert_eq!(lengths, [(over, Seq(1)), (begun, Seq(0))]);
    store.write(vec![games[2].hide(1), games[3].delete()]).await.unwrap();
    assert_eq!(store.open_games(PersonId(1)).await, Ok(1));
    assert_eq!(store.open_games(PersonId(2)).await, Ok(2));
    assert_eq!(store.unfinished(PersonId(1)).await, Ok(vec![games[4].listed()]));
    assert_eq!(store.unfinished(PersonId(2)).await, Ok(vec![games[4].listed(), games[2].listed()]));
    // One that enters a list after its end was never open there.
    store.write(vec![games[0].list(3)]).await.unwrap();
    assert_eq!(store.open_games(PersonId(3)).await, Ok(0));
}

pub async fn a_game_that_is_in_nobodys_list_is_gone(place: &impl Place) {
    let store = place.open();
    let mut game = Game::casual("a", 1);
    store.write(vec![game.begin(), game.list(1), game.list(2), game.play(2)]).await.unwrap();
    store.write(vec![game.hide(1)]).await.unwrap();
    assert!(store.list(PersonId(1), None, 9).await.unwrap().is_empty());
    assert_eq!(store.game(&game.id).await, Ok(Some(game.stored())), "the other still has it");
    // Whoever does not have it cannot make it disappear.
    store.write(vec![game.hide(1), game.hide(3)]).await.unwrap();
    assert_eq!(ids(&store.list(PersonId(2), None, 9).await.unwrap()), ["a"]);
    store.write(vec![game.hide(2)]).await.unwrap();
    assert_eq!(store.game(&game.id).await, Ok(None));
    assert_eq!(store.write(vec![game.play(3)]).await, Err(StoreError::Conflict));
    // A game that never was in a list stays: nobody has hidden it.
    let unlisted = Game::casual("b", 1);
    store.write(vec![unlisted.begin(), unlisted.hide(1)]).await.unwrap();
    assert_eq!(store.game(&unlisted.id).await, Ok(Some(unlisted.stored())));
}

pub async fn a_deleted_game_leaves_nothing(place: &impl Place) {
    let store = place.open();
    let (mut game, mut other) = (Game::timed("a", 1), Game::timed("b", 1));
    for game in [&mut game, &mut other] {
        store.write(vec![game.begin(), game.list(1), game.list(2), game.play(2)]).await.unwrap();
    }
    let too_early = Write::Delete { game: game.id.clone(), seq: Seq(0) };
    assert_eq!(store.write(vec![too_early]).await, Err(StoreError::Conflict), "somebody has played meanwhile");
    assert_eq!(store.game(&game.id).await, Ok(Some(game.stored())));
    store.write(vec![game.delete()]).await.unwrap();
    assert_eq!(store.game(&game.id).await, Ok(None));
    assert_eq!(store.write(vec![game.delete()]).await, Err(StoreError::Conflict), "gone already");
    assert_eq!(store.begun_by(PersonId(1), &command("a")).await, Ok(None));
    for who in [1, 2] {
        assert_eq!(ids(&store.list(PersonId(who), None, 9).await.unwrap()), ["b"]);
        assert_eq!(store.open_games(PersonId(who)).await, Ok(1));
    }
    assert_eq!(store.due(At::MAX, 9).await.unwrap().len(), 1);
    assert_eq!(store.running(None, 9).await, Ok(vec![other.stored()]));
    assert_eq!(store.write(vec![game.play(3)]).await, Err(StoreError::Conflict));
    // Nothing of the old log comes back in a game of the same name.
    let again = Game::timed("a", 5);
    store.write(vec![again.begin()]).await.unwrap();
    assert_eq!(store.game(&again.id).await, Ok(Some(again.stored())));
}

pub async fn a_person_keeps_their_secret(place: &impl Place) {
    let store = place.open();
    let person = |who: i64, secret: u8| vec![Write::Person { who: PersonId(who), secret: [secret; 32] }];
    store.write(person(5, 1)).await.unwrap();
    assert_eq!(store.write(person(5, 1)).await, Ok(()), "known already");
    assert_eq!(store.write(person(5, 2)).await, Err(StoreError::Conflict), "someone else's number");
    assert_eq!(store.write(person(6, 1)).await, Err(StoreError::Conflict), "someone else's secret");
    assert_eq!(store.holder(&[1; 32]).await, Ok(Some(Holder::Guest(PersonId(5)))));
    assert_eq!(store.holder(&[2; 32]).await, Ok(None));
    store.write(person(-6, 2)).await.unwrap();
    assert_eq!(store.holder(&[2; 32]).await, Ok(Some(Holder::Guest(PersonId(-6)))));
}

pub async fn deadlines_are_found_earliest_first(place: &impl Place) {
    let store = place.open();
    let mut games: Vec<Game> = (0..6).map(|n| Game::timed(&format!("g{n}"), 0)).collect();
    games.push(Game::casual("no clock", 0));
    for (n, game) in games.iter_mut().enumerate() {
        // The clock starts with the first move; the last game's first.
        store.write(vec![game.begin(), game.play(1000 * (10 - n as u64))]).await.unwrap();
    }
    let deadline = |game: &Game| (game.table.deadline().unwrap(), game.id.clone());
    let wanted: Vec<(At, GameId)> = games[..6].iter().rev().map(deadline).collect();
    assert_eq!(store.due(At::MAX, 99).await, Ok(wanted.clone()));
    assert_eq!(store.due(At::MAX, 2).await, Ok(wanted[..2].to_vec()));
    assert_eq!(store.due(wanted[3].0, 99).await, Ok(wanted[..4].to_vec()));
    assert_eq!(store.due(wanted[0].0 - 1, 99).await, Ok(Vec::new()));
    // A move changes the deadline, the end takes it away.
    let writes = vec![games[5].play(900_000), games[4].resign(900_000)];
    store.write(writes).await.unwrap();
    let mut wanted: Vec<(At, GameId)> = [0, 1, 2, 3, 5].iter().map(|&n: &usize| deadline(&games[n])).collect();
    wanted.sort();
    assert_eq!(store.due(At::MAX, 99).await, Ok(wanted));
}

pub async fn a_deadline_is_handed_to_one_caller(place: &impl Place) {
    let store = place.open();
    let mut games: Vec<Game> = (0..6).map(|n| Game::timed(&format!("g{n}"), 0)).collect();
    for (n, game) in games.iter_mut().enumerate() {
        store.write(vec![game.begin(), game.play(1000 * (n as u64 + 1))]).await.unwrap();
    }
    let deadline = |game: &Game| (game.table.deadline().unwrap(), game.id.clone());
    let wanted: Vec<(At, GameId)> = games.iter().map(deadline).collect();
    let (first, last) = (wanted[0].0, wanted[5].0);
    assert_eq!(store.claim_due(first - 1, 9, last).await, Ok(Vec::new()), "before its time");
    assert_eq!(store.claim_due(last, 2, last + 50).await, Ok(wanted[..2].to_vec()));
    assert_eq!(store.claim_due(last, 9, last + 90).await, Ok(wanted[2..].to_vec()));
    assert_eq!(store.claim_due(last + 49, 9, last + 90).await, Ok(Vec::new()), "all are taken");
    assert_eq!(store.due(last, 9).await, Ok(wanted.clone()), "and still due");
    // Whoever has one and does nothing loses it.
    assert_eq!(store.claim_due(last + 50, 9, last + 90).await, Ok(wanted[..2].to_vec()));
    // A move makes it another deadline, which nobody has.
    let play = games[5].play(last);
    store.write(vec![play]).await.unwrap();
    let moved = deadline(&games[5]);
    let until = moved.0 + 1000;
    let again = store.claim_due(moved.0, 9, until).await.unwrap();
    assert_eq!(again.last(), Some(&moved));
    // Many at once: nobody is handed what another has.
    let by = until;
    let claims = (0..8).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.claim_due(by, 2, by + 1000).await.unwrap() })
    });
    let mut seen: Vec<(At, GameId)> = Vec::new();
    for claim in claims.collect::<Vec<_>>() {
        seen.extend(claim.await.unwrap());
    }
    seen.extend(store.claim_due(by, 9, by + 1000).await.unwrap());
    seen.sort();
    let mut all: Vec<(At, GameId)> = games.iter().map(deadline).collect();
    all.sort();
    assert_eq!(seen, all);
}

pub async fn running_games_come_whole_and_in_order(place: &impl Place) {
    let store = place.open();
    let mut games: Vec<Game> = (0..7).map(|n| Game::timed(&format!("g{n}"), 100 - n)).collect();
    for game in games.iter_mut().rev() {
        store.write(vec![game.begin(), game.play(200), game.play(300)]).await.unwrap();
    }
    let over = games[3].resign(400);
    let idle = Game::timed("g9", 0); // no clock runs before the first move
    store.write(vec![over, idle.begin()]).await.unwrap();
    games.remove(3);
    let mut seen = Vec::new();
    let mut after: Option<GameId> = None;
    loop {
        let page = store.running(after.as_ref(), 4).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.game.clone());
        seen.extend(page);
    }
    assert_eq!(seen, games.iter().map(Game::stored).collect::<Vec<_>>());
}

pub async fn many_entries_are_one_job(place: &impl Place) {
    let store = place.open();
    let mut games: Vec<Game> = (0..1000).map(|n| Game::timed(&format!("g{n:03}"), 1)).collect();
    store.write(games.iter().map(Game::begin).collect()).await.unwrap();
    store.write(games.iter_mut().map(|game| game.play(2)).collect()).await.unwrap();
    assert_eq!(store.due(At::MAX, 2000).await.unwrap().len(), 1000);
    assert_eq!(store.game(&games[777].id).await, Ok(Some(games[777].stored())));
    assert!(store.health().is_well() && store.health().last_commit.is_some());
}

pub async fn the_key_stays(place: &impl Place) {
    let store = place.open();
    let key = store.key();
    assert_ne!(key.0, [0; 32]);
    drop(store);
    assert_eq!(place.open().key(), key);
}

const KIND: DocumentKind = DocumentKind::STUDY;

fn document(who: i64, id: &str, revision: u64, changed: At, due: Option<At>) -> Document {
    let key = DocumentKey { who: PersonId(who), kind: KIND, id: id.parse().unwrap() };
    Document { key, revision, changed, due, head: format!("head {id}"), body: format!("body {revision} of {id}") }
}

fn keep(document: &Document) -> Write {
    Write::Keep(Box::new(document.clone()))
}

pub async fn a_document_is_kept_revision_by_revision(place: &impl Place) {
    let store = place.open();
    let first = document(1, "a", 1, 10, None);
    assert_eq!(store.document(&first.key).await, Ok(None));
    store.write(vec![keep(&first)]).await.unwrap();
    assert_eq!(store.document(&first.key).await, Ok(Some(first.clone())));
    // Somebody who has not seen the last revision does not write over it; nor does the first one come twice.
    for revision in [0, 1, 3] {
        let late = document(1, "a", revision, 11, None);
        assert_eq!(store.write(vec![Write::Alive { at: 5 }, keep(&late)]).await, Err(StoreError::Conflict));
    }
    assert_eq!(store.last_alive().await, Ok(None), "all of a job or nothing");
    let second = document(1, "a", 2, 11, Some(70));
    store.write(vec![keep(&second)]).await.unwrap();
    drop(store);
    let store = place.open();
    assert_eq!(store.document(&first.key).await, Ok(Some(second.clone())));
    store.write(vec![Write::Discard(first.key.clone()), Write::Discard(first.key.clone())]).await.unwrap();
    assert_eq!(store.document(&first.key).await, Ok(None));
    assert_eq!(store.count_documents(PersonId(1), KIND, At::MAX).await, Ok(DocumentCounts::default()));
    // What is gone may begin again.
    store.write(vec![keep(&first)]).await.unwrap();
}

pub async fn documents_are_listed_latest_first_and_belong_to_one_person(place: &impl Place) {
    let store = place.open();
    let all: Vec<Document> = (0..25).map(|n| document(1, &format!("d{n:02}"), 1, 100 + n / 2, None)).collect();
    let other_kind = DocumentKey { kind: DocumentKind("other"), ..all[0].key.clone() };
    let others = [document(2, "d00", 1, 500, None), Document { key: other_kind, ..document(1, "x", 1, 600, None) }];
    store.write(all.iter().chain(&others).map(keep).collect()).await.unwrap();
    let mut seen = Vec::new();
    let mut before = None;
    loop {
        let page = store.documents(PersonId(1), KIND, before.as_ref(), 7).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.id.clone());
        seen.extend(page);
    }
    let wanted: Vec<_> = all.iter().rev().map(|one| (one.key.id.clone(), one.changed, one.head.clone())).collect();
    assert_eq!(seen.into_iter().map(|head| (head.id, head.changed, head.head)).collect::<Vec<_>>(), wanted);
    assert_eq!(store.document(&others[0].key).await, Ok(Some(others[0].clone())));
    assert_eq!(store.document(&others[1].key).await, Ok(Some(others[1].clone())));
    assert_eq!(store.document(&document(3, "d00", 1, 0, None).key).await, Ok(None), "a stranger has none");
    // A change brings it to the front.
    store.write(vec![keep(&document(1, "d05", 2, 900, None))]).await.unwrap();
    let first = store.documents(PersonId(1), KIND, None, 1).await.unwrap().remove(0);
    assert_eq!((first.id.as_str(), first.changed), ("d05", 900));
}

pub async fn documents_that_are_due_come_earliest_first(place: &impl Place) {
    let store = place.open();
    let due = |n: u64| if n.is_multiple_of(3) { None } else { Some(1000 - 10 * n) };
    let all: Vec<Document> = (0..30).map(|n| document(1, &format!("d{n:02}"), 1, n, due(n))).collect();
    let strangers = document(2, "s", 1, 1, Some(1));
    store.write(all.iter().chain([&strangers]).map(keep).collect()).await.unwrap();
    let mut wanted: Vec<&Document> = all.iter().filter(|one| one.due.is_some_and(|due| due <= 900)).collect();
    wanted.sort_by_key(|one| one.due);
    let counts = store.count_documents(PersonId(1), KIND, 900).await.unwrap();
    assert_eq!(counts, DocumentCounts { all: 30, due: wanted.len() as u64 });
    let found = store.due_documents(PersonId(1), KIND, 900, 4).await.unwrap();
    assert_eq!(found.iter().collect::<Vec<_>>(), wanted[..4]);
    assert_eq!(store.due_documents(PersonId(1), KIND, At::MAX, 99).await.unwrap().len(), 20);
}

pub async fn writing_goes_on_when_nobody_waits(place: &impl Place) {
    let store = place.open();
    let games: Vec<Game> = (0..50).map(|n| Game::casual(&format!("g{n}"), 1)).collect();
    for game in &games {
        // Asked once, and then given up.
        tokio::select! { biased; _ = store.write(vec![game.begin()]) => {}, () = std::future::ready(()) => {} }
    }
    store.write(vec![Write::Alive { at: 1 }]).await.unwrap();
    drop(store);
    let store = place.open();
    for game in &games {
        assert_eq!(store.game(&game.id).await, Ok(Some(game.stored())));
    }
}

pub async fn reads_are_answered_while_others_write(place: &impl Place) {
    let store = place.open();
    let games: Vec<Game> = (0..8).map(|n| Game::casual(&format!("g{n}"), 1)).collect();
    store.write(games.iter().flat_map(|game| [game.begin(), game.list(1)]).collect()).await.unwrap();
    let ids: BTreeSet<GameId> = games.iter().map(|game| game.id.clone()).collect();
    let writers = games.into_iter().map(|mut game| {
        let store = store.clone();
        tokio::spawn(async move {
            for at in 10..40 {
                if game.table.verdict().is_some() {
                    break;
                }
                store.write(vec![game.play(at)]).await.unwrap();
                let read = store.game(&game.id).await.unwrap().unwrap();
                assert_eq!(read, game.stored(), "whoever was answered reads what they wrote");
            }
        })
    });
    let readers = (0..4).map(|_| {
        let (store, ids) = (store.clone(), ids.clone());
        tokio::spawn(async move {
            for _ in 0..20 {
                let listed = store.list(PersonId(1), None, 99).await.unwrap();
                assert_eq!(listed.into_iter().map(|listed| listed.game).collect::<BTreeSet<_>>(), ids);
                for id in &ids {
                    let stored = store.game(id).await.unwrap().unwrap();
                    let table = Table::new(stored.setup).unwrap();
                    assert!(table.replay(stored.log.iter().map(|kept| &kept.entry)).is_ok());
                }
            }
        })
    });
    let tasks: Vec<_> = writers.chain(readers).collect();
    for task in tasks {
        task.await.unwrap();
    }
}

//! What grows or costs meets a limit, with a sentence; playing never does.

mod common;

use common::{House, Page, by_link, casual, config, two_here};
use serde_json::{Value, json};

/// More than anyone is allowed, and little enough to be done at once.
const LOOP: usize = 1000;

/// Asks again and again until it is refused: how often it was not, and the refusal.
async fn until_refused(page: &mut Page, mut ask: impl FnMut(usize) -> Value) -> (usize, Value) {
    for count in 0..LOOP {
        let answer = page.ask(ask(count)).await;
        if answer["type"] == "refused" {
            return (count, answer);
        }
    }
    panic!("{LOOP} times, and no limit");
}

#[tokio::test]
async fn beginning_and_scrapping_games_meets_a_limit_and_what_is_there_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut page, mut other) = (house.page().await, house.page().await);
    let (game, mut state) = page.begin(two_here(casual())).await;
    let mut latest = None;
    let mut begun = 0;
    let refused = loop {
        let answer = match latest.take() {
            None => page.ask(two_here(casual())).await,
            Some(game) => page.ask(json!({"type": "scrap", "game": game})).await,
        };
        if answer["type"] == "refused" {
            break answer;
        }
        if answer["seq"] == 0 {
            begun += 1;
            latest = Some(answer["game"].clone());
        }
        assert!(begun < LOOP, "no limit");
    };
    assert_eq!(refused["why"], "too_many");
    assert!(refused["text"].as_str().unwrap().contains("too much"), "{refused}");
    // Neither the game that is there nor anybody else notices.
    while state["view"]["status"] == "playing" {
        let done = page.play_first(&state).await;
        state = page.news(&game, done["seq"].as_u64().unwrap()).await;
    }
    other.begin(two_here(casual())).await;
}

#[tokio::test]
async fn a_refused_command_can_be_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (_, refused) = until_refused(&mut page, |_| two_here(casual())).await;
    let id = refused["id"].as_str().unwrap();
    // The allowance comes back with time, and the refusal is not the last word for this id.
    for _ in 0..LOOP {
        let answer = page.ask_as(id, two_here(casual())).await;
        if answer["type"] == "done" {
            return;
        }
        assert_eq!(answer["why"], "too_many");
        page.wait_for_ping().await;
    }
    panic!("refused for ever");
}

#[tokio::test]
async fn taking_back_without_end_meets_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (game, start) = page.begin(two_here(casual())).await;
    let mut taken = 0;
    let refused = loop {
        page.play_first(&start).await;
        let answer = page.ask(json!({"type": "takeback", "game": game, "ply": 1})).await;
        if answer["type"] == "refused" {
            break answer;
        }
        taken += 1;
        assert!(taken < LOOP, "no limit");
    };
    assert_eq!(refused["why"], "too_many");
    assert!(taken >= 60, "a whole game can be taken back, move by move: {taken}");
}

#[tokio::test]
async fn another_game_and_another_meets_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (mut game, _) = page.begin(two_here(casual())).await;
    let mut begun = 0;
    let refused = loop {
        let answer = page.ask(json!({"type": "again", "game": game, "swap": false})).await;
        if answer["type"] == "refused" {
            break answer;
        }
        game = answer["game"].as_str().unwrap().to_owned();
        begun += 1;
        assert!(begun < LOOP, "no limit");
    };
    assert_eq!(refused["why"], "too_many");
    let (lists, refused) = until_refused(&mut house.page().await, |_| json!({"type": "list"})).await;
    assert!(lists >= 30 && refused["why"] == "too_many", "{lists} {refused}");
}

#[tokio::test]
async fn what_is_refused_again_and_again_is_refused_at_the_door() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut page, mut other) = (house.page().await, house.page().await);
    let (game, mut state) = other.begin(two_here(casual())).await;
    let why = |answer: Value| answer["why"].as_str().unwrap().to_owned();
    let mut told = Vec::new();
    for _ in 0..LOOP {
        told.push(why(page.ask(json!({"type": "play", "game": "k7q2m9x4tbcd", "square": "f5", "ply": 0})).await));
        if told.last().is_some_and(|why| why == "too_many") {
            break;
        }
    }
    assert_eq!(told.pop().as_deref(), Some("too_many"));
    assert!(told.len() >= 100 && told.iter().all(|why| why == "no_such_game"), "{told:?}");
    // It is the same in a game that is not theirs, and nobody else notices.
    assert_eq!(why(page.ask(json!({"type": "resign", "game": game})).await), "too_many");
    while state["view"]["status"] == "playing" {
        let done = other.play_first(&state).await;
        state = other.news(&game, done["seq"].as_u64().unwrap()).await;
    }
}

#[tokio::test]
async fn however_fast_two_people_play_they_are_not_limited() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let (mut game, state) = ana.begin(by_link(casual())).await;
    luis.open(&game).await;
    luis.done(json!({"type": "sit", "game": game, "invite": state["invites"]["white"], "name": "Luis"})).await;
    for _ in 0..4 {
        let mut state = ana.open(&game).await;
        luis.open(&game).await;
        while state["view"]["status"] == "playing" {
            let black = state["view"]["seats"][state["view"]["turn"].as_str().unwrap()]["you"] == true;
            let done = if black { ana.play_first(&state).await } else { luis.play_first(&state).await };
            let seq = done["seq"].as_u64().unwrap();
            state = ana.news(&game, seq).await;
            luis.news(&game, seq).await;
        }
        let first = ana.done(json!({"type": "again", "game": game, "swap": true})).await;
        assert_eq!(first["game"], game.as_str(), "a question to the other");
        let second = luis.done(json!({"type": "again", "game": game, "swap": true})).await;
        game = second["game"].as_str().unwrap().to_owned();
    }
}

#[tokio::test]
async fn the_owner_does_as_they_like() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(server::Config { home: true, ..config(folder.path()) }).await;
    let mut page = house.page().await;
    for _ in 0..50 {
        page.done(two_here(casual())).await;
    }
}

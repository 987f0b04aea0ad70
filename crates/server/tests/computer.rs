//! The computer, its clock, and those who wait for it.

mod common;

use analyst::Level;
use common::{House, against_computer, casual, config, sudden, two_here};
use serde_json::json;
use std::time::Duration;
use study::book::{self, Book};

#[tokio::test]
async fn the_computer_does_not_lose_on_time_even_when_every_engine_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = config(folder.path());
    settings.pause = Duration::from_secs(1); // longer than the clock could bear
    let house = House::start(settings).await;
    let (mut ana, mut eva) = (house.page().await, house.page().await);
    // Eva plays without a clock: their computer keeps the only engine busy for seconds.
    let mut strongest = against_computer(casual());
    strongest["seats"]["white"]["level"] = 18.into();
    let (eva_game, mut state) = eva.begin(strongest).await;
    // It knows the first moves by heart: Eva plays on until it has to think.
    loop {
        eva.play_first(&state).await;
        state = eva.news(&eva_game, state["seq"].as_u64().unwrap() + 1).await;
        let text = format!("{} O", state["view"]["board"].as_str().unwrap());
        let position = text.parse::<rules::Setup>().unwrap().position().unwrap();
        if book::choose(Book::shipped(), &position, 0, Level::STRONGEST.depth, 1).is_none() {
            break;
        }
        state = eva.news(&eva_game, state["seq"].as_u64().unwrap() + 1).await;
    }
    let (game, mut state) = ana.begin(against_computer(sudden(4000))).await;
    while state["view"]["status"] == "playing" {
        if state["view"]["turn"] == "black" {
            ana.play_first(&state).await;
        }
        let seq = state["seq"].as_u64().unwrap();
        state = ana.news(&game, seq + 1).await;
    }
    let verdict = &state["view"]["verdict"];
    // A slow machine may cost Ana time, never the computer its own.
    assert_ne!((&verdict["ending"], &verdict["whose"]), (&json!("out_of_time"), &json!("white")), "{verdict}");
}

#[tokio::test]
async fn many_hints_for_one_person_do_not_hold_up_another() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut eva) = (house.page().await, house.page().await);
    let (game, _) = ana.begin(against_computer(casual())).await;
    for number in 0..60 {
        ana.send(&json!({"type": "hint", "id": format!("hint-{number}"), "game": game, "ply": 0})).await;
    }
    // The last of them has been heard when it is refused: one person has a bound.
    let last = ana.wait(|message| message["id"] == "hint-59").await;
    assert!(last["why"] == "busy" || last["why"] == "too_many", "{last}");
    let busy = |message: &serde_json::Value| message["why"] == "busy";
    assert!(busy(&last) || ana.early.iter().any(busy), "the engine's bound is another than that of commands");
    let (game, state) = eva.begin(against_computer(casual())).await;
    eva.play_first(&state).await;
    assert_eq!(eva.news(&game, 2).await["view"]["ply"], 2);
    ana.done(json!({"type": "ping"})).await;
    let answered = ana.early.iter().filter(|message| message["type"] == "hint").count();
    assert!(answered < 8, "Eva's game waited until every hint was given");
}

#[tokio::test]
async fn a_strong_computer_does_not_always_begin_in_the_same_way() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = house.page().await;
    let mut create = against_computer(casual());
    create["seats"] = json!({"black": {"kind": "computer", "level": 18}, "white": {"kind": "person", "name": "Ana"}});
    let mut first = std::collections::BTreeSet::new();
    // four squares: the chance that one is taken twenty times is one in 10^11
    for _ in 0..20 {
        let (game, state) = ana.begin(create.clone()).await;
        let state = if state["view"]["ply"] == 0 { ana.news(&game, 1).await } else { state };
        first.insert(state["moves"][0]["square"].as_str().unwrap().to_owned());
        if first.len() > 1 {
            break;
        }
    }
    assert!(first.len() > 1, "{first:?}");
    house.stop().await;
}

/// A game up to where one move gives a corner away.
const BEFORE_CORNER: &str =
    "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1";

#[tokio::test]
async fn a_hint_says_why_where_a_search_has_shown_it() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = house.page().await;
    let (game, _) = ana.begin(two_here(casual())).await;
    let moves: Vec<&str> = BEFORE_CORNER.as_bytes().chunks(2).map(|two| std::str::from_utf8(two).unwrap()).collect();
    for (ply, square) in moves.iter().enumerate() {
        ana.done(json!({"type": "play", "game": game, "square": square, "ply": ply})).await;
    }
    let hint = ana.done(json!({"type": "hint", "game": game, "ply": moves.len()})).await;
    let why = ana.wait(|message| message["type"] == "hint_reason").await;
    assert_eq!((&why["game"], &why["ply"], &why["square"]), (&json!(game), &json!(moves.len()), &hint["square"]));
    assert_eq!(why["reason"]["kind"], "gave_corner", "{why}");
    assert_ne!(why["instead_of"], why["square"]);
    // At the first move all are as good: the next hint's reason would come before that of one asked for later, and none does.
    let (fresh, _) = ana.begin(two_here(casual())).await;
    ana.done(json!({"type": "hint", "game": fresh, "ply": 0})).await;
    ana.done(json!({"type": "hint", "game": game, "ply": moves.len()})).await;
    let next = ana.wait(|message| message["type"] == "hint_reason").await;
    assert_eq!(next["game"], json!(game), "{next}");
}

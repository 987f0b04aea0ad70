//! What two people do to each other's game besides moving, over real sockets: leaving, pausing, talking, watching, being far away.

mod common;

use common::{House, Page, by_link, casual, config, request, sudden};
use serde_json::{Value, json};
use std::time::Duration;

/// A game between two people on two devices, both looking at it: its id.
async fn seated(ana: &mut Page, luis: &mut Page, rules: Value) -> String {
    let (game, state) = ana.begin(by_link(rules)).await;
    let invite = state["invites"]["white"].as_str().unwrap();
    luis.done(json!({"type": "sit", "game": game, "invite": invite, "name": "Luis"})).await;
    luis.open(&game).await;
    ana.news(&game, 1).await;
    game
}

fn of(kind: &str, game: &str) -> Value {
    json!({"type": kind, "game": game})
}

fn play(game: &str, square: &str, ply: u8) -> Value {
    json!({"type": "play", "game": game, "square": square, "ply": ply})
}

fn can(state: &Value, what: &str) -> bool {
    state["view"]["can"].as_array().unwrap().iter().any(|can| can == what)
}

fn days(days: u64) -> Value {
    let mut rules = casual();
    rules["time"] = json!({"kind": "per_move", "per_move_ms": days * 86_400_000});
    rules
}

#[tokio::test]
async fn a_game_is_aborted_before_ones_second_move_and_not_after() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis, mut eva) = (house.page().await, house.page().await, house.page().await);
    let game = seated(&mut ana, &mut luis, sudden(600_000)).await;
    assert_eq!(eva.ask(of("abort", &game)).await["why"], "not_yours");
    ana.done(play(&game, "f5", 0)).await;
    luis.done(play(&game, "d6", 1)).await;
    ana.done(play(&game, "c3", 2)).await;
    assert_eq!(ana.ask(of("abort", &game)).await["why"], "too_late_to_abort");
    let state = luis.news(&game, 4).await;
    assert!(can(&state, "abort"));
    let done = luis.done(of("abort", &game)).await;
    let over = ana.news(&game, done["seq"].as_u64().unwrap()).await;
    assert_eq!((&over["cause"], &over["view"]["verdict"]["ending"]), (&json!("aborted"), &json!("aborted")));
    assert_eq!(over["view"]["verdict"]["winner"], Value::Null);
    assert_eq!(luis.ask(of("abort", &game)).await["why"], "over");
    house.stop().await;
}

#[tokio::test]
async fn a_game_that_must_begin_soon_says_how_soon() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let mut rules = sudden(600_000);
    rules["prompt_start"] = true.into();
    let game = seated(&mut ana, &mut luis, rules).await;
    let left = ana.open(&game).await["view"]["first_move_ms"].as_u64().unwrap();
    assert!((1..=30_000).contains(&left), "{left}");
    ana.done(play(&game, "f5", 0)).await;
    let state = luis.news(&game, 2).await;
    assert!(state["view"]["first_move_ms"].as_u64().unwrap() <= 30_000);
    luis.done(play(&game, "d6", 1)).await;
    assert_eq!(ana.news(&game, 3).await["view"]["first_move_ms"], Value::Null);
    // It ends by itself when a clock shorter than that is used up, and nobody has lost.
    let mut short = sudden(1_000);
    short["prompt_start"] = true.into();
    let game = seated(&mut ana, &mut luis, short).await;
    let over = ana.news(&game, 2).await;
    assert_eq!(over["cause"], "clock");
    assert_eq!(
        (&over["view"]["verdict"]["ending"], &over["view"]["verdict"]["whose"]),
        (&json!("aborted"), &json!("black"))
    );
    house.stop().await;
}

#[tokio::test]
async fn who_is_there_is_not_claimed_from_and_who_leaves_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let game = seated(&mut ana, &mut luis, sudden(120_000)).await;
    ana.done(play(&game, "f5", 0)).await;
    let claim = |what: &str| json!({"type": "claim", "game": game, "what": what});
    assert_eq!(ana.ask(claim("win")).await["why"], "not_away_yet");
    assert_eq!(luis.ask(claim("win")).await["why"], "no_claim", "it is their own turn");
    luis.done(of("close", &game)).await;
    let left = ana.wait(|message| message["type"] == "presence" && message["here"]["white"] == false).await;
    let wait = left["claim_in_ms"]["black"].as_u64().unwrap();
    assert!((25_000..=30_000).contains(&wait), "{wait}");
    assert_eq!(left["claim_in_ms"]["white"], Value::Null);
    assert_eq!(ana.ask(claim("draw")).await["why"], "not_away_yet");
    // Whoever opens the game meanwhile reads the same.
    let state = ana.again(&house).await.open(&game).await;
    assert!(state["claim_in_ms"]["black"].as_u64().unwrap() <= wait);
    // Back in time.
    luis.open(&game).await;
    let back = ana.wait(|message| message["type"] == "presence" && message["here"]["white"] == true).await;
    assert_eq!(back["claim_in_ms"]["black"], Value::Null);
    // By correspondence nobody is ever claimed from.
    let slow = seated(&mut ana, &mut luis, days(3)).await;
    ana.done(play(&slow, "f5", 0)).await;
    luis.done(of("close", &slow)).await;
    let left = ana.wait(|message| message["type"] == "presence" && message["game"] == slow.as_str()).await;
    assert_eq!(left["claim_in_ms"], json!({"black": null, "white": null}));
    assert_eq!(ana.ask(json!({"type": "claim", "game": slow, "what": "win"})).await["why"], "no_claim");
    house.stop().await;
}

#[tokio::test]
async fn a_pause_is_agreed_on_and_so_is_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let game = seated(&mut ana, &mut luis, sudden(600_000)).await;
    ana.done(play(&game, "f5", 0)).await;
    luis.done(of("pause", &game)).await;
    let asked = ana.news(&game, 3).await;
    assert_eq!(asked["view"]["offer"], json!({"by": "white", "what": "pause"}));
    ana.done(json!({"type": "answer", "game": game, "what": "pause", "accept": true})).await;
    let paused = luis.news(&game, 4).await;
    assert_eq!((&paused["cause"], &paused["view"]["paused"]), (&json!("paused"), &json!(true)));
    assert_eq!(paused["view"]["clocks"]["running"], Value::Null);
    assert_eq!(luis.ask(play(&game, "d6", 1)).await["why"], "paused");
    // It stays so when everybody goes home and the server is started again.
    house.stop().await;
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (ana.again(&house).await, luis.again(&house).await);
    let state = ana.open(&game).await;
    assert_eq!(state["view"]["paused"], true);
    luis.open(&game).await;
    ana.done(of("resume", &game)).await;
    luis.done(json!({"type": "answer", "game": game, "what": "resume", "accept": true})).await;
    let going = ana.wait(|message| message["cause"] == "resumed").await;
    assert_eq!(going["view"]["clocks"]["running"], "white");
    luis.done(play(&game, "d6", 1)).await;
    house.stop().await;
}

#[tokio::test]
async fn phrases_are_between_the_players_until_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis, mut eva) = (house.page().await, house.page().await, house.page().await);
    let game = seated(&mut ana, &mut luis, casual()).await;
    eva.open(&game).await;
    let say = |phrase: &str| json!({"type": "say", "game": game, "phrase": phrase});
    assert_eq!(eva.ask(say("hello")).await["why"], "not_yours");
    assert_eq!(ana.ask(say("you_are_stupid")).await["why"], "bad_message");
    ana.done(say("good_luck")).await;
    let heard = luis.news(&game, 2).await;
    assert_eq!(
        (&heard["cause"], &heard["view"]["said"]),
        (&json!("said"), &json!([{"by": "black", "phrase": "good_luck"}]))
    );
    assert_eq!(eva.news(&game, 2).await["view"]["said"], json!([]));
    assert_eq!(ana.ask(say("hello")).await["why"], "said_enough", "not two at once");
    luis.done(say("thanks")).await;
    luis.done(of("resign", &game)).await;
    let over = eva.news(&game, 4).await;
    assert_eq!(over["view"]["said"].as_array().unwrap().len(), 2, "now those who watched may know");
    house.stop().await;
}

#[tokio::test]
async fn those_who_watch_are_counted_and_told_of_together() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let game = seated(&mut ana, &mut luis, casual()).await;
    let mut crowd = Vec::new();
    for _ in 0..6 {
        let mut page = house.page().await;
        let state = page.open(&game).await;
        assert_eq!(state["watchers"], crowd.len() + 1, "who comes reads how many there are");
        crowd.push(page);
    }
    // One person with two pages is one person.
    let mut second = crowd[0].again(&house).await;
    assert_eq!(second.open(&game).await["watchers"], 6);
    let told = |message: &Value| message["type"] == "presence" && message["watchers"] == 6;
    ana.wait(told).await;
    let others = ana.early.iter().filter(|message| message["type"] == "presence").count();
    assert!(others < 6, "not one message for each who came, but {others}");
    drop(crowd);
    drop(second);
    ana.wait(|message| message["type"] == "presence" && message["watchers"] == 0).await;
    house.stop().await;
}

#[tokio::test]
async fn a_player_far_away_gets_time_back_and_a_program_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let game = seated(&mut ana, &mut luis, sudden(600_000)).await;
    ana.done(play(&game, "f5", 0)).await;
    let far = Duration::from_millis(300);
    // The answer to a ping goes out with whatever is sent next: so far away is Luis.
    luis.wait_for_ping().await;
    tokio::time::sleep(far).await;
    luis.done(json!({"type": "ping"})).await;
    tokio::time::sleep(far).await;
    luis.done(play(&game, "d6", 1)).await;
    let state = ana.news(&game, 3).await;
    let lag = state["view"]["lag_ms"]["white"].as_u64().unwrap();
    assert!((1..=500).contains(&lag), "{lag}");
    assert_eq!(state["view"]["lag_ms"]["black"], 0);
    // The same person by a program's connection.
    let secret = luis.cookie.as_deref().unwrap().split_once('=').unwrap().1.to_owned();
    let bearer = format!("Bearer {secret}");
    let mut program = Page::try_with(house.address, &[("authorization", bearer.as_str())]).await.unwrap();
    assert_eq!(program.open(&game).await["view"]["seats"]["white"]["you"], true);
    ana.done(play(&game, "c3", 2)).await;
    program.wait_for_ping().await;
    tokio::time::sleep(far).await;
    program.done(json!({"type": "ping"})).await;
    tokio::time::sleep(far).await;
    program.done(play(&game, "d3", 3)).await;
    let state = ana.news(&game, 5).await;
    assert_eq!(state["view"]["lag_ms"]["white"], lag, "nothing more");
    // Whoever takes the game away reads the same.
    let file = request(house.address, "GET", &format!("/api/games/{game}/game.json"), "", "").await;
    let told: Value = serde_json::from_str(file.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!((&told["lag_ms"], &told["opening"]["en"]), (&state["view"]["lag_ms"], &json!("Perpendicular")));
    house.stop().await;
}

#[tokio::test]
async fn a_list_says_until_when_a_move_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let mut short = casual();
    short["time"] = json!({"kind": "per_move", "per_move_ms": 3_600_000});
    assert_eq!(ana.ask(by_link(short)).await["why"], "bad_rules", "an hour is no correspondence");
    let game = seated(&mut ana, &mut luis, days(2)).await;
    ana.done(play(&game, "f5", 0)).await;
    let listed = luis.done(json!({"type": "list"})).await["games"][0].clone();
    assert_eq!((&listed["game"], &listed["turn"]), (&json!(game), &json!("white")));
    let left = listed["until"].as_u64().unwrap() - listed["changed"].as_u64().unwrap();
    assert_eq!(left, 2 * 86_400_000 + 1);
    luis.done(of("resign", &game)).await;
    assert_eq!(luis.done(json!({"type": "list"})).await["games"][0]["until"], Value::Null);
    house.stop().await;
}

#[tokio::test]
async fn a_game_by_correspondence_is_resumed_by_number_after_a_restart_and_days_are_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let game = seated(&mut ana, &mut luis, days(1)).await;
    ana.done(play(&game, "f5", 0)).await;
    let had = luis.news(&game, 2).await["seq"].clone();
    house.stop().await;
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (ana.again(&house).await, luis.again(&house).await);
    let state = luis.done(json!({"type": "open", "game": game, "have": had})).await;
    assert_eq!((&state["cause"], &state["keep"]), (&json!("back"), &json!(1)), "the move it has is kept");
    assert_eq!(state["moves"], json!([]));
    let left = state["view"]["clocks"]["white"]["left_ms"].as_u64().unwrap();
    assert!((86_000_000..=86_400_000).contains(&left), "{left}");
    luis.done(play(&game, "d6", 1)).await;
    ana.open(&game).await;
    house.stop().await;
}

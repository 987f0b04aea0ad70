//! Lost connections, repeated commands, races, restarts.

mod common;

use common::{House, casual, config, sudden, two_here};
use serde_json::json;

#[tokio::test]
async fn the_same_command_again_gets_the_same_answer_even_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let created = page.ask_as("create", two_here(casual())).await;
    assert_eq!(page.ask_as("create", two_here(casual())).await, created);
    let game = created["game"].as_str().unwrap().to_owned();
    let play = json!({"type": "play", "game": game, "square": "f5", "ply": 0});
    let played = page.ask_as("play", play.clone()).await;
    assert_eq!(played["seq"], 1);
    assert_eq!(page.ask_as("play", play.clone()).await, played);
    let refused = page.ask_as("wrong", play.clone()).await;
    assert_eq!(refused["why"], "wrong_ply");
    assert_eq!(page.ask_as("wrong", play.clone()).await, refused);
    let again = page.ask_as("again", json!({"type": "again", "game": game, "swap": false})).await;
    house.stop().await;

    let house = House::start(config(folder.path())).await;
    let mut page = page.again(&house).await;
    assert_eq!(page.ask_as("create", two_here(casual())).await, created);
    assert_eq!(page.ask_as("play", play.clone()).await, played);
    assert_eq!(page.ask_as("again", json!({"type": "again", "game": game, "swap": false})).await, again);
    assert_eq!(page.open(&game).await["seq"], 2);
    assert_eq!(page.done(json!({"type": "list"})).await["games"].as_array().unwrap().len(), 2);
    // Another person's command with the same id is another command.
    let mut other = house.page().await;
    assert_eq!(other.ask_as("play", play).await["why"], "not_yours");
}

#[tokio::test]
async fn the_same_create_twice_at_once_begins_one_game() {
    let folder = tempfile::tempdir().unwrap();
    // The owner may begin as many games as they like.
    let house = House::start(server::Config { home: true, ..config(folder.path()) }).await;
    let mut page = house.page().await;
    let mut twin = page.again(&house).await;
    for round in 0..20 {
        let id = format!("create-{round}");
        let (a, b) = tokio::join!(page.ask_as(&id, two_here(casual())), twin.ask_as(&id, two_here(casual())));
        assert_eq!(a["game"], b["game"]);
    }
    assert_eq!(page.done(json!({"type": "list"})).await["games"].as_array().unwrap().len(), 20);
}

#[tokio::test]
async fn of_two_pages_that_play_at_once_one_is_first() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let mut twin = page.again(&house).await;
    let (game, mut state) = page.begin(two_here(casual())).await;
    twin.open(&game).await;
    let mut seq = 0;
    while state["view"]["status"] == "playing" {
        let legal = state["view"]["legal"].as_array().unwrap();
        let play = |index: usize| {
            let square = &legal[index % legal.len()]["square"];
            json!({"type": "play", "game": game, "square": square, "ply": state["view"]["ply"]})
        };
        let (a, b) = tokio::join!(page.ask(play(0)), twin.ask(play(1)));
        let (won, lost) = if a["type"] == "done" { (a, b) } else { (b, a) };
        seq += 1;
        assert_eq!((&won["type"], &won["seq"]), (&json!("done"), &json!(seq)));
        assert!(lost["why"] == "wrong_ply" || lost["why"] == "over", "{lost}");
        state = page.news(&game, seq).await;
        assert_eq!(twin.news(&game, seq).await["view"]["board"], state["view"]["board"]);
    }
}

#[tokio::test]
async fn a_page_that_was_away_gets_what_it_missed() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (game, mut state) = page.begin(two_here(casual())).await;
    for seq in 1..=6 {
        page.play_first(&state).await;
        state = page.news(&game, seq).await;
    }
    // Away from entry 6 on: two takebacks and one other move.
    for seq in 7..=8 {
        page.done(json!({"type": "takeback", "game": game, "ply": state["view"]["ply"]})).await;
        state = page.news(&game, seq).await;
    }
    page.play_first(&state).await;
    let mut back = page.again(&house).await;
    let missed = back.done(json!({"type": "open", "game": game, "have": 6})).await;
    assert_eq!((&missed["seq"], &missed["keep"]), (&json!(9), &json!(4)));
    assert_eq!(missed["moves"].as_array().unwrap().len(), 1);
    let nothing = back.done(json!({"type": "open", "game": game, "have": 9})).await;
    assert_eq!((&nothing["keep"], &nothing["moves"]), (&json!(5), &json!([])));
    let nonsense = back.done(json!({"type": "open", "game": game, "have": 1_000_000})).await;
    assert_eq!((&nonsense["keep"], nonsense["moves"].as_array().unwrap().len()), (&json!(0), 5));
    back.done(json!({"type": "close", "game": game})).await;
    page.done(json!({"type": "resign", "game": game, "color": "black"})).await;
    back.done(json!({"type": "ping"})).await;
    assert!(back.early.iter().all(|message| message["type"] != "game"), "closed means closed");
}

#[tokio::test]
async fn a_stopped_server_starts_again_where_it_was_and_charges_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (game, state) = page.begin(two_here(sudden(60_000))).await;
    page.play_first(&state).await;
    let before = page.news(&game, 1).await;
    house.stop().await;
    // The pages heard goodbye.
    while page.try_next().await.is_some() {}
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    let house = House::start(config(folder.path())).await;
    let mut page = page.again(&house).await;
    let after = page.done(json!({"type": "open", "game": game, "have": 1})).await;
    assert_eq!((&after["cause"], &after["keep"]), (&json!("back"), &json!(1)));
    assert_eq!(after["view"]["board"], before["view"]["board"]);
    let left = |state: &serde_json::Value| state["view"]["clocks"]["white"]["left_ms"].as_u64().unwrap();
    let elapsed = after["now"].as_u64().unwrap() - before["now"].as_u64().unwrap();
    let charged = left(&before) - left(&after);
    assert!(charged + 1500 <= elapsed + 1, "charged {charged} of {elapsed} ms");
    assert_eq!(after["view"]["clocks"]["running"], "white");
}

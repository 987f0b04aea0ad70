//! The computer and its clock.

mod common;

use common::{First, House, against_computer, casual, config, sudden};
use rules::{Position, Square};
use serde_json::json;
use server::{Brain, Turn, protocol::Level};
use std::{thread, time::Duration};

/// Takes a part of its clock for every move, and without one a very long time.
struct Ponderer;

impl Brain for Ponderer {
    fn levels(&self) -> Vec<Level> {
        First.levels()
    }

    fn choose(&self, turn: &Turn) -> Square {
        thread::sleep(turn.time.map_or(Duration::from_secs(3), |time| Duration::from_millis(time.left_ms / 40)));
        First.choose(turn)
    }

    fn hint(&self, position: &Position) -> Square {
        First.hint(position)
    }
}

#[tokio::test]
async fn the_computer_does_not_lose_on_time_even_when_every_thread_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = config(folder.path());
    settings.thinkers = 1;
    settings.pause = Duration::from_secs(1); // longer than the clock could bear
    let house = House::with(settings, Ponderer).await;
    let (mut ana, mut eva) = (house.page().await, house.page().await);
    // Eva plays without a clock: her computer keeps the only thread busy.
    let (_, state) = eva.begin(against_computer(casual())).await;
    eva.play_first(&state).await;
    let (game, mut state) = ana.begin(against_computer(sudden(4000))).await;
    while state["view"]["status"] == "playing" {
        if state["view"]["turn"] == "black" {
            ana.play_first(&state).await;
        }
        let seq = state["seq"].as_u64().unwrap();
        state = ana.news(&game, seq + 1).await;
    }
    let verdict = &state["view"]["verdict"];
    // A slow machine may cost Ana her time, never the computer its own.
    assert_ne!((&verdict["ending"], &verdict["whose"]), (&json!("out_of_time"), &json!("white")), "{verdict}");
}

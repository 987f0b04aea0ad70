//! What the computer says of a study, over a real socket.

mod common;

use common::{House, Page, config};
use serde_json::{Value, json};

/// A study of what a text holds.
async fn begin(page: &mut Page, text: &str) -> Value {
    page.ask(json!({"type": "study_new", "from": {"kind": "text", "text": text}})).await
}

/// Every analysis up to the last.
async fn analyses(page: &mut Page, ask: Value) -> Vec<Value> {
    let mut ask = ask;
    ask["id"] = json!("analyse");
    page.send(&ask).await;
    let mut all = Vec::new();
    loop {
        let message = page.wait(|message| message["type"] == "analysis" || message["type"] == "refused").await;
        assert_eq!(message["type"], "analysis", "{message}");
        let done = message["done"] == true;
        all.push(message);
        if done {
            // What is answered is not asked again by a page whose connection was lost.
            page.wait(|message| message["type"] == "done" && message["id"] == "analyse").await;
            return all;
        }
    }
}

#[tokio::test]
async fn values_of_all_squares_deepen_together() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let study = begin(&mut page, "f5d6c3").await;
    let ask = |at: u64, depth: u64, lines: &str| json!({"type": "analyse", "key": "main", "study": study["study"], "at": at, "depth": depth, "lines": lines});
    let all = analyses(&mut page, ask(2, 9, "all")).await;
    let depths: Vec<u64> = all.iter().map(|one| one["depth"].as_u64().unwrap()).collect();
    assert!(depths.is_sorted() && depths.last() == Some(&9), "{depths:?}");
    let legal = study["nodes"][2]["legal"].as_array().unwrap().len();
    for one in &all {
        let values = one["values"].as_array().unwrap();
        assert_eq!(values.len(), legal, "every square has a value");
        assert!(values.iter().all(|value| value["depth"] == one["depth"]), "of one depth: {one}");
        let scores: Vec<i64> = values.iter().map(|value| value["score"].as_i64().unwrap()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "the best first: {scores:?}");
        assert_eq!(one["line"][0], values[0]["square"]);
        assert!(values.iter().all(|value| value["exact"] == false && value["spread"].as_f64().unwrap() > 0.0));
    }
    // As many threads as there are, and no more, whatever is asked for.
    for threads in [0, 2, 1_000_000] {
        let mut with_threads = ask(2, 9, "all");
        with_threads["threads"] = json!(threads);
        let last = analyses(&mut page, with_threads).await.pop().unwrap();
        assert_eq!((last["depth"].as_u64(), last["values"].as_array().unwrap().len()), (Some(9), legal));
        assert!(last["cores"].as_u64() >= Some(1), "{last}");
    }
    let best = analyses(&mut page, ask(2, 5, "best")).await;
    assert_eq!(best.last().unwrap()["values"].as_array().unwrap().len(), 1);
    house.stop().await;
}

#[tokio::test]
async fn an_ending_is_proven_and_a_game_that_is_over_has_no_values() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let over = begin(&mut page, "f5d6c5f4e7f6g5e6e3").await;
    let ask = |study: &Value, at: u64| json!({"type": "analyse", "key": "main", "study": study["study"], "at": at});
    let none = analyses(&mut page, ask(&over, 9)).await;
    assert_eq!((none.len(), none[0]["values"].clone()), (1, json!([])));
    // Six empties, without any limit: it ends by itself.
    let board = "--XXXX--XXXXXXXXXXXXXXXXXXXXXXXXXXXOXXXXXXOXXXXXXOOOXXXX--OOOO-X O";
    let ending = begin(&mut page, board).await;
    let last = analyses(&mut page, ask(&ending, 0)).await.pop().unwrap();
    assert!(
        last["values"].as_array().unwrap().iter().all(|value| value["exact"] == true && value["spread"] == 0.0),
        "{last}"
    );
    house.stop().await;
}

#[tokio::test]
async fn asking_again_replaces_and_leaving_stops() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let study = begin(&mut page, "f5d6c3").await;
    let ask = |key: &str, at: u64| json!({"type": "analyse", "key": key, "study": study["study"], "at": at});
    let waiting = |key: &'static str, at: u64| {
        move |message: &Value| message["type"] == "analysis" && message["key"] == key && message["at"] == at
    };
    // Without a limit: it goes on until it is replaced or stopped.
    for at in 0..3 {
        let mut ask = ask("main", at);
        ask["id"] = json!(format!("a{at}"));
        page.send(&ask).await;
        page.wait(waiting("main", at)).await;
    }
    page.ask(json!({"type": "analyse_stop", "key": "main"})).await;
    page.early.clear();
    page.ask(json!({"type": "ping"})).await;
    assert!(page.early.is_empty(), "nothing comes after the answer to a stop: {:?}", page.early);
    // So it is with a study that is deleted.
    let gone = begin(&mut page, "d3").await;
    page.send(&json!({"id": "gone", "type": "analyse", "key": "main", "study": gone["study"], "at": 0})).await;
    page.wait(waiting("main", 0)).await;
    page.ask(json!({"type": "study_delete", "study": gone["study"]})).await;
    page.early.clear();
    page.ask(json!({"type": "ping"})).await;
    assert!(page.early.is_empty(), "nothing comes after the answer to a deletion: {:?}", page.early);
    // Every engine is free again, also for the last of several boards, and for another person.
    for (n, key) in ["one", "two", "three", "four"].into_iter().enumerate() {
        let mut ask = ask(key, 1);
        ask["id"] = json!(format!("b{n}"));
        page.send(&ask).await;
    }
    page.wait(waiting("four", 1)).await;
    let fifth = page.ask(ask("five", 1)).await;
    assert_eq!(fifth["why"], "full");
    let mut other = house.page().await;
    let theirs = begin(&mut other, "f5").await;
    let values =
        analyses(&mut other, json!({"type": "analyse", "key": "k", "study": theirs["study"], "at": 0, "depth": 4}))
            .await;
    assert_eq!(values.last().unwrap()["depth"], 4);
    // A page that goes takes its questions with it.
    drop(page);
    let values =
        analyses(&mut other, json!({"type": "analyse", "key": "k", "study": theirs["study"], "at": 1, "depth": 6}))
            .await;
    assert_eq!(values.last().unwrap()["depth"], 6);
    house.stop().await;
}

#[tokio::test]
async fn a_review_that_cannot_begin_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let study = begin(&mut page, "f5d6c3").await;
    let mut other = page.again(&house).await;
    other.done(json!({"type": "study_open", "study": study["study"]})).await;
    // Everything one person may ask at once, without a limit.
    for page in [&mut page, &mut other] {
        for key in ["one", "two", "three", "four"] {
            page.done(json!({"type": "analyse", "key": key, "study": study["study"], "at": 1})).await;
        }
    }
    let review = json!({"type": "review", "study": study["study"], "depth": 1});
    let refused = page.ask(review.clone()).await;
    assert_eq!(refused["why"], "busy", "{refused}");
    drop(other);
    for key in ["one", "two", "three", "four"] {
        page.done(json!({"type": "analyse_stop", "key": key})).await;
    }
    page.done(review).await;
    house.stop().await;
}

#[tokio::test]
async fn a_review_grows_surer_and_is_there_when_the_study_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let study = begin(&mut page, "f5d6c5f4e7f6g5e6e3").await;
    page.send(&json!({"id": "r", "type": "review", "study": study["study"], "depth": 5})).await;
    let mut stages = Vec::new();
    let last = loop {
        let message = page.wait(|message| message["type"] == "review" || message["type"] == "refused").await;
        assert_eq!(message["type"], "review", "{message}");
        let progress = message["progress"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&progress));
        stages.push(message["stage"].as_str().unwrap().to_owned());
        if message["stage"] == "done" {
            break message;
        }
    };
    let order = ["first", "deeper", "reasons", "done"];
    assert!(stages.is_sorted_by_key(|stage| order.iter().position(|known| known == stage)), "{stages:?}");
    let moves = last["report"]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 9);
    assert_eq!((moves[8]["square"].as_str(), moves[8]["score"].as_i64()), (Some("e3"), Some(64)));
    let read = page.ask(json!({"type": "study_open", "study": study["study"]})).await;
    assert_eq!(read["report"], last["report"], "the same that was shown");
    house.stop().await;

    let house = House::start(config(folder.path())).await;
    let mut page = page.again(&house).await;
    let read = page.ask(json!({"type": "study_open", "study": study["study"]})).await;
    assert_eq!(read["report"], last["report"], "also after a restart");
    // A comment does not make it untrue; another main line does, and the old one again does not.
    let edit = |seq: u64, edit: Value| json!({"type": "study_edit", "study": study["study"], "seq": seq, "edit": edit});
    page.ask(edit(0, json!({"kind": "comment", "at": 9, "text": "won"}))).await;
    let open = json!({"type": "study_open", "study": study["study"]});
    assert!(page.ask(open.clone()).await["report"].is_object());
    page.ask(edit(1, json!({"kind": "remove", "at": 9}))).await;
    assert!(page.ask(open.clone()).await["report"].is_null());
    page.ask(edit(2, json!({"kind": "undo"}))).await;
    assert!(page.ask(open).await["report"].is_object());
    house.stop().await;
}

#[tokio::test]
async fn a_review_ends_when_nobody_listens() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let game = "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2h1g2b8a8a7b7a2g8b2g7";
    let study = begin(&mut page, game).await;
    let mut second = page.again(&house).await;
    second.ask(json!({"type": "study_open", "study": study["study"]})).await;
    let ask = json!({"id": "r", "type": "review", "study": study["study"], "depth": 30});
    page.send(&ask).await;
    page.wait(|message| message["type"] == "review").await;
    // Another page joins the one under way, and stays when the first goes.
    second.send(&ask).await;
    second.wait(|message| message["type"] == "review").await;
    page.ask(json!({"type": "review_stop", "study": study["study"]})).await;
    page.early.clear();
    second.wait(|message| message["type"] == "review").await;
    assert_eq!(page.ask(json!({"type": "ping"})).await["type"], "done");
    assert!(page.early.is_empty(), "{:?}", page.early);
    second.ask(json!({"type": "review_stop", "study": study["study"]})).await;
    // The only engine is free: something less urgent than nothing is searched at once.
    page.send(&json!({"id": "s", "type": "review", "study": study["study"], "depth": 1})).await;
    page.wait(|message| message["type"] == "review" && message["stage"] == "done").await;
    house.stop().await;
}

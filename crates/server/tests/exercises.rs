//! Puzzles and openings, asked over a socket and asked again.

mod common;

use common::{House, Page, config};
use rules::Position;
use serde_json::{Value, json};
use study::{book::Book, puzzle::Puzzle};

async fn progress(page: &mut Page, kind: &str) -> Value {
    let told = page.done(json!({"type": "exercises"})).await;
    told["kinds"].as_array().unwrap().iter().find(|told| told["kind"] == kind).unwrap().clone()
}

async fn days(page: &mut Page) -> (u64, u64) {
    let told = page.done(json!({"type": "exercises"})).await;
    let days = told["days"].as_array().unwrap();
    let sum = |field: &str| days.iter().map(|day| day[field].as_u64().unwrap()).sum();
    (sum("answered"), sum("right"))
}

fn solution(question: &Value) -> String {
    let puzzle = Puzzle::shipped().iter().find(|puzzle| {
        let moves: Vec<String> = puzzle.moves.iter().map(ToString::to_string).collect();
        json!(moves) == question["moves"]
    });
    puzzle.unwrap().solution.to_string()
}

fn another(question: &Value, than: &str) -> String {
    let legal = question["legal"].as_array().unwrap().iter().map(|legal| legal["square"].as_str().unwrap());
    legal.into_iter().find(|square| *square != than).unwrap().to_owned()
}

#[tokio::test]
async fn a_puzzle_is_judged_exactly_and_comes_again() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = house.page().await;
    let all = Puzzle::shipped().len();
    let told = progress(&mut ana, "puzzles").await;
    assert_eq!(told, json!({"kind": "puzzles", "due": 0, "new": all, "known": 0, "all": all}));

    let question = ana.done(json!({"type": "exercise", "kind": "puzzles", "level": 1})).await;
    assert_eq!(
        (&question["type"], &question["level"], &question["answered"]),
        (&json!("exercise"), &json!(1), &json!(0))
    );
    let (right, card) = (solution(&question), question["card"].as_str().unwrap().to_owned());
    let wrong = another(&question, &right);
    let told = ana.ask_as("try-1", json!({"type": "exercise_try", "card": card, "square": wrong})).await;
    assert_eq!(
        (&told["type"], &told["right"], &told["best"]),
        (&json!("exercise_answer"), &json!(false), &json!([right]))
    );
    let values = told["values"].as_array().unwrap();
    assert_eq!(values.len(), question["legal"].as_array().unwrap().len());
    assert!(values.iter().all(|value| value["exact"] == true));
    assert_eq!(values[0]["square"], json!(right));
    assert_eq!((&told["line"][0], &told["refutation"][0]), (&json!(right), &json!(wrong)));
    // Both lines can be walked: a board after each move, one disc more on each.
    for line in ["line", "refutation"] {
        let boards: Vec<&str> = told[format!("{line}_boards")].as_array().unwrap().iter().map(|b| b.as_str().unwrap()).collect();
        assert_eq!(boards.len(), told[line].as_array().unwrap().len());
        let discs = |board: &str| board.bytes().filter(|&square| square != b'-').count();
        let first = discs(question["board"].as_str().unwrap());
        assert!(boards.iter().zip(first + 1..).all(|(board, count)| discs(board) == count), "{boards:?}");
    }
    // the same command again changes nothing
    let again = ana.ask_as("try-1", json!({"type": "exercise_try", "card": card, "square": wrong})).await;
    assert_eq!(again, told);
    assert_eq!(days(&mut ana).await, (1, 0));
    let told = progress(&mut ana, "puzzles").await;
    assert_eq!((&told["new"], &told["due"]), (&json!(all - 1), &json!(0)), "it is due in a minute, not now");

    let told = ana.done(json!({"type": "exercise_try", "card": card, "square": right})).await;
    assert_eq!((&told["right"], &told["refutation"]), (&json!(true), &json!([])));
    assert_eq!(days(&mut ana).await, (2, 1));

    // what was seen through at once is another one, and waits for days
    let next = ana.done(json!({"type": "exercise", "kind": "puzzles"})).await;
    assert_ne!(next["card"], json!(card));
    let told = ana.done(json!({"type": "exercise_try", "card": next["card"], "square": solution(&next)})).await;
    let now = ana.welcome["now"].as_u64().unwrap();
    assert!(told["due"].as_u64().unwrap() > now + 7 * 24 * 60 * 60 * 1000);

    // a restart forgets nothing, and another person has progress of their own
    let cookie = ana.cookie.clone();
    house.stop().await;
    let house = House::start(config(folder.path())).await;
    let mut ana = Page::connect(house.address, cookie.as_deref()).await;
    assert_eq!(days(&mut ana).await, (3, 2));
    assert_eq!(progress(&mut ana, "puzzles").await["new"], json!(all - 2));
    let mut eva = house.page().await;
    assert_eq!(days(&mut eva).await, (0, 0));
    assert_eq!(progress(&mut eva, "puzzles").await["new"], json!(all));
    // what she forgets is new again
    ana.done(json!({"type": "exercise_remove", "card": card})).await;
    assert_eq!(progress(&mut ana, "puzzles").await["new"], json!(all - 1));
    house.stop().await;
}

#[tokio::test]
async fn what_is_no_exercise_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = house.page().await;
    let question = ana.done(json!({"type": "exercise", "kind": "puzzles", "level": 2})).await;
    let disc = question["moves"][0].clone();
    let refused = ana.ask(json!({"type": "exercise_try", "card": question["card"], "square": disc})).await;
    assert_eq!(refused["why"], "occupied");
    for card in ["puzzle-0", "opening-0", "mistake-0", "nothing"] {
        for ask in [
            json!({"type": "exercise_try", "card": card, "square": "a1"}),
            json!({"type": "exercise_play", "card": card}),
        ] {
            assert_eq!(ana.ask(ask).await["why"], "no_such_card", "{card}");
        }
    }
    for moves in ["f5a1", "f5d", "x", "é5"] {
        let ask = json!({"type": "exercise", "kind": "openings", "color": "black", "moves": moves});
        assert_eq!(ana.ask(ask).await["why"], "bad_text", "{moves}");
    }
    // nothing was kept of it
    assert_eq!(days(&mut ana).await, (0, 0));
    assert_eq!(progress(&mut ana, "openings").await["all"], 0);
    let none = ana.done(json!({"type": "exercise", "kind": "mistakes"})).await;
    assert_eq!((&none["type"], &none["due"]), (&json!("exercise_none"), &Value::Null));
    house.stop().await;
}

#[tokio::test]
async fn an_opening_is_asked_move_by_move_until_the_book_ends() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = house.page().await;
    let mut moves = String::new();
    let mut asked = 0;
    loop {
        let question =
            ana.done(json!({"type": "exercise", "kind": "openings", "color": "white", "moves": moves})).await;
        if question["type"] == "exercise_none" {
            break;
        }
        assert_eq!((&question["task"], &question["turn"]), (&json!("repertoire"), &json!("white")));
        let line: Vec<&str> =
            question["moves"].as_array().unwrap().iter().map(|square| square.as_str().unwrap()).collect();
        assert_eq!(line.concat()[..moves.len()], moves, "the line goes on");
        let at = line.iter().fold(Position::start(), |at, name| at.play(name.parse().unwrap()).unwrap().after);
        let best = Book::shipped().find(&at).unwrap().moves[0];
        let told = ana
            .done(json!({"type": "exercise_try", "card": question["card"], "square": best.square.to_string()}))
            .await;
        assert_eq!((&told["right"], &told["line"][0]), (&json!(true), &json!(best.square.to_string())));
        assert_eq!(told["values"][0]["score"], json!(best.value.score));
        moves = line.concat() + &best.square.to_string();
        asked += 1;
    }
    assert!(asked >= 3, "the book ends after {asked} moves");
    let told = progress(&mut ana, "openings").await;
    assert_eq!((&told["all"], &told["new"]), (&json!(asked), &json!(0)));
    // nothing is due yet, and it is told when something is
    let none = ana.done(json!({"type": "exercise", "kind": "openings"})).await;
    assert_eq!(none["type"], "exercise_none");
    assert!(none["due"].is_u64());
    house.stop().await;
}

#[tokio::test]
async fn a_puzzle_can_be_played_out_against_the_computer() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = house.page().await;
    let question = ana.done(json!({"type": "exercise", "kind": "puzzles", "level": 1})).await;
    let card = question["card"].clone();
    let begun = ana.ask_as("play-1", json!({"type": "exercise_play", "card": card})).await;
    let game = begun["game"].as_str().unwrap().to_owned();
    let again = ana.ask_as("play-1", json!({"type": "exercise_play", "card": card})).await;
    assert_eq!(again["game"], begun["game"], "one command, one game");
    let state = ana.open(&game).await;
    let turn = question["turn"].as_str().unwrap();
    assert_eq!((&state["view"]["board"], &state["view"]["turn"]), (&question["board"], &question["turn"]));
    assert_eq!(state["view"]["seats"][turn]["you"], true);
    let other = if turn == "black" { "white" } else { "black" };
    assert_eq!(state["view"]["seats"][other]["kind"], "computer");
    // and it goes on from there
    let ply = state["view"]["ply"].as_u64().unwrap();
    ana.done(json!({"type": "play", "game": game, "square": solution(&question), "ply": ply})).await;
    let later = ana.wait(|told| told["type"] == "game" && told["view"]["ply"].as_u64() > Some(ply + 1)).await;
    assert_eq!(later["game"], json!(game));
    // again from the same position, not from the first move
    let next = ana.done(json!({"type": "again", "game": game, "swap": false})).await;
    let state = ana.open(next["game"].as_str().unwrap()).await;
    assert_eq!(state["view"]["board"], question["board"]);
    house.stop().await;
}

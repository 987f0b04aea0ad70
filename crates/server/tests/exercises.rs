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
    let puzzle = Puzzle::shipped().iter().chain(Puzzle::midgames()).find(|puzzle| {
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
        let boards: Vec<&str> =
            told[format!("{line}_boards")].as_array().unwrap().iter().map(|b| b.as_str().unwrap()).collect();
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
    // what is forgotten is new again
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

async fn question_card(page: &mut Page, moves: &str) -> Value {
    page.done(json!({"type": "exercise", "kind": "openings", "color": "black", "moves": moves})).await["card"].clone()
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
    // seen from another side it is the same card, and judged as it was asked
    let best = Book::shipped().find(&position_of(&json!({"moves": ["f5", "d6"]})).0).unwrap().moves[0].square;
    for (line, symmetry) in rules::Symmetry::ALL.map(|symmetry| {
        let line = [rules::Square::F5, rules::Square::D6].map(|square| symmetry.square(square).to_string()).concat();
        (line, symmetry)
    }) {
        let Ok(_) = line[..2].parse::<rules::Square>().map(|first| Position::start().play(first)).unwrap() else {
            continue;
        };
        let question = ana.done(json!({"type": "exercise", "kind": "openings", "color": "black", "moves": line})).await;
        let square = symmetry.square(best).to_string();
        let told =
            ana.done(json!({"type": "exercise_try", "card": question["card"], "square": square, "moves": line})).await;
        assert_eq!(told["right"], true, "{line}: {told}");
    }
    let (card, line) = (question_card(&mut ana, "f5d6").await, "f5f6");
    let ask = json!({"type": "exercise_try", "card": card, "square": "e6", "moves": line});
    assert_eq!(ana.ask(ask).await["why"], "bad_text", "another position");
    // a move that the book does not have is held against its best by a search
    let question = ana.done(json!({"type": "exercise", "kind": "openings", "color": "black", "moves": "f5d6c3"})).await;
    let line: Vec<&str> = question["moves"].as_array().unwrap().iter().map(|square| square.as_str().unwrap()).collect();
    let at = line.iter().fold(Position::start(), |at, name| at.play(name.parse().unwrap()).unwrap().after);
    let book = Book::shipped().find(&at).unwrap().moves;
    let unknown = at.legal().iter().find(|square| book.iter().all(|found| found.square != *square)).unwrap();
    let told = ana.done(json!({"type": "exercise_try", "card": question["card"], "square": unknown.to_string()})).await;
    let values = told["values"].as_array().unwrap();
    assert_eq!(values.len(), book.len() + 1);
    let value = values.iter().find(|value| value["square"] == json!(unknown.to_string())).unwrap();
    assert!(value["score"].as_i64() <= values[0]["score"].as_i64());
    // nothing is due yet, and it is told when something is
    let none = ana.done(json!({"type": "exercise", "kind": "openings"})).await;
    assert_eq!(none["type"], "exercise_none");
    assert!(none["due"].is_u64());
    house.stop().await;
}

#[tokio::test]
async fn the_program_answers_as_people_play() {
    let folder = tempfile::tempdir().unwrap();
    // twelve games that differ late, and in which White answers f5 with f4, which the book does not think much of
    let line = "f5f4e3f6e6d6c5";
    let mut library = library::Library::open(folder.path()).unwrap();
    let after = line.as_bytes().chunks(2).fold(Position::start(), |at, name| {
        at.play(std::str::from_utf8(name).unwrap().parse().unwrap()).unwrap().after
    });
    let mut games = Vec::new();
    for one in after.legal() {
        for two in after.play(one).unwrap().after.legal() {
            games.push(format!("{line}{one}{two}"));
        }
    }
    let text = games[..12].join("\n");
    let records: Vec<_> = record::transcript::games(text.as_bytes())
        .map(|(_, game)| record::Record::try_from(game.unwrap()).unwrap())
        .collect();
    assert_eq!(library.add(&records, "games.txt").unwrap().added, 12);
    drop(library);
    // who is at the machine is the owner, and may look
    let house = House::start(server::Config { home: true, ..config(folder.path()) }).await;
    let mut ana = house.page().await;
    for _ in 0..5 {
        let question = ana.done(json!({"type": "exercise", "kind": "openings", "color": "black", "moves": "f5"})).await;
        assert_eq!(question["moves"], json!(["f5", "f4"]), "what everybody plays, whatever the book says");
        assert_eq!(question["reply"], "people");
    }
    // where nobody has played, it is the book's move, and it is told so
    let question = ana.done(json!({"type": "exercise", "kind": "openings", "color": "black", "moves": "f5d6c3"})).await;
    assert_eq!((&question["type"], &question["reply"]), (&json!("exercise"), &json!("book")));
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

#[tokio::test]
async fn a_position_of_a_study_becomes_an_exercise() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = house.page().await;
    let puzzle = &Puzzle::shipped()[0];
    let moves: String = puzzle.moves.iter().map(ToString::to_string).collect();
    let study = ana.done(json!({"type": "study_new", "from": {"kind": "text", "text": moves}})).await;
    let (study, end) = (study["study"].clone(), study["nodes"].as_array().unwrap().len() - 1);
    let add = |study: &Value, at: usize| json!({"type": "exercise_add", "study": study, "at": at});
    let added = ana.done(add(&study, end)).await;
    assert_eq!((&added["type"], &added["already"]), (&json!("exercise_added"), &json!(false)));
    assert_eq!(ana.done(add(&study, end)).await["already"], true, "once is enough");
    assert_eq!(ana.ask(add(&study, 999)).await["why"], "no_such_node");
    assert_eq!(ana.ask(add(&json!("nothing"), 0)).await["why"], "no_such_study");
    let mut eva = house.page().await;
    assert_eq!(eva.ask(add(&study, end)).await["why"], "no_such_study", "it is not theirs");

    let told = progress(&mut ana, "mistakes").await;
    assert_eq!(told, json!({"kind": "mistakes", "due": 0, "new": 1, "known": 0, "all": 1}));
    let question = ana.done(json!({"type": "exercise", "kind": "mistakes"})).await;
    assert_eq!((&question["card"], &question["task"]), (&added["card"], &json!("best_move")));
    assert_eq!(question["from"], json!({"study": study, "at": end}));
    let (right, wrong) = (puzzle.solution.to_string(), another(&question, &puzzle.solution.to_string()));
    let told = ana.done(json!({"type": "exercise_try", "card": question["card"], "square": wrong})).await;
    assert_eq!((&told["right"], &told["best"]), (&json!(false), &json!([right])));
    let scores: Vec<Value> = puzzle
        .scores
        .iter()
        .map(|(square, score)| json!({"square": square.to_string(), "score": score, "exact": true}))
        .collect();
    let mut found = told["values"].as_array().unwrap().clone();
    found.sort_by_key(|value| scores.iter().position(|score| score == value));
    assert_eq!(found, scores, "judged exactly");
    let told = ana.done(json!({"type": "exercise_try", "card": question["card"], "square": right})).await;
    assert_eq!(told["right"], true);
    // nothing else is asked until it is due again
    assert_eq!(ana.done(json!({"type": "exercise", "kind": "mistakes"})).await["type"], "exercise_none");
    // a study of it is always the same one, and holds the moves that led there
    let of_card = json!({"type": "study_new", "from": {"kind": "exercise", "card": question["card"]}});
    let opened = ana.done(of_card.clone()).await;
    assert_eq!(opened["nodes"].as_array().unwrap().len(), end + 1);
    assert_eq!(ana.done(of_card).await["study"], opened["study"]);
    // when the study it came from is deleted, nothing leads there
    ana.done(json!({"type": "exercise_remove", "card": question["card"]})).await;
    ana.done(add(&study, end)).await;
    ana.done(json!({"type": "study_delete", "study": study})).await;
    let again = ana.done(json!({"type": "exercise", "kind": "mistakes"})).await;
    assert_eq!((&again["card"], &again["from"]), (&question["card"], &Value::Null));
    // a position that was set up is asked as well, but no game begins there
    let text = format!("{}", puzzle.position.setup());
    let set_up = ana.done(json!({"type": "study_new", "from": {"kind": "text", "text": text}})).await;
    ana.done(json!({"type": "exercise_remove", "card": question["card"]})).await;
    let added = ana.done(add(&set_up["study"], 0)).await;
    let question = ana.done(json!({"type": "exercise", "kind": "mistakes"})).await;
    assert_eq!((&question["card"], &question["moves"]), (&added["card"], &json!([])));
    assert_eq!(ana.ask(json!({"type": "exercise_play", "card": added["card"]})).await["why"], "bad_rules");
    house.stop().await;
}

/// The score for the mover, by looking at everything.
fn solved(position: &Position) -> i32 {
    fn best(position: &Position, mut alpha: i32, beta: i32) -> i32 {
        let turn = position.turn().expect("whoever asks looks at the end themselves");
        for square in position.legal() {
            let after = position.play(square).unwrap().after;
            let score = match after.outcome() {
                Some(outcome) if turn == rules::Color::Black => i32::from(outcome.difference()),
                Some(outcome) => -i32::from(outcome.difference()),
                None if after.turn() == Some(turn) => best(&after, alpha, beta),
                None => -best(&after, -beta, -alpha),
            };
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
    best(position, -64, 64)
}

/// What a move is worth to whoever makes it.
fn worth(position: &Position, square: rules::Square) -> i32 {
    let after = position.play(square).unwrap().after;
    let black = |score: i32| if position.turn() == Some(rules::Color::Black) { score } else { -score };
    match after.outcome() {
        Some(outcome) => black(outcome.difference().into()),
        None if after.turn() == position.turn() => solved(&after),
        None => -solved(&after),
    }
}

fn position_of(question: &Value) -> (Position, String) {
    let moves: Vec<&str> =
        question["moves"].as_array().unwrap().iter().map(|square| square.as_str().unwrap()).collect();
    let at = moves.iter().fold(Position::start(), |at, name| at.play(name.parse().unwrap()).unwrap().after);
    (at, moves.concat())
}

/// The answer to a move of an ending, and whether it keeps the win.
async fn play_on(page: &mut Page, question: &Value, keeps: bool) -> Value {
    let (at, moves) = position_of(question);
    let square = at.legal().iter().find(|&square| (worth(&at, square) > 0) == keeps).expect("there is such a move");
    let ask = json!({"type": "exercise_try", "card": question["card"], "square": square.to_string(), "moves": moves});
    page.done(ask).await
}

#[tokio::test]
async fn an_ending_is_played_out_against_perfect_defence() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = house.page().await;
    let all = progress(&mut ana, "endings").await["all"].as_u64().unwrap();
    assert!(all >= 300, "{all}");
    let mut question = ana.done(json!({"type": "exercise", "kind": "endings", "level": 1})).await;
    assert_eq!((&question["task"], &question["kind"]), (&json!("play_out"), &json!("endings")));
    let card = question["card"].clone();
    let mut moves = 0;
    let won = loop {
        let (before, _) = position_of(&question);
        let told = play_on(&mut ana, &question, true).await;
        if told["type"] == "exercise_answer" {
            break told;
        }
        moves += 1;
        let (now, _) = position_of(&told);
        assert_eq!((&told["card"], now.turn()), (&card, before.turn()), "the same side is to move");
        assert!(now.empty().len() < before.empty().len());
        assert!(solved(&now) > 0, "the defence is legal, and the win is still there");
        question = told;
    };
    assert!(moves >= 3, "{moves}");
    assert_eq!((&won["right"], &won["values"][0]["exact"]), (&json!(true), &json!(true)));
    assert_eq!(days(&mut ana).await, (1, 1), "one answer, at the end");
    assert_eq!(progress(&mut ana, "endings").await["new"], json!(all - 1));

    // a move that gives the win away is told at once and counts; another may be tried, and that goes on
    let question = ana.done(json!({"type": "exercise", "kind": "endings", "level": 1})).await;
    assert_ne!(question["card"], card);
    let told = play_on(&mut ana, &question, false).await;
    assert_eq!((&told["type"], &told["right"]), (&json!("exercise_answer"), &json!(false)));
    let (at, moves) = position_of(&question);
    assert!(worth(&at, told["best"][0].as_str().unwrap().parse().unwrap()) > 0);
    assert_eq!(told["values"].as_array().unwrap().len(), at.legal().len() as usize);
    assert_eq!(days(&mut ana).await, (2, 1));
    assert_eq!(play_on(&mut ana, &question, true).await["type"], "exercise");
    // only what goes on from the exercise is judged
    let square = told["best"][0].clone();
    for bad in ["f5".to_owned(), format!("{moves}a1"), moves[..moves.len() - 2].to_owned(), "x".to_owned()] {
        let ask = json!({"type": "exercise_try", "card": question["card"], "square": square, "moves": bad});
        assert_eq!(ana.ask(ask).await["why"], "bad_text", "{bad}");
    }
    house.stop().await;
}

#[tokio::test]
async fn the_best_move_of_a_midgame_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = house.page().await;
    let all = Puzzle::midgames().len();
    assert_eq!(progress(&mut ana, "midgames").await["new"], json!(all));
    let question = ana.done(json!({"type": "exercise", "kind": "midgames"})).await;
    assert_eq!((&question["task"], &question["level"]), (&json!("best_move"), &json!(1)));
    let right = solution(&question);
    let ask = |square: &str| json!({"type": "exercise_try", "card": question["card"], "square": square});
    let told = ana.done(ask(&another(&question, &right))).await;
    assert_eq!((&told["right"], &told["best"]), (&json!(false), &json!([right])));
    let values = told["values"].as_array().unwrap();
    assert_eq!(values.len(), question["legal"].as_array().unwrap().len());
    assert!(values.iter().all(|value| value["exact"] == false), "a search is no proof");
    assert_eq!(ana.done(ask(&right)).await["right"], true);
    assert_eq!(days(&mut ana).await, (2, 1));
    house.stop().await;
}

//! No engine of ours helps in a rated game, programs play as programs, and the owner sees what stands out.

mod common;

use common::{House, Page, against_computer, by_link, casual, lobby::*};
use serde_json::{Value, json};
use server::{Config, OwnerToken};

#[tokio::test]
async fn a_program_plays_rated_games_only_as_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let at = house.address;
    let (mut browser, mut luis) = (browser(&house, "ana").await, account(&house, "luis").await);
    let made = browser.post(at, "/api/tokens", json!({"name": "engine", "scopes": ["play"]})).await;
    let bearer = format!("Bearer {}", made.body["token"].as_str().unwrap());
    let mut program = Page::try_with(at, &[("authorization", &bearer)]).await.unwrap();
    let mut ana = browser.page(at).await;
    let rated = json!({"type": "offer", "rules": slow(), "rated": true});
    let white = json!({"type": "offer", "rules": slow(), "rated": true, "color": "white"});
    let theirs = luis.done(white).await["offer"]["id"].clone();
    let mut by_invitation = slow();
    by_invitation["rated"] = json!(true);
    let (table, state) = luis.begin(by_link(by_invitation.clone())).await;
    let sit = json!({"type": "sit", "game": table, "invite": state["invites"]["white"], "name": 1});
    for ask in [
        rated.clone(),
        json!({"type": "quick", "speed": "rapid", "rated": true}),
        json!({"type": "challenge", "handle": "luis", "rules": slow(), "rated": true}),
        accept(&theirs),
        by_link(by_invitation),
        sit,
    ] {
        let refused = program.ask(ask.clone()).await;
        assert_eq!((&refused["type"], &refused["why"]), (&json!("refused"), &json!("needs_program_account")), "{ask}");
    }
    // Nor does it move in a game that a person began.
    ana.done(accept(&theirs)).await;
    let state = program.open(theirs.as_str().unwrap()).await;
    assert_eq!(state["view"]["seats"]["black"]["you"], true);
    let play = json!({"type": "play", "game": theirs, "square": state["view"]["legal"][0]["square"], "ply": 0});
    assert_eq!(program.ask(play).await["why"], "needs_program_account");
    ana.open(theirs.as_str().unwrap()).await;
    ana.play_first(&state).await;
    // What counts for nothing it plays as it likes, and everything once its account says what it is.
    program.done(json!({"type": "offer", "rules": slow()})).await;
    assert_eq!(browser.post(at, "/api/account/bot", json!({})).await.status, 200);
    program.done(rated).await;
    house.stop().await;
}

/// How the server answers to whoever wants its engine's help, in a study and in a game against the computer.
async fn helped(page: &mut Page, study: &Value, at: usize, computers: &str) -> Vec<Value> {
    let state = page.open(computers).await;
    let mut answers = Vec::new();
    for ask in [
        json!({"type": "analyse", "key": "main", "study": study["study"], "at": at, "depth": 1}),
        json!({"type": "review", "study": study["study"], "depth": 1}),
        json!({"type": "hint", "game": computers, "ply": state["view"]["ply"]}),
    ] {
        let answer = page.ask(ask).await;
        answers.push(if answer["type"] == "refused" { answer["why"].clone() } else { json!("helped") });
    }
    page.done(json!({"type": "review_stop", "study": study["study"]})).await;
    answers
}

async fn study_of(page: &mut Page, moves: &str) -> Value {
    page.ask(json!({"type": "study_new", "from": {"kind": "text", "text": moves}})).await
}

#[tokio::test]
async fn the_engine_is_quiet_while_somebody_plays_a_rated_game() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis) = (account(&house, "ana").await, account(&house, "luis").await);
    let (computers, _) = ana.begin(against_computer(casual())).await;
    let study = study_of(&mut ana, "f5d6c3").await;
    let (helps, quiet) = (vec!["helped"; 3], vec!["playing_rated"; 3]);
    assert_eq!(helped(&mut ana, &study, 2, &computers).await, helps);
    // A casual game changes nothing.
    let id = ana.done(offer()).await["offer"]["id"].clone();
    luis.done(accept(&id)).await;
    assert_eq!(helped(&mut ana, &study, 2, &computers).await, helps);
    let id = ana.done(json!({"type": "offer", "rules": slow(), "rated": true})).await["offer"]["id"].clone();
    assert_eq!(helped(&mut ana, &study, 2, &computers).await, helps, "nobody has come yet");
    luis.done(accept(&id)).await;
    assert_eq!(helped(&mut ana, &study, 2, &computers).await, quiet);
    assert_eq!(ana.ask(against_computer(casual())).await["why"], "playing_rated");
    // Others are helped, and so is she when it is over.
    let mut eva = account(&house, "eva").await;
    let (other, _) = eva.begin(against_computer(casual())).await;
    let theirs = study_of(&mut eva, "f5d6c3").await;
    assert_eq!(helped(&mut eva, &theirs, 2, &other).await, helps);
    ana.open(id.as_str().unwrap()).await;
    resign(&mut ana, &id).await;
    assert_eq!(helped(&mut ana, &study, 2, &computers).await, helps);
    house.stop().await;
}

#[tokio::test]
async fn the_book_and_exercises_are_quiet_while_somebody_plays_a_rated_game() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis) = (account(&house, "ana").await, account(&house, "luis").await);
    let study = study_of(&mut ana, "f5d6c3").await;
    let card = ana.done(json!({"type": "exercise_add", "study": study["study"], "at": 2})).await["card"].clone();
    let square = study["nodes"][2]["legal"][0]["square"].clone();
    let helped = async |page: &mut Page| {
        let mut answers = Vec::new();
        for ask in [
            json!({"type": "exercise", "kind": "openings", "color": "black", "moves": ""}),
            json!({"type": "exercise_play", "card": card}),
        ] {
            let answer = page.ask(ask).await;
            answers.push(if answer["type"] == "refused" { answer["why"].clone() } else { json!("helped") });
        }
        let shown = page.done(json!({"type": "study_open", "study": study["study"]})).await;
        let edit = json!({"kind": "comment", "at": 1, "text": shown["seq"].to_string()});
        let edit = json!({"type": "study_edit", "study": study["study"], "seq": shown["seq"], "edit": edit});
        let changed = page.done(edit).await;
        for seen in [shown, changed] {
            let nodes = seen["nodes"].as_array().unwrap();
            let knows = nodes.iter().any(|node| node["book"].is_array());
            answers.push(json!(if knows { "helped" } else { "playing_rated" }));
        }
        answers
    };
    assert_eq!(helped(&mut ana).await, ["helped"; 4]);
    let id = ana.done(json!({"type": "offer", "rules": slow(), "rated": true})).await["offer"]["id"].clone();
    luis.done(accept(&id)).await;
    assert_eq!(helped(&mut ana).await, ["playing_rated"; 4]);
    let tried = ana.ask(json!({"type": "exercise_try", "card": card, "square": square})).await;
    assert_eq!(tried["why"], "playing_rated");
    ana.open(id.as_str().unwrap()).await;
    resign(&mut ana, &id).await;
    assert_eq!(helped(&mut ana).await, ["helped"; 4]);
    house.stop().await;
}

#[tokio::test]
async fn by_correspondence_the_engine_is_quiet_about_the_game_alone() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis) = (account(&house, "ana").await, account(&house, "luis").await);
    let wanted = json!({"type": "offer", "rules": days(), "rated": true, "color": "black"});
    let id = ana.done(wanted).await["offer"]["id"].clone();
    luis.done(accept(&id)).await;
    let (game, mut moves) = (id.as_str().unwrap(), String::new());
    for ply in 0..12 {
        let page = if ply % 2 == 0 { &mut ana } else { &mut luis };
        let state = page.open(game).await;
        assert_eq!(
            (&state["view"]["ply"], &state["view"]["seats"]["black"]["you"]),
            (&json!(ply), &json!(ply % 2 == 0))
        );
        moves += state["view"]["legal"][0]["square"].as_str().unwrap();
        page.play_first(&state).await;
    }
    let next = ana.open(game).await["view"]["legal"][0]["square"].as_str().unwrap().to_owned();
    let study = study_of(&mut ana, &format!("{moves}{next}")).await;
    let why = async |page: &mut Page, study: &Value, at: usize| {
        let ask = json!({"type": "analyse", "key": "main", "study": study["study"], "at": at, "depth": 1});
        page.ask(ask).await["why"].clone()
    };
    assert_eq!(why(&mut ana, &study, 12).await, "position_in_play");
    assert_eq!(why(&mut ana, &study, 13).await, "position_in_play", "and what may come");
    assert_eq!(why(&mut ana, &study, 11).await, Value::Null, "what was before she may know");
    let review = ana.ask(json!({"type": "review", "study": study["study"], "depth": 1})).await;
    assert_eq!(review["why"], "position_in_play");
    // Nor is it when the study begins where the game stands, or when it is asked as an exercise.
    let shown = ana.open(game).await["view"].clone();
    let setup = format!("{} {}", shown["board"].as_str().unwrap(), if shown["turn"] == "black" { "X" } else { "O" });
    let alone = study_of(&mut ana, &setup).await;
    assert_eq!(alone["nodes"][0]["board"], shown["board"], "{alone}");
    let edit = json!({"kind": "play", "at": 0, "square": next});
    ana.done(json!({"type": "study_edit", "study": alone["study"], "seq": alone["seq"], "edit": edit})).await;
    let review = ana.ask(json!({"type": "review", "study": alone["study"], "depth": 1})).await;
    assert_eq!(review["why"], "position_in_play");
    for study in [&study, &alone] {
        let at = if study == &alone { 0 } else { 12 };
        let card = ana.done(json!({"type": "exercise_add", "study": study["study"], "at": at})).await["card"].clone();
        let tried = ana.ask(json!({"type": "exercise_try", "card": card, "square": next})).await;
        assert_eq!(tried["why"], "position_in_play");
        assert_eq!(ana.ask(json!({"type": "exercise_play", "card": card})).await["why"], "position_in_play");
    }
    // Seen from another side it is the same: rows for columns.
    let turned: String = moves
        .as_bytes()
        .chunks(2)
        .map(|square| format!("{}{}", char::from(square[1] - b'1' + b'a'), char::from(square[0] - b'a' + b'1')))
        .collect();
    let turned = study_of(&mut ana, &turned).await;
    assert_eq!(why(&mut ana, &turned, 12).await, "position_in_play");
    let mut eva = account(&house, "eva").await;
    let theirs = study_of(&mut eva, &moves).await;
    assert_eq!(why(&mut eva, &theirs, 12).await, Value::Null, "others may look at it");
    house.stop().await;
}

#[tokio::test]
async fn the_owner_sees_what_stands_out_and_nobody_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let (text, token) = OwnerToken::fresh().unwrap();
    let house = House::start(Config { owner: Some(token), ..open_lobby(folder.path()) }).await;
    let at = house.address;
    let mut boss = owner(at, &text).await;
    let (mut browser, mut luis) = (browser(&house, "ana").await, account(&house, "luis").await);
    let mut ana = browser.page(at).await;
    let nothing = boss.get(at, "/api/admin/people/ana/fair-play").await;
    let none = json!({"games": 0, "won": 0, "resigned_early": 0, "left_early": 0});
    assert_eq!(nothing, json!({"days": 90, "aborted": 0, "all": none, "most": null, "comparison": null}));
    // A rated game that Luis gives up, and one for fun, which is nobody's business.
    for rated in [true, false] {
        let wanted = json!({"type": "offer", "rules": slow(), "rated": rated, "color": "black"});
        let id = ana.done(wanted).await["offer"]["id"].clone();
        luis.done(accept(&id)).await;
        play_four(&mut ana, &mut luis, id.as_str().unwrap()).await;
        resign(&mut luis, &id).await;
    }
    let seen = boss.get(at, "/api/admin/people/Ana/fair-play").await;
    assert_eq!(seen["all"], json!({"games": 1, "won": 1, "resigned_early": 0, "left_early": 0}));
    assert_eq!((&seen["most"]["handle"], &seen["most"]["won"]), (&json!("luis"), &json!(1)));
    assert_eq!(boss.get(at, "/api/admin/people/luis/fair-play").await["all"]["resigned_early"], 1);
    // One that Luis breaks off at once is seen too, though it is taken from the list and counts for nothing else.
    let id = ana.done(json!({"type": "offer", "rules": slow(), "rated": true})).await["offer"]["id"].clone();
    luis.done(accept(&id)).await;
    luis.done(json!({"type": "abort", "game": id})).await;
    luis.done(json!({"type": "delete", "game": id})).await;
    let seen = boss.get(at, "/api/admin/people/luis/fair-play").await;
    assert_eq!((&seen["aborted"], &seen["all"]["games"]), (&json!(1), &json!(1)));
    assert_eq!(boss.get(at, "/api/admin/people/ana/fair-play").await["aborted"], 0);
    // The comparison goes on by itself.
    assert_eq!(boss.post(at, "/api/admin/people/ana/fair-play", json!({})).await.status, 202);
    let compared = loop {
        let seen = boss.get(at, "/api/admin/people/ana/fair-play").await["comparison"].clone();
        if seen["done"] == true {
            break seen;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert_eq!((&compared["of"], compared["games"].as_array().unwrap().len()), (&json!(1), 1));
    assert_eq!(
        (&compared["theirs"], &compared["others"]),
        (&compared["games"][0]["theirs"], &compared["games"][0]["others"])
    );
    assert!(compared["theirs"]["moves"].as_u64() <= Some(2) && compared["version"].is_string(), "{compared}");
    assert_eq!(boss.ask(at, "DELETE", "/api/admin/people/ana/fair-play", Value::Null).await.status, 204);
    // It is the owner's to see, and nobody else's.
    for (method, body) in [("GET", Value::Null), ("POST", json!({})), ("DELETE", Value::Null)] {
        let refused = browser.ask(at, method, "/api/admin/people/luis/fair-play", body).await;
        assert_eq!((refused.status, &refused.body["why"]), (403, &json!("not_owner")), "{method}");
    }
    assert_eq!(boss.ask(at, "GET", "/api/admin/people/nobody/fair-play", Value::Null).await.status, 404);
    house.stop().await;
    // What was compared is there after a restart, and at another node.
    let house = House::start(Config { owner: Some(token), ..open_lobby(folder.path()) }).await;
    let mut boss = owner(house.address, &text).await;
    let kept = boss.get(house.address, "/api/admin/people/ana/fair-play").await;
    assert_eq!(kept["comparison"], compared);
    house.stop().await;
}

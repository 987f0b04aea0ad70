//! Whole games over a real socket.

mod common;

use common::{House, Page, by_link, casual, config, sudden, two_here};
use serde_json::{Value, json};

/// Moves as a page keeps them: what it may keep, then what is new.
fn merge(moves: &mut Vec<Value>, message: &Value) {
    moves.truncate(message["keep"].as_u64().unwrap() as usize);
    moves.extend(message["moves"].as_array().unwrap().iter().cloned());
    assert_eq!(moves.len() as u64, message["view"]["ply"].as_u64().unwrap());
}

#[tokio::test]
async fn two_people_at_one_screen_play_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (game, mut state) = page.begin(two_here(casual())).await;
    assert_eq!(state["view"]["legal"].as_array().unwrap().len(), 4);
    let mut moves = Vec::new();
    merge(&mut moves, &state);
    while state["view"]["status"] == "playing" {
        let done = page.play_first(&state).await;
        state = page.news(&game, done["seq"].as_u64().unwrap()).await;
        assert_eq!(state["cause"], "move");
        assert_eq!(state["moves"].as_array().unwrap().len(), 1, "only what is new is sent");
        merge(&mut moves, &state);
        assert_eq!(moves.last().unwrap()["board"], state["view"]["board"]);
    }
    let verdict = &state["view"]["verdict"];
    let score = |color: &str| verdict["score"][color].as_u64().unwrap();
    assert_eq!(score("black") + score("white"), 64);
    assert_eq!(
        page.ask(json!({"type": "play", "game": game, "square": "a1", "ply": moves.len()})).await["why"],
        "over"
    );
    let list = page.done(json!({"type": "list"})).await;
    assert_eq!(list["games"][0]["game"], game.as_str());
    assert_eq!(list["games"][0]["verdict"], *verdict);
    // A page that comes later gets it all at once, and the same.
    let whole = page.again(&house).await.open(&game).await;
    assert_eq!(whole["moves"].as_array().unwrap(), &moves);
    house.stop().await;
}

#[tokio::test]
async fn an_illegal_click_explains_itself_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (game, before) = page.begin(two_here(casual())).await;
    for (square, why) in [("a1", "turns_nothing"), ("d4", "occupied")] {
        assert_eq!(page.ask(json!({"type": "play", "game": game, "square": square, "ply": 0})).await["why"], why);
    }
    let after = page.open(&game).await;
    assert_eq!((&after["seq"], &after["view"]), (&before["seq"], &before["view"]));
}

#[tokio::test]
async fn two_devices_by_an_invitation() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis, mut eva) = (house.page().await, house.page().await, house.page().await);
    let (game, state) = ana.begin(by_link(casual())).await;
    assert_eq!(state["view"]["status"], "waiting");
    let invite = state["invites"]["white"].as_str().unwrap().to_owned();
    let stranger = eva.open(&game).await;
    assert_eq!(stranger["invites"], json!({"black": null, "white": null}), "only players see the invitation");
    assert_eq!(stranger["view"]["can"], json!([]));
    let wrong = json!({"type": "sit", "game": game, "invite": "0000000000000000", "name": "Eva"});
    assert_eq!(eva.ask(wrong).await["why"], "bad_invite");
    luis.done(json!({"type": "sit", "game": game, "invite": invite, "name": "Luis"})).await;
    let taken = json!({"type": "sit", "game": game, "invite": invite, "name": "Eva"});
    assert_eq!(eva.ask(taken).await["why"], "seat_taken");
    let state = ana.news(&game, 1).await;
    assert_eq!((&state["cause"], &state["view"]["status"]), (&json!("seated"), &json!("playing")));
    let seen = luis.open(&game).await;
    assert_eq!(seen["view"]["seats"]["white"]["you"], true);
    let play = |square: &str, ply: u8| json!({"type": "play", "game": game, "square": square, "ply": ply});
    assert_eq!(luis.ask(play("f5", 0)).await["why"], "not_your_turn");
    assert_eq!(eva.ask(play("f5", 0)).await["why"], "not_yours");
    ana.done(play("f5", 0)).await;
    assert_eq!(luis.news(&game, 2).await["view"]["last"]["square"], "f5");
    // A takeback needs a yes.
    ana.done(json!({"type": "takeback", "game": game, "ply": 1})).await;
    let asked = luis.news(&game, 3).await;
    assert_eq!(
        (&asked["cause"], &asked["view"]["offer"]),
        (&json!("asked"), &json!({"by": "black", "what": "takeback"}))
    );
    let answer = |what: &str, accept: bool| json!({"type": "answer", "game": game, "what": what, "accept": accept});
    assert_eq!(ana.ask(answer("takeback", true)).await["why"], "not_yours");
    assert_eq!(eva.ask(answer("takeback", true)).await["why"], "not_yours");
    assert_eq!(luis.ask(answer("scrap", true)).await["why"], "not_asked", "another offer than the one they saw");
    luis.done(answer("takeback", true)).await;
    assert_eq!(ana.news(&game, 4).await["view"]["ply"], 0);
    // No hints against a person; no vanishing from a game that goes on.
    assert_eq!(ana.ask(json!({"type": "hint", "game": game, "ply": 0})).await["why"], "no_hints");
    assert_eq!(ana.ask(json!({"type": "delete", "game": game})).await["why"], "not_yours");
    luis.done(json!({"type": "resign", "game": game})).await;
    assert_eq!(ana.news(&game, 5).await["view"]["verdict"]["winner"], "black");
    // Off Ana's list, still on Luis's.
    ana.done(json!({"type": "delete", "game": game})).await;
    assert_eq!(ana.done(json!({"type": "list"})).await["games"], json!([]));
    assert_eq!(luis.done(json!({"type": "list"})).await["games"][0]["game"], game.as_str());
    assert_eq!(eva.done(json!({"type": "list"})).await["games"], json!([]));
}

#[tokio::test]
async fn the_computer_answers_gives_hints_and_takes_back() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let levels = page.welcome["levels"].as_array().unwrap().len();
    let create = |level: usize| {
        json!({"type": "create", "rules": casual(),
            "seats": {"black": {"kind": "person", "name": "Ana"}, "white": {"kind": "computer", "level": level}}})
    };
    assert_eq!(page.ask(create(levels + 1)).await["why"], "bad_rules");
    let (game, state) = page.begin(create(1)).await;
    let hint = page.done(json!({"type": "hint", "game": game, "ply": 0})).await;
    assert!(state["view"]["legal"].as_array().unwrap().iter().any(|legal| legal["square"] == hint["square"]));
    page.play_first(&state).await;
    let answered = page.news(&game, 2).await;
    assert_eq!((&answered["view"]["ply"], &answered["view"]["turn"]), (&json!(2), &json!("black")));
    page.done(json!({"type": "takeback", "game": game, "ply": 2})).await;
    let mut state = page.news(&game, 3).await;
    assert_eq!((&state["view"]["ply"], &state["keep"]), (&json!(0), &json!(0)));
    while state["view"]["status"] == "playing" {
        if state["view"]["turn"] == "black" {
            page.play_first(&state).await;
        }
        let seq = state["seq"].as_u64().unwrap();
        state = page.news(&game, seq + 1).await;
    }
    assert!(state["view"]["verdict"].is_object());
}

#[tokio::test]
async fn a_new_game_scraps_this_one_and_everyone_follows() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (game, state) = page.begin(two_here(casual())).await;
    page.play_first(&state).await;
    let mut other = page.again(&house).await;
    other.open(&game).await;
    let next = page.done(json!({"type": "again", "game": game, "swap": true})).await;
    let told = other.news(&game, 2).await;
    assert_eq!(told["view"]["next"], next["game"]);
    assert_eq!(told["view"]["verdict"]["ending"], "scrapped");
    let fresh = other.open(next["game"].as_str().unwrap()).await;
    assert_eq!(fresh["view"]["seats"]["black"]["name"], "Luis");
    assert_eq!(fresh["view"]["ply"], 0);
    assert_eq!(page.ask(json!({"type": "again", "game": game, "swap": true})).await["why"], "over");
    // Scrapping without another.
    page.done(json!({"type": "scrap", "game": next["game"]})).await;
    assert_eq!(page.open(next["game"].as_str().unwrap()).await["view"]["verdict"]["ending"], "scrapped");
}

/// Ana (Black) and Luis on two devices, after so many moves: their pages, the game, and how it stands.
async fn two_devices(house: &House, moves: usize) -> (Page, Page, String, Value) {
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let (game, state) = ana.begin(by_link(casual())).await;
    let invite = state["invites"]["white"].clone();
    luis.open(&game).await;
    luis.done(json!({"type": "sit", "game": game, "invite": invite, "name": "Luis"})).await;
    let mut state = ana.news(&game, 1).await;
    luis.news(&game, 1).await;
    for played in 0..moves {
        let mover = if state["view"]["turn"] == "black" { &mut ana } else { &mut luis };
        mover.play_first(&state).await;
        state = ana.news(&game, played as u64 + 2).await;
        luis.news(&game, played as u64 + 2).await;
    }
    (ana, luis, game, state)
}

#[tokio::test]
async fn on_two_devices_a_new_game_and_scrapping_take_both() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis, game, _) = two_devices(&house, 2).await;
    let answer = |what: &str, accept: bool| json!({"type": "answer", "game": game, "what": what, "accept": accept});
    // Luis asks: the game goes on, and `done` names it.
    let asked = luis.done(json!({"type": "again", "game": game, "swap": false})).await;
    assert_eq!((&asked["game"], &asked["seq"]), (&json!(game), &json!(4)));
    let seen = ana.news(&game, 4).await;
    assert_eq!((&seen["cause"], &seen["view"]["status"]), (&json!("asked"), &json!("playing")));
    assert_eq!(seen["view"]["offer"], json!({"by": "white", "what": "new_game"}));
    assert!(seen["view"]["can"].as_array().unwrap().contains(&json!("answer")));
    assert_eq!(ana.done(json!({"type": "list"})).await["games"].as_array().unwrap().len(), 1);
    // Ana declines, Luis asks again and withdraws it.
    ana.done(answer("new_game", false)).await;
    let declined = luis.news(&game, 5).await;
    assert_eq!((&declined["cause"], &declined["view"]["offer"]), (&json!("declined"), &Value::Null));
    luis.done(json!({"type": "scrap", "game": game})).await;
    luis.done(answer("scrap", false)).await;
    assert_eq!(ana.news(&game, 7).await["cause"], "withdrawn");
    // The next move ends what nobody answered.
    luis.done(json!({"type": "scrap", "game": game})).await;
    let state = ana.news(&game, 8).await;
    ana.play_first(&state).await;
    assert_eq!(luis.news(&game, 9).await["view"]["offer"], Value::Null);
    assert_eq!(ana.ask(answer("scrap", true)).await["why"], "not_asked");
    // A yes scraps it, for both, and there is no other game.
    luis.done(json!({"type": "scrap", "game": game})).await;
    ana.done(answer("scrap", true)).await;
    let over = luis.news(&game, 11).await;
    assert_eq!((&over["view"]["verdict"]["ending"], &over["view"]["next"]), (&json!("scrapped"), &Value::Null));
}

#[tokio::test]
async fn until_the_second_move_either_player_leaves_without_asking() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis, game, state) = two_devices(&house, 1).await;
    assert!(state["view"]["can"].as_array().unwrap().contains(&json!("scrap")));
    luis.done(json!({"type": "scrap", "game": game})).await;
    assert_eq!(ana.news(&game, 3).await["view"]["verdict"]["ending"], "scrapped");
}

#[tokio::test]
async fn a_rematch_that_was_agreed_begins_once_survives_a_restart_and_misses_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis, game, _) = two_devices(&house, 2).await;
    ana.done(json!({"type": "resign", "game": game})).await;
    ana.done(json!({"type": "again", "game": game, "swap": true})).await;
    assert_eq!(luis.news(&game, 5).await["view"]["offer"], json!({"by": "black", "what": "rematch"}));
    // The offer is an entry like any other: a server that was away still knows it.
    house.stop().await;
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (ana.again(&house).await, luis.again(&house).await);
    ana.open(&game).await;
    assert_eq!(luis.open(&game).await["view"]["offer"]["what"], "rematch");
    // Asking for the same is a yes, and sent twice it begins one game.
    let again = json!({"type": "again", "game": game, "swap": true});
    let next = luis.ask_as("same", again.clone()).await["game"].clone();
    assert_ne!(next, game.as_str());
    assert_eq!(luis.ask_as("same", again).await["game"], next);
    let told = ana.news(&game, 6).await;
    assert_eq!((&told["view"]["next"], &told["view"]["verdict"]["ending"]), (&next, &json!("resigned")));
    let next = next.as_str().unwrap();
    // Whoever opens it first does not find the other missing, and is not told that they came.
    let first = ana.open(next).await;
    assert_eq!(first["here"], json!({"black": true, "white": true}));
    assert_eq!(first["view"]["seats"]["black"]["name"], "Luis");
    luis.open(next).await;
    ana.done(json!({"type": "ping"})).await;
    let told = |message: &Value| message["type"] == "presence" && message["game"] == next;
    assert!(!ana.early.iter().any(told), "{:?}", ana.early);
    for page in [&mut ana, &mut luis] {
        let list = page.done(json!({"type": "list"})).await;
        let games: Vec<&Value> = list["games"].as_array().unwrap().iter().map(|entry| &entry["game"]).collect();
        assert_eq!(games, [&json!(next), &json!(game)]);
    }
}

#[tokio::test]
async fn a_player_who_does_not_come_along_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis, game, _) = two_devices(&house, 2).await;
    ana.done(json!({"type": "resign", "game": game})).await;
    luis.done(json!({"type": "again", "game": game, "swap": true})).await;
    let next = ana.done(json!({"type": "again", "game": game, "swap": true})).await["game"].clone();
    ana.open(next.as_str().unwrap()).await;
    let missed = ana.wait(|message| message["type"] == "presence" && message["game"] == next).await;
    assert_eq!(missed["here"], json!({"black": false, "white": true}));
}

#[tokio::test]
async fn a_deleted_game_is_gone_for_everyone_who_watches() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut eva) = (house.page().await, house.page().await);
    let (game, _) = ana.begin(two_here(casual())).await;
    eva.open(&game).await;
    assert_eq!(eva.ask(json!({"type": "delete", "game": game})).await["why"], "not_yours");
    ana.done(json!({"type": "delete", "game": game})).await;
    eva.wait(|message| message["type"] == "gone" && message["game"] == game.as_str()).await;
    assert_eq!(eva.ask(json!({"type": "open", "game": game})).await["why"], "no_such_game");
    assert_eq!(ana.done(json!({"type": "list"})).await["games"], json!([]));
}

#[tokio::test]
async fn a_flag_falls_by_itself_and_everyone_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (game, state) = page.begin(two_here(sudden(1000))).await;
    assert_eq!(state["view"]["clocks"]["running"], Value::Null);
    page.play_first(&state).await;
    let news = page.news(&game, 2).await;
    assert_eq!(news["cause"], "clock");
    let verdict = &news["view"]["verdict"];
    assert_eq!((&verdict["ending"], &verdict["whose"]), (&json!("out_of_time"), &json!("white")));
    assert_eq!(verdict["score"], json!({"black": 64, "white": 0}));
    assert_eq!(page.ask(json!({"type": "play", "game": game, "square": "d6", "ply": 1})).await["why"], "over");
}

#[tokio::test]
async fn colours_are_tossed_by_the_server() {
    let folder = tempfile::tempdir().unwrap();
    // The owner may begin as many games as they like.
    let house = House::start(server::Config { home: true, ..config(folder.path()) }).await;
    let mut page = house.page().await;
    let mut create = two_here(casual());
    create["toss"] = true.into();
    let mut black = std::collections::BTreeSet::new();
    // One in 2^39 that all forty fall the same way.
    for _ in 0..40 {
        let (_, state) = page.begin(create.clone()).await;
        black.insert(state["view"]["seats"]["black"]["name"].as_str().unwrap().to_owned());
    }
    assert_eq!(black.len(), 2);
    let list = page.done(json!({"type": "list"})).await;
    assert_eq!((list["games"].as_array().unwrap().len(), &list["more"]), (30, &json!(true)));
    let rest = page.done(json!({"type": "list", "before": list["games"][29]["game"]})).await;
    assert_eq!((rest["games"].as_array().unwrap().len(), &rest["more"]), (10, &json!(false)));
    // Where it is one's turn is told whole, however old the game is.
    let oldest = rest["games"][9]["game"].as_str().unwrap().to_owned();
    let turns = page.done(json!({"type": "turns"})).await;
    assert_eq!((turns["games"].as_array().unwrap().len(), &turns["more"]), (40, &json!(false)));
    assert_eq!(turns["games"][39]["game"], oldest.as_str());
    page.done(json!({"type": "resign", "game": oldest})).await;
    let (waiting, _) = page.begin(by_link(casual())).await;
    let turns = page.done(json!({"type": "turns"})).await;
    let games: Vec<&Value> = turns["games"].as_array().unwrap().iter().map(|listed| &listed["game"]).collect();
    assert_eq!(games.len(), 39, "neither what is over nor what waits for somebody");
    assert!(!games.contains(&&json!(oldest)) && !games.contains(&&json!(waiting)));
}

#[tokio::test]
async fn the_name_of_the_opening_is_told_when_it_is_reached() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let (game, state) = page.begin(two_here(casual())).await;
    assert_eq!(state["openings"], Value::Null, "nothing is said where nothing was reached");
    let mut told = Vec::new();
    // A Tiger seen in a mirror, and then a position that has no name of its own.
    for (ply, square) in ["e6", "f4", "c3", "c4", "d3", "d6"].into_iter().enumerate() {
        let done = page.done(json!({"type": "play", "game": game, "square": square, "ply": ply})).await;
        let state = page.news(&game, done["seq"].as_u64().unwrap()).await;
        told.extend(state["openings"].as_array().into_iter().flatten().cloned());
    }
    let reached = [
        json!({"ply": 2, "en": "Perpendicular", "es": "Perpendicular"}),
        json!({"ply": 5, "en": "Tiger", "es": "Tigre"}),
    ];
    assert_eq!(told, reached);
    // Whoever comes now hears of all; whoever has some of the moves, of the rest.
    assert_eq!(page.again(&house).await.open(&game).await["openings"], json!(reached));
    let rest = page.again(&house).await.done(json!({"type": "open", "game": game, "have": 3})).await;
    assert_eq!((&rest["keep"], &rest["openings"]), (&json!(3), &json!(reached[1..])));
    house.stop().await;
}

#[tokio::test]
async fn everyone_at_the_machine_itself_is_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = config(folder.path());
    settings.home = true;
    let house = House::start(settings).await;
    let mut page = house.page().await;
    let (game, _) = page.begin(two_here(casual())).await;
    let mut other = Page::connect(house.address, None).await;
    assert_eq!(other.cookie, None);
    assert_eq!(other.open(&game).await["view"]["seats"]["black"]["you"], true);
}

#[tokio::test]
async fn a_player_who_leaves_is_missed_and_one_who_comes_back_is_welcome() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let (game, state) = ana.begin(by_link(casual())).await;
    assert_eq!(state["here"], json!({"black": true, "white": false}));
    let invite = state["invites"]["white"].as_str().unwrap().to_owned();
    // As a page does it: Luis sees the game before sitting down.
    luis.open(&game).await;
    luis.done(json!({"type": "sit", "game": game, "invite": invite, "name": "Luis"})).await;
    assert_eq!(ana.news(&game, 1).await["here"], json!({"black": true, "white": true}));
    let presence = |message: &Value| message["type"] == "presence";
    // A page that is loaded again at once is nobody's business; one that stays away is.
    let again = luis.again(&house).await;
    let old = std::mem::replace(&mut luis, again);
    drop(old);
    luis.open(&game).await;
    ana.done(json!({"type": "ping"})).await;
    assert!(!ana.early.iter().any(presence), "{:?}", ana.early);
    let cookie = luis.cookie.clone();
    drop(luis);
    assert_eq!(
        ana.wait(presence).await,
        json!({"type": "presence", "game": game, "here": {"black": true, "white": false}, "watchers": 0,
            "claim_in_ms": {"black": null, "white": null}})
    );
    let mut back = Page::connect(house.address, cookie.as_deref()).await;
    back.open(&game).await;
    assert_eq!(ana.wait(presence).await["here"]["white"], true);
    // One that answers no ping any more has left as well, though nobody closed its connection.
    assert_eq!(ana.wait(presence).await["here"]["white"], false);
    // The page that waited was never silent itself.
    ana.done(json!({"type": "ping"})).await;
    drop(back);
}

#[tokio::test]
async fn a_balanced_opening_is_given_and_a_swap_plays_it_from_the_other_side() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let mut rules = casual();
    rules["opening"] = "balanced".into();
    let (game, state) = page.begin(two_here(rules)).await;
    let squares = |state: &Value| -> Vec<Value> {
        state["moves"].as_array().unwrap().iter().map(|played| played["square"].clone()).collect()
    };
    let given = squares(&state);
    assert_eq!((given.len(), &state["view"]["ply"], &state["view"]["turn"]), (8, &json!(8), &json!("black")));
    assert!(state["moves"].as_array().unwrap().iter().all(|played| played["given"] == true));
    assert_eq!(page.ask(json!({"type": "takeback", "game": game, "ply": 8})).await["why"], "nothing_to_take_back");
    page.play_first(&state).await;
    let played = page.news(&game, 1).await;
    assert_eq!(
        (&played["keep"], &played["moves"][0]["given"], &played["moves"][0]["number"]),
        (&json!(8), &json!(false), &json!(9))
    );
    // A page that comes later gets all of it, one that has the beginning only the rest.
    assert_eq!(page.open(&game).await["moves"].as_array().unwrap().len(), 9);
    let missed = page.done(json!({"type": "open", "game": game, "have": 0})).await;
    assert_eq!((&missed["keep"], missed["moves"].as_array().unwrap().len()), (&json!(8), 1));
    let swapped = page.done(json!({"type": "again", "game": game, "swap": true})).await;
    let swapped = swapped["game"].as_str().unwrap().to_owned();
    let state = page.open(&swapped).await;
    assert_eq!((squares(&state), &state["view"]["seats"]["black"]["name"]), (given, &json!("Luis")));
    let other = page.done(json!({"type": "again", "game": swapped, "swap": false})).await;
    assert_eq!(squares(&page.open(other["game"].as_str().unwrap()).await).len(), 8);
}

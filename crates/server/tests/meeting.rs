//! People who do not know each other meet, over real sockets.

mod common;

use common::{House, Page, by_link, casual, config, lobby::*};
use serde_json::{Value, json};
use server::{Config, OwnerToken};

#[tokio::test]
async fn without_a_lobby_nobody_meets() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    for ask in [
        json!({"type": "lobby"}),
        offer(),
        json!({"type": "quick", "speed": "blitz"}),
        json!({"type": "challenge", "handle": "luis", "rules": slow()}),
    ] {
        assert_eq!(page.ask(ask.clone()).await["why"], "lobby_closed", "{ask}");
    }
    house.stop().await;
}

#[tokio::test]
async fn two_guests_meet_by_an_offer() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let empty = lobby(&mut luis).await;
    assert_eq!((&empty["offers"], &empty["players"]), (&json!([]), &json!(2)));
    let made = json!({"type": "offer", "rules": slow(), "color": "white"});
    let offered = ana.ask_as("o1", made.clone()).await;
    let id = offered["offer"]["id"].clone();
    assert_eq!(offered["offer"]["yours"], true);
    let seen = sees(&mut luis, &id).await;
    assert_eq!(
        (&seen["yours"], &seen["category"], &seen["rated"]),
        (&json!(false), &json!("slow-standard"), &json!(false))
    );
    assert_eq!(seen["by"], json!({"handle": null, "rating": 1500, "provisional": true, "bot": false}));
    // The same command again is the same offer.
    assert_eq!(ana.ask_as("o1", made).await["offer"]["id"], id);
    assert_eq!(ana.ask(accept(&id)).await["why"], "not_for_you", "their own");
    let game = luis.ask_as("a1", accept(&id)).await["game"].clone();
    assert_eq!(game, id, "an offer's id is the game's");
    assert_eq!(hear(&mut ana, "paired").await["game"], game);
    sees_gone(&mut luis, &id).await;
    assert_eq!(luis.ask_as("a1", accept(&id)).await["game"], game, "the same command, the same game");
    assert_eq!(luis.ask(accept(&id)).await["why"], "no_such_offer");
    let seats = ana.open(game.as_str().unwrap()).await["view"]["seats"].clone();
    assert_eq!((&seats["white"]["you"], &seats["black"]["you"]), (&json!(true), &json!(false)), "as they asked for");
    assert_eq!((games(&mut ana).await.len(), games(&mut luis).await.len()), (1, 1));
    house.stop().await;
}

#[tokio::test]
async fn an_offer_is_gone_with_its_page_and_when_it_is_withdrawn() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let at_anas = browser(&house, "ana").await;
    let (mut ana, mut luis) = (at_anas.page(house.address).await, house.page().await);
    lobby(&mut luis).await;
    let first = ana.done(offer()).await["offer"]["id"].clone();
    let second = ana.done(offer()).await["offer"]["id"].clone();
    let by_days = ana.done(json!({"type": "offer", "rules": days()})).await["offer"]["id"].clone();
    for id in [&first, &second, &by_days] {
        sees(&mut luis, id).await;
    }
    assert_eq!(luis.ask(json!({"type": "offer_withdraw", "offer": first})).await["why"], "no_such_offer", "not theirs");
    ana.done(json!({"type": "offer_withdraw", "offer": first})).await;
    sees_gone(&mut luis, &first).await;
    drop(ana);
    sees_gone(&mut luis, &second).await;
    assert_eq!(luis.ask(accept(&second)).await["why"], "no_such_offer");
    // Days for each move: nobody need be there.
    let game = luis.done(accept(&by_days)).await["game"].clone();
    let mut ana = at_anas.page(house.address).await;
    assert_eq!(games(&mut ana).await[0]["game"], game);
    house.stop().await;
}

#[tokio::test]
async fn fifty_takers_of_one_offer_begin_one_game() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let mut ana = house.page().await;
    let id = ana.done(offer()).await["offer"]["id"].clone();
    let mut takers = Vec::new();
    for _ in 0..50 {
        takers.push(house.page().await);
    }
    let tasks: Vec<_> = takers
        .into_iter()
        .map(|mut taker| {
            let accept = accept(&id);
            tokio::spawn(async move { taker.ask(accept).await })
        })
        .collect();
    let mut taken = 0;
    for task in tasks {
        let answer = task.await.unwrap();
        match answer["type"].as_str().unwrap() {
            "done" => taken += 1,
            _ => assert_eq!(answer["why"], "no_such_offer", "{answer}"),
        }
    }
    assert_eq!(taken, 1);
    assert_eq!(hear(&mut ana, "paired").await["game"], id);
    assert_eq!(games(&mut ana).await.len(), 1);
    house.stop().await;
}

#[tokio::test]
async fn the_server_finds_someone() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis, mut eva) = (house.page().await, house.page().await, house.page().await);
    let quick = json!({"type": "quick", "speed": "rapid"});
    let waits = ana.done(quick.clone()).await;
    assert_eq!((&waits["type"], &waits["offer"]["quick"]), (&json!("offered"), &json!(true)));
    let other = luis.done(json!({"type": "quick", "speed": "rapid", "opening": "balanced"})).await;
    assert_eq!(other["type"], "offered", "another kind of game");
    let game = luis.done(quick.clone()).await["game"].clone();
    assert_eq!(game, waits["offer"]["id"]);
    assert_eq!(hear(&mut ana, "paired").await["game"], game);
    assert_eq!(
        hear(&mut luis, "offer_gone").await["offer"],
        other["offer"]["id"],
        "whoever plays waits for nobody else"
    );
    // An offer that somebody made by hand is as good.
    let rapid = by_form(&json!({"kind": "sudden_death", "main_ms": 600_000}));
    let by_hand = ana.done(json!({"type": "offer", "rules": rapid})).await["offer"]["id"].clone();
    assert_eq!(eva.done(quick.clone()).await["game"], by_hand);
    // And the other way round: who waits is paired with what comes.
    let waits = luis.done(quick).await;
    assert_eq!(waits["type"], "offered");
    let by_hand = ana.done(json!({"type": "offer", "rules": rapid})).await["offer"]["id"].clone();
    assert_eq!(hear(&mut luis, "paired").await["game"], by_hand);
    // The first one was told of the game before.
    ana.wait(|message| message["type"] == "paired" && message["game"] == by_hand).await;
    // Nobody who presses "10 min" plays by another clock, though it be as fast.
    let other = by_form(&json!({"kind": "fischer", "main_ms": 300_000, "increment_ms": 5_000}));
    ana.done(json!({"type": "offer", "rules": other})).await;
    assert_eq!(eva.done(json!({"type": "quick", "speed": "rapid"})).await["type"], "offered");
    house.stop().await;
}

#[tokio::test]
async fn by_correspondence_two_are_paired_whoever_comes_last_and_nobody_is_taken_from_their_board() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let at_anas = browser(&house, "ana").await;
    let (mut ana, mut other) = (at_anas.page(house.address).await, at_anas.page(house.address).await);
    let mut luis = account(&house, "luis").await;
    assert_eq!(ana.done(json!({"type": "quick", "speed": "correspondence"})).await["type"], "offered");
    // By hand, so that it is the server that looks.
    let time = json!({"kind": "per_move", "per_move_ms": 259_200_000});
    let id = luis.done(json!({"type": "offer", "rules": by_form(&time)})).await["offer"]["id"].clone();
    for page in [&mut ana, &mut other, &mut luis] {
        let paired = hear(page, "paired").await;
        assert_eq!((&paired["game"], &paired["waited"]), (&id, &json!(false)));
    }
    // A live game is for the page that waits for it.
    let id = ana.done(offer()).await["offer"]["id"].clone();
    luis.done(accept(&id)).await;
    let paired = hear(&mut ana, "paired").await;
    assert_eq!((&paired["game"], &paired["waited"]), (&id, &json!(true)));
    has_not_heard(&mut other, "paired").await;
    house.stop().await;
}

#[tokio::test]
async fn a_guest_keeps_no_place_for_days_and_calls_on_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut guest, mut ana) = (house.page().await, account(&house, "ana").await);
    for ask in [
        json!({"type": "offer", "rules": days()}),
        json!({"type": "quick", "speed": "correspondence"}),
        json!({"type": "challenge", "handle": "ana", "rules": slow()}),
    ] {
        assert_eq!(guest.ask(ask.clone()).await["why"], "needs_account", "{ask}");
    }
    has_not_heard(&mut ana, "challenged").await;
    // They may take what others offer.
    let id = ana.done(json!({"type": "offer", "rules": days()})).await["offer"]["id"].clone();
    assert_eq!(guest.done(accept(&id)).await["game"], id);
    house.stop().await;
}

#[tokio::test]
async fn only_so_many_call_on_one_person() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let mut ana = account(&house, "ana").await;
    let challenge = json!({"type": "challenge", "handle": "ana", "rules": slow()});
    let mut crowd = Vec::new();
    for number in 0..4 {
        let mut page = account(&house, &format!("luis{number}")).await;
        for _ in 0..5 {
            page.done(challenge.clone()).await;
        }
        crowd.push(page);
    }
    let mut eva = account(&house, "eva").await;
    assert_eq!(eva.ask(challenge.clone()).await["why"], "too_many");
    let challenges = lobby(&mut ana).await["challenges"].clone();
    assert_eq!(challenges.as_array().unwrap().len(), 20);
    assert_eq!((&challenges[0]["by"]["handle"], &challenges[0]["to"]), (&json!("luis0"), &json!("ana")));
    // Whoever has enough of one of them has room again.
    ana.done(json!({"type": "block", "handle": "luis0"})).await;
    eva.done(challenge).await;
    house.stop().await;
}

#[tokio::test]
async fn one_address_does_not_fill_the_lobby() {
    let folder = tempfile::tempdir().unwrap();
    let proxies = vec!["127.0.0.1".parse().unwrap()];
    let house = House::start(Config { proxies, ..open_lobby(folder.path()) }).await;
    let origin = format!("http://{}", house.address);
    let from = async |address: &str| {
        Page::try_with(house.address, &[("origin", &origin), ("x-forwarded-for", address)]).await.unwrap()
    };
    let mut many = Vec::new();
    for _ in 0..20 {
        let mut page = from("192.0.2.7").await;
        for _ in 0..5 {
            page.done(offer()).await;
        }
        many.push(page);
    }
    assert_eq!(from("192.0.2.7").await.ask(offer()).await["why"], "too_many");
    from("192.0.2.8").await.done(offer()).await;
    house.stop().await;
}

#[tokio::test]
async fn in_a_lobby_that_is_closed_nobody_is_met() {
    let folder = tempfile::tempdir().unwrap();
    let (text, token) = OwnerToken::fresh().unwrap();
    let house = House::start(Config { owner: Some(token), ..config(folder.path()) }).await;
    let at = house.address;
    let mut owner = owner(at, &text).await;
    assert_eq!(owner.post(at, "/api/admin/settings", json!({"lobby": true})).await.status, 200);
    let (mut ana, mut luis, mut eva) =
        (account(&house, "ana").await, account(&house, "luis").await, account(&house, "eva").await);
    lobby(&mut luis).await;
    let id = ana.done(offer()).await["offer"]["id"].clone();
    sees(&mut luis, &id).await;
    let by_days = eva.done(json!({"type": "quick", "speed": "correspondence"})).await["offer"]["id"].clone();
    sees(&mut luis, &by_days).await;
    assert_eq!(owner.post(at, "/api/admin/settings", json!({"lobby": false})).await.status, 200);
    sees_gone(&mut luis, &id).await;
    for offer in [&id, &by_days] {
        assert_eq!(luis.ask(accept(offer)).await["why"], "lobby_closed");
    }
    // What still waits is there again with the lobby, and goes with whoever is suspended.
    assert_eq!(owner.post(at, "/api/admin/settings", json!({"lobby": true})).await.status, 200);
    luis.early.clear();
    sees(&mut luis, &by_days).await;
    assert_eq!(owner.post(at, "/api/admin/people/eva/suspend", json!({})).await.status, 204);
    sees_gone(&mut luis, &by_days).await;
    assert_eq!(luis.ask(accept(&by_days)).await["why"], "no_such_offer");
    house.stop().await;
}

#[tokio::test]
async fn what_friends_play_by_a_link_is_in_nobody_elses_list() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis, mut eva) =
        (account(&house, "ana").await, account(&house, "luis").await, account(&house, "eva").await);
    let (game, state) = ana.begin(by_link(casual())).await;
    luis.done(json!({"type": "sit", "game": game, "invite": state["invites"]["white"], "name": 2})).await;
    play_four(&mut ana, &mut luis, &game).await;
    ana.done(json!({"type": "resign", "game": game})).await;
    for (page, seen) in [(&mut ana, 1), (&mut luis, 1), (&mut eva, 0)] {
        assert_eq!(person(page, "ana").await["games"].as_array().unwrap().len(), seen);
        let list = page.done(json!({"type": "person_games", "handle": "luis"})).await;
        assert_eq!(list["games"].as_array().unwrap().len(), seen);
    }
    let counted = async |page: &mut Page| person(page, "ana").await["results"].as_array().unwrap().len();
    assert_eq!((counted(&mut ana).await, counted(&mut eva).await), (1, 0), "and nobody else sees how it went");
    house.stop().await;
}

#[tokio::test]
async fn twenty_at_once_are_ten_games() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let mut tasks = Vec::new();
    for _ in 0..20 {
        let mut page = house.page().await;
        tasks.push(tokio::spawn(async move {
            let answer = page.done(json!({"type": "quick", "speed": "blitz"})).await;
            let game = match answer["type"].as_str().unwrap() {
                "done" => answer["game"].clone(),
                _ => hear(&mut page, "paired").await["game"].clone(),
            };
            assert_eq!(games(&mut page).await.len(), 1, "nobody is in two games");
            game.as_str().unwrap().to_owned()
        }));
    }
    let mut found: Vec<String> = Vec::new();
    for task in tasks {
        found.push(task.await.unwrap());
    }
    found.sort();
    for pair in found.chunks(2) {
        assert_eq!(pair[0], pair[1], "{found:?}");
    }
    found.dedup();
    assert_eq!(found.len(), 10);
    house.stop().await;
}

#[tokio::test]
async fn what_cannot_be_offered_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let mut ana = house.page().await;
    let rated = json!({"type": "offer", "rules": slow(), "rated": true});
    assert_eq!(ana.ask(rated.clone()).await["why"], "needs_account");
    assert_eq!(ana.ask(json!({"type": "quick", "speed": "slow", "rated": true})).await["why"], "needs_account");
    let create = json!({"type": "create", "seats": {"black": {"kind": "person", "name": "Ana"}, "white": {"kind": "open"}},
        "rules": {"rated": true, "time": {"kind": "sudden_death", "main_ms": 1_200_000}, "overrun": "loses", "empties": "to_winner", "takebacks": false}});
    assert_eq!(ana.ask(create.clone()).await["why"], "needs_account");
    let no_clock = json!({"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": false});
    let mut luis = account(&house, "luis").await;
    let (game, state) = luis.begin(create).await;
    let sit = json!({"type": "sit", "game": game, "invite": state["invites"]["white"], "name": 2});
    assert_eq!(ana.ask(sit).await["why"], "needs_account", "nor by an invitation");
    assert_eq!(luis.ask(json!({"type": "offer", "rules": no_clock, "rated": true})).await["why"], "bad_rules");
    assert_eq!(
        luis.ask(json!({"type": "challenge", "handle": "nobody", "rules": slow()})).await["why"],
        "no_such_person"
    );
    assert_eq!(luis.ask(json!({"type": "challenge", "handle": "LUIS", "rules": slow()})).await["why"], "not_for_you");
    assert_eq!(luis.ask(json!({"type": "person", "handle": "<script>"})).await["why"], "no_such_person");
    assert_eq!(luis.ask(json!({"type": "leaders", "category": "bullet-standard"})).await["why"], "bad_message");
    let id = luis.done(rated).await["offer"]["id"].clone();
    assert_eq!(ana.ask(accept(&id)).await["why"], "needs_account", "a guest may look");
    let strong = json!({"type": "offer", "rules": slow(), "rating_min": 1501});
    let id = luis.done(strong).await["offer"]["id"].clone();
    assert_eq!(ana.ask(accept(&id)).await["why"], "not_for_you");
    for _ in 0..3 {
        luis.done(offer()).await;
    }
    assert_eq!(luis.ask(offer()).await["why"], "too_many");
    house.stop().await;
}

#[tokio::test]
async fn a_challenge_is_for_one_person_who_may_decline() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis, mut eva) =
        (account(&house, "Ana").await, account(&house, "Luis").await, account(&house, "Eva").await);
    lobby(&mut eva).await;
    let challenge = json!({"type": "challenge", "handle": "luis", "rules": slow(), "color": "black", "rated": true});
    let offered = ana.done(challenge.clone()).await;
    let id = offered["offer"]["id"].clone();
    assert_eq!(offered["offer"]["to"], "Luis");
    let challenged = hear(&mut luis, "challenged").await["offer"].clone();
    assert_eq!(
        (&challenged["id"], &challenged["by"]["handle"], &challenged["yours"]),
        (&id, &json!("Ana"), &json!(false))
    );
    assert_eq!(lobby(&mut luis).await["challenges"][0]["id"], id);
    assert_eq!(lobby(&mut ana).await["challenges"][0]["yours"], true);
    assert_eq!(eva.ask(accept(&id)).await["why"], "no_such_offer");
    assert_eq!(eva.ask(json!({"type": "challenge_decline", "offer": id})).await["why"], "no_such_offer");
    luis.done(json!({"type": "challenge_decline", "offer": id})).await;
    let gone = hear(&mut ana, "offer_gone").await;
    assert_eq!((&gone["offer"], &gone["declined"]), (&id, &json!(true)));
    // Again, and withdrawn.
    let id = ana.done(challenge.clone()).await["offer"]["id"].clone();
    hear(&mut luis, "challenged").await;
    ana.done(json!({"type": "offer_withdraw", "offer": id})).await;
    assert_eq!(hear(&mut luis, "offer_gone").await["offer"], id);
    // Again, and accepted.
    let id = ana.done(challenge).await["offer"]["id"].clone();
    assert_eq!(luis.done(accept(&id)).await["game"], id);
    hear(&mut ana, "paired").await;
    let view = luis.open(id.as_str().unwrap()).await["view"].clone();
    assert_eq!((&view["seats"]["black"]["handle"], &view["seats"]["white"]["handle"]), (&json!("Ana"), &json!("Luis")));
    assert_eq!(
        (&view["seats"]["black"]["rating"], &view["seats"]["black"]["provisional"]),
        (&json!(1500), &json!(true))
    );
    assert_eq!(view["rules"]["rated"], true);
    assert_eq!(lobby(&mut eva).await["offers"], json!([]), "nobody else has seen it");
    house.stop().await;
}

#[tokio::test]
async fn whoever_is_blocked_is_not_met() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis, mut eva) =
        (account(&house, "ana").await, account(&house, "luis").await, account(&house, "eva").await);
    let challenge =
        luis.done(json!({"type": "challenge", "handle": "ana", "rules": slow()})).await["offer"]["id"].clone();
    assert_eq!(ana.ask(json!({"type": "block", "handle": "ana"})).await["why"], "not_for_you");
    lobby(&mut ana).await;
    let shown = luis.done(offer()).await["offer"]["id"].clone();
    sees(&mut ana, &shown).await;
    ana.done(json!({"type": "block", "handle": "luis"})).await;
    for page in [&mut ana, &mut luis] {
        assert_eq!(hear(page, "offer_gone").await["offer"], challenge, "both pages say so");
    }
    sees_gone(&mut ana, &shown).await;
    luis.done(json!({"type": "offer_withdraw", "offer": shown})).await;
    assert_eq!(lobby(&mut ana).await["challenges"], json!([]), "what they offered is gone");
    assert_eq!(person(&mut ana, "luis").await["blocked"], true);
    assert_eq!(person(&mut luis, "ana").await["blocked"], false);
    for (page, other) in [(&mut ana, "luis"), (&mut luis, "ana")] {
        let challenge = json!({"type": "challenge", "handle": other, "rules": slow()});
        assert_eq!(page.ask(challenge).await["why"], "not_wanted");
    }
    lobby(&mut luis).await;
    lobby(&mut eva).await;
    let id = ana.done(offer()).await["offer"]["id"].clone();
    sees(&mut eva, &id).await;
    assert_eq!(lobby(&mut luis).await["offers"], json!([]));
    assert_eq!(luis.ask(accept(&id)).await["why"], "no_such_offer");
    ana.done(json!({"type": "offer_withdraw", "offer": id})).await;
    // Nor does the server bring them together.
    let quick = json!({"type": "quick", "speed": "slow", "rated": true});
    assert_eq!(ana.done(quick.clone()).await["type"], "offered");
    assert_eq!(luis.done(quick.clone()).await["type"], "offered");
    let game = eva.done(quick.clone()).await["game"].clone();
    let first = ana.wait(|message| message["type"] == "paired").await;
    assert_eq!(first["game"], game, "the one who waited longest of two with the same points");
    ana.done(json!({"type": "unblock", "handle": "luis"})).await;
    assert_eq!(ana.done(quick).await["type"], "done");
    house.stop().await;
}

#[tokio::test]
async fn whoever_is_blocked_reaches_nobody_by_a_game_that_both_have() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis) = (account(&house, "ana").await, account(&house, "luis").await);
    let mut rules = slow();
    rules["takebacks"] = json!(true);
    let id = ana.done(json!({"type": "offer", "rules": rules, "color": "black"})).await["offer"]["id"].clone();
    luis.done(accept(&id)).await;
    let game = id.as_str().unwrap();
    play_four(&mut ana, &mut luis, game).await;
    let asks = [
        json!({"type": "say", "game": game, "phrase": "hello"}),
        json!({"type": "takeback", "game": game, "ply": 4}),
        json!({"type": "pause", "game": game}),
        json!({"type": "scrap", "game": game}),
        json!({"type": "again", "game": game, "swap": true}),
    ];
    luis.done(asks[4].clone()).await;
    ana.done(json!({"type": "block", "handle": "luis"})).await;
    let accepted = json!({"type": "answer", "game": game, "what": "rematch", "accept": true});
    assert_eq!(ana.ask(accepted).await["why"], "not_wanted", "nor by what was asked before");
    for page in [&mut ana, &mut luis] {
        for ask in &asks[..4] {
            assert_eq!(page.ask(ask.clone()).await["why"], "not_wanted", "{ask}");
        }
    }
    // The game goes on, and comes to its end.
    let state = ana.open(game).await;
    ana.play_first(&state).await;
    resign(&mut luis, &id).await;
    for page in [&mut ana, &mut luis] {
        assert_eq!(page.ask(asks[4].clone()).await["why"], "not_wanted");
    }
    ana.done(json!({"type": "unblock", "handle": "luis"})).await;
    ana.done(asks[4].clone()).await;
    house.stop().await;
}

#[tokio::test]
async fn a_rated_game_changes_both_ratings_once() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis) = (account(&house, "ana").await, account(&house, "luis").await);
    let id = ana.done(json!({"type": "offer", "rules": slow(), "rated": true, "color": "black"})).await["offer"]["id"]
        .clone();
    luis.done(accept(&id)).await;
    let game = id.as_str().unwrap();
    play_four(&mut ana, &mut luis, game).await;
    assert_eq!(person(&mut luis, "ana").await["ratings"], json!([]), "not before it ends");
    let end = resign(&mut luis, &id).await;
    let change = json!({"black": {"before": 1500, "after": 1741}, "white": {"before": 1500, "after": 1259}});
    assert_eq!(end["rated"], change);
    assert_eq!(end["view"]["seats"]["black"]["rating"], 1500, "as they came");
    // Whoever comes later sees the same.
    assert_eq!(house.page().await.open(game).await["rated"], change);
    let rating =
        |rating: i32| json!([{"category": "slow-standard", "rating": rating, "provisional": true, "games": 1}]);
    let profile = person(&mut luis, "ANA").await;
    assert_eq!(
        (&profile["handle"], &profile["online"], &profile["ratings"]),
        (&json!("ana"), &json!(true), &rating(1741))
    );
    assert_eq!(
        profile["results"],
        json!([{"speed": "slow", "opening": "standard", "color": "black", "won": 1, "drawn": 0, "lost": 0}])
    );
    assert_eq!(profile["games"][0]["rated"], change);
    assert_eq!(profile["games"][0]["seats"]["white"]["handle"], "luis");
    let page = luis.done(json!({"type": "person_games", "handle": "luis"})).await;
    assert_eq!((&page["games"][0]["game"], &page["more"]), (&id, &json!(false)));
    assert_eq!(games(&mut ana).await[0]["rated"], change, "in one's own list too");
    let leaders = luis.done(json!({"type": "leaders", "category": "slow-standard"})).await;
    assert_eq!(leaders["leaders"], json!([]), "of nobody enough is known");
    // Another game of the same two, with the colours changed, counts as well.
    ana.done(json!({"type": "again", "game": game, "swap": true})).await;
    let next = luis.done(json!({"type": "again", "game": game, "swap": true})).await["game"].clone();
    assert_ne!(next, id);
    let state = luis.open(next.as_str().unwrap()).await;
    assert_eq!(
        (&state["view"]["rules"]["rated"], &state["view"]["seats"]["black"]["rating"]),
        (&json!(true), &json!(1259))
    );
    assert_eq!(state["view"]["seats"]["black"]["you"], true);
    // What was deleted from both lists has counted all the same.
    for page in [&mut ana, &mut luis] {
        page.done(json!({"type": "delete", "game": id})).await;
    }
    assert_eq!(person(&mut luis, "ana").await["ratings"], rating(1741));
    assert_eq!(house.page().await.open(game).await["rated"], change);
    house.stop().await;
}

#[tokio::test]
async fn a_casual_game_is_listed_and_counts_for_no_rating() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis) = (account(&house, "ana").await, account(&house, "luis").await);
    let id = ana.done(offer()).await["offer"]["id"].clone();
    luis.done(accept(&id)).await;
    let (black, white) = by_color(&mut ana, &mut luis, id.as_str().unwrap()).await;
    play_four(black, white, id.as_str().unwrap()).await;
    let end = resign(&mut ana, &id).await;
    assert!(end["rated"].is_null());
    let profile = person(&mut ana, "luis").await;
    assert_eq!((&profile["ratings"], &profile["games"][0]["game"]), (&json!([]), &id));
    house.stop().await;
}

#[tokio::test]
async fn a_game_that_was_broken_off_counts_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis) = (account(&house, "ana").await, account(&house, "luis").await);
    let id = ana.done(json!({"type": "offer", "rules": slow(), "rated": true})).await["offer"]["id"].clone();
    luis.done(accept(&id)).await;
    luis.done(json!({"type": "abort", "game": id})).await;
    let end = ana.open(id.as_str().unwrap()).await;
    assert_eq!((&end["view"]["verdict"]["ending"], &end["rated"]), (&json!("aborted"), &Value::Null));
    let profile = person(&mut ana, "luis").await;
    assert_eq!((&profile["ratings"], &profile["results"], &profile["games"]), (&json!([]), &json!([]), &json!([])));
    house.stop().await;
}

#[tokio::test]
async fn colours_are_shared_out() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(open_lobby(folder.path())).await;
    let (mut ana, mut luis) = (account(&house, "ana").await, account(&house, "luis").await);
    let mut had_black = Vec::new();
    for _ in 0..4 {
        let id = ana.done(offer()).await["offer"]["id"].clone();
        luis.done(accept(&id)).await;
        had_black.push(ana.open(id.as_str().unwrap()).await["view"]["seats"]["black"]["you"] == true);
        let (black, white) = by_color(&mut ana, &mut luis, id.as_str().unwrap()).await;
        play_four(black, white, id.as_str().unwrap()).await;
        resign(&mut ana, &id).await;
    }
    // The toss decides the first, and the third, when both have had each once.
    assert_ne!(had_black[0], had_black[1]);
    assert_ne!(had_black[2], had_black[3]);
    house.stop().await;
}

/// The server stops at any moment around the last move; the page sends it again when it is back. The game ends once, and counts once.
#[tokio::test]
async fn a_rating_is_changed_once_however_the_server_goes_and_comes() {
    let folder = tempfile::tempdir().unwrap();
    let mut house = House::start(open_lobby(folder.path())).await;
    let (at_anas, at_luiss) = (browser(&house, "ana").await, browser(&house, "luis").await);
    let (mut ana, mut luis) = (at_anas.page(house.address).await, at_luiss.page(house.address).await);
    for round in 1..=6_u64 {
        let color = if round % 2 == 0 { "black" } else { "white" };
        let made = json!({"type": "offer", "rules": slow(), "rated": true, "color": color});
        let id = ana.done(made).await["offer"]["id"].clone();
        luis.done(accept(&id)).await;
        let (black, white) = by_color(&mut ana, &mut luis, id.as_str().unwrap()).await;
        play_four(black, white, id.as_str().unwrap()).await;
        // Not waited for: nobody knows how far it gets.
        let mut last = json!({"type": "resign", "game": id});
        last["id"] = format!("last-{round}").into();
        luis.send(&last).await;
        if round % 3 == 0 {
            luis.send(&last).await;
        }
        house.stop().await;
        house = House::start(open_lobby(folder.path())).await;
        (ana, luis) = (at_anas.page(house.address).await, at_luiss.page(house.address).await);
        let answer = luis.ask_as(&format!("last-{round}"), last.clone()).await;
        assert_eq!(answer["type"], "done", "{answer}");
        assert_eq!(luis.ask_as(&format!("last-{round}"), last).await["type"], "done");
        let mut points = Vec::new();
        for handle in ["ana", "luis"] {
            let ratings = person(&mut ana, handle).await["ratings"].clone();
            assert_eq!(ratings[0]["games"], round, "{handle}: {ratings}");
            points.push(ratings[0]["rating"].as_i64().unwrap());
        }
        assert_eq!(points[0] + points[1], 3000, "what one wins the other loses, as both have played the same games");
    }
    house.stop().await;
}

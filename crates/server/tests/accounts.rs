//! Accounts from the outside: opening one, signing in and out, codes, tokens, and what the owner decides.

mod common;

use common::{
    House, Page,
    browser::{Answer, Browser, OTHER, PASSWORD, ask_with},
    by_link, casual, config, request, set_cookie, two_here,
};
use serde_json::{Value, json};
use server::{Config, OwnerToken};
use std::{net::SocketAddr, path::Path};

async fn by_token(address: SocketAddr, method: &str, path: &str, token: &str, body: Value) -> Answer {
    let headers = format!("Authorization: Bearer {token}\r\nContent-Type: application/json\r\n");
    ask_with(address, method, path, &headers, body).await
}

async fn program(address: SocketAddr, token: &str) -> Result<Page, u16> {
    Page::try_with(address, &[("authorization", &format!("Bearer {token}"))]).await
}

async fn games(page: &mut Page) -> Vec<Value> {
    page.done(json!({"type": "list"})).await["games"].as_array().unwrap().clone()
}

/// A server with an owner's link, as one with a name has.
fn hosted(data: &Path) -> (Config, String) {
    let (text, token) = OwnerToken::fresh().unwrap();
    (Config { owner: Some(token), ..config(data) }, text)
}

/// The owner, by the link.
async fn owner(address: SocketAddr, token: &str) -> Browser {
    let claimed = request(address, "POST", "/api/owner", "", token).await;
    Browser { guest: Some(set_cookie(&claimed).unwrap().0), session: None }
}

#[tokio::test]
async fn a_guest_opens_an_account_and_all_that_was_theirs_still_is() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let mut ana = Browser::visit(at).await;
    assert_eq!(
        ana.get(at, "/api/account").await,
        json!({"account": null, "owner": false, "guest": true,
        "settings": {"lobby": false, "registration": true, "announcement": null}})
    );
    let mut page = ana.page(at).await;
    assert_eq!(page.welcome["me"], json!({"handle": null, "owner": false, "bot": false, "can_sign_out": false}));
    let (game, _) = page.begin(two_here(casual())).await;
    page.done(json!({"type": "study_new", "from": {"kind": "text", "text": "f5d6c3"}})).await;
    let guest = ana.guest.clone().unwrap();
    let opened = ana.open(at, "Ana_77").await;
    assert_eq!((&opened["account"]["handle"], &opened["account"]["bot"]), (&json!("Ana_77"), &json!(false)));
    assert_eq!(opened["recovery"].as_array().unwrap().len(), 8);
    // The connection of the guest ends, and the same browser is Ana now.
    assert_eq!(page.close_code().await, Some(4002));
    let mut page = ana.page(at).await;
    assert_eq!(page.welcome["me"]["handle"], "Ana_77");
    assert_eq!(games(&mut page).await[0]["game"], game.as_str());
    assert_eq!(page.done(json!({"type": "studies"})).await["studies"].as_array().unwrap().len(), 1);
    // So is another browser, after a restart too; capital letters do not matter.
    house.stop().await;
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let mut phone = Browser::visit(at).await;
    assert_eq!(phone.sign_in(at, "ANA_77", PASSWORD).await.status, 200);
    assert_eq!(games(&mut phone.page(at).await).await[0]["game"], game.as_str());
    // Whoever had the guest's cookie is somebody else.
    let mut other = Browser { guest: Some(guest.clone()), session: None };
    assert_eq!(other.handle(at).await, Value::Null);
    assert!(games(&mut other.page(at).await).await.is_empty());
    other.get(at, "/api/account").await;
    assert_ne!(other.guest, Some(guest), "and has a new one");
}

#[tokio::test]
async fn a_name_is_one_persons() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let (mut ana, mut luis) = (Browser::visit(at).await, Browser::visit(at).await);
    ana.open(at, "Ana").await;
    let again = ana.post(at, "/api/account", json!({"handle": "Ana2", "password": PASSWORD})).await;
    assert_eq!((again.status, &again.body["why"]), (409, &json!("has_account")));
    for (handle, password, status, why) in [
        ("ana", PASSWORD, 409, "handle_taken"),
        ("Admin", PASSWORD, 409, "handle_taken"),
        ("7ana", PASSWORD, 422, "bad_handle"),
        ("Luis", "short", 422, "bad_password_length"),
        ("Luis", "luis123456", 422, "common_password"),
        ("Luis", "Password123", 422, "common_password"),
    ] {
        let refused = luis.post(at, "/api/account", json!({"handle": handle, "password": password})).await;
        assert_eq!((refused.status, &refused.body["why"]), (status, &json!(why)), "{handle} {password}");
        assert!(!refused.head.contains("set-cookie") && luis.session.is_none());
    }
    luis.open(at, "Luis").await;
    // Two who ask for the same name at once.
    let (mut one, mut other) = (Browser::visit(at).await, Browser::visit(at).await);
    let wanted = || json!({"handle": "Eva", "password": PASSWORD});
    let (one, other) = tokio::join!(one.post(at, "/api/account", wanted()), other.post(at, "/api/account", wanted()));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
}

#[tokio::test]
async fn whoever_signed_in_sits_under_their_handle_and_nobody_else_does() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let mut ana = Browser::visit(at).await;
    ana.open(at, "Ana_77").await;
    let mut ana = ana.page(at).await;
    let (game, state) = ana.begin(by_link(casual())).await;
    assert_eq!(state["view"]["seats"]["black"]["name"], "Ana_77", "though the page said Ana");
    let (_, state) = ana.begin(two_here(casual())).await;
    assert_eq!(state["view"]["seats"]["white"]["name"], "Luis", "two people at one screen");
    // A guest is called what they like, but not that.
    let mut guest = house.page().await;
    let (_, invited) = (guest.open(&game).await, ana.open(&game).await);
    let invite = invited["invites"]["white"].clone();
    for name in ["Ana_77", "ana_77", "Аna_77", "ａna_77"] {
        let sit = json!({"type": "sit", "game": game, "invite": invite, "name": name});
        assert_eq!(guest.ask(sit).await["why"], "name_taken", "{name}");
        let mut begin = by_link(casual());
        begin["seats"]["black"]["name"] = json!(name);
        assert_eq!(guest.ask(begin).await["why"], "name_taken", "{name}");
    }
    guest.done(json!({"type": "sit", "game": game, "invite": invite, "name": "Ana"})).await;
    // Someone with an account sits down under it, whatever they say.
    let mut luis = Browser::visit(at).await;
    luis.open(at, "Luis").await;
    let mut luis = luis.page(at).await;
    let (game, state) = ana.begin(by_link(casual())).await;
    luis.open(&game).await;
    let sit = json!({"type": "sit", "game": game, "invite": state["invites"]["white"], "name": "Ana_77"});
    luis.done(sit).await;
    let seats = luis.open(&game).await["view"]["seats"].clone();
    assert_eq!((&seats["black"]["name"], &seats["white"]["name"]), (&json!("Ana_77"), &json!("Luis")));
}

#[tokio::test]
async fn sessions_are_listed_and_ended_and_their_pages_close() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let mut home = Browser::visit(at).await;
    home.open(at, "Ana").await;
    let mut phone = Browser::visit(at).await;
    let guest = phone.guest.clone();
    phone.sign_in(at, "Ana", PASSWORD).await;
    let sessions = home.get(at, "/api/sessions").await;
    let here: Vec<bool> = sessions.as_array().unwrap().iter().map(|one| one["here"].as_bool().unwrap()).collect();
    assert_eq!((here.len(), here.iter().filter(|here| **here).count()), (2, 1));
    assert!(sessions.as_array().unwrap().iter().all(|one| one["agent"] == "A browser"));
    let other = sessions.as_array().unwrap().iter().find(|one| one["here"] == false).unwrap()["id"].as_str().unwrap();
    // Its page closes at once, and another of the same person does not.
    let (mut on_phone, mut at_home) = (phone.page(at).await, home.page(at).await);
    let ended = home.ask(at, "DELETE", &format!("/api/sessions/{other}"), Value::Null).await;
    assert_eq!(ended.status, 204);
    assert_eq!(on_phone.close_code().await, Some(4002));
    at_home.done(json!({"type": "ping"})).await;
    assert_eq!(phone.handle(at).await, Value::Null, "its cookie is worth nothing");
    let again = home.ask(at, "DELETE", &format!("/api/sessions/{other}"), Value::Null).await;
    assert_eq!((again.status, &again.body["why"]), (404, &json!("not_found")));
    // Nobody ends another's.
    let mut luis = Browser::visit(at).await;
    luis.open(at, "Luis").await;
    let mine = home.get(at, "/api/sessions").await[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(luis.ask(at, "DELETE", &format!("/api/sessions/{mine}"), Value::Null).await.status, 404);
    at_home.done(json!({"type": "ping"})).await;
    // Signing out closes the page, and the browser is the guest it was before.
    phone.sign_in(at, "Ana", PASSWORD).await;
    let mut page = phone.page(at).await;
    let old = phone.session.clone();
    assert_eq!(phone.ask(at, "DELETE", "/api/session", Value::Null).await.status, 204);
    assert_eq!(page.close_code().await, Some(4002));
    assert!(phone.session.is_none() && phone.guest == guest);
    let mut replayed = Browser { guest: None, session: old };
    assert_eq!(replayed.handle(at).await, Value::Null);
    let unknown = replayed.ask(at, "GET", "/api/sessions", Value::Null).await;
    assert_eq!((unknown.status, &unknown.body["why"]), (401, &json!("not_signed_in")));
}

#[tokio::test]
async fn every_change_of_who_one_is_gives_a_new_secret() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    // What somebody planted in the browser before is worth nothing afterwards.
    let planted = "outflank-session=0123456789abcdefghjkmnpqrs".to_owned();
    let mut ana = Browser { guest: Browser::visit(at).await.guest, session: Some(planted.clone()) };
    ana.open(at, "Ana").await;
    let first = ana.session.clone().unwrap();
    assert_ne!(first, planted);
    assert_eq!(Browser { guest: None, session: Some(planted) }.handle(at).await, Value::Null);
    // Signing in again in the same browser ends what it had.
    assert_eq!(ana.sign_in(at, "Ana", PASSWORD).await.status, 200);
    let second = ana.session.clone().unwrap();
    assert_ne!(first, second);
    assert_eq!(Browser { guest: None, session: Some(first) }.handle(at).await, Value::Null);
    // A new password: this browser has a new secret, others have none, their pages close.
    let mut phone = Browser::visit(at).await;
    phone.sign_in(at, "Ana", PASSWORD).await;
    let mut on_phone = phone.page(at).await;
    for (old, new, status, why) in [
        ("wrong old password", OTHER, 401, "wrong_password"),
        (PASSWORD, "short", 422, "bad_password_length"),
        (PASSWORD, "Ana1234567", 422, "common_password"),
    ] {
        let refused = ana.post(at, "/api/account/password", json!({"old": old, "new": new})).await;
        assert_eq!((refused.status, &refused.body["why"]), (status, &json!(why)));
    }
    on_phone.done(json!({"type": "ping"})).await;
    let changed = ana.post(at, "/api/account/password", json!({"old": PASSWORD, "new": OTHER})).await;
    assert_eq!(changed.status, 200);
    assert_eq!(on_phone.close_code().await, Some(4002));
    assert_ne!(ana.session, Some(second.clone()));
    assert_eq!(Browser { guest: None, session: Some(second) }.handle(at).await, Value::Null);
    assert_eq!(ana.handle(at).await, "Ana");
    assert_eq!(phone.sign_in(at, "Ana", PASSWORD).await.status, 401);
    assert_eq!(phone.sign_in(at, "Ana", OTHER).await.status, 200);
}

#[tokio::test]
async fn a_session_ends_when_it_is_not_used_and_when_it_is_old() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = Browser::visit(house.address).await;
    ana.open(house.address, "Ana").await;
    let change = |sql: &str| {
        let file = rusqlite::Connection::open(folder.path().join("outflank.db")).unwrap();
        assert_eq!(file.execute(sql, []).unwrap(), 1);
    };
    house.stop().await;
    let day = 24 * 60 * 60 * 1000_i64;
    for (sql, handle) in [
        (format!("UPDATE session SET seen = seen - {}", 59 * day), json!("Ana")),
        (format!("UPDATE session SET seen = seen - {}", 61 * day), Value::Null),
        (format!("UPDATE session SET seen = made, made = made - {}", 364 * day), json!("Ana")),
        (format!("UPDATE session SET made = made - {}", 2 * day), Value::Null),
    ] {
        change(&sql);
        let house = House::start(config(folder.path())).await;
        assert_eq!(ana.handle(house.address).await, handle, "{sql}");
        house.stop().await;
    }
}

#[tokio::test]
async fn a_recovery_code_lets_in_once_whoever_forgot_their_password() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let mut ana = Browser::visit(at).await;
    let codes = ana.open(at, "Ana").await["recovery"].clone();
    let code = codes[0].as_str().unwrap().to_owned();
    let recover = |handle: &str, code: &str| json!({"handle": handle, "code": code, "password": OTHER});
    let mut new = Browser::visit(at).await;
    let wrong = new.post(at, "/api/account/recover", recover("Ana", "0000-0000-0000-0000")).await;
    let nobody = new.post(at, "/api/account/recover", recover("Nobody", &code)).await;
    assert_eq!((wrong.status, &wrong.body["why"]), (401, &json!("wrong_code")));
    assert_eq!((wrong.status, wrong.body), (nobody.status, nobody.body), "the same for an unknown name");
    // However it is copied from paper.
    let mut page = ana.page(at).await;
    let token = ana.post(at, "/api/tokens", json!({"name": "bot", "scopes": ["play"]})).await;
    assert_eq!(token.status, 201);
    let copied = code.to_uppercase().replace('-', " ").replace('0', "O").replace('1', "l");
    let recovered = new.post(at, "/api/account/recover", recover("Ana", &copied)).await;
    assert_eq!((recovered.status, &recovered.body["account"]["handle"]), (200, &json!("Ana")));
    assert_eq!(new.handle(at).await, "Ana");
    assert_eq!(page.close_code().await, Some(4002), "whoever was in is out");
    assert_eq!(new.get(at, "/api/tokens").await, json!([]), "and so are the programs they let in");
    assert_eq!(ana.handle(at).await, Value::Null);
    assert_eq!(ana.sign_in(at, "Ana", PASSWORD).await.status, 401);
    let again = new.post(at, "/api/account/recover", recover("Ana", &code)).await;
    assert_eq!((again.status, &again.body["why"]), (401, &json!("wrong_code")), "once");
    // New codes take the place of the old; the password is asked again.
    let refused = new.post(at, "/api/account/recovery", json!({"password": PASSWORD})).await;
    assert_eq!((refused.status, &refused.body["why"]), (401, &json!("wrong_password")));
    let fresh = new.post(at, "/api/account/recovery", json!({"password": OTHER})).await;
    assert_eq!(fresh.body["recovery"].as_array().unwrap().len(), 8);
    let old = new.post(at, "/api/account/recover", recover("Ana", codes[1].as_str().unwrap())).await;
    assert_eq!(old.status, 401);
    let used = new.post(at, "/api/account/recover", recover("Ana", fresh.body["recovery"][7].as_str().unwrap())).await;
    assert_eq!(used.status, 200);
}

#[tokio::test]
async fn a_token_is_shown_once_and_does_what_it_is_for() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let mut ana = Browser::visit(at).await;
    let refused = ana.post(at, "/api/tokens", json!({"name": "bot", "scopes": ["play"]})).await;
    assert_eq!((refused.status, &refused.body["why"]), (401, &json!("not_signed_in")), "a guest");
    ana.open(at, "Ana").await;
    let mut make = async |scopes: Value| {
        let made = ana.post(at, "/api/tokens", json!({"name": "my bot", "scopes": scopes})).await;
        assert_eq!(made.status, 201, "{made:?}");
        (made.body["token"].as_str().unwrap().to_owned(), made.body["id"].as_str().unwrap().to_owned())
    };
    let ((read, _), (play, id)) = (make(json!(["read"])).await, make(json!(["play"])).await);
    assert!(play.starts_with("ofk_") && play.len() == 30);
    let listed = ana.get(at, "/api/tokens").await;
    assert_eq!((listed.as_array().unwrap().len(), &listed[0].get("token")), (2, &None));
    let file = std::fs::read(folder.path().join("outflank.db")).unwrap();
    let wal = std::fs::read(folder.path().join("outflank.db-wal")).unwrap_or_default();
    let holds =
        |text: &str| [&file, &wal].iter().any(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()));
    assert!(!holds(&play) && !holds(&read) && !holds(PASSWORD), "what is kept is a hash");
    // One that may only read sees the games and changes nothing.
    let mut player = program(at, &play).await.unwrap();
    assert_eq!(player.welcome["me"], json!({"handle": "Ana", "owner": false, "bot": false, "can_sign_out": false}));
    let (game, _) = player.begin(two_here(casual())).await;
    let mut reader = program(at, &read).await.unwrap();
    assert_eq!(games(&mut reader).await[0]["game"], game.as_str());
    reader.open(&game).await;
    for ask in [
        json!({"type": "play", "game": game, "square": "f5", "ply": 0}),
        json!({"type": "resign", "game": game}),
        json!({"type": "delete", "game": game}),
        json!({"type": "study_new", "from": {"kind": "text", "text": "f5d6"}}),
        json!({"type": "review", "study": "x"}),
        two_here(casual()),
    ] {
        assert_eq!(reader.ask(ask.clone()).await["why"], "scope", "{ask}");
    }
    player.open(&game).await;
    player.done(json!({"type": "play", "game": game, "square": "f5", "ply": 0})).await;
    // No token touches the account, other tokens or the server.
    for (method, path, body) in [
        ("POST", "/api/tokens", json!({"name": "more", "scopes": ["play"]})),
        ("GET", "/api/tokens", Value::Null),
        ("GET", "/api/sessions", Value::Null),
        ("POST", "/api/account/password", json!({"old": PASSWORD, "new": OTHER})),
        ("POST", "/api/account/recovery", json!({"password": PASSWORD})),
        ("POST", "/api/admin/settings", json!({"lobby": true})),
        ("POST", "/api/session", json!({"handle": "Ana", "password": PASSWORD})),
    ] {
        let refused = by_token(at, method, path, &play, body).await;
        assert_eq!((refused.status, &refused.body["why"]), (403, &json!("not_by_token")), "{path}");
    }
    assert_eq!(by_token(at, "GET", "/api/account", &play, Value::Null).await.body["account"]["handle"], "Ana");
    // One that was ended is good for nothing, at once.
    assert_eq!(ana.ask(at, "DELETE", &format!("/api/tokens/{id}"), Value::Null).await.status, 204);
    assert_eq!(player.close_code().await, Some(4002));
    assert_eq!(program(at, &play).await.err(), Some(401));
    let gone = by_token(at, "GET", "/api/account", &play, Value::Null).await;
    assert_eq!((gone.status, &gone.body["why"]), (401, &json!("bad_token")));
    assert_eq!(program(at, "ofk_0123456789abcdefghjkmnpqrs").await.err(), Some(401));
    reader.done(json!({"type": "ping"})).await;
    // Whoever chooses a new password ends them all.
    let changed = ana.post(at, "/api/account/password", json!({"old": PASSWORD, "new": OTHER})).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(reader.close_code().await, Some(4002));
    assert_eq!(program(at, &read).await.err(), Some(401));
    assert_eq!(ana.get(at, "/api/tokens").await, json!([]));
}

#[tokio::test]
async fn an_account_can_be_a_programs() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let at = house.address;
    let mut bot = Browser::visit(at).await;
    let wanted = json!({"handle": "Robot", "password": PASSWORD, "bot": true});
    assert_eq!(bot.post(at, "/api/account", wanted).await.body["account"]["bot"], true);
    let mut ana = Browser::visit(at).await;
    ana.open(at, "Ana").await;
    let (mut file, who) = (
        rusqlite::Connection::open(folder.path().join("outflank.db")).unwrap(),
        "(SELECT who FROM account WHERE key = 'ana')",
    );
    let rated = file.transaction().unwrap();
    let sql = format!("INSERT INTO rating VALUES ({who}, 'blitz-standard', 1500, 200, 0.09, 1, 0)");
    rated.execute(&sql, []).unwrap();
    rated.commit().unwrap();
    let refused = ana.post(at, "/api/account/bot", json!({})).await;
    assert_eq!((refused.status, &refused.body["why"]), (409, &json!("rated_already")));
    file.execute("DELETE FROM rating", []).unwrap();
    assert_eq!(ana.post(at, "/api/account/bot", json!({})).await.body["account"]["bot"], true);
    assert_eq!(ana.page(at).await.welcome["me"]["bot"], true);
}

#[tokio::test]
async fn the_owner_decides_and_it_is_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let (config, token) = hosted(folder.path());
    let house = House::start(config).await;
    let at = house.address;
    let mut owner = owner(at, &token).await;
    let mut ana = Browser::visit(at).await;
    ana.open(at, "Ana").await;
    let mut watching = house.page().await;
    assert_eq!(watching.welcome["house"], json!({"lobby": false, "registration": true, "announcement": null}));
    let decide = json!({"lobby": true, "registration": false, "announcement": " Blitz  tonight "});
    let settings = owner.post(at, "/api/admin/settings", decide).await;
    let wanted = json!({"lobby": true, "registration": false, "announcement": "Blitz tonight"});
    assert_eq!((settings.status, &settings.body), (200, &wanted));
    // Every page hears of it.
    let told = watching.wait(|message| message["type"] == "house" && message["announcement"] == "Blitz tonight").await;
    assert_eq!((&told["lobby"], &told["registration"]), (&json!(true), &json!(false)));
    let mut late = Browser::visit(at).await;
    let refused = late.post(at, "/api/account", json!({"handle": "Late", "password": PASSWORD})).await;
    assert_eq!((refused.status, &refused.body["why"]), (403, &json!("registration_closed")));
    assert_eq!(ana.sign_in(at, "Ana", PASSWORD).await.status, 200, "whoever has an account comes in");
    let bad = owner.post(at, "/api/admin/settings", json!({"announcement": "a\u{202e}b"})).await;
    assert_eq!((bad.status, &bad.body["why"]), (422, &json!("bad_announcement")));
    // Suspended people are out at once, also those who come by token, and nobody learns of it who has not the password.
    let made = ana.post(at, "/api/tokens", json!({"name": "bot", "scopes": ["play"]})).await;
    let token_of_ana = made.body["token"].as_str().unwrap().to_owned();
    let (mut page, mut bot) = (ana.page(at).await, program(at, &token_of_ana).await.unwrap());
    assert_eq!(owner.post(at, "/api/admin/people/ana/suspend", json!({"days": 7})).await.status, 204);
    assert_eq!((page.close_code().await, bot.close_code().await), (Some(4002), Some(4002)));
    assert_eq!(ana.handle(at).await, Value::Null);
    assert_eq!(program(at, &token_of_ana).await.err(), Some(401));
    let refused = ana.sign_in(at, "Ana", PASSWORD).await;
    assert_eq!((refused.status, &refused.body["why"]), (403, &json!("suspended")));
    assert_eq!(ana.sign_in(at, "Ana", OTHER).await.body["why"], "wrong_password");
    let people = owner.get(at, "/api/admin/people?part=AN").await["people"].clone();
    assert_eq!((people.as_array().unwrap().len(), people[0]["suspended"].is_u64()), (1, true));
    assert_eq!(owner.post(at, "/api/admin/people/Ana/restore", json!({})).await.status, 204);
    assert_eq!(ana.sign_in(at, "Ana", PASSWORD).await.status, 200);
    // A reset takes everything away that let someone in, and gives one code.
    let mut page = ana.page(at).await;
    let reset = owner.post(at, "/api/admin/people/Ana/reset", json!({})).await;
    let code = reset.body["code"].as_str().unwrap();
    assert_eq!(page.close_code().await, Some(4002));
    assert_eq!(ana.sign_in(at, "Ana", PASSWORD).await.status, 401);
    assert_eq!(program(at, &token_of_ana).await.err(), Some(401));
    let body = json!({"handle": "Ana", "code": code, "password": OTHER});
    assert_eq!(ana.post(at, "/api/account/recover", body.clone()).await.status, 200);
    assert_eq!(ana.post(at, "/api/account/recover", body).await.status, 401, "once");
    assert_eq!(owner.post(at, "/api/admin/people/Nobody/reset", json!({})).await.body["why"], "no_such_person");
    // All of it is written down, the latest first, and stays after a restart.
    let acts = |audit: &Value| -> Vec<String> {
        let entries = audit["entries"].as_array().unwrap();
        entries.iter().map(|entry| entry["what"]["type"].as_str().unwrap().to_owned()).collect()
    };
    let wanted = ["reset", "restore", "suspend", "announce", "lobby", "registration"];
    let audit = owner.get(at, "/api/admin/audit").await;
    assert_eq!(acts(&audit), wanted);
    assert_eq!(audit["entries"][2]["what"]["handle"], "Ana");
    let before = audit["entries"][1]["number"].clone();
    assert_eq!(acts(&owner.get(at, &format!("/api/admin/audit?before={before}")).await), wanted[2..]);
    // Nobody else may do or see any of it.
    for mut other in [ana.clone(), Browser::visit(at).await] {
        for (method, path, body) in [
            ("POST", "/api/admin/settings", json!({"lobby": false})),
            ("GET", "/api/admin/people?part=", Value::Null),
            ("POST", "/api/admin/people/Ana/suspend", json!({})),
            ("POST", "/api/admin/people/Ana/reset", json!({})),
            ("GET", "/api/admin/audit", Value::Null),
        ] {
            let refused = other.ask(at, method, path, body).await;
            assert_eq!((refused.status, &refused.body["why"]), (403, &json!("not_owner")), "{path}");
        }
    }
    house.stop().await;
    let (config, token) = hosted(folder.path());
    let house = House::start(config).await;
    let mut owner = self::owner(house.address, &token).await;
    assert_eq!(acts(&owner.get(house.address, "/api/admin/audit").await), wanted);
    assert_eq!(house.page().await.welcome["house"]["lobby"], true);
}

#[tokio::test]
async fn how_the_server_was_started_holds() {
    let folder = tempfile::tempdir().unwrap();
    let (config, token) = hosted(folder.path());
    let house = House::start(Config { open_lobby: true, registration: false, ..config }).await;
    let at = house.address;
    assert_eq!(
        house.page().await.welcome["house"],
        json!({"lobby": true, "registration": false, "announcement": null})
    );
    let mut owner = owner(at, &token).await;
    for wanted in [json!({"lobby": false}), json!({"registration": true})] {
        let refused = owner.post(at, "/api/admin/settings", wanted).await;
        assert_eq!((refused.status, &refused.body["why"]), (409, &json!("started_so")));
    }
    let refused =
        Browser::visit(at).await.post(at, "/api/account", json!({"handle": "Ana", "password": PASSWORD})).await;
    assert_eq!(refused.body["why"], "registration_closed");
    owner.open(at, "Boss").await;
}

#[tokio::test]
async fn the_owner_may_have_an_account_which_is_the_owners_everywhere_but_by_token() {
    let folder = tempfile::tempdir().unwrap();
    let (config, token) = hosted(folder.path());
    let house = House::start(config).await;
    let at = house.address;
    let mut owner = owner(at, &token).await;
    let (game, _) = owner.page(at).await.begin(two_here(casual())).await;
    owner.open(at, "Boss").await;
    let mut phone = Browser::visit(at).await;
    assert_eq!(phone.sign_in(at, "Boss", PASSWORD).await.status, 200);
    let mut page = phone.page(at).await;
    assert_eq!(page.welcome["me"], json!({"handle": "Boss", "owner": true, "bot": false, "can_sign_out": true}));
    assert_eq!(games(&mut page).await[0]["game"], game.as_str());
    assert_eq!(phone.get(at, "/api/admin/audit").await, json!({"entries": []}));
    let refused = phone.post(at, "/api/tokens", json!({"name": "bot", "scopes": ["play"]})).await;
    assert_eq!((refused.status, &refused.body["why"]), (403, &json!("not_by_token")));
    assert_eq!(owner.post(at, "/api/admin/people/Boss/suspend", json!({})).await.status, 409);
    // Whoever signs in as somebody else is not the owner until they sign out.
    let mut ana = Browser::visit(at).await;
    ana.open(at, "Ana").await;
    owner.sign_in(at, "Ana", PASSWORD).await;
    assert_eq!(
        owner.page(at).await.welcome["me"],
        json!({"handle": "Ana", "owner": false, "bot": false, "can_sign_out": true})
    );
    assert_eq!(owner.post(at, "/api/admin/settings", json!({"lobby": true})).await.status, 403);
    owner.ask(at, "DELETE", "/api/session", Value::Null).await;
    assert_eq!(owner.page(at).await.welcome["me"]["owner"], true);
}

#[tokio::test]
async fn the_owner_signs_out_here_or_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let (config, token) = hosted(folder.path());
    let house = House::start(config).await;
    let at = house.address;
    let [mut here, mut there, mut lost] = [owner(at, &token).await, owner(at, &token).await, owner(at, &token).await];
    assert_ne!(here.guest, there.guest, "each browser has a secret of its own");
    here.open(at, "Boss").await;
    // Whoever signs out in a browser with the owner's cookie is a stranger there, in its other tabs too, with an account and without.
    for browser in [&mut here, &mut there] {
        let before = browser.clone();
        let mut tab = browser.page(at).await;
        assert_eq!((&tab.welcome["me"]["owner"], &tab.welcome["me"]["can_sign_out"]), (&json!(true), &json!(true)));
        assert_eq!(browser.ask(at, "DELETE", "/api/session", Value::Null).await.status, 204);
        assert_eq!((&browser.guest, &browser.session), (&None, &None));
        assert_eq!(tab.close_code().await, Some(4002));
        assert_eq!(before.page(at).await.welcome["me"]["owner"], false, "what it had is worth nothing");
    }
    // A browser that is lost has the cookie still, until it is taken from all but the one that does so.
    let mut here = owner(at, &token).await;
    let (mut page, mut pressed) = (lost.page(at).await, here.page(at).await);
    let mut by_link = program(at, &token).await.unwrap();
    assert!([&page, &by_link].iter().all(|page| page.welcome["me"]["owner"] == true));
    assert_eq!(here.post(at, "/api/admin/end-owner", json!({})).await.status, 204);
    assert_eq!((page.close_code().await, by_link.close_code().await), (Some(4002), Some(4002)));
    pressed.done(json!({"type": "ping"})).await;
    let refused = lost.post(at, "/api/admin/settings", json!({"lobby": true})).await;
    assert_eq!((refused.status, &refused.body["why"]), (403, &json!("not_owner")));
    assert_eq!(here.get(at, "/api/admin/audit").await["entries"][0]["what"], json!({"type": "end_owner"}));
    // Whoever saw the link opens it in vain, until a start prints another.
    let claimed = request(at, "POST", "/api/owner", "", &token).await;
    assert!(claimed.starts_with("HTTP/1.1 403") && set_cookie(&claimed).is_none(), "{claimed}");
    assert_eq!(program(at, &token).await.unwrap().welcome["me"]["owner"], false, "a guest like any other");
    house.stop().await;
    let (config, token) = hosted(folder.path());
    let house = House::start(config).await;
    let at = house.address;
    assert_eq!(lost.page(at).await.welcome["me"]["owner"], false);
    assert_eq!(here.page(at).await.welcome["me"]["owner"], true);
    assert_eq!(owner(at, &token).await.page(at).await.welcome["me"]["owner"], true);
}

#[tokio::test]
async fn of_two_browsers_that_end_each_other_one_stays_the_owners() {
    let folder = tempfile::tempdir().unwrap();
    let (config, token) = hosted(folder.path());
    let house = House::start(config).await;
    let at = house.address;
    let (mut one, mut other) = (owner(at, &token).await, owner(at, &token).await);
    let end = || json!({});
    tokio::join!(one.post(at, "/api/admin/end-owner", end()), other.post(at, "/api/admin/end-owner", end()));
    let owners = [one.page(at).await, other.page(at).await].map(|page| page.welcome["me"]["owner"] == true);
    assert_eq!(owners.iter().filter(|owner| **owner).count(), 1);
}

#[tokio::test]
async fn a_household_is_asked_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(Config { home: true, ..config(folder.path()) }).await;
    let mut page = house.page().await;
    assert_eq!(page.welcome["me"], json!({"handle": null, "owner": true, "bot": false, "can_sign_out": false}));
    assert_eq!(page.welcome["house"], json!({"lobby": false, "registration": true, "announcement": null}));
    let (_, state) = page.begin(two_here(casual())).await;
    assert_eq!(state["view"]["seats"]["black"]["name"], "Ana");
    let answer = request(house.address, "GET", "/", "", "").await;
    assert!(set_cookie(&answer).is_none(), "at the machine nobody needs a cookie");
    let file = rusqlite::Connection::open(folder.path().join("outflank.db")).unwrap();
    let accounts: i64 = file.query_row("SELECT count(*) FROM account", [], |row| row.get(0)).unwrap();
    assert_eq!(accounts, 0, "and there is no account to begin with");
    // Whoever opens one is the owner with or without it: there is nothing to sign out of.
    let mut boss = Browser::default();
    boss.open(house.address, "Boss").await;
    let me = boss.page(house.address).await.welcome["me"].clone();
    assert_eq!(me, json!({"handle": "Boss", "owner": true, "bot": false, "can_sign_out": false}));
}

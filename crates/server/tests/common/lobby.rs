//! People who meet on a server whose lobby is open.

use super::{House, Page, browser::Browser, config, request, set_cookie};
use serde_json::{Value, json};
use server::Config;
use std::{net::SocketAddr, path::Path};

/// A server whose lobby is open.
pub fn open_lobby(data: &Path) -> Config {
    Config { open_lobby: true, ..config(data) }
}

/// Twenty minutes each, without takebacks: `slow-standard`.
pub fn slow() -> Value {
    json!({"time": {"kind": "sudden_death", "main_ms": 1_200_000}, "overrun": "loses", "empties": "to_winner", "takebacks": false})
}

pub fn days() -> Value {
    json!({"time": {"kind": "per_move", "per_move_ms": 259_200_000}, "overrun": "loses", "empties": "to_winner", "takebacks": false})
}

/// A casual game as the page's form offers it.
pub fn by_form(time: &Value) -> Value {
    json!({"time": time, "overrun": "loses", "empties": "to_winner", "takebacks": true, "opening": "standard", "rated": false})
}

pub fn offer() -> Value {
    json!({"type": "offer", "rules": slow()})
}

/// The owner, by the link.
pub async fn owner(address: SocketAddr, token: &str) -> Browser {
    let claimed = request(address, "POST", "/api/owner", "", token).await;
    Browser { guest: Some(set_cookie(&claimed).unwrap().0), session: None }
}

/// That nothing of this type has come by now, whatever the server had to say.
pub async fn has_not_heard(page: &mut Page, kind: &str) {
    page.done(json!({"type": "ping"})).await;
    assert!(page.early.iter().all(|message| message["type"] != kind), "{:?}", page.early);
}

pub fn accept(offer: &Value) -> Value {
    json!({"type": "offer_accept", "offer": offer})
}

/// The browser of somebody with an account of this name.
pub async fn browser(house: &House, handle: &str) -> Browser {
    let mut browser = Browser::visit(house.address).await;
    browser.open(house.address, handle).await;
    browser
}

/// Somebody with an account of this name.
pub async fn account(house: &House, handle: &str) -> Page {
    browser(house, handle).await.page(house.address).await
}

/// Waits for a message of this type.
pub async fn hear(page: &mut Page, kind: &str) -> Value {
    page.wait(|message| message["type"] == kind && message["id"].is_null()).await
}

/// Waits until the lobby has said that an offer is there.
pub async fn sees(page: &mut Page, id: &Value) -> Value {
    let has = |message: &Value| message["new"].as_array().is_some_and(|new| new.iter().any(|offer| offer["id"] == *id));
    let changed = page.wait(|message| message["type"] == "lobby_changed" && has(message)).await;
    page.early.push(changed.clone()); // it may tell of others too
    changed["new"].as_array().unwrap().iter().find(|offer| offer["id"] == *id).unwrap().clone()
}

/// Waits until the lobby has said that an offer is gone.
pub async fn sees_gone(page: &mut Page, id: &Value) {
    let has = |message: &Value| message["gone"].as_array().is_some_and(|gone| gone.contains(id));
    let changed = page.wait(|message| message["type"] == "lobby_changed" && has(message)).await;
    page.early.push(changed);
}

pub async fn lobby(page: &mut Page) -> Value {
    page.done(json!({"type": "lobby"})).await
}

pub async fn person(page: &mut Page, handle: &str) -> Value {
    page.done(json!({"type": "person", "handle": handle})).await
}

pub async fn games(page: &mut Page) -> Vec<Value> {
    page.done(json!({"type": "list"})).await["games"].as_array().unwrap().clone()
}

/// Gives up, and waits until the game has ended here.
pub async fn resign(page: &mut Page, game: &Value) -> Value {
    page.done(json!({"type": "resign", "game": game})).await;
    page.wait(|message| message["type"] == "game" && message["game"] == *game && !message["view"]["verdict"].is_null())
        .await
}

/// Plays a move for whoever is to move, so that the game counts.
pub async fn play_four(black: &mut Page, white: &mut Page, game: &str) {
    for ply in 0..4_u64 {
        let page = if ply % 2 == 0 { &mut *black } else { &mut *white };
        let state = page.open(game).await;
        assert_eq!(state["view"]["ply"], ply);
        page.play_first(&state).await;
    }
}

/// The one who has Black, and the one who has White.
pub async fn by_color<'a>(one: &'a mut Page, other: &'a mut Page, game: &str) -> (&'a mut Page, &'a mut Page) {
    let black = one.open(game).await["view"]["seats"]["black"]["you"] == true;
    if black { (one, other) } else { (other, one) }
}

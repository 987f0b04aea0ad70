//! Who is who, and who is not the owner.

mod common;

use common::{House, Page, by_link, casual, config, request, set_cookie, two_here};
use serde_json::{Value, json};
use server::{Config, OwnerToken};
use std::{net::SocketAddr, path::Path};

/// A server that was told its name, as one behind a proxy is; and its owner's token.
fn hosted(data: &Path) -> (Config, String) {
    let (text, token) = OwnerToken::fresh().unwrap();
    let hosts = vec!["club.example".parse().unwrap(), "https://safe.example".parse().unwrap()];
    (Config { home: true, hosts, owner: Some(token), ..config(data) }, text)
}

/// Someone whose browser a proxy on the same machine speaks for, without saying so.
async fn by_proxy(address: SocketAddr, cookie: Option<&str>) -> Page {
    let mut headers = vec![("host", "club.example"), ("origin", "http://club.example")];
    headers.extend(cookie.map(|cookie| ("cookie", cookie)));
    Page::try_with(address, &headers).await.unwrap()
}

async fn games(page: &mut Page) -> Value {
    page.done(json!({"type": "list"})).await["games"].clone()
}

fn persons(data: &Path) -> i64 {
    let store = rusqlite::Connection::open(data.join("outflank.db")).unwrap();
    store.query_row("SELECT count(*) FROM person", [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn behind_a_proxy_that_says_nothing_nobody_is_the_owner_without_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let (config, token) = hosted(folder.path());
    let house = House::start(config).await;
    // A wrong token is worth nothing.
    for wrong in ["", "00000000000000000000000000", &token[..25]] {
        let refused = request(house.address, "POST", "/api/owner", "Host: club.example\r\n", wrong).await;
        assert!(refused.starts_with("HTTP/1.1 403") && set_cookie(&refused).is_none(), "{refused}");
    }
    let refused = request(house.address, "POST", "/api/owner", "Origin: http://evil.example\r\n", &token).await;
    assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
    // The right one is exchanged for a cookie.
    let claimed = request(house.address, "POST", "/api/owner", "Host: club.example\r\n", &token).await;
    assert!(claimed.starts_with("HTTP/1.1 204"), "{claimed}");
    let (cookie, _) = set_cookie(&claimed).unwrap();
    assert!(!cookie.contains(&token));
    let mut owner = by_proxy(house.address, Some(&cookie)).await;
    let (game, _) = owner.begin(two_here(casual())).await;
    // They may be anywhere: what network the machine is in, and who else is there, they do not know.
    assert_eq!(owner.welcome["door"]["yours"], false);
    assert_eq!(owner.ask(json!({"type": "open_door"})).await["why"], "not_yours");
    // A stranger, by the proxy or straight from the machine itself, finds nothing of the owner's and can do nothing with it.
    let here = format!("http://{}", house.address);
    let straight = Page::try_with(house.address, &[("origin", &here)]).await.unwrap();
    for mut stranger in [by_proxy(house.address, None).await, straight] {
        assert_eq!(stranger.welcome["door"]["yours"], false);
        assert_eq!(games(&mut stranger).await, json!([]));
        for ask in ["delete", "scrap", "again", "resign"] {
            let answer = stranger.ask(json!({"type": ask, "game": game, "swap": false})).await;
            assert_eq!(answer["why"], "not_yours", "{ask}");
        }
        assert_eq!(stranger.ask(json!({"type": "close_door"})).await["why"], "not_yours");
    }
    let mut bearer = Page::try_with(house.address, &[("authorization", &format!("Bearer {token}"))]).await.unwrap();
    assert_eq!(games(&mut bearer).await[0]["game"], game.as_str());
}

#[tokio::test]
async fn on_a_plain_start_a_proxy_is_found_out_where_it_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(Config { home: true, ..config(folder.path()) }).await;
    house.page().await.begin(two_here(casual())).await;
    // By the machine's public address: a name would be refused altogether.
    let public = [("host", "203.0.113.5"), ("origin", "http://203.0.113.5")];
    let here = format!("http://{}", house.address);
    let said = [("origin", here.as_str()), ("x-real-ip", "203.0.113.9")];
    for headers in [public, said] {
        let mut stranger = Page::try_with(house.address, &headers).await.unwrap();
        assert_eq!(games(&mut stranger).await, json!([]));
    }
    let named = Page::try_with(house.address, &[("host", "club.example"), ("origin", "http://club.example")]).await;
    assert_eq!(named.err(), Some(403));
}

#[tokio::test]
async fn whoever_only_looks_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    for _ in 0..500 {
        drop(house.page().await);
        request(house.address, "GET", "/", "", "").await;
    }
    assert_eq!(persons(folder.path()), 0);
    let (mut ana, mut luis) = (house.page().await, house.page().await);
    let (game, state) = ana.begin(by_link(casual())).await;
    assert_eq!(persons(folder.path()), 1, "whoever begins a game");
    luis.open(&game).await;
    luis.done(json!({"type": "sit", "game": game, "invite": state["invites"]["white"], "name": "Luis"})).await;
    ana.begin(by_link(casual())).await;
    assert_eq!(persons(folder.path()), 2, "whoever sits down, and each once");
    // They are who they were, now and after a restart.
    assert_eq!(games(&mut luis.again(&house).await).await[0]["game"], game.as_str());
    house.stop().await;
    let house = House::start(config(folder.path())).await;
    assert_eq!(games(&mut luis.again(&house).await).await[0]["game"], game.as_str());
    assert_eq!(games(&mut ana.again(&house).await).await.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn whoever_finds_a_secret_of_somebodys_number_is_not_them() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = house.page().await;
    let (game, _) = ana.begin(two_here(casual())).await;
    house.stop().await;
    // What she shows is another secret, and this one has the same number by chance or by much trying.
    let store = rusqlite::Connection::open(folder.path().join("outflank.db")).unwrap();
    assert_eq!(store.execute("UPDATE person SET secret = randomblob(32)", []).unwrap(), 1);
    drop(store);
    let house = House::start(config(folder.path())).await;
    let mut stranger = Page::connect(house.address, ana.cookie.as_deref()).await;
    assert_ne!(stranger.cookie, ana.cookie, "they get a secret of their own");
    assert_eq!(games(&mut stranger).await, json!([]));
    let resigned = stranger.ask(json!({"type": "resign", "game": game})).await;
    assert_eq!(resigned["why"], "not_yours");
    house.stop().await;
}

#[tokio::test]
async fn two_tabs_at_a_first_visit_are_one_person_and_the_cookie_is_renewed() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let page = request(house.address, "GET", "/", "", "").await;
    let (cookie, about) = set_cookie(&page).unwrap();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=34560000"] {
        assert!(about.contains(part), "{about}");
    }
    let mut first = Page::connect(house.address, Some(&cookie)).await;
    let mut second = Page::connect(house.address, Some(&cookie)).await;
    let (game, _) = first.begin(two_here(casual())).await;
    assert_eq!(games(&mut second).await[0]["game"], game.as_str());
    // Loading the page again, or only connecting, gives it another year.
    let again = request(house.address, "GET", "/", &format!("Cookie: {cookie}\r\n"), "").await;
    assert_eq!(set_cookie(&again).unwrap(), (cookie.clone(), about));
    assert_eq!(second.cookie, Some(cookie));
    // A cookie that is none of ours is replaced; the files of the page need none.
    let odd = request(house.address, "GET", "/", "Cookie: outflank=me\r\n", "").await;
    assert!(set_cookie(&odd).unwrap().0.len() > 20);
    assert!(set_cookie(&request(house.address, "GET", "/favicon.svg", "", "").await).is_none());
}

#[tokio::test]
async fn who_does_not_say_which_page_asks_brings_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut ana = house.page().await;
    let (game, _) = ana.begin(two_here(casual())).await;
    let cookie = ana.cookie.clone().unwrap();
    assert_eq!(Page::try_with(house.address, &[]).await.err(), Some(403));
    assert_eq!(
        Page::try_with(house.address, &[("cookie", &cookie)]).await.err(),
        Some(403),
        "browsers add it by themselves"
    );
    let bearer = format!("Bearer {}", cookie.split_once('=').unwrap().1);
    let mut program = Page::try_with(house.address, &[("authorization", &bearer)]).await.unwrap();
    assert_eq!(games(&mut program).await[0]["game"], game.as_str());
    // At the machine itself, on a plain start, nobody needs to say anything.
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(Config { home: true, ..config(folder.path()) }).await;
    assert!(Page::try_with(house.address, &[]).await.is_ok());
}

#[tokio::test]
async fn by_https_the_cookie_is_for_https_only() {
    let folder = tempfile::tempdir().unwrap();
    let (config, _) = hosted(folder.path());
    let house = House::start(config).await;
    let (cookie, about) = set_cookie(&request(house.address, "GET", "/", "Host: safe.example\r\n", "").await).unwrap();
    assert!(cookie.starts_with("__Host-outflank=") && about.contains("; Secure"), "{cookie};{about}");
    let (cookie, about) = set_cookie(&request(house.address, "GET", "/", "Host: club.example\r\n", "").await).unwrap();
    assert!(cookie.starts_with("outflank=") && !about.contains("Secure"), "{cookie};{about}");
    // Another site of the same domain can plant a cookie without the prefix, of somebody who plays or of nobody: by https it says nothing.
    let mut mallory = by_proxy(house.address, Some(&cookie)).await;
    mallory.begin(two_here(casual())).await;
    for planted in [cookie.as_str(), "outflank=0123456789abcdefghjkmnpqrs"] {
        let https = [("host", "safe.example"), ("origin", "https://safe.example"), ("cookie", planted)];
        let mut ana = Page::try_with(house.address, &https).await.unwrap();
        assert_eq!(games(&mut ana).await, json!([]));
        assert!(!ana.cookie.unwrap().contains(planted.split_once('=').unwrap().1));
    }
}

#[tokio::test]
async fn metrics_are_for_the_owner() {
    let folder = tempfile::tempdir().unwrap();
    let (config, token) = hosted(folder.path());
    let house = House::start(config).await;
    assert!(request(house.address, "GET", "/metrics", "", "").await.starts_with("HTTP/1.1 404"));
    let owner = request(house.address, "GET", "/metrics", &format!("Authorization: Bearer {token}\r\n"), "").await;
    assert!(owner.starts_with("HTTP/1.1 200") && owner.contains("\noutflank_sockets 0\n"), "{owner}");
    house.stop().await;
    let (config, _) = hosted(folder.path());
    let house = House::start(Config { metrics_for_all: true, ..config }).await;
    assert!(request(house.address, "GET", "/metrics", "", "").await.starts_with("HTTP/1.1 200"));
    house.stop().await;
    let house = House::start(Config { home: true, ..common::config(folder.path()) }).await;
    assert!(request(house.address, "GET", "/metrics", "", "").await.starts_with("HTTP/1.1 200"), "at the machine");
}

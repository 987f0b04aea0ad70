//! A game that cannot be read: the rest of the list lives, and it can be deleted.

mod common;

use common::{House, casual, config, two_here};
use serde_json::{Value, json};

#[tokio::test]
async fn one_game_that_cannot_be_read_hides_no_other_and_can_be_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let mut games = Vec::new();
    for _ in 0..3 {
        let (game, _) = page.begin(two_here(casual())).await;
        page.done(json!({"type": "play", "game": game, "square": "f5", "ply": 0})).await;
        games.push(game);
    }
    house.stop().await;
    // What a later version might have written: an entry this one does not know, and a way to stand it does not know.
    let database = rusqlite::Connection::open(folder.path().join("outflank.db")).unwrap();
    let strange = r#"{"at":1,"by":"black","dance":{}}"#;
    assert_eq!(database.execute("UPDATE entry SET body = ?1 WHERE game = ?2", (strange, &games[1])).unwrap(), 1);
    assert_eq!(database.execute("UPDATE game SET status = 'dancing' WHERE id = ?1", [&games[1]]).unwrap(), 1);
    drop(database);

    let house = House::start(config(folder.path())).await;
    let mut page = page.again(&house).await;
    let list = page.done(json!({"type": "list"})).await;
    let listed: Vec<(&str, bool)> = list["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| (game["game"].as_str().unwrap(), game["unreadable"] == json!(true)))
        .collect();
    assert_eq!(listed.len(), 3);
    for (game, unreadable) in listed {
        assert_eq!(unreadable, game == games[1]);
    }
    let refused = page.ask(json!({"type": "open", "game": games[1]})).await;
    assert_eq!(refused["why"], "unreadable");
    assert_eq!(page.ask(json!({"type": "open", "game": games[0]})).await["type"], "game");
    // A stranger, who does not have it in their list, deletes nothing.
    let mut stranger = house.page().await;
    stranger.ask(json!({"type": "delete", "game": games[1]})).await;
    assert_eq!(count(&mut page).await, 3);
    page.done(json!({"type": "delete", "game": games[1]})).await;
    assert_eq!(count(&mut page).await, 2);
    house.stop().await;
    let database = rusqlite::Connection::open(folder.path().join("outflank.db")).unwrap();
    let left: i64 = database
        .query_row(
            "SELECT (SELECT count(*) FROM game WHERE id = ?1) + (SELECT count(*) FROM entry WHERE game = ?1)",
            [&games[1]],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(left, 0, "nothing of it is left");
}

async fn count(page: &mut common::Page) -> usize {
    let list: Value = page.done(json!({"type": "list"})).await;
    list["games"].as_array().unwrap().len()
}

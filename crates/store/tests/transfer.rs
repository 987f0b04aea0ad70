//! Everything moved from SQLite to PostgreSQL and back.

mod database;
mod games;

use database::Schema;
use games::Game;
use room::{Document, DocumentKey, DocumentKind, Write};
use rusqlite::{Connection, types::Value};
use std::{collections::BTreeMap, path::Path};
use store::{MoveError, OpenError, Postgres, Sqlite, Store, StorePlace, move_data};
use table::PersonId;

fn folder(path: &Path) -> StorePlace {
    StorePlace::Folder(path.to_owned())
}

fn everything(_: store::MoveProgress) -> bool {
    true
}

/// A store with more than a page of everything there is to write, and something in every table.
async fn fill(path: &Path) {
    let store = Sqlite::open(path).unwrap();
    let mut writes = vec![Write::Alive { at: 99 }];
    for n in 0..1200 {
        // Ids whose order depends on how texts are compared.
        let id = format!("{}{n}", ["g", "G", "é", "_"][n % 4]);
        let mut game = Game::new(&id);
        writes.extend(game.begin());
        for at in 0..n % 5 {
            writes.push(game.play(1000 + at as u64));
        }
        let key = DocumentKey { who: PersonId(n as i64 - 600), kind: DocumentKind::STUDY, id: id.parse().unwrap() };
        let body = "\u{1f600} \"quoted\", back\\slash, {braces}, null\nnew line".repeat(n % 7);
        let due = (n % 2 == 0).then_some(n as u64);
        writes.push(Write::Keep(Box::new(Document { key, revision: 1, changed: 5, due, head: String::new(), body })));
        let mut secret = [7; 32];
        secret[..8].copy_from_slice(&n.to_be_bytes());
        writes.push(Write::Person { who: PersonId(n as i64 - 600), secret });
    }
    store.write(writes).await.unwrap();
    drop(store);
    let file = Connection::open(path.join("outflank.db")).unwrap();
    for table in tables(&file) {
        let count: i64 = file.query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| row.get(0)).unwrap();
        if count == 0 {
            two_rows(&file, &table);
        }
    }
}

fn tables(file: &Connection) -> Vec<String> {
    let mut names = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'settled'").unwrap();
    names.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// Puts two rows into a table of which nothing is known but its columns.
fn two_rows(file: &Connection, table: &str) {
    let mut info = file.prepare(&format!("PRAGMA table_info(\"{table}\")")).unwrap();
    let kinds: Vec<String> = info.query_map([], |row| row.get("type")).unwrap().collect::<Result<_, _>>().unwrap();
    let places = vec!["?"; kinds.len()].join(", ");
    for n in 1..=2u8 {
        let values = kinds.iter().map(|kind| match kind.as_str() {
            "INTEGER" => Value::Integer(n.into()),
            "REAL" => Value::Real(1500.1 + f64::from(n) / 3.0),
            "BLOB" => Value::Blob(vec![n, 0, 255]),
            _ => Value::Text(format!("text {n}")),
        });
        let sql = format!("INSERT INTO \"{table}\" VALUES ({places})");
        file.execute(&sql, rusqlite::params_from_iter(values)).unwrap();
    }
}

/// All that stands in a file.
fn content(path: &Path) -> BTreeMap<String, Vec<Vec<Value>>> {
    let file = Connection::open(path.join("outflank.db")).unwrap();
    let rows = |table: &String| {
        let mut statement = file.prepare(&format!("SELECT * FROM \"{table}\"")).unwrap();
        let width = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| (0..width).map(|column| row.get(column)).collect::<Result<Vec<Value>, _>>();
        let rows = statement.query_map([], row).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
        (table.clone(), rows)
    };
    tables(&file).iter().map(rows).collect()
}

#[tokio::test]
async fn what_goes_to_postgresql_and_back_is_the_same() {
    let Some(schema) = Schema::new() else { return };
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fill(from.path()).await;
    let database = StorePlace::Postgres(schema.address());
    let (there, back) = (folder(from.path()), folder(to.path()));
    let run = {
        let (there, database, back) = (there.clone(), database.clone(), back.clone());
        move || {
            let mut told = Vec::new();
            let moved = move_data(&there, &database, &mut |progress| {
                told.push(progress);
                true
            });
            let moved = moved.unwrap();
            let last = told.last().unwrap();
            assert_eq!((last.all, last.copied, last.compared), (moved, moved, moved));
            assert!(told.len() > 10, "{}", told.len());
            // Neither comes into a store in which there is something.
            assert!(matches!(move_data(&there, &database, &mut everything), Err(MoveError::NotEmpty(_))));
            assert!(matches!(move_data(&database, &there, &mut everything), Err(MoveError::NotEmpty(_))));
            assert_eq!(move_data(&database, &back, &mut everything).unwrap(), moved);
        }
    };
    tokio::task::spawn_blocking(run).await.unwrap();
    let (a, b) = (content(from.path()), content(to.path()));
    assert!(a.len() > 10 && a.values().all(|rows| !rows.is_empty()), "something of everything");
    assert_eq!(a["game"].len(), 1200);
    for (table, rows) in &a {
        assert!(*rows == b[table], "{table}");
    }
    let (one, two, three) = (Sqlite::open(from.path()).unwrap(), schema.open(), Sqlite::open(to.path()).unwrap());
    assert_eq!((one.key(), one.key()), (two.key(), three.key()), "invitations are as good as they were");
    let game = "G21".parse().unwrap();
    assert_eq!(one.game(&game).await, two.game(&game).await);
    // And it goes on from there.
    let mut fresh = Game::new("fresh");
    two.write(fresh.begin()).await.unwrap();
    two.write(vec![fresh.play(1)]).await.unwrap();
}

#[tokio::test]
async fn an_interrupted_move_leaves_nothing_and_can_begin_again() {
    let Some(schema) = Schema::new() else { return };
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fill(from.path()).await;
    let targets = [StorePlace::Postgres(schema.address()), folder(to.path())];
    let from = folder(from.path());
    let run = move || {
        for target in targets {
            for stop_at in [0, 3, 12] {
                let mut steps = 0;
                let stopped = move_data(&from, &target, &mut |_| {
                    steps += 1;
                    steps <= stop_at
                });
                assert!(matches!(stopped, Err(MoveError::Interrupted)), "{stopped:?}");
            }
            let mut steps = 0;
            let comparing = move_data(&from, &target, &mut |progress| {
                steps += 1;
                progress.compared == 0
            });
            assert!(matches!(comparing, Err(MoveError::Interrupted)), "{comparing:?}");
            move_data(&from, &target, &mut everything).unwrap();
        }
    };
    tokio::task::spawn_blocking(run).await.unwrap();
}

#[tokio::test]
async fn a_store_that_a_server_uses_is_not_moved() {
    let Some(schema) = Schema::new() else { return };
    let [used, idle, empty] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let (sqlite, postgres) = (Sqlite::open(used.path()).unwrap(), schema.open());
    postgres.write(vec![Write::Alive { at: 1 }]).await.unwrap();
    drop(Sqlite::open(idle.path()).unwrap());
    let database = StorePlace::Postgres(schema.address());
    let [used, idle, nothing] = [&used, &idle, &empty].map(|place| folder(place.path()));
    let run = move || {
        let in_use = |from: &StorePlace, to: &StorePlace| {
            let refused = move_data(from, to, &mut everything);
            assert!(matches!(refused, Err(MoveError::Open(OpenError::InUse(_)))), "{refused:?}");
        };
        in_use(&used, &idle);
        in_use(&idle, &used);
        in_use(&database, &idle);
        in_use(&idle, &database);
        drop((sqlite, postgres));
        assert!(matches!(move_data(&nothing, &idle, &mut everything), Err(MoveError::Nothing(_))));
        assert!(move_data(&database, &idle, &mut everything).is_ok());
    };
    tokio::task::spawn_blocking(run).await.unwrap();
    assert!(Postgres::open(&schema.address()).is_ok());
}

//! Opening a folder: what is ours is used by one at a time, what is not ours or damaged is left alone.

use room::{Begun, Entered, Summary, Write};
use rules::{ByColor, Color, Square};
use rusqlite::Connection;
use std::{fs, path::Path};
use store::{OpenError, Sqlite, Store, StoreError};
use table::{Action, Called, Entry, GameId, PersonId, Ply, Preset, Seat, Seq, Setup, Table};

fn id(game: &str) -> GameId {
    game.parse().unwrap()
}

fn setup() -> Setup {
    let seat = Seat::Person { who: PersonId(1), name: Called::First };
    Setup::new(1, ByColor { black: seat.clone(), white: seat }, Preset::Casual.rules())
}

fn begun(game: &str) -> Vec<Write> {
    let summary = Summary::of(&Table::new(setup()).unwrap());
    let (maker, command) = (PersonId(1), game.parse().unwrap());
    let begun = Begun { game: id(game), setup: setup(), maker, command, summary };
    vec![Write::Begin(Box::new(begun)), Write::List { who: PersonId(1), game: id(game), begun: 1 }]
}

fn first_move(game: &str) -> Vec<Write> {
    let entry = Entry::new(2, Some(Color::Black), Action::Play { square: Square::F5, ply: Ply(0) });
    let summary = Summary::of(&Table::new(setup()).unwrap().after(&entry).unwrap());
    vec![Write::Enter(Box::new(Entered { game: id(game), seq: Seq(1), by: None, entry, summary }))]
}

async fn filled(folder: &Path, games: usize) {
    let store = Sqlite::open(folder).unwrap();
    for n in 0..games {
        store.write(begun(&format!("g{n:03}"))).await.unwrap();
    }
}

#[test]
fn two_servers_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let first = Sqlite::open(folder.path()).unwrap();
    assert!(matches!(Sqlite::open(folder.path()), Err(OpenError::InUse(_))));
    drop(first);
    assert!(Sqlite::open(folder.path()).is_ok());
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("outflank.db");
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let error = Sqlite::open(folder.path()).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), bytes, "untouched");
        error
    };
    assert!(matches!(refused(b"short"), OpenError::Foreign(_)));
    assert!(matches!(refused(b"SQLite form"), OpenError::Damaged { .. }));
    assert!(matches!(refused(&[7; 4096]), OpenError::Foreign(_)));
    fs::remove_file(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE bills (x); PRAGMA application_id = 5").unwrap();
    drop(other);
    assert!(matches!(refused(&fs::read(&path).unwrap()), OpenError::Foreign(_)));
    let newer = Connection::open(&path).unwrap();
    newer.pragma_update(None, "application_id", i32::from_be_bytes(*b"OUTF")).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    drop(newer);
    assert!(matches!(refused(&fs::read(&path).unwrap()), OpenError::Newer(_)));
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(Sqlite::open(&file), Err(OpenError::NotAFolder(_))));
}

#[tokio::test]
async fn a_damaged_file_is_noticed_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 200).await;
    let path = folder.path().join("outflank.db");
    let whole = fs::read(&path).unwrap();
    let length = whole.len();
    let refused = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).unwrap();
        let error = Sqlite::open(folder.path()).unwrap_err();
        assert!(matches!(error, OpenError::Damaged { .. }), "{what}: {error}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{what}");
    };
    let filled_with_rubbish = |from: usize, to: usize| {
        let mut bytes = whole.clone();
        bytes[from..to].fill(0xab);
        bytes
    };
    refused(&filled_with_rubbish(4096, length - 4096), "all but the first and the last page");
    refused(&filled_with_rubbish(100, 4096), "the list of tables");
    refused(&whole[..length / 2], "cut short");
    fs::write(&path, &whole).unwrap();
    assert!(Sqlite::open(folder.path()).is_ok());
}

/// The file is not checked from end to end before anybody is served: whoever meets a damaged page is told.
#[tokio::test]
async fn damage_in_one_place_leaves_the_other_games() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 200).await;
    let path = folder.path().join("outflank.db");
    let mut bytes = fs::read(&path).unwrap();
    // The page on which the row of the game stands: its id, and soon after it what was agreed.
    let is_row = |page: &&[u8]| {
        let ids = page.windows(4).enumerate().filter(|(_, text)| text == b"g150");
        ids.into_iter().any(|(at, _)| page[at..].iter().take(40).any(|&byte| byte == b'{'))
    };
    let page = bytes.chunks(4096).position(|page| is_row(&page)).unwrap();
    bytes[page * 4096..(page + 1) * 4096].fill(0xab);
    fs::write(&path, &bytes).unwrap();
    let store = Sqlite::open(folder.path()).unwrap();
    let mut unreadable = 0;
    for n in 0..200 {
        match store.game(&id(&format!("g{n:03}"))).await {
            Ok(stored) => assert!(stored.is_some(), "{n}"),
            Err(error) => {
                assert_eq!(error, StoreError::Unreadable);
                unreadable += 1;
            }
        }
    }
    assert!((1..100).contains(&unreadable), "{unreadable}");
    // Writing fails there, and only there, though both may share a transaction.
    let (bad, good) = tokio::join!(store.write(first_move("g150")), store.write(first_move("g000")));
    assert!(matches!(bad, Err(StoreError::NotKept(_))), "{bad:?}");
    assert_eq!(good, Ok(()));
    assert_eq!(store.game(&id("g000")).await.unwrap().unwrap().log.len(), 1);
}

#[cfg(unix)]
#[test]
fn the_files_are_their_owners_only() {
    use std::os::unix::fs::PermissionsExt;
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("new/data");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let store = Sqlite::open(&folder).unwrap();
    assert_eq!(mode(&folder), 0o700);
    let names = ["outflank.db", "outflank.db-wal", "outflank.db-shm", "outflank.key", "outflank.lock"];
    for name in names {
        assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
    }
    assert_eq!(fs::read(folder.join("outflank.key")).unwrap(), store.key().0);
    drop(store);
    // As an older version left them.
    for name in ["outflank.db", "outflank.key"] {
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o644)).unwrap();
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let _store = Sqlite::open(&folder).unwrap();
    for name in names {
        assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
    }
    assert_eq!(mode(&folder), 0o755, "a folder that was there is as its owner wants it");
}

#[test]
fn a_key_that_is_not_whole_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let key = Sqlite::open(folder.path()).unwrap().key();
    let path = folder.path().join("outflank.key");
    fs::write(&path, &key.0[..31]).unwrap();
    assert!(matches!(Sqlite::open(folder.path()), Err(OpenError::Damaged { .. })));
    fs::write(&path, key.0).unwrap();
    assert_eq!(Sqlite::open(folder.path()).unwrap().key(), key);
}

#[tokio::test]
async fn a_game_that_cannot_be_read_is_shown_as_such_and_can_be_hidden() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 4).await;
    let later = Connection::open(folder.path().join("outflank.db")).unwrap();
    later
        .execute_batch(
            r#"UPDATE game SET setup = json_set(setup, '$.handicap', 2), status = NULL WHERE id = 'g001';
               UPDATE game SET seats = '{"red":1}' WHERE id = 'g002';
               INSERT INTO entry (game, seq, body) VALUES ('g003', 1, '{"at":5,"by":"black","pie":{}}');
               UPDATE game SET deadline = 9"#,
        )
        .unwrap();
    drop(later);
    let store = Sqlite::open(folder.path()).unwrap();
    let listed = store.list(PersonId(1), None, 9).await.unwrap();
    let shown: Vec<(&str, bool)> = listed.iter().map(|one| (one.game.as_str(), one.summary.is_some())).collect();
    assert_eq!(shown, [("g003", true), ("g002", false), ("g001", false), ("g000", true)]);
    assert_eq!(store.game(&id("g001")).await, Err(StoreError::Unreadable));
    assert_eq!(store.game(&id("g003")).await, Err(StoreError::Unreadable));
    assert!(store.game(&id("g002")).await.unwrap().is_some(), "only its line in the list is unreadable");
    // Left out, however few are asked for at a time.
    assert_eq!(store.running(None, 1).await.unwrap()[0].game, id("g000"));
    assert_eq!(store.running(Some(&id("g000")), 1).await.unwrap()[0].game, id("g002"));
    assert!(store.running(Some(&id("g002")), 1).await.unwrap().is_empty());
    for game in ["g001", "g003"] {
        store.write(vec![Write::Hide { who: PersonId(1), game: id(game) }]).await.unwrap();
        assert_eq!(store.game(&id(game)).await, Ok(None));
    }
}

/// Older SQLite tools report empty fields in a table without a rowid whose key is not its first columns.
#[test]
fn the_columns_of_a_key_come_first() {
    let folder = tempfile::tempdir().unwrap();
    drop(Sqlite::open(folder.path()).unwrap());
    let connection = Connection::open(folder.path().join("outflank.db")).unwrap();
    let mut tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(tables.len(), 20, "{tables:?}");
    for table in tables {
        let mut columns = connection.prepare(&format!("PRAGMA table_info({table})")).unwrap();
        let places: Vec<i64> = columns.query_map([], |row| row.get("pk")).unwrap().collect::<Result<_, _>>().unwrap();
        let length = places.iter().filter(|&&place| place > 0).count();
        assert_eq!(places[..length], (1..=length as i64).collect::<Vec<_>>(), "{table}");
    }
}

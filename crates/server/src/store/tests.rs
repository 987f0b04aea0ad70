use super::*;
use rules::{ByColor, Color, Square};
use std::fs;
use table::{Action, Called, Entry, Preset, Seat, Setup, Who};

fn begun(game: &str, cmd: &str, at: u64) -> Write {
    let seat = Seat::Person { who: Who(1), name: Called::First };
    let seats = ByColor { black: seat.clone(), white: seat };
    let setup = Setup::new(at, seats, Preset::Casual.rules());
    let (maker, invites) = (Who(1), ByColor { black: None, white: None });
    Write::Begin(Box::new(Begun { game: game.into(), setup, maker, cmd: cmd.into(), invites }))
}

fn entered(game: &str, seq: u64, cmd: Option<&str>) -> Write {
    let action = Action::Play { square: Square::F5, ply: 0 };
    let entry = Entry::new(5, Some(Color::Black), action);
    let (who, cmd) = (Some(Who(1)), cmd.map(str::to_owned));
    Write::Enter(Box::new(Entered { game: game.into(), seq, who, cmd, entry, over: false }))
}

#[tokio::test]
async fn what_was_written_is_there_after_opening_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.write(vec![begun("a", "c1", 1), entered("a", 1, Some("p1")), Write::Alive { at: 77 }]).await.unwrap();
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    let game = store.game("a").unwrap().unwrap();
    assert_eq!((game.log.len(), game.log[0].cmd.as_deref(), game.changed), (1, Some("p1"), 5));
    let lived = store.lived().unwrap();
    assert_eq!((lived.last, lived.open), (Some(77), vec!["a".to_owned()]));
    assert_eq!(store.begun_by(Who(1), "c1").unwrap().as_deref(), Some("a"));
    assert!(store.game("b").unwrap().is_none());
}

#[tokio::test]
async fn a_number_is_given_once_and_a_job_is_kept_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.write(vec![begun("a", "c1", 1), entered("a", 1, None)]).await.unwrap();
    let again = store.write(vec![begun("b", "c2", 1), entered("a", 1, None)]).await;
    assert!(matches!(again, Err(StoreError::Conflict)), "{again:?}");
    assert!(store.game("b").unwrap().is_none(), "nothing of the refused job is kept");
    let same_command = store.write(vec![entered("a", 2, Some("x")), entered("a", 3, Some("x"))]).await;
    assert!(matches!(same_command, Err(StoreError::Conflict)));
    let deleted = store.write(vec![Write::Delete { game: "a".into() }]).await;
    assert!(deleted.is_ok());
    assert!(matches!(store.write(vec![entered("a", 2, None)]).await, Err(StoreError::Conflict)));
}

#[tokio::test]
async fn a_refused_job_does_not_spoil_those_it_shares_a_transaction_with() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(folder.path()).unwrap());
    store.write(vec![begun("a", "c", 1)]).await.unwrap();
    let tasks: Vec<_> = (0..200)
        .map(|n| {
            let store = store.clone();
            tokio::spawn(async move { store.write(vec![entered("a", n / 2 + 1, None)]).await.is_ok() })
        })
        .collect();
    let mut kept = 0;
    for task in tasks {
        kept += usize::from(task.await.unwrap());
    }
    assert_eq!(kept, 100);
    assert_eq!(store.game("a").unwrap().unwrap().log.len(), 100);
}

#[tokio::test]
async fn lists_are_read_page_by_page_without_gaps() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for n in 0..25u64 {
        let game = format!("g{n:02}");
        let list = Write::List { who: Who(1), game: game.clone(), begun: n / 3 };
        store.write(vec![begun(&game, &game, n / 3), list]).await.unwrap();
    }
    let mut seen = Vec::new();
    let mut before: Option<String> = None;
    loop {
        let page = store.list(Who(1), before.as_deref(), 4).unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.game.clone());
        seen.extend(page.into_iter().map(|stored| stored.game));
    }
    let mut wanted: Vec<String> = (0..25).map(|n| format!("g{n:02}")).collect();
    wanted.reverse();
    assert_eq!(seen, wanted);
    assert!(store.list(Who(2), None, 4).unwrap().is_empty());
    assert_eq!(store.open_games(Who(1)).unwrap(), 25);
}

#[test]
fn two_servers_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let first = Store::open(folder.path()).unwrap();
    assert!(matches!(Store::open(folder.path()), Err(OpenError::InUse(_))));
    drop(first);
    assert!(Store::open(folder.path()).is_ok());
}

#[tokio::test]
async fn names_that_an_older_version_made_up_are_read_in_every_language() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for game in ["a", "b", "c", "d"] {
        store.write(vec![begun(game, game, 1), entered(game, 1, None)]).await.unwrap();
    }
    drop(store);
    let older = Connection::open(folder.path().join("outflank.db")).unwrap();
    let rename = |game: &str, black: &str, white: &str| {
        let sql =
            "UPDATE game SET setup = json_set(setup, '$.seats.black.name', ?2, '$.seats.white.name', ?3) WHERE id = ?1";
        assert_eq!(older.execute(sql, (game, black, white)).unwrap(), 1);
    };
    rename("a", "Player 1", "Player 2");
    rename("b", "Jugador 2", "Tú"); // colours swapped; against the computer
    rename("c", "Black", "Player 3"); // names that someone gave
    older
        .execute_batch(
            r#"UPDATE entry SET body = '{"at":5,"by":"white","sit":{"who":3,"name":"Player 2"}}' WHERE game = 'd';
               PRAGMA user_version = 1"#,
        )
        .unwrap();
    drop(older);
    // The second time there is nothing left to do.
    for _ in 0..2 {
        let store = Store::open(folder.path()).unwrap();
        // An older program sees it at once.
        let header = fs::read(folder.path().join("outflank.db")).unwrap();
        assert_eq!(header[60..64], upgrade::VERSION.to_be_bytes());
        let names = |game: &str| {
            let seats = store.game(game).unwrap().unwrap().setup.seats;
            seats.map(|seat| match seat {
                Seat::Person { name, .. } => name,
                other => panic!("{other:?}"),
            })
        };
        let given = |name: &str| Called::Name(name.parse().unwrap());
        assert_eq!(names("a"), ByColor { black: Called::First, white: Called::Second });
        assert_eq!(names("b"), ByColor { black: Called::Second, white: Called::First });
        assert_eq!(names("c"), ByColor { black: given("Black"), white: given("Player 3") });
        let sat = &store.game("d").unwrap().unwrap().log[0].entry.action;
        assert_eq!(sat, &Action::Sit { who: Who(3), name: Called::Second });
    }
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("outflank.db");
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let error = Store::open(folder.path()).unwrap_err();
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
}

#[tokio::test]
async fn a_damaged_file_is_noticed_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for n in 0..200 {
        store.write(vec![begun(&format!("g{n}"), &format!("c{n}"), 1)]).await.unwrap();
    }
    drop(store);
    let path = folder.path().join("outflank.db");
    let mut bytes = fs::read(&path).unwrap();
    let length = bytes.len();
    bytes[4096..length - 4096].fill(0xab);
    fs::write(&path, &bytes).unwrap();
    let error = Store::open(folder.path()).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

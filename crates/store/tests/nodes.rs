//! Several nodes on one PostgreSQL database, connections that are lost at the worst moment, and databases that are not ours.

mod database;
mod games;

use database::Schema;
use games::Game;
use people::AccountChange;
use room::Write;
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use store::{Accounts, OpenError, Postgres, Store, StoreError};
use table::{GameId, PersonId};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
    time::timeout,
};

/// A store has given up on its database by then: it waits for eight seconds, and a little for what was on its way.
const PATIENT: Duration = Duration::from_secs(12);

#[test]
fn nodes_that_start_at_the_same_time_have_the_same_tables_and_key() {
    let Some(schema) = Schema::new() else { return };
    let schema = &schema;
    let keys: Vec<_> = thread::scope(|scope| {
        let nodes: Vec<_> = (0..6).map(|_| scope.spawn(|| schema.open().key())).collect();
        nodes.into_iter().map(|node| node.join().unwrap()).collect()
    });
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    assert_eq!(schema.run("SELECT count(*) FROM outflank"), ["1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_nodes_that_enter_the_same_number_one_is_first() {
    let Some(schema) = Schema::new() else { return };
    let nodes = [Arc::new(schema.open()), Arc::new(schema.open()), Arc::new(schema.open())];
    let mut games: Vec<Game> = (0..20).map(|n| Game::new(&format!("g{n:02}"))).collect();
    for game in &games {
        nodes[0].write(game.begin()).await.unwrap();
    }
    for at in 0..20 {
        let mut tasks = Vec::new();
        for game in &mut games {
            let play = game.play(1000 + at);
            for node in &nodes {
                let (node, play) = (node.clone(), play.clone());
                tasks.push(tokio::spawn(async move { node.write(vec![play]).await }));
            }
        }
        let mut results = Vec::new();
        for task in tasks {
            results.push(task.await.unwrap());
        }
        for of_one in results.chunks(nodes.len()) {
            assert_eq!(of_one.iter().filter(|result| result.is_ok()).count(), 1, "{of_one:?}");
            let refused = of_one.iter().filter(|result| **result == Err(StoreError::Conflict)).count();
            assert_eq!(refused, nodes.len() - 1, "{of_one:?}");
        }
    }
    for game in &games {
        for node in &nodes {
            assert_eq!(node.game(&game.id).await.unwrap().unwrap().log.len(), 20);
        }
    }
}

/// Jobs with many games, in every order, from several nodes at once: nobody waits for somebody who waits for them.
#[tokio::test(flavor = "multi_thread")]
async fn jobs_with_the_same_games_in_another_order_do_not_stand_in_each_others_way() {
    let Some(schema) = Schema::new() else { return };
    let nodes = [Arc::new(schema.open()), Arc::new(schema.open())];
    let games: Vec<Game> = (0..30).map(|n| Game::new(&format!("g{n:02}"))).collect();
    nodes[0].write(games.iter().flat_map(Game::begin).collect()).await.unwrap();
    for round in 0..20 {
        let list = |who: i64, game: &Game| Write::List { who: PersonId(who), game: game.id.clone(), begun: 1 };
        let forth: Vec<Write> = games.iter().map(|game| list(2 * round, game)).collect();
        let back: Vec<Write> = games.iter().rev().map(|game| list(2 * round + 1, game)).collect();
        let (one, other) = tokio::join!(nodes[0].write(forth), nodes[1].write(back));
        assert_eq!((one, other), (Ok(()), Ok(())));
    }
    assert_eq!(schema.run("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"), ["0"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_hidden_by_both_players_on_two_nodes_is_gone() {
    let Some(schema) = Schema::new() else { return };
    let nodes = [schema.open(), schema.open()];
    for n in 0..30 {
        let game = Game::new(&format!("g{n:02}"));
        nodes[0].write(game.begin()).await.unwrap();
        nodes[0].write(vec![Write::List { who: PersonId(2), game: game.id.clone(), begun: 1 }]).await.unwrap();
        let hide = |who: i64| vec![Write::Hide { who: PersonId(who), game: game.id.clone() }];
        let (one, other) = tokio::join!(nodes[0].write(hide(1)), nodes[1].write(hide(2)));
        assert_eq!((one, other), (Ok(()), Ok(())));
        assert_eq!(nodes[1].game(&game.id).await, Ok(None));
    }
    assert_eq!(schema.run("SELECT count(*) FROM entry"), ["0"]);
}

/// What the proxy does when the next `COMMIT` comes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// It does not arrive, and both sides hear that the connection is lost.
    Cut,
    /// It arrives, but its answer does not.
    CutAnswer,
    /// It does not arrive, and the database hears nothing for as long as it waits.
    Silence,
    /// Nothing arrives on either side, as if the node had been stopped.
    Stop,
    /// It does not arrive, and from then on nobody gets through.
    CutAndAway,
    /// It arrives, but its answer does not, and from then on nobody gets through.
    CutAnswerAndAway,
}

/// What the proxy is to do, and whom it tells when it has.
#[derive(Clone, Default)]
struct Faults {
    next: Arc<Mutex<Option<Fault>>>,
    happened: Arc<Notify>,
    away: Arc<AtomicBool>,
    /// Nothing gets through, and nobody is told so: as if the database, or its machine, stood still.
    mute: Arc<AtomicBool>,
}

impl Faults {
    fn set(&self, fault: Fault) {
        *self.next.lock().unwrap() = Some(fault);
    }

    fn take(&self) -> Option<Fault> {
        let fault = self.next.lock().unwrap().take();
        if matches!(fault, Some(Fault::CutAndAway | Fault::CutAnswerAndAway)) {
            self.away.store(true, Ordering::Relaxed);
        }
        if fault.is_some() {
            self.happened.notify_one();
        }
        fault
    }
}

/// Stands between a store and its database. Returns its port, and what it is to do.
async fn proxy(to: u16) -> (u16, Faults) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let faults = Faults::default();
    let next = faults.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            if next.away.load(Ordering::Relaxed) {
                continue;
            }
            let server = TcpStream::connect(("127.0.0.1", to)).await.unwrap();
            tokio::spawn(between(client, server, next.clone()));
        }
    });
    (port, faults)
}

async fn between(mut client: TcpStream, mut server: TcpStream, faults: Faults) {
    let (mut asked, mut said) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            read = client.read(&mut asked) => {
                let bytes = match read { Ok(0) | Err(_) => return, Ok(length) => &asked[..length] };
                if faults.mute.load(Ordering::Relaxed) {
                    continue;
                }
                let commit = bytes.windows(7).any(|text| text == b"COMMIT\0");
                let fault = if commit { faults.take() } else { None };
                match fault {
                    None => if server.write_all(bytes).await.is_err() { return },
                    Some(Fault::Cut | Fault::CutAndAway) => return,
                    Some(Fault::CutAnswer | Fault::CutAnswerAndAway) => {
                        server.write_all(bytes).await.unwrap();
                        // The answer has come, so it is done; nobody hears of it.
                        let _ = server.read(&mut said).await;
                        return;
                    }
                    Some(fault) => {
                        if fault == Fault::Silence {
                            drop(client);
                        }
                        // Ends when the database ends it.
                        let _ = server.read(&mut said).await;
                        return;
                    }
                }
            }
            read = server.read(&mut said) => {
                let bytes = match read { Ok(0) | Err(_) => return, Ok(length) => &said[..length] };
                if client.write_all(bytes).await.is_err() { return }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_answer_is_lost_is_answered_truly() {
    let Some(schema) = Schema::new() else { return };
    let (port, faults) = proxy(schema.port()).await;
    let address = schema.address_by(port);
    let store = tokio::task::spawn_blocking(move || Postgres::open(&address).unwrap()).await.unwrap();
    let mut game = Game::new("a");
    store.write(game.begin()).await.unwrap();
    for (at, what) in [Fault::Cut, Fault::CutAnswer, Fault::Silence].into_iter().cycle().take(12).enumerate() {
        faults.set(what);
        // Nobody has to try again: it is known what happened, and what did not happen is done again.
        assert_eq!(store.write(vec![game.play(1000 + at as u64)]).await, Ok(()), "{what:?}");
        assert_eq!(faults.take(), None, "{what:?} has happened");
        assert_eq!(store.game(&game.id).await.unwrap().unwrap().log.len(), at + 1, "{what:?}");
        assert!(store.health().is_well());
    }
}

/// A database that stays away after a commit whose answer is lost: nobody can say what became of it, and that is what is said. Once it is
/// back, asking again tells.
#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_cannot_be_settled_is_unknown_until_the_database_is_back() {
    let Some(schema) = Schema::new() else { return };
    let unsettled = async |id: &str, what: Fault| {
        let (port, faults) = proxy(schema.port()).await;
        let address = schema.address_by(port);
        let store = tokio::task::spawn_blocking(move || Postgres::open(&address).unwrap()).await.unwrap();
        let mut game = Game::new(id);
        store.write(game.begin()).await.unwrap();
        faults.set(what);
        let play = vec![game.play(1000)];
        let answer = store.write(play.clone()).await;
        assert!(matches!(answer, Err(StoreError::Unknown(_))), "{what:?}: {answer:?}");
        assert!(!store.health().is_well(), "{what:?}");
        // Nothing else is kept meanwhile, and that is certain.
        let other = store.write(vec![Write::List { who: PersonId(7), game: game.id.clone(), begun: 1 }]).await;
        assert!(matches!(other, Err(StoreError::NotKept(_))), "{what:?}: {other:?}");
        faults.away.store(false, Ordering::Relaxed);
        let kept = store.game(&game.id).await.unwrap().unwrap().log.len();
        let again = store.write(play).await;
        assert!(store.health().is_well(), "{what:?}");
        assert!(store.list(PersonId(7), None, 9).await.unwrap().is_empty());
        (kept, again)
    };
    let (cut, cut_answer) = tokio::join!(unsettled("a", Fault::CutAndAway), unsettled("b", Fault::CutAnswerAndAway));
    assert_eq!(cut, (0, Ok(())));
    assert_eq!(cut_answer, (1, Err(StoreError::Conflict)));
}

/// Whoever was refused in a transaction whose answer is lost is not told that they were first.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_is_the_right_one_for_everybody_who_shared_the_transaction() {
    let Some(schema) = Schema::new() else { return };
    let (port, faults) = proxy(schema.port()).await;
    let address = schema.address_by(port);
    let store = tokio::task::spawn_blocking(move || Arc::new(Postgres::open(&address).unwrap())).await.unwrap();
    let mut games: Vec<Game> = (0..20).map(|n| Game::new(&format!("g{n:02}"))).collect();
    store.write(games.iter().flat_map(Game::begin).collect()).await.unwrap();
    for what in [Fault::CutAnswer, Fault::Cut, Fault::CutAnswer] {
        faults.set(what);
        let mut tasks = Vec::new();
        for play in games.iter_mut().map(|game| game.play(1000)) {
            for _ in 0..2 {
                let (store, play) = (store.clone(), play.clone());
                tasks.push(tokio::spawn(async move { store.write(vec![play]).await }));
            }
        }
        // The first transaction may have been a small one; the second has what waited meanwhile.
        faults.happened.notified().await;
        faults.set(what);
        let mut results = Vec::new();
        for task in tasks {
            results.push(task.await.unwrap());
        }
        for of_one in results.chunks(2) {
            let first = of_one.iter().filter(|result| result.is_ok()).count();
            let refused = of_one.iter().filter(|result| **result == Err(StoreError::Conflict)).count();
            assert_eq!((first, refused), (1, 1), "{what:?}: {of_one:?}");
        }
        // It may not have happened again, if the first had everything.
        faults.take();
    }
    for game in &games {
        assert_eq!(store.game(&game.id).await.unwrap().unwrap().log.len() as u64, game.seq.0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_stops_in_the_middle_does_not_keep_the_others_from_a_game() {
    let Some(schema) = Schema::new() else { return };
    let (port, faults) = proxy(schema.port()).await;
    let address = schema.address_by(port);
    let stopped = tokio::task::spawn_blocking(move || Postgres::open(&address).unwrap()).await.unwrap();
    let mut game = Game::new("a");
    stopped.write(game.begin()).await.unwrap();
    let other = schema.open();
    // Its transaction holds the row of the game, and is not finished: that node's move is not kept, this one's is.
    faults.set(Fault::Stop);
    let play = vec![game.play(1000)];
    let first = async {
        faults.happened.notified().await;
        other.write(play.clone()).await
    };
    let (theirs, ours) = tokio::join!(stopped.write(play.clone()), first);
    assert_eq!((theirs, ours), (Err(StoreError::Conflict), Ok(())));
    assert_eq!(other.game(&game.id).await.unwrap().unwrap().log.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_stands_still_is_not_waited_for_without_end() {
    let Some(schema) = Schema::new() else { return };
    let (port, faults) = proxy(schema.port()).await;
    let address = schema.address_by(port);
    let store = Arc::new(tokio::task::spawn_blocking(move || Postgres::open(&address).unwrap()).await.unwrap());
    let mut game = Game::new("a");
    store.write(game.begin()).await.unwrap();
    faults.mute.store(true, Ordering::Relaxed);
    // Many ask at once, and nobody waits for those before them to give up.
    let reads: Vec<_> = (0..50)
        .map(|_| {
            let (store, id) = (store.clone(), game.id.clone());
            tokio::spawn(async move { store.game(&id).await })
        })
        .collect();
    let play = vec![game.play(1000)];
    let all = async {
        let written = store.write(play.clone()).await;
        let mut answers = Vec::new();
        for read in reads {
            answers.push(read.await.unwrap());
        }
        (written, answers)
    };
    let (written, answers) = timeout(PATIENT, all).await.expect("nobody waits for longer");
    assert!(matches!(written, Err(StoreError::NotKept(_))), "{written:?}");
    for read in answers {
        assert!(matches!(read, Err(StoreError::NotRead(_))), "{read:?}");
    }
    assert!(!store.health().is_well());
    faults.mute.store(false, Ordering::Relaxed);
    assert_eq!(store.write(play).await, Ok(()));
    assert_eq!(store.game(&game.id).await.unwrap().unwrap().log.len(), 1);
}

#[test]
fn servers_that_do_not_hear_each_other_do_not_share_a_database() {
    let Some(schema) = Schema::new() else { return };
    let only = Postgres::open_for_one_server(&schema.address()).unwrap();
    // To look is allowed: only who writes is a server.
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let node = schema.open();
    assert_eq!(runtime.block_on(node.game(&"a".parse().unwrap())), Ok(None));
    let (second, refused) = thread::scope(|scope| {
        let second = scope.spawn(|| Postgres::open_for_one_server(&schema.address()).unwrap_err());
        let refused = runtime.block_on(node.write(Game::new("a").begin()));
        (second.join().unwrap(), refused)
    });
    assert!(matches!(second, OpenError::InUse(_)), "{second:?}");
    assert_eq!(refused, Err(StoreError::NotKept("another server uses the database".into())));
    drop(only);
    assert_eq!(runtime.block_on(node.write(Game::new("a").begin())), Ok(()), "the other is gone");
    assert!(matches!(Postgres::open_for_one_server(&schema.address()), Err(OpenError::InUse(_))));
    drop(node);
    assert!(Postgres::open_for_one_server(&schema.address()).is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_postgresql_cannot_keep_is_refused_and_spoils_nothing() {
    let Some(schema) = Schema::new() else { return };
    let store = Arc::new(schema.open());
    // Ids and names have no such characters; a setting is any text.
    let setting = AccountChange::Setting { name: "x".to_owned(), value: Some("a\0b".to_owned()) };
    let games: Vec<Game> = (0..20).map(|n| Game::new(&format!("g{n:02}"))).collect();
    let mut tasks = Vec::new();
    for writes in games.iter().map(Game::begin).chain([vec![Write::Account(Box::new(setting))]]) {
        let store = store.clone();
        tasks.push(tokio::spawn(async move { store.write(writes).await }));
    }
    for (n, task) in tasks.into_iter().enumerate() {
        let result = task.await.unwrap();
        assert_eq!(result.is_ok(), n < games.len(), "{result:?}");
    }
    assert_eq!(schema.run("SELECT count(*) FROM setting"), ["0"]);
    assert!(store.accounts("a\0b", 9).await.unwrap().is_empty(), "nothing has such a name");
    assert_eq!(store.list(PersonId(1), None, 99).await.unwrap().len(), games.len());
}

#[test]
fn what_is_not_ours_or_too_new_is_left_alone() {
    let Some(schema) = Schema::new() else { return };
    let tables = "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY 1";
    schema.run("CREATE TABLE bills (x INTEGER)");
    assert!(matches!(Postgres::open(&schema.address()), Err(OpenError::Foreign(_))));
    assert_eq!(schema.run(tables), ["bills"]);
    schema.run("DROP TABLE bills");
    drop(schema.open());
    schema.run("UPDATE outflank SET version = 99");
    let newer = Postgres::open(&schema.address()).unwrap_err();
    assert!(matches!(newer, OpenError::Newer(_)));
    assert!(newer.to_string().ends_with("was written by a newer Outflank"), "{newer}");
    assert_eq!(schema.run("SELECT version FROM outflank"), ["99"]);
    schema.run("DELETE FROM outflank");
    assert!(matches!(Postgres::open(&schema.address()), Err(OpenError::Damaged { .. })));
}

#[test]
fn a_database_that_cannot_be_reached_is_named_without_its_password() {
    let nowhere = "postgres://ana:secret@127.0.0.1:1/games";
    let error = Postgres::open(nowhere).unwrap_err();
    assert!(matches!(error, OpenError::Unreachable { .. }), "{error:?}");
    assert!(error.to_string().contains("postgres://127.0.0.1:1/games"), "{error}");
    let nonsense = Postgres::open("postgres://ana:secret@host:port/games").unwrap_err();
    let Some(schema) = Schema::new() else { return };
    let denied = Postgres::open(&schema.address().replacen("outflank:", "outflank:not", 1)).unwrap_err();
    assert!(denied.to_string().contains("password authentication failed"), "{denied}");
    for error in [error, nonsense, denied] {
        assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_cannot_be_read_is_shown_as_such_and_can_be_hidden() {
    let Some(schema) = Schema::new() else { return };
    let store = schema.open();
    let id = |game: &str| game.parse::<GameId>().unwrap();
    for n in 0..4 {
        store.write(Game::new(&format!("g00{n}")).begin()).await.unwrap();
    }
    schema.run(
        r#"UPDATE game SET setup = '{"handicap":2}', status = NULL WHERE id = 'g001';
           UPDATE game SET seats = '{"red":1}' WHERE id = 'g002';
           INSERT INTO entry (game, seq, body) VALUES ('g003', 1, '{"at":5,"by":"black","pie":{}}');
           UPDATE game SET deadline = 9"#,
    );
    let listed = store.list(PersonId(1), None, 9).await.unwrap();
    let shown: Vec<(&str, bool)> = listed.iter().map(|one| (one.game.as_str(), one.summary.is_some())).collect();
    assert_eq!(shown, [("g003", true), ("g002", false), ("g001", false), ("g000", true)]);
    assert_eq!(store.game(&id("g001")).await, Err(StoreError::Unreadable));
    assert_eq!(store.game(&id("g003")).await, Err(StoreError::Unreadable));
    assert_eq!(store.running(None, 1).await.unwrap()[0].game, id("g000"));
    assert_eq!(store.running(Some(&id("g000")), 1).await.unwrap()[0].game, id("g002"));
    assert!(store.running(Some(&id("g002")), 1).await.unwrap().is_empty());
    for game in ["g001", "g003"] {
        store.write(vec![Write::Hide { who: PersonId(1), game: id(game) }]).await.unwrap();
        assert_eq!(store.game(&id(game)).await, Ok(None));
    }
}

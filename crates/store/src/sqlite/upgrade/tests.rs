use super::*;
use crate::{Accounts, Sqlite, Store, StoreError};
use people::Holder;
use room::{Listed, Stored};
use rules::{ByColor, Color};
use std::{
    fs,
    path::{Path, PathBuf},
};
use table::{Action, Called, Entry, PersonId, Preset, Rules, Seat, TimeControl};

/// The tables of versions 1 and 2, as those versions made them.
const VERSION_2: &str = "
CREATE TABLE person (
    id     INTEGER PRIMARY KEY,
    secret BLOB NOT NULL UNIQUE              -- SHA-256 of the cookie
) STRICT;
CREATE TABLE game (
    id      TEXT PRIMARY KEY,
    begun   INTEGER NOT NULL,                -- all times: milliseconds since 1970
    changed INTEGER NOT NULL,
    over    INTEGER NOT NULL,
    setup   TEXT NOT NULL,
    maker   INTEGER NOT NULL,
    cmd     TEXT NOT NULL,                   -- the command that began it
    invite_black TEXT,                       -- secrets for open seats
    invite_white TEXT,
    UNIQUE (maker, cmd)
) STRICT, WITHOUT ROWID;
CREATE INDEX game_open ON game (over) WHERE over = 0;
CREATE TABLE entry (
    game TEXT NOT NULL,
    seq  INTEGER NOT NULL,
    who  INTEGER,                            -- who sent the command; null is the house
    cmd  TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX entry_cmd ON entry (game, who, cmd) WHERE cmd IS NOT NULL;
CREATE TABLE mine (                          -- whose list a game is in
    who   INTEGER NOT NULL,
    begun INTEGER NOT NULL,
    game  TEXT NOT NULL,
    PRIMARY KEY (who, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX mine_latest ON mine (who, begun, game);
CREATE TABLE life (                          -- the last sign of life
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at  INTEGER NOT NULL
) STRICT;
";

/// A folder as an older version left it.
struct Older {
    folder: tempfile::TempDir,
    connection: Connection,
}

impl Older {
    fn new(version: i32) -> Older {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(folder.path().join("outflank.db")).unwrap();
        connection.pragma_update(None, "application_id", i32::from_be_bytes(*b"OUTF")).unwrap();
        connection.pragma_update(None, "user_version", version).unwrap();
        connection.execute_batch(VERSION_2).unwrap();
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
        connection.pragma_update(None, "synchronous", "OFF").unwrap();
        Older { folder, connection }
    }

    fn begin(&self, game: &str, setup: &Setup, invites: [Option<&str>; 2]) {
        self.begin_with(game, setup.at, &serde_json::to_string(setup).unwrap(), invites);
    }

    fn begin_with(&self, game: &str, at: u64, setup: &str, invites: [Option<&str>; 2]) {
        self.connection
            .execute(
                "INSERT INTO game (id, begun, changed, over, setup, maker, cmd, invite_black, invite_white)
                 VALUES (?1, ?2, ?2, 0, ?3, 1, ?4, ?5, ?6)",
                params![game, at as i64, setup, format!("begin-{game}"), invites[0], invites[1]],
            )
            .unwrap();
        self.connection.execute("INSERT INTO mine VALUES (1, ?1, ?2)", params![at as i64, game]).unwrap();
    }

    fn enter(&self, game: &str, seq: usize, entry: &Entry) {
        let by = entry.by.map(|_| (1, format!("command-{seq}"))).unzip();
        self.connection
            .execute(
                "INSERT INTO entry (game, seq, who, cmd, body) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![game, seq as i64, by.0, by.1, serde_json::to_string(entry).unwrap()],
            )
            .unwrap();
        self.connection
            .execute("UPDATE game SET changed = max(changed, ?2) WHERE id = ?1", params![game, entry.at as i64])
            .unwrap();
    }

    fn close(self) -> tempfile::TempDir {
        self.folder
    }
}

fn seats() -> ByColor<Seat> {
    let person = |who, name: &str| Seat::Person { who: PersonId(who), name: Called::Name(name.parse().unwrap()) };
    ByColor { black: person(1, "Ana"), white: person(2, "Bo") }
}

/// A game in which `choices` decides what is done, and where the moves, times, takebacks and offers come from.
fn some_game(mut choices: u64, rules: Rules) -> (Setup, Vec<Entry>) {
    let mut choose = |among: u64| {
        choices = choices.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (choices >> 33) % among
    };
    let setup = Setup::new(1000 + choose(5), seats(), rules);
    let mut table = Table::new(setup.clone()).unwrap();
    let (mut log, mut at) = (Vec::new(), setup.at);
    for _ in 0..choose(90) {
        at += choose(4000);
        let by = table.turn().unwrap_or(if choose(2) == 0 { Color::Black } else { Color::White });
        let ply = table.ply();
        let action = match choose(30) {
            0 => Action::Takeback { ply },
            1 => Action::Accept {},
            2 => Action::Decline {},
            3 => Action::Another { next: "next".parse().unwrap(), swap: true },
            4 if choose(4) == 0 => Action::Resign {},
            _ => {
                let legal: Vec<_> = table.position().legal().into_iter().collect();
                if legal.is_empty() {
                    break;
                }
                Action::Play { square: legal[choose(legal.len() as u64) as usize], ply }
            }
        };
        let entry = Entry::new(at, Some(if choose(8) == 0 { !by } else { by }), action);
        // Only what was accepted is in a log.
        if let Ok(after) = table.after(&entry) {
            table = after;
            log.push(entry);
        }
    }
    (setup, log)
}

/// Everything in the tables, as text.
fn contents(connection: &Connection) -> Vec<String> {
    let mut lines = Vec::new();
    for table in ["person", "game", "entry", "mine", "life"] {
        let mut rows = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = rows.column_count();
        let mut rows = rows.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values: Vec<rusqlite::types::Value> = (0..columns).map(|column| row.get(column).unwrap()).collect();
            lines.push(format!("{table} {values:?}"));
        }
    }
    lines
}

fn database(folder: &Path) -> PathBuf {
    folder.join("outflank.db")
}

#[tokio::test]
async fn every_game_of_version_2_stands_as_its_log_says() {
    let older = Older::new(2);
    let timed = Rules { time: TimeControl::Fischer { main_ms: 60_000, increment_ms: 500 }, ..Preset::Casual.rules() };
    let games: Vec<(String, Setup, Vec<Entry>)> = (0..300)
        .map(|n| {
            let rules = [Preset::Casual.rules(), Preset::Tournament.rules(), timed][n as usize % 3];
            let (setup, log) = some_game(n, rules);
            (format!("g{n:03}"), setup, log)
        })
        .collect();
    for (game, setup, log) in &games {
        older.begin(game, setup, [None, None]);
        for (index, entry) in log.iter().enumerate() {
            older.enter(game, index + 1, entry);
        }
    }
    let folder = older.close();
    let store = Sqlite::open(folder.path()).unwrap();
    let mut listed = store.list(PersonId(1), None, 1000).await.unwrap();
    listed.sort_by(|a, b| a.game.cmp(&b.game));
    assert_eq!(listed.len(), games.len());
    let (mut open, mut deadlines) = (0, 0);
    for ((game, setup, log), listed) in games.iter().zip(listed) {
        let table = Table::new(setup.clone()).unwrap().replay(log).unwrap();
        let game: GameId = game.parse().unwrap();
        let wanted = Listed { game: game.clone(), begun: setup.at, summary: Some(Summary::of(&table)) };
        assert_eq!(listed, wanted);
        open += u64::from(table.verdict().is_none());
        deadlines += usize::from(table.deadline().is_some());
        let by = |index: usize| Some((PersonId(1), format!("command-{}", index + 1).parse().unwrap()));
        let log = log.iter().enumerate().map(|(index, entry)| StoredEntry { by: by(index), entry: entry.clone() });
        let invites = ByColor { black: None, white: None };
        let stored = Stored { game: game.clone(), setup: setup.clone(), invites, log: log.collect() };
        assert_eq!(store.game(&game).await, Ok(Some(stored)));
        assert_eq!(store.begun_by(PersonId(1), &format!("begin-{game}").parse().unwrap()).await, Ok(Some(game)));
    }
    assert!(open > 20 && open < 280, "{open}: some are over, some are not");
    assert_eq!(store.open_games(PersonId(1)).await, Ok(open));
    assert!(deadlines > 20, "{deadlines}");
    assert_eq!(store.due(u64::MAX, 1000).await.unwrap().len(), deadlines);
    assert_eq!(store.running(None, 1000).await.unwrap().len(), deadlines);
}

#[tokio::test]
async fn what_else_version_2_kept_is_still_there() {
    let older = Older::new(2);
    let (setup, _) = some_game(1, Preset::Casual.rules());
    older.begin("a", &setup, [None, None]);
    older
        .connection
        .execute_batch(
            "INSERT INTO person VALUES (5, zeroblob(32));
             INSERT INTO mine VALUES (2, 1000, 'a');
             INSERT INTO life VALUES (1, 77);",
        )
        .unwrap();
    let folder = older.close();
    let fresh = tempfile::tempdir().unwrap();
    drop(Sqlite::open(fresh.path()).unwrap());
    // The second time there is nothing left to do.
    for _ in 0..2 {
        let store = Sqlite::open(folder.path()).unwrap();
        assert_eq!(store.holder(&[0; 32]).await, Ok(Some(Holder::Guest(PersonId(5)))));
        assert_eq!(store.list(PersonId(2), None, 9).await.unwrap().len(), 1);
        assert_eq!(store.last_alive().await, Ok(Some(77)));
        // An older program sees at once that it is too old.
        let header = fs::read(database(folder.path())).unwrap();
        assert_eq!(header[60..64], VERSION.to_be_bytes());
    }
    // Nobody can tell the file from a new one.
    let tables = |folder: &Path| -> Vec<String> {
        let connection = Connection::open(database(folder)).unwrap();
        let mut schema = connection.prepare("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name").unwrap();
        schema.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let words = |text: &String| -> Vec<String> {
        let code = text.lines().map(|line| line.split("--").next().unwrap_or_default());
        code.flat_map(str::split_whitespace).map(str::to_owned).collect()
    };
    let (upgraded, fresh) = (tables(folder.path()), tables(fresh.path()));
    assert_eq!(upgraded.iter().map(words).collect::<Vec<_>>(), fresh.iter().map(words).collect::<Vec<_>>());
}

#[tokio::test]
async fn invitations_are_still_good_and_stand_nowhere_in_the_file() {
    let older = Older::new(2);
    let open = ByColor { black: Seat::Open, white: Seat::Open };
    let setup = Setup::new(1, open, Preset::Casual.rules());
    older.begin("a", &setup, [Some("first-secret-of-a"), Some("second-secret-of-a")]);
    // Deleted games leave pages behind, as they did in version 2.
    for n in 0..200 {
        older.begin(&format!("gone{n}"), &setup, [Some("secret-of-a-game-that-is-gone"), None]);
    }
    older.connection.execute_batch("DELETE FROM game WHERE id <> 'a'; DELETE FROM mine WHERE game <> 'a'").unwrap();
    let Older { folder, connection } = older;
    let found = |text: &str| {
        let files = fs::read_dir(folder.path()).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
        files.into_iter().any(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
    };
    let secrets = ["first-secret-of-a", "second-secret-of-a", "secret-of-a-game-that-is-gone"];
    assert!(secrets.iter().all(|secret| found(secret)));
    drop(connection);
    let store = Sqlite::open(folder.path()).unwrap();
    for secret in secrets {
        assert!(!found(secret), "{secret}");
    }
    let stored = store.game(&"a".parse().unwrap()).await.unwrap().unwrap();
    let hash = |secret: &str| Some(<[u8; 32]>::from(Sha256::digest(secret.as_bytes())));
    let wanted = ByColor { black: hash("first-secret-of-a"), white: hash("second-secret-of-a") };
    assert_eq!(stored.invites, wanted);
}

#[tokio::test]
async fn a_game_that_does_not_replay_loses_nothing() {
    let older = Older::new(2);
    let (setup, _) = some_game(1, Preset::Casual.rules());
    let look = Entry::new(2000, None, Action::Look {});
    let twice = Entry::new(2000, Some(Color::Black), Action::Accept {});
    older.begin("fine", &setup, [None, None]);
    older.begin("illegal", &setup, [Some("invite"), None]);
    older.enter("illegal", 1, &look);
    older.enter("illegal", 2, &twice);
    older.begin_with("later setup", 3, r#"{"seats":3}"#, [None, None]);
    older.begin_with("no json", 4, "?", [None, None]);
    older.begin("later entry", &setup, [None, None]);
    let strange = r#"INSERT INTO entry VALUES ('later entry', 1, NULL, NULL, '{"at":5,"by":null,"pie":{}}')"#;
    older.connection.execute_batch(strange).unwrap();
    let folder = older.close();
    let store = Sqlite::open(folder.path()).unwrap();
    let listed = store.list(PersonId(1), None, 9).await.unwrap();
    let mut shown: Vec<(&str, bool)> = listed.iter().map(|one| (one.game.as_str(), one.summary.is_some())).collect();
    shown.sort_unstable();
    let wanted =
        [("fine", true), ("illegal", false), ("later entry", false), ("later setup", false), ("no json", false)];
    assert_eq!(shown, wanted);
    assert_eq!(store.open_games(PersonId(1)).await, Ok(1), "only those that can be played");
    let game = async |id: &str| store.game(&id.parse().unwrap()).await;
    let illegal = game("illegal").await.unwrap().unwrap();
    assert_eq!(illegal.log.into_iter().map(|kept| kept.entry).collect::<Vec<_>>(), [look, twice]);
    assert!(illegal.invites.black.is_some());
    for id in ["later entry", "later setup", "no json"] {
        assert_eq!(game(id).await, Err(StoreError::Unreadable), "{id}");
    }
    drop(store);
    let connection = Connection::open(database(folder.path())).unwrap();
    let text = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(text("SELECT setup FROM game WHERE id = 'later setup'"), r#"{"seats":3}"#);
    assert_eq!(text("SELECT setup FROM game WHERE id = 'no json'"), "?");
    assert_eq!(text("SELECT body FROM entry WHERE game = 'later entry'"), r#"{"at":5,"by":null,"pie":{}}"#);
}

/// The disk is full after so many pages, for every number of pages until the upgrade works.
#[test]
fn an_upgrade_that_fails_anywhere_changes_nothing() {
    let older = Older::new(1);
    for n in 0..30 {
        let (setup, log) = some_game(n, Preset::Tournament.rules());
        let game = format!("g{n}");
        older.begin(&game, &setup, [Some("invite"), None]);
        for (index, entry) in log.iter().enumerate() {
            older.enter(&game, index + 1, entry);
        }
    }
    let before = contents(&older.connection);
    let folder = older.close();
    let pages =
        |connection: &Connection| -> i64 { connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap() };
    let mut failures = 0;
    let done = (0..200).any(|more| {
        let mut connection = Connection::open(database(folder.path())).unwrap();
        connection.pragma_update(None, "secure_delete", true).unwrap();
        connection.pragma_update(None, "max_page_count", pages(&connection) + more).unwrap();
        let result = upgrade(&mut connection);
        drop(connection);
        if result.is_ok() {
            return true;
        }
        failures += 1;
        let connection = Connection::open(database(folder.path())).unwrap();
        assert_eq!(version(&connection).unwrap(), 1);
        assert_eq!(contents(&connection), before);
        false
    });
    assert!(done && failures > 5, "{failures}");
    let connection = Connection::open(database(folder.path())).unwrap();
    assert_eq!(version(&connection).unwrap(), VERSION);
}

#[tokio::test]
async fn names_that_version_1_made_up_are_read_in_every_language() {
    let older = Older::new(1);
    let setup = |black: &str, white: &str| {
        let seat =
            |who: i64, name: &str| Seat::Person { who: PersonId(who), name: Called::Name(name.parse().unwrap()) };
        Setup::new(1, ByColor { black: seat(1, black), white: seat(2, white) }, Preset::Casual.rules())
    };
    older.begin("a", &setup("Player 1", "Player 2"), [None, None]);
    older.begin("b", &setup("Jugador 2", "Tú"), [None, None]); // colours swapped; against the computer
    older.begin("c", &setup("Black", "Player 3"), [None, None]); // names that someone gave
    let waiting = ByColor { black: seats().black, white: Seat::Open };
    older.begin("d", &Setup::new(1, waiting, Preset::Casual.rules()), [None, None]);
    let name = Called::Name("Player 2".parse().unwrap());
    older.enter("d", 1, &Entry::new(5, Some(Color::White), Action::Sit { who: PersonId(3), name }));
    let folder = older.close();
    let store = Sqlite::open(folder.path()).unwrap();
    let names = async |game: &str| {
        let stored = store.game(&game.parse().unwrap()).await.unwrap().unwrap();
        stored.setup.seats.map(|seat| match seat {
            Seat::Person { name, .. } => name,
            other => panic!("{other:?}"),
        })
    };
    let given = |name: &str| Called::Name(name.parse().unwrap());
    assert_eq!(names("a").await, ByColor { black: Called::First, white: Called::Second });
    assert_eq!(names("b").await, ByColor { black: Called::Second, white: Called::First });
    assert_eq!(names("c").await, ByColor { black: given("Black"), white: given("Player 3") });
    let sat = store.game(&"d".parse().unwrap()).await.unwrap().unwrap().log.remove(0).entry.action;
    assert_eq!(sat, Action::Sit { who: PersonId(3), name: Called::Second });
    // The summary speaks of them the same way.
    let listed = store.list(PersonId(1), None, 9).await.unwrap();
    let white = |game: &str| {
        let one = listed.iter().find(|one| one.game.as_str() == game).unwrap();
        one.summary.as_ref().unwrap().seats.white.clone()
    };
    assert_eq!(white("d"), Seat::Person { who: PersonId(3), name: Called::Second });
    assert_eq!(white("b"), Seat::Person { who: PersonId(2), name: Called::First });
}

/// The tables of version 3, as that version made them.
const VERSION_3: &str = "
CREATE TABLE person (
    id     INTEGER PRIMARY KEY,
    secret BLOB NOT NULL UNIQUE              -- SHA-256 of the cookie
) STRICT;
CREATE TABLE entry (
    game TEXT NOT NULL,
    seq  INTEGER NOT NULL,
    who  INTEGER,                            -- who sent the command; null is the house
    command TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX entry_command ON entry (game, who, command) WHERE command IS NOT NULL;
CREATE TABLE game (
    id      TEXT NOT NULL PRIMARY KEY,
    begun   INTEGER NOT NULL,                -- all times: milliseconds since 1970
    changed INTEGER NOT NULL,
    setup   TEXT NOT NULL,
    maker   INTEGER NOT NULL,
    command TEXT NOT NULL,                   -- the command that began it
    invite_black BLOB,                       -- SHA-256 of invitations made before they followed from a key
    invite_white BLOB,
    status  TEXT,                            -- how it stands, from here on: waiting, playing, over; null if nobody can say
    seats   TEXT,
    ply     INTEGER,
    turn    TEXT,                            -- black, white
    board   TEXT,
    result  TEXT,                            -- black, white, draw, scrapped
    black_score INTEGER,
    white_score INTEGER,
    verdict TEXT,
    deadline INTEGER,
    UNIQUE (maker, command)
) STRICT, WITHOUT ROWID;
CREATE INDEX game_deadline ON game (deadline, id) WHERE deadline IS NOT NULL;
CREATE INDEX game_running ON game (id) WHERE deadline IS NOT NULL;
CREATE TABLE listing (                       -- whose list a game is in
    who   INTEGER NOT NULL,
    game  TEXT NOT NULL,
    begun INTEGER NOT NULL,
    open  INTEGER NOT NULL,                  -- whether the game is known not to be over
    PRIMARY KEY (who, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX listing_latest ON listing (who, begun, game);
CREATE INDEX listing_open ON listing (who) WHERE open = 1;
CREATE INDEX listing_game ON listing (game);
CREATE TABLE alive (                         -- the last sign of life
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at  INTEGER NOT NULL
) STRICT;
CREATE TABLE settled (                       -- how often the file was written only to know where it stands
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    times INTEGER NOT NULL
) STRICT;
";

#[tokio::test]
async fn version_3_loses_nothing_and_can_keep_documents() {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::open(database(folder.path())).unwrap();
    connection.pragma_update(None, "application_id", i32::from_be_bytes(*b"OUTF")).unwrap();
    connection.pragma_update(None, "user_version", 3).unwrap();
    connection.execute_batch(VERSION_3).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    let mut games = Vec::new();
    for n in 0..40 {
        let (setup, log) = some_game(n, Preset::Tournament.rules());
        let id: GameId = format!("g{n:02}").parse().unwrap();
        let table = Table::new(setup.clone()).unwrap().replay(log.iter()).unwrap();
        let (text, at) = (serde_json::to_string(&setup).unwrap(), setup.at as i64);
        connection
            .execute(
                "INSERT INTO game (id, begun, changed, setup, maker, command, invite_black) VALUES (?1, ?2, ?2, ?3, 1, ?1, ?4)",
                params![id.as_str(), at, text, [7u8; 32]],
            )
            .unwrap();
        summary::write(&connection, &id, &Summary::of(&table)).unwrap();
        for (index, entry) in log.iter().enumerate() {
            let body = serde_json::to_string(entry).unwrap();
            connection
                .execute(
                    "INSERT INTO entry (game, seq, who, command, body) VALUES (?1, ?2, NULL, NULL, ?3)",
                    params![id.as_str(), index as i64 + 1, body],
                )
                .unwrap();
        }
        connection
            .execute("INSERT INTO listing VALUES (1, ?1, ?2, ?3)", params![id.as_str(), at, table.verdict().is_none()])
            .unwrap();
        let log = log.into_iter().map(|entry| StoredEntry { by: None, entry }).collect();
        let invites = ByColor { black: Some([7; 32]), white: None };
        games.push((Stored { game: id, setup, invites, log }, Summary::of(&table)));
    }
    connection.execute("INSERT INTO person VALUES (1, ?1)", [[9u8; 32]]).unwrap();
    connection.execute("INSERT INTO alive VALUES (1, 4711)", []).unwrap();
    drop(connection);

    let store = Sqlite::open(folder.path()).unwrap();
    for (stored, _) in &games {
        assert_eq!(store.game(&stored.game).await, Ok(Some(stored.clone())));
    }
    let listed = store.list(PersonId(1), None, 99).await.unwrap();
    assert_eq!(listed.len(), games.len());
    for Listed { game, summary, .. } in listed {
        let (_, wanted) = games.iter().find(|(stored, _)| stored.game == game).unwrap();
        assert_eq!(summary.as_ref(), Some(wanted));
    }
    assert_eq!(store.holder(&[9; 32]).await, Ok(Some(Holder::Guest(PersonId(1)))));
    assert_eq!(store.last_alive().await, Ok(Some(4711)));
    let key = room::DocumentKey { who: PersonId(1), kind: room::DocumentKind::STUDY, id: "s".parse().unwrap() };
    let (head, body) = ("h".to_owned(), "b".to_owned());
    let document = room::Document { key: key.clone(), revision: 1, changed: 5, due: None, head, body };
    store.write(vec![room::Write::Keep(Box::new(document.clone()))]).await.unwrap();
    drop(store);
    let store = Sqlite::open(folder.path()).unwrap();
    assert_eq!(store.document(&key).await, Ok(Some(document)));
}

#[test]
fn versions_4_and_5_become_the_same_tables_as_a_new_file() {
    let tables = |path: &Path| -> Vec<(String, Option<String>)> {
        let connection = Connection::open(path).unwrap();
        let mut tables = connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").unwrap();
        let tables = tables.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        tables.collect::<rusqlite::Result<_>>().unwrap()
    };
    const SINCE_6: &[&str] = &["passkey", "answered"];
    const SINCE_5: &[&str] = &[
        "account", "recovery", "session", "token", "setting", "audit", "offer", "rating", "rated", "played", "blocked",
    ];
    let new = tempfile::tempdir().unwrap();
    drop(Sqlite::open(new.path()).unwrap());
    for (version, without) in [(4, [SINCE_5, SINCE_6].concat()), (5, SINCE_6.to_vec())] {
        let old = tempfile::tempdir().unwrap();
        drop(Sqlite::open(old.path()).unwrap());
        let connection = Connection::open(database(old.path())).unwrap();
        for name in without {
            connection.execute_batch(&format!("DROP TABLE {name}")).unwrap();
        }
        if version == 5 {
            connection.execute_batch("ALTER TABLE played DROP COLUMN public").unwrap();
            connection.execute("INSERT INTO rated VALUES ('rated', '{}')", []).unwrap();
            for game in ["rated", "casual"] {
                let sql = "INSERT INTO played VALUES (7, ?1, 0, 'black', 'won', 'blitz', 'standard')";
                connection.execute(sql, [game]).unwrap();
            }
            let sql = "INSERT INTO offer VALUES ('an offer', 7, NULL, 0, 0, 0, '{\"id\":\"an offer\"}')";
            connection.execute(sql, []).unwrap();
        }
        connection.pragma_update(None, "user_version", version).unwrap();
        connection.execute("INSERT INTO person VALUES (7, ?1)", [[7u8; 32]]).unwrap();
        drop(connection);
        drop(Sqlite::open(old.path()).unwrap());
        assert_eq!(tables(&database(old.path())), tables(&database(new.path())), "{version}");
        let kept: i64 = Connection::open(database(old.path()))
            .unwrap()
            .query_row("SELECT count(*) FROM person", [], |row| row.get(0))
            .unwrap();
        assert_eq!(kept, 1, "{version}: what was there is there");
        if version == 5 {
            let connection = Connection::open(database(old.path())).unwrap();
            let ask = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
            assert_eq!(ask("SELECT group_concat(game) FROM played WHERE public = 1"), "rated");
            assert_eq!(ask("SELECT json_extract(body, '$.command') FROM offer"), "an offer");
        }
    }
}

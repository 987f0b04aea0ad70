//! The file of the library: [`Library`].

use crate::{
    Catalogue,
    catalogue::Row,
    claim,
    error::{Error, of_io, of_sqlite},
    mark::mark,
    private,
    rest::Rest,
};
use record::{RawGame, Record, Theory};
use rules::{Bitboard, ByColor, Color, Position, Setup, Square};
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior};
use std::{
    collections::HashMap,
    fs::{self, File},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// The name of the file in the data folder.
pub const FILE: &str = "library.sqlite";

/// `OUTL` in the header of the file says that it is ours.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"OUTL");
/// In versions 1 and 2 marks were others.
const VERSION: i32 = 3;
/// How long one process waits for another that is adding games; each addition is short.
const PATIENCE: Duration = Duration::from_secs(20);

const TABLES: &str = "
CREATE TABLE text (                          -- names of players, tournaments, rounds and files
    id   INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO text VALUES (0, '');
CREATE TABLE game (
    number INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice
    mark   BLOB NOT NULL UNIQUE,              -- what tells it from every other game
    moves  BLOB NOT NULL,                     -- the main line, a byte a square: 0 is a1, 63 is h8
    start  BLOB,                              -- black and white discs as two numbers, the turn; null is the usual start
    black  INTEGER NOT NULL,
    white  INTEGER NOT NULL,
    event  INTEGER NOT NULL,
    round  INTEGER NOT NULL,
    source INTEGER NOT NULL,                  -- the file it came from
    date   TEXT,
    year   INTEGER NOT NULL,                  -- 0 if it is not known
    claim  TEXT,                              -- the result as the file had it
    winner INTEGER,                           -- as it counts: 1 Black, 0 nobody, -1 White; null if it is not known
    difference REAL,                          -- Black's result less White's, if it is known
    theory_black   INTEGER,
    theory_empties INTEGER,
    rest   TEXT                               -- JSON: what few games have
) STRICT;
CREATE TABLE state (
    removals INTEGER NOT NULL,                -- how often games were removed
    own INTEGER NOT NULL                      -- whether the games played here join
) STRICT;
INSERT INTO state VALUES (0, 1);
";

/// The library of one data folder. Several processes may have it open at once.
#[derive(Debug)]
pub struct Library {
    pub(crate) path: PathBuf,
    pub(crate) connection: Connection,
    /// The numbers of texts, as far as they were needed; they never change.
    pub(crate) texts: HashMap<String, i64>,
    catalogue: Arc<Catalogue>,
    /// The state of the file that the catalogue was made from.
    seen: Option<Seen>,
    /// This connection itself has changed the file since.
    pub(crate) changed: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Seen {
    /// Changes whenever somebody else writes.
    version: i64,
    removals: i64,
}

/// A file that games came from, and how many of them are here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// What it was called.
    pub name: String,
    /// How many games are here.
    pub games: u32,
}

impl Library {
    /// Opens the library in `folder`; both are made if they are not there.
    ///
    /// # Errors
    ///
    /// [`Error`] if it cannot be used; nothing in it has been changed then.
    pub fn open(folder: &Path) -> Result<Library, Error> {
        if folder.exists() && !folder.is_dir() {
            return Err(Error::NotAFolder(folder.to_owned()));
        }
        private::make_folder(folder).map_err(|error| of_io(error, folder))?;
        let path = folder.join(FILE);
        // An empty file is an empty database: whoever locks it first makes the tables.
        private::open(&path, File::options().create(true).append(true)).map_err(|error| of_io(error, &path))?;
        let mut connection = connect(&path).map_err(|error| of_sqlite(error, &path))?;
        prepare(&mut connection, &path)?;
        let catalogue = Arc::default();
        Ok(Library { path, connection, texts: HashMap::new(), catalogue, seen: None, changed: false })
    }

    /// Opens the library in `folder` if there is one.
    ///
    /// # Errors
    ///
    /// As [`open`](Library::open).
    pub fn open_if_there(folder: &Path) -> Result<Option<Library>, Error> {
        if folder.join(FILE).exists() { Library::open(folder).map(Some) } else { Ok(None) }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes it takes on the disk, with the log beside it.
    pub fn bytes(&self) -> u64 {
        let size = |path: PathBuf| fs::metadata(path).map_or(0, |file| file.len());
        size(self.path.clone()) + size(self.path.with_extension("sqlite-wal"))
    }

    /// All games as a search needs them; read again as far as somebody has changed the file.
    ///
    /// # Errors
    ///
    /// [`Error`] if the file cannot be read.
    pub fn catalogue(&mut self) -> Result<Arc<Catalogue>, Error> {
        self.refresh().map_err(|error| of_sqlite(error, &self.path))?;
        Ok(self.catalogue.clone())
    }

    fn refresh(&mut self) -> rusqlite::Result<()> {
        let version = self.connection.pragma_query_value(None, "data_version", |row| row.get(0))?;
        if !self.changed && self.seen.is_some_and(|seen| seen.version == version) {
            return Ok(());
        }
        // Several questions about one moment; if somebody writes after `version` was read, it is all asked again.
        let transaction = self.connection.transaction()?;
        let removals = transaction.query_row("SELECT removals FROM state", [], |row| row.get(0))?;
        if self.seen.is_none_or(|seen| seen.removals != removals) {
            self.catalogue = Arc::default();
        }
        read(&transaction, Arc::make_mut(&mut self.catalogue))?;
        transaction.finish()?;
        self.seen = Some(Seen { version, removals });
        self.changed = false;
        Ok(())
    }

    /// The whole game with this number, as it was added; `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`Error`] if it cannot be read.
    pub fn game(&self, number: u32) -> Result<Option<Record>, Error> {
        let raw = raw_game(&self.connection, number).map_err(|error| of_sqlite(error, &self.path))?;
        let damaged = |why: String| Error::Damaged { path: self.path.clone(), why };
        let Some(raw) = raw else { return Ok(None) };
        let raw = raw.ok_or_else(|| damaged(format!("game {number}")))?;
        Record::try_from(raw).map(Some).map_err(|error| damaged(format!("game {number}: {}", error.why)))
    }

    /// The files that games came from, by name.
    ///
    /// # Errors
    ///
    /// [`Error`] if the file cannot be read.
    pub fn sources(&self) -> Result<Vec<Source>, Error> {
        let sql = "SELECT text, count(*) FROM game JOIN text ON id = source GROUP BY source ORDER BY text";
        let read = || {
            let mut statement = self.connection.prepare(sql)?;
            let source = |row: &rusqlite::Row<'_>| Ok(Source { name: row.get(0)?, games: row.get(1)? });
            statement.query_map([], source)?.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(|error| of_sqlite(error, &self.path))
    }

    /// Removes the games with these numbers, all or none, and says how many there were.
    ///
    /// # Errors
    ///
    /// [`Error`] if the file cannot be written.
    pub fn remove(&mut self, numbers: &[u32]) -> Result<u64, Error> {
        self.removing(|connection| {
            let mut statement = connection.prepare("DELETE FROM game WHERE number = ?1")?;
            numbers.iter().map(|number| statement.execute([number]).map(|count| count as u64)).sum()
        })
    }

    /// Removes all games that came from a file of this name, and says how many there were.
    ///
    /// # Errors
    ///
    /// [`Error`] if the file cannot be written.
    pub fn remove_source(&mut self, name: &str) -> Result<u64, Error> {
        self.removing(|connection| {
            let sql = "DELETE FROM game WHERE source = (SELECT id FROM text WHERE text = ?1)";
            connection.execute(sql, [name]).map(|count| count as u64)
        })
    }

    /// Whether the games that are played here join the library. They do until somebody says otherwise.
    ///
    /// # Errors
    ///
    /// [`Error`] if the file cannot be read.
    pub fn takes_own(&self) -> Result<bool, Error> {
        let read = self.connection.query_row("SELECT own FROM state", [], |row| row.get(0));
        read.map_err(|error| of_sqlite(error, &self.path))
    }

    /// Says whether the games that are played here join the library.
    ///
    /// # Errors
    ///
    /// [`Error`] if the file cannot be written.
    pub fn take_own(&mut self, own: bool) -> Result<(), Error> {
        let written = self.connection.execute("UPDATE state SET own = ?1", [own]);
        written.map(drop).map_err(|error| of_sqlite(error, &self.path))
    }

    fn removing(&mut self, remove: impl FnOnce(&Connection) -> rusqlite::Result<u64>) -> Result<u64, Error> {
        let path = &self.path;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let removed = transaction.and_then(|transaction| {
            let removed = remove(&transaction)?;
            transaction.execute("UPDATE state SET removals = removals + 1", [])?;
            transaction.commit()?;
            Ok(removed)
        });
        self.changed = true;
        removed.map_err(|error| of_sqlite(error, path))
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

/// Makes the tables of a new file, and refuses one that is not ours.
fn prepare(connection: &mut Connection, path: &Path) -> Result<(), Error> {
    let sqlite = |error| of_sqlite(error, path);
    let number = |connection: &Connection, name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    if number(connection, "application_id").map_err(sqlite)? == 0 {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite)?;
        let tables: u32 =
            transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(sqlite)?;
        // somebody else may have made them since
        if tables == 0 {
            let sql = format!("{TABLES} PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};");
            transaction.execute_batch(&sql).map_err(sqlite)?;
        }
        transaction.commit().map_err(sqlite)?;
    }
    if number(connection, "application_id").map_err(sqlite)? != APPLICATION_ID {
        return Err(Error::Foreign(path.to_owned()));
    }
    match number(connection, "user_version").map_err(sqlite)? {
        VERSION => {}
        newer if newer > VERSION => return Err(Error::Newer(path.to_owned())),
        _ => mark_again(connection).map_err(sqlite)?,
    }
    // A second reader need not wait for a writer.
    connection.pragma_update(None, "journal_mode", "WAL").map_err(sqlite)?;
    connection.pragma_update(None, "synchronous", "FULL").map_err(sqlite)
}

/// Gives all games the marks of this version, so that what is added is compared with them. Damaged games keep theirs.
fn mark_again(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // somebody else may have done it since
    if transaction.pragma_query_value(None, "user_version", |row| row.get::<_, i32>(0))? < VERSION {
        let mut numbers = transaction.prepare("SELECT number, year FROM game")?;
        let numbers = numbers.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut update = transaction.prepare("UPDATE OR IGNORE game SET mark = ?2 WHERE number = ?1")?;
        for entry in numbers {
            let (number, year): (u32, u16) = entry?;
            if let Some(Some(raw)) = raw_game(&transaction, number)?
                && let Ok(record) = Record::try_from(raw)
            {
                update.execute(rusqlite::params![number, mark(&record, year)])?;
            }
        }
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}

/// Appends the games and texts that the catalogue does not have yet.
fn read(connection: &Connection, catalogue: &mut Catalogue) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT id, text FROM text WHERE id >= ?1 ORDER BY id")?;
    let mut rows = statement.query([catalogue.texts().len() as i64])?;
    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        // none is ever deleted: a gap is damage
        if !catalogue.put_text(id, row.get_ref(1)?.as_str()?) {
            return Err(rusqlite::Error::IntegralValueOutOfRange(0, id.into()));
        }
    }
    let sql = "SELECT number, moves, start, black, white, event, round, year, winner, difference
               FROM game WHERE number > ?1 ORDER BY number";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([catalogue.last_number()])?;
    while let Some(row) = rows.next()? {
        // a start that is damaged is told to whoever opens the game
        let start = row.get_ref(2)?.as_blob_or_null()?.and_then(read_start);
        let moves = row.get_ref(1)?.as_blob()?;
        catalogue.put_game(
            start,
            moves,
            Row {
                number: row.get(0)?,
                black: row.get(3)?,
                white: row.get(4)?,
                event: row.get(5)?,
                round: row.get(6)?,
                year: row.get(7)?,
                winner: row.get(8)?,
                difference: row.get(9)?,
                ..Row::default()
            },
        );
    }
    Ok(())
}

/// A start as the file has it; the usual one has none.
pub(crate) fn write_start(start: Position) -> Option<Vec<u8>> {
    if start == Position::start() {
        return None;
    }
    let Setup { black, white, turn } = start.setup();
    Some([&black.0.to_le_bytes()[..], &white.0.to_le_bytes(), &[u8::from(turn == Color::White)]].concat())
}

fn read_start(bytes: &[u8]) -> Option<Position> {
    let (discs, turn) = bytes.split_at_checked(16)?;
    let (black, white) = discs.split_at(8);
    let set = |bytes: &[u8]| bytes.try_into().ok().map(u64::from_le_bytes).map(Bitboard);
    let turn = if turn == [0] { Color::Black } else { Color::White };
    Setup { black: set(black)?, white: set(white)?, turn }.position().ok()
}

/// The game with this number, if it is there; `Some(None)` if it is damaged.
fn raw_game(connection: &Connection, number: u32) -> rusqlite::Result<Option<Option<RawGame>>> {
    let sql = "SELECT moves, start, black.text, white.text, event.text, round.text, date, claim, theory_black,
                      theory_empties, rest
               FROM game
               JOIN text AS black ON black.id = game.black JOIN text AS white ON white.id = game.white
               JOIN text AS event ON event.id = game.event JOIN text AS round ON round.id = game.round
               WHERE number = ?1";
    connection
        .query_row(sql, [number], |row| {
            let mut raw = RawGame::default();
            let start: Option<Vec<u8>> = row.get(1)?;
            if let Some(bytes) = start {
                let Some(start) = read_start(&bytes) else { return Ok(None) };
                raw.start = Some(start.setup());
            }
            for (at, &byte) in row.get_ref(0)?.as_blob()?.iter().enumerate() {
                let Some(&square) = Square::ALL.get(usize::from(byte)) else { return Ok(None) };
                if raw.push(None, Some(square), at).is_err() {
                    return Ok(None);
                }
            }
            if let Some(rest) = row.get_ref(10)?.as_str_or_null()? {
                let Ok(rest) = serde_json::from_str::<Rest>(rest) else { return Ok(None) };
                rest.give(&mut raw);
            }
            let headers = &mut raw.headers;
            headers.players = ByColor { black: row.get(2)?, white: row.get(3)? };
            headers.event = row.get(4)?;
            headers.round = row.get(5)?;
            headers.date = row.get::<_, Option<String>>(6)?.unwrap_or_default();
            headers.claim = row.get_ref(7)?.as_str_or_null()?.and_then(claim::read);
            let theory: (Option<u8>, Option<u8>) = (row.get(8)?, row.get(9)?);
            headers.theory = theory.0.zip(theory.1).map(|(black, empties)| Theory { black, empties });
            Ok(Some(raw))
        })
        .optional()
}

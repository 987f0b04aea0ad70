//! The checked door to a store: nothing is written before it is known to be ours.

use super::upgrade::{VERSION, upgrade, version};
use rusqlite::{Connection, OpenFlags};
use std::{
    fs::{self, File, TryLockError},
    io::{self, Read},
    path::{Path, PathBuf},
    time::Duration,
};

/// `OUTF` in the header of the file says that it is ours.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"OUTF");

const TABLES: &str = "
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

/// Why a store cannot be used. Nothing in it was changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is a file where the folder should be.
    #[error("{} is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// The folder or the file may not be written.
    #[error("no permission to write in {}", .0.display())]
    Permission(PathBuf),
    /// Another server has it open.
    #[error("another Outflank is using {}", .0.display())]
    InUse(PathBuf),
    /// The file belongs to another program.
    #[error("{} belongs to another program", .0.display())]
    Foreign(PathBuf),
    /// The file was written by a later version.
    #[error("{} was written by a newer Outflank", .0.display())]
    Newer(PathBuf),
    /// The file is damaged.
    #[error("{} is damaged: {why}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        why: String,
    },
    /// The disk has no room.
    #[error("the disk is full: {}", .0.display())]
    Full(PathBuf),
    /// Anything else.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The lock that keeps others out, a connection to write with and one to read with.
pub(super) fn open(folder: &Path) -> Result<(File, Connection, Connection), OpenError> {
    if folder.exists() && !folder.is_dir() {
        return Err(OpenError::NotAFolder(folder.to_owned()));
    }
    fs::create_dir_all(folder).map_err(|error| io_error(error, folder))?;
    let lock = lock(folder)?;
    let path = folder.join("outflank.db");
    if path.exists() {
        check(&path)?;
    } else {
        create(&path)?;
    }
    let sqlite = |error| sqlite_error(error, &path);
    let mut writer = connect(&path).map_err(sqlite)?;
    writer.pragma_update(None, "synchronous", "FULL").map_err(sqlite)?;
    // What a killed server left in the log beside the file counts too.
    if version(&writer).map_err(sqlite)? > VERSION {
        return Err(OpenError::Newer(path));
    }
    let health: String = writer.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(sqlite)?;
    if health != "ok" {
        // One sentence, without the heading SQLite puts above it.
        let why = health.lines().find(|line| !line.starts_with("***")).unwrap_or("?").to_owned();
        return Err(OpenError::Damaged { path, why });
    }
    // Writing nothing at all shows whether writing is possible, before anyone plays.
    writer
        .execute_batch("BEGIN IMMEDIATE; INSERT OR REPLACE INTO life SELECT one, at FROM life; COMMIT")
        .map_err(sqlite)?;
    upgrade(&mut writer).map_err(sqlite)?;
    let reader = connect(&path).map_err(sqlite)?;
    reader.pragma_update(None, "query_only", true).map_err(sqlite)?;
    Ok((lock, writer, reader))
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    Ok(connection)
}

fn lock(folder: &Path) -> Result<File, OpenError> {
    let path = folder.join("outflank.lock");
    let file = File::options().create(true).append(true).open(&path).map_err(|error| io_error(error, &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(io_error(error, &path)),
    }
}

/// Reads the header without SQLite, which might already repair or change something.
fn check(path: &Path) -> Result<(), OpenError> {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    let mut header = Vec::new();
    let file = File::open(path).map_err(|error| io_error(error, path))?;
    file.take(100).read_to_end(&mut header).map_err(|error| io_error(error, path))?;
    if !header.starts_with(&MAGIC[..MAGIC.len().min(header.len())]) {
        return Err(OpenError::Foreign(path.to_owned()));
    }
    if header.len() < 100 {
        return Err(OpenError::Damaged { path: path.to_owned(), why: format!("{} B", header.len()) });
    }
    let number = |at: usize| i32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    if number(68) != APPLICATION_ID {
        return Err(OpenError::Foreign(path.to_owned()));
    }
    if number(60) > VERSION {
        return Err(OpenError::Newer(path.to_owned()));
    }
    Ok(())
}

/// Makes a store under another name first: a file with the right name is always whole.
fn create(path: &Path) -> Result<(), OpenError> {
    let new = path.with_extension("new");
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_error(error, &new)),
        _ => {}
    }
    let sqlite = |error| sqlite_error(error, path);
    let connection = Connection::open(&new).map_err(sqlite)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID).map_err(sqlite)?;
    connection.pragma_update(None, "user_version", VERSION).map_err(sqlite)?;
    connection.execute_batch(TABLES).map_err(sqlite)?;
    connection.pragma_update(None, "journal_mode", "WAL").map_err(sqlite)?;
    connection.close().map_err(|(_, error)| sqlite(error))?;
    let full = |error| io_error(error, path);
    File::open(&new).and_then(|file| file.sync_all()).map_err(full)?;
    fs::rename(&new, path).map_err(full)?;
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(full)?;
    }
    Ok(())
}

fn io_error(error: io::Error, path: &Path) -> OpenError {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => OpenError::Permission(path.to_owned()),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => OpenError::Full(path.to_owned()),
        _ => OpenError::Io(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
    }
}

fn sqlite_error(error: rusqlite::Error, path: &Path) -> OpenError {
    use rusqlite::ErrorCode as Code;
    match error.sqlite_error_code() {
        Some(Code::DiskFull) => OpenError::Full(path.to_owned()),
        Some(Code::ReadOnly | Code::CannotOpen | Code::PermissionDenied) => OpenError::Permission(path.to_owned()),
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => OpenError::InUse(path.to_owned()),
        Some(Code::SystemIoFailure) if is_full(path) => OpenError::Full(path.to_owned()),
        Some(Code::SystemIoFailure) => OpenError::Io(io::Error::other(format!("{}: {error}", path.display()))),
        _ => OpenError::Damaged { path: path.to_owned(), why: error.to_string() },
    }
}

/// SQLite does not always say that a disk is full; the disk itself does.
fn is_full(path: &Path) -> bool {
    let probe = path.with_extension("probe");
    let written = fs::write(&probe, [0; 64 * 1024]);
    // It may not have been made at all.
    let _ = fs::remove_file(&probe);
    written.is_err_and(|error| matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded))
}

//! The checked door to a store: nothing is written before it is known to be ours.

use super::{
    key_file, private,
    schema::{ALL, APPLICATION_ID, VERSION},
    upgrade::{upgrade, version},
    write,
};
use crate::OpenError;
use room::Key;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::{
    fs::{self, File, TryLockError},
    io::{self, Read},
    path::Path,
    time::Duration,
};

/// What an open store holds.
#[derive(Debug)]
pub(super) struct Opened {
    /// Keeps others out.
    pub(super) lock: File,
    pub(super) key: Key,
    pub(super) writer: Connection,
    pub(super) readers: Vec<Connection>,
}

/// How many connections there are to read with.
const READERS: usize = 4;

pub(super) fn open(folder: &Path) -> Result<Opened, OpenError> {
    if folder.exists() && !folder.is_dir() {
        return Err(OpenError::NotAFolder(folder.to_owned()));
    }
    private::make_folder(folder).map_err(|error| io_error(error, folder))?;
    let lock = lock(folder)?;
    let path = folder.join("outflank.db");
    if path.exists() {
        check(&path)?;
    } else {
        create(&path)?;
    }
    for name in ["outflank.db", "outflank.db-wal", "outflank.db-shm"] {
        let path = folder.join(name);
        private::restrict(&path).map_err(|error| io_error(error, &path))?;
    }
    let sqlite = |error| sqlite_error(error, &path);
    let mut writer = connect(&path).map_err(sqlite)?;
    // What a killed server left in the log beside the file counts too.
    if version(&writer).map_err(sqlite)? > VERSION {
        return Err(OpenError::Newer(path));
    }
    look(&writer).map_err(sqlite)?;
    prepare(&mut writer).map_err(sqlite)?;
    let reader = || {
        let reader = connect(&path)?;
        reader.pragma_update(None, "query_only", true)?;
        Ok(reader)
    };
    let readers = (0..READERS).map(|_| reader()).collect::<Result<_, _>>().map_err(sqlite)?;
    Ok(Opened { lock, key: key_file::open(folder)?, writer, readers })
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Looks into every table. Damage that does not show there is found by whoever reads the damaged page: a check of the whole file would
/// keep everybody waiting for something that hardly ever is.
fn look(connection: &Connection) -> rusqlite::Result<()> {
    let names: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for name in names {
        connection.prepare(&format!("SELECT * FROM \"{name}\" LIMIT 1"))?.query([])?.next()?;
    }
    Ok(())
}

/// Makes the file ready to be written.
fn prepare(writer: &mut Connection) -> rusqlite::Result<()> {
    writer.pragma_update(None, "synchronous", "FULL")?;
    // What `writer` says of errors holds for this way of keeping a log.
    writer.pragma_update(None, "journal_mode", "WAL")?;
    // What is deleted is gone from the file, not only from its tables.
    writer.pragma_update(None, "secure_delete", true)?;
    upgrade(writer)?;
    // Shows whether writing is possible, before anyone plays.
    let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    write::settle(&transaction)?;
    transaction.commit()?;
    // Into the file itself. An older Outflank reads there that it is too old, even if this one is killed now; what was found in the log
    // beside it is flushed, even if that failed when it was written; and no page of an older version stays in the log.
    writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

fn lock(folder: &Path) -> Result<File, OpenError> {
    let path = folder.join("outflank.lock");
    let file =
        private::open(&path, File::options().create(true).append(true)).map_err(|error| io_error(error, &path))?;
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
    let full = |error| io_error(error, path);
    private::open(&new, File::options().write(true).create_new(true)).map_err(full)?;
    let sqlite = |error| sqlite_error(error, path);
    let connection = Connection::open(&new).map_err(sqlite)?;
    connection
        .execute_batch(&format!(
            "BEGIN; {} PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT",
            ALL.concat()
        ))
        .map_err(sqlite)?;
    connection.pragma_update(None, "journal_mode", "WAL").map_err(sqlite)?;
    connection.close().map_err(|(_, error)| sqlite(error))?;
    private::replace(&new, path).map_err(full)
}

pub(super) fn io_error(error: io::Error, path: &Path) -> OpenError {
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

//! A copy of a database that is in use: [`back_up`].

use crate::{
    error::{of_io, of_sqlite},
    private,
};
use rusqlite::{Connection, OpenFlags};
use std::{fs::File, path::Path, time::Duration};

/// Why a copy could not be made.
pub type BackupError = crate::Error;

/// Copies an SQLite file, ours or the games', as it stands at one moment, even while others write to it. The copy is one whole
/// file, its owner's only; there must be no file at `to` yet.
///
/// # Errors
///
/// [`BackupError`] if the one cannot be read or the other not be written.
pub fn back_up(from: &Path, to: &Path) -> Result<(), BackupError> {
    let connection = open(from).map_err(|error| of_sqlite(error, from))?;
    connection.busy_timeout(Duration::from_secs(20)).map_err(|error| of_sqlite(error, from))?;
    private::open(to, File::options().write(true).create_new(true)).map_err(|error| of_io(error, to))?;
    // Into an empty file that is there SQLite writes as into a new one.
    let target = to.to_string_lossy();
    connection.execute("VACUUM INTO ?1", [&target]).map(drop).map_err(|error| of_sqlite(error, to))
}

/// Whether an SQLite file is whole.
///
/// # Errors
///
/// [`BackupError::Foreign`] or [`BackupError::Damaged`] if it is not.
pub fn check(path: &Path) -> Result<(), BackupError> {
    let said: String = open(path)
        .and_then(|connection| connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)))
        .map_err(|error| of_sqlite(error, path))?;
    if said == "ok" { Ok(()) } else { Err(BackupError::Damaged { path: path.to_owned(), why: said }) }
}

/// Makes a database ready to be replaced by another file: what stands in the log beside it, which would be taken for the new
/// one's, is gone.
///
/// # Errors
///
/// [`BackupError::Busy`] if somebody has it open.
pub fn retire(path: &Path) -> Result<(), BackupError> {
    let alone = open(path).and_then(|connection| {
        connection.busy_timeout(Duration::from_millis(200))?;
        connection.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get::<_, String>(0))
    });
    match alone.map_err(|error| of_sqlite(error, path)) {
        Err(error @ (BackupError::Busy(_) | BackupError::Permission(_))) => return Err(error),
        // it stays in the log while another has it open
        Ok(mode) if mode.eq_ignore_ascii_case("wal") => return Err(BackupError::Busy(path.to_owned())),
        // damage is a reason to bring a copy back
        _ => {}
    }
    for end in ["-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(end);
        match std::fs::remove_file(&beside) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(of_io(error, Path::new(&beside))),
            _ => {}
        }
    }
    Ok(())
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

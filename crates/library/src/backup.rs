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
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(from, flags).map_err(|error| of_sqlite(error, from))?;
    connection.busy_timeout(Duration::from_secs(20)).map_err(|error| of_sqlite(error, from))?;
    private::open(to, File::options().write(true).create_new(true)).map_err(|error| of_io(error, to))?;
    // Into an empty file that is there SQLite writes as into a new one.
    let target = to.to_string_lossy();
    connection.execute("VACUUM INTO ?1", [&target]).map(drop).map_err(|error| of_sqlite(error, to))
}

//! Why the library cannot be used.

use rusqlite::ErrorCode as Code;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why the library cannot be used. Nothing in it was changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is a file where the folder should be.
    #[error("{} is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// The folder or the file may not be written.
    #[error("no permission to write in {}", .0.display())]
    Permission(PathBuf),
    /// Another program has been writing for too long.
    #[error("another Outflank is using {}", .0.display())]
    Busy(PathBuf),
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
        /// What is wrong with it.
        why: String,
    },
    /// The disk has no room.
    #[error("the disk is full: {}", .0.display())]
    Full(PathBuf),
    /// Anything else.
    #[error(transparent)]
    Io(#[from] io::Error),
}

pub(crate) fn of_io(error: io::Error, path: &Path) -> Error {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Error::Permission(path.to_owned()),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::Full(path.to_owned()),
        _ => Error::Io(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
    }
}

pub(crate) fn of_sqlite(error: rusqlite::Error, path: &Path) -> Error {
    match error.sqlite_error_code() {
        Some(Code::DiskFull) => Error::Full(path.to_owned()),
        Some(Code::ReadOnly | Code::CannotOpen | Code::PermissionDenied) => Error::Permission(path.to_owned()),
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => Error::Busy(path.to_owned()),
        Some(Code::NotADatabase) => Error::Foreign(path.to_owned()),
        Some(Code::SystemIoFailure) => Error::Io(io::Error::other(format!("{}: {error}", path.display()))),
        _ => Error::Damaged { path: path.to_owned(), why: error.to_string() },
    }
}

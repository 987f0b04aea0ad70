//! Why a store cannot be used: [`OpenError`].

use std::{io, path::PathBuf};

/// Why a store cannot be used. Nothing in it was changed. A path may be the address of a database, without a password.
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
        /// What the database says.
        why: String,
    },
    /// The disk has no room.
    #[error("the disk is full: {}", .0.display())]
    Full(PathBuf),
    /// The database cannot be reached, or does not let us in.
    #[error("{} cannot be used: {why}", .place.display())]
    Unreachable {
        /// Its address, without a password.
        place: PathBuf,
        /// What it says.
        why: String,
    },
    /// Anything else.
    #[error(transparent)]
    Io(#[from] io::Error),
}

//! The file that holds the key: `outflank.key`, 32 random bytes.

use super::{open::io_error, private};
use crate::OpenError;
use room::Key;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

/// The key in `folder`; a new one if there is none.
pub(super) fn open(folder: &Path) -> Result<Key, OpenError> {
    let path = folder.join("outflank.key");
    let failed = |error| io_error(error, &path);
    private::restrict(&path).map_err(failed)?;
    match fs::read(&path) {
        Ok(bytes) => {
            let length = bytes.len();
            let bytes = bytes.try_into().map_err(|_| OpenError::Damaged { path, why: format!("{length} B") })?;
            Ok(Key(bytes))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => create(&path).map_err(failed),
        Err(error) => Err(failed(error)),
    }
}

/// Puts `key` in the place of the one in `folder`.
pub(super) fn replace(folder: &Path, key: Key) -> Result<(), OpenError> {
    let path = folder.join("outflank.key");
    write(&path, &key.0).map_err(|error| io_error(error, &path))
}

fn create(path: &Path) -> io::Result<Key> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    write(path, &bytes)?;
    Ok(Key(bytes))
}

/// Makes it under another name first: a file with the right name is always whole.
fn write(path: &Path, bytes: &[u8; 32]) -> io::Result<()> {
    let new = path.with_extension("key.new");
    private::open(&new, File::options().write(true).create(true).truncate(true))?.write_all(bytes)?;
    private::replace(&new, path)
}

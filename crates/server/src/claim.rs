//! A server that starts where a game in a terminal has the games open: [`Claim`].
//!
//! It asks the terminal for them, and holds a lock meanwhile, so that no other terminal opens them in between.

use std::{
    fs::{File, TryLockError},
    io,
    path::Path,
};

/// The right to be the next to open the games, until it is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct Claim {
    _lock: File,
}

impl Claim {
    /// `None` if another server was first.
    pub(crate) fn new(folder: &Path) -> io::Result<Option<Claim>> {
        let file = File::options().create(true).append(true).open(folder.join("outflank.next"))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Claim { _lock: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Whether a server is waiting for the games.
    pub(crate) fn is_taken(folder: &Path) -> bool {
        // Where there is no such file, or it cannot be locked, nobody is known to wait.
        let file = File::open(folder.join("outflank.next"));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_waits_and_terminals_see_it() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!Claim::is_taken(folder.path()));
        let claim = Claim::new(folder.path()).unwrap().unwrap();
        assert!(Claim::is_taken(folder.path()));
        assert!(Claim::new(folder.path()).unwrap().is_none());
        drop(claim);
        assert!(!Claim::is_taken(folder.path()));
    }
}

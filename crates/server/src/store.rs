//! Where games are kept: one SQLite file, one thread that writes it.
//!
//! The writer takes everything that waits and commits it in one transaction (`synchronous=FULL`: an answered write survives
//! a power cut), so many games share the cost of one flush. The pair (game, seq) is unique: two writers can cost a retry, never a
//! forked game.

mod open;
mod read;
mod upgrade;
mod write;

pub use open::OpenError;
pub use read::{Lived, Stored, StoredEntry};
pub use write::{Begun, Entered, Write};

use rusqlite::Connection;
use std::{
    fs::File,
    path::Path,
    sync::{Arc, Mutex, mpsc},
    thread,
};
use tokio::sync::oneshot;

/// Why something could not be stored or read.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The key is taken: someone else was first.
    #[error("another entry has that number")]
    Conflict,
    /// The disk has no room.
    #[error("the disk is full")]
    Full,
    /// The writer has stopped.
    #[error("the store is closed")]
    Closed,
    /// Anything else that SQLite says.
    #[error("{0}")]
    Other(Arc<str>),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::ConstraintViolation) => StoreError::Conflict,
            Some(rusqlite::ErrorCode::DiskFull) => StoreError::Full,
            _ => StoreError::Other(error.to_string().into()),
        }
    }
}

/// An open store.
#[derive(Debug)]
pub struct Store {
    jobs: mpsc::SyncSender<Job>,
    reader: Mutex<Connection>,
    writer: Mutex<Option<thread::JoinHandle<()>>>,
    _lock: File,
}

struct Job {
    writes: Vec<Write>,
    done: oneshot::Sender<Result<(), StoreError>>,
}

/// So many writes may wait; then whoever wants another has to wait.
const QUEUE: usize = 1024;

impl Store {
    /// Opens the store in `folder`, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if it cannot be used; nothing in it has been changed then.
    pub fn open(folder: &Path) -> Result<Store, OpenError> {
        let (lock, writer, reader) = open::open(folder)?;
        let (jobs, waiting) = mpsc::sync_channel(QUEUE);
        let writer = thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || write::run(writer, &waiting))
            .map_err(OpenError::Io)?;
        Ok(Store { jobs, reader: Mutex::new(reader), writer: Mutex::new(Some(writer)), _lock: lock })
    }

    /// Commits all of `writes` or none of them; when it returns they are on disk.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; nothing of it was kept.
    pub async fn write(&self, writes: Vec<Write>) -> Result<(), StoreError> {
        let (done, answer) = oneshot::channel();
        let mut job = Job { writes, done };
        loop {
            match self.jobs.try_send(job) {
                Ok(()) => break,
                Err(mpsc::TrySendError::Disconnected(_)) => return Err(StoreError::Closed),
                Err(mpsc::TrySendError::Full(back)) => job = back,
            }
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
        answer.await.unwrap_or(Err(StoreError::Closed))
    }

    fn with_reader<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        // A panic while reading leaves nothing half done.
        let reader = self.reader.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(read(&reader)?)
    }
}

impl Drop for Store {
    /// Waits until everything that was accepted is on disk.
    fn drop(&mut self) {
        let (closed, _) = mpsc::sync_channel(0);
        self.jobs = closed;
        if let Some(writer) = self.writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
            // A writer that panicked has said so on standard error.
            let _ = writer.join();
        }
    }
}

#[cfg(test)]
mod tests;

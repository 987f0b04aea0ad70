//! The one thread that writes, and what it says when the disk makes an error.
//!
//! Everything that waits is committed in one transaction (`synchronous=FULL`: an answered write survives a power cut), so many games
//! share the cost of one flush.
//!
//! # An error is not the end of a transaction
//!
//! A commit appends pages to the log beside the file, the last one marked as the end of the transaction, and then asks the disk to
//! flush them. If the flush fails, SQLite takes the transaction back, but the pages may stand in the log whole, and whoever opens the
//! file after a crash would find a finished transaction there. So the writer *settles*: it commits a small row of its own, which
//! SQLite writes over the first of those pages; what follows them in the log no longer fits and is never read. Only then is the
//! failed job known not to be kept. While settling fails too, nobody can say, and nothing else is written before it succeeds.

use super::write::{self, KeepError};
use crate::{Health, StoreError};
use room::Write;
use rusqlite::{Connection, ErrorCode, TransactionBehavior};
use std::{
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// How many jobs may wait; whoever has another waits until there is room.
const QUEUE: usize = 1024;
/// At most so many jobs in one transaction.
const BATCH: usize = 256;
/// How often settling is tried before the answer is that nobody knows.
const ATTEMPTS: usize = 3;
/// How long the writer waits before it tries to settle again when nobody writes.
const PAUSE: Duration = Duration::from_secs(1);

type Kept = Result<(), StoreError>;

/// What is kept whole or not at all, and who waits for it.
struct Job {
    writes: Vec<Write>,
    done: oneshot::Sender<Kept>,
    /// Its place in the queue.
    _place: OwnedSemaphorePermit,
}

/// The way to the thread that writes. Dropping it waits until everything that was accepted is on disk.
#[derive(Debug)]
pub(super) struct Queue {
    jobs: Option<mpsc::Sender<Job>>,
    places: Arc<Semaphore>,
    health: Arc<Mutex<Health>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Queue {
    pub(super) fn start(connection: Connection) -> std::io::Result<Queue> {
        let (jobs, waiting) = mpsc::channel();
        let health = Arc::new(Mutex::new(Health::default()));
        let mut writer = Writer { disk: connection, unsettled: None };
        let told = health.clone();
        let thread =
            thread::Builder::new().name("store-write".to_owned()).spawn(move || run(&mut writer, &waiting, &told))?;
        Ok(Queue { jobs: Some(jobs), places: Arc::new(Semaphore::new(QUEUE)), health, thread: Some(thread) })
    }

    pub(super) async fn write(&self, writes: Vec<Write>) -> Kept {
        let place = self.places.clone().acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let (done, answer) = oneshot::channel();
        let jobs = self.jobs.as_ref().ok_or(StoreError::Closed)?;
        jobs.send(Job { writes, done, _place: place }).map_err(|_| StoreError::Closed)?;
        answer.await.unwrap_or_else(|_| Err(StoreError::Unknown("the writer stopped".into())))
    }

    pub(super) fn health(&self) -> Health {
        self.health.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A writer that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

fn run(writer: &mut Writer<Connection>, waiting: &mpsc::Receiver<Job>, health: &Mutex<Health>) {
    loop {
        let first = if writer.unsettled.is_some() {
            match waiting.recv_timeout(PAUSE) {
                Ok(job) => Some(job),
                Err(mpsc::RecvTimeoutError::Timeout) => None,
                Err(mpsc::RecvTimeoutError::Disconnected) => return,
            }
        } else {
            match waiting.recv() {
                Ok(job) => Some(job),
                Err(mpsc::RecvError) => return,
            }
        };
        let (writes, waiting): (Vec<_>, Vec<_>) = first
            .into_iter()
            .chain(waiting.try_iter())
            .take(BATCH)
            .map(|job| (job.writes, (job.done, job._place)))
            .unzip();
        let began = Instant::now();
        let results = writer.keep(&writes);
        health.lock().unwrap_or_else(PoisonError::into_inner).note(&results, writer.unsettled.as_ref(), began);
        for ((done, _place), result) in waiting.into_iter().zip(results) {
            // Whoever asked may have gone.
            let _ = done.send(result);
        }
    }
}

/// What can be written to, so that the decisions below can be tested without a broken disk.
trait Disk {
    /// One transaction for all; a job that meets a conflict does not spoil the others.
    fn commit(&mut self, jobs: &[Vec<Write>]) -> Result<Vec<Kept>, CommitError>;

    /// Writes something that nobody asked for.
    fn settle(&mut self) -> Result<(), Arc<str>>;
}

/// Why a transaction failed.
enum CommitError {
    /// The job with this number, from 0, cannot be kept; nothing was.
    Job(usize, StoreError),
    /// It was certainly not finished.
    Before(StoreError),
    /// It failed while it was being finished, and may be whole on disk.
    During(Arc<str>),
}

/// Decides what is answered.
struct Writer<D> {
    disk: D,
    /// Why nobody can say what is on disk.
    unsettled: Option<Arc<str>>,
}

impl<D: Disk> Writer<D> {
    /// One answer for each of `jobs`.
    fn keep(&mut self, jobs: &[Vec<Write>]) -> Vec<Kept> {
        let all = |error: StoreError| jobs.iter().map(|_| Err(error.clone())).collect();
        if self.unsettled.is_some()
            && let Err(why) = self.settle()
        {
            // These were not even tried.
            return all(StoreError::NotKept(why));
        }
        match self.disk.commit(jobs) {
            Ok(results) => results,
            Err(CommitError::Job(number, error)) => {
                let mut results = self.keep(&jobs[..number]);
                results.push(Err(error));
                results.extend(self.keep(&jobs[number + 1..]));
                results
            }
            Err(CommitError::Before(error)) => all(error),
            Err(CommitError::During(why)) => match self.settle() {
                Ok(()) => all(StoreError::NotKept(why)),
                Err(_) => all(StoreError::Unknown(why)),
            },
        }
    }

    fn settle(&mut self) -> Result<(), Arc<str>> {
        let mut tried = self.disk.settle();
        for _ in 1..ATTEMPTS {
            if tried.is_ok() {
                break;
            }
            tried = self.disk.settle();
        }
        self.unsettled = tried.as_ref().err().cloned();
        tried
    }
}

impl Disk for Connection {
    fn commit(&mut self, jobs: &[Vec<Write>]) -> Result<Vec<Kept>, CommitError> {
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let mut transaction = self.transaction_with_behavior(TransactionBehavior::Immediate).map_err(before)?;
        let mut results = Vec::with_capacity(jobs.len());
        for job in jobs {
            let savepoint = transaction.savepoint().map_err(before)?;
            match job.iter().try_for_each(|write| write::keep(&savepoint, write)) {
                Ok(()) => {
                    savepoint.commit().map_err(before)?;
                    results.push(Ok(()));
                }
                Err(KeepError::Conflict) => {
                    savepoint.finish().map_err(before)?; // rolls back
                    results.push(Err(StoreError::Conflict));
                }
                Err(KeepError::Sqlite(error)) => {
                    return Err(match not_kept(&error) {
                        StoreError::Full => CommitError::Before(StoreError::Full),
                        error => CommitError::Job(results.len(), error),
                    });
                }
            }
        }
        match transaction.commit() {
            Ok(()) => Ok(results),
            // Only writing a page is answered so, never flushing: the page that ends the transaction is not there.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull) => Err(before(error)),
            Err(error) => Err(CommitError::During(error.to_string().into())),
        }
    }

    fn settle(&mut self) -> Result<(), Arc<str>> {
        let mut once = || {
            let transaction = self.transaction_with_behavior(TransactionBehavior::Immediate)?;
            write::settle(&transaction)?;
            transaction.commit()
        };
        once().map_err(|error: rusqlite::Error| error.to_string().into())
    }
}

fn before(error: rusqlite::Error) -> CommitError {
    CommitError::Before(not_kept(&error))
}

fn not_kept(error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full,
        _ => StoreError::NotKept(error.to_string().into()),
    }
}

#[cfg(test)]
mod tests;

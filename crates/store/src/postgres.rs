//! Games in a PostgreSQL database that several nodes share: [`Postgres`].
//!
//! ```text
//! write ──► writer    one connection, one transaction for everything that waits
//! game, person, … ──► two connections for what somebody waits for
//! list, running ────► two connections for what may take longer
//! ```
//!
//! A thread of its own looks after the connections. What two nodes write to the same game meets in `(game, seq)`: the database takes
//! one of them, and the other is told that someone else was first.

mod account;
mod document;
mod failed;
mod link;
mod meeting;
mod open;
mod read;
mod schema;
mod summary;
mod tls;
mod write;
mod writer;

use crate::{Health, OpenError, Store, StoreError};
pub(crate) use schema::NEXT_NUMBERS;

use failed::Failed;
use link::{Link, Place, Slot};
use room::{Document, DocumentCounts, DocumentHead, DocumentKey, DocumentKind, Key, Listed, Stored, Write};
use std::{
    fmt, io,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use table::{At, CommandId, DocumentId, GameId, PersonId, Seq};
use tokio::{runtime::Handle, sync::mpsc};
use tokio_postgres::Client;
use writer::{Job, QUEUE, Writer};

/// An open database, which others may have open too.
///
/// Dropping it waits until everything that was accepted is kept.
pub struct Postgres {
    place: PathBuf,
    quick: Readers,
    long: Readers,
    jobs: Option<mpsc::Sender<Job>>,
    health: Arc<Mutex<Health>>,
    key: Key,
    thread: Option<thread::JoinHandle<()>>,
}

impl Postgres {
    /// Opens the database at an address such as `postgres://name:password@host:port/database`. In an empty one, tables are made; what
    /// an older Outflank wrote is brought up to date. Where other tables must be left alone, `?options=-csearch_path%3Dname` names
    /// a schema of its own, which is there already. `?sslmode=` and `?sslrootcert=` say how it is encrypted, and what is checked, as in
    /// PostgreSQL's own programs.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if it cannot be used; nothing in it has been changed then.
    pub fn open(address: &str) -> Result<Postgres, OpenError> {
        Postgres::open_with(address, Servers::Several, schema::STEPS)
    }

    /// As [`Postgres::open`], for a server that hears of no other.
    ///
    /// # Errors
    ///
    /// [`OpenError::InUse`] while another server writes there, and those of [`Postgres::open`].
    pub fn open_for_one_server(address: &str) -> Result<Postgres, OpenError> {
        Postgres::open_with(address, Servers::One, schema::STEPS)
    }

    fn open_with(
        address: &str,
        servers: Servers,
        steps: &'static [(i32, &'static str)],
    ) -> Result<Postgres, OpenError> {
        let config = open::config(address)?;
        let shown = open::shown(&config.0);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let place = Arc::new(Place::new(config, runtime.handle().clone()));
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let id = i64::from_be_bytes(random);
        let name = |what: &str| format!("outflank {what} {id:016x}");
        let readers = |what: &str| Readers::new((0..2).map(|_| Slot::new(place.clone(), name(what))).collect());
        let (quick, long) = (readers("read"), readers("list"));
        let writer = Writer::new(Slot::new(place.clone(), name("write")), id, servers);
        let (jobs, waiting) = mpsc::channel(QUEUE);
        let health = Arc::new(Mutex::new(Health::default()));
        let (opened, opening) = std::sync::mpsc::channel();
        let (told, named) = (health.clone(), shown.clone());
        // Whoever opens it may be on a runtime of their own, where nothing else can be waited for.
        let work = move || async move {
            let mut key = match place.connect("outflank open").await {
                Ok(link) => open::open(&link, named.clone(), steps).await,
                Err(failed) => Err(open::open_error(&failed, named.clone())),
            };
            if servers == Servers::One
                && key.is_ok()
                && let Err(failed) = writer.begin().await
            {
                key = Err(open::open_error(&failed, named));
            }
            let goes_on = key.is_ok();
            if opened.send(key).is_ok() && goes_on {
                writer.run(waiting, told).await;
            }
        };
        let thread =
            thread::Builder::new().name("store-postgres".to_owned()).spawn(move || runtime.block_on(work()))?;
        let key = opening.recv().map_err(io::Error::other)??;
        Ok(Postgres { place: shown, quick, long, jobs: Some(jobs), health, key, thread: Some(thread) })
    }
}

/// How many servers write to a database at the same time, as far as each of them knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Servers {
    One,
    Several,
}

/// A database that no server uses meanwhile, in a transaction.
pub(crate) struct Alone {
    /// As it may be shown.
    pub(crate) place: PathBuf,
    pub(crate) client: Client,
    /// `None` if nothing of ours is there.
    pub(crate) key: Option<Key>,
}

/// Opens what is there; `new` makes it if it is not.
pub(crate) async fn open_alone(address: &str, new: bool) -> Result<Alone, OpenError> {
    let config = open::config(address)?;
    let place = open::shown(&config.0);
    let error = |failed: Failed| open::open_error(&failed, place.clone());
    let link = Place::new(config, Handle::current()).connect("outflank move").await.map_err(error)?;
    let there = open::is_ours(&link).await.map_err(error)?;
    let key = if there || new { Some(open::open(&link, place.clone(), schema::STEPS).await?) } else { None };
    let alone = async {
        link.batch("SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
        link.query_opt(writer::ALONE, &[]).await
    };
    let alone = alone.await.map_err(error)?;
    match Arc::into_inner(link) {
        Some(connected) if alone.is_some_and(|row| row.get(0)) => Ok(Alone { place, client: connected.client, key }),
        _ => Err(OpenError::InUse(place)),
    }
}

/// An address as it may be shown; of one that is none, nothing.
pub(crate) fn shown(address: &str) -> PathBuf {
    open::config(address).map_or_else(|_| "postgres://".into(), |(config, _)| open::shown(&config))
}

/// What a database says of an error.
pub(crate) fn why(error: tokio_postgres::Error) -> String {
    Failed::from(error).why().to_string()
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A writer that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

/// Connections that take questions in turn; each may have several on its way.
struct Readers {
    slots: Vec<Slot>,
    next: AtomicUsize,
}

impl Readers {
    fn new(slots: Vec<Slot>) -> Readers {
        Readers { slots, next: AtomicUsize::new(0) }
    }

    async fn ask<T, F: Future<Output = Result<T, Failed>>>(
        &self,
        question: impl Fn(Link) -> F,
    ) -> Result<T, StoreError> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.slots.len();
        self.slots[turn].ask(question).await.map_err(Failed::not_read)
    }
}

#[async_trait::async_trait]
impl Store for Postgres {
    async fn write(&self, writes: Vec<Write>) -> Result<(), StoreError> {
        let (job, answer) = Job::new(writes);
        let jobs = self.jobs.as_ref().ok_or(StoreError::Closed)?;
        jobs.send(job).await.map_err(|_| StoreError::Closed)?;
        answer.await.unwrap_or_else(|_| Err(StoreError::Unknown("the writer stopped".into())))
    }

    async fn game(&self, game: &GameId) -> Result<Option<Stored>, StoreError> {
        self.quick.ask(|link| read::game(link, game)).await
    }

    async fn begun_by(&self, maker: PersonId, command: &CommandId) -> Result<Option<GameId>, StoreError> {
        self.quick.ask(|link| read::begun_by(link, maker, command)).await
    }

    async fn list(&self, who: PersonId, before: Option<&GameId>, most: usize) -> Result<Vec<Listed>, StoreError> {
        self.long.ask(|link| read::list(link, who, before, most)).await
    }

    async fn open_games(&self, who: PersonId) -> Result<u64, StoreError> {
        self.quick.ask(|link| read::open_games(link, who)).await
    }

    async fn unfinished(&self, who: PersonId) -> Result<Vec<Listed>, StoreError> {
        self.long.ask(|link| read::unfinished(link, who)).await
    }

    async fn lengths(&self, games: &[GameId]) -> Result<Vec<(GameId, Seq)>, StoreError> {
        self.quick.ask(|link| read::lengths(link, games)).await
    }

    async fn due(&self, by: At, most: usize) -> Result<Vec<(At, GameId)>, StoreError> {
        self.quick.ask(|link| read::due(link, by, most)).await
    }

    async fn claim_due(&self, by: At, most: usize, until: At) -> Result<Vec<(At, GameId)>, StoreError> {
        self.quick.ask(|link| read::claim_due(link, by, most, until)).await
    }

    async fn running(&self, after: Option<&GameId>, most: usize) -> Result<Vec<Stored>, StoreError> {
        self.long.ask(|link| read::running(link, after, most)).await
    }

    async fn document(&self, key: &DocumentKey) -> Result<Option<Document>, StoreError> {
        self.quick.ask(|link| document::read(link, key)).await
    }

    async fn documents(
        &self,
        who: PersonId,
        kind: DocumentKind,
        before: Option<&DocumentId>,
        most: usize,
    ) -> Result<Vec<DocumentHead>, StoreError> {
        self.long.ask(|link| document::list(link, who, kind, before, most)).await
    }

    async fn due_documents(
        &self,
        who: PersonId,
        kind: DocumentKind,
        by: At,
        most: usize,
    ) -> Result<Vec<Document>, StoreError> {
        self.long.ask(|link| document::due(link, who, kind, by, most)).await
    }

    async fn count_documents(&self, who: PersonId, kind: DocumentKind, by: At) -> Result<DocumentCounts, StoreError> {
        self.quick.ask(|link| document::count(link, who, kind, by)).await
    }

    async fn last_alive(&self) -> Result<Option<At>, StoreError> {
        self.quick.ask(read::last_alive).await
    }

    async fn clock(&self) -> Result<Option<At>, StoreError> {
        self.quick.ask(read::clock).await.map(Some)
    }

    fn key(&self) -> Key {
        self.key
    }

    fn health(&self) -> Health {
        self.health.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests;

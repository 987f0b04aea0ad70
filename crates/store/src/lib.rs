//! Where games, and what people keep beside them, are kept: [`Store`], and behind it [`Sqlite`] for one server or [`Postgres`] for
//! several.
//!
//! A game is its log; beside it stands how the game is now (`room::Summary`), written with each entry, so that lists and
//! deadlines are read without replaying anything. `tests/suite` holds every implementation to what is promised here.
//!
//! ```
//! use store::{Sqlite, Store};
//! use table::PersonId;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let store = Sqlite::open(folder.path())?;
//! store.write(vec![room::Write::Alive { at: 77 }]).await?;
//! assert_eq!(store.last_alive().await?, Some(77));
//! assert!(store.list(PersonId(1), None, 30).await?.is_empty());
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod accounts;
mod health;
mod meeting;
mod open_error;
mod postgres;
mod sqlite;
mod transfer;
mod words;

pub use accounts::Accounts;
pub use health::Health;
pub use meeting::Meeting;
pub use open_error::OpenError;
pub use postgres::Postgres;
pub use sqlite::Sqlite;
pub use transfer::{MoveError, MoveProgress, StorePlace, move_data};

use room::{Document, DocumentCounts, DocumentHead, DocumentKey, DocumentKind, Key, Listed, Stored, Write};
use std::{fmt, sync::Arc};
use table::{At, CommandId, DocumentId, GameId, PersonId, Seq};

/// Where games are kept. Whatever was written is read by every call that begins after the answer.
#[async_trait::async_trait]
pub trait Store: Accounts + Meeting + fmt::Debug + Send + Sync {
    /// Keeps all of `writes` or none of them; when it returns they are on disk. Whoever stops waiting for the answer does not undo
    /// them.
    ///
    /// # Errors
    ///
    /// After [`StoreError::Unknown`] nobody can say yet whether they are kept; after any other error they are not, for good.
    async fn write(&self, writes: Vec<Write>) -> Result<(), StoreError>;

    /// A whole game; `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unreadable`] for a game that is there and cannot be read.
    async fn game(&self, game: &GameId) -> Result<Option<Stored>, StoreError>;

    /// The game that `maker` began with `command`.
    async fn begun_by(&self, maker: PersonId, command: &CommandId) -> Result<Option<GameId>, StoreError>;

    /// At most `most` games in the list of `who`, latest first, from the one after `before` on. Those that cannot be read are in it,
    /// without a summary.
    async fn list(&self, who: PersonId, before: Option<&GameId>, most: usize) -> Result<Vec<Listed>, StoreError>;

    /// How many games in the list of `who` are not over.
    async fn open_games(&self, who: PersonId) -> Result<u64, StoreError>;

    /// Those games, the latest first.
    async fn unfinished(&self, who: PersonId) -> Result<Vec<Listed>, StoreError>;

    /// How many entries each of these games has; of one that is not there, nothing.
    async fn lengths(&self, games: &[GameId]) -> Result<Vec<(GameId, Seq)>, StoreError>;

    /// At most `most` games whose deadline is not after `by`, the earliest first.
    async fn due(&self, by: At, most: usize) -> Result<Vec<(At, GameId)>, StoreError>;

    /// At most `most` games whose deadline is not after `by`, the earliest first, each for one caller only: until the time `until` nobody
    /// else is handed it, unless its deadline has changed.
    async fn claim_due(&self, by: At, most: usize, until: At) -> Result<Vec<(At, GameId)>, StoreError>;

    /// At most `most` games that have a deadline, whole, in the order of their ids, from the one after `after` on. Those that cannot
    /// be read are left out.
    async fn running(&self, after: Option<&GameId>, most: usize) -> Result<Vec<Stored>, StoreError>;

    /// Something a person keeps, whole; `None` if they have no such thing.
    async fn document(&self, key: &DocumentKey) -> Result<Option<Document>, StoreError>;

    /// At most `most` documents of `who`, the latest changed first, from the one after `before` on.
    async fn documents(
        &self,
        who: PersonId,
        kind: DocumentKind,
        before: Option<&DocumentId>,
        most: usize,
    ) -> Result<Vec<DocumentHead>, StoreError>;

    /// At most `most` documents of `who` that are to be looked at again by `by`, whole, the earliest first.
    async fn due_documents(
        &self,
        who: PersonId,
        kind: DocumentKind,
        by: At,
        most: usize,
    ) -> Result<Vec<Document>, StoreError>;

    /// How many documents `who` has, and how many of them are to be looked at again by `by`.
    async fn count_documents(&self, who: PersonId, kind: DocumentKind, by: At) -> Result<DocumentCounts, StoreError>;

    /// The last sign of life, if there ever was one.
    async fn last_alive(&self) -> Result<Option<At>, StoreError>;

    /// What time it is by the clock of the store, if that has one of its own, as a database for several nodes has: they all go by it.
    async fn clock(&self) -> Result<Option<At>, StoreError>;

    /// The key from which invitations follow. It stays the same as long as the store lives.
    fn key(&self) -> Key;

    /// How the store is.
    fn health(&self) -> Health;
}

/// Why something could not be kept or read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// Not kept: someone else was first, or what it belongs to is gone.
    #[error("someone else was first")]
    Conflict,
    /// Not kept: the disk has no room.
    #[error("the disk is full")]
    Full,
    /// Not kept, now or after a restart: the disk made an error, the file is damaged there, or the database could not be reached.
    #[error("nothing was kept: {0}")]
    NotKept(Arc<str>),
    /// Perhaps kept: the disk made an error, or the database was lost, and could not be asked again. It may be there to be read after
    /// a restart, or once the database is back. When a later write succeeds, it is decided: what is not there then never will be.
    #[error("it is not known whether it was kept: {0}")]
    Unknown(Arc<str>),
    /// The game is there but cannot be read: a later version wrote it, or it is damaged.
    #[error("the game cannot be read")]
    Unreadable,
    /// Reading failed.
    #[error("reading failed: {0}")]
    NotRead(Arc<str>),
    /// The store has stopped; nothing was kept.
    #[error("the store is closed")]
    Closed,
}

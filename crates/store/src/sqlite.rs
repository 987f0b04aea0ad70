//! Games in one SQLite file: [`Sqlite`].
//!
//! ```text
//! write ──► writer    one thread, one transaction for everything that waits
//! game, person, … ──► two readers for what somebody waits for
//! list, running ────► two readers for what may take longer
//! ```

mod account;
mod claims;
mod document;
mod key_file;
mod meeting;
mod open;
mod private;
mod read;
mod readers;
mod schema;
mod summary;
mod upgrade;
mod write;
mod writer;

use crate::{Health, OpenError, Store, StoreError};
use claims::Claims;
use readers::Readers;
use room::{Document, DocumentCounts, DocumentHead, DocumentKey, DocumentKind, Key, Listed, Stored, Write};
use std::{fs::File, path::Path};
use table::{At, CommandId, DocumentId, GameId, PersonId, Seq};
use writer::Queue;

/// An open file of games, in a folder that nobody else uses meanwhile.
///
/// Dropping it waits until everything that was accepted is on disk.
#[derive(Debug)]
pub struct Sqlite {
    // Closed in this order: the writer's connection is the last, and tidies the file up.
    quick: Readers,
    long: Readers,
    writer: Queue,
    claims: Claims,
    key: Key,
    _lock: File,
}

impl Sqlite {
    /// Opens the store in `folder`, which is made if it is not there. What an older Outflank wrote is brought up to date.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if it cannot be used; nothing in it has been changed then.
    pub fn open(folder: &Path) -> Result<Sqlite, OpenError> {
        let mut opened = open::open(folder)?;
        let long = opened.readers.split_off(opened.readers.len() / 2);
        Ok(Sqlite {
            quick: Readers::start("store-read", opened.readers)?,
            long: Readers::start("store-list", long)?,
            writer: Queue::start(opened.writer)?,
            claims: Claims::default(),
            key: opened.key,
            _lock: opened.lock,
        })
    }
}

/// Opens a file that nobody uses meanwhile: a connection, the key, and what keeps others out.
pub(crate) fn open_alone(folder: &Path) -> Result<(rusqlite::Connection, Key, File), OpenError> {
    let opened = open::open(folder)?;
    Ok((opened.writer, opened.key, opened.lock))
}

/// What makes the tables of a new file.
pub(crate) fn all_tables() -> String {
    schema::ALL.concat()
}

/// Puts another key in the place of the one in `folder`.
pub(crate) fn replace_key(folder: &Path, key: Key) -> Result<(), OpenError> {
    key_file::replace(folder, key)
}

#[async_trait::async_trait]
impl Store for Sqlite {
    async fn write(&self, writes: Vec<Write>) -> Result<(), StoreError> {
        self.writer.write(writes).await
    }

    async fn game(&self, game: &GameId) -> Result<Option<Stored>, StoreError> {
        let game = game.clone();
        self.quick.ask(move |connection| read::game(connection, &game)).await
    }

    async fn begun_by(&self, maker: PersonId, command: &CommandId) -> Result<Option<GameId>, StoreError> {
        let command = command.clone();
        self.quick.ask(move |connection| read::begun_by(connection, maker, &command)).await
    }

    async fn list(&self, who: PersonId, before: Option<&GameId>, most: usize) -> Result<Vec<Listed>, StoreError> {
        let before = before.cloned();
        self.long.ask(move |connection| read::list(connection, who, before.as_ref(), most)).await
    }

    async fn open_games(&self, who: PersonId) -> Result<u64, StoreError> {
        self.quick.ask(move |connection| read::open_games(connection, who)).await
    }

    async fn unfinished(&self, who: PersonId) -> Result<Vec<Listed>, StoreError> {
        self.long.ask(move |connection| read::unfinished(connection, who)).await
    }

    async fn lengths(&self, games: &[GameId]) -> Result<Vec<(GameId, Seq)>, StoreError> {
        let games = games.to_vec();
        self.quick.ask(move |connection| read::lengths(connection, &games)).await
    }

    async fn due(&self, by: At, most: usize) -> Result<Vec<(At, GameId)>, StoreError> {
        self.quick.ask(move |connection| read::due(connection, by, most)).await
    }

    async fn claim_due(&self, by: At, most: usize, until: At) -> Result<Vec<(At, GameId)>, StoreError> {
        // Nobody else has the file: what is claimed need not stand in it.
        let due = self.due(by, self.claims.with_room(most, by)).await?;
        Ok(self.claims.claim(due, most, by, until))
    }

    async fn running(&self, after: Option<&GameId>, most: usize) -> Result<Vec<Stored>, StoreError> {
        let after = after.cloned();
        self.long.ask(move |connection| read::running(connection, after.as_ref(), most)).await
    }

    async fn document(&self, key: &DocumentKey) -> Result<Option<Document>, StoreError> {
        let key = key.clone();
        self.quick.ask(move |connection| document::read(connection, &key)).await
    }

    async fn documents(
        &self,
        who: PersonId,
        kind: DocumentKind,
        before: Option<&DocumentId>,
        most: usize,
    ) -> Result<Vec<DocumentHead>, StoreError> {
        let before = before.cloned();
        self.long.ask(move |connection| document::list(connection, who, kind, before.as_ref(), most)).await
    }

    async fn due_documents(
        &self,
        who: PersonId,
        kind: DocumentKind,
        by: At,
        most: usize,
    ) -> Result<Vec<Document>, StoreError> {
        self.long.ask(move |connection| document::due(connection, who, kind, by, most)).await
    }

    async fn count_documents(&self, who: PersonId, kind: DocumentKind, by: At) -> Result<DocumentCounts, StoreError> {
        self.quick.ask(move |connection| document::count(connection, who, kind, by)).await
    }

    async fn last_alive(&self) -> Result<Option<At>, StoreError> {
        self.quick.ask(read::last_alive).await
    }

    async fn clock(&self) -> Result<Option<At>, StoreError> {
        Ok(None)
    }

    fn key(&self) -> Key {
        self.key
    }

    fn health(&self) -> Health {
        self.writer.health()
    }
}

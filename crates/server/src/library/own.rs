//! The owner's own games, which join the library when they end.

use super::Shelf;
use crate::{House, people::OWNER, record_of_table, refusal::Refused};
use record::Record;
use room::{Document, DocumentKey, DocumentKind, Room, Write};
use std::sync::Arc;
use store::StoreError;
use table::{At, GameId, Seat, Status, Table};

/// What the program itself is called among the files that games come from.
const SOURCE: &str = "Outflank";

/// How many games of a list at once.
const BATCH: usize = 100;

/// What says that the games from before there was a library have joined it: those that were removed since do not come back.
fn joined() -> Option<DocumentKey> {
    Some(DocumentKey { who: OWNER, kind: DocumentKind("library"), id: "joined".parse().ok()? })
}

/// The record of a game that the library takes: the owner's, and over.
fn finished(table: &Table, begun: At) -> Option<Record> {
    let owners = table.seats().iter().any(|seat| matches!(seat, Seat::Person { who, .. } if *who == OWNER));
    let over = table.verdict().is_some_and(|verdict| verdict.ending.has_result());
    if owners && over && !table.moves().is_empty() { record_of_table(table, begun).ok() } else { None }
}

impl House {
    /// A game has changed: if it is the owner's and over, it joins the library, unless they do not want that.
    pub(crate) fn note_end(self: &Arc<House>, table: &Table, begun: At) {
        if let Some(record) = finished(table, begun) {
            let shelf = self.library.clone();
            tokio::task::spawn_blocking(move || shelf.join(&[record]));
        }
    }

    /// The owner's games that ended before there was a library join it, once.
    pub(crate) async fn collect_finished_games(self: Arc<House>) {
        if let Err(error) = self.collect().await {
            // It is tried again when the server next starts.
            tracing::warn!(error = error.text, "the games played before did not join the library");
        }
    }

    async fn collect(&self) -> Result<(), Refused> {
        let Some(key) = joined() else { return Ok(()) };
        if self.store.document(&key).await?.is_some() {
            return Ok(());
        }
        let mut before: Option<GameId> = None;
        loop {
            let listed = self.store.list(OWNER, before.as_ref(), BATCH).await?;
            let Some(last) = listed.last() else { break };
            before = Some(last.game.clone());
            let mut records = Vec::new();
            for one in &listed {
                let over = one.summary.as_ref().is_some_and(|summary| summary.status == Status::Over);
                // One that cannot be read is shown as such in the list of games.
                let stored = if over { self.store.game(&one.game).await.ok().flatten() } else { None };
                let room = stored.and_then(|stored| Room::load(self.store.key(), stored).ok());
                records.extend(room.and_then(|room| finished(room.table(), room.begun())));
            }
            if !records.is_empty() {
                self.off_thread(move |shelf| {
                    shelf.join(&records);
                    Ok(())
                })
                .await?;
            }
        }
        let now = self.time.now();
        let mark = Document { key, revision: 1, changed: now, due: None, head: String::new(), body: String::new() };
        match self.keep(vec![Write::Keep(Box::new(mark))]).await {
            Ok(()) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl Shelf {
    /// Takes games played here, unless the owner does not want that. Those that are there already are there once.
    fn join(&self, records: &[Record]) {
        let taken = self.with(
            true,
            |library| {
                if library.takes_own()? { library.add(records, SOURCE).map(drop) } else { Ok(()) }
            },
        );
        if let Err(error) = taken {
            tracing::warn!(%error, "a game did not join the library");
        }
    }
}

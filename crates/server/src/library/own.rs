//! The owner's own games, which join the library when they end.

use crate::{House, people::OWNER, record_of_table};
use std::sync::Arc;
use table::{At, Ending, Seat, Table};

/// What the program itself is called among the files that games come from.
const SOURCE: &str = "Outflank";

impl House {
    /// A game has changed: if it is the owner's and over, it joins the library, unless they do not want that.
    pub(crate) fn note_end(self: &Arc<House>, table: &Table, begun: At) {
        let owners = table.seats().iter().any(|seat| matches!(seat, Seat::Person { who, .. } if *who == OWNER));
        let over = table.verdict().is_some_and(|verdict| verdict.ending != Ending::Scrapped);
        if !owners || !over || table.moves().is_empty() {
            return;
        }
        let Ok(record) = record_of_table(table, begun) else { return };
        let shelf = self.library.clone();
        tokio::task::spawn_blocking(move || {
            let joined =
                shelf.with(
                    true,
                    |library| {
                        if library.takes_own()? { library.add(&[record], SOURCE).map(drop) } else { Ok(()) }
                    },
                );
            if let Err(error) = joined {
                tracing::warn!(%error, "a game did not join the library");
            }
        });
    }
}

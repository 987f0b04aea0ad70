//! What an older Outflank wrote, brought up to date when it is opened.

use rusqlite::{Connection, TransactionBehavior};

/// The version of the tables, and of what stands in them.
pub(super) const VERSION: i32 = 2;

/// Version 1 kept the words "Player 1" or "You" in the language of whoever began a game, where nobody had given a name. Version 2
/// keeps 1 or 2 there, for everyone to read in their own.
const NOBODY: [(&str, u8); 6] =
    [("Player 1", 1), ("Jugador 1", 1), ("You", 1), ("Tú", 1), ("Player 2", 2), ("Jugador 2", 2)];

/// The version of what is there.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// All or nothing: a store is of one version.
pub(super) fn upgrade(connection: &mut Connection) -> rusqlite::Result<()> {
    if version(connection)? >= VERSION {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (name, number) in NOBODY {
        for place in ["$.seats.black.name", "$.seats.white.name"] {
            transaction.execute(
                "UPDATE game SET setup = json_set(setup, ?1, ?2) WHERE json_valid(setup) AND json_extract(setup, ?1) = ?3",
                (place, number, name),
            )?;
        }
        transaction.execute(
            "UPDATE entry SET body = json_set(body, '$.sit.name', ?1)
             WHERE json_valid(body) AND json_extract(body, '$.sit.name') = ?2",
            (number, name),
        )?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    // Into the file itself: an older Outflank reads there that it is too old, even if this one is killed now.
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

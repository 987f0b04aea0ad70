//! What an older Outflank wrote, brought up to date when it is opened.

use super::{
    read,
    schema::{ACCOUNT_TABLES, DOCUMENT_TABLE, GAME_TABLES, MEETING_TABLES, SINCE_VERSION_6, VERSION},
    summary,
};
use room::{StoredEntry, Summary};
use rusqlite::{Connection, TransactionBehavior, params};
use sha2::{Digest, Sha256};
use table::{GameId, Setup, Table};

/// The version of what is there.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// All or nothing: a store is of one version.
pub(super) fn upgrade(connection: &mut Connection) -> rusqlite::Result<()> {
    let from = version(connection)?;
    if from >= VERSION {
        return Ok(());
    }
    if from < 3 {
        // Invitations stood in the file as they are. Those of deleted games may still be on pages without use: this leaves no such page.
        // What follows deletes the others (`secure_delete`).
        connection.execute_batch("VACUUM")?;
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if from < 2 {
        names(&transaction)?;
    }
    if from < 3 {
        summaries(&transaction)?;
    }
    if from < 4 {
        // Version 3 had nothing but games.
        transaction.execute_batch(DOCUMENT_TABLE)?;
    }
    if from < 5 {
        // Version 4 knew people by their cookies alone.
        transaction.execute_batch(ACCOUNT_TABLES)?;
        transaction.execute_batch(MEETING_TABLES)?;
    }
    // Version 5 knew no passkeys, and every finished game of two people was in everyone's list.
    transaction.execute_batch(SINCE_VERSION_6)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// Version 1 kept the words "Player 1" or "You" in the language of whoever began a game, where nobody had given a name. Version 2
/// keeps 1 or 2 there, for everyone to read in their own.
const NOBODY: [(&str, u8); 6] =
    [("Player 1", 1), ("Jugador 1", 1), ("You", 1), ("Tú", 1), ("Player 2", 2), ("Jugador 2", 2)];

fn names(connection: &Connection) -> rusqlite::Result<()> {
    for (name, number) in NOBODY {
        for place in ["$.seats.black.name", "$.seats.white.name"] {
            connection.execute(
                "UPDATE game SET setup = json_set(setup, ?1, ?2) WHERE json_valid(setup) AND json_extract(setup, ?1) = ?3",
                (place, number, name),
            )?;
        }
        connection.execute(
            "UPDATE entry SET body = json_set(body, '$.sit.name', ?1)
             WHERE json_valid(body) AND json_extract(body, '$.sit.name') = ?2",
            (number, name),
        )?;
    }
    Ok(())
}

/// Version 2 kept of a game only its log and whether it was over, and invitations as they are. Version 3 keeps how each game stands, and
/// of invitations what is needed to know them again.
fn summaries(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "DROP INDEX game_open;
         DROP INDEX entry_cmd;
         ALTER TABLE entry RENAME COLUMN cmd TO command;
         ALTER TABLE game RENAME TO game_2;",
    )?;
    connection.execute_batch(GAME_TABLES)?;
    copy_games(connection)?;
    connection.execute_batch(
        "INSERT INTO listing (who, game, begun, open)
         SELECT mine.who, game.id, game.begun, coalesce(game.status <> 'over', 0) FROM mine JOIN game ON game.id = mine.game;
         INSERT INTO alive SELECT one, at FROM life;
         DROP TABLE game_2;
         DROP TABLE mine;
         DROP TABLE life;",
    )
}

fn copy_games(connection: &Connection) -> rusqlite::Result<()> {
    let mut games = connection
        .prepare("SELECT id, begun, changed, setup, maker, cmd, invite_black, invite_white FROM game_2 ORDER BY id")?;
    let mut games = games.query([])?;
    while let Some(row) = games.next()? {
        let (id, setup): (String, String) = (row.get(0)?, row.get(3)?);
        let hash = |column: usize| -> rusqlite::Result<Option<[u8; 32]>> {
            let invitation: Option<String> = row.get(column)?;
            Ok(invitation.map(|invitation| Sha256::digest(invitation.as_bytes()).into()))
        };
        connection
            .prepare_cached(
                "INSERT INTO game (id, begun, changed, setup, maker, command, invite_black, invite_white)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                id,
                row.get::<_, i64>(1)?,
                row.get::<_, i64>(2)?,
                setup,
                row.get::<_, i64>(4)?,
                row.get::<_, String>(5)?,
                hash(6)?,
                hash(7)?,
            ])?;
        if let Some((game, summary)) = replayed(connection, id, &setup)? {
            summary::write(connection, &game, &summary)?;
        }
    }
    Ok(())
}

/// How a game stands; `None` for one that does not follow from its log. That one is kept as it is.
fn replayed(connection: &Connection, id: String, setup: &str) -> rusqlite::Result<Option<(GameId, Summary)>> {
    let log: rusqlite::Result<Vec<StoredEntry>> = connection
        .prepare_cached("SELECT who, command, body FROM entry WHERE game = ?1 ORDER BY seq")?
        .query_map([&id], read::entry)?
        .collect();
    let log = match log {
        Ok(log) => log,
        // A field that is not what it should be.
        Err(error) if error.sqlite_error_code().is_none() => return Ok(None),
        Err(error) => return Err(error),
    };
    let replay = || {
        let setup: Setup = serde_json::from_str(setup).ok()?;
        let table = Table::new(setup).ok()?.replay(log.iter().map(|kept| &kept.entry)).ok()?;
        Some((GameId::try_from(id).ok()?, Summary::of(&table)))
    };
    Ok(replay())
}

#[cfg(test)]
mod tests;

//! What can be asked of the database. Each question is one statement, so that it is answered from one moment.

use super::{
    failed::Failed,
    link::Link,
    summary::{self, columns, id, parsed},
};
use crate::words::column;
use room::{Listed, Stored, StoredEntry};
use rules::ByColor;
use table::{At, CommandId, GameId, PersonId, Seq};
use tokio_postgres::Row;

/// What [`games`] takes, in its order: what was agreed stands in the first row of a game only.
macro_rules! whole {
    () => {
        "g.id, CASE WHEN coalesce(e.seq, 1) = 1 THEN g.setup END, g.invite_black, g.invite_white, e.who, e.command, e.body"
    };
}

const GAME: &str =
    concat!("SELECT ", whole!(), " FROM game g LEFT JOIN entry e ON e.game = g.id WHERE g.id = $1 ORDER BY e.seq");
const RUNNING: &str = concat!(
    "SELECT ",
    whole!(),
    " FROM (SELECT * FROM game WHERE deadline IS NOT NULL AND id > $1 ORDER BY id LIMIT $2) g
      LEFT JOIN entry e ON e.game = g.id ORDER BY g.id, e.seq"
);
const BEGUN_BY: &str = "SELECT id FROM game WHERE maker = $1 AND command = $2";
// Ordered by (begun, game), so that reading on never skips or repeats one.
const LIST: &str = concat!(
    "SELECT l.game, l.begun, ",
    columns!(),
    " FROM listing l JOIN game g ON g.id = l.game
      WHERE l.who = $1 AND (l.begun, l.game) < (
          coalesce((SELECT begun FROM game WHERE id = $2), 9223372036854775807),
          CASE WHEN EXISTS (SELECT 1 FROM game WHERE id = $2) THEN $2 ELSE '' END)
      ORDER BY l.begun DESC, l.game DESC LIMIT $3"
);
const UNFINISHED: &str = concat!(
    "SELECT l.game, l.begun, ",
    columns!(),
    " FROM listing l JOIN game g ON g.id = l.game
      WHERE l.who = $1 AND l.open = 1 ORDER BY l.begun DESC, l.game DESC"
);
const OPEN_GAMES: &str = "SELECT count(*) FROM listing WHERE who = $1 AND open = 1";
const LENGTHS: &str = "SELECT id, coalesce((SELECT max(seq) FROM entry WHERE game = game.id), 0)
                       FROM game WHERE id = ANY ($1)";
const DUE: &str = "SELECT deadline, id FROM game WHERE deadline <= $1 ORDER BY deadline, id LIMIT $2";
// Whoever is at one of them already, or writes to it, has it: nobody waits.
const CLAIM: &str = "
WITH due AS (
    SELECT id FROM game WHERE deadline <= $1 AND (claimed IS NULL OR claimed <= $1)
    ORDER BY deadline, id LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE game SET claimed = $3 FROM due WHERE game.id = due.id RETURNING game.deadline, game.id";
const ALIVE: &str = "SELECT at FROM alive WHERE one = 1";

/// Not the time at which a transaction began, which is what the shorter names give.
const CLOCK: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

pub(super) async fn game(link: Link, game: &GameId) -> Result<Option<Stored>, Failed> {
    let rows = link.query(GAME, &[&game.as_str()]).await?;
    games(&rows).pop().transpose()
}

/// The games that stand in `rows`, each whole or unreadable.
fn games(rows: &[Row]) -> Vec<Result<Stored, Failed>> {
    rows.chunk_by(|a, b| a.get::<_, &str>(0) == b.get::<_, &str>(0)).map(stored).collect()
}

fn stored(rows: &[Row]) -> Result<Stored, Failed> {
    let first = &rows[0];
    let hash = |column: usize| -> Result<Option<[u8; 32]>, Failed> {
        let bytes: Option<&[u8]> = first.try_get(column)?;
        bytes.map(|bytes| bytes.try_into().map_err(|_| Failed::Unreadable)).transpose()
    };
    let entries = rows.iter().filter(|row| !matches!(row.try_get::<_, Option<&str>>(6), Ok(None)));
    Ok(Stored {
        game: id(first, 0)?,
        setup: parsed(first, 1)?,
        invites: ByColor { black: hash(2)?, white: hash(3)? },
        log: entries.map(entry).collect::<Result<_, Failed>>()?,
    })
}

fn entry(row: &Row) -> Result<StoredEntry, Failed> {
    let by = match (row.try_get::<_, Option<i64>>(4)?, row.try_get::<_, Option<&str>>(5)?) {
        (Some(who), Some(_)) => Some((PersonId(who), id(row, 5)?)),
        _ => None,
    };
    Ok(StoredEntry { by, entry: parsed(row, 6)? })
}

pub(super) async fn begun_by(link: Link, maker: PersonId, command: &CommandId) -> Result<Option<GameId>, Failed> {
    let row = link.query_opt(BEGUN_BY, &[&maker.0, &command.as_str()]).await?;
    row.map(|row| id(&row, 0)).transpose()
}

pub(super) async fn list(
    link: Link,
    who: PersonId,
    before: Option<&GameId>,
    most: usize,
) -> Result<Vec<Listed>, Failed> {
    // No game has an empty id.
    let before = before.map_or("", GameId::as_str);
    let rows = link.query(LIST, &[&who.0, &before, &column(most as u64)]).await?;
    rows.iter().map(listed).collect()
}

fn listed(row: &Row) -> Result<Listed, Failed> {
    let begun = row.try_get::<_, i64>(1)? as At;
    Ok(Listed { game: id(row, 0)?, begun, summary: summary::read(row, 2) })
}

pub(super) async fn unfinished(link: Link, who: PersonId) -> Result<Vec<Listed>, Failed> {
    let rows = link.query(UNFINISHED, &[&who.0]).await?;
    rows.iter().map(listed).collect()
}

pub(super) async fn open_games(link: Link, who: PersonId) -> Result<u64, Failed> {
    let rows = link.query(OPEN_GAMES, &[&who.0]).await?;
    Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0)) as u64)
}

pub(super) async fn lengths(link: Link, games: &[GameId]) -> Result<Vec<(GameId, Seq)>, Failed> {
    let games: Vec<&str> = games.iter().map(GameId::as_str).collect();
    let rows = link.query(LENGTHS, &[&games]).await?;
    rows.iter().map(|row| Ok((id(row, 0)?, Seq(row.try_get::<_, i64>(1)? as u64)))).collect()
}

pub(super) async fn due(link: Link, by: At, most: usize) -> Result<Vec<(At, GameId)>, Failed> {
    deadlines(&link.query(DUE, &[&column(by), &column(most as u64)]).await?)
}

pub(super) async fn claim_due(link: Link, by: At, most: usize, until: At) -> Result<Vec<(At, GameId)>, Failed> {
    let mut claimed = deadlines(&link.query(CLAIM, &[&column(by), &column(most as u64), &column(until)]).await?)?;
    claimed.sort();
    Ok(claimed)
}

fn deadlines(rows: &[Row]) -> Result<Vec<(At, GameId)>, Failed> {
    rows.iter().map(|row| Ok((row.try_get::<_, i64>(0)? as At, id(row, 1)?))).collect()
}

pub(super) async fn running(link: Link, after: Option<&GameId>, most: usize) -> Result<Vec<Stored>, Failed> {
    let mut found = Vec::new();
    let mut last = after.map_or(String::new(), GameId::to_string);
    // Reads on past games that cannot be read: fewer than `most` means that there are no more.
    while found.len() < most {
        let rows = link.query(RUNNING, &[&last, &column((most - found.len()) as u64)]).await?;
        let Some(row) = rows.last() else { break };
        last = row.get(0);
        for game in games(&rows) {
            match game {
                Err(Failed::Unreadable) => {}
                game => found.push(game?),
            }
        }
    }
    Ok(found)
}

pub(super) async fn last_alive(link: Link) -> Result<Option<At>, Failed> {
    let row = link.query_opt(ALIVE, &[]).await?;
    Ok(row.map(|row| row.get::<_, i64>(0) as At))
}

pub(super) async fn clock(link: Link) -> Result<At, Failed> {
    let row = link.query_opt(CLOCK, &[]).await?;
    Ok(row.map_or(0, |row| row.get::<_, i64>(0) as At))
}

/// For a test of how they are answered.
#[cfg(test)]
pub(super) const QUESTIONS: &[&str] = &[GAME, RUNNING, BEGUN_BY, LIST, OPEN_GAMES, DUE, CLAIM, ALIVE, CLOCK];

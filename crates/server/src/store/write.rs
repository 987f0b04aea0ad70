//! The one thread that writes.

use super::{Job, StoreError};
use rusqlite::{Connection, params};
use std::sync::mpsc;
use table::{At, Entry, Setup, Who};

/// One thing to keep.
#[derive(Clone, Debug)]
pub enum Write {
    /// A person who came for the first time.
    Person {
        /// Their number.
        who: Who,
        /// The hash of their cookie.
        secret: [u8; 32],
    },
    /// A new game.
    Begin(Box<Begun>),
    /// An entry in a game's log.
    Enter(Box<Entered>),
    /// A game that is in somebody's list from now on.
    List {
        /// Whose.
        who: Who,
        /// Which.
        game: String,
        /// When it was begun.
        begun: At,
    },
    /// A game that is in somebody's list no more.
    Hide {
        /// Whose.
        who: Who,
        /// Which.
        game: String,
    },
    /// A game that is no more.
    Delete {
        /// Which.
        game: String,
    },
    /// A sign of life.
    Alive {
        /// When.
        at: At,
    },
}

/// A new game.
#[derive(Clone, Debug)]
pub struct Begun {
    /// Its id.
    pub game: String,
    /// What was agreed.
    pub setup: Setup,
    /// Who began it.
    pub maker: Who,
    /// By which command.
    pub cmd: String,
    /// Secrets for the open seats.
    pub invites: rules::ByColor<Option<String>>,
}

/// An entry in a game's log.
#[derive(Clone, Debug)]
pub struct Entered {
    /// The game.
    pub game: String,
    /// The entry's number, from 1.
    pub seq: u64,
    /// Who sent the command, if a person did.
    pub who: Option<Who>,
    /// Its id.
    pub cmd: Option<String>,
    /// What happened.
    pub entry: Entry,
    /// Whether the game is over with it.
    pub over: bool,
}

/// At most so many jobs in one transaction.
const BATCH: usize = 256;

pub(super) fn run(mut connection: Connection, waiting: &mpsc::Receiver<Job>) {
    while let Ok(first) = waiting.recv() {
        let jobs: Vec<Job> = std::iter::once(first).chain(waiting.try_iter()).take(BATCH).collect();
        let results = commit(&mut connection, &jobs);
        for (job, result) in jobs.into_iter().zip(results) {
            // Whoever asked may have gone.
            let _ = job.done.send(result);
        }
    }
}

/// One transaction for all; a job that cannot be kept does not spoil the others.
fn commit(connection: &mut Connection, jobs: &[Job]) -> Vec<Result<(), StoreError>> {
    let mut all = || -> rusqlite::Result<Vec<Result<(), StoreError>>> {
        let mut transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut results = Vec::with_capacity(jobs.len());
        for job in jobs {
            let savepoint = transaction.savepoint()?;
            match job.writes.iter().try_for_each(|write| keep(&savepoint, write)) {
                Ok(()) => {
                    savepoint.commit()?;
                    results.push(Ok(()));
                }
                Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) => {
                    savepoint.finish()?; // rolls back
                    results.push(Err(StoreError::Conflict));
                }
                Err(error) => return Err(error),
            }
        }
        transaction.commit()?;
        Ok(results)
    };
    all().unwrap_or_else(|error| {
        let error = StoreError::from(error);
        jobs.iter().map(|_| Err(error.clone())).collect()
    })
}

fn keep(connection: &Connection, write: &Write) -> rusqlite::Result<()> {
    let run = |sql: &str, values: &[&dyn rusqlite::ToSql]| connection.prepare_cached(sql)?.execute(values);
    match write {
        Write::Person { who, secret } => {
            run("INSERT OR IGNORE INTO person (id, secret) VALUES (?1, ?2)", params![who.0, secret.as_slice()])?;
        }
        Write::Begin(begun) => {
            let setup = json(&begun.setup)?;
            run(
                "INSERT INTO game (id, begun, changed, over, setup, maker, cmd, invite_black, invite_white)
                 VALUES (?1, ?2, ?2, 0, ?3, ?4, ?5, ?6, ?7)",
                params![
                    begun.game,
                    begun.setup.at as i64,
                    setup,
                    begun.maker.0,
                    begun.cmd,
                    begun.invites.black,
                    begun.invites.white
                ],
            )?;
        }
        Write::Enter(entered) => {
            let Entered { game, seq, who, cmd, entry, over } = entered.as_ref();
            run(
                "INSERT INTO entry (game, seq, who, cmd, body) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![game, *seq as i64, who.map(|who| who.0), cmd, json(entry)?],
            )?;
            let changed = run(
                "UPDATE game SET changed = max(changed, ?2), over = ?3 WHERE id = ?1",
                params![game, entry.at as i64, over],
            )?;
            if changed == 0 {
                // The game was deleted meanwhile.
                return Err(rusqlite::Error::SqliteFailure(
                    rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CONSTRAINT),
                    None,
                ));
            }
        }
        Write::List { who, game, begun } => {
            run(
                "INSERT OR IGNORE INTO mine (who, begun, game) VALUES (?1, ?2, ?3)",
                params![who.0, *begun as i64, game],
            )?;
        }
        Write::Hide { who, game } => {
            run("DELETE FROM mine WHERE who = ?1 AND game = ?2", params![who.0, game])?;
        }
        Write::Delete { game } => {
            run("DELETE FROM entry WHERE game = ?1", params![game])?;
            run("DELETE FROM mine WHERE game = ?1", params![game])?;
            run("DELETE FROM game WHERE id = ?1", params![game])?;
        }
        Write::Alive { at } => {
            run("INSERT OR REPLACE INTO life (one, at) VALUES (1, ?1)", params![*at as i64])?;
        }
    }
    Ok(())
}

fn json<T: serde::Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

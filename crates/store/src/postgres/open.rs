//! The checked door to a database: nothing is written before it is known to be ours, or empty.

use super::{
    failed::Failed,
    link::Link,
    schema::{MARK, VERSION},
    tls::{self, Tls},
};
use crate::OpenError;
use room::Key;
use std::path::PathBuf;
use tokio_postgres::{Config, config::Host, error::SqlState};

/// Keeps nodes that start at the same time from making the same tables.
const ALONE: &str = "SELECT pg_advisory_xact_lock(1330992198)";
/// How many tables there are where ours would be made, and whether ours is among them.
const TABLES: &str = "SELECT count(*), coalesce(bool_or(relname = 'outflank'), false) FROM pg_class
                      WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = current_schema()::regnamespace";

/// The address as it may be shown: without a password.
pub(super) fn shown(config: &Config) -> PathBuf {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(path)) => path.display().to_string(),
        _ => String::new(),
    };
    let port = config.get_ports().first().map_or(String::new(), |port| format!(":{port}"));
    let name = config.get_dbname().or(config.get_user()).unwrap_or_default();
    format!("postgres://{host}{port}/{name}").into()
}

/// Reads an address such as `postgres://name:password@host:port/database`.
pub(super) fn config(address: &str) -> Result<(Config, Tls), OpenError> {
    tls::read(address).map_err(|why| OpenError::Unreachable { place: "postgres://".into(), why })
}

/// Makes the database ready, and reads its key.
pub(super) async fn open(link: &Link, place: PathBuf, steps: &[(i32, &str)]) -> Result<Key, OpenError> {
    let opened = prepare(link, steps).await;
    if opened.is_err() {
        // Nothing of it stays. A connection that is lost has ended its transaction too.
        let _ = link.batch("ROLLBACK").await;
    }
    opened.map_err(|refused| match refused {
        Refused::Foreign => OpenError::Foreign(place),
        Refused::Newer => OpenError::Newer(place),
        Refused::Damaged => {
            OpenError::Damaged { path: place, why: "the table outflank is empty or not ours".to_owned() }
        }
        Refused::Failed(failed) => open_error(&failed, place),
    })
}

/// What a failure means before anything was opened.
pub(super) fn open_error(failed: &Failed, place: PathBuf) -> OpenError {
    if matches!(failed, Failed::InUse) {
        return OpenError::InUse(place);
    }
    match failed.code() {
        Some(&SqlState::INSUFFICIENT_PRIVILEGE | &SqlState::READ_ONLY_SQL_TRANSACTION) => OpenError::Permission(place),
        Some(&SqlState::DISK_FULL) => OpenError::Full(place),
        // Somebody holds it for longer than one waits: it is being moved, or made ready by another.
        Some(&SqlState::LOCK_NOT_AVAILABLE) => OpenError::InUse(place),
        _ => OpenError::Unreachable { place, why: failed.why().to_string() },
    }
}

enum Refused {
    Foreign,
    Newer,
    Damaged,
    Failed(Failed),
}

impl<E: Into<Failed>> From<E> for Refused {
    fn from(error: E) -> Refused {
        Refused::Failed(error.into())
    }
}

/// Whether our tables are there.
pub(super) async fn is_ours(link: &Link) -> Result<bool, Failed> {
    Ok(link.query_opt(TABLES, &[]).await?.is_some_and(|row| row.get(1)))
}

/// One transaction: a database is of one version.
async fn prepare(link: &Link, steps: &[(i32, &str)]) -> Result<Key, Refused> {
    link.batch("BEGIN").await?;
    link.batch(ALONE).await?;
    let tables = link.query_opt(TABLES, &[]).await?;
    let (count, ours) = tables.map_or((0, false), |row| (row.get::<_, i64>(0), row.get::<_, bool>(1)));
    if !ours {
        if count > 0 {
            return Err(Refused::Foreign);
        }
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|_| Refused::Failed(Failed::NoAnswer))?;
        link.batch(MARK).await?;
        link.query_opt("INSERT INTO outflank (one, version, key) VALUES (1, 0, $1) RETURNING 1", &[&key.as_slice()])
            .await?;
    }
    let row = link.query_opt("SELECT version, key FROM outflank WHERE one = 1", &[]).await?.ok_or(Refused::Damaged)?;
    let (version, key): (i32, &[u8]) = (row.try_get(0)?, row.try_get(1)?);
    let key = Key(key.try_into().map_err(|_| Refused::Damaged)?);
    let newest = steps.last().map_or(VERSION, |(version, _)| *version);
    if version > newest {
        return Err(Refused::Newer);
    }
    for (_, sql) in steps.iter().filter(|(to, _)| *to > version) {
        link.batch(sql).await?;
    }
    if version < newest {
        link.query_opt("UPDATE outflank SET version = $1 WHERE one = 1 RETURNING 1", &[&newest]).await?;
    }
    // What writers left that never came back. Shows too whether writing is possible, before anyone plays.
    link.batch("DELETE FROM writer WHERE begun < now() - interval '30 days'").await?;
    link.batch("COMMIT").await?;
    Ok(key)
}

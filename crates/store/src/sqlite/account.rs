//! Accounts, sessions, tokens, passkeys, and what the owner decides.

use super::{Sqlite, read::not_read, summary::json, write::KeepError};
use crate::{Accounts, StoreError};
use people::{
    Account, AccountChange, AuditEntry, Handle, Holder, MOST_SESSIONS, OWNER, Passkey, PasskeyId, PasswordHash,
    SESSION_IDLE, SESSION_LONGEST, SecretHash, Session, SessionId, Settings, Token, TokenId,
};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use table::{At, PersonId};

const GUEST: &str = "SELECT person.id, account.who IS NOT NULL FROM person LEFT JOIN account ON account.who = person.id
                     WHERE person.secret = ?1";
const SESSION: &str = "SELECT account.who, handle, bot, account.made, suspended, session.id, session.made, seen, agent,
                              session.who
                       FROM session LEFT JOIN account ON account.who = session.who WHERE session.secret = ?1";
const TOKEN: &str = "SELECT account.who, handle, bot, account.made, suspended, token.id, token.made, seen, name, scopes
                     FROM token JOIN account ON account.who = token.who WHERE token.secret = ?1";
const SOMEONE: &str = "SELECT 1 FROM person WHERE id = ?1 UNION ALL SELECT 1 FROM account WHERE who = ?1 LIMIT 1";
const ACCOUNT: &str = "SELECT who, handle, bot, made, suspended FROM account WHERE who = ?1";
const NAMED: &str = "SELECT who, handle, bot, made, suspended FROM account WHERE key = ?1";
const PART: &str =
    "SELECT who, handle, bot, made, suspended FROM account WHERE instr(key, ?1) > 0 ORDER BY key LIMIT ?2";
const PASSWORD: &str = "SELECT password FROM account WHERE who = ?1";
const CODES: &str = "SELECT code FROM recovery WHERE who = ?1 ORDER BY code";
const SESSIONS: &str =
    "SELECT secret, id, made, seen, agent FROM session WHERE who = ?1 ORDER BY seen DESC, made DESC, id";
const TOKENS: &str = "SELECT secret, id, made, seen, name, scopes FROM token WHERE who = ?1 ORDER BY made DESC, id";
const PASSKEY: &str =
    "SELECT credential, id, who, site, key, counter, agent, made, seen FROM passkey WHERE credential = ?1";
const PASSKEYS: &str = "SELECT credential, id, who, site, key, counter, agent, made, seen FROM passkey WHERE who = ?1
                        ORDER BY made DESC, id";
const SETTINGS: &str = "SELECT name, value FROM setting";
const AUDIT: &str = "SELECT number, at, who, what FROM audit WHERE number < ?1 ORDER BY number DESC LIMIT ?2";

/// What is asked again and again: a test sees to it that none of these reads a whole table.
#[cfg(test)]
pub(super) const EVERY_REQUEST: [&str; 9] = [GUEST, SESSION, TOKEN, SOMEONE, ACCOUNT, NAMED, PASSWORD, CODES, PASSKEY];

#[async_trait::async_trait]
impl Accounts for Sqlite {
    async fn holder(&self, secret: &SecretHash) -> Result<Option<Holder>, StoreError> {
        let secret = *secret;
        self.quick.ask(move |connection| holder(connection, &secret).map_err(not_read)).await
    }

    async fn is_someone(&self, who: PersonId) -> Result<bool, StoreError> {
        let found = self.quick.ask(move |connection| one(connection, SOMEONE, &who.0, |_| Ok(()))).await?;
        Ok(found.is_some())
    }

    async fn account(&self, who: PersonId) -> Result<Option<Account>, StoreError> {
        self.quick.ask(move |connection| one(connection, ACCOUNT, &who.0, account)).await
    }

    async fn account_named(&self, handle: &Handle) -> Result<Option<Account>, StoreError> {
        let key = handle.key();
        self.quick.ask(move |connection| one(connection, NAMED, &key, account)).await
    }

    async fn accounts(&self, part: &str, most: usize) -> Result<Vec<Account>, StoreError> {
        let part = part.to_ascii_lowercase();
        self.long.ask(move |connection| all(connection, PART, params![part, most as i64], account)).await
    }

    async fn password(&self, who: PersonId) -> Result<Option<PasswordHash>, StoreError> {
        let hash =
            move |connection: &Connection| one(connection, PASSWORD, &who.0, |row| row.get::<_, Option<String>>(0));
        Ok(self.quick.ask(hash).await?.flatten().map(PasswordHash))
    }

    async fn recovery_codes(&self, who: PersonId) -> Result<Vec<SecretHash>, StoreError> {
        self.quick.ask(move |connection| all(connection, CODES, params![who.0], |row| row.get(0))).await
    }

    async fn sessions(&self, who: PersonId) -> Result<Vec<Session>, StoreError> {
        let session = move |row: &Row<'_>| {
            Ok(Session {
                secret: row.get(0)?,
                id: SessionId(row.get(1)?),
                who,
                made: time(row, 2)?,
                seen: time(row, 3)?,
                agent: row.get(4)?,
            })
        };
        self.quick.ask(move |connection| all(connection, SESSIONS, params![who.0], session)).await
    }

    async fn tokens(&self, who: PersonId) -> Result<Vec<Token>, StoreError> {
        let token = move |row: &Row<'_>| token(row, row.get(0)?, who, 1);
        self.quick.ask(move |connection| all(connection, TOKENS, params![who.0], token)).await
    }

    async fn passkey(&self, credential: &[u8]) -> Result<Option<Passkey>, StoreError> {
        let credential = credential.to_vec();
        self.quick.ask(move |connection| one(connection, PASSKEY, &credential, passkey)).await
    }

    async fn passkeys(&self, who: PersonId) -> Result<Vec<Passkey>, StoreError> {
        self.quick.ask(move |connection| all(connection, PASSKEYS, params![who.0], passkey)).await
    }

    async fn settings(&self) -> Result<Settings, StoreError> {
        let pair = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        Ok(Settings::of(self.quick.ask(move |connection| all(connection, SETTINGS, &[], pair)).await?))
    }

    async fn audit(&self, before: Option<u64>, most: usize) -> Result<Vec<AuditEntry>, StoreError> {
        let before = before.and_then(|before| i64::try_from(before).ok()).unwrap_or(i64::MAX);
        let entry = |row: &Row<'_>| {
            Ok(AuditEntry {
                number: row.get::<_, i64>(0)? as u64,
                at: time(row, 1)?,
                who: PersonId(row.get(2)?),
                what: serde_json::from_str(&row.get::<_, String>(3)?).ok(),
            })
        };
        self.long.ask(move |connection| all(connection, AUDIT, params![before, most as i64], entry)).await
    }
}

fn one<T>(
    connection: &Connection,
    sql: &str,
    key: &dyn ToSql,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    let row = || connection.prepare_cached(sql)?.query_row([key], read).optional();
    row().map_err(not_read)
}

fn all<T>(
    connection: &Connection,
    sql: &str,
    values: &[&dyn ToSql],
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let rows = || -> rusqlite::Result<Vec<T>> { connection.prepare_cached(sql)?.query_map(values, read)?.collect() };
    rows().map_err(not_read)
}

fn holder(connection: &Connection, secret: &SecretHash) -> rusqlite::Result<Option<Holder>> {
    let guest = |row: &Row<'_>| {
        let who = PersonId(row.get(0)?);
        Ok(if row.get(1)? { Holder::FormerGuest } else { Holder::Guest(who) })
    };
    if let Some(guest) = connection.prepare_cached(GUEST)?.query_row([secret], guest).optional()? {
        return Ok(Some(guest));
    }
    let session = |row: &Row<'_>| {
        let session = Box::new(Session {
            secret: *secret,
            id: SessionId(row.get(5)?),
            who: PersonId(row.get(9)?),
            made: time(row, 6)?,
            seen: time(row, 7)?,
            agent: row.get(8)?,
        });
        Ok(match row.get::<_, Option<i64>>(0)? {
            Some(_) => Holder::Session(Box::new(account(row)?), session),
            None => Holder::OwnerSession(session),
        })
    };
    if let Some(session) = connection.prepare_cached(SESSION)?.query_row([secret], session).optional()? {
        return Ok(Some(session));
    }
    let bearer = |row: &Row<'_>| {
        let account = account(row)?;
        let token = token(row, *secret, account.who, 5)?;
        Ok(Holder::Token(Box::new(account), Box::new(token)))
    };
    connection.prepare_cached(TOKEN)?.query_row([secret], bearer).optional()
}

/// The first five columns.
fn account(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        who: PersonId(row.get(0)?),
        handle: parsed(row, 1)?,
        bot: row.get(2)?,
        made: time(row, 3)?,
        suspended: row.get::<_, Option<i64>>(4)?.map(|until| until as At),
    })
}

/// Five columns from `first` on.
fn token(row: &Row<'_>, secret: SecretHash, who: PersonId, first: usize) -> rusqlite::Result<Token> {
    Ok(Token {
        secret,
        id: TokenId(row.get(first)?),
        who,
        made: time(row, first + 1)?,
        seen: row.get::<_, Option<i64>>(first + 2)?.map(|at| at as At),
        name: row.get(first + 3)?,
        scopes: parsed(row, first + 4)?,
    })
}

fn passkey(row: &Row<'_>) -> rusqlite::Result<Passkey> {
    Ok(Passkey {
        credential: row.get(0)?,
        id: PasskeyId(row.get(1)?),
        who: PersonId(row.get(2)?),
        site: row.get(3)?,
        key: row.get(4)?,
        counter: row.get(5)?,
        agent: row.get(6)?,
        made: time(row, 7)?,
        seen: row.get::<_, Option<i64>>(8)?.map(|at| at as At),
    })
}

fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<At> {
    Ok(row.get::<_, i64>(column)? as At)
}

/// Something that stands in a column as text.
fn parsed<T>(row: &Row<'_>, column: usize) -> rusqlite::Result<T>
where
    T: std::str::FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    row.get::<_, String>(column)?.parse().map_err(|error: T::Err| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, error.into())
    })
}

/// What a change does to the file.
pub(super) fn write(connection: &Connection, change: &AccountChange) -> Result<(), KeepError> {
    let run = |sql: &str, values: &[&dyn ToSql]| connection.prepare_cached(sql)?.execute(values);
    let exists = |sql: &str, values: &[&dyn ToSql]| connection.prepare_cached(sql)?.exists(values);
    // A conflict unless something was there to be changed.
    let must = |changed: usize| if changed == 0 { Err(KeepError::Conflict) } else { Ok(()) };
    let has_account =
        |who: PersonId| must(usize::from(exists("SELECT 1 FROM account WHERE who = ?1", params![who.0])?));
    let time = |at: At| i64::try_from(at).unwrap_or(i64::MAX);
    match change {
        AccountChange::Open { account, password, recovery } => {
            let Account { who, handle, bot, made, suspended } = account;
            run(
                "INSERT INTO account (who, handle, key, password, bot, made, suspended) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![who.0, handle.as_str(), handle.key(), password.0, bot, time(*made), suspended.map(time)],
            )?;
            codes(connection, *who, recovery)
        }
        AccountChange::Password { who, hash } => {
            let hash = hash.as_ref().map(|hash| &hash.0);
            must(run("UPDATE account SET password = ?2 WHERE who = ?1", params![who.0, hash])?)
        }
        AccountChange::PasswordIs { who, hash } => {
            let sql = "SELECT 1 FROM account WHERE who = ?1 AND password = ?2";
            must(usize::from(exists(sql, params![who.0, hash.0])?))
        }
        AccountChange::Recovery { who, codes: fresh } => {
            has_account(*who)?;
            run("DELETE FROM recovery WHERE who = ?1", params![who.0])?;
            codes(connection, *who, fresh)
        }
        AccountChange::UseRecovery { who, code } => {
            must(run("DELETE FROM recovery WHERE who = ?1 AND code = ?2", params![who.0, code])?)
        }
        AccountChange::SignIn(session) => {
            let Session { secret, id, who, made, seen, agent } = session;
            if *who != OWNER {
                has_account(*who)?;
            }
            let now = time(*seen);
            run("DELETE FROM session WHERE seen <= ?1", params![now - time(SESSION_IDLE)])?;
            run("DELETE FROM session WHERE made <= ?1", params![now - time(SESSION_LONGEST)])?;
            run(
                "DELETE FROM session WHERE secret IN
                 (SELECT secret FROM session WHERE who = ?1 ORDER BY seen DESC, made DESC LIMIT -1 OFFSET ?2)",
                params![who.0, MOST_SESSIONS as i64 - 1],
            )?;
            run(
                "INSERT INTO session (secret, id, who, made, seen, agent) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![secret, id.0, who.0, time(*made), now, agent],
            )?;
            Ok(())
        }
        AccountChange::SessionSeen { secret, at } => {
            run("UPDATE session SET seen = max(seen, ?2) WHERE secret = ?1", params![secret, time(*at)])?;
            Ok(())
        }
        AccountChange::SignOut { who, id } => {
            must(run("DELETE FROM session WHERE who = ?1 AND id = ?2", params![who.0, id.0])?)
        }
        AccountChange::SignOutAll { who } => {
            run("DELETE FROM session WHERE who = ?1", params![who.0])?;
            Ok(())
        }
        AccountChange::SignOutOthers { who, id } => {
            must(usize::from(exists("SELECT 1 FROM session WHERE who = ?1 AND id = ?2", params![who.0, id.0])?))?;
            run("DELETE FROM session WHERE who = ?1 AND id <> ?2", params![who.0, id.0])?;
            Ok(())
        }
        AccountChange::Token(Token { secret, id, who, name, scopes, made, seen }) => {
            has_account(*who)?;
            run(
                "INSERT INTO token (secret, id, who, name, scopes, made, seen) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![secret, id.0, who.0, name, scopes.to_string(), time(*made), seen.map(time)],
            )?;
            Ok(())
        }
        AccountChange::TokenSeen { secret, at } => {
            run("UPDATE token SET seen = max(coalesce(seen, 0), ?2) WHERE secret = ?1", params![secret, time(*at)])?;
            Ok(())
        }
        AccountChange::TokenEnd { who, id } => {
            must(run("DELETE FROM token WHERE who = ?1 AND id = ?2", params![who.0, id.0])?)
        }
        AccountChange::TokenEndAll { who } => {
            run("DELETE FROM token WHERE who = ?1", params![who.0])?;
            Ok(())
        }
        AccountChange::Passkey(passkey) => {
            let Passkey { credential, id, who, site, key, counter, agent, made, seen } = passkey;
            has_account(*who)?;
            run(
                "INSERT INTO passkey (credential, id, who, site, key, counter, agent, made, seen)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                params![credential, id.0, who.0, site, key, counter, agent, time(*made), seen.map(time)],
            )?;
            Ok(())
        }
        AccountChange::PasskeyUsed { credential, counter, at } => must(run(
            "UPDATE passkey SET counter = ?2, seen = max(coalesce(seen, 0), ?3)
             WHERE credential = ?1 AND (counter < ?2 OR (counter = 0 AND ?2 = 0))",
            params![credential, counter, time(*at)],
        )?),
        AccountChange::PasskeyEnd { who, id } => {
            must(run("DELETE FROM passkey WHERE who = ?1 AND id = ?2", params![who.0, id.0])?)
        }
        AccountChange::PasskeyEndAll { who } => {
            run("DELETE FROM passkey WHERE who = ?1", params![who.0])?;
            Ok(())
        }
        AccountChange::Answered { challenge, until, at } => {
            run("DELETE FROM answered WHERE until <= ?1", params![time(*at)])?;
            run("INSERT INTO answered (challenge, until) VALUES (?1, ?2)", params![challenge, time(*until)])?;
            Ok(())
        }
        AccountChange::Bot { who } => {
            if exists("SELECT 1 FROM rating WHERE who = ?1 AND games > 0", params![who.0])? {
                return Err(KeepError::Conflict);
            }
            must(run("UPDATE account SET bot = 1 WHERE who = ?1", params![who.0])?)
        }
        AccountChange::Suspend { who, until } => {
            must(run("UPDATE account SET suspended = ?2 WHERE who = ?1", params![who.0, until.map(time)])?)
        }
        AccountChange::Setting { name, value: Some(value) } => {
            run("INSERT OR REPLACE INTO setting (name, value) VALUES (?1, ?2)", params![name, value])?;
            Ok(())
        }
        AccountChange::Setting { name, value: None } => {
            run("DELETE FROM setting WHERE name = ?1", params![name])?;
            Ok(())
        }
        AccountChange::Audit { at, who, what } => {
            run("INSERT INTO audit (at, who, what) VALUES (?1, ?2, ?3)", params![time(*at), who.0, json(what)?])?;
            Ok(())
        }
    }
}

fn codes(connection: &Connection, who: PersonId, codes: &[SecretHash]) -> Result<(), KeepError> {
    for code in codes {
        connection.prepare_cached("INSERT INTO recovery (who, code) VALUES (?1, ?2)")?.execute(params![who.0, code])?;
    }
    Ok(())
}

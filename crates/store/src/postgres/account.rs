//! Accounts, sessions, tokens, passkeys, and what the owner decides.

use super::{
    Postgres,
    failed::Failed,
    link::Link,
    summary::json,
    write::{Step, step},
};
use crate::{Accounts, StoreError, words::column};
use people::{
    Account, AccountChange, AuditEntry, Handle, Holder, MOST_SESSIONS, OWNER, Passkey, PasskeyId, PasswordHash,
    SESSION_IDLE, SESSION_LONGEST, SecretHash, Session, SessionId, Settings, Token, TokenId,
};
use table::{At, PersonId};
use tokio_postgres::{Row, types::ToSql};

const GUEST: &str = "SELECT person.id, account.who IS NOT NULL FROM person LEFT JOIN account ON account.who = person.id
                     WHERE person.secret = $1";
const SESSION: &str = "SELECT account.who, handle, bot, account.made, suspended, session.id, session.made, seen, agent,
                              session.who
                       FROM session LEFT JOIN account ON account.who = session.who WHERE session.secret = $1";
const TOKEN: &str = "SELECT account.who, handle, bot, account.made, suspended, token.id, token.made, seen, name, scopes
                     FROM token JOIN account ON account.who = token.who WHERE token.secret = $1";
const SOMEONE: &str = "SELECT 1 FROM person WHERE id = $1 UNION ALL SELECT 1 FROM account WHERE who = $1 LIMIT 1";
const ACCOUNT: &str = "SELECT who, handle, bot, made, suspended FROM account WHERE who = $1";
const NAMED: &str = "SELECT who, handle, bot, made, suspended FROM account WHERE key = $1";
const PART: &str =
    "SELECT who, handle, bot, made, suspended FROM account WHERE position($1 in key) > 0 ORDER BY key LIMIT $2";
const PASSWORD: &str = "SELECT password FROM account WHERE who = $1";
const CODES: &str = "SELECT code FROM recovery WHERE who = $1 ORDER BY code";
const SESSIONS: &str =
    "SELECT secret, id, made, seen, agent FROM session WHERE who = $1 ORDER BY seen DESC, made DESC, id";
const TOKENS: &str = "SELECT secret, id, made, seen, name, scopes FROM token WHERE who = $1 ORDER BY made DESC, id";
const PASSKEY: &str =
    "SELECT credential, id, who, site, key, counter, agent, made, seen FROM passkey WHERE credential = $1";
const PASSKEYS: &str = "SELECT credential, id, who, site, key, counter, agent, made, seen FROM passkey WHERE who = $1
                        ORDER BY made DESC, id";
const SETTINGS: &str = "SELECT name, value FROM setting";
const AUDIT: &str = "SELECT number, at, who, what FROM audit WHERE number < $1 ORDER BY number DESC LIMIT $2";

/// What is asked again and again, for a test of how it is answered.
#[cfg(test)]
pub(super) const QUESTIONS: &[&str] =
    &[GUEST, SESSION, TOKEN, SOMEONE, ACCOUNT, NAMED, PASSWORD, CODES, SESSIONS, TOKENS, PASSKEY, PASSKEYS, AUDIT];

#[async_trait::async_trait]
impl Accounts for Postgres {
    async fn holder(&self, secret: &SecretHash) -> Result<Option<Holder>, StoreError> {
        self.quick.ask(|link| holder(link, secret)).await
    }

    async fn is_someone(&self, who: PersonId) -> Result<bool, StoreError> {
        let found = self.quick.ask(|link| async move { one(&link, SOMEONE, &who.0, |_| Ok(())).await }).await?;
        Ok(found.is_some())
    }

    async fn account(&self, who: PersonId) -> Result<Option<Account>, StoreError> {
        self.quick.ask(|link| async move { one(&link, ACCOUNT, &who.0, account).await }).await
    }

    async fn account_named(&self, handle: &Handle) -> Result<Option<Account>, StoreError> {
        self.quick.ask(|link| async move { one(&link, NAMED, &handle.key(), account).await }).await
    }

    async fn accounts(&self, part: &str, most: usize) -> Result<Vec<Account>, StoreError> {
        let part = &part.to_ascii_lowercase();
        let all = |link: Link| async move { all(&link, PART, &[part, &column(most as u64)], account).await };
        self.long.ask(all).await
    }

    async fn password(&self, who: PersonId) -> Result<Option<PasswordHash>, StoreError> {
        let hash = |row: &Row| Ok(row.try_get::<_, Option<String>>(0)?);
        let asked = self.quick.ask(|link| async move { one(&link, PASSWORD, &who.0, hash).await }).await?;
        Ok(asked.flatten().map(PasswordHash))
    }

    async fn recovery_codes(&self, who: PersonId) -> Result<Vec<SecretHash>, StoreError> {
        self.quick.ask(|link| async move { all(&link, CODES, &[&who.0], |row| secret(row, 0)).await }).await
    }

    async fn sessions(&self, who: PersonId) -> Result<Vec<Session>, StoreError> {
        let session = |row: &Row| session(row, secret(row, 0)?, who, 1);
        self.quick.ask(|link| async move { all(&link, SESSIONS, &[&who.0], session).await }).await
    }

    async fn tokens(&self, who: PersonId) -> Result<Vec<Token>, StoreError> {
        let token = |row: &Row| token(row, secret(row, 0)?, who, 1);
        self.quick.ask(|link| async move { all(&link, TOKENS, &[&who.0], token).await }).await
    }

    async fn passkey(&self, credential: &[u8]) -> Result<Option<Passkey>, StoreError> {
        self.quick.ask(|link| async move { one(&link, PASSKEY, &credential, passkey).await }).await
    }

    async fn passkeys(&self, who: PersonId) -> Result<Vec<Passkey>, StoreError> {
        self.quick.ask(|link| async move { all(&link, PASSKEYS, &[&who.0], passkey).await }).await
    }

    async fn settings(&self) -> Result<Settings, StoreError> {
        let pair = |row: &Row| Ok((row.try_get::<_, String>(0)?, row.try_get::<_, String>(1)?));
        Ok(Settings::of(self.quick.ask(|link| async move { all(&link, SETTINGS, &[], pair).await }).await?))
    }

    async fn audit(&self, before: Option<u64>, most: usize) -> Result<Vec<AuditEntry>, StoreError> {
        let before = before.map_or(i64::MAX, column);
        let entry = |row: &Row| {
            Ok(AuditEntry {
                number: row.try_get::<_, i64>(0)? as u64,
                at: time(row, 1)?,
                who: PersonId(row.try_get(2)?),
                what: serde_json::from_str(row.try_get(3)?).ok(),
            })
        };
        self.long.ask(|link| async move { all(&link, AUDIT, &[&before, &column(most as u64)], entry).await }).await
    }
}

async fn one<T>(
    link: &Link,
    sql: &'static str,
    key: &(dyn ToSql + Sync),
    read: impl Fn(&Row) -> Result<T, Failed>,
) -> Result<Option<T>, Failed> {
    link.query_opt(sql, &[key]).await?.as_ref().map(read).transpose()
}

async fn all<T>(
    link: &Link,
    sql: &'static str,
    values: &[&(dyn ToSql + Sync)],
    read: impl Fn(&Row) -> Result<T, Failed>,
) -> Result<Vec<T>, Failed> {
    link.query(sql, values).await?.iter().map(read).collect()
}

async fn holder(link: Link, secret: &SecretHash) -> Result<Option<Holder>, Failed> {
    let key = secret.as_slice();
    let guest = |row: &Row| {
        let who = PersonId(row.try_get(0)?);
        Ok(if row.try_get(1)? { Holder::FormerGuest } else { Holder::Guest(who) })
    };
    if let Some(guest) = one(&link, GUEST, &key, guest).await? {
        return Ok(Some(guest));
    }
    let of_session = |row: &Row| {
        let session = Box::new(session(row, *secret, PersonId(row.try_get(9)?), 5)?);
        Ok(match row.try_get::<_, Option<i64>>(0)? {
            Some(_) => Holder::Session(Box::new(account(row)?), session),
            None => Holder::OwnerSession(session),
        })
    };
    if let Some(session) = one(&link, SESSION, &key, of_session).await? {
        return Ok(Some(session));
    }
    let of_token = |row: &Row| {
        let account = account(row)?;
        let token = token(row, *secret, account.who, 5)?;
        Ok(Holder::Token(Box::new(account), Box::new(token)))
    };
    one(&link, TOKEN, &key, of_token).await
}

/// The first five columns.
fn account(row: &Row) -> Result<Account, Failed> {
    Ok(Account {
        who: PersonId(row.try_get(0)?),
        handle: parsed(row, 1)?,
        bot: row.try_get::<_, i64>(2)? != 0,
        made: time(row, 3)?,
        suspended: row.try_get::<_, Option<i64>>(4)?.map(|until| until as At),
    })
}

/// Four columns from `first` on.
fn session(row: &Row, secret: SecretHash, who: PersonId, first: usize) -> Result<Session, Failed> {
    Ok(Session {
        secret,
        id: SessionId(row.try_get(first)?),
        who,
        made: time(row, first + 1)?,
        seen: time(row, first + 2)?,
        agent: row.try_get(first + 3)?,
    })
}

/// Five columns from `first` on.
fn token(row: &Row, secret: SecretHash, who: PersonId, first: usize) -> Result<Token, Failed> {
    Ok(Token {
        secret,
        id: TokenId(row.try_get(first)?),
        who,
        made: time(row, first + 1)?,
        seen: row.try_get::<_, Option<i64>>(first + 2)?.map(|at| at as At),
        name: row.try_get(first + 3)?,
        scopes: parsed(row, first + 4)?,
    })
}

fn passkey(row: &Row) -> Result<Passkey, Failed> {
    Ok(Passkey {
        credential: row.try_get(0)?,
        id: PasskeyId(row.try_get(1)?),
        who: PersonId(row.try_get(2)?),
        site: row.try_get(3)?,
        key: row.try_get(4)?,
        counter: row.try_get::<_, i64>(5)?.try_into().map_err(|_| Failed::Unreadable)?,
        agent: row.try_get(6)?,
        made: time(row, 7)?,
        seen: row.try_get::<_, Option<i64>>(8)?.map(|at| at as At),
    })
}

fn time(row: &Row, column: usize) -> Result<At, Failed> {
    Ok(row.try_get::<_, i64>(column)? as At)
}

fn secret(row: &Row, column: usize) -> Result<SecretHash, Failed> {
    row.try_get::<_, &[u8]>(column)?.try_into().map_err(|_| Failed::Unreadable)
}

/// Something that stands in a column as text.
fn parsed<T: std::str::FromStr>(row: &Row, column: usize) -> Result<T, Failed> {
    row.try_get::<_, &str>(column)?.parse().map_err(|_| Failed::Unreadable)
}

const OPEN: &str = "INSERT INTO account (who, handle, key, password, bot, made, suspended)
                    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
const NEW_CODES: &str = "INSERT INTO recovery (who, code) SELECT $1, unnest($2::bytea[])";
// Nobody takes the account away before this is kept.
const HAS_ACCOUNT: &str = "SELECT 1 FROM account WHERE who = $1 FOR KEY SHARE";
// Two people who sign in at once do not wait for each other.
const OVER: &str = "DELETE FROM session WHERE secret IN
                    (SELECT secret FROM session WHERE seen <= $1 OR made <= $2 ORDER BY secret FOR UPDATE SKIP LOCKED)";
const TOO_MANY: &str = "DELETE FROM session WHERE secret IN
                        (SELECT secret FROM session WHERE who = $1 ORDER BY seen DESC, made DESC OFFSET $2)";
const SIGN_IN: &str = "INSERT INTO session (secret, id, who, made, seen, agent)
                       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
const NEW_TOKEN: &str = "INSERT INTO token (secret, id, who, name, scopes, made, seen)
                         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
const NEW_PASSKEY: &str = "INSERT INTO passkey (credential, id, who, site, key, counter, agent, made, seen)
                           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING";
const PASSKEY_USED: &str = "UPDATE passkey SET counter = $2, seen = greatest(seen, $3)
                            WHERE credential = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))";
const TOO_OLD: &str = "DELETE FROM answered WHERE challenge IN
                       (SELECT challenge FROM answered WHERE until <= $1 ORDER BY challenge FOR UPDATE SKIP LOCKED)";
const ANSWERED: &str = "INSERT INTO answered (challenge, until) VALUES ($1, $2) ON CONFLICT DO NOTHING";
const BOT: &str = "UPDATE account SET bot = 1 WHERE who = $1
                   AND NOT EXISTS (SELECT 1 FROM rating WHERE who = $1 AND games > 0)";
const SET: &str = "INSERT INTO setting (name, value) VALUES ($1, $2)
                   ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// What is to be done for a change.
pub(super) fn write(change: &AccountChange) -> Result<Vec<Step>, StoreError> {
    let has_account = |who: &PersonId| step(HAS_ACCOUNT).with(who.0).must();
    let codes = |who: &PersonId, codes: &[SecretHash]| {
        step(NEW_CODES).with(who.0).with(codes.iter().map(|code| code.to_vec()).collect::<Vec<_>>())
    };
    Ok(match change {
        AccountChange::Open { account, password, recovery } => {
            let Account { who, handle, bot, made, suspended } = account;
            let open = step(OPEN)
                .with(who.0)
                .with(handle.to_string())
                .with(handle.key())
                .with(password.0.clone())
                .with(i64::from(*bot))
                .with(column(*made))
                .with(suspended.map(column));
            vec![open.must(), codes(who, recovery)]
        }
        AccountChange::Password { who, hash } => {
            let hash = hash.as_ref().map(|hash| hash.0.clone());
            vec![step("UPDATE account SET password = $2 WHERE who = $1").with(who.0).with(hash).must()]
        }
        AccountChange::PasswordIs { who, hash } => {
            // Whoever changes it waits until this is kept, and ends what was kept.
            let sql = "SELECT 1 FROM account WHERE who = $1 AND password = $2 FOR NO KEY UPDATE";
            vec![step(sql).with(who.0).with(hash.0.clone()).must()]
        }
        AccountChange::Recovery { who, codes: fresh } => {
            vec![has_account(who), step("DELETE FROM recovery WHERE who = $1").with(who.0), codes(who, fresh)]
        }
        AccountChange::UseRecovery { who, code } => {
            vec![step("DELETE FROM recovery WHERE who = $1 AND code = $2").with(who.0).with(code.to_vec()).must()]
        }
        AccountChange::SignIn(Session { secret, id, who, made, seen, agent }) => {
            let now = column(*seen);
            let sign_in = step(SIGN_IN)
                .with(secret.to_vec())
                .with(id.0.clone())
                .with(who.0)
                .with(column(*made))
                .with(now)
                .with(agent.clone());
            let account = (*who != OWNER).then(|| has_account(who));
            let rest = [
                step(OVER).with(now - column(SESSION_IDLE)).with(now - column(SESSION_LONGEST)),
                step(TOO_MANY).with(who.0).with(MOST_SESSIONS as i64 - 1),
                sign_in.must(),
            ];
            account.into_iter().chain(rest).collect()
        }
        AccountChange::SessionSeen { secret, at } => {
            let sql = "UPDATE session SET seen = greatest(seen, $2) WHERE secret = $1";
            vec![step(sql).with(secret.to_vec()).with(column(*at))]
        }
        AccountChange::SignOut { who, id } => {
            vec![step("DELETE FROM session WHERE who = $1 AND id = $2").with(who.0).with(id.0.clone()).must()]
        }
        AccountChange::SignOutAll { who } => vec![step("DELETE FROM session WHERE who = $1").with(who.0)],
        AccountChange::SignOutOthers { who, id } => vec![
            // Of two that end each other the second waits here, and finds itself ended.
            step("SELECT 1 FROM session WHERE who = $1 ORDER BY secret FOR UPDATE").with(who.0),
            step("SELECT 1 FROM session WHERE who = $1 AND id = $2").with(who.0).with(id.0.clone()).must(),
            step("DELETE FROM session WHERE who = $1 AND id <> $2").with(who.0).with(id.0.clone()),
        ],
        AccountChange::Token(Token { secret, id, who, name, scopes, made, seen }) => {
            let token = step(NEW_TOKEN)
                .with(secret.to_vec())
                .with(id.0.clone())
                .with(who.0)
                .with(name.clone())
                .with(scopes.to_string())
                .with(column(*made))
                .with(seen.map(column));
            vec![has_account(who), token.must()]
        }
        AccountChange::TokenSeen { secret, at } => {
            let sql = "UPDATE token SET seen = greatest(seen, $2) WHERE secret = $1";
            vec![step(sql).with(secret.to_vec()).with(column(*at))]
        }
        AccountChange::TokenEnd { who, id } => {
            vec![step("DELETE FROM token WHERE who = $1 AND id = $2").with(who.0).with(id.0.clone()).must()]
        }
        AccountChange::TokenEndAll { who } => vec![step("DELETE FROM token WHERE who = $1").with(who.0)],
        AccountChange::Passkey(passkey) => {
            let Passkey { credential, id, who, site, key, counter, agent, made, seen } = passkey;
            let new = step(NEW_PASSKEY)
                .with(credential.clone())
                .with(id.0.clone())
                .with(who.0)
                .with(site.clone())
                .with(key.clone())
                .with(i64::from(*counter))
                .with(agent.clone())
                .with(column(*made))
                .with(seen.map(column));
            vec![has_account(who), new.must()]
        }
        AccountChange::PasskeyUsed { credential, counter, at } => {
            let used = step(PASSKEY_USED).with(credential.clone()).with(i64::from(*counter)).with(column(*at));
            vec![used.must()]
        }
        AccountChange::PasskeyEnd { who, id } => {
            vec![step("DELETE FROM passkey WHERE who = $1 AND id = $2").with(who.0).with(id.0.clone()).must()]
        }
        AccountChange::PasskeyEndAll { who } => vec![step("DELETE FROM passkey WHERE who = $1").with(who.0)],
        AccountChange::Answered { challenge, until, at } => {
            vec![step(TOO_OLD).with(column(*at)), step(ANSWERED).with(challenge.to_vec()).with(column(*until)).must()]
        }
        AccountChange::Bot { who } => vec![step(BOT).with(who.0).must()],
        AccountChange::Suspend { who, until } => {
            let sql = "UPDATE account SET suspended = $2 WHERE who = $1";
            vec![step(sql).with(who.0).with(until.map(column)).must()]
        }
        AccountChange::Setting { name, value: Some(value) } => vec![step(SET).with(name.clone()).with(value.clone())],
        AccountChange::Setting { name, value: None } => {
            vec![step("DELETE FROM setting WHERE name = $1").with(name.clone())]
        }
        AccountChange::Audit { at, who, what } => {
            let sql = "INSERT INTO audit (at, who, what) VALUES ($1, $2, $3)";
            vec![step(sql).with(column(*at)).with(who.0).with(json(what)?)]
        }
    })
}

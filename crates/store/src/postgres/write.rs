//! What each [`Write`] does to the database.
//!
//! A statement does all of its work or nothing, and says which by the number of rows it changed: so a conflict is no error, and does
//! not end the transaction in which others have their writes too.
//!
//! Whoever changes anything of a game, an offer or a rating holds its row ([`locks`]), before everything else and in the order of ids,
//! so that two transactions do not wait for each other.

use super::{
    account, document,
    link::Value,
    meeting,
    summary::{self, json},
};
use crate::{StoreError, words::column};
use room::{Begun, Entered, Write};
use std::collections::BTreeSet;
use tokio_postgres::types::ToSql;

/// One statement on its way.
pub(super) struct Step {
    pub(super) sql: &'static str,
    pub(super) values: Vec<Value>,
    /// Whether changing nothing means that someone else was first.
    pub(super) must: bool,
}

pub(super) fn step(sql: &'static str) -> Step {
    Step { sql, values: Vec::new(), must: false }
}

impl Step {
    pub(super) fn with(mut self, value: impl ToSql + Sync + Send + 'static) -> Step {
        self.values.push(Box::new(value));
        self
    }

    pub(super) fn must(mut self) -> Step {
        self.must = true;
        self
    }
}

const LOCK_GAMES: &str = "SELECT 1 FROM game WHERE id = ANY($1) ORDER BY id FOR UPDATE";
const LOCK_OFFERS: &str = "SELECT 1 FROM offer WHERE id = ANY($1) ORDER BY id FOR UPDATE";
const LOCK_RATINGS: &str = "SELECT 1 FROM rating WHERE who = ANY($1) ORDER BY who, category FOR UPDATE";

const PERSON: &str = "INSERT INTO person (id, secret) VALUES ($1, $2)
                      ON CONFLICT (id) DO UPDATE SET secret = person.secret WHERE person.secret = excluded.secret";
const BEGIN: &str = "
INSERT INTO game (id, begun, setup, maker, command, changed, seats, status, ply, turn, board, result, black_score, white_score,
                  verdict, deadline)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT DO NOTHING";
// A log has no gaps: what follows an entry that was refused is refused as well. The game may have been deleted meanwhile.
const ENTER: &str = "
WITH entered AS (
    INSERT INTO entry (game, seq, who, command, body)
    SELECT $1::text, $2::bigint, $3::bigint, $4::text, $5::text
    WHERE EXISTS (SELECT 1 FROM game WHERE id = $1::text)
      AND ($2::bigint = 1 OR EXISTS (SELECT 1 FROM entry WHERE game = $1::text AND seq = $2::bigint - 1))
    ON CONFLICT DO NOTHING
    RETURNING game
), listed AS (
    UPDATE listing SET open = 1 - open FROM entered
    WHERE listing.game = entered.game AND listing.open <> ($8::text <> 'over')::int
)
UPDATE game SET changed = $6, seats = $7, status = $8::text, ply = $9, turn = $10, board = $11, result = $12, black_score = $13,
                white_score = $14, verdict = $15, deadline = $16, claimed = NULL
FROM entered WHERE game.id = entered.game";
// When it was begun is the game's to say: the order of a list follows from it.
const LIST: &str = "INSERT INTO listing (who, game, begun, open)
                    SELECT $1::bigint, id, begun, coalesce(status <> 'over', false)::int FROM game WHERE id = $2
                    ON CONFLICT (who, game) DO UPDATE SET open = listing.open";
// What two people's ratings rest on stays, for whoever looks at theirs.
const HIDE: &str = "
WITH hidden AS (
    DELETE FROM listing WHERE who = $1 AND game = $2 RETURNING game
), gone AS (
    DELETE FROM game WHERE id IN (SELECT game FROM hidden)
        AND NOT EXISTS (SELECT 1 FROM listing WHERE game = $2 AND who <> $1)
        AND NOT EXISTS (SELECT 1 FROM rated WHERE game = $2)
    RETURNING id
)
DELETE FROM entry WHERE game IN (SELECT id FROM gone)";
const DELETE: &str = "
WITH found AS (
    SELECT id FROM game WHERE id = $1 AND (SELECT count(*) FROM entry WHERE game = $1) = $2::bigint
), emptied AS (
    DELETE FROM entry WHERE game IN (SELECT id FROM found)
), unlisted AS (
    DELETE FROM listing WHERE game IN (SELECT id FROM found)
)
DELETE FROM game WHERE id IN (SELECT id FROM found)";
const ALIVE: &str = "INSERT INTO alive (one, at) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET at = excluded.at";

/// Takes the rows that `writes` must hold.
pub(super) fn locks<'a>(writes: impl Iterator<Item = &'a Write>) -> Vec<Step> {
    let (mut games, mut offers, mut rated) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for write in writes {
        match write {
            Write::Enter(entered) => {
                games.insert(entered.game.as_str());
            }
            Write::List { game, .. } | Write::Hide { game, .. } | Write::Delete { game, .. } => {
                games.insert(game.as_str());
            }
            Write::Meeting(change) => {
                offers.extend(meeting::offer(change));
                rated.extend(meeting::rated_people(change));
            }
            _ => {}
        }
    }
    let mut steps = Vec::new();
    for (sql, ids) in [(LOCK_GAMES, games), (LOCK_OFFERS, offers)] {
        // PostgreSQL keeps no text with a zero byte: nothing of that name is there.
        let ids: Vec<String> = ids.into_iter().filter(|id| !id.contains('\0')).map(str::to_owned).collect();
        if !ids.is_empty() {
            steps.push(step(sql).with(ids));
        }
    }
    if !rated.is_empty() {
        steps.push(step(LOCK_RATINGS).with(rated.into_iter().collect::<Vec<i64>>()));
    }
    steps
}

/// What is to be done for `write`.
pub(super) fn steps(write: &Write) -> Result<Vec<Step>, StoreError> {
    let one = match write {
        Write::Person { who, secret } => step(PERSON).with(who.0).with(secret.to_vec()).must(),
        Write::Begin(begun) => begin(begun)?,
        Write::Enter(entered) => enter(entered)?,
        Write::List { who, game, begun: _ } => step(LIST).with(who.0).with(game.to_string()).must(),
        Write::Hide { who, game } => step(HIDE).with(who.0).with(game.to_string()),
        Write::Delete { game, seq } => step(DELETE).with(game.to_string()).with(column(seq.0)).must(),
        Write::Keep(kept) => document::write(kept),
        Write::Discard(key) => document::delete(key),
        Write::Account(change) => return account::write(change),
        Write::Meeting(change) => return meeting::write(change),
        Write::Alive { at } => step(ALIVE).with(column(*at)),
    };
    Ok(vec![one])
}

fn begin(begun: &Begun) -> Result<Step, StoreError> {
    let Begun { game, setup, maker, command, summary } = begun;
    let mut step = step(BEGIN)
        .with(game.to_string())
        .with(column(setup.at))
        .with(json(setup)?)
        .with(maker.0)
        .with(command.to_string())
        .must();
    step.values.extend(summary::values(summary)?);
    Ok(step)
}

fn enter(entered: &Entered) -> Result<Step, StoreError> {
    let Entered { game, seq, by, entry, summary } = entered;
    let (who, command) = by.as_ref().map(|(who, command)| (who.0, command.to_string())).unzip();
    let mut step =
        step(ENTER).with(game.to_string()).with(column(seq.0)).with(who).with(command).with(json(entry)?).must();
    step.values.extend(summary::values(summary)?);
    Ok(step)
}

//! How people meet, and how well they play.

use super::{
    Sqlite,
    read::not_read,
    summary::{self, COLUMNS, json, parsed},
    write::KeepError,
};
use crate::{
    Meeting, StoreError,
    words::{self, column},
};
use people::{Category, Leader, MeetingChange, Numbers, Offer, Played, Rated, Rating, Speed, Tally};
use room::{Listed, Summary};
use rules::Color;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use std::sync::LazyLock;
use table::{At, GameId, PersonId, Rules, Setup};

const OFFERS: &str = "SELECT body FROM offer WHERE whom IS NULL AND made >= 0 AND live = ?1 AND until > ?2
     ORDER BY made DESC, id DESC LIMIT ?3";
const OFFER: &str = "SELECT body FROM offer WHERE id = ?1 AND until > ?2";
const OFFERS_BY: &str = "SELECT body FROM offer WHERE who = ?1 AND until > ?2 ORDER BY made, id";
const CHALLENGES: &str = "SELECT body FROM offer WHERE whom = ?1 AND until > ?2 ORDER BY made, id LIMIT ?3";
const RATINGS: &str =
    "SELECT category, value, deviation, volatility, games, changed FROM rating WHERE who = ?1 ORDER BY category";
const RATED: &str = "SELECT body FROM rated WHERE game = ?1";
const LEADERS: &str = "SELECT who, handle, bot, value, deviation, volatility, games, changed
     FROM rating JOIN account USING (who)
     WHERE category = ?1 AND games >= ?2 AND coalesce(suspended, 0) <= ?3
     ORDER BY value DESC, who DESC";
const TALLY: &str =
    "SELECT speed, opening, color, score, count(*) FROM played WHERE who = ?1 AND (public = 1 OR who = ?2)
     GROUP BY speed, opening, color, score";
static IN_PLAY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT setup, {COLUMNS} FROM listing JOIN game ON game.id = listing.game
         WHERE who = ?1 AND open = 1 AND status = 'playing'"
    )
});
const PLAYED_AT: &str = "SELECT at FROM played WHERE who = ?1 AND game = ?2";
static PLAYED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT played.game, game.begun, {COLUMNS} FROM played JOIN game ON game.id = played.game
         WHERE who = ?1 AND (at, played.game) < (?2, ?3)
           AND (public = 1 OR EXISTS (SELECT 1 FROM played own WHERE own.who = ?4 AND own.game = played.game))
         ORDER BY at DESC, played.game DESC LIMIT ?5"
    )
});
const COLORS: &str = "SELECT color FROM played WHERE who = ?1 ORDER BY at DESC, game DESC LIMIT ?2";
const BLOCKED_BY: &str = "SELECT whom FROM blocked WHERE who = ?1 ORDER BY whom";
const BLOCKING: &str = "SELECT who FROM blocked WHERE whom = ?1 ORDER BY who";

/// All of them, for the test that each finds its answer through an index.
#[cfg(test)]
pub(super) fn every_question() -> Vec<&'static str> {
    vec![
        OFFERS, OFFER, OFFERS_BY, CHALLENGES, RATINGS, RATED, LEADERS, TALLY, &IN_PLAY, PLAYED_AT, &PLAYED, COLORS,
        BLOCKED_BY, BLOCKING,
    ]
}

pub(super) fn write(connection: &Connection, change: &MeetingChange) -> Result<(), KeepError> {
    let run = |sql: &str, values: &[&dyn ToSql]| connection.prepare_cached(sql)?.execute(values);
    match change {
        MeetingChange::Offer { offer, until } => {
            // The id will be the game's: there is no such game yet.
            let sql = "INSERT INTO offer (id, who, whom, live, made, until, body)
                       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM game WHERE id = ?1)
                       AND (SELECT count(*) FROM offer WHERE who = ?2 AND until > ?5) < ?8
                       AND (SELECT count(*) FROM offer WHERE whom = ?3 AND until > ?5) < ?9";
            let Offer { id, by, to, made, .. } = offer.as_ref();
            let values = params![
                id.as_str(),
                by.who.0,
                to.map(|to| to.0),
                offer.is_live(),
                column(*made),
                column(*until),
                json(offer)?,
                column(Offer::MOST_BY_ONE as u64),
                column(Offer::MOST_TO_ONE as u64),
            ];
            if run(sql, values)? == 0 {
                return Err(KeepError::Conflict);
            }
        }
        MeetingChange::Stay { id, until } => {
            run("UPDATE offer SET until = ?2 WHERE id = ?1", params![id.as_str(), column(*until)])?;
        }
        MeetingChange::Take { id, at } => {
            if run("DELETE FROM offer WHERE id = ?1 AND until > ?2", params![id.as_str(), column(*at)])? == 0 {
                return Err(KeepError::Conflict);
            }
        }
        MeetingChange::Withdraw { id, who } => {
            run("DELETE FROM offer WHERE id = ?1 AND (who = ?2 OR whom = ?2)", params![id.as_str(), who.0])?;
        }
        MeetingChange::Busy { who } => {
            run("DELETE FROM offer WHERE who = ?1 AND live = 1", params![who.0])?;
        }
        MeetingChange::Expire { at } => {
            run("DELETE FROM offer WHERE until <= ?1", params![column(*at)])?;
        }
        MeetingChange::Played(played) => write_played(connection, played)?,
        MeetingChange::Rate(rated) => rate(connection, rated)?,
        MeetingChange::Block { who, whom } => {
            run("INSERT INTO blocked (who, whom) VALUES (?1, ?2) ON CONFLICT DO NOTHING", params![who.0, whom.0])?;
        }
        MeetingChange::Unblock { who, whom } => {
            run("DELETE FROM blocked WHERE who = ?1 AND whom = ?2", params![who.0, whom.0])?;
        }
    }
    Ok(())
}

fn write_played(connection: &Connection, played: &Played) -> Result<(), KeepError> {
    let Played { game, at, speed, opening, players, public, .. } = played;
    for color in Color::ALL {
        connection
            .prepare_cached(
                "INSERT INTO played (who, game, at, color, score, speed, opening, public)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                players[color].0,
                game.as_str(),
                column(*at),
                words::color_text(color),
                played.score(color).as_str(),
                speed.map_or("", Speed::as_str),
                people::opening_text(*opening),
                public,
            ])?;
    }
    Ok(())
}

fn rate(connection: &Connection, rated: &Rated) -> Result<(), KeepError> {
    connection
        .prepare_cached("INSERT INTO rated (game, body) VALUES (?1, ?2)")?
        .execute(params![rated.game.as_str(), json(rated)?])?;
    let category = rated.category.to_string();
    for color in Color::ALL {
        let (who, before) = (rated.players[color], rated.before[color]);
        let Numbers { value, deviation, volatility, games, changed } = rated.after[color].numbers();
        // Made of as many games as when it was computed, or not there while there were none.
        let sql = if before.games() == 0 {
            "INSERT INTO rating (who, category, value, deviation, volatility, games, changed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
        } else {
            "UPDATE rating SET value = ?3, deviation = ?4, volatility = ?5, games = ?6, changed = ?7
             WHERE who = ?1 AND category = ?2 AND games = ?8"
        };
        let mut values: Vec<&dyn ToSql> = Vec::from(params![who.0, category, value, deviation, volatility, games]);
        let (changed, before) = (column(changed), before.games());
        values.push(&changed);
        if before > 0 {
            values.push(&before);
        }
        if connection.prepare_cached(sql)?.execute(values.as_slice())? == 0 {
            return Err(KeepError::Conflict);
        }
    }
    Ok(())
}

#[async_trait::async_trait]
impl Meeting for Sqlite {
    async fn offers(&self, live: bool, now: At, most: usize) -> Result<Vec<Offer>, StoreError> {
        let all =
            move |connection: &Connection| bodies(connection, OFFERS, params![live, column(now), column(most as u64)]);
        self.quick.ask(all).await
    }

    async fn offer(&self, id: &GameId, now: At) -> Result<Option<Offer>, StoreError> {
        let id = id.clone();
        let one = move |connection: &Connection| {
            bodies(connection, OFFER, params![id.as_str(), column(now)]).map(|mut all| all.pop())
        };
        self.quick.ask(one).await
    }

    async fn offers_by(&self, who: PersonId, now: At) -> Result<Vec<Offer>, StoreError> {
        self.quick.ask(move |connection| bodies(connection, OFFERS_BY, params![who.0, column(now)])).await
    }

    async fn challenges_to(&self, who: PersonId, now: At) -> Result<Vec<Offer>, StoreError> {
        let all = move |connection: &Connection| {
            bodies(connection, CHALLENGES, params![who.0, column(now), column(Offer::MOST_TO_ONE as u64)])
        };
        self.quick.ask(all).await
    }

    async fn ratings(&self, who: PersonId) -> Result<Vec<(Category, Rating)>, StoreError> {
        self.quick.ask(move |connection| ratings(connection, who).map_err(not_read)).await
    }

    async fn rated(&self, games: &[GameId]) -> Result<Vec<Rated>, StoreError> {
        let games = games.to_vec();
        let all = move |connection: &Connection| {
            games.iter().map(|game| bodies(connection, RATED, params![game.as_str()])).collect::<Result<Vec<_>, _>>()
        };
        Ok(self.quick.ask(all).await?.into_iter().flatten().collect())
    }

    async fn leaders(&self, category: Category, games: u32, now: At, most: usize) -> Result<Vec<Leader>, StoreError> {
        self.long.ask(move |connection| leaders(connection, category, games, now, most).map_err(not_read)).await
    }

    async fn tally(&self, who: PersonId, reader: PersonId) -> Result<Vec<Tally>, StoreError> {
        self.long.ask(move |connection| tally(connection, who, reader).map_err(not_read)).await
    }

    async fn rated_in_play(&self, who: PersonId) -> Result<Vec<(Rules, Summary)>, StoreError> {
        self.quick.ask(move |connection| rated_in_play(connection, who).map_err(not_read)).await
    }

    async fn played(
        &self,
        who: PersonId,
        reader: PersonId,
        before: Option<&GameId>,
        most: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        let before = before.cloned();
        self.long.ask(move |connection| played(connection, who, reader, before.as_ref(), most).map_err(not_read)).await
    }

    async fn color_balance(&self, who: PersonId, most: usize) -> Result<i32, StoreError> {
        self.quick.ask(move |connection| color_balance(connection, who, most).map_err(not_read)).await
    }

    async fn blocked_by(&self, who: PersonId) -> Result<Vec<PersonId>, StoreError> {
        self.quick.ask(move |connection| persons(connection, BLOCKED_BY, who).map_err(not_read)).await
    }

    async fn blocking(&self, who: PersonId) -> Result<Vec<PersonId>, StoreError> {
        self.quick.ask(move |connection| persons(connection, BLOCKING, who).map_err(not_read)).await
    }
}

/// What stands as JSON in the first column of each row.
fn bodies<T: serde::de::DeserializeOwned>(
    connection: &Connection,
    sql: &str,
    values: &[&dyn ToSql],
) -> Result<Vec<T>, StoreError> {
    let all = || connection.prepare_cached(sql)?.query_map(values, |row| parsed(row, 0))?.collect();
    let all: rusqlite::Result<Vec<T>> = all();
    all.map_err(not_read)
}

fn persons(connection: &Connection, sql: &str, who: PersonId) -> rusqlite::Result<Vec<PersonId>> {
    connection.prepare_cached(sql)?.query_map([who.0], |row| row.get(0).map(PersonId))?.collect()
}

/// A rating from five columns, of which the first is number `first`.
fn rating(row: &Row<'_>, first: usize) -> rusqlite::Result<Rating> {
    Ok(Rating::from(Numbers {
        value: row.get(first)?,
        deviation: row.get(first + 1)?,
        volatility: row.get(first + 2)?,
        games: row.get(first + 3)?,
        changed: row.get::<_, i64>(first + 4)? as At,
    }))
}

/// A text that stands for something, as long as this version knows what.
fn known<T>(row: &Row<'_>, column: usize, read: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    read(&text).ok_or_else(|| unknown(column, &text))
}

fn unknown(column: usize, text: &str) -> rusqlite::Error {
    let why = format!("nobody knows what {text} is").into();
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, why)
}

fn ratings(connection: &Connection, who: PersonId) -> rusqlite::Result<Vec<(Category, Rating)>> {
    let one = |row: &Row<'_>| Ok((known(row, 0, |text| text.parse().ok())?, rating(row, 1)?));
    connection.prepare_cached(RATINGS)?.query_map([who.0], one)?.collect()
}

fn leaders(
    connection: &Connection,
    category: Category,
    games: u32,
    now: At,
    most: usize,
) -> rusqlite::Result<Vec<Leader>> {
    let mut statement = connection.prepare_cached(LEADERS)?;
    let one = |row: &Row<'_>| {
        Ok(Leader {
            who: PersonId(row.get(0)?),
            handle: known(row, 1, |text| text.parse().ok())?,
            bot: row.get(2)?,
            rating: rating(row, 3)?,
        })
    };
    // Read only as far as is needed: the index has the best first.
    let all = statement.query_map(params![category.to_string(), games, column(now)], one)?;
    let sure =
        |leader: &rusqlite::Result<Leader>| !leader.as_ref().is_ok_and(|leader| leader.rating.at(now).is_provisional());
    all.filter(sure).take(most).collect()
}

fn rated_in_play(connection: &Connection, who: PersonId) -> rusqlite::Result<Vec<(Rules, Summary)>> {
    let mut statement = connection.prepare_cached(&IN_PLAY)?;
    // One that cannot be read is nobody's help.
    let read = |row: &Row<'_>| Ok(parsed::<Setup>(row, 0).ok().zip(summary::read(row, 1)));
    let games: Vec<Option<(Setup, Summary)>> = statement.query_map([who.0], read)?.collect::<Result<_, _>>()?;
    let games = games.into_iter().flatten().map(|(setup, summary)| (setup.rules, summary));
    Ok(games.filter(|(rules, _)| rules.rated).collect())
}

fn tally(connection: &Connection, who: PersonId, reader: PersonId) -> rusqlite::Result<Vec<Tally>> {
    let mut tallies: Vec<Tally> = Vec::new();
    let mut statement = connection.prepare_cached(TALLY)?;
    let mut rows = statement.query([who.0, reader.0])?;
    while let Some(row) = rows.next()? {
        let [speed, opening, color, score]: [String; 4] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
        let added = words::add_to_tally(&mut tallies, [&speed, &opening, &color, &score], row.get(4)?);
        added.ok_or_else(|| unknown(0, &format!("{speed} {opening} {color} {score}")))?;
    }
    Ok(tallies)
}

fn color_balance(connection: &Connection, who: PersonId, most: usize) -> rusqlite::Result<i32> {
    let one = |row: &Row<'_>| known(row, 0, words::color);
    let colors: Vec<Color> = connection
        .prepare_cached(COLORS)?
        .query_map(params![who.0, column(most as u64)], one)?
        .collect::<Result<_, _>>()?;
    Ok(colors.into_iter().map(|color| if color == Color::Black { 1 } else { -1 }).sum())
}

fn played(
    connection: &Connection,
    who: PersonId,
    reader: PersonId,
    before: Option<&GameId>,
    most: usize,
) -> rusqlite::Result<Vec<Listed>> {
    let from = match before {
        None => None,
        Some(game) => connection
            .prepare_cached(PLAYED_AT)?
            .query_row(params![who.0, game.as_str()], |row| row.get::<_, i64>(0))
            .optional()?
            .map(|at| (at, game.as_str())),
    };
    let (at, game) = from.unwrap_or((i64::MAX, ""));
    connection
        .prepare_cached(&PLAYED)?
        .query_map(params![who.0, at, game, reader.0, column(most as u64)], |row| {
            let begun = row.get::<_, i64>(1)? as At;
            Ok(Listed { game: super::read::id(row.get(0)?)?, begun, summary: summary::read(row, 2) })
        })?
        .collect()
}

//! How people meet, and how well they play.

use super::{
    Postgres,
    failed::Failed,
    link::Link,
    summary::{self, columns, id, json, parsed},
    write::{Step, step},
};
use crate::{
    Meeting, StoreError,
    words::{self, color_text, column},
};
use people::{Category, Leader, MeetingChange, Numbers, Offer, Played, Rated, Rating, Speed, Tally};
use room::{Listed, Summary};
use rules::Color;
use table::{At, GameId, PersonId, Rules, Setup};
use tokio_postgres::{Row, types::ToSql};

const OFFERS: &str = "SELECT body FROM offer WHERE whom IS NULL AND live = $1 AND until > $2
     ORDER BY made DESC, id DESC LIMIT $3";
const OFFER: &str = "SELECT body FROM offer WHERE id = $1 AND until > $2";
const OFFERS_BY: &str = "SELECT body FROM offer WHERE who = $1 AND until > $2 ORDER BY made, id";
const CHALLENGES: &str = "SELECT body FROM offer WHERE whom = $1 AND until > $2 ORDER BY made, id LIMIT $3";
const RATINGS: &str =
    "SELECT category, value, deviation, volatility, games, changed FROM rating WHERE who = $1 ORDER BY category";
const RATED: &str = "SELECT body FROM rated WHERE game = ANY($1) ORDER BY array_position($1, game)";
const LEADERS: &str = "SELECT r.who, a.handle, a.bot, r.value, r.deviation, r.volatility, r.games, r.changed
     FROM rating r JOIN account a ON a.who = r.who
     WHERE r.category = $1 AND r.games >= $2 AND coalesce(a.suspended, 0) <= $3
     ORDER BY r.value DESC, r.who DESC LIMIT $4 OFFSET $5";
const TALLY: &str = "SELECT speed, opening, color, score, count(*) FROM played
     WHERE who = $1 AND (public = 1 OR who = $2) GROUP BY speed, opening, color, score ORDER BY speed, opening, color, score";
const IN_PLAY: &str = concat!(
    "SELECT g.setup, ",
    columns!(),
    " FROM listing l JOIN game g ON g.id = l.game WHERE l.who = $1 AND l.open = 1 AND g.status = 'playing'"
);
const PLAYED: &str = concat!(
    "SELECT p.game, g.begun, ",
    columns!(),
    " FROM played p JOIN game g ON g.id = p.game
      WHERE p.who = $1 AND (p.at, p.game) < (
          coalesce((SELECT at FROM played WHERE who = $1 AND game = $2), 9223372036854775807),
          CASE WHEN EXISTS (SELECT 1 FROM played WHERE who = $1 AND game = $2) THEN $2 ELSE '' END)
        AND (p.public = 1 OR EXISTS (SELECT 1 FROM played own WHERE own.who = $3 AND own.game = p.game))
      ORDER BY p.at DESC, p.game DESC LIMIT $4"
);
const BALANCE: &str = "SELECT coalesce(sum(CASE color WHEN 'black' THEN 1 ELSE -1 END), 0) FROM
     (SELECT color FROM played WHERE who = $1 ORDER BY at DESC, game DESC LIMIT $2) latest";
const BLOCKED_BY: &str = "SELECT whom FROM blocked WHERE who = $1 ORDER BY whom";
const BLOCKING: &str = "SELECT who FROM blocked WHERE whom = $1 ORDER BY who";

/// For a test of how they are answered.
#[cfg(test)]
pub(super) const QUESTIONS: &[&str] = &[
    OFFERS, OFFER, OFFERS_BY, CHALLENGES, RATINGS, RATED, LEADERS, TALLY, IN_PLAY, PLAYED, BALANCE, BLOCKED_BY,
    BLOCKING,
];

// The id will be the game's: there is no such game yet.
const NEW_OFFER: &str = "INSERT INTO offer (id, who, whom, live, made, until, body)
    SELECT $1::text, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::text
    WHERE NOT EXISTS (SELECT 1 FROM game WHERE id = $1::text)
    AND (SELECT count(*) FROM offer WHERE who = $2::bigint AND until > $5::bigint) < $8::bigint
    AND (SELECT count(*) FROM offer WHERE whom = $3::bigint AND until > $5::bigint) < $9::bigint
    ON CONFLICT DO NOTHING";
// In the order of ids, past those that somebody is at.
const EXPIRE: &str = "DELETE FROM offer WHERE id IN
    (SELECT id FROM offer WHERE until <= $1 ORDER BY id FOR UPDATE SKIP LOCKED)";
const BUSY: &str = "DELETE FROM offer WHERE id IN
    (SELECT id FROM offer WHERE who = $1 AND live = 1 ORDER BY id FOR UPDATE)";
const NEW_PLAYED: &str = "INSERT INTO played (who, game, at, color, score, speed, opening, public)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
const NEW_RATED: &str = "INSERT INTO rated (game, body) VALUES ($1, $2) ON CONFLICT DO NOTHING";
// Made of as many games as when it was computed, or not there while there were none.
const FIRST_RATING: &str = "INSERT INTO rating (who, category, value, deviation, volatility, games, changed)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
const NEXT_RATING: &str = "UPDATE rating SET value = $3, deviation = $4, volatility = $5, games = $6, changed = $7
    WHERE who = $1 AND category = $2 AND games = $8";

/// The offer whose row must be held, if there is one.
pub(super) fn offer(change: &MeetingChange) -> Option<&str> {
    match change {
        MeetingChange::Stay { id, .. } | MeetingChange::Take { id, .. } | MeetingChange::Withdraw { id, .. } => {
            Some(id.as_str())
        }
        _ => None,
    }
}

/// The people whose ratings must be held.
pub(super) fn rated_people(change: &MeetingChange) -> Vec<i64> {
    match change {
        MeetingChange::Rate(rated) => Color::ALL.map(|color| rated.players[color].0).to_vec(),
        _ => Vec::new(),
    }
}

/// What is to be done for a change.
pub(super) fn write(change: &MeetingChange) -> Result<Vec<Step>, StoreError> {
    Ok(match change {
        MeetingChange::Offer { offer, until } => {
            let Offer { id, by, to, made, .. } = offer.as_ref();
            let offer = step(NEW_OFFER)
                .with(id.to_string())
                .with(by.who.0)
                .with(to.map(|to| to.0))
                .with(i64::from(offer.is_live()))
                .with(column(*made))
                .with(column(*until))
                .with(json(offer)?)
                .with(column(Offer::MOST_BY_ONE as u64))
                .with(column(Offer::MOST_TO_ONE as u64));
            vec![offer.must()]
        }
        MeetingChange::Stay { id, until } => {
            vec![step("UPDATE offer SET until = $2 WHERE id = $1").with(id.to_string()).with(column(*until))]
        }
        MeetingChange::Take { id, at } => {
            let sql = "DELETE FROM offer WHERE id = $1 AND until > $2";
            vec![step(sql).with(id.to_string()).with(column(*at)).must()]
        }
        MeetingChange::Withdraw { id, who } => {
            let sql = "DELETE FROM offer WHERE id = $1 AND (who = $2 OR whom = $2)";
            vec![step(sql).with(id.to_string()).with(who.0)]
        }
        MeetingChange::Busy { who } => vec![step(BUSY).with(who.0)],
        MeetingChange::Expire { at } => vec![step(EXPIRE).with(column(*at))],
        MeetingChange::Played(played) => Color::ALL.map(|color| new_played(played, color)).into(),
        MeetingChange::Rate(rated) => rate(rated)?,
        MeetingChange::Block { who, whom } => {
            let sql = "INSERT INTO blocked (who, whom) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            vec![step(sql).with(who.0).with(whom.0)]
        }
        MeetingChange::Unblock { who, whom } => {
            vec![step("DELETE FROM blocked WHERE who = $1 AND whom = $2").with(who.0).with(whom.0)]
        }
    })
}

fn new_played(played: &Played, color: Color) -> Step {
    let Played { game, at, speed, opening, players, public, .. } = played;
    step(NEW_PLAYED)
        .with(players[color].0)
        .with(game.to_string())
        .with(column(*at))
        .with(color_text(color))
        .with(played.score(color).as_str())
        .with(speed.map_or("", Speed::as_str))
        .with(people::opening_text(*opening))
        .with(i64::from(*public))
        .must()
}

fn rate(rated: &Rated) -> Result<Vec<Step>, StoreError> {
    let mut steps = vec![step(NEW_RATED).with(rated.game.to_string()).with(json(rated)?).must()];
    let mut colors = Color::ALL;
    // In the order in which their rows are held.
    colors.sort_by_key(|&color| rated.players[color].0);
    for color in colors {
        let before = rated.before[color].games();
        let Numbers { value, deviation, volatility, games, changed } = rated.after[color].numbers();
        let step = step(if before == 0 { FIRST_RATING } else { NEXT_RATING })
            .with(rated.players[color].0)
            .with(rated.category.to_string())
            .with(value)
            .with(deviation)
            .with(volatility)
            .with(i64::from(games))
            .with(column(changed))
            .must();
        steps.push(if before == 0 { step } else { step.with(i64::from(before)) });
    }
    Ok(steps)
}

#[async_trait::async_trait]
impl Meeting for Postgres {
    async fn offers(&self, live: bool, now: At, most: usize) -> Result<Vec<Offer>, StoreError> {
        let (live, now, most) = (&i64::from(live), &column(now), &column(most as u64));
        self.quick.ask(|link| async move { all(&link, OFFERS, &[live, now, most], body).await }).await
    }

    async fn offer(&self, id: &GameId, now: At) -> Result<Option<Offer>, StoreError> {
        let (id, now) = (&id.as_str(), &column(now));
        Ok(self.quick.ask(|link| async move { all(&link, OFFER, &[id, now], body).await }).await?.pop())
    }

    async fn offers_by(&self, who: PersonId, now: At) -> Result<Vec<Offer>, StoreError> {
        let (who, now) = (&who.0, &column(now));
        self.quick.ask(|link| async move { all(&link, OFFERS_BY, &[who, now], body).await }).await
    }

    async fn challenges_to(&self, who: PersonId, now: At) -> Result<Vec<Offer>, StoreError> {
        let (who, now, most) = (&who.0, &column(now), &column(Offer::MOST_TO_ONE as u64));
        self.quick.ask(|link| async move { all(&link, CHALLENGES, &[who, now, most], body).await }).await
    }

    async fn ratings(&self, who: PersonId) -> Result<Vec<(Category, Rating)>, StoreError> {
        let one = |row: &Row| Ok((known(row, 0, |text| text.parse().ok())?, rating(row, 1)?));
        self.quick.ask(|link| async move { all(&link, RATINGS, &[&who.0], one).await }).await
    }

    async fn rated(&self, games: &[GameId]) -> Result<Vec<Rated>, StoreError> {
        let games: &Vec<&str> = &games.iter().map(GameId::as_str).collect();
        self.quick.ask(|link| async move { all(&link, RATED, &[games], body).await }).await
    }

    async fn leaders(&self, category: Category, games: u32, now: At, most: usize) -> Result<Vec<Leader>, StoreError> {
        self.long.ask(|link| leaders(link, category, games, now, most)).await
    }

    async fn tally(&self, who: PersonId, reader: PersonId) -> Result<Vec<Tally>, StoreError> {
        self.long.ask(|link| tally(link, who, reader)).await
    }

    async fn rated_in_play(&self, who: PersonId) -> Result<Vec<(Rules, Summary)>, StoreError> {
        self.quick.ask(|link| rated_in_play(link, who)).await
    }

    async fn played(
        &self,
        who: PersonId,
        reader: PersonId,
        before: Option<&GameId>,
        most: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        // No game has an empty id.
        let (before, most) = (&before.map_or("", GameId::as_str), &column(most as u64));
        let listed = |row: &Row| {
            let begun = row.try_get::<_, i64>(1)? as At;
            Ok(Listed { game: id(row, 0)?, begun, summary: summary::read(row, 2) })
        };
        self.long.ask(|link| async move { all(&link, PLAYED, &[&who.0, before, &reader.0, most], listed).await }).await
    }

    async fn color_balance(&self, who: PersonId, most: usize) -> Result<i32, StoreError> {
        let most = &column(most as u64);
        let number = |row: &Row| Ok(row.try_get::<_, i64>(0)? as i32);
        let found = self.quick.ask(|link| async move { all(&link, BALANCE, &[&who.0, most], number).await }).await?;
        Ok(found.first().copied().unwrap_or(0))
    }

    async fn blocked_by(&self, who: PersonId) -> Result<Vec<PersonId>, StoreError> {
        self.quick.ask(|link| async move { all(&link, BLOCKED_BY, &[&who.0], person).await }).await
    }

    async fn blocking(&self, who: PersonId) -> Result<Vec<PersonId>, StoreError> {
        self.quick.ask(|link| async move { all(&link, BLOCKING, &[&who.0], person).await }).await
    }
}

async fn all<T>(
    link: &Link,
    sql: &'static str,
    values: &[&(dyn ToSql + Sync)],
    read: impl Fn(&Row) -> Result<T, Failed>,
) -> Result<Vec<T>, Failed> {
    link.query(sql, values).await?.iter().map(read).collect()
}

/// What stands as JSON in the first column.
fn body<T: serde::de::DeserializeOwned>(row: &Row) -> Result<T, Failed> {
    parsed(row, 0)
}

fn person(row: &Row) -> Result<PersonId, Failed> {
    Ok(PersonId(row.try_get(0)?))
}

/// A rating from five columns, of which the first is number `first`.
fn rating(row: &Row, first: usize) -> Result<Rating, Failed> {
    Ok(Rating::from(Numbers {
        value: row.try_get(first)?,
        deviation: row.try_get(first + 1)?,
        volatility: row.try_get(first + 2)?,
        games: row.try_get::<_, i64>(first + 3)?.try_into().map_err(|_| Failed::Unreadable)?,
        changed: row.try_get::<_, i64>(first + 4)? as At,
    }))
}

/// A text that stands for something, as long as this version knows what.
fn known<T>(row: &Row, column: usize, read: impl Fn(&str) -> Option<T>) -> Result<T, Failed> {
    read(row.try_get(column)?).ok_or(Failed::Unreadable)
}

async fn leaders(link: Link, category: Category, games: u32, now: At, most: usize) -> Result<Vec<Leader>, Failed> {
    let one = |row: &Row| {
        Ok(Leader {
            who: PersonId(row.try_get(0)?),
            handle: known(row, 1, |text| text.parse().ok())?,
            bot: row.try_get::<_, i64>(2)? != 0,
            rating: rating(row, 3)?,
        })
    };
    let category = category.to_string();
    let (mut found, mut seen) = (Vec::new(), 0);
    // Reads on past those who are not sure: the index has the best first.
    loop {
        let values: &[&(dyn ToSql + Sync)] = &[&category, &i64::from(games), &column(now), &column(most as u64), &seen];
        let page = all(&link, LEADERS, values, one).await?;
        seen += page.len() as i64;
        let last = page.len() < most;
        found.extend(page.into_iter().filter(|leader: &Leader| !leader.rating.at(now).is_provisional()));
        if last || found.len() >= most {
            found.truncate(most);
            return Ok(found);
        }
    }
}

async fn rated_in_play(link: Link, who: PersonId) -> Result<Vec<(Rules, Summary)>, Failed> {
    let rows = link.query(IN_PLAY, &[&who.0]).await?;
    // One that cannot be read is nobody's help.
    let games = rows.iter().filter_map(|row| Some((parsed::<Setup>(row, 0).ok()?.rules, summary::read(row, 1)?)));
    Ok(games.filter(|(rules, _)| rules.rated).collect())
}

async fn tally(link: Link, who: PersonId, reader: PersonId) -> Result<Vec<Tally>, Failed> {
    let mut tallies: Vec<Tally> = Vec::new();
    for row in &link.query(TALLY, &[&who.0, &reader.0]).await? {
        let words = [row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?];
        let count = row.try_get::<_, i64>(4)?.try_into().unwrap_or(u32::MAX);
        words::add_to_tally(&mut tallies, words, count).ok_or(Failed::Unreadable)?;
    }
    Ok(tallies)
}

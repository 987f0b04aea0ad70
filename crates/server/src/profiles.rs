//! Who people are to others: [`Faces`] at a table, and profiles and lists of the best.

use crate::{
    House,
    lobby::{PAGE, Page, summary},
    protocol::{CategoryRating, GameSummary, Leader, Person, RatingChange, ToBrowser},
    ratings,
    refusal::Refused,
};
use people::{Category, Rated, Rating};
use room::{Command, Listed};
use rules::ByColor;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use store::StoreError;
use table::{At, GameId, PersonId, Rules, Seat, SeatView, Table};

/// How many games are in a profile.
const LATEST: usize = 10;
/// How many people are in a list of the best.
const LEADERS: usize = 100;
/// Whoever is in it has played at least so many games.
const LEADERS_GAMES: u32 = 10;
/// How many people and games are remembered.
const MOST_KNOWN: usize = 10_000;
/// What is known of someone is read again after so long: another server may know more.
const FRESH: At = 10_000;

/// What others see of someone at a table.
#[derive(Clone, Debug)]
struct Face {
    read: At,
    handle: Option<String>,
    bot: bool,
    ratings: Vec<(Category, Rating)>,
}

/// What was last read of those who play.
#[derive(Debug, Default)]
pub(crate) struct Faces {
    people: Mutex<HashMap<PersonId, Face>>,
    /// What a game did to ratings does not change.
    rated: Mutex<HashMap<GameId, Rated>>,
}

impl Faces {
    /// Someone has an account now, or another rating.
    pub(crate) fn forget(&self, who: PersonId) {
        self.people.lock().unwrap_or_else(PoisonError::into_inner).remove(&who);
    }
}

/// What is said of the players beside the game itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Players {
    faces: HashMap<PersonId, Face>,
    rated: Option<Rated>,
}

impl Players {
    /// What the game did to both ratings.
    pub(crate) fn rated(&self) -> Option<ByColor<RatingChange>> {
        self.rated.as_ref().map(ratings::change)
    }

    /// Fills in who sits there: with the rating they came with, where the game has changed it.
    pub(crate) fn fill(&self, seats: &ByColor<Seat>, rules: Option<&Rules>, views: &mut ByColor<SeatView>, now: At) {
        let category = self.rated.as_ref().map(|rated| rated.category).or_else(|| Category::of(rules?));
        for color in rules::Color::ALL {
            let Some(face) = seats[color].person().and_then(|who| self.faces.get(&who)) else { continue };
            let view = &mut views[color];
            view.handle.clone_from(&face.handle);
            view.bot = face.bot;
            let Some(category) = category.filter(|_| face.handle.is_some()) else { continue };
            let rating = match &self.rated {
                Some(rated) => rated.before[color].at(rated.at),
                None => {
                    let known = face.ratings.iter().find(|(known, _)| *known == category);
                    known.map_or(Rating::NEW, |(_, rating)| rating.at(now))
                }
            };
            view.rating = u16::try_from(rating.points()).ok();
            view.provisional = rating.is_provisional();
        }
    }
}

impl House {
    /// Who sits at a table, as far as it can be read; a game is shown without it otherwise.
    pub(crate) async fn players(&self, game: &GameId, table: &Table) -> Players {
        let who = table.seats().iter().filter_map(Seat::person);
        let ended = table.verdict().is_some() && table.rules().rated;
        self.players_of(who, ended.then_some(game)).await.unwrap_or_default()
    }

    async fn players_of(
        &self,
        all: impl Iterator<Item = PersonId>,
        ended: Option<&GameId>,
    ) -> Result<Players, StoreError> {
        let mut players = Players::default();
        for who in all {
            players.faces.insert(who, self.face(who).await?);
        }
        if let Some(game) = ended {
            players.rated = self.rated(std::slice::from_ref(game)).await?.remove(game);
        }
        Ok(players)
    }

    async fn face(&self, who: PersonId) -> Result<Face, StoreError> {
        let now = self.time.now();
        let known = self.faces.people.lock().unwrap_or_else(PoisonError::into_inner).get(&who).cloned();
        if let Some(face) = known.filter(|face| face.read + FRESH > now) {
            return Ok(face);
        }
        let account = self.store.account(who).await?;
        // Guests have no ratings.
        let ratings = if account.is_some() { self.store.ratings(who).await? } else { Vec::new() };
        let bot = account.as_ref().is_some_and(|account| account.bot);
        let face = Face { read: now, handle: account.map(|account| account.handle.to_string()), bot, ratings };
        let mut people = self.faces.people.lock().unwrap_or_else(PoisonError::into_inner);
        if people.len() >= MOST_KNOWN {
            people.clear();
        }
        people.insert(who, face.clone());
        Ok(face)
    }

    /// What games did to ratings.
    async fn rated(&self, games: &[GameId]) -> Result<HashMap<GameId, Rated>, StoreError> {
        let mut found = HashMap::new();
        let mut missing = Vec::new();
        {
            let known = self.faces.rated.lock().unwrap_or_else(PoisonError::into_inner);
            for game in games {
                match known.get(game) {
                    Some(rated) => _ = found.insert(game.clone(), rated.clone()),
                    None => missing.push(game.clone()),
                }
            }
        }
        if !missing.is_empty() {
            let read = self.store.rated(&missing).await?;
            let mut known = self.faces.rated.lock().unwrap_or_else(PoisonError::into_inner);
            if known.len() >= MOST_KNOWN {
                known.clear();
            }
            for rated in read {
                known.insert(rated.game.clone(), rated.clone());
                found.insert(rated.game.clone(), rated);
            }
        }
        Ok(found)
    }

    /// Games as `who` sees them in a list.
    pub(crate) async fn summaries(&self, listed: Vec<Listed>, who: PersonId) -> Result<Vec<GameSummary>, StoreError> {
        let games: Vec<GameId> = listed.iter().map(|listed| listed.game.clone()).collect();
        let mut rated = self.rated(&games).await?;
        let mut summaries = Vec::new();
        for one in listed {
            let seats = one.summary.as_ref().map(|summary| summary.seats.clone());
            let mut shown = summary(one, who);
            if let Some(seats) = seats {
                let mut players = self.players_of(seats.iter().filter_map(Seat::person), None).await?;
                players.rated = rated.remove(&shown.game);
                players.fill(&seats, None, &mut shown.seats, self.time.now());
                shown.rated = players.rated();
            }
            summaries.push(shown);
        }
        Ok(summaries)
    }

    /// The ratings of someone.
    pub(crate) async fn category_ratings(&self, who: PersonId) -> Result<Vec<CategoryRating>, StoreError> {
        let now = self.time.now();
        let mut ratings = self.store.ratings(who).await?;
        ratings.sort_by_key(|(category, _)| Category::ALL.iter().position(|known| known == category));
        let shown = ratings.into_iter().map(|(category, rating)| CategoryRating {
            category,
            rating: rating.points(),
            provisional: rating.at(now).is_provisional(),
            games: rating.games(),
        });
        Ok(shown.collect())
    }

    /// Someone with an account.
    pub(crate) async fn show_person(&self, page: &Page, command: &Command, handle: &str) -> Result<ToBrowser, Refused> {
        let account = self.account_named(handle).await?;
        let games = self.store.played(account.who, page.who(), None, LATEST).await?;
        Ok(ToBrowser::Person(Box::new(Person {
            id: command.id.clone(),
            handle: account.handle.to_string(),
            bot: account.bot,
            made: account.made,
            online: self.meeting.is_online(account.who),
            blocked: self.store.blocked_by(page.who()).await?.contains(&account.who),
            ratings: self.category_ratings(account.who).await?,
            results: self.store.tally(account.who, page.who()).await?,
            games: self.summaries(games, page.who()).await?,
        })))
    }

    /// The games of someone against other people.
    pub(crate) async fn show_person_games(
        &self,
        page: &Page,
        command: &Command,
        handle: &str,
        before: Option<&GameId>,
    ) -> Result<ToBrowser, Refused> {
        let account = self.account_named(handle).await?;
        let mut games = self.store.played(account.who, page.who(), before, PAGE + 1).await?;
        let more = games.len() > PAGE;
        games.truncate(PAGE);
        let games = self.summaries(games, page.who()).await?;
        Ok(ToBrowser::PersonGames { id: command.id.clone(), handle: account.handle.to_string(), games, more })
    }

    /// The best at one kind of game.
    pub(crate) async fn show_leaders(&self, command: &Command, category: Category) -> Result<ToBrowser, Refused> {
        let best = self.store.leaders(category, LEADERS_GAMES, self.time.now(), LEADERS).await?;
        let leaders = best.into_iter().map(|leader| Leader {
            handle: leader.handle.to_string(),
            bot: leader.bot,
            rating: leader.rating.points(),
            games: leader.rating.games(),
        });
        Ok(ToBrowser::Leaders { id: command.id.clone(), category, leaders: leaders.collect() })
    }
}

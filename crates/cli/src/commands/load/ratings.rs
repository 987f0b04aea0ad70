//! Ratings as the oracle ([`check`](super::check)) wants them: what is kept, and every game that has led there.

use super::check::{Change, Fault, Rating, Standing, check_rating};
use rules::Color;
use std::collections::{BTreeMap, HashSet};
use store::{Store, StoreError};
use table::{Ending, GameId, PersonId, Seat, Table};

/// How many games are asked for at once.
const PAGE: usize = 100;

/// The rated games of which clients were told, and who played them.
#[derive(Default)]
pub(super) struct RatedGames {
    /// Those that have ended, and so have changed ratings.
    pub(super) ended: Vec<GameId>,
    players: HashSet<PersonId>,
}

impl RatedGames {
    /// Notes a game, if it is one.
    pub(super) fn note(&mut self, game: &GameId, table: &Table) {
        if !table.rules().rated {
            return;
        }
        let counts = |ending| !matches!(ending, Ending::Scrapped | Ending::Aborted);
        if table.verdict().is_some_and(|verdict| counts(verdict.ending)) {
            self.ended.push(game.clone());
        }
        self.players.extend(table.seats().iter().filter_map(Seat::person));
    }

    /// Everything that is wrong with what these games, and all others of the same players, did to ratings.
    pub(super) async fn faults(&self, store: &dyn Store) -> Result<Vec<Fault>, StoreError> {
        let mut unrated: HashSet<&GameId> = self.ended.iter().collect();
        for some in self.ended.chunks(PAGE) {
            for rated in store.rated(some).await? {
                unrated.remove(&rated.game);
            }
        }
        let mut faults: Vec<Fault> =
            unrated.into_iter().map(|game| Fault::Unrated { game: game.as_str().to_owned() }).collect();
        for who in &self.players {
            faults.extend(ratings(store, *who).await?.iter().filter_map(check_rating));
        }
        Ok(faults)
    }
}

/// All ratings of one person.
async fn ratings(store: &dyn Store, who: PersonId) -> Result<Vec<Rating>, StoreError> {
    let name = store.account(who).await?.map_or_else(|| format!("{who:?}"), |account| account.handle.to_string());
    let mut changes: BTreeMap<String, Vec<Change>> = BTreeMap::new();
    let mut before: Option<GameId> = None;
    loop {
        let page = store.played(who, who, before.as_ref(), PAGE).await?;
        let games: Vec<GameId> = page.into_iter().map(|listed| listed.game).collect();
        let Some(last) = games.last() else { break };
        before = Some(last.clone());
        for rated in store.rated(&games).await? {
            let standing = |games, value| Standing { games, value };
            for color in Color::ALL.into_iter().filter(|color| rated.players[*color] == who) {
                let (before, after) = (rated.before[color].numbers(), rated.after[color].numbers());
                let change =
                    Change { before: standing(before.games, before.value), after: standing(after.games, after.value) };
                changes.entry(rated.category.to_string()).or_default().push(change);
            }
        }
    }
    let mut ratings = Vec::new();
    for (category, rating) in store.ratings(who).await? {
        let (category, now) = (category.to_string(), rating.numbers());
        ratings.push(Rating {
            of: format!("{name}, {category}"),
            now: Standing { games: now.games, value: now.value },
            changes: changes.remove(&category).unwrap_or_default(),
        });
    }
    // Games that have led nowhere.
    ratings.extend(changes.into_iter().map(|(category, changes)| Rating {
        of: format!("{name}, {category}"),
        now: Standing { games: 0, value: 0.0 },
        changes,
    }));
    Ok(ratings)
}

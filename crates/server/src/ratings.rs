//! What the end of a game does to the ratings of its players.

use crate::{House, people::Identity, protocol::RatingChange, refusal::Refused};
use people::{Account, Category, MeetingChange, Played, Rated, Rating};
use room::{Document, DocumentKey, DocumentKind, Ended, Write};
use rules::ByColor;
use store::StoreError;
use table::{Ending, PersonId, Rules};

impl House {
    /// What must be kept together with the end of a game: that it was played, and what it did to the ratings. If the players' ratings
    /// change before it is kept, the store refuses it all, and it is computed anew.
    pub(crate) async fn writes_at_the_end(&self, ended: &Ended) -> Result<Vec<Write>, StoreError> {
        let Ended { game, seats, rules, verdict, at } = ended;
        if let Some(abort) = abort(ended) {
            return Ok(vec![abort]);
        }
        let Some(played) = Played::new(game, *at, rules, seats, verdict) else { return Ok(Vec::new()) };
        let mut writes = Vec::new();
        if let Some(category) = Category::of(rules).filter(|_| rules.rated) {
            let ByColor { black, white } = played.players;
            let before =
                ByColor { black: self.rating(black, category).await?, white: self.rating(white, category).await? };
            let rated = Rated::new(game.clone(), category, *at, played.players, before, played.winner);
            writes.push(Write::Meeting(MeetingChange::Rate(Box::new(rated))));
        }
        writes.push(Write::Meeting(MeetingChange::Played(Box::new(played))));
        Ok(writes)
    }

    async fn rating(&self, who: PersonId, category: Category) -> Result<Rating, StoreError> {
        let ratings = self.store.ratings(who).await?;
        Ok(ratings.into_iter().find(|(known, _)| *known == category).map_or(Rating::NEW, |(_, rating)| rating))
    }

    /// Whether someone may play by these rules: a rated game is for people with accounts, and for programs whose account says that a
    /// program plays.
    pub(crate) async fn check_may_play(&self, identity: &Identity, rules: &Rules) -> Result<(), Refused> {
        if !rules.rated {
            return Ok(());
        }
        let may = |account: &Account| identity.token().is_none() || account.bot;
        if identity.account().is_some_and(may) {
            return Ok(());
        }
        // The account may be, or say so, only since they are connected.
        match self.store.account(identity.who).await? {
            None => Err(Refused::needs_account()),
            Some(account) if may(&account) => Ok(()),
            Some(_) => Err(Refused::needs_program_account()),
        }
    }
}

/// That somebody broke off a rated game, for the owner to see: it counts for nothing else, and could be done without end.
fn abort(Ended { game, seats, rules, verdict, at }: &Ended) -> Option<Write> {
    let by = verdict.whose.filter(|_| rules.rated && verdict.ending == Ending::Aborted)?;
    let id = game.as_str().parse().ok()?;
    let key = DocumentKey { who: seats[by].person()?, kind: DocumentKind::ABORT, id };
    let (head, body) = (String::new(), String::new());
    Some(Write::Keep(Box::new(Document { key, revision: 1, changed: *at, due: None, head, body })))
}

/// What a game did, in points.
pub(crate) fn change(rated: &Rated) -> ByColor<RatingChange> {
    ByColor::from_fn(|color| RatingChange { before: rated.before[color].points(), after: rated.after[color].points() })
}

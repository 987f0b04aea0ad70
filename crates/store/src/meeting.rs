//! What can be asked about how people meet and how well they play: [`Meeting`].

use crate::StoreError;
use people::{Category, Leader, Offer, Rated, Rating, Tally};
use room::{Listed, Summary};
use table::{At, GameId, PersonId, Rules};

/// Offers, ratings, finished games. What happens to them is written as [`room::Write::Meeting`].
#[async_trait::async_trait]
pub trait Meeting {
    /// At most `most` offers to anyone that are good at `now`, the newest first: of games that need both to be there, or of games by
    /// correspondence. They are read apart, so that what waits for days never hides who waits now.
    async fn offers(&self, live: bool, now: At, most: usize) -> Result<Vec<Offer>, StoreError>;

    /// An offer, if it is good at `now`.
    async fn offer(&self, id: &GameId, now: At) -> Result<Option<Offer>, StoreError>;

    /// The offers and challenges that `who` has made and that are good at `now`, the oldest first.
    async fn offers_by(&self, who: PersonId, now: At) -> Result<Vec<Offer>, StoreError>;

    /// The challenges to `who` that are good at `now`, the oldest first; as many as may wait ([`Offer::MOST_TO_ONE`]).
    async fn challenges_to(&self, who: PersonId, now: At) -> Result<Vec<Offer>, StoreError>;

    /// The ratings of someone, in the categories in which they have one.
    async fn ratings(&self, who: PersonId) -> Result<Vec<(Category, Rating)>, StoreError>;

    /// What these games did to the ratings of their players; those that did nothing are left out.
    async fn rated(&self, games: &[GameId]) -> Result<Vec<Rated>, StoreError>;

    /// At most `most` people with accounts, the best first: whose rating is not provisional at `now`, is made of at least `games` games,
    /// and who may come in.
    async fn leaders(&self, category: Category, games: u32, now: At, most: usize) -> Result<Vec<Leader>, StoreError>;

    /// How the games of `who` against other people went, by kind: all of them if they themselves ask as `reader`, else the public ones.
    async fn tally(&self, who: PersonId, reader: PersonId) -> Result<Vec<Tally>, StoreError>;

    /// The rated games of `who` that go on: by which rules, and how each stands.
    async fn rated_in_play(&self, who: PersonId) -> Result<Vec<(Rules, Summary)>, StoreError>;

    /// At most `most` finished games of `who` against other people, the latest first, from the one after `before` on: those that
    /// `reader` may find, which are the public ones and their own.
    async fn played(
        &self,
        who: PersonId,
        reader: PersonId,
        before: Option<&GameId>,
        most: usize,
    ) -> Result<Vec<Listed>, StoreError>;

    /// Among the last `most` games of `who` against other people: how many more they played with Black than with White.
    async fn color_balance(&self, who: PersonId, most: usize) -> Result<i32, StoreError>;

    /// Whom `who` has blocked.
    async fn blocked_by(&self, who: PersonId) -> Result<Vec<PersonId>, StoreError>;

    /// Who has blocked `who`.
    async fn blocking(&self, who: PersonId) -> Result<Vec<PersonId>, StoreError>;
}

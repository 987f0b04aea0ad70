//! How two people meet: [`Offer`].

use crate::{Category, Handle, Speed};
use rules::Color;
use serde::{Deserialize, Serialize};
use table::{At, CommandId, GameId, PersonId, Rules};

/// Someone whom the server is to find an opponent for plays those within so many points at first.
const NEAR: i32 = 200;
/// How much farther after each second of waiting: after half a minute anyone will do.
const FARTHER_A_SECOND: i32 = 50;
/// After so many seconds whoever is there is near enough.
const ANYONE_AFTER: u64 = 30;

/// Someone who offers or takes a game, as others see them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// Their number.
    pub who: PersonId,
    /// The name of their account; `None` for a guest.
    pub handle: Option<Handle>,
    /// Their points in the category of the offer.
    pub rating: i32,
    /// Whether too little is known of how well they play.
    pub provisional: bool,
    /// Whether a program plays.
    pub bot: bool,
}

/// The ratings of those whom an offer is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Range {
    /// At least.
    pub min: Option<i32>,
    /// At most.
    pub max: Option<i32>,
}

impl Range {
    /// Whether someone with so many points is meant.
    pub fn contains(self, rating: i32) -> bool {
        self.min.is_none_or(|min| min <= rating) && self.max.is_none_or(|max| rating <= max)
    }
}

/// An open offer to play, or a challenge to one person.
///
/// Its id is the id of the game that it becomes: so whoever waits finds the game, whichever server it was begun on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// Its id, and the game's.
    pub id: GameId,
    /// Whose it is.
    pub by: Player,
    /// The one person it is for, where it is a challenge.
    pub to: Option<PersonId>,
    /// By which rules.
    pub rules: Rules,
    /// The colour that its maker wants.
    pub color: Option<Color>,
    /// For whom it is.
    pub range: Range,
    /// Whether its maker leaves it to the server whom they play. The ratings it is for then widen with time.
    pub quick: bool,
    /// When it was made.
    pub made: At,
    /// By which command: if the server finds someone, the game is begun by it, so that the same command again finds that game.
    pub command: CommandId,
}

/// Why someone may not take an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotForYou {
    /// It is theirs.
    #[error("this is your own offer")]
    Own,
    /// It is for another person.
    #[error("this offer is for someone else")]
    SomeoneElse,
    /// It is for other ratings.
    #[error("this offer is for players with other ratings")]
    Rating,
}

impl Offer {
    /// Offers and challenges of one person that wait at a time.
    pub const MOST_BY_ONE: usize = 5;
    /// Challenges to one person that wait at a time, whoever made them.
    pub const MOST_TO_ONE: usize = 20;

    /// Whether the game goes on only while both are there: the offer then ends when its maker leaves.
    pub fn is_live(&self) -> bool {
        Speed::of(self.rules.time) != Some(Speed::Correspondence)
    }

    /// What the game counts for.
    pub fn category(&self) -> Option<Category> {
        Category::of(&self.rules)
    }

    /// Whether `taker` may take it at `now`.
    ///
    /// # Errors
    ///
    /// [`NotForYou`] says why not.
    pub fn check(&self, taker: &Player, now: At) -> Result<(), NotForYou> {
        if taker.who == self.by.who {
            Err(NotForYou::Own)
        } else if self.to.is_some_and(|to| to != taker.who) {
            Err(NotForYou::SomeoneElse)
        } else if self.range_at(now).contains(taker.rating) {
            Ok(())
        } else {
            Err(NotForYou::Rating)
        }
    }

    /// The ratings it is for at `now`.
    fn range_at(&self, now: At) -> Range {
        if !self.quick || self.category().is_none() {
            return self.range;
        }
        // Half a minute is nothing where a move takes days.
        if !self.is_live() {
            return Range::default();
        }
        let waited = now.saturating_sub(self.made) / 1000;
        if waited >= ANYONE_AFTER {
            return Range::default();
        }
        let width = NEAR + FARTHER_A_SECOND * waited as i32;
        Range { min: Some(self.by.rating - width), max: Some(self.by.rating + width) }
    }

    /// Whether the server may make a game of two offers at `now`: one of them leaves the choice to the server, both are for the very same
    /// game, so that nobody plays by a clock they did not choose, each is for the other's maker, and they do not want the same colour.
    pub fn suits(&self, other: &Offer, now: At) -> bool {
        (self.quick || other.quick)
            && self.to.is_none()
            && other.to.is_none()
            && self.rules == other.rules
            && (self.color.is_none() || self.color != other.color)
            && self.check(&other.by, now).is_ok()
            && other.check(&self.by, now).is_ok()
    }

    /// Of `others`, the one whose maker is nearest in points, and of those the one that has waited longest.
    pub fn best<'a>(&self, others: impl IntoIterator<Item = &'a Offer>, now: At) -> Option<&'a Offer> {
        let fit = others.into_iter().filter(|other| self.suits(other, now));
        fit.min_by_key(|other| (other.by.rating.abs_diff(self.by.rating), other.made, other.id.clone()))
    }
}

/// Which colour the first of two players gets: what one of them asked for; else the one who had Black less often lately, counted as
/// games with Black less games with White; else the toss.
///
/// ```
/// use people::first_color;
/// use rules::Color;
/// assert_eq!(first_color(None, Some(Color::Black), (5, 0), true), Color::White, "the second asked for Black");
/// assert_eq!(first_color(None, None, (1, -2), true), Color::White);
/// assert_eq!(first_color(None, None, (2, 2), true), Color::Black);
/// ```
pub fn first_color(first: Option<Color>, second: Option<Color>, balance: (i32, i32), toss: bool) -> Color {
    match (first, second) {
        (Some(color), _) => color,
        (None, Some(color)) => !color,
        (None, None) => match balance.0.cmp(&balance.1) {
            std::cmp::Ordering::Less => Color::Black,
            std::cmp::Ordering::Greater => Color::White,
            std::cmp::Ordering::Equal if toss => Color::Black,
            std::cmp::Ordering::Equal => Color::White,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::{Empties, Opening, Overrun, Preset, TimeControl};

    fn offer(who: i64, rating: i32, quick: bool) -> Offer {
        Offer {
            id: format!("offer-of-{who}").parse().unwrap(),
            by: Player { who: PersonId(who), handle: None, rating, provisional: false, bot: false },
            to: None,
            rules: Rules { time: Speed::Rapid.usual_time(), ..Preset::Thirty.rules() },
            color: None,
            range: Range::default(),
            quick,
            made: 1_000,
            command: format!("command-of-{who}").parse().unwrap(),
        }
    }

    #[test]
    fn whoever_leaves_it_to_the_server_is_paired_with_someone_near() {
        let me = offer(1, 1500, true);
        let others = [offer(2, 1450, false), offer(3, 1540, true), offer(4, 1500, true), offer(1, 1500, false)];
        assert_eq!(me.best(&others, 1_000).unwrap().by.who, PersonId(4), "the nearest, and never themselves");
        assert_eq!(me.best(&others[..2], 1_000).unwrap().by.who, PersonId(3));
        let far = offer(5, 1900, true);
        assert!(!me.suits(&far, 1_000));
        assert!(!me.suits(&far, 4_999), "350 points by now");
        assert!(me.suits(&far, 5_000) && far.suits(&me, 5_000), "400");
        assert!(me.suits(&offer(6, 3500, true), 31_000), "anyone after half a minute");
        let shy = Offer { range: Range { min: None, max: Some(1400) }, ..offer(7, 1500, false) };
        assert!(!me.suits(&shy, 99_000), "what somebody asked for by hand does not widen");
        assert!(!offer(2, 1500, false).suits(&offer(3, 1500, false), 1_000), "two who want to choose choose");
    }

    #[test]
    fn only_games_of_the_same_kind_are_paired() {
        let me = offer(1, 1500, true);
        let other = offer(2, 1500, true);
        assert!(me.suits(&other, 1_000));
        let balanced = Offer { rules: Rules { opening: Opening::Balanced, ..other.rules }, ..other.clone() };
        let slow = Offer { rules: Rules { time: Speed::Slow.usual_time(), ..other.rules }, ..other.clone() };
        let casual = Offer { rules: Rules { takebacks: true, ..other.rules }, ..other.clone() };
        let rated = Offer { rules: Rules { rated: true, ..other.rules }, ..other.clone() };
        let challenge = Offer { to: Some(PersonId(1)), ..other.clone() };
        // Of the same speed, and yet another game: ten seconds for all moves are not what "3 + 2" says.
        let clock = Offer {
            rules: Rules { time: TimeControl::Fischer { main_ms: 300_000, increment_ms: 5_000 }, ..other.rules },
            ..other.clone()
        };
        let overrun = Offer { rules: Rules { overrun: Overrun::TwoMinutes, ..other.rules }, ..other.clone() };
        let empties = Offer { rules: Rules { empties: Empties::DiscsOnly, ..other.rules }, ..other.clone() };
        for (case, unlike) in [
            ("opening", balanced),
            ("speed", slow),
            ("takebacks", casual),
            ("rated", rated),
            ("challenge", challenge),
            ("clock", clock),
            ("overrun", overrun),
            ("empties", empties),
        ] {
            assert!(!me.suits(&unlike, 1_000) && !unlike.suits(&me, 1_000), "{case}");
        }
        let black = |offer: &Offer| Offer { color: Some(Color::Black), ..offer.clone() };
        assert!(me.suits(&black(&other), 1_000) && !black(&me).suits(&black(&other), 1_000));
    }

    #[test]
    fn by_correspondence_nobody_waits_for_someone_near() {
        let days = |who, rating| {
            let offer = offer(who, rating, true);
            Offer { rules: Rules { time: Speed::Correspondence.usual_time(), ..offer.rules }, ..offer }
        };
        assert!(days(1, 1500).suits(&days(2, 1800), 1_000));
        let others = [days(2, 1800), days(3, 1600)];
        assert_eq!(
            days(1, 1500).best(&others, 1_000).unwrap().by.who,
            PersonId(3),
            "the nearest of those who are there"
        );
    }

    #[test]
    fn an_offer_is_for_whom_it_is_for() {
        let taker = offer(9, 1500, false).by;
        assert_eq!(offer(9, 1500, false).check(&taker, 0), Err(NotForYou::Own));
        let offer = offer(1, 1500, false);
        assert_eq!(offer.check(&taker, 0), Ok(()));
        let challenge = |to| Offer { to: Some(PersonId(to)), ..offer.clone() };
        assert_eq!(challenge(9).check(&taker, 0), Ok(()));
        assert_eq!(challenge(8).check(&taker, 0), Err(NotForYou::SomeoneElse));
        let range = |min, max| Offer { range: Range { min, max }, ..offer.clone() };
        assert_eq!(range(Some(1500), Some(1500)).check(&taker, 0), Ok(()));
        assert_eq!(range(Some(1501), None).check(&taker, 0), Err(NotForYou::Rating));
        assert_eq!(range(None, Some(1499)).check(&taker, 0), Err(NotForYou::Rating));
    }
}

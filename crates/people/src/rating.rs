//! How well someone plays: [`Rating`], by Glicko-2 (<https://www.glicko.net/glicko/glicko2.pdf>).
//!
//! Each game counts when it ends, so that players see what it was worth; what Glickman adds to the uncertainty for each period is
//! added for the days that pass.

use crate::Category;
use rules::{ByColor, Color};
use serde::{Deserialize, Serialize};
use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period},
};
use table::{At, GameId, PersonId};

/// Deviations are kept within these: nobody is so well known that a game changes nothing.
const DEVIATION: (f64, f64) = (45.0, 500.0);
/// Above this deviation a rating is provisional.
const PROVISIONAL: f64 = 110.0;
/// What a volatility may grow to: one strange evening is not remembered for a year.
const MOST_VOLATILE: f64 = 0.1;
/// No rating is below or above these.
const VALUE: (f64, f64) = (100.0, 4000.0);
/// How many of Glickman's periods pass in a day: a well-known rating is provisional again after half a year or so.
const PERIODS_A_DAY: f64 = 0.2;
const DAY_MS: f64 = 86_400_000.0;
/// One of Glicko-2's units in points.
const SCALE: f64 = 173.7178;

/// How well someone plays in one category, and how sure that is.
///
/// ```
/// use people::{Rating, rate};
/// use rules::{ByColor, Color};
/// let new = ByColor { black: Rating::NEW, white: Rating::NEW };
/// let after = rate(new, Some(Color::Black), 0);
/// assert_eq!((after.black.points(), after.white.points()), (1741, 1259));
/// assert!(after.black.is_provisional() && after.black.games() == 1);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "Numbers", into = "Numbers")]
pub struct Rating {
    numbers: Numbers,
}

// No number in it is ever NaN: see `From<Numbers>`.
impl Eq for Rating {}

/// The numbers of a [`Rating`], as they are kept.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Numbers {
    /// Points; 1500 at first.
    pub value: f64,
    /// With 95 % certainty the true value is within two of these; 500 at first.
    pub deviation: f64,
    /// How steady the results are; 0.09 at first.
    pub volatility: f64,
    /// How many games it is made of. Each adds one, so this names the state of a rating.
    pub games: u32,
    /// When it last changed.
    pub changed: At,
}

impl From<Numbers> for Rating {
    /// Whatever was kept, within what is possible.
    fn from(kept: Numbers) -> Rating {
        let within = |value: f64, (least, most): (f64, f64), new: f64| {
            if value.is_finite() { value.clamp(least, most) } else { new }
        };
        let new = Rating::NEW.numbers;
        Rating {
            numbers: Numbers {
                value: within(kept.value, VALUE, new.value),
                deviation: within(kept.deviation, DEVIATION, new.deviation),
                volatility: within(kept.volatility, (0.001, MOST_VOLATILE), new.volatility),
                ..kept
            },
        }
    }
}

impl From<Rating> for Numbers {
    fn from(rating: Rating) -> Numbers {
        rating.numbers
    }
}

impl Rating {
    /// Of someone who has not played.
    pub const NEW: Rating =
        Rating { numbers: Numbers { value: 1500.0, deviation: 500.0, volatility: 0.09, games: 0, changed: 0 } };

    /// As it is shown.
    pub fn points(self) -> i32 {
        self.numbers.value.round() as i32
    }

    /// Whether too little is known: few games, or none for long. For now, see [`Rating::at`].
    pub fn is_provisional(self) -> bool {
        self.numbers.deviation > PROVISIONAL
    }

    /// How many games it is made of.
    pub fn games(self) -> u32 {
        self.numbers.games
    }

    /// The numbers, for whoever keeps them.
    pub fn numbers(self) -> Numbers {
        self.numbers
    }

    /// As it is at `now`: less sure the longer ago the last game was.
    ///
    /// ```
    /// use people::{Numbers, Rating};
    /// let known = Rating::from(Numbers { value: 1800.0, deviation: 60.0, volatility: 0.09, games: 99, changed: 0 });
    /// assert!(!known.is_provisional());
    /// assert!(known.at(200 * 86_400_000).is_provisional());
    /// assert_eq!(Rating::NEW.at(200 * 86_400_000), Rating::NEW);
    /// ```
    #[must_use]
    pub fn at(self, now: At) -> Rating {
        let Numbers { deviation, volatility, games, changed, .. } = self.numbers;
        if games == 0 {
            return self;
        }
        let periods = now.saturating_sub(changed) as f64 / DAY_MS * PERIODS_A_DAY;
        let deviation = deviation.hypot(periods.sqrt() * volatility * SCALE);
        Numbers { deviation, ..self.numbers }.into()
    }

    /// After one game against someone of this rating; both are as they are when the game ends.
    fn after(self, opponent: Rating, outcome: Outcomes, at: At) -> Rating {
        let Numbers { value, deviation, volatility, games, .. } = self.numbers;
        // The library adds a period for each game; here time adds them, so it is taken off first.
        let period = volatility * SCALE;
        let deviation = (deviation * deviation - period * period).max(1.0).sqrt();
        let me = Glicko2Rating { rating: value, deviation, volatility };
        let other = Glicko2Rating {
            rating: opponent.numbers.value,
            deviation: opponent.numbers.deviation,
            volatility: opponent.numbers.volatility,
        };
        let after = glicko2_rating_period(&me, &[(other, outcome)], &Glicko2Config::new());
        Numbers {
            value: after.rating,
            deviation: after.deviation,
            volatility: after.volatility,
            games: games.saturating_add(1),
            changed: at,
        }
        .into()
    }
}

/// Both ratings after a game that ended at `at`; nobody won a draw.
pub fn rate(before: ByColor<Rating>, winner: Option<Color>, at: At) -> ByColor<Rating> {
    let before = before.map(|rating| rating.at(at));
    ByColor::from_fn(|color| {
        let outcome = match winner {
            None => Outcomes::DRAW,
            Some(winner) if winner == color => Outcomes::WIN,
            Some(_) => Outcomes::LOSS,
        };
        before[color].after(before[!color], outcome, at)
    })
}

/// What a game did to the ratings of its players. It is kept once for each game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rated {
    /// The game.
    pub game: GameId,
    /// What it counted for.
    pub category: Category,
    /// When it ended.
    pub at: At,
    /// Who played.
    pub players: ByColor<PersonId>,
    /// How they were rated before.
    pub before: ByColor<Rating>,
    /// And after.
    pub after: ByColor<Rating>,
}

impl Rated {
    /// A game that has ended, of two people who were rated so before.
    pub fn new(
        game: GameId,
        category: Category,
        at: At,
        players: ByColor<PersonId>,
        before: ByColor<Rating>,
        winner: Option<Color>,
    ) -> Rated {
        Rated { game, category, at, players, before, after: rate(before, winner, at) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rating(value: f64, deviation: f64, volatility: f64) -> Rating {
        Numbers { value, deviation, volatility, games: 20, changed: 0 }.into()
    }

    fn both(black: Rating, white: Rating) -> ByColor<Rating> {
        ByColor { black, white }
    }

    /// Steps 2 to 8 of the paper by hand (a page of Python with the paper's own formulas, τ = 0.5, and φ* = φ because no day has
    /// passed):
    ///
    /// Two new players, 1500 ± 500, volatility 0.09, Black wins: φ = 2.87823, g = 0.53315, E = 0.5, v = 14.0724, Δ = 3.75132,
    /// φ' = 1.0 / sqrt(1/φ² + 1/v) = 2.28353, μ' = φ'² · g · 0.5 = 1.39005, so 1741.476 ± 396.690, volatility 0.0899992.
    ///
    /// 1620 ± 60 loses to 1500 ± 300: 1610.792 ± 59.564, volatility 0.0900034; the other has 1705.548 ± 234.073, 0.0900012.
    #[test]
    fn worked_examples() {
        let near = |rating: Rating, value: f64, deviation: f64, volatility: f64| {
            let numbers = rating.numbers();
            assert!((numbers.value - value).abs() < 0.02, "{numbers:?}, not {value}");
            assert!((numbers.deviation - deviation).abs() < 0.02, "{numbers:?}, not ± {deviation}");
            assert!((numbers.volatility - volatility).abs() < 0.000_002, "{numbers:?}, not {volatility}");
        };
        let new = rate(both(Rating::NEW, Rating::NEW), Some(Color::Black), 7);
        near(new.black, 1741.476, 396.690, 0.089_999_2);
        near(new.white, 1258.524, 396.690, 0.089_999_2);
        assert_eq!((new.black.numbers().changed, new.black.games()), (7, 1));
        let drawn = rate(both(Rating::NEW, Rating::NEW), None, 7);
        near(drawn.black, 1500.0, 396.690, 0.089_998_0);
        let upset = rate(both(rating(1620.0, 60.0, 0.09), rating(1500.0, 300.0, 0.09)), Some(Color::White), 0);
        near(upset.black, 1610.792, 59.564, 0.090_003_4);
        near(upset.white, 1705.548, 234.073, 0.090_001_2);
    }

    #[test]
    fn a_dozen_games_against_known_players_end_the_provisional_time() {
        let mut me = Rating::NEW;
        let mut games = 0;
        while me.is_provisional() {
            let other = Numbers { value: me.numbers().value, ..rating(1500.0, 100.0, 0.09).numbers() }.into();
            me = rate(both(me, other), if games % 2 == 0 { Some(Color::Black) } else { Some(Color::White) }, 0).black;
            games += 1;
        }
        assert_eq!(games, 11);
        for _ in 0..1000 {
            me = rate(both(me, me), None, 0).black;
        }
        assert_eq!(me.numbers().deviation, 45.0, "and never less than this");
    }

    #[test]
    fn numbers_from_a_damaged_file_are_a_rating_all_the_same() {
        let odd = Numbers { value: f64::NAN, deviation: -1.0, volatility: f64::INFINITY, games: 3, changed: 9 };
        let numbers = Rating::from(odd).numbers();
        assert_eq!((numbers.value, numbers.deviation, numbers.volatility), (1500.0, 45.0, 0.09));
    }

    fn any_rating() -> impl Strategy<Value = Rating> {
        (100.0..3500.0, 45.0..500.0, 0.01..0.1, 1..5000_u32, 0..10_u64.pow(12)).prop_map(
            |(value, deviation, volatility, games, changed)| {
                Numbers { value, deviation, volatility, games, changed }.into()
            },
        )
    }

    proptest! {
        #[test]
        fn a_game_is_symmetric_counts_once_and_moves_ratings_the_right_way(
            black in any_rating(), white in any_rating(), result in 0..3_usize, later in 0..10_u64.pow(10),
        ) {
            let winner = [None, Some(Color::Black), Some(Color::White)][result];
            let at = black.numbers().changed.max(white.numbers().changed) + later;
            let after = rate(both(black, white), winner, at);
            let mirrored = rate(both(white, black), winner.map(|color| !color), at);
            prop_assert_eq!(after, both(mirrored.white, mirrored.black));
            for (color, before) in [(Color::Black, black), (Color::White, white)] {
                let (old, new) = (before.numbers(), after[color].numbers());
                prop_assert_eq!((new.games, new.changed), (old.games + 1, at));
                prop_assert!((45.0..=500.0).contains(&new.deviation) && (0.001..=0.1).contains(&new.volatility));
                prop_assert!(new.deviation <= before.at(at).numbers().deviation + 0.5, "a game tells something");
                if winner == Some(color) {
                    prop_assert!(new.value >= old.value);
                } else if winner.is_some() {
                    prop_assert!(new.value <= old.value);
                }
            }
        }

        #[test]
        fn a_rating_comes_back_as_it_was_written(rating in any_rating()) {
            let text = serde_json::to_string(&rating).unwrap();
            let read: Rating = serde_json::from_str(&text).unwrap();
            prop_assert!((read.numbers().value - rating.numbers().value).abs() < 1e-9);
            prop_assert_eq!(read.games(), rating.games());
        }
    }
}

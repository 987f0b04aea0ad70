//! How long a game takes, and what it is rated with: [`Speed`], [`Category`].

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use table::{Opening, Rules, TimeControl};

/// Moves of one player in a game of Reversi, nearly always.
const MOVES: u64 = 30;

/// How fast a game is, by the time one player has for all their moves.
///
/// ```
/// use people::Speed;
/// use table::TimeControl;
/// let minutes = |minutes: u32| Speed::of(TimeControl::SuddenDeath { main_ms: minutes * 60_000 });
/// assert_eq!(minutes(4), Some(Speed::Blitz));
/// assert_eq!(minutes(5), Some(Speed::Rapid));
/// assert_eq!(minutes(20), Some(Speed::Slow));
/// // Three minutes, and four seconds for each of about thirty moves, come to five minutes.
/// assert_eq!(Speed::of(TimeControl::Fischer { main_ms: 180_000, increment_ms: 4_000 }), Some(Speed::Rapid));
/// assert_eq!(Speed::of(TimeControl::None), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// Under five minutes.
    Blitz,
    /// Under twenty.
    Rapid,
    /// Twenty minutes and more.
    Slow,
    /// Days for each move.
    Correspondence,
}

impl Speed {
    /// All of them, the fastest first.
    pub const ALL: [Speed; 4] = [Speed::Blitz, Speed::Rapid, Speed::Slow, Speed::Correspondence];

    /// How fast a game with such clocks is; `None` without clocks.
    pub fn of(time: TimeControl) -> Option<Speed> {
        let estimate = match time {
            TimeControl::None => return None,
            TimeControl::PerMove { .. } => return Some(Speed::Correspondence),
            TimeControl::SuddenDeath { main_ms } => u64::from(main_ms),
            TimeControl::Fischer { main_ms, increment_ms } => u64::from(main_ms) + MOVES * u64::from(increment_ms),
            // Whoever has a period for each move uses about half of it.
            TimeControl::ByoYomi { main_ms, period_ms, .. } => u64::from(main_ms) + MOVES * u64::from(period_ms) / 2,
        };
        Some(match estimate {
            ..300_000 => Speed::Blitz,
            300_000..1_200_000 => Speed::Rapid,
            _ => Speed::Slow,
        })
    }

    /// The clocks of a game with someone the server finds.
    pub fn usual_time(self) -> TimeControl {
        match self {
            Speed::Blitz => TimeControl::Fischer { main_ms: 180_000, increment_ms: 2_000 },
            Speed::Rapid => TimeControl::SuddenDeath { main_ms: 600_000 },
            Speed::Slow => TimeControl::SuddenDeath { main_ms: 1_200_000 },
            Speed::Correspondence => TimeControl::PerMove { per_move_ms: 3 * 86_400_000 },
        }
    }

    /// The speed that is written so.
    pub fn from_text(text: &str) -> Option<Speed> {
        Speed::ALL.into_iter().find(|speed| speed.as_str() == text)
    }

    /// As it is written in a category.
    pub fn as_str(self) -> &'static str {
        match self {
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Slow => "slow",
            Speed::Correspondence => "correspondence",
        }
    }
}

/// Which rating a game counts for: a speed, and where games begin. Written as both with a hyphen.
///
/// ```
/// use people::{Category, Speed};
/// use table::{Opening, Preset};
/// let category: Category = "slow-standard".parse()?;
/// assert_eq!(category, Category { speed: Speed::Slow, opening: Opening::Standard });
/// assert_eq!(Category::of(&Preset::Tournament.rules()), Some(category));
/// assert_eq!(Category::of(&Preset::Casual.rules()), None);
/// assert_eq!(Category::ALL.len(), 8);
/// # Ok::<(), people::CategoryError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Category {
    /// How fast.
    pub speed: Speed,
    /// From where.
    pub opening: Opening,
}

/// The text is no category.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a category is a speed and an opening, such as rapid-standard")]
pub struct CategoryError;

impl Category {
    /// All of them, the fastest first.
    pub const ALL: [Category; 8] = {
        let mut all = [Category { speed: Speed::Blitz, opening: Opening::Standard }; 8];
        let mut index = 0;
        while index < 8 {
            all[index].speed = Speed::ALL[index / 2];
            if index % 2 == 1 {
                all[index].opening = Opening::Balanced;
            }
            index += 1;
        }
        all
    };

    /// What games by these rules count for; `None` without clocks.
    pub fn of(rules: &Rules) -> Option<Category> {
        Some(Category { speed: Speed::of(rules.time)?, opening: rules.opening })
    }
}

/// An opening as it is written in a category.
pub fn opening_text(opening: Opening) -> &'static str {
    match opening {
        Opening::Standard => "standard",
        Opening::Balanced => "balanced",
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.speed.as_str(), opening_text(self.opening))
    }
}

impl FromStr for Category {
    type Err = CategoryError;

    fn from_str(text: &str) -> Result<Category, CategoryError> {
        Category::ALL.into_iter().find(|category| category.to_string() == text).ok_or(CategoryError)
    }
}

impl TryFrom<String> for Category {
    type Error = CategoryError;
    fn try_from(text: String) -> Result<Category, CategoryError> {
        text.parse()
    }
}

impl From<Category> for String {
    fn from(category: Category) -> String {
        category.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_is_read_as_it_is_written_and_there_is_none_twice() {
        let texts: std::collections::HashSet<String> = Category::ALL.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 8);
        for category in Category::ALL {
            assert_eq!(category.to_string().parse(), Ok(category));
        }
        for bad in ["", "blitz", "blitz-", "Blitz-standard", "bullet-standard", "blitz-standard-"] {
            assert!(bad.parse::<Category>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_clocks_of_a_speed_are_of_that_speed() {
        for speed in Speed::ALL {
            assert_eq!(Speed::of(speed.usual_time()), Some(speed));
            let rules = Rules { time: speed.usual_time(), rated: true, ..table::Preset::Thirty.rules() };
            assert_eq!(rules.check(), Ok(()));
        }
    }

    #[test]
    fn the_longest_clock_is_slow() {
        let longest = TimeControl::ByoYomi { main_ms: u32::MAX, period_ms: u32::MAX, periods: 255 };
        assert_eq!(Speed::of(longest), Some(Speed::Slow));
        assert_eq!(
            Speed::of(TimeControl::ByoYomi { main_ms: 0, period_ms: 20_000, periods: 1 }),
            Some(Speed::Rapid),
            "thirty moves of ten seconds"
        );
    }
}

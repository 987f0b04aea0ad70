//! What is agreed before the first move: [`Rules`], and the agreements that have a name: [`Preset`].

use crate::Clock;
use serde::{Deserialize, Serialize};

/// Everything that may differ from one game to another.
///
/// ```
/// use table::{Empties, Overrun, Preset, TimeControl};
/// let rules = Preset::Tournament.rules();
/// assert_eq!(rules.time, TimeControl::SuddenDeath { main_ms: 30 * 60_000 });
/// assert_eq!(rules.overrun, Overrun::TwoMinutes);
/// assert_eq!(rules.empties, Empties::ToWinner);
/// assert!(!rules.takebacks);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// How much time each player has.
    pub time: TimeControl,
    /// What running out of time costs. Without a clock it does not matter.
    pub overrun: Overrun,
    /// Who gets the squares that stay empty.
    pub empties: Empties,
    /// Whether moves may be taken back: freely by one person alone or against the computer, else by agreement.
    pub takebacks: bool,
    /// From which position.
    #[serde(default)]
    pub opening: Opening,
    /// Whether the game counts for the players' ratings. It then has a clock, and nothing in it is done by agreement: no takeback, no
    /// pause, no scrapping.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub rated: bool,
    /// Whether each player must make their first move soon (see [`Rules::first_move_ms`]), or the game ends without a result: for
    /// people who do not know each other. In rated games it is always so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub prompt_start: bool,
}

/// Where a game begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// With the usual four discs.
    #[default]
    Standard,
    /// After a few given moves, drawn from a list in which neither side is ahead. The moves are in the game's setup.
    Balanced,
}

/// The time a player has for all moves. All times are in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeControl {
    /// No clock.
    None,
    /// One amount of time for all moves.
    SuddenDeath {
        /// For the whole game.
        main_ms: u32,
    },
    /// Every completed move adds some time.
    Fischer {
        /// At the start.
        main_ms: u32,
        /// Added by each move.
        increment_ms: u32,
    },
    /// After the main time, a number of periods; a move made within a period gives that period back whole.
    ByoYomi {
        /// Before the first period.
        main_ms: u32,
        /// The length of one period.
        period_ms: u32,
        /// How many there are.
        periods: u8,
    },
    /// Correspondence: so much time for each move, whatever the moves before it took.
    PerMove {
        /// For one move: from one day to fourteen.
        per_move_ms: u32,
    },
}

/// What it costs to run out of time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Overrun {
    /// The game ends, 64–0 for the opponent.
    Loses,
    /// As at World Championships: the game is lost, but the player has two more minutes to finish it and then scores what is on the
    /// board, at best 31–33. Running out a second time ends the game 0–64. When both have run out once, the first has lost.
    TwoMinutes,
    /// As in Japan when the opponent stops the game at once: the opponent's discs are counted as they lie, but at least 33, and the rest
    /// goes to the player who ran out.
    AtLeast33,
}

/// Who gets the squares that are empty when the game ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Empties {
    /// The winner; in a draw half to each. The score always adds up to 64.
    ToWinner,
    /// Nobody: only discs count.
    DiscsOnly,
}

/// Rules that go by a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// No clock, takebacks.
    Casual,
    /// Twenty minutes each; out of time is 64–0; takebacks by agreement.
    Club,
    /// Thirty minutes each; out of time is 64–0; no takebacks.
    Thirty,
    /// Thirty minutes each, the two-minute rule, no takebacks.
    Tournament,
    /// Twenty minutes each; out of time counts the board, at least 33–31; no takebacks.
    Japan,
}

impl Preset {
    /// All of them, the gentlest first.
    pub const ALL: [Preset; 5] = [Preset::Casual, Preset::Club, Preset::Thirty, Preset::Tournament, Preset::Japan];

    /// What the name stands for.
    pub const fn rules(self) -> Rules {
        match self {
            Preset::Casual => agreed(TimeControl::None, Overrun::Loses, true),
            Preset::Club => agreed(sudden_death(20), Overrun::Loses, true),
            Preset::Thirty => agreed(sudden_death(30), Overrun::Loses, false),
            Preset::Tournament => agreed(sudden_death(30), Overrun::TwoMinutes, false),
            Preset::Japan => agreed(sudden_death(20), Overrun::AtLeast33, false),
        }
    }
}

const fn agreed(time: TimeControl, overrun: Overrun, takebacks: bool) -> Rules {
    Rules {
        time,
        overrun,
        empties: Empties::ToWinner,
        takebacks,
        opening: Opening::Standard,
        rated: false,
        prompt_start: false,
    }
}

const fn sudden_death(minutes: u32) -> TimeControl {
    TimeControl::SuddenDeath { main_ms: minutes * 60_000 }
}

const DAY_MS: u32 = 24 * 60 * 60_000;
/// How long a player has for one move by correspondence.
const PER_MOVE_MS: std::ops::RangeInclusive<u32> = DAY_MS..=14 * DAY_MS;
/// How long a player who should begin soon has for the first move of a live game.
const FIRST_MOVE_MS: u64 = 30_000;

/// No time in an agreement on a live game may be longer than a day.
pub const LONGEST_MS: u32 = 24 * 60 * 60_000;

/// An agreement that nobody could play by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// No time at all, or periods without length.
    #[error("a clock needs at least one second for the first move")]
    TooShort,
    /// More than a day.
    #[error("a clock holds at most 24 hours")]
    TooLong,
    /// More periods than anyone needs.
    #[error("a clock has at most 60 periods")]
    TooManyPeriods,
    /// The given moves are not legal, or leave nothing to play.
    #[error("no game begins with these moves")]
    BadOpening,
    /// Less than a day for a move, or more than two weeks.
    #[error("a move by correspondence takes from 1 to 14 days")]
    BadDays,
    /// A rated game without a clock.
    #[error("a rated game needs a clock")]
    RatedWithoutClock,
    /// A rated game in which moves may be taken back.
    #[error("a rated game is played without takebacks")]
    RatedTakebacks,
    /// A rated game of one person against themselves or the computer.
    #[error("a rated game is between two people")]
    RatedAlone,
}

impl Rules {
    /// Whether a game can be played by these rules.
    ///
    /// # Errors
    ///
    /// [`RulesError`] says what is wrong with the clock.
    ///
    /// ```
    /// use table::{Preset, Rules, RulesError, TimeControl};
    /// let rules = Rules { time: TimeControl::SuddenDeath { main_ms: 0 }, ..Preset::Club.rules() };
    /// assert_eq!(rules.check(), Err(RulesError::TooShort));
    /// ```
    pub fn check(self) -> Result<(), RulesError> {
        if self.rated && self.time == TimeControl::None {
            return Err(RulesError::RatedWithoutClock);
        }
        if self.rated && self.takebacks {
            return Err(RulesError::RatedTakebacks);
        }
        let (first, longest) = match self.time {
            TimeControl::PerMove { per_move_ms } if PER_MOVE_MS.contains(&per_move_ms) => return Ok(()),
            TimeControl::PerMove { .. } => return Err(RulesError::BadDays),
            TimeControl::None => return Ok(()),
            TimeControl::SuddenDeath { main_ms } => (main_ms, main_ms),
            TimeControl::Fischer { main_ms, increment_ms } => (main_ms, main_ms.max(increment_ms)),
            TimeControl::ByoYomi { main_ms, period_ms, periods } => {
                if periods > 60 {
                    return Err(RulesError::TooManyPeriods);
                }
                if period_ms < 1000 || periods == 0 {
                    return Err(RulesError::TooShort);
                }
                (main_ms.max(period_ms), main_ms.max(period_ms))
            }
        };
        if first < 1000 {
            Err(RulesError::TooShort)
        } else if longest > LONGEST_MS {
            Err(RulesError::TooLong)
        } else {
            Ok(())
        }
    }

    /// How long a player has for the first move they choose; whoever takes longer has not come, and the game ends without a result.
    /// `None` where nobody is hurried.
    ///
    /// ```
    /// use table::{Preset, Rules};
    /// let rules = Preset::Thirty.rules();
    /// assert_eq!(rules.first_move_ms(), None);
    /// assert_eq!(Rules { rated: true, ..rules }.first_move_ms(), Some(30_000));
    /// ```
    pub fn first_move_ms(self) -> Option<u64> {
        match self.time {
            TimeControl::PerMove { per_move_ms } => Some(per_move_ms.into()),
            _ if !self.rated && !self.prompt_start => None,
            // Never more than the clock would give.
            _ => Some(Clock::new(&self).map_or(FIRST_MOVE_MS, |clock| clock.left_ms.min(FIRST_MOVE_MS))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_can_be_played() {
        for preset in Preset::ALL {
            assert_eq!(preset.rules().check(), Ok(()), "{preset:?}");
        }
    }

    #[test]
    fn clocks_nobody_could_play_with_are_refused() {
        let check = |time| Rules { time, ..Preset::Club.rules() }.check();
        assert_eq!(check(TimeControl::SuddenDeath { main_ms: 999 }), Err(RulesError::TooShort));
        assert_eq!(check(TimeControl::SuddenDeath { main_ms: LONGEST_MS + 1 }), Err(RulesError::TooLong));
        assert_eq!(check(TimeControl::Fischer { main_ms: 0, increment_ms: 5000 }), Err(RulesError::TooShort));
        let periods = |period_ms, periods| check(TimeControl::ByoYomi { main_ms: 0, period_ms, periods });
        assert_eq!(periods(30_000, 61), Err(RulesError::TooManyPeriods));
        assert_eq!(periods(30_000, 0), Err(RulesError::TooShort));
        assert_eq!(periods(0, 3), Err(RulesError::TooShort));
        assert_eq!(periods(30_000, 3), Ok(()));
        let days = |days: u32| check(TimeControl::PerMove { per_move_ms: days * DAY_MS });
        assert_eq!(
            (days(0), days(1), days(14), days(15)),
            (Err(RulesError::BadDays), Ok(()), Ok(()), Err(RulesError::BadDays))
        );
    }

    #[test]
    fn a_rated_game_has_a_clock_and_no_takebacks() {
        let rated = |preset: Preset| Rules { rated: true, ..preset.rules() }.check();
        assert_eq!(rated(Preset::Casual), Err(RulesError::RatedWithoutClock));
        assert_eq!(rated(Preset::Club), Err(RulesError::RatedTakebacks));
        assert_eq!(rated(Preset::Thirty), Ok(()));
    }

    #[test]
    fn rules_kept_before_games_were_rated_are_still_read() {
        let kept = r#"{"time":{"kind":"sudden_death","main_ms":1800000},"overrun":"loses","empties":"to_winner","takebacks":false}"#;
        assert_eq!(serde_json::from_str::<Rules>(kept).unwrap(), Preset::Thirty.rules());
        let days = TimeControl::PerMove { per_move_ms: DAY_MS };
        assert_eq!(serde_json::to_string(&days).unwrap(), r#"{"kind":"per_move","per_move_ms":86400000}"#);
    }
}

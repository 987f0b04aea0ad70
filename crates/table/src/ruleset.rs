//! What is agreed before the first move: [`Rules`], and the agreements that have a name: [`Preset`].

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
    Rules { time, overrun, empties: Empties::ToWinner, takebacks, opening: Opening::Standard }
}

const fn sudden_death(minutes: u32) -> TimeControl {
    TimeControl::SuddenDeath { main_ms: minutes * 60_000 }
}

/// No time in an agreement may be longer than a day.
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
        let (first, longest) = match self.time {
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
    }
}

//! One player's clock: [`Clock`].
//!
//! A clock does not know what time it is: it is told how much time went by. Charging it in one piece or in many gives the
//! same clock, so it does not matter how often anyone looks.
//!
//! A player may use their time to the last millisecond: a move that comes in the very millisecond the clock reaches zero is
//! in time, and the flag falls in the next.

use crate::{Overrun, Rules, TimeControl};
use serde::{Deserialize, Serialize};

/// Extra time after the first overrun by the two-minute rule.
pub const OVERTIME_MS: u64 = 2 * 60_000;

/// What one player has left.
///
/// ```
/// use table::{Clock, Preset, Stage};
/// let rules = Preset::Tournament.rules();
/// let clock = Clock::new(&rules).unwrap();
/// let half = clock.charge(15 * 60_000, &rules);
/// assert_eq!(half.left_ms, 15 * 60_000);
/// let late = half.charge(15 * 60_000 + 1, &rules);
/// assert_eq!((late.stage, late.left_ms), (Stage::Overtime, 2 * 60_000 - 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    /// Milliseconds left in this stage.
    pub left_ms: u64,
    /// What the time belongs to.
    pub stage: Stage,
    /// All the time this player has used.
    pub used_ms: u64,
}

/// The stretch of time a clock is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The time given at the start.
    Main,
    /// A byo-yomi period, with so many more behind it.
    Period(u8),
    /// The two minutes after a first overrun; the game is already lost.
    Overtime,
    /// Nothing left.
    Out,
}

/// What a player has to think with: [`Clock::thinking_time`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThinkingTime {
    /// Milliseconds until it costs the player something.
    pub left_ms: u64,
    /// Milliseconds the move brings back.
    pub gain_ms: u64,
}

impl ThinkingTime {
    /// What is left after `ms` milliseconds of waiting.
    #[must_use]
    pub fn less(self, ms: u64) -> ThinkingTime {
        ThinkingTime { left_ms: self.left_ms.saturating_sub(ms), ..self }
    }

    /// The most that may go by without a thought, for manners or in a queue: a twentieth, so that it never costs the game.
    pub fn idle_ms(self) -> u64 {
        self.left_ms / 20
    }
}

impl Clock {
    /// What there is to think with: the time left before the game is lost, and what a move brings back.
    ///
    /// ```
    /// use table::{Clock, Preset, Rules, ThinkingTime, TimeControl};
    /// let time = TimeControl::ByoYomi { main_ms: 5000, period_ms: 3000, periods: 2 };
    /// let rules = Rules { time, ..Preset::Club.rules() };
    /// let clock = Clock::new(&rules).unwrap();
    /// assert_eq!(clock.thinking_time(&rules), ThinkingTime { left_ms: 8000, gain_ms: 3000 });
    /// assert_eq!(clock.charge(6000, &rules).thinking_time(&rules), ThinkingTime { left_ms: 2000, gain_ms: 3000 });
    /// ```
    pub fn thinking_time(self, rules: &Rules) -> ThinkingTime {
        let (more, gain_ms) = match (rules.time, self.stage) {
            (_, Stage::Overtime | Stage::Out) => (0, 0),
            (TimeControl::Fischer { increment_ms, .. }, _) => (0, increment_ms),
            // A period that is not used up comes back whole; those behind it are for emergencies.
            (TimeControl::ByoYomi { period_ms, .. }, Stage::Main) => (period_ms, period_ms),
            (TimeControl::ByoYomi { period_ms, .. }, Stage::Period(_)) => (0, period_ms),
            (TimeControl::PerMove { per_move_ms }, _) => (0, per_move_ms),
            (TimeControl::None | TimeControl::SuddenDeath { .. }, _) => (0, 0),
        };
        ThinkingTime { left_ms: self.left_ms + u64::from(more), gain_ms: gain_ms.into() }
    }

    /// A clock before the first move; `None` where the rules have no clock.
    pub fn new(rules: &Rules) -> Option<Clock> {
        let (left_ms, stage) = match rules.time {
            TimeControl::None => return None,
            TimeControl::ByoYomi { main_ms: 0, period_ms, periods } => {
                (period_ms, Stage::Period(periods.saturating_sub(1)))
            }
            TimeControl::SuddenDeath { main_ms }
            | TimeControl::Fischer { main_ms, .. }
            | TimeControl::ByoYomi { main_ms, .. }
            | TimeControl::PerMove { per_move_ms: main_ms } => (main_ms, Stage::Main),
        };
        Some(Clock { left_ms: left_ms.into(), stage, used_ms: 0 })
    }

    /// The clock after `ms` more milliseconds of its player's turn.
    #[must_use]
    pub fn charge(mut self, mut ms: u64, rules: &Rules) -> Clock {
        self.used_ms += ms;
        while ms > self.left_ms && self.stage != Stage::Out {
            ms -= self.left_ms;
            (self.stage, self.left_ms) = self.next_stage(rules);
        }
        self.left_ms = self.left_ms.saturating_sub(ms);
        self
    }

    fn next_stage(self, rules: &Rules) -> (Stage, u64) {
        let overtime = match (self.stage, rules.overrun) {
            (Stage::Main | Stage::Period(_), Overrun::TwoMinutes) => (Stage::Overtime, OVERTIME_MS),
            _ => (Stage::Out, 0),
        };
        match (rules.time, self.stage) {
            (TimeControl::ByoYomi { period_ms, periods, .. }, Stage::Main) if periods > 0 => {
                (Stage::Period(periods - 1), period_ms.into())
            }
            (TimeControl::ByoYomi { period_ms, .. }, Stage::Period(more)) if more > 0 => {
                (Stage::Period(more - 1), period_ms.into())
            }
            _ => overtime,
        }
    }

    /// The clock after its player completed a move: a period, or the time for a move, is whole again, an increment is added.
    ///
    /// Overtime gets neither.
    #[must_use]
    pub fn moved(self, rules: &Rules) -> Clock {
        let mut clock = self.turn_over(rules);
        if let (TimeControl::Fischer { increment_ms, .. }, Stage::Main) = (rules.time, self.stage) {
            clock.left_ms += u64::from(increment_ms);
        }
        clock
    }

    /// The clock after a turn that earns no increment, because its move had been made before or was taken back: a period, or the time for a
    /// move, is whole again all the same.
    #[must_use]
    pub fn turn_over(mut self, rules: &Rules) -> Clock {
        match (rules.time, self.stage) {
            (TimeControl::ByoYomi { period_ms, .. }, Stage::Period(_)) => self.left_ms = period_ms.into(),
            (TimeControl::PerMove { per_move_ms }, Stage::Main) => self.left_ms = per_move_ms.into(),
            _ => {}
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;
    use proptest::prelude::*;

    fn rules() -> impl Strategy<Value = Rules> {
        let time = prop_oneof![
            (1000u32..90_000).prop_map(|main_ms| TimeControl::SuddenDeath { main_ms }),
            (1000u32..90_000, 0u32..9000)
                .prop_map(|(main_ms, increment_ms)| TimeControl::Fischer { main_ms, increment_ms }),
            (0u32..90_000, 1000u32..9000, 1u8..5).prop_map(|(main_ms, period_ms, periods)| TimeControl::ByoYomi {
                main_ms,
                period_ms,
                periods
            }),
        ];
        let overrun = prop_oneof![Just(Overrun::Loses), Just(Overrun::TwoMinutes), Just(Overrun::AtLeast33)];
        (time, overrun).prop_map(|(time, overrun)| Rules { time, overrun, ..Preset::Club.rules() })
    }

    proptest! {
        #[test]
        fn charging_in_pieces_is_charging_at_once(rules in rules(), pieces in prop::collection::vec(0u64..70_000, 0..8)) {
            let clock = Clock::new(&rules).unwrap();
            let whole = clock.charge(pieces.iter().sum(), &rules);
            let parts = pieces.iter().fold(clock, |clock, &ms| clock.charge(ms, &rules));
            prop_assert_eq!(whole, parts);
            prop_assert_eq!(whole.used_ms, pieces.iter().sum::<u64>());
        }
    }

    #[test]
    fn the_last_millisecond_may_be_used() {
        let rules = Rules { time: TimeControl::SuddenDeath { main_ms: 1000 }, ..Preset::Club.rules() };
        let clock = Clock::new(&rules).unwrap();
        assert_eq!(clock.charge(1000, &rules), Clock { left_ms: 0, stage: Stage::Main, used_ms: 1000 });
        assert_eq!(clock.charge(1001, &rules).stage, Stage::Out);
    }

    #[test]
    fn periods_come_back_whole_and_run_out_one_by_one() {
        let time = TimeControl::ByoYomi { main_ms: 5000, period_ms: 3000, periods: 2 };
        let rules = Rules { time, ..Preset::Club.rules() };
        let clock = Clock::new(&rules).unwrap().charge(6000, &rules);
        assert_eq!((clock.stage, clock.left_ms), (Stage::Period(1), 2000));
        let clock = clock.moved(&rules);
        assert_eq!((clock.stage, clock.left_ms), (Stage::Period(1), 3000));
        let clock = clock.charge(3001, &rules).moved(&rules);
        assert_eq!((clock.stage, clock.left_ms), (Stage::Period(0), 3000));
        assert_eq!(clock.charge(3001, &rules).stage, Stage::Out);
    }

    #[test]
    fn overtime_earns_no_increment() {
        let time = TimeControl::Fischer { main_ms: 1000, increment_ms: 500 };
        let rules = Rules { time, overrun: Overrun::TwoMinutes, ..Preset::Club.rules() };
        let clock = Clock::new(&rules).unwrap();
        assert_eq!(clock.charge(400, &rules).moved(&rules).left_ms, 1100);
        let late = clock.charge(1001, &rules).moved(&rules);
        assert_eq!((late.stage, late.left_ms), (Stage::Overtime, OVERTIME_MS - 1));
        assert_eq!(late.charge(OVERTIME_MS, &rules).stage, Stage::Out);
    }
}

//! How fast a game is played, told apart by type: [`Pace`].
//!
//! What may be done to somebody who is away differs between a game that people sit at and one that takes days. A claim takes a
//! [`LiveClock`], and no other kind of game has one.

use crate::{Rules, TimeControl};

/// A game has about so many moves of each player.
const MOVES: u64 = 30;
/// Below this estimate a game is fast.
const FAST_MS: u64 = 5 * 60_000;

/// How fast a game is played.
///
/// ```
/// use table::{Pace, Preset, Rules, TimeControl};
/// assert_eq!(Preset::Casual.rules().pace(), Pace::Free);
/// let Pace::Live(clock) = Preset::Thirty.rules().pace() else { panic!("it has a clock") };
/// assert_eq!(clock.claim_after_ms(), 60_000);
/// let days = TimeControl::PerMove { per_move_ms: 86_400_000 };
/// assert!(matches!(Rules { time: days, ..Preset::Casual.rules() }.pace(), Pace::Days(_)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pace {
    /// Without a clock: nobody has promised to stay.
    Free,
    /// Both players sit at it until it is over.
    Live(LiveClock),
    /// By correspondence.
    Days(DaysPerMove),
}

/// The clock of a game that both players sit at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LiveClock {
    estimate_ms: u64,
}

/// The time for each move by correspondence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DaysPerMove {
    /// In milliseconds.
    pub per_move_ms: u32,
}

impl LiveClock {
    /// How long each player will take, more or less.
    pub fn estimate_ms(self) -> u64 {
        self.estimate_ms
    }

    /// For so long a player may be away on their turn before the other may claim the game.
    pub fn claim_after_ms(self) -> u64 {
        if self.estimate_ms < FAST_MS { 30_000 } else { 60_000 }
    }
}

impl Rules {
    /// How fast the game is played.
    pub fn pace(self) -> Pace {
        let estimate_ms = match self.time {
            TimeControl::None => return Pace::Free,
            TimeControl::PerMove { per_move_ms } => return Pace::Days(DaysPerMove { per_move_ms }),
            TimeControl::SuddenDeath { main_ms } => main_ms.into(),
            TimeControl::Fischer { main_ms, increment_ms } => u64::from(main_ms) + MOVES * u64::from(increment_ms),
            TimeControl::ByoYomi { main_ms, period_ms, .. } => u64::from(main_ms) + MOVES * u64::from(period_ms) / 2,
        };
        Pace::Live(LiveClock { estimate_ms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    #[test]
    fn a_fast_game_is_claimed_sooner() {
        let after = |time| match (Rules { time, ..Preset::Club.rules() }).pace() {
            Pace::Live(clock) => clock.claim_after_ms(),
            other => panic!("{other:?}"),
        };
        assert_eq!(after(TimeControl::SuddenDeath { main_ms: 299_999 }), 30_000);
        assert_eq!(after(TimeControl::SuddenDeath { main_ms: 300_000 }), 60_000);
        assert_eq!(after(TimeControl::Fischer { main_ms: 180_000, increment_ms: 3_000 }), 30_000);
        assert_eq!(after(TimeControl::Fischer { main_ms: 180_000, increment_ms: 4_000 }), 60_000);
        assert_eq!(after(TimeControl::ByoYomi { main_ms: 0, period_ms: 20_000, periods: 1 }), 60_000);
    }
}

//! How far away the players are, and what becomes of it.

use crate::Room;
use rules::Color;
use table::{At, PersonId};

impl Room {
    /// A message takes so long to `who` and back, as whoever serves the game has measured it. A program gets nothing back: say 0.
    ///
    /// It is not kept: what is given back to a player stands in the entry of their move.
    pub fn measured(&mut self, who: PersonId, round_trip_ms: u64) {
        for color in Color::ALL {
            if self.table.holds(Some(who), color) {
                self.round_trip_ms[color] = round_trip_ms;
            }
        }
    }

    /// What `color` gets back of a move that is received at `at`.
    pub(crate) fn lag_of(&self, color: Color, at: At) -> u64 {
        let charged = at.saturating_sub(self.table.at()).saturating_sub(self.stalled_ms);
        self.table.lag_of(color, self.round_trip_ms[color], self.table.at() + charged)
    }

    /// For so long after the flag a move may still be on its way that was made in time.
    pub(crate) fn grace_ms(&self) -> u64 {
        self.table.running().map_or(0, |color| self.lag_of(color, At::MAX))
    }
}

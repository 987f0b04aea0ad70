//! How far away the players are, and what becomes of it.

use crate::Room;
use rules::{ByColor, Color};
use table::{At, PersonId, Seat};

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

    /// Its players may be at other nodes, which have measured how far away they are: until that is known here, a flag waits as long as it
    /// does for anybody.
    pub fn may_be_far(&mut self) {
        let far = |seat: &Seat| if matches!(seat, Seat::Computer { .. }) { 0 } else { u64::MAX };
        self.round_trip_ms = self.table.seats().as_ref().map(far);
    }

    /// This is the game that `before` was, read again: those players that are `here` are as far away as they were.
    pub fn measured_as(&mut self, before: &Room, here: ByColor<bool>) {
        for color in Color::ALL {
            if here[color] {
                self.round_trip_ms[color] = before.round_trip_ms[color];
            }
        }
    }

    /// Whether a clock has run out by `at`, and a move that was made in time may still be on its way.
    pub(crate) fn waits_for_a_move(&self, at: At) -> bool {
        let (deadline, wake_at) = (self.table.deadline(), self.wake_at());
        deadline.is_some_and(|deadline| deadline + self.stalled_ms <= at) && wake_at.is_some_and(|wake_at| at < wake_at)
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

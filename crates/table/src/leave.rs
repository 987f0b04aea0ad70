//! How a game ends that somebody does not play: [`Table::abort`], and a [`Claim`] when the other player has left.

use crate::{LiveClock, Pace, Refusal, Seat, Table, Verdict};
use rules::Color;
use serde::{Deserialize, Serialize};

/// Until so many moves of their own a player may abort the game.
const FREE_TO_ABORT: u8 = 2;

/// What a player makes of a game that the other one left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// They win.
    Win,
    /// It is a draw.
    Draw,
}

impl Table {
    /// Whether another person sits across from `by`.
    pub(crate) fn has_opponent(&self, by: Color) -> bool {
        match &self.seats[!by] {
            Seat::Computer { .. } | Seat::Open => false,
            Seat::Person { who, .. } => self.seats[by].person() != Some(*who),
        }
    }

    /// Whether `by` may end the game without a result: between two people, before their own second move.
    pub fn may_abort(&self, by: Color) -> bool {
        self.check_open().is_ok() && self.has_opponent(by) && self.chosen[by] < FREE_TO_ABORT
    }

    pub(crate) fn abort(&mut self, by: Color) -> Result<(), Refusal> {
        self.check_open()?;
        if !self.may_abort(by) {
            return Err(Refusal::TooLateToAbort);
        }
        self.end_aborted(by);
        Ok(())
    }

    pub(crate) fn end_aborted(&mut self, by: Color) {
        self.offer = None;
        self.verdict = Some(Verdict::aborted(&self.position(), by));
    }

    /// The clock of a game that `by` may claim once the other player, whose turn it is, has been away for long enough.
    ///
    /// Only a live game has such a clock: one by correspondence, or without a clock, cannot be claimed.
    pub fn claimable(&self, by: Color) -> Option<LiveClock> {
        let Pace::Live(clock) = self.rules.pace() else { return None };
        (self.has_opponent(by) && self.turn() == Some(!by)).then_some(clock)
    }

    pub(crate) fn claim(&mut self, by: Color, what: Claim, away_ms: u64) -> Result<(), Refusal> {
        self.check_open()?;
        let clock = self.claimable(by).ok_or(Refusal::NoClaim)?;
        if away_ms < clock.claim_after_ms() {
            return Err(Refusal::NotAwayYet);
        }
        self.offer = None;
        self.verdict = Some(Verdict::left(&self.position(), !by, what, self.late));
        Ok(())
    }

    /// The player to move has not made a first move in time: in games that must begin soon.
    pub(crate) fn first_move_left(&self) -> Option<(Color, u64)> {
        let turn = self.turn()?;
        let limit = self.rules.first_move_ms()?;
        let hurried = self.chosen[turn] == 0 && self.seats[turn].person().is_some() && self.has_opponent(turn);
        hurried.then(|| (turn, limit.saturating_sub(self.turn_ms)))
    }
}

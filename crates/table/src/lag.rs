//! What the network takes from a player, given back: [`Lag`].
//!
//! A move is on its way to the server for a while, and so was the news that it was this player's turn. The server measures how long
//! a message takes there and back; of that a player gets back at most half a second with a move, out of a bank that is filled up by half
//! as much with each move: whoever has a slow line is not hurt, and whoever feigns one gains little.

use serde::{Deserialize, Serialize};

/// At most so much is given back with one move.
const MOST_MS: u64 = 500;
/// As much as the bank ever holds.
const BANK_MS: u64 = 3 * MOST_MS;
/// Each move puts so much back into it.
const REFILL_MS: u64 = MOST_MS / 2;

/// One player's bank, and what came out of it.
///
/// ```
/// use table::Lag;
/// let mut lag = Lag::default();
/// assert_eq!(lag.allowed(80, 10_000), 80);
/// assert_eq!(lag.allowed(2_000, 10_000), 500);
/// assert_eq!(lag.allowed(2_000, 40), 40); // never more than the move took
/// for _ in 0..60 {
///     lag.spend(lag.allowed(2_000, 10_000));
/// }
/// assert_eq!(lag.total_ms(), 1_500 + 59 * 250);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Lag {
    bank_ms: u64,
    total_ms: u64,
}

impl Default for Lag {
    fn default() -> Lag {
        Lag { bank_ms: BANK_MS, total_ms: 0 }
    }
}

impl Lag {
    /// What a player gets back of a move that took `took_ms`, if a message takes `round_trip_ms` there and back.
    pub fn allowed(self, round_trip_ms: u64, took_ms: u64) -> u64 {
        round_trip_ms.min(MOST_MS).min(self.bank_ms).min(took_ms)
    }

    /// All that was given back.
    pub fn total_ms(self) -> u64 {
        self.total_ms
    }

    /// A move was made, and `ms` of its time given back.
    pub fn spend(&mut self, ms: u64) {
        self.total_ms += ms;
        self.bank_ms = (self.bank_ms.saturating_sub(ms) + REFILL_MS).min(BANK_MS);
    }
}

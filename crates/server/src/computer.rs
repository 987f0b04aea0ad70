//! What the computer is asked for: moves in its seats, and hints to those who play alone.

use crate::{House, lobby::Page, protocol, protocol::ToBrowser, protocol::Why, refusal::Refused, room::text};
use analyst::{Busy, Level, Owner, Turn};
use rules::{Position, Square};
use std::time::Duration;
use table::{Seat, Table, ThinkingTime, Who};

impl Refused {
    fn busy(busy: Busy) -> Refused {
        Refused::new(Why::TooMany, busy)
    }
}

/// A person as the analyst tells them from others.
fn owner(who: Who) -> Owner {
    Owner(who.0 as u64)
}

/// The computer's levels, weakest first.
pub(crate) fn levels() -> Vec<protocol::Level> {
    let level = |level: &Level| protocol::Level { level: level.number, name: level.name.to_owned() };
    Level::ALL.iter().map(level).collect()
}

/// The computer's turn at a table.
pub(crate) fn turn(table: &Table, level: u8, seed: u64, time: Option<ThinkingTime>) -> Turn {
    let other = table.seats().iter().find_map(Seat::person);
    Turn {
        owner: owner(other.unwrap_or(Who(0))),
        position: table.position(),
        // One that is gone since the game was begun: the strongest is the one nobody complains of.
        level: *Level::numbered(level).unwrap_or(&Level::STRONGEST),
        seed,
        clock: time.map(|time| (Duration::from_millis(time.left_ms), Duration::from_millis(time.gain_ms))),
    }
}

impl House {
    /// Sends a hint to a page as soon as there is one; a page that has gone meanwhile is not thought for.
    pub(crate) fn send_hint(
        &self,
        page: &Page,
        id: String,
        game: String,
        ply: u8,
        position: Position,
    ) -> Result<(), Refused> {
        let job = self.analyst.hint(owner(page.identity.who), position).map_err(Refused::busy)?;
        let outbox = page.outbox.clone();
        tokio::spawn(async move {
            let found = tokio::select! {
                found = job.answer() => found,
                () = outbox.closed() => return,
            };
            let best: Option<Square> = found.and_then(|analysis| analysis.best().map(|best| best.square));
            let message = match best.or(position.legal().first()) {
                Some(square) => ToBrowser::Hint { id, game, ply, square },
                None => ToBrowser::Refused { id, why: Why::Over, text: table::Refusal::Over.to_string() },
            };
            outbox.push(&text(&message));
        });
        Ok(())
    }
}

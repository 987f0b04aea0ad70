//! What the computer is asked for: moves in its seats, and hints to those who play alone.

use crate::{
    House,
    live::Live,
    lobby::Page,
    protocol::{self, ToBrowser, Why},
    refusal::Refused,
    socket::text,
};
use analyst::{Busy, Level, Owner, Turn};
use room::{ComputersTurn, Room};
use rules::{Position, Square};
use std::{sync::Arc, time::Duration};
use study::book::Book;
use table::{CommandId, GameId, PersonId, Ply, Seat};
use tokio::sync::oneshot;

impl Refused {
    pub(crate) fn busy(busy: Busy) -> Refused {
        Refused::new(Why::TooMany, busy)
    }
}

/// A person as the analyst tells them from others.
pub(crate) fn owner(who: PersonId) -> Owner {
    Owner(who.0 as u64)
}

/// The computer's levels, weakest first.
pub(crate) fn levels() -> Vec<protocol::Level> {
    let level = |level: &Level| protocol::Level { level: level.number, name: level.name.to_owned() };
    Level::ALL.iter().map(level).collect()
}

/// A move out of the book, for a level that uses it.
///
/// Careless levels vary by themselves, and would not be themselves with a book. The others would always play the same game: they draw
/// among moves within a disc of the best, the strongest only among the best, and only where the book has looked as far as they do.
fn from_book(book: &Book, turn: &Turn) -> Option<Square> {
    /// From this level on nothing is given away for variety.
    const NOTHING_AWAY: u8 = 17;
    let Level { number, carelessness, depth, .. } = turn.level;
    if carelessness > 0.0 {
        return None;
    }
    let within = if number >= NOTHING_AWAY { 0 } else { 1 };
    study::book::choose(book, &turn.position, within, depth, turn.seed)
}

/// The computer thinks about its move and plays it, unless it is told to give up.
pub(crate) fn think(live: &Arc<Live>, room: &Room, turn: ComputersTurn, given_up: oneshot::Receiver<()>) {
    let (now, since) = (live.house.time.now(), room.seq());
    let time = room.thinking_time(now);
    let other = room.table().seats().iter().find_map(Seat::person);
    let asked = Turn {
        owner: owner(other.unwrap_or(PersonId(0))),
        position: turn.position,
        // One that is gone since the game was begun: the strongest is the one nobody complains of.
        level: *Level::numbered(turn.level).unwrap_or(&Level::STRONGEST),
        seed: now ^ since.0 << 32,
        clock: time.map(|time| (Duration::from_millis(time.left_ms), Duration::from_millis(time.gain_ms))),
    };
    // A polite pause may take a part of the clock, never the game.
    let idle = time.map_or(Duration::MAX, |time| Duration::from_millis(time.idle_ms()));
    let pause = live.house.config.pause.min(idle);
    let from_book = from_book(&live.house.book, &asked);
    let live = live.clone();
    tokio::spawn(async move {
        let pause = tokio::time::sleep(pause);
        let square = tokio::select! {
            square = async { match from_book { None => live.house.analyst.choose(&asked).await, known => known } } => square,
            // The game went another way, or is gone: the sender was dropped.
            _ = given_up => return,
        };
        if let Some(square) = square {
            pause.await;
            live.play(&turn, square).await;
        }
        live.thought(since).await;
    });
}

impl House {
    /// Sends a hint to a page as soon as there is one; a page that has gone meanwhile is not thought for.
    pub(crate) fn send_hint(
        &self,
        page: &Page,
        id: CommandId,
        game: GameId,
        ply: Ply,
        position: Position,
    ) -> Result<(), Refused> {
        let job = self.analyst.hint(owner(page.who()), position).map_err(Refused::busy)?;
        let outbox = page.outbox.clone();
        tokio::spawn(async move {
            let found = tokio::select! {
                found = job.answer() => found,
                () = outbox.closed() => return,
            };
            let best: Option<Square> = found.and_then(|analysis| analysis.best().map(|best| best.square));
            let message = match best.or(position.legal().first()) {
                Some(square) => ToBrowser::Hint { id, game, ply, square },
                None => ToBrowser::Refused { id: id.into(), why: Why::Over, text: table::Refusal::Over.to_string() },
            };
            outbox.push(&text(&message));
        });
        Ok(())
    }
}

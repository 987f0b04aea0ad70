//! What the computer is asked for: moves in its seats, and hints to those who play alone.

use crate::{
    House,
    connections::Place,
    live::Live,
    lobby::Page,
    protocol::{self, ToBrowser, Why},
    refusal::Refused,
    socket::text,
};
use analyst::{Analyst, Ask, Busy, Level, Limits, Owner, Purpose, Turn};
use room::{ComputersTurn, Room};
use rules::{Position, Square};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::{Duration, Instant},
};
use study::{
    advice::{Advice, Caution},
    book::Book,
};
use table::{CommandId, GameId, PersonId, Ply, Seat};
use tokio::{sync::oneshot, time::timeout};

impl Refused {
    pub(crate) fn busy(busy: Busy) -> Refused {
        Refused::new(Why::Busy, busy)
    }
}

/// A person as the analyst tells them from others.
pub(crate) fn owner_of(who: PersonId) -> Owner {
    Owner::of(who.0 as u64)
}

/// Whoever looks at a page. Guests are as many as they like: those of one address share as one.
pub(crate) fn owner(page: &Page) -> Owner {
    let person = owner_of(page.who());
    match page.place {
        Place::Net(address) if page.identity.is_guest() => {
            let mut hasher = DefaultHasher::new();
            address.hash(&mut hasher);
            // No person has such a number.
            person.among(hasher.finish() | 1 << 63)
        }
        _ => person,
    }
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
pub(crate) fn think(
    live: &Arc<Live>,
    room: &Room,
    turn: ComputersTurn,
    asker: Option<Owner>,
    mut given_up: oneshot::Receiver<()>,
    wait: Duration,
) {
    let (now, since) = (live.house.time.now(), room.seq());
    let time = room.thinking_time(now);
    let other = room.table().seats().iter().find_map(Seat::person);
    let asked = Turn {
        owner: asker.unwrap_or_else(|| owner_of(other.unwrap_or(PersonId(0)))),
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
        if !wait.is_zero() && timeout(wait, &mut given_up).await.is_ok() {
            return; // somebody else has thought
        }
        let pause = tokio::time::sleep(pause);
        let square = tokio::select! {
            square = async { match from_book { None => live.house.analyst.choose(&asked).await, known => known } } => square,
            // The game went another way, or is gone: the sender was dropped.
            _ = &mut given_up => return,
        };
        if let Some(square) = square {
            pause.await;
            live.play(&turn, square).await;
        }
        live.thought(since).await;
    });
}

/// How long a reason for a hint may take: whoever wants to think for themselves has begun by then.
const REASON: Duration = Duration::from_secs(3);

/// A hint that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct HintAsked {
    pub(crate) id: CommandId,
    pub(crate) game: GameId,
    pub(crate) ply: Ply,
    pub(crate) position: Position,
}

impl House {
    /// Sends a hint to a page as soon as there is one, and what speaks for it if a search finds that soon; a page that has gone
    /// meanwhile is not thought for.
    pub(crate) fn send_hint(&self, page: &Page, asked: HintAsked) -> Result<(), Refused> {
        let owner = owner(page);
        let job = self.analyst.hint(owner, asked.position).map_err(Refused::busy)?;
        let (outbox, analyst) = (page.outbox.clone(), self.analyst.clone());
        tokio::spawn(async move {
            let HintAsked { id, game, ply, position } = asked;
            let found = tokio::select! {
                found = job.answer() => found,
                () = outbox.closed() => return,
            };
            let best: Option<Square> = found.and_then(|analysis| analysis.best().map(|best| best.square));
            let Some(square) = best.or(position.legal().first()) else {
                outbox.push(&text(&Refused::from(table::Refusal::Over).answer(id)));
                return;
            };
            outbox.push(&text(&ToBrowser::Hint { id, game: game.clone(), ply, square }));
            let reason = tokio::select! {
                reason = caution(&analyst, owner, position, square) => reason,
                () = outbox.closed() => return,
            };
            if let Some(Caution { square: instead_of, reason }) = reason {
                outbox.push(&text(&ToBrowser::HintReason { game, ply, square, instead_of, reason }));
            }
        });
        Ok(())
    }
}

/// What speaks for a good move, if it can be found in time.
async fn caution(analyst: &Analyst, owner: Owner, position: Position, good: Square) -> Option<Caution> {
    let until = Instant::now() + REASON;
    let mut advice = Advice::new(position, good);
    while let Some((position, limits)) = advice.next() {
        let left = until.checked_duration_since(Instant::now())?;
        let limits = Limits { time: Some(left), ..limits };
        let job = analyst.ask(Ask::new(owner, Purpose::Hint, position, limits)).ok()?;
        advice.answer(&job.answer().await?);
    }
    advice.caution().cloned()
}

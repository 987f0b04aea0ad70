//! A game with everything decided about it that is not the game itself, without I/O.
//!
//! A [`Room`] knows the table, who may do what there, which command was answered with what, when somebody must look at the clock
//! and whether the computer is to move. It has no clock, no lock and no socket: whoever drives it brings the time, keeps what it
//! writes, and tells everyone.
//!
//! ```text
//! room.ask(command, ask)  → Effects { writes, … }     pure; refusals end here
//! store.write(writes)                                 a number that is taken: read the game again and ask again
//! room.commit(effects)    → News                      it exists from here
//! ```
//!
//! ```
//! use room::{Answer, Ask, Command, Key, Random, Room};
//! use rules::{ByColor, Square};
//! use table::{Ply, Called, Preset, Refusal, Seat, PersonId};
//!
//! let mut random = Random::new([7; 128]);
//! let begin = Command { who: PersonId(1), id: "begin".parse()?, at: 0 };
//! let ana = Seat::Person { who: PersonId(1), name: Called::First };
//! let seats = ByColor { black: ana, white: Seat::Computer { level: 3 } };
//! let (mut room, writes) = Room::begin(Key([0; 32]), &begin, seats, Preset::Casual.rules(), &mut random)?;
//! assert_eq!(writes.len(), 2); // the game, and its place in Ana's list
//!
//! let play = Command { who: PersonId(1), id: "play".parse()?, at: 900 };
//! let f5 = Ask::Play { square: Square::F5, ply: Ply(0) };
//! let Answer::New(effects) = room.ask(&play, &f5, &mut random)? else { unreachable!("it is asked for the first time") };
//! assert_eq!(room.table().ply(), Ply(0)); // nothing has happened until it is kept
//! let news = room.commit(*effects, 905);
//! assert_eq!(room.table().ply(), Ply(1));
//! assert!(room.computer().is_some());
//!
//! // The same command again is answered as before, and changes nothing.
//! assert!(matches!(room.ask(&play, &f5, &mut random)?, Answer::Already(seq) if seq == news.seq));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod ask;
mod begin;
mod cause;
mod document;
mod invite;
mod kept;
mod lag;
mod openings;
mod random;
mod refused;
mod watch;

pub use ask::{Answer, Ask, Command, Effects, Ended, News, Removal};
pub use cause::Cause;
pub use document::{Document, DocumentCounts, DocumentHead, DocumentKey, DocumentKind};
pub use invite::Key;
pub use kept::{Begun, Entered, Listed, Stored, StoredEntry, Summary, Write};
pub use openings::balanced_opening;
pub use random::Random;
pub use refused::{LoadError, Refused};
pub use watch::{ComputersTurn, Role, Snapshot};

use rules::ByColor;
use std::collections::HashMap;
use table::{At, CommandId, GameId, PersonId, Ply, Seq, Table};

/// A game and everything decided about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    game: GameId,
    begun: At,
    key: Key,
    table: Table,
    /// How many moves stood after each entry, to tell a page that was away what it may keep. The first is before any.
    plies: Vec<Ply>,
    /// What the last entry was.
    cause: Cause,
    /// Commands that made an entry, and which.
    answered: HashMap<(PersonId, CommandId), Seq>,
    /// Hashes of invitations that do not follow from the key.
    invites: ByColor<Option<[u8; 32]>>,
    /// How long the last entry was on its way to the disk.
    stalled_ms: u64,
    /// How long a message takes to each player and back, as far as it is known and trusted.
    round_trip_ms: ByColor<u64>,
}

impl Room {
    /// A game as it was kept.
    ///
    /// # Errors
    ///
    /// [`LoadError`] names the first entry that does not follow.
    pub fn load(key: Key, stored: Stored) -> Result<Room, LoadError> {
        let begun = stored.setup.at;
        let table = Table::new(stored.setup)?;
        let mut room = Room::new(key, stored.game, begun, table);
        room.invites = stored.invites;
        for kept in &stored.log {
            let seq = room.seq().next();
            let next = room.table.after(&kept.entry).map_err(|why| LoadError::Entry { seq, why })?;
            room.cause = Cause::of(&kept.entry, &room.table, &next);
            room.table = next;
            room.plies.push(room.table.ply());
            if let Some((who, command)) = &kept.by {
                room.answered.insert((*who, command.clone()), seq);
            }
        }
        Ok(room)
    }

    fn new(key: Key, game: GameId, begun: At, table: Table) -> Room {
        Room {
            game,
            begun,
            key,
            plies: vec![table.ply()],
            table,
            cause: Cause::Opened,
            answered: HashMap::new(),
            invites: ByColor { black: None, white: None },
            stalled_ms: 0,
            round_trip_ms: ByColor { black: 0, white: 0 },
        }
    }

    /// The game's id.
    pub fn game(&self) -> &GameId {
        &self.game
    }

    /// When it was begun.
    pub fn begun(&self) -> At {
        self.begun
    }

    /// The game as it stands.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The number of the last entry.
    pub fn seq(&self) -> Seq {
        Seq(self.plies.len() as u64 - 1)
    }

    /// How long the last entry was on its way to the disk, which is charged to nobody.
    pub fn stalled_ms(&self) -> u64 {
        self.stalled_ms
    }

    /// The last entry was made elsewhere, and was on its way for so long.
    pub fn was_stalled(&mut self, ms: u64) {
        self.stalled_ms = ms;
    }

    /// What the last entry was.
    pub fn cause(&self) -> Cause {
        self.cause
    }
}

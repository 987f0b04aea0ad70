//! The wire: what a page says ([`ToServer`]) and hears ([`ToBrowser`]).
//!
//! JSON text messages over one WebSocket. `PROTOCOL.md` shows every message by example; `web/src/protocol.ts` is written from
//! these types, and tests keep both true.

use serde::{Deserialize, Serialize};
use table::CommandId;

mod accounts;
mod ask;
mod exercises;
mod game;
mod library;
mod meeting;
mod studies;
mod told;
mod welcome;
mod why;

pub use accounts::*;
pub use ask::*;
pub use exercises::*;
pub use game::*;
pub use library::*;
pub use meeting::*;
pub use room::Cause;
pub use studies::*;
pub use told::*;
pub use welcome::*;
pub use why::*;

/// The version of these messages. A page that was built for another says so and asks to be loaded again.
pub const PROTOCOL: u32 = 5;

/// The code with which a connection ends when the owner closes the door to the network.
pub const DOOR_CLOSED: u16 = 4001;

/// The code with which a connection ends when what let it in is good no more: someone signed out, changed their password or opened an
/// account. Connect again: `welcome.me` says who one is now.
pub const SIGNED_OUT: u16 = 4002;

/// One message from a page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ToServer {
    /// Chosen by the page, different for each command, at most 64 characters. The same id again gets the same answer and
    /// changes nothing, so a command may be sent again after a lost connection.
    pub id: CommandId,
    /// What is asked.
    #[serde(flatten)]
    pub ask: Ask,
}

#[cfg(test)]
mod typescript;

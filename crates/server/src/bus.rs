//! How the nodes of one server hear of each other: [`Bus`].
//!
//! A bus says that something has changed, never what: that is read from the store, which alone is right. It may lose, repeat and reorder
//! what it carries, and be away for a while. Play goes on meanwhile: whoever writes to a game that has moved on is told so by the store.

mod nats;

pub use nats::{BusError, Nats};

use rules::ByColor;
use serde::{Deserialize, Serialize};
use std::fmt;
use table::{GameId, PersonId, Seq};

/// A node, by the number it has drawn when it started.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct NodeId(pub u64);

/// What a node tells the others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A game has a new entry.
    Game {
        /// Which.
        game: GameId,
        /// How many entries it has.
        seq: Seq,
        /// How long the last one was on its way to the disk, which is charged to nobody.
        #[serde(default)]
        stalled_ms: u64,
    },
    /// Who has a game open at that node. Said again every few seconds, while anybody has.
    Here {
        /// Which game.
        game: GameId,
        /// How many entries it has there.
        seq: Seq,
        /// How long the last one was on its way to the disk, as far as that node knows. Nodes of an older version do not say.
        #[serde(default)]
        stalled_ms: u64,
        /// The players.
        here: ByColor<bool>,
        /// How many others. Nodes of an older version do not say.
        #[serde(default)]
        watchers: u32,
    },
    /// A node starts: whoever serves the games leaves a sign of life at once, so that it need not wait for one.
    Starts,
    /// The offers to play have changed.
    Lobby,
    /// Someone's offer has become a game.
    Paired {
        /// Whose.
        who: PersonId,
        /// Which offer.
        offer: GameId,
        /// Which game.
        game: GameId,
        /// Whether both have to be there: then only the page that waits for it hears of it.
        live: bool,
    },
    /// An offer is no more, and no game has come of it.
    Gone {
        /// Who is to hear of it.
        who: PersonId,
        /// Which.
        offer: GameId,
        /// Whether it was declined.
        declined: bool,
    },
    /// Somebody was challenged, or a challenge is gone.
    Person {
        /// Who.
        who: PersonId,
    },
    /// Something that let somebody in may be good no more: they signed out somewhere, or were suspended.
    SignedOut {
        /// Who.
        who: PersonId,
    },
    /// A setting of the server has changed.
    Settings,
}

/// What comes over a bus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// Another node says something.
    Said {
        /// Which node.
        by: NodeId,
        /// What.
        event: Event,
    },
    /// Nobody knows what was missed: the bus was away.
    Missed,
}

/// Carries events between nodes.
#[async_trait::async_trait]
pub trait Bus: fmt::Debug + Send + Sync {
    /// Whether there is nobody else: nothing need be said, and nothing is heard.
    fn is_alone(&self) -> bool {
        false
    }

    /// Whether what is said now is likely to be heard.
    fn is_there(&self) -> bool;

    /// Tells the other nodes, without waiting; false if there is no room for it now. It may be lost on its way all the same.
    fn say(&self, by: NodeId, event: &Event) -> bool;

    /// The next thing that is heard; a node hears itself or not. There is one listener.
    async fn hear(&self) -> Heard;
}

/// No bus: this node is the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Alone;

#[async_trait::async_trait]
impl Bus for Alone {
    fn is_alone(&self) -> bool {
        true
    }

    fn is_there(&self) -> bool {
        true
    }

    fn say(&self, _: NodeId, _: &Event) -> bool {
        true
    }

    async fn hear(&self) -> Heard {
        std::future::pending().await
    }
}

/// A bus on which nobody is heard, although there are others.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Deaf;

#[cfg(test)]
#[async_trait::async_trait]
impl Bus for Deaf {
    fn is_there(&self) -> bool {
        true
    }

    fn say(&self, _: NodeId, _: &Event) -> bool {
        true
    }

    async fn hear(&self) -> Heard {
        std::future::pending().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_node_of_an_older_version_says_is_understood() {
        let said = r#"{"type":"here","game":"k7q2m9x4tb","seq":3,"here":{"black":true,"white":false}}"#;
        let (game, here) = ("k7q2m9x4tb".parse().unwrap(), ByColor { black: true, white: false });
        let heard: Event = serde_json::from_str(said).unwrap();
        assert_eq!(heard, Event::Here { game, seq: Seq(3), stalled_ms: 0, here, watchers: 0 });
        let said = r#"{"type":"game","game":"k7q2m9x4tb","seq":3}"#;
        let heard: Event = serde_json::from_str(said).unwrap();
        assert_eq!(heard, Event::Game { game: "k7q2m9x4tb".parse().unwrap(), seq: Seq(3), stalled_ms: 0 });
    }
}

//! What is kept of how people meet: [`MeetingChange`].

use crate::{Offer, Played, Rated};
use table::{At, GameId, PersonId};

/// One thing to keep. A write holds several; all are kept or none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MeetingChange {
    /// A new offer, good until a moment. Refused if its id is taken, or if too many of its maker's, or too many challenges to the same
    /// person, wait already ([`Offer::MOST_BY_ONE`], [`Offer::MOST_TO_ONE`]).
    Offer {
        /// The offer.
        offer: Box<Offer>,
        /// Until when.
        until: At,
    },
    /// Whoever made an offer is still there: it is good until then. Nothing, if it is gone.
    Stay {
        /// Which.
        id: GameId,
        /// Until when.
        until: At,
    },
    /// Somebody takes an offer, which is gone with it. Refused if it is gone, or was good only until before `at`: so it is taken once.
    Take {
        /// Which.
        id: GameId,
        /// When.
        at: At,
    },
    /// An offer is gone because its maker, or the one it is for, says so. Nothing, if it is gone or theirs in no way.
    Withdraw {
        /// Which.
        id: GameId,
        /// Who says so.
        who: PersonId,
    },
    /// Someone has begun to play: their other offers of games that need them there are gone.
    Busy {
        /// Who.
        who: PersonId,
    },
    /// Offers that were good only until before `at` are gone.
    Expire {
        /// When.
        at: At,
    },
    /// A game that has ended.
    Played(Box<Played>),
    /// What a game did to the ratings of its players. Refused if the game has counted, or one of the ratings is not made of as many games
    /// as when this was computed.
    Rate(Box<Rated>),
    /// Someone wants to meet someone no more.
    Block {
        /// Who.
        who: PersonId,
        /// Whom.
        whom: PersonId,
    },
    /// They would again.
    Unblock {
        /// Who.
        who: PersonId,
        /// Whom.
        whom: PersonId,
    },
}

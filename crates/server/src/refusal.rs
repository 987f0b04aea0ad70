//! Why a command is not carried out, for the wire.

use crate::protocol::Why;
use rules::Reason;
use table::Refusal;

/// A refusal, for the page and for the reader of a log.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    /// For the page.
    pub(crate) why: Why,
    /// In English.
    pub(crate) text: String,
}

impl Refused {
    pub(crate) fn new(why: Why, text: impl ToString) -> Refused {
        Refused { why, text: text.to_string() }
    }

    pub(crate) fn no_such_game() -> Refused {
        Refused::new(Why::NoSuchGame, "there is no such game")
    }

    pub(crate) fn not_yours() -> Refused {
        Refused::new(Why::NotYours, "you hold no seat in this game")
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        let why = match refusal {
            Refusal::Over => Why::Over,
            Refusal::OutOfTime => Why::OutOfTime,
            Refusal::Waiting => Why::Waiting,
            Refusal::NotYourTurn => Why::NotYourTurn,
            Refusal::WrongPly { .. } => Why::WrongPly,
            Refusal::Illegal(illegal) => match illegal.reason {
                Reason::Occupied => Why::Occupied,
                Reason::TurnsNothing => Why::TurnsNothing,
                Reason::GameOver => Why::Over,
            },
            Refusal::NoTakebacks => Why::NoTakebacks,
            Refusal::NothingToTakeBack => Why::NothingToTakeBack,
            Refusal::AlreadyAsked => Why::AlreadyAsked,
            Refusal::NotAsked => Why::NotAsked,
            Refusal::SeatTaken => Why::SeatTaken,
            Refusal::NotYours => Why::NotYours,
        };
        Refused::new(why, refusal)
    }
}

//! Why a command is not carried out, for the wire.

use crate::protocol::{LibraryRejected, ToBrowser, Why};
use room::LoadError;
use rules::Reason;
use store::StoreError;
use table::Refusal;

/// A refusal, for the page and for the reader of a log.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    /// For the page.
    pub(crate) why: Why,
    /// In English.
    pub(crate) text: String,
    /// What is wrong with a text, and where.
    pub(crate) detail: Option<Box<LibraryRejected>>,
}

impl Refused {
    pub(crate) fn new(why: Why, text: impl ToString) -> Refused {
        Refused { why, text: text.to_string(), detail: None }
    }

    /// As the page that asked hears it.
    pub(crate) fn answer(self, id: impl Into<String>) -> ToBrowser {
        let Refused { why, text, detail } = self;
        ToBrowser::Refused { id: id.into(), why, text, detail }
    }

    pub(crate) fn no_such_game() -> Refused {
        Refused::new(Why::NoSuchGame, "there is no such game")
    }

    pub(crate) fn no_such_offer() -> Refused {
        Refused::new(Why::NoSuchOffer, "there is no such offer: it is taken or withdrawn")
    }

    pub(crate) fn needs_account() -> Refused {
        Refused::new(Why::NeedsAccount, "rated games are for people with accounts")
    }

    pub(crate) fn needs_program_account() -> Refused {
        let text =
            "a program plays rated games only from an account that says so: on its page, or by POST /api/account/bot";
        Refused::new(Why::NeedsProgramAccount, text)
    }

    pub(crate) fn not_saved() -> Refused {
        Refused::new(Why::NotSaved, "it could not be saved")
    }

    /// Whether the disk is the reason, so that it may go better another time.
    pub(crate) fn is_of_the_disk(&self) -> bool {
        matches!(self.why, Why::NotSaved | Why::Unsure)
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        match error {
            StoreError::Full => Refused::new(Why::NotSaved, "the disk is full"),
            StoreError::Unknown(_) => {
                Refused::new(Why::Unsure, "the disk failed: whether it was saved is not known yet")
            }
            StoreError::Unreadable => Refused::new(Why::Unreadable, "the game cannot be read"),
            StoreError::Conflict | StoreError::NotKept(_) | StoreError::NotRead(_) | StoreError::Closed => {
                Refused::not_saved()
            }
        }
    }
}

impl From<LoadError> for Refused {
    fn from(_: LoadError) -> Refused {
        StoreError::Unreadable.into()
    }
}

impl From<room::Refused> for Refused {
    fn from(refused: room::Refused) -> Refused {
        let why = match refused {
            room::Refused::Table(refusal) => return refusal.into(),
            room::Refused::Rules(_) => Why::BadRules,
            room::Refused::NotYours | room::Refused::StillPlaying => Why::NotYours,
            room::Refused::BadInvite => Why::BadInvite,
            room::Refused::NoHints => Why::NoHints,
            room::Refused::TooLong => Why::TooLong,
        };
        Refused::new(why, refused)
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
            Refusal::Rated => Why::Rated,
            Refusal::TooLateToAbort => Why::TooLateToAbort,
            Refusal::NoClaim => Why::NoClaim,
            Refusal::NotAwayYet => Why::NotAwayYet,
            Refusal::Paused => Why::Paused,
            Refusal::NothingToPause => Why::NothingToPause,
            Refusal::SaidEnough => Why::SaidEnough,
        };
        Refused::new(why, refusal)
    }
}

//! Why a command is refused.

use serde::{Deserialize, Serialize};

/// Why a command was not carried out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The message could not be read.
    BadMessage,
    /// Too many messages in a short time.
    TooMany,
    /// There is no such game, or it was deleted.
    NoSuchGame,
    /// The player holds no seat that could do this.
    NotYours,
    /// The other player is to move.
    NotYourTurn,
    /// The position has changed since: look again. A double click ends here.
    WrongPly,
    /// A disc lies on the square.
    Occupied,
    /// The move would turn no disc.
    TurnsNothing,
    /// The game is over.
    Over,
    /// The time had run out.
    OutOfTime,
    /// A seat is still open.
    Waiting,
    /// This game is played without takebacks.
    NoTakebacks,
    /// The player has not moved yet.
    NothingToTakeBack,
    /// The player has asked already.
    AlreadyAsked,
    /// Nobody asks for that, or no longer.
    NotAsked,
    /// The seat is taken.
    SeatTaken,
    /// The invitation is not (or no longer) good.
    BadInvite,
    /// Another person plays: no hints.
    NoHints,
    /// Nobody could play by these rules, or there is no such level.
    BadRules,
    /// The game could not be saved, so nothing was done. It is as it was.
    NotSaved,
    /// The disk made an error, and nobody knows yet whether it was saved: look again.
    Unsure,
    /// The game is there but cannot be read.
    Unreadable,
    /// The computer does not let the server listen to the network.
    CannotListen,
    /// There is no such exercise, or it was forgotten.
    NoSuchCard,
    /// There is no such study, or it was deleted.
    NoSuchStudy,
    /// The study has no such position any more.
    NoSuchNode,
    /// The study has changed since: look again.
    Stale,
    /// There is no game and no position in the text; `text` says where it went wrong.
    BadText,
    /// The study, or what is to be written into it, would be too large.
    TooLarge,
    /// There is no change to take back, or to make again.
    NothingToUndo,
    /// No such position was found.
    NothingFound,
    /// The token is for reading only.
    Scope,
    /// The name is, or looks like, that of somebody's account.
    NameTaken,
    /// It is a rated game: it is played to its end, without takeback, pause or agreement.
    Rated,
    /// The player has made a second move: the game cannot be aborted any more.
    TooLateToAbort,
    /// The game has no clock, is played by correspondence, or is not waiting for the other player: it cannot be claimed.
    NoClaim,
    /// The other player has not been away for long enough.
    NotAwayYet,
    /// The game is paused.
    Paused,
    /// There is no clock to stop, or it is stopped, or runs, already.
    NothingToPause,
    /// Enough was said for now, or there is nobody to talk to.
    SaidEnough,
    /// The owner has not opened the lobby.
    LobbyClosed,
    /// There is no such offer, or it is taken or withdrawn.
    NoSuchOffer,
    /// There is no account of this name.
    NoSuchPerson,
    /// Rated games are for people with accounts.
    NeedsAccount,
    /// The offer is for others.
    NotForYou,
    /// One of the two does not want to meet the other.
    NotWanted,
    /// A program plays rated games only from an account that says so.
    NeedsProgramAccount,
    /// Whoever asks plays a rated game with clocks: the engine is quiet until it ends.
    PlayingRated,
    /// It comes from a rated game by correspondence that whoever asks is playing.
    PositionInPlay,
    /// There are as many of these as there may be: games that are not over, studies, exercises, boards that are analysed.
    Full,
    /// The engines have more questions than they can answer: a moment later it may go better.
    Busy,
    /// So much has happened in the game that it can only be played to its end.
    TooLong,
}

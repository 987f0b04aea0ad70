//! Why something is not done: [`Refused`], [`LoadError`].

use table::{Refusal, RulesError, Seq};

/// Why a command is not carried out. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The table does not allow it.
    #[error(transparent)]
    Table(#[from] Refusal),
    /// Nobody could play by these rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// They hold no seat that could do this.
    #[error("you hold no seat in this game")]
    NotYours,
    /// The invitation is not good for this game.
    #[error("the invitation is not good for this game")]
    BadInvite,
    /// Hints are for those who play alone, on their turn.
    #[error("hints are for those who play alone, on their turn")]
    NoHints,
    /// So much has been asked in this game that it can only be played to its end.
    #[error("so much has happened in this game that it can only be played to its end")]
    TooLong,
    /// Another person plays: the game cannot be deleted.
    #[error("another person plays: give up first")]
    StillPlaying,
}

/// Why a game that was kept cannot be played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// Nobody could play by its rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// An entry does not follow from those before it.
    #[error("entry {}: {why}", .seq.0)]
    Entry {
        /// Which.
        seq: Seq,
        /// Why not.
        why: Refusal,
    },
}

//! What made a game change: [`Cause`].

use serde::{Deserialize, Serialize};
use table::{Action, Entry, Table};

/// What made a game change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Nothing: it was opened.
    Opened,
    /// A move.
    Move,
    /// A move was taken back.
    Takeback,
    /// A player asks the other for something: `view.offer`.
    Asked,
    /// The other declined.
    Declined,
    /// The player who asked withdrew it.
    Withdrawn,
    /// A player gave up.
    Resigned,
    /// Somebody took a seat.
    Seated,
    /// Time ran out, or a clock reached its next stage.
    Clock,
    /// Another game was begun, or this one was scrapped.
    Again,
    /// The server was away and is back.
    Back,
    /// A player ended a game that had hardly begun.
    Aborted,
    /// A player claimed the game, because the other had left.
    Claimed,
    /// The clocks were stopped.
    Paused,
    /// The clocks run on.
    Resumed,
    /// A player said something.
    Said,
}

impl Cause {
    /// What `entry` was, between one table and the next.
    pub(crate) fn of(entry: &Entry, before: &Table, after: &Table) -> Cause {
        let asked = |done| if after.offer().is_some() { Cause::Asked } else { done };
        match &entry.action {
            Action::Play { .. } => Cause::Move,
            Action::Resign {} => Cause::Resigned,
            Action::Takeback { .. } => asked(Cause::Takeback),
            Action::Another { .. } | Action::Scrap {} => asked(Cause::Again),
            Action::Accept {} if before.ply() != after.ply() => Cause::Takeback,
            Action::Accept {} if after.is_paused() != before.is_paused() && after.verdict().is_none() => {
                if after.is_paused() { Cause::Paused } else { Cause::Resumed }
            }
            Action::Pause {} => asked(Cause::Paused),
            Action::Resume {} => asked(Cause::Resumed),
            Action::Abort {} => Cause::Aborted,
            Action::Claim { .. } => Cause::Claimed,
            Action::Say { .. } => Cause::Said,
            Action::Accept {} | Action::Again { .. } => Cause::Again,
            Action::Decline {} if before.offer().map(|offer| offer.by) == entry.by => Cause::Withdrawn,
            Action::Decline {} => Cause::Declined,
            Action::Sit { .. } => Cause::Seated,
            Action::Look {} => Cause::Clock,
            Action::Away { .. } => Cause::Back,
        }
    }
}

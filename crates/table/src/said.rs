//! What players say to each other: [`Phrase`]. There are only these, so that nobody is insulted, and each reads them in their own
//! language.

use crate::{At, Refusal, Seat, Table};
use rules::{ByColor, Color};
use serde::{Deserialize, Serialize};

/// How many phrases each player has in one game.
const MOST: usize = 10;
/// How long after a phrase the player's next may come.
const PAUSE_MS: u64 = 3_000;

/// Something one player says to the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// Hello!
    Hello,
    /// Good luck!
    GoodLuck,
    /// Well played!
    WellPlayed,
    /// Thank you.
    Thanks,
    /// Sorry.
    Sorry,
    /// One moment, please.
    OneMoment,
    /// Good game!
    GoodGame,
    /// That was close!
    ThatWasClose,
}

impl Phrase {
    /// All there are.
    pub const ALL: [Phrase; 8] = [
        Phrase::Hello,
        Phrase::GoodLuck,
        Phrase::WellPlayed,
        Phrase::Thanks,
        Phrase::Sorry,
        Phrase::OneMoment,
        Phrase::GoodGame,
        Phrase::ThatWasClose,
    ];
}

/// A phrase that was said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Said {
    /// By whom.
    #[cfg_attr(feature = "ts", ts(type = "Color"))]
    pub by: Color,
    /// What.
    pub phrase: Phrase,
}

/// All that was said in a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Talk {
    said: Vec<Said>,
    /// When each player last said something.
    last: ByColor<Option<At>>,
}

impl Table {
    /// What was said, first to last.
    pub fn said(&self) -> &[Said] {
        &self.talk.said
    }

    /// Whether there is somebody to talk to: another person.
    pub(crate) fn may_talk(&self, by: Color) -> bool {
        let spoken = self.said().iter().filter(|said| said.by == by).count();
        spoken < MOST
            && match (&self.seats[by], &self.seats[!by]) {
                (Seat::Person { who, .. }, Seat::Person { who: other, .. }) => who != other,
                _ => false,
            }
    }

    pub(crate) fn say(&mut self, by: Color, phrase: Phrase) -> Result<(), Refusal> {
        if self.is_waiting() {
            return Err(Refusal::Waiting);
        }
        if !self.may_talk(by) || self.talk.last[by].is_some_and(|last| self.at < last + PAUSE_MS) {
            return Err(Refusal::SaidEnough);
        }
        self.talk.said.push(Said { by, phrase });
        self.talk.last[by] = Some(self.at);
        Ok(())
    }
}

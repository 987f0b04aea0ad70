//! What takes both players: [`Offer`].
//!
//! A takeback, a pause, a new game, a rematch and scrapping a game are asked for in one way. Where nobody else needs to agree, asking is
//! doing. Else the wish stands as an offer until it is answered, withdrawn, replaced or lapses.

use crate::{GameId, Next, Refusal, Table, Verdict};
use rules::Color;
use serde::{Deserialize, Serialize};

/// What one player can ask of the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// To take back the asker's last move and all that followed it.
    Takeback,
    /// Another game with the same colours; one that is not over is scrapped.
    NewGame,
    /// Another game with colours swapped; one that is not over is scrapped.
    Rematch,
    /// To scrap the game without another.
    Scrap,
    /// To stop the clocks until both want to go on.
    Pause,
    /// To go on.
    Resume,
}

/// A wish that waits for the other player's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Who asks.
    pub by: Color,
    /// For what.
    pub what: Wish,
    /// The game that would take this one's place.
    pub(crate) next: Option<GameId>,
}

/// Until so many moves were chosen, either player may scrap the game without asking.
const FREE_TO_LEAVE: usize = 2;

impl Table {
    /// The wish that waits for an answer.
    pub fn offer(&self) -> Option<&Offer> {
        self.offer.as_ref()
    }

    /// Whether `by` needs nobody's consent: they play both sides, or the other side is the computer or nobody yet; and until
    /// the second move either player may scrap the game.
    pub fn decides_alone(&self, by: Color, what: Wish) -> bool {
        let chosen = self.farthest - self.given;
        !self.has_opponent(by) || (what == Wish::Scrap && chosen < FREE_TO_LEAVE)
    }

    pub(crate) fn ask(&mut self, by: Color, what: Wish, next: Option<&GameId>) -> Result<(), Refusal> {
        let wish = Offer { by, what, next: next.cloned() };
        if self.decides_alone(by, what) {
            self.carry_out(wish);
            return Ok(());
        }
        match self.offer.take() {
            Some(standing) if standing.what == what && standing.by == by => return Err(Refusal::AlreadyAsked),
            // Both want it: the one who asked first gets theirs.
            Some(standing) if standing.what == what => self.carry_out(standing),
            _ => self.offer = Some(wish),
        }
        Ok(())
    }

    pub(crate) fn accept(&mut self, by: Color) -> Result<(), Refusal> {
        match self.offer.take() {
            Some(offer) if offer.by != by => {
                self.carry_out(offer);
                Ok(())
            }
            Some(_) => Err(Refusal::NotYours),
            None => Err(Refusal::NotAsked),
        }
    }

    pub(crate) fn decline(&mut self) -> Result<(), Refusal> {
        self.offer.take().map(|_| ()).ok_or(Refusal::NotAsked)
    }

    fn carry_out(&mut self, Offer { by, what, next }: Offer) {
        self.offer = None;
        match what {
            Wish::Takeback => self.go_back(by),
            Wish::Pause => self.paused = true,
            Wish::Resume => self.paused = false,
            Wish::NewGame | Wish::Rematch | Wish::Scrap => {
                self.verdict = self.verdict.or(Some(Verdict::scrapped(&self.position())));
                self.next = next.map(|game| Next { game, swap: what == Wish::Rematch });
            }
        }
    }
}

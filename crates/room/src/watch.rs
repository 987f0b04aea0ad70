//! What others need to know of a room: when to look, what the computer is asked, who sees what.

use crate::{Cause, Refused, Room};
use rules::{ByColor, Color, Position};
use table::{At, GameId, PersonId, Ply, Refusal, Seat, Seq, Table, ThinkingTime, View};

/// The computer is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComputersTurn {
    /// Its colour.
    pub color: Color,
    /// Its level.
    pub level: u8,
    /// How many moves stand; its move says so.
    pub ply: Ply,
    /// In this position.
    pub position: Position,
}

/// Which seats an onlooker holds: all who hold the same see the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Role(pub ByColor<bool>);

/// A game at one moment: enough to tell everyone, outside the room.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The game.
    pub game: GameId,
    /// Its last entry.
    pub seq: Seq,
    /// What that was.
    pub cause: Cause,
    /// The moment.
    pub now: At,
    /// The table.
    pub table: Table,
    /// Invitations to the open seats, for those who play.
    pub invitations: ByColor<Option<String>>,
    game_time: At,
}

impl Snapshot {
    /// The game as `who` sees it.
    pub fn view(&self, who: PersonId) -> View {
        self.table.view(self.game_time, Some(who))
    }

    /// What `who` is to the game.
    pub fn role(&self, who: PersonId) -> Role {
        Role(self.table.seats().as_ref().map(|seat| seat.person() == Some(who)))
    }
}

impl Role {
    /// Whether they play.
    pub fn plays(self) -> bool {
        self.0.black || self.0.white
    }
}

impl Room {
    /// When somebody must look whether a flag has fallen: [`Room::look`].
    pub fn wake_at(&self) -> Option<At> {
        Some(self.table.deadline()? + self.stalled_ms + self.grace_ms())
    }

    /// The computer's turn, if it is its turn.
    pub fn computer(&self) -> Option<ComputersTurn> {
        let color = self.table.turn()?;
        let Seat::Computer { level } = self.table.seats()[color] else { return None };
        Some(ComputersTurn { color, level, ply: self.table.ply(), position: self.table.position() })
    }

    /// The player to move has so much time at `now`; `None` in a game without clocks.
    pub fn thinking_time(&self, now: At) -> Option<ThinkingTime> {
        self.table.thinking_time(self.game_time(now))
    }

    /// The game as it is at `now`.
    pub fn snapshot(&self, now: At) -> Snapshot {
        Snapshot {
            game: self.game.clone(),
            seq: self.seq(),
            cause: self.cause,
            now,
            table: self.table.clone(),
            invitations: self.invitations(),
            game_time: self.game_time(now),
        }
    }

    /// The position for which `who` may have a hint.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the game is over or has gone on, or hints are not for them.
    pub fn hint(&self, who: PersonId, ply: Ply) -> Result<Position, Refused> {
        if self.table.verdict().is_some() {
            return Err(Refusal::Over.into());
        }
        if self.table.ply() != ply {
            return Err(Refusal::WrongPly { now: self.table.ply() }.into());
        }
        if !self.table.may_have_hint(who) {
            return Err(Refused::NoHints);
        }
        Ok(self.table.position())
    }

    /// How many moves a page that has entry `have` may keep: those that no takeback has touched since.
    pub fn kept_since(&self, have: Seq) -> Ply {
        let since = self.plies.get(usize::try_from(have.0).unwrap_or(usize::MAX)..).unwrap_or_default();
        since.iter().copied().min().unwrap_or_default()
    }

    /// `now` without the time that is charged to nobody.
    fn game_time(&self, now: At) -> At {
        now.saturating_sub(self.stalled_ms).max(self.table.at())
    }
}

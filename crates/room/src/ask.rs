//! What people ask of a room, and what becomes of it: [`Ask`], [`Effects`].

use crate::{Cause, Entered, Random, Refused, Room, Summary, Write, begin::successor};
use rules::{ByColor, Color, Square};
use table::{
    Action, At, Called, Claim, CommandId, Entry, GameId, PersonId, Phrase, Ply, Rules, Seat, Seq, Table, Verdict, Wish,
};

/// Who asks, by which command, and when it was received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The person.
    pub who: PersonId,
    /// The command's id.
    pub id: CommandId,
    /// When it was received.
    pub at: At,
}

/// What a person can ask of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Place a disc.
    Play {
        /// Where.
        square: Square,
        /// How many moves were played before.
        ply: Ply,
    },
    /// Take a move back, or ask the opponent to allow it.
    Takeback {
        /// How many moves were played.
        ply: Ply,
    },
    /// Accept or decline what the opponent asks; declining also withdraws what one asked for.
    Answer {
        /// What is answered.
        what: Wish,
        /// Whether to agree.
        accept: bool,
    },
    /// Give up.
    Resign {
        /// Whose game, where one person holds both seats.
        color: Option<Color>,
    },
    /// Scrap the game without another, or ask the opponent to.
    Scrap,
    /// End a game without a result that has hardly begun.
    Abort,
    /// Claim a live game that the other player has left.
    Claim {
        /// As won or drawn.
        what: Claim,
        /// For how long the other has been away, as whoever serves the game saw it.
        away_ms: u64,
    },
    /// Stop the clocks, or ask the opponent to.
    Pause,
    /// Let them run on, or ask the opponent to.
    Resume,
    /// Say something to the other player.
    Say {
        /// What.
        phrase: Phrase,
    },
    /// Begin another game with the same players, or ask the opponent to.
    Again {
        /// Whether the players change colours.
        swap: bool,
    },
    /// Take the open seat that an invitation is for.
    Sit {
        /// The secret from the invitation.
        invite: String,
        /// What the person is called.
        name: Called,
    },
}

/// A game that has so many entries is long enough: what can be asked without end is refused. Everything that leads to its end never is.
const MOST_ENTRIES: u64 = 3000;
/// What goes on with a game, or takes its place, is possible for a little longer than what made it so long.
const SPARE_ENTRIES: u64 = 200;

/// How many entries a game may have for this to be added.
fn most_entries(action: &Action) -> u64 {
    match action {
        Action::Takeback { .. } | Action::Pause {} | Action::Say { .. } => MOST_ENTRIES,
        Action::Resume {} | Action::Another { .. } | Action::Again { .. } | Action::Scrap {} => {
            MOST_ENTRIES + SPARE_ENTRIES
        }
        // An answer needs a question, a seat is taken once, and there are sixty moves.
        Action::Play { .. }
        | Action::Resign {}
        | Action::Abort {}
        | Action::Claim { .. }
        | Action::Accept {}
        | Action::Decline {}
        | Action::Sit { .. }
        | Action::Look {}
        | Action::Away { .. } => u64::MAX,
    }
}

/// What became of a command.
#[derive(Debug)]
pub enum Answer {
    /// It was carried out before, by this entry.
    Already(Seq),
    /// It is carried out once its writes are kept.
    New(Box<Effects>),
}

/// What one entry changes: first its writes must be kept, all of them, then [`Room::commit`] makes it so.
#[derive(Debug)]
pub struct Effects {
    /// What must be kept.
    pub writes: Vec<Write>,
    /// The game that takes this one's place, if one does: it is among the writes.
    pub successor: Option<Box<Room>>,
    game: GameId,
    /// Whether the game was not over before.
    was_going: bool,
    entry: Entry,
    after: Table,
    by: Option<(PersonId, CommandId)>,
}

/// A game that ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Which.
    pub game: GameId,
    /// Who played.
    pub seats: ByColor<Seat>,
    /// By which rules.
    pub rules: Rules,
    /// How it ended.
    pub verdict: Verdict,
    /// When.
    pub at: At,
}

impl Effects {
    /// The game that this entry ends; `None` where it goes on, or was over before.
    pub fn ends(&self) -> Option<Ended> {
        let verdict = self.after.verdict().filter(|_| self.was_going)?;
        Some(Ended {
            game: self.game.clone(),
            seats: self.after.seats().clone(),
            rules: *self.after.rules(),
            verdict,
            at: self.after.at(),
        })
    }
}

/// What there is to tell after an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct News {
    /// The entry.
    pub seq: Seq,
    /// What it was.
    pub cause: Cause,
    /// How many moves stand as they stood before it.
    pub keep: Ply,
}

/// What deleting a game comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Removal {
    /// It is in this person's list no more.
    FromTheList,
    /// It is no more: nobody else played in it.
    ForGood,
}

impl Room {
    /// A person asks for something. A flag that is due must have fallen before: [`Room::look`].
    ///
    /// # Errors
    ///
    /// [`Refused`] says why nothing is done.
    pub fn ask(&self, command: &Command, ask: &Ask, random: &mut Random) -> Result<Answer, Refused> {
        if let Some(seq) = self.answered.get(&(command.who, command.id.clone())) {
            return Ok(Answer::Already(*seq));
        }
        let (color, action) = self.action(command.who, ask, random)?;
        if self.seq().0 >= most_entries(&action) {
            return Err(Refused::TooLong);
        }
        // Anything but a move is charged in full: it would let the flag fall before a move that was made in time is here.
        if !matches!(action, Action::Play { .. }) && self.waits_for_a_move(command.at) {
            return Err(table::Refusal::OutOfTime.into());
        }
        let mut effects = self.enter(command.at, Some(color), action, Some(command), random)?;
        if let Ask::Sit { .. } = ask {
            let listed = Write::List { who: command.who, game: self.game.clone(), begun: self.begun };
            effects.writes.push(listed);
        }
        Ok(Answer::New(Box::new(effects)))
    }

    /// The seat from which `who` does what they ask, and the entry it makes.
    fn action(&self, who: PersonId, ask: &Ask, random: &mut Random) -> Result<(Color, Action), Refused> {
        let table = &self.table;
        let seat = || self.seat_of(who).ok_or(Refused::NotYours);
        Ok(match ask {
            Ask::Play { square, ply } => (seat()?, Action::Play { square: *square, ply: *ply }),
            Ask::Takeback { ply } => {
                (table.takeback_seat(who).ok_or(Refused::NotYours)?, Action::Takeback { ply: *ply })
            }
            Ask::Answer { what, accept } => {
                let color = seat()?;
                if table.offer().is_none_or(|offer| offer.what != *what) {
                    return Err(table::Refusal::NotAsked.into());
                }
                (color, if *accept { Action::Accept {} } else { Action::Decline {} })
            }
            Ask::Resign { color: Some(color) } if table.holds(Some(who), *color) => (*color, Action::Resign {}),
            Ask::Resign { color: Some(_) } => return Err(Refused::NotYours),
            Ask::Resign { color: None } => (seat()?, Action::Resign {}),
            Ask::Scrap => (seat()?, Action::Scrap {}),
            Ask::Abort => (seat()?, Action::Abort {}),
            Ask::Claim { what, away_ms } => (seat()?, Action::Claim { what: *what, away_ms: *away_ms }),
            Ask::Pause => (seat()?, Action::Pause {}),
            Ask::Resume => (seat()?, Action::Resume {}),
            Ask::Say { phrase } => (seat()?, Action::Say { phrase: *phrase }),
            Ask::Again { swap } => (seat()?, Action::Another { next: random.game(), swap: *swap }),
            Ask::Sit { invite, name } => {
                let color = self.invited(invite).ok_or(Refused::BadInvite)?;
                (color, Action::Sit { who, name: name.clone() })
            }
        })
    }

    /// The computer plays. Its move takes the same path as a person's; one that comes late has an old ply and is refused.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the game has gone another way meanwhile.
    pub fn play(
        &self,
        at: At,
        color: Color,
        square: Square,
        ply: Ply,
        random: &mut Random,
    ) -> Result<Effects, Refused> {
        self.enter(at, Some(color), Action::Play { square, ply }, None, random)
    }

    /// Lets a flag fall that is due by `now`; `None` if none is.
    ///
    /// # Errors
    ///
    /// Never: looking is always allowed.
    pub fn look(&self, now: At, random: &mut Random) -> Result<Option<Effects>, Refused> {
        if self.wake_at().is_some_and(|deadline| deadline <= now) {
            return self.enter(now, None, Action::Look {}, None, random).map(Some);
        }
        Ok(None)
    }

    /// Whoever serves the game was away from `from` until `now`, and nobody is charged for it; `None` if nobody was waited for.
    ///
    /// # Errors
    ///
    /// Never: coming back is always allowed.
    pub fn come_back(&self, from: At, now: At, random: &mut Random) -> Result<Option<Effects>, Refused> {
        if self.table.deadline().is_none() {
            return Ok(None);
        }
        self.enter(now, None, Action::Away { from }, None, random).map(Some)
    }

    /// Checks an entry and says what must be kept of it.
    fn enter(
        &self,
        at: At,
        by: Option<Color>,
        action: Action,
        command: Option<&Command>,
        random: &mut Random,
    ) -> Result<Effects, Refused> {
        // What is not a move gives nothing back; nor does a move of the computer's, whose messages take no time.
        let lag_ms = match (&action, by, command) {
            (Action::Play { .. }, Some(by), Some(_)) => self.lag_of(by, at),
            _ => 0,
        };
        let entry = Entry { stalled_ms: self.stalled_ms, lag_ms, ..Entry::new(at, by, action) };
        let after = self.table.after(&entry)?;
        let mut writes = Vec::new();
        // A game that takes this one's place goes to disk with the entry that began it, or neither does.
        let successor = match (after.next(), command) {
            (Some(next), Some(command)) if self.table.next().is_none() => {
                let (room, begun) = successor(self, next, command, random)?;
                writes.extend(begun);
                Some(Box::new(room))
            }
            _ => None,
        };
        let by = command.map(|command| (command.who, command.id.clone()));
        writes.push(Write::Enter(Box::new(Entered {
            game: self.game.clone(),
            seq: self.seq().next(),
            by: by.clone(),
            entry: entry.clone(),
            summary: Summary::of(&after),
        })));
        let (game, was_going) = (self.game.clone(), self.table.verdict().is_none());
        Ok(Effects { writes, successor, game, was_going, entry, after, by })
    }

    /// What was written is kept, and is so from here. It was known at `now`: nobody is charged for the time until then.
    pub fn commit(&mut self, effects: Effects, now: At) -> News {
        let Effects { entry, after, by, .. } = effects;
        let keep = self.table.ply().min(after.ply());
        self.cause = Cause::of(&entry, &self.table, &after);
        self.table = after;
        self.stalled_ms = now.saturating_sub(self.table.at());
        self.plies.push(self.table.ply());
        let seq = self.seq();
        if let Some(by) = by {
            self.answered.insert(by, seq);
        }
        News { seq, cause: self.cause, keep }
    }

    /// Takes the game off the list of `who`, or away altogether where no other person plays.
    ///
    /// # Errors
    ///
    /// [`Refused`] if they hold no seat, or another person is still playing.
    pub fn delete(&self, who: PersonId) -> Result<(Removal, Vec<Write>), Refused> {
        self.seat_of(who).ok_or(Refused::NotYours)?;
        let game = self.game.clone();
        let shared = self.table.seats().iter().filter_map(Seat::person).any(|other| other != who);
        if !shared {
            return Ok((Removal::ForGood, vec![Write::Delete { game, seq: self.seq() }]));
        }
        if self.table.verdict().is_none() {
            return Err(Refused::StillPlaying);
        }
        Ok((Removal::FromTheList, vec![Write::Hide { who, game }]))
    }

    /// The other person to whom `who` turns with this, where it is said to them or takes them both. Going on with a paused game, and leaving
    /// one, is nobody's to keep from them.
    pub fn turns_to(&self, who: PersonId, ask: &Ask) -> Option<PersonId> {
        let color = self.seat_of(who)?;
        let turns = match ask {
            Ask::Say { .. } | Ask::Again { .. } | Ask::Takeback { .. } | Ask::Pause => true,
            Ask::Scrap => !self.table.decides_alone(color, Wish::Scrap),
            Ask::Answer { what, accept } => *accept && matches!(what, Wish::NewGame | Wish::Rematch),
            Ask::Play { .. } | Ask::Resign { .. } | Ask::Abort | Ask::Claim { .. } | Ask::Resume | Ask::Sit { .. } => {
                false
            }
        };
        self.table.seats()[!color].person().filter(|other| turns && *other != who)
    }

    /// Whether `who` holds no seat and never will: a seat that is taken stays so.
    pub fn is_closed_to(&self, who: PersonId) -> bool {
        self.table.seats().iter().all(|seat| !matches!(seat, Seat::Open)) && self.seat_of(who).is_none()
    }

    /// A seat that `who` holds: that of the player to move, if it is theirs.
    pub fn seat_of(&self, who: PersonId) -> Option<Color> {
        let held = |color: &Color| self.table.holds(Some(who), *color);
        self.table.turn().filter(held).or(Color::ALL.into_iter().find(held))
    }
}

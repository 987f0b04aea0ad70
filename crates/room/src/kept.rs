//! What is kept of a game: [`Write`] on the way to the store, [`Stored`] and [`Listed`] on the way back.

use crate::{Document, DocumentKey};
use rules::{ByColor, Color};
use table::{At, CommandId, Entry, GameId, PersonId, Ply, Seat, Seq, Setup, Status, Table, Verdict, board_text};

/// One thing to keep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Write {
    /// Someone of whom something is kept for the first time. One who is known already is left as they are.
    Person {
        /// Their number.
        who: PersonId,
        /// The hash of their cookie.
        secret: [u8; 32],
    },
    /// A new game.
    Begin(Box<Begun>),
    /// An entry in a game's log, and how the game stands after it.
    Enter(Box<Entered>),
    /// A game that is in somebody's list from now on.
    List {
        /// Whose.
        who: PersonId,
        /// Which.
        game: GameId,
        /// When it was begun.
        begun: At,
    },
    /// A game that is in somebody's list no more; once it is in nobody's, it is gone.
    Hide {
        /// Whose.
        who: PersonId,
        /// Which.
        game: GameId,
    },
    /// A game that is no more; a conflict if it is not there, or has not as many entries: somebody may have sat down meanwhile.
    Delete {
        /// Which.
        game: GameId,
        /// How many entries it has.
        seq: Seq,
    },
    /// Something a person keeps, new or in place of the revision before it.
    Keep(Box<Document>),
    /// Something a person keeps no more. What is not there need not be taken away.
    Discard(DocumentKey),
    /// Something that happens to an account, or to the server as its owner decides.
    Account(Box<people::AccountChange>),
    /// Something about how people meet, or how well they play.
    Meeting(people::MeetingChange),
    /// A sign of life of whoever serves the games.
    Alive {
        /// When.
        at: At,
    },
}

/// A new game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Begun {
    /// Its id.
    pub game: GameId,
    /// What was agreed.
    pub setup: Setup,
    /// Who began it.
    pub maker: PersonId,
    /// By which command: the same one begins no second game.
    pub command: CommandId,
    /// How it stands.
    pub summary: Summary,
}

/// An entry in a game's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entered {
    /// The game.
    pub game: GameId,
    /// The entry's number. If another entry has it already, nothing is kept.
    pub seq: Seq,
    /// Who sent the command, and its id, if a person did.
    pub by: Option<(PersonId, CommandId)>,
    /// What happened.
    pub entry: Entry,
    /// How the game stands after it.
    pub summary: Summary,
}

/// How a game stands, without its moves: what a list shows and what the store can look for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// When something last happened.
    pub changed: At,
    /// Who sits where.
    pub seats: ByColor<Seat>,
    /// Where the game is.
    pub status: Status,
    /// How many moves stand.
    pub ply: Ply,
    /// The player to move.
    pub turn: Option<Color>,
    /// The board: 64 squares from a1 to h8, `X` black, `O` white, `-` empty.
    pub board: String,
    /// How it ended.
    pub verdict: Option<Verdict>,
    /// When the running clock's stage ends; `None` while no clock runs.
    pub deadline: Option<At>,
}

impl Summary {
    /// How `table` stands.
    pub fn of(table: &Table) -> Summary {
        Summary {
            changed: table.at(),
            seats: table.seats().clone(),
            status: table.status(),
            ply: table.ply(),
            turn: table.turn(),
            board: board_text(&table.position()),
            verdict: table.verdict(),
            deadline: table.deadline(),
        }
    }
}

/// A game as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// Its id.
    pub game: GameId,
    /// What was agreed.
    pub setup: Setup,
    /// Hashes of invitations as they were made before they followed from a key: those are still good.
    pub invites: ByColor<Option<[u8; 32]>>,
    /// What happened, first to last.
    pub log: Vec<StoredEntry>,
}

/// One entry of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredEntry {
    /// Who sent the command, and its id, if a person did.
    pub by: Option<(PersonId, CommandId)>,
    /// What happened.
    pub entry: Entry,
}

/// A line in the list of a person's games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The game.
    pub game: GameId,
    /// When it was begun.
    pub begun: At,
    /// How it stands; `None` if it cannot be read, because a later version wrote it or it is damaged.
    pub summary: Option<Summary>,
}

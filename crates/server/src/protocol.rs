//! The wire: what a page says ([`ToServer`]) and hears ([`ToBrowser`]).
//!
//! JSON text messages over one WebSocket. `PROTOCOL.md` shows every message by example; `web/src/protocol.ts` is written from
//! these types, and tests keep both true.

use rules::{ByColor, Color, Square};
use serde::{Deserialize, Serialize};
use table::{Called, CommandId, GameId, MoveView, Ply, Preset, Rules, Seq, Status, Verdict, View, Wish};

pub use room::Cause;

/// The version of these messages. A page that was built for another says so and asks to be loaded again.
pub const PROTOCOL: u32 = 3;

/// The code with which a connection ends when the owner closes the door to the network.
pub const DOOR_CLOSED: u16 = 4001;

/// One message from a page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ToServer {
    /// Chosen by the page, different for each command, at most 64 characters. The same id again gets the same answer and
    /// changes nothing, so a command may be sent again after a lost connection.
    pub id: CommandId,
    /// What is asked.
    #[serde(flatten)]
    pub ask: Ask,
}

/// What a page can ask.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Ask {
    /// Begin a game. Answer: `done` with the game's id.
    Create {
        /// Who plays which colour.
        #[cfg_attr(test, ts(type = "ByColor<SeatChoice>"))]
        seats: ByColor<SeatChoice>,
        /// Let the server toss for colours: the two seats may change places.
        #[serde(default)]
        toss: bool,
        /// By which rules; `welcome` tells the presets.
        rules: Rules,
    },
    /// Begin another game with the same players and rules, or ask the opponent to. One that is not over is scrapped. Everyone at
    /// the old game is told where to go (`view.next`). Answer: `done` with the new game's id, or with this one's if the opponent
    /// was asked.
    Again {
        /// The old game.
        game: GameId,
        /// Whether the players change colours.
        swap: bool,
    },
    /// Scrap a game that is not over, without a result and without another, or ask the opponent to.
    Scrap {
        /// The game.
        game: GameId,
    },
    /// See a game and hear all that happens in it. Answer: `game`.
    Open {
        /// The game.
        game: GameId,
        /// The last `seq` this page has, after a lost connection: only what is missing is sent.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "number"))]
        have: Option<Seq>,
    },
    /// Hear no more of a game.
    Close {
        /// The game.
        game: GameId,
    },
    /// Place a disc.
    Play {
        /// The game.
        game: GameId,
        /// Where.
        #[cfg_attr(test, ts(type = "Square"))]
        square: Square,
        /// `view.ply` when the player chose.
        ply: Ply,
    },
    /// Take a move back, or ask the opponent to allow it.
    Takeback {
        /// The game.
        game: GameId,
        /// `view.ply` when the player chose.
        ply: Ply,
    },
    /// Accept or decline what the opponent asks (`view.offer`); `false` also withdraws what one asked for.
    Answer {
        /// The game.
        game: GameId,
        /// What is answered, as the player saw it: another offer may have taken its place since.
        what: Wish,
        /// Whether to agree.
        accept: bool,
    },
    /// Give up.
    Resign {
        /// The game.
        game: GameId,
        /// Whose game is given up, where one person holds both seats; else the player to move.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "Color"))]
        color: Option<Color>,
    },
    /// Ask for a good move. Answer: `hint`.
    Hint {
        /// The game.
        game: GameId,
        /// `view.ply` when the player asked.
        ply: Ply,
    },
    /// Take an open seat.
    Sit {
        /// The game.
        game: GameId,
        /// The secret from the invitation.
        invite: String,
        /// What the player is called; 1 or 2, the first or second player, if they give no name.
        #[cfg_attr(test, ts(type = "string | 1 | 2"))]
        name: Called,
    },
    /// This player's games, the latest first. Answer: `games`.
    List {
        /// Only games before this one, to read on.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "string"))]
        before: Option<GameId>,
    },
    /// Remove a game from this player's list; where no other person plays in it, for good.
    Delete {
        /// The game.
        game: GameId,
    },
    /// Let other devices on the network in. For the owner, whoever is at the computer itself. Answer: `done`; `door` says where.
    OpenDoor,
    /// Keep them out again.
    CloseDoor,
    /// Nothing. Answer: `done`.
    Ping,
}

/// Who shall sit on one side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeatChoice {
    /// A person in front of this page.
    Person {
        /// What they are called; 1 or 2, the first or second player, if they give no name.
        #[cfg_attr(test, ts(type = "string | 1 | 2"))]
        name: Called,
    },
    /// The computer.
    Computer {
        /// One of the levels in `welcome`.
        level: u8,
    },
    /// Someone who comes by a link.
    Open,
}

/// One message to a page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBrowser {
    /// The first message on every connection.
    Welcome {
        /// [`PROTOCOL`].
        protocol: u32,
        /// The server's version.
        version: String,
        /// The server's time, milliseconds since 1970.
        #[cfg_attr(test, ts(type = "number"))]
        now: u64,
        /// The computer's levels, weakest first.
        levels: Vec<Level>,
        /// Rules that go by a name.
        presets: Vec<NamedRules>,
        /// The way in from the network.
        door: DoorView,
    },
    /// The owner opened or closed the door to the network, or its addresses have changed.
    Door(DoorView),
    /// A game as it stands: the answer to `open`, and again after everything that happens in it.
    Game(Box<GameView>),
    /// The command was carried out and is on disk.
    Done {
        /// The command's id.
        id: CommandId,
        /// The game it was about, or began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game: Option<GameId>,
        /// The number of the entry it made in that game's log.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional, type = "number"))]
        seq: Option<Seq>,
    },
    /// The command was not carried out and changed nothing.
    Refused {
        /// The command's id; empty if the message could not be read.
        id: String,
        /// Why, for the page to say in the player's language.
        why: Why,
        /// Why, in English, for whoever reads the log.
        text: String,
    },
    /// The answer to `hint`.
    Hint {
        /// The command's id.
        id: CommandId,
        /// The game.
        game: GameId,
        /// For the position after so many moves.
        ply: Ply,
        /// A good move there.
        #[cfg_attr(test, ts(type = "Square"))]
        square: Square,
    },
    /// The answer to `list`.
    Games {
        /// The command's id.
        id: CommandId,
        /// The latest first.
        games: Vec<GameSummary>,
        /// Whether there are more: ask with `before` the last one.
        more: bool,
    },
    /// A player has left a game that is open here, or has come back.
    Presence {
        /// The game.
        game: GameId,
        /// Who is there now.
        #[cfg_attr(test, ts(type = "ByColor<boolean>"))]
        here: ByColor<bool>,
    },
    /// A game that was open has been deleted.
    Gone {
        /// The game.
        game: GameId,
    },
}

/// The way in from the network, as one page sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DoorView {
    /// Whether other devices on the network get in.
    pub open: bool,
    /// Where, such as `http://192.168.1.20:8464`, the likeliest first. None while it is closed or there is no network.
    pub addresses: Vec<String>,
    /// Whether this page may open and close it.
    pub yours: bool,
}

/// A game as one page sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameView {
    /// The game.
    pub game: GameId,
    /// The command that asked for it, in the answer to `open`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
    /// How many entries its log has. It only grows; a message with a smaller one than the page has is old.
    #[cfg_attr(test, ts(type = "number"))]
    pub seq: Seq,
    /// What happened last, so that it can be shown and said.
    pub cause: Cause,
    /// The server's time: the clocks in the view are as they stood then.
    #[cfg_attr(test, ts(type = "number"))]
    pub now: u64,
    /// The game.
    pub view: View,
    /// The board before the first move, as in `view.board`.
    pub start: String,
    /// Keep so many of the moves you have, then add `moves`: together they are all that stand.
    pub keep: Ply,
    /// Moves from there on.
    pub moves: Vec<MoveView>,
    /// Secrets for the open seats, for those who play: `/#/join/GAME/INVITE` is the link.
    #[cfg_attr(test, ts(type = "ByColor<string | null>"))]
    pub invites: ByColor<Option<String>>,
    /// Which players have the game open somewhere; the computer always has. `presence` tells when that changes.
    #[cfg_attr(test, ts(type = "ByColor<boolean>"))]
    pub here: ByColor<bool>,
}

/// A strength of the computer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Level {
    /// Its number: 1 is the weakest.
    pub level: u8,
    /// A word for it that the page translates, such as `club`.
    pub name: String,
}

/// Rules and what they are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedRules {
    /// The name.
    pub name: Preset,
    /// The rules.
    pub rules: Rules,
}

/// A line in the list of a player's games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameSummary {
    /// The game.
    pub game: GameId,
    /// When it was begun, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub begun: u64,
    /// When something last happened in it.
    #[cfg_attr(test, ts(type = "number"))]
    pub changed: u64,
    /// Where it is.
    pub status: Status,
    /// Who plays, as this player sees it.
    #[cfg_attr(test, ts(type = "ByColor<SeatView>"))]
    pub seats: ByColor<table::SeatView>,
    /// How many moves stand.
    pub ply: Ply,
    /// Who is to move.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub turn: Option<Color>,
    /// The board, for a small picture.
    pub board: String,
    /// Discs on it.
    #[cfg_attr(test, ts(type = "ByColor<number>"))]
    pub counts: ByColor<u8>,
    /// How it ended.
    pub verdict: Option<Verdict>,
    /// It is there but cannot be read, because a later version wrote it or it is damaged. Then nothing else here says anything but
    /// `game` and `begun`; it can be deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub unreadable: bool,
}

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
}

#[cfg(test)]
mod typescript;

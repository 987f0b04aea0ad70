//! What is wrong with a game, as a message of `locales/` and what is put into it: the page and the command line say the same.

use crate::protocol::LibraryRejected;
use library::archive::MOST_MEGABYTES;
use record::{Holds, Rejection, Why};
use rules::{Reason, SetupError};
use serde_json::Value;
use std::collections::BTreeMap;

/// A message of `locales/`, and what is put into it.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// Its id.
    pub id: &'static str,
    /// Texts and numbers by name.
    pub with: BTreeMap<String, Value>,
}

fn message<const N: usize>(id: &'static str, with: [(&str, Value); N]) -> Message {
    Message { id, with: with.into_iter().map(|(name, value)| (name.to_owned(), value)).collect() }
}

impl From<Message> for LibraryRejected {
    fn from(message: Message) -> LibraryRejected {
        let Message { id, with } = message;
        LibraryRejected { file: String::new(), game: None, line: None, why: id.to_owned(), with }
    }
}

impl From<&Rejection> for LibraryRejected {
    fn from(rejection: &Rejection) -> LibraryRejected {
        let line = rejection.game.map(|_| rejection.place.line as u32).filter(|&line| line > 0);
        let game = rejection.game.map(|game| game as u32);
        LibraryRejected { game, line, ..message_of(&rejection.why).into() }
    }
}

/// What is wrong with a game.
///
/// ```
/// use record::Why;
/// let message = server::message_of(&Why::NotASquare { ply: 3, found: "z9".into() });
/// assert_eq!((message.id, message.with["found"].as_str()), ("cli-why-square", Some("z9")));
/// ```
pub fn message_of(why: &Why) -> Message {
    let text = |text: &dyn ToString| Value::from(text.to_string());
    let number = |number: usize| Value::from(number);
    match why {
        Why::Illegal { ply, square, reason } => {
            let id = match reason {
                Reason::Occupied => "cli-why-occupied",
                Reason::TurnsNothing => "cli-why-turns-nothing",
                Reason::GameOver => "cli-why-game-over",
            };
            message(id, [("ply", number(*ply)), ("square", text(square))])
        }
        Why::WrongTurn { ply, square, by } => {
            message("cli-why-wrong-turn", [("ply", number(*ply)), ("square", text(square)), ("by", text(by))])
        }
        Why::Pass { ply, by } => message("cli-why-pass", [("ply", number(*ply)), ("by", text(by))]),
        Why::NotASquare { ply, found } => message("cli-why-square", [("ply", number(*ply)), ("found", text(found))]),
        Why::GoPoint { found } => message("cli-why-go", [("found", text(found))]),
        Why::TooManyMoves => message("cli-why-moves", []),
        Why::TooManyNodes => message("cli-why-nodes", [("most", number(record::MOST_NODES))]),
        Why::TooManyProperties { most } => message("cli-why-properties", [("most", number(*most))]),
        Why::BoardSize { size } => message("cli-why-size", [("size", text(size))]),
        Why::AnotherGame { game } => message("cli-why-game", [("game", text(game))]),
        Why::NoBoard => message("cli-why-no-board", []),
        Why::Setup(SetupError::TwoDiscs(square)) => message("cli-why-two-discs", [("square", text(square))]),
        Why::Setup(SetupError::NoDiscs) => message("cli-why-no-discs", []),
        Why::LateSetup => message("cli-why-late-setup", []),
        Why::Unclosed { open } => message("cli-why-unclosed", [("open", text(open))]),
        Why::Unexpected { found } => message("cli-why-unexpected", [("found", shown(*found))]),
        Why::BoardCharacter { square, found } => {
            message("cli-why-board-character", [("square", number(*square)), ("found", shown(*found))])
        }
        Why::BoardSquares { count } => message("cli-why-board-squares", [("count", number(*count))]),
        Why::NoTurn => message("cli-why-no-turn", []),
        Why::NotANumber { found } => message("cli-why-number", [("found", text(found))]),
        Why::Truncated { promised, found } => {
            message("cli-why-truncated", [("promised", number(*promised)), ("found", number(*found))])
        }
        Why::NoHeader => message("cli-why-no-header", []),
        Why::MoveByte { ply, byte } => {
            message("cli-why-move-byte", [("ply", number(*ply)), ("byte", number(usize::from(*byte)))])
        }
        Why::Score { score } => message("cli-why-score", [("score", number(usize::from(*score)))]),
        Why::NotGames { what: Holds::Players } => message("cli-why-players", []),
        Why::NotGames { what: Holds::Tournaments } => message("cli-why-tournaments", []),
        Why::NotGames { what: Holds::Solitaires } => message("cli-why-solitaires", []),
        Why::Prose => message("cli-why-prose", []),
        Why::BetweenGames => message("cli-why-between", []),
        Why::NoMoves => message("cli-why-no-moves", []),
        Why::WrongResult { claimed, played } => {
            message("cli-why-result", [("claimed", text(claimed)), ("played", text(played))])
        }
        Why::Unknown => message("cli-why-unknown", []),
    }
}

/// What is wrong with an archive.
pub(crate) fn of_archive(trouble: &library::archive::Trouble) -> Message {
    match trouble {
        library::archive::Trouble::TooLarge => {
            message("cli-archive-too-large", [("most", Value::from(MOST_MEGABYTES))])
        }
        library::archive::Trouble::Damaged(reason) => {
            message("cli-archive-damaged", [("reason", Value::from(reason.as_str()))])
        }
    }
}

/// What is wrong with a text that is no game at all.
pub(crate) fn of_text(trouble: TextTrouble) -> Message {
    let id = match trouble {
        TextTrouble::Empty => "cli-why-empty",
        TextTrouble::DamagedLink => "cli-why-link-damaged",
        TextTrouble::NoMovesInLink => "cli-why-link-no-moves",
    };
    message(id, [])
}

/// What is wrong with a text before a game is looked for in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum TextTrouble {
    #[error("the text is empty")]
    Empty,
    #[error("the link is damaged, or from a newer Outflank")]
    DamagedLink,
    #[error("the link holds no moves: paste those")]
    NoMovesInLink,
}

/// A character as it may be printed anywhere.
fn shown(letter: char) -> Value {
    letter.escape_debug().to_string().into()
}

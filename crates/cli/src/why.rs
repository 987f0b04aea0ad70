//! What is wrong with a game, in the user's language.

use crate::{context::Context, files::Refused, text};
use record::{Holds, Loss, Place, Rejection, Why, WriteError};
use rules::{Reason, SetupError};

impl Context {
    /// Where a game that was refused is and what is wrong with it; of what was typed, only the latter.
    pub(crate) fn refused(&self, refused: &Refused) -> String {
        if refused.typed { self.why(&refused.rejection.why) } else { self.rejection(&refused.file, &refused.rejection) }
    }

    /// Where a game is and what is wrong with it.
    pub(crate) fn rejection(&self, file: &str, rejection: &Rejection) -> String {
        let why = self.why(&rejection.why);
        let Some(game) = rejection.game else { return text!(self, "cli-rejected-file", file = file, why = why) };
        let place = self.place(rejection.place);
        text!(self, "cli-rejected", file = file, game = game, place = place, why = why)
    }

    fn place(&self, place: Place) -> String {
        match place.line {
            0 => text!(self, "cli-place-byte", byte = place.byte),
            line => text!(self, "cli-place-line", line = line),
        }
    }

    /// What is wrong with a game.
    pub(crate) fn why(&self, why: &Why) -> String {
        match why {
            Why::Illegal { ply, square, reason } => {
                let (ply, square) = (*ply, square.to_string());
                match reason {
                    Reason::Occupied => text!(self, "cli-why-occupied", ply = ply, square = square),
                    Reason::TurnsNothing => text!(self, "cli-why-turns-nothing", ply = ply, square = square),
                    Reason::GameOver => text!(self, "cli-why-game-over", ply = ply, square = square),
                }
            }
            Why::WrongTurn { ply, square, by } => {
                text!(self, "cli-why-wrong-turn", ply = *ply, square = square.to_string(), by = by.to_string())
            }
            Why::Pass { ply, by } => text!(self, "cli-why-pass", ply = *ply, by = by.to_string()),
            Why::NotASquare { ply, found } => text!(self, "cli-why-square", ply = *ply, found = found.as_str()),
            Why::GoPoint { found } => text!(self, "cli-why-go", found = found.as_str()),
            Why::TooManyMoves => text!(self, "cli-why-moves"),
            Why::TooManyNodes => text!(self, "cli-why-nodes", most = record::MOST_NODES),
            Why::TooManyProperties { most } => text!(self, "cli-why-properties", most = *most),
            Why::BoardSize { size } => text!(self, "cli-why-size", size = size.as_str()),
            Why::AnotherGame { game } => text!(self, "cli-why-game", game = game.as_str()),
            Why::NoBoard => text!(self, "cli-why-no-board"),
            Why::Setup(SetupError::TwoDiscs(square)) => text!(self, "cli-why-two-discs", square = square.to_string()),
            Why::Setup(SetupError::NoDiscs) => text!(self, "cli-why-no-discs"),
            Why::LateSetup => text!(self, "cli-why-late-setup"),
            Why::Unclosed { open } => text!(self, "cli-why-unclosed", open = open.to_string()),
            Why::Unexpected { found } => text!(self, "cli-why-unexpected", found = shown(*found)),
            Why::BoardCharacter { square, found } => {
                text!(self, "cli-why-board-character", square = *square, found = shown(*found))
            }
            Why::BoardSquares { count } => text!(self, "cli-why-board-squares", count = *count),
            Why::NoTurn => text!(self, "cli-why-no-turn"),
            Why::NotANumber { found } => text!(self, "cli-why-number", found = found.as_str()),
            Why::Truncated { promised, found } => {
                text!(self, "cli-why-truncated", promised = *promised, found = *found)
            }
            Why::NoHeader => text!(self, "cli-why-no-header"),
            Why::MoveByte { ply, byte } => text!(self, "cli-why-move-byte", ply = *ply, byte = *byte),
            Why::Score { score } => text!(self, "cli-why-score", score = *score),
            Why::NotGames { what: Holds::Players } => text!(self, "cli-why-players"),
            Why::NotGames { what: Holds::Tournaments } => text!(self, "cli-why-tournaments"),
            Why::NotGames { what: Holds::Solitaires } => text!(self, "cli-why-solitaires"),
            Why::Prose => text!(self, "cli-why-prose"),
            Why::BetweenGames => text!(self, "cli-why-between"),
            Why::NoMoves => text!(self, "cli-why-no-moves"),
            Why::WrongResult { claimed, played } => {
                text!(self, "cli-why-result", claimed = claimed.as_str(), played = played.as_str())
            }
            Why::Unknown => text!(self, "cli-why-unknown"),
        }
    }

    /// What a format has no place for.
    pub(crate) fn loss(&self, loss: Loss) -> String {
        match loss {
            Loss::Moves => text!(self, "cli-lost-moves"),
            Loss::Variations => text!(self, "cli-lost-variations"),
            Loss::Comments => text!(self, "cli-lost-comments"),
            Loss::Evaluations => text!(self, "cli-lost-evaluations"),
            Loss::Seconds => text!(self, "cli-lost-seconds"),
            Loss::Players => text!(self, "cli-lost-players"),
            Loss::Ratings => text!(self, "cli-lost-ratings"),
            Loss::Event => text!(self, "cli-lost-event"),
            Loss::Site => text!(self, "cli-lost-site"),
            Loss::Date => text!(self, "cli-lost-date"),
            Loss::Round => text!(self, "cli-lost-round"),
            Loss::Clock => text!(self, "cli-lost-clock"),
            Loss::Result => text!(self, "cli-lost-result"),
            Loss::Ending => text!(self, "cli-lost-ending"),
            Loss::Theory => text!(self, "cli-lost-theory"),
            Loss::KnownScores => text!(self, "cli-lost-known"),
            Loss::Properties => text!(self, "cli-lost-properties"),
            Loss::Orientation => text!(self, "cli-lost-orientation"),
        }
    }

    /// Why a game cannot be written.
    pub(crate) fn unwritable(&self, error: &WriteError) -> String {
        match error {
            WriteError::Start(format) => text!(self, "cli-unwritable-start", format = format.extension()),
            WriteError::Moves(format) => text!(self, "cli-unwritable-moves", format = format.extension()),
            WriteError::OneGame(format) => text!(self, "cli-unwritable-one", format = format.extension()),
            WriteError::OneDrawing => text!(self, "cli-unwritable-one", format = "svg"),
            WriteError::Names => text!(self, "cli-unwritable-names"),
        }
    }
}

/// A character as it may be printed anywhere.
fn shown(letter: char) -> String {
    letter.escape_debug().to_string()
}

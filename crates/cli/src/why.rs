//! What is wrong with a game, in the user's language.

use crate::{context::Context, files::Refused, text};
use fluent_bundle::FluentArgs;
use record::{Loss, Place, Rejection, Why, WriteError};

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
        let message = server::message_of(why);
        let mut args = FluentArgs::new();
        for (name, value) in message.with {
            match value.as_u64() {
                Some(number) => args.set(name, number),
                None => args.set(name, value.as_str().unwrap_or_default().to_owned()),
            }
        }
        self.messages.text(message.id, &args)
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

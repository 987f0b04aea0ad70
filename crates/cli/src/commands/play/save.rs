//! Taking a game out: into a file of any format, by the ending of its name.

use super::{
    game::{Game, Trouble},
    words,
};
use crate::{
    commands::convert::{self, Target},
    context::Context,
    files, text,
};
use record::Record;
use std::path::{Path, PathBuf};

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Saved {
    /// It is there; a sentence that says so.
    Done(String),
    /// There is such a file already; nothing was done, and this asks whether to replace it.
    There(String),
    /// Nothing was done; a sentence that says why.
    Not(String),
}

/// Writes the game as it stands. A file that is there is replaced only if the user wants it.
pub(super) fn save(game: &mut Game, name: &str, replace: bool, context: &Context) -> Saved {
    let path = meant(name);
    let shown = path.display().to_string();
    let target = path.extension().and_then(|extension| Target::named(&extension.to_string_lossy()).ok());
    let Some(target) = target else { return Saved::Not(text!(context, "play-save-format", path = shown)) };
    let record = match game.record() {
        Ok(Ok(record)) => record,
        Err(Trouble::Refused(why, reason)) => return Saved::Not(words::refused(why, &reason, None, game, context)),
        Err(lost) => return Saved::Not(words::failure(lost, context).sentence()),
        Ok(Err(error)) => return Saved::Not(text!(context, "play-save-not", path = shown, reason = error.to_string())),
    };
    let records = [record];
    let files = match convert::written(&records, target, &path) {
        Ok(files) => files,
        Err(error) => {
            return Saved::Not(text!(context, "play-save-not", path = shown, reason = context.unwritable(&error)));
        }
    };
    if let Some((there, _)) = files.iter().find(|(path, _)| !replace && path.exists()) {
        return Saved::There(text!(context, "play-save-there", path = there.display().to_string()));
    }
    match files::write(&files, context) {
        Ok(()) => match lost(&records, target, context) {
            what if what.is_empty() => Saved::Done(text!(context, "play-save-done", path = shown)),
            what => Saved::Done(text!(context, "play-save-without", path = shown, what = what)),
        },
        Err(failure) => Saved::Not(failure.sentence()),
    }
}

/// What the format has no place for; a drawing was never meant to hold more than it shows.
fn lost(records: &[Record], target: Target, context: &Context) -> String {
    let Target::File(format) = target else { return String::new() };
    record::lost(records, format).into_iter().map(|(what, _)| context.loss(what)).collect::<Vec<_>>().join(", ")
}

/// The file a name means: `~` is the user's own folder, as in a shell.
fn meant(name: &str) -> PathBuf {
    match (name.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => Path::new(name).to_owned(),
    }
}

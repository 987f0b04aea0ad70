//! `outflank library`: many games, kept in the data folder. Alone it says what is there.

mod add;
mod backup;
mod export;
mod find;
mod remove;

use crate::{
    args::{Library as Args, LibraryCommand, Selection, Shelf},
    commands::serve::data_folder,
    context::{Context, Failure},
    fail,
    files::Games,
    text,
};
use library::{Error, Library, Query, Size};
use rules::ByColor;
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    match &args.command {
        None => summary(&args.shelf, context),
        Some(LibraryCommand::Add(args)) => add::run(args, context),
        Some(LibraryCommand::Find(args)) => find::run(args, context),
        Some(LibraryCommand::Export(args)) => export::run(args, context),
        Some(LibraryCommand::Remove(args)) => remove::run(args, context),
        Some(LibraryCommand::Backup(args)) => backup::back_up(args, context),
        Some(LibraryCommand::Restore(args)) => backup::restore(args, context),
    }
}

pub(crate) fn folder(shelf: &Shelf, context: &Context) -> Result<PathBuf, Failure> {
    match &shelf.data {
        Some(folder) => Ok(folder.clone()),
        None => data_folder().ok_or_else(|| fail!(context, "cli-error-no-home")),
    }
}

/// The library of the folder, which is made if there is none.
fn open(shelf: &Shelf, context: &Context) -> Result<Library, Failure> {
    Library::open(&folder(shelf, context)?).map_err(|error| unusable(error, context))
}

/// The library of the folder; `None` if nothing was ever added.
fn open_if_there(shelf: &Shelf, context: &Context) -> Result<Option<Library>, Failure> {
    Library::open_if_there(&folder(shelf, context)?).map_err(|error| unusable(error, context))
}

fn unusable(error: Error, context: &Context) -> Failure {
    let shown = |path: &Path| path.display().to_string();
    match &error {
        Error::NotAFolder(path) => fail!(context, "cli-error-data-file", path = shown(path)),
        Error::Permission(path) => fail!(context, "cli-error-data-denied", path = shown(path)),
        Error::Busy(path) => fail!(context, "cli-error-data-used", path = shown(path)),
        Error::Foreign(path) => fail!(context, "cli-error-data-foreign", path = shown(path)),
        Error::Newer(path) => fail!(context, "cli-error-data-newer", path = shown(path)),
        Error::Damaged { path, why } => {
            fail!(context, "cli-error-data-damaged", path = shown(path), reason = why.as_str())
        }
        Error::Full(path) => fail!(context, "cli-error-data-full", path = shown(path)),
        Error::Io(error) => fail!(context, "cli-error-data", reason = context.reason(error)),
    }
}

/// What is asked for; a game stands for the position it ends with.
fn query(selection: &Selection, context: &Context) -> Result<Query, Failure> {
    let position = match &selection.position {
        Some(game) => Some(Games::open(game, context)?.record(1, context)?.end()),
        None => None,
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    Ok(Query {
        position,
        player: text(&selection.player),
        players: ByColor { black: text(&selection.black), white: text(&selection.white) },
        tournament: text(&selection.tournament),
        years: selection.year.unwrap_or_default(),
        winner: selection.result.map(|winner| winner.0),
    })
}

/// What is there: `games`, `players` and `tournaments` count, `years` is the first and the last, `bytes` what the file takes,
/// `sources` the files that games came from.
fn summary(shelf: &Shelf, context: &Context) -> Result<(), Failure> {
    let library = open_if_there(shelf, context)?;
    let (size, bytes, sources) = match library {
        None => (Size::default(), 0, Vec::new()),
        Some(mut library) => {
            let told = |error| unusable(error, context);
            let size = library.catalogue().map_err(told)?.size();
            (size, library.bytes(), library.sources().map_err(told)?)
        }
    };
    if shelf.json {
        let sources: Vec<_> =
            sources.iter().map(|source| json!({ "file": source.name, "games": source.games })).collect();
        let years = size.years.map(|(from, to)| json!({ "from": from, "to": to }));
        let answer = json!({
            "games": size.games, "players": size.players, "tournaments": size.tournaments, "years": years,
            "bytes": bytes, "sources": sources,
        });
        return context.line(&answer.to_string());
    }
    if size.games == 0 {
        return context.line(&text!(context, "cli-library-empty"));
    }
    let (games, players, tournaments) = (size.games, size.players, size.tournaments);
    context.line(&text!(
        context,
        "cli-library-size",
        games = games,
        players = players,
        tournaments = tournaments,
        megabytes = context.messages.decimal(bytes as f64 / 1e6, 1)
    ))?;
    if let Some((from, to)) = size.years {
        context.line(&text!(context, "cli-library-years", from = from.to_string(), to = to.to_string()))?;
    }
    for source in sources {
        context.line(&format!("{:>8}  {}", source.games, source.name))?;
    }
    Ok(())
}

//! The library of the data folder, for pages: who may ask what of it, and off the threads that others wait for.

mod export;
mod own;
mod upload;
mod why;

pub(crate) use export::export;
pub(crate) use upload::upload;
pub use why::{Message, message_of};
pub(crate) use why::{TextTrouble, of_text};

use crate::{
    House,
    lobby::Page,
    people::OWNER,
    protocol::{
        LibraryCount, LibraryFound, LibraryGame, LibraryName, LibraryNameKind, LibraryNext, LibraryQuery,
        LibraryResult, LibrarySort, LibraryStats, ToBrowser, Why,
    },
    refusal::Refused,
};
use library::{Catalogue, Count, Entry, Kind, Library, Query, Sort, Years};
use record::Record;
use rules::{ByColor, Color, Position, Setup, Square};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};
use table::{CommandId, LegalMove, PersonId};

/// How many games in one answer.
const PAGE: usize = 50;
/// How many names.
const NAMES: usize = 20;
/// No name is longer than what is looked for may be.
const LONGEST: usize = 200;

/// The library, opened when it is first needed.
#[derive(Debug)]
pub(crate) struct Shelf {
    folder: PathBuf,
    library: Mutex<Option<Library>>,
}

impl Shelf {
    pub(crate) fn new(folder: PathBuf) -> Shelf {
        Shelf { folder, library: Mutex::new(None) }
    }

    /// Does something with the library; `None` if there is none yet. It takes a while: not for a thread that others wait for.
    fn with<T>(
        &self,
        make: bool,
        work: impl FnOnce(&mut Library) -> Result<T, library::Error>,
    ) -> Result<Option<T>, library::Error> {
        let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        if library.is_none() {
            *library = if make { Some(Library::open(&self.folder)?) } else { Library::open_if_there(&self.folder)? };
        }
        library.as_mut().map(work).transpose()
    }

    /// All games, as they stand now.
    fn catalogue(&self) -> Result<Arc<Catalogue>, library::Error> {
        Ok(self.with(false, Library::catalogue)?.unwrap_or_default())
    }
}

impl From<library::Error> for Refused {
    fn from(error: library::Error) -> Refused {
        let why = match error {
            library::Error::Full(_) | library::Error::Permission(_) | library::Error::Busy(_) => Why::NotSaved,
            _ => Why::Unreadable,
        };
        Refused::new(why, error)
    }
}

impl House {
    /// Whether somebody may look: the owner may, and others where the owner wants it.
    fn may_read(&self, who: PersonId) -> Result<(), Refused> {
        if who == OWNER || self.config.library_for_all {
            return Ok(());
        }
        Err(Refused::new(Why::NotYours, "this library is for the owner of the server"))
    }

    fn may_write(&self, who: PersonId) -> Result<(), Refused> {
        if who == OWNER {
            return Ok(());
        }
        Err(Refused::new(Why::NotYours, "only the owner adds games to the library or removes them"))
    }

    /// Does something with the library where nobody waits for the thread.
    async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Shelf) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let shelf = self.library.clone();
        let done = tokio::task::spawn_blocking(move || work(&shelf)).await;
        done.unwrap_or_else(|_| Err(Refused::new(Why::Unreadable, "the library failed")))
    }

    /// A whole game of the library, for whoever may look: what a study of it begins with.
    pub(crate) async fn library_game(&self, who: PersonId, number: u32) -> Result<Record, Refused> {
        self.may_read(who)?;
        self.off_thread(move |shelf| {
            let game = shelf.with(false, |library| library.game(number))?.flatten();
            game.ok_or_else(|| Refused::new(Why::NoSuchGame, "the library has no such game"))
        })
        .await
    }

    /// What people played in a position, and in how many games; nothing where this person may not look.
    pub(crate) async fn people_play(&self, who: PersonId, position: Position) -> Result<Vec<(Square, u32)>, Refused> {
        if self.may_read(who).is_err() {
            return Ok(Vec::new());
        }
        self.off_thread(move |shelf| {
            let found = shelf.catalogue()?.find(&Query { position: Some(position), ..Query::default() });
            Ok(found.next.iter().map(|next| (next.square, next.count.games)).collect())
        })
        .await
    }

    /// The answer to `library_find`.
    pub(crate) async fn library_find(
        &self,
        page: &Page,
        id: CommandId,
        query: LibraryQuery,
        sort: LibrarySort,
        skip: u32,
    ) -> Result<ToBrowser, Refused> {
        self.may_read(page.who())?;
        let (query, position) = meant(&query)?;
        self.off_thread(move |shelf| {
            let catalogue = shelf.catalogue()?;
            Ok(ToBrowser::Library(Box::new(found(&catalogue, id, &query, position, sort, skip as usize))))
        })
        .await
    }

    /// The answer to `library_names`.
    pub(crate) async fn library_names(
        &self,
        page: &Page,
        id: CommandId,
        kind: LibraryNameKind,
        part: String,
    ) -> Result<ToBrowser, Refused> {
        self.may_read(page.who())?;
        let part = short(&part)?;
        self.off_thread(move |shelf| {
            let kind = match kind {
                LibraryNameKind::Player => Kind::Player,
                LibraryNameKind::Tournament => Kind::Tournament,
            };
            let catalogue = shelf.catalogue()?;
            let names = catalogue.names(kind, &part, NAMES).into_iter();
            let names = names.map(|(name, games)| LibraryName { name: name.to_owned(), games }).collect();
            Ok(ToBrowser::LibraryNames { id, names })
        })
        .await
    }

    /// The answer to `library_stats`.
    pub(crate) async fn library_stats(&self, page: &Page, id: CommandId) -> Result<ToBrowser, Refused> {
        self.may_read(page.who())?;
        let yours = self.may_write(page.who()).is_ok();
        self.off_thread(move |shelf| {
            let size = shelf.catalogue()?.size();
            let rest = shelf.with(false, |library| Ok((library.bytes(), library.sources()?, library.takes_own()?)))?;
            let (bytes, sources, own) = rest.unwrap_or((0, Vec::new(), true));
            let source = |source: library::Source| LibraryName { name: source.name, games: source.games };
            Ok(ToBrowser::LibraryStats(LibraryStats {
                id,
                games: size.games as u32,
                players: size.players as u32,
                tournaments: size.tournaments as u32,
                years: size.years,
                bytes,
                sources: sources.into_iter().map(source).collect(),
                yours,
                own,
            }))
        })
        .await
    }

    /// The answer to `library_delete`.
    pub(crate) async fn library_delete(
        &self,
        page: &Page,
        id: CommandId,
        numbers: Vec<u32>,
        source: Option<String>,
    ) -> Result<ToBrowser, Refused> {
        self.may_write(page.who())?;
        self.off_thread(move |shelf| {
            let remove = |library: &mut Library| match source {
                Some(source) => library.remove_source(&source),
                None => library.remove(&numbers),
            };
            let removed = shelf.with(false, remove)?.unwrap_or(0) as u32;
            Ok(ToBrowser::LibraryDeleted { id, removed })
        })
        .await
    }

    /// `library_own`: whether the owner's finished games join.
    pub(crate) async fn library_own(&self, page: &Page, on: bool) -> Result<(), Refused> {
        self.may_write(page.who())?;
        self.off_thread(move |shelf| Ok(shelf.with(true, |library| library.take_own(on)).map(drop)?)).await
    }
}

/// What is looked for, if nobody was to read a book for it.
fn short(text: &str) -> Result<String, Refused> {
    if text.len() <= LONGEST { Ok(text.to_owned()) } else { Err(Refused::new(Why::BadMessage, "a name is too long")) }
}

/// A question as the library takes it, and the position to be shown.
fn meant(query: &LibraryQuery) -> Result<(Query, Position), Refused> {
    let bad = |error: &dyn ToString| Refused::new(Why::BadMessage, error.to_string());
    let mut position = Position::start();
    if !query.board.is_empty() {
        let setup: Setup = query.board.parse().map_err(|_| bad(&"the board cannot be read"))?;
        position = setup.position().map_err(|error| bad(&error))?;
    }
    for name in query.moves.as_bytes().chunks(2) {
        let square: Square =
            std::str::from_utf8(name).ok().and_then(|name| name.parse().ok()).ok_or_else(|| bad(&"not a square"))?;
        position = position.play(square).map_err(|error| bad(&error))?.after;
    }
    let asked = !query.board.is_empty() || !query.moves.is_empty();
    let query = Query {
        position: asked.then_some(position),
        player: short(&query.player)?,
        players: ByColor { black: short(&query.black)?, white: short(&query.white)? },
        tournament: short(&query.tournament)?,
        years: Years { from: query.from, to: query.to },
        winner: query.result.map(|result| match result {
            LibraryResult::Black => Some(Color::Black),
            LibraryResult::White => Some(Color::White),
            LibraryResult::Draw => None,
        }),
    };
    Ok((query, position))
}

fn found(
    catalogue: &Catalogue,
    id: CommandId,
    query: &Query,
    position: Position,
    sort: LibrarySort,
    skip: usize,
) -> LibraryFound {
    let found = catalogue.find(query);
    let sort = match sort {
        LibrarySort::Newest => Sort::Newest,
        LibrarySort::Oldest => Sort::Oldest,
    };
    let turned = |square| LegalMove { square, turns: position.flips(square).iter().collect() };
    let letter = |square: Square| position.at(square).map_or('-', Color::letter);
    LibraryFound {
        id,
        count: counted(&found.count),
        board: Square::ALL.into_iter().map(letter).collect(),
        turn: position.turn(),
        legal: position.legal().iter().map(turned).collect(),
        next: found.next.iter().map(|next| LibraryNext { square: next.square, count: counted(&next.count) }).collect(),
        list: catalogue.list(&found, sort, skip, PAGE).into_iter().map(|(entry, at)| listed(&entry, at)).collect(),
        more: found.hits.len() > skip + PAGE,
    }
}

fn counted(count: &Count) -> LibraryCount {
    LibraryCount {
        games: count.games,
        black_wins: count.black_wins,
        draws: count.draws,
        white_wins: count.white_wins,
        average: count.average().map(|average| (average * 1000.0).round() / 1000.0),
    }
}

fn listed(entry: &Entry<'_>, at: u8) -> LibraryGame {
    LibraryGame {
        number: entry.number,
        black: entry.black.to_owned(),
        white: entry.white.to_owned(),
        tournament: entry.event.to_owned(),
        round: entry.round.to_owned(),
        year: entry.year,
        score: entry.difference,
        result: entry.winner.map(|winner| match winner {
            Some(Color::Black) => LibraryResult::Black,
            Some(Color::White) => LibraryResult::White,
            None => LibraryResult::Draw,
        }),
        moves: entry.moves as u32,
        at: at.into(),
    }
}

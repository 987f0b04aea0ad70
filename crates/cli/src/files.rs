//! Files: what the user names becomes games, and what is written is never half there.
//!
//! [`Games::open`] is the one way from an argument to games: a file in any format, packed or not, the program's own saved
//! games, standard input, or moves and boards as they are typed.

mod write;

pub(crate) use write::{new_beside, write};

use crate::{
    context::{Context, Failure},
    fail,
};
use library::archive::{self, MOST_MEGABYTES, Trouble, Unpacked};
use record::{Format, Place, Record, Rejection, Why, import, wthor::Names};
use serde_json::{Value, json};
use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

/// A file as it lies on the disk, read into memory.
pub(crate) struct Source {
    /// What the user called it.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Source {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn open(path: &Path, context: &Context) -> Result<Source, Failure> {
        let name = path.display().to_string();
        let bytes = if path == "-" {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        };
        match bytes {
            Ok(bytes) => Ok(Source { name, bytes }),
            Err(error) => Err(unreadable(&name, &error, context)),
        }
    }
}

fn unreadable(name: &str, error: &io::Error, context: &Context) -> Failure {
    fail!(context, "cli-error-read", path = name, reason = context.reason(error))
}

/// The games and positions that an argument stands for.
pub(crate) struct Games {
    /// What the user called them.
    pub(crate) name: String,
    /// They are in the argument itself.
    typed: bool,
    parts: Vec<Part>,
}

/// One file of games; an archive has many.
struct Part {
    name: String,
    content: Content,
}

enum Content {
    Text {
        format: Format,
        bytes: Vec<u8>,
        /// The names that go with a WTHOR file.
        names: Names,
        /// The bytes are not those of the file: it has another encoding.
        converted: bool,
    },
    /// A game as `outflank play` kept it before it had a server.
    Saved(Box<Record>),
    Unreadable(Why),
}

/// A game that was refused, and the file it is in.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) file: String,
    pub(crate) rejection: Rejection,
    /// The game was typed: there is no file.
    pub(crate) typed: bool,
    /// The place in bytes is that of the file.
    pub(crate) in_file: bool,
}

impl Refused {
    /// For programs.
    pub(crate) fn json(&self, context: &Context) -> Value {
        let Rejection { game, place, why } = &self.rejection;
        let of_game = |number: usize| game.map(|_| number);
        json!({
            "file": self.file,
            "game": game,
            "line": of_game(place.line).filter(|&line| line > 0),
            "byte": of_game(place.byte).filter(|_| self.in_file),
            "ply": why.ply(),
            "square": why.square().map(|square| square.to_string()),
            "why": context.why(why),
        })
    }
}

impl Games {
    /// Gives the games of WTHOR files other names than those that lie beside them.
    pub(crate) fn rename(&mut self, rename: impl Fn(&mut Names)) {
        for part in &mut self.parts {
            if let Content::Text { format: Format::Wthor, names, .. } = &mut part.content {
                rename(names);
            }
        }
    }

    /// A file, `-` for standard input, or what is typed itself: moves or a board.
    ///
    /// Fails if there is no such file and it is no game either, or if it is one file and nothing in it can be read.
    pub(crate) fn open(argument: &OsStr, context: &Context) -> Result<Games, Failure> {
        let path = Path::new(argument);
        let name = argument.to_string_lossy().into_owned();
        match fs::metadata(path) {
            _ if path == "-" => {}
            Ok(_) => {}
            // anything but a missing file is the file's own trouble
            Err(error) if !is_missing(&error) => return Err(unreadable(&name, &error, context)),
            Err(error) => return Games::typed(&name, &error, context),
        }
        let source = Source::open(path, context)?;
        let fail_with = |why: &str| fail!(context, "cli-rejected-file", file = name.as_str(), why = why);
        let parts = match archive::unpack(&source.bytes) {
            None => vec![Part::new(name.clone(), &name, source.bytes, || names_beside(path))],
            Some(Ok(files)) => unpacked(&name, path, files),
            Some(Err(Trouble::TooLarge)) => {
                return Err(fail_with(&crate::text!(context, "cli-archive-too-large", most = MOST_MEGABYTES)));
            }
            Some(Err(Trouble::Damaged(reason))) => {
                return Err(fail_with(&crate::text!(context, "cli-archive-damaged", reason = reason)));
            }
        };
        match &parts[..] {
            [] => Err(fail_with(&context.why(&Why::Unknown))),
            [Part { content: Content::Unreadable(why), name }] => {
                Err(fail!(context, "cli-rejected-file", file = name.as_str(), why = context.why(why)))
            }
            _ => Ok(Games { name, typed: false, parts }),
        }
    }

    /// Moves or a board.
    fn typed(text: &str, missing: &io::Error, context: &Context) -> Result<Games, Failure> {
        match import::guess("", text.as_bytes()) {
            Ok(format) => {
                let names = Names::default();
                let content = Content::Text { format, bytes: text.into(), names, converted: false };
                let parts = vec![Part { name: text.to_owned(), content }];
                Ok(Games { name: text.to_owned(), typed: true, parts })
            }
            // it was meant to be a file
            Err(_) if text.contains(['.', '/', '\\']) => Err(unreadable(text, missing, context)),
            Err(_) => Err(fail!(context, "cli-show-nothing", name = text)),
        }
    }

    /// The games, one after another, each legal or refused.
    pub(crate) fn records(&self) -> Records<'_> {
        Records { games: self, parts: self.parts.iter(), reading: None, done: 0 }
    }

    /// The game with this number, counted from 1; those before it are not replayed.
    pub(crate) fn record(&self, number: u32, context: &Context) -> Result<Record, Failure> {
        let mut records = self.records();
        let mut before = 0;
        while before + 1 < number {
            match records.skip_one() {
                Some(true) => before += 1,
                Some(false) => {}
                None => break,
            }
        }
        // what is wrong with a whole file is no game: another file of the archive may have one
        let mut trouble = None;
        loop {
            match records.next() {
                Some(Ok(record)) => return Ok(record),
                Some(Err(refused)) if refused.rejection.game.is_none() => trouble = trouble.or(Some(refused)),
                Some(Err(refused)) => return Err(Failure::Sentence(context.refused(&refused))),
                None => break,
            }
        }
        match trouble {
            Some(refused) if before == 0 => Err(Failure::Sentence(context.refused(&refused))),
            _ => {
                let file = self.name.as_str();
                Err(fail!(context, "cli-show-no-game", file = file, wanted = number, count = before))
            }
        }
    }

    /// How many bytes there are to read.
    pub(crate) fn size(&self) -> u64 {
        self.parts.iter().map(Part::size).sum()
    }
}

/// There is nothing of that name: it may be a game. A board of more than 255 characters is no file's name either.
fn is_missing(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | InvalidFilename | InvalidInput)
}

/// The files of an archive.
fn unpacked(archive: &str, path: &Path, files: Vec<Unpacked>) -> Vec<Part> {
    let mut names = Names::default();
    let has_end =
        |file: &Unpacked, end: &str| file.name.as_ref().is_some_and(|name| name.to_ascii_lowercase().ends_with(end));
    for file in &files {
        // Without names, or with damaged ones, players have numbers.
        let _ = match () {
            () if has_end(file, ".jou") => names.read_players(&file.bytes),
            () if has_end(file, ".trn") => names.read_tournaments(&file.bytes),
            () => Ok(()),
        };
    }
    let games = files.into_iter().filter(|file| !has_end(file, ".jou") && !has_end(file, ".trn"));
    let part = |file: Unpacked| match file.name {
        Some(name) => Part::new(format!("{archive}/{name}"), &name, file.bytes, || names.clone()),
        None => {
            // games.wtb.gz holds games.wtb
            let inner = path.with_extension("");
            Part::new(archive.to_owned(), &inner.to_string_lossy(), file.bytes, || names_beside(&inner))
        }
    };
    games.map(part).collect()
}

impl Part {
    /// A file with this name to show, and this one to guess its format from.
    fn new(name: String, file: &str, bytes: Vec<u8>, names: impl FnOnce() -> Names) -> Part {
        if let Some(record) = saved_game(&bytes) {
            return Part { name, content: Content::Saved(Box::new(record)) };
        }
        let (bytes, converted) = match import::from_utf16(&bytes) {
            Some(text) => (text.into_bytes(), true),
            None => (bytes, false),
        };
        let content = match import::guess(file, &bytes) {
            Ok(Format::Wthor) => Content::Text { format: Format::Wthor, bytes, names: names(), converted },
            Ok(format) => Content::Text { format, bytes, names: Names::default(), converted },
            Err(why) => Content::Unreadable(why),
        };
        Part { name, content }
    }

    fn size(&self) -> u64 {
        match &self.content {
            Content::Text { bytes, .. } => bytes.len() as u64,
            _ => 0,
        }
    }
}

fn saved_game(bytes: &[u8]) -> Option<Record> {
    let text = str::from_utf8(bytes).ok().filter(|text| text.starts_with('{'))?;
    let saved = server::SavedGame::read(text)?;
    server::record_of_table(&saved.table, saved.setup.at).ok()
}

/// The games of an argument, one after another.
pub(crate) struct Records<'a> {
    games: &'a Games,
    parts: std::slice::Iter<'a, Part>,
    reading: Option<(&'a Part, import::Games<'a>)>,
    done: u64,
}

/// What the next file of an argument gives.
enum Opened<'r, 'a> {
    Games(&'r mut import::Games<'a>),
    /// It is one game, or nothing that can be read.
    Whole(Box<Result<Record, Refused>>),
}

impl<'a> Records<'a> {
    /// How many bytes have been read so far.
    pub(crate) fn byte(&self) -> u64 {
        self.done + self.reading.as_ref().map_or(0, |(_, games)| games.byte() as u64)
    }

    /// The file being read, opening the next one if there is none.
    fn reading(&mut self) -> Option<Opened<'_, 'a>> {
        if self.reading.is_none() {
            let part = self.parts.next()?;
            match &part.content {
                Content::Text { format, bytes, names, .. } => {
                    self.reading = Some((part, import::games(*format, bytes, names)));
                }
                Content::Saved(record) => return Some(Opened::Whole(Box::new(Ok(Record::clone(record))))),
                Content::Unreadable(why) => {
                    let rejection = Rejection { game: None, place: Place::default(), why: why.clone() };
                    return Some(Opened::Whole(Box::new(Err(self.refused(part, rejection)))));
                }
            }
        }
        self.reading.as_mut().map(|(_, games)| Opened::Games(games))
    }

    /// The game that was read last, refused for this reason.
    pub(crate) fn refuse(&self, why: Why) -> Option<Refused> {
        let (part, games) = self.reading.as_ref()?;
        Some(self.refused(part, games.reject(why)))
    }

    fn finish_part(&mut self) {
        if let Some((part, _)) = self.reading.take() {
            self.done += part.size();
        }
    }

    /// Passes over the next game without replaying it; whether it was one, and not something said of a whole file.
    fn skip_one(&mut self) -> Option<bool> {
        loop {
            match self.reading()? {
                Opened::Whole(whole) => return Some(whole.is_ok()),
                Opened::Games(games) => match games.next() {
                    Some(Ok(_)) => return Some(true),
                    Some(Err(rejection)) => return Some(rejection.game.is_some()),
                    None => self.finish_part(),
                },
            }
        }
    }

    fn refused(&self, part: &Part, rejection: Rejection) -> Refused {
        let in_file = !matches!(part.content, Content::Text { converted: true, .. });
        Refused { file: part.name.clone(), rejection, typed: self.games.typed, in_file }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, Refused>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.reading()? {
                Opened::Whole(whole) => return Some(*whole),
                Opened::Games(games) => match games.next_record() {
                    Some(Ok(record)) => return Some(Ok(record)),
                    Some(Err(rejection)) => {
                        let part = self.reading.as_ref().map(|(part, _)| *part)?;
                        return Some(Err(self.refused(part, rejection)));
                    }
                    None => self.finish_part(),
                },
            }
        }
    }
}

/// The players and tournaments of a WTHOR file lie in the same folder, under its own name or the usual ones.
fn names_beside(path: &Path) -> Names {
    let mut names = Names::default();
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb")) {
        return names;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let files: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    let find = |extension: &str| {
        let wanted = [stem.as_str(), "wthor", "wth"].map(|stem| format!("{stem}.{extension}"));
        let name = |file: &&PathBuf| file.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase());
        wanted.iter().find_map(|wanted| files.iter().find(|file| name(file).as_ref() == Some(wanted)))
    };
    // Without names, or with damaged ones, players have numbers.
    if let Some(bytes) = find("jou").and_then(|file| fs::read(file).ok()) {
        let _ = names.read_players(&bytes);
    }
    if let Some(bytes) = find("trn").and_then(|file| fs::read(file).ok()) {
        let _ = names.read_tournaments(&bytes);
    }
    names
}

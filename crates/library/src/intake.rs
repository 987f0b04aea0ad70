//! Files that somebody hands over, all at once, by name and content: [`Intake`].
//!
//! ```
//! use library::intake::{Given, Intake, Taken};
//! let file = Given { name: "two.txt".into(), bytes: b"f5d6c3\nf5a1\n".to_vec() };
//! let intake = Intake::new(vec![file]);
//! let (mut games, mut refused) = (0, 0);
//! intake.read(|taken| {
//!     match taken {
//!         Taken::Game { .. } => games += 1,
//!         Taken::Refused { .. } => refused += 1,
//!     }
//!     true
//! });
//! assert_eq!((games, refused), (1, 1));
//! ```

use crate::{
    archive::{self, Trouble},
    unfit,
};
use record::{Format, Place, Record, Rejection, Why, import, wthor::Names};

/// A file as it was handed over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// What it is called.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Files that were handed over, packed ones opened. Names of WTHOR players and tournaments among them are those of its games.
#[derive(Debug)]
pub struct Intake {
    parts: Vec<Part>,
    names: Names,
}

#[derive(Debug)]
struct Part {
    name: String,
    content: Result<(Format, Vec<u8>), Refusal>,
}

/// Why a file or a game is not taken.
#[derive(Clone, PartialEq, Debug)]
pub enum Refusal {
    /// The game, or the file, for this reason.
    Game(Rejection),
    /// The archive.
    Archive(Trouble),
}

/// What comes out of an [`Intake`].
#[derive(Debug)]
pub enum Taken<'a> {
    /// A game that belongs into a library.
    Game {
        /// The file it was in.
        file: &'a str,
        /// The game.
        record: Box<Record>,
        /// How much of everything has been read, from 0 to 1.
        progress: f64,
    },
    /// Something that does not.
    Refused {
        /// The file it was in.
        file: &'a str,
        /// Why.
        why: Refusal,
    },
}

impl Intake {
    /// Opens what is packed and sorts out what holds names.
    pub fn new(files: Vec<Given>) -> Intake {
        let mut intake = Intake { parts: Vec::new(), names: Names::default() };
        for Given { name, bytes } in files {
            match archive::unpack(&bytes) {
                None => intake.put(name, bytes),
                Some(Err(trouble)) => {
                    intake.parts.push(Part { name, content: Err(Refusal::Archive(trouble)) });
                }
                Some(Ok(files)) => {
                    for file in files {
                        // games.wtb.gz holds games.wtb
                        let inner = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
                        let inner = file.name.map_or(inner.to_owned(), |inner| format!("{name}/{inner}"));
                        intake.put(inner, file.bytes);
                    }
                }
            }
        }
        intake
    }

    fn put(&mut self, name: String, bytes: Vec<u8>) {
        let has_end = |end: &str| name.to_ascii_lowercase().ends_with(end);
        let whole = |why| Refusal::Game(Rejection { game: None, place: Place::default(), why });
        let names = match () {
            () if has_end(".jou") => Some(self.names.read_players(&bytes)),
            () if has_end(".trn") => Some(self.names.read_tournaments(&bytes)),
            () => None,
        };
        match names {
            Some(Ok(())) => return,
            // Without names players have numbers; that is told, so that nobody wonders.
            Some(Err(why)) => return self.parts.push(Part { name, content: Err(whole(why)) }),
            None => {}
        }
        let bytes = import::from_utf16(&bytes).map_or(bytes, String::into_bytes);
        let content = import::guess(&name, &bytes).map(|format| (format, bytes)).map_err(whole);
        self.parts.push(Part { name, content });
    }

    /// Gives everything to `each`, until that says false.
    pub fn read(&self, mut each: impl FnMut(Taken<'_>) -> bool) {
        let size = |part: &Part| part.content.as_ref().map_or(0, |(_, bytes)| bytes.len());
        let all = self.parts.iter().map(size).sum::<usize>().max(1) as f64;
        let mut before = 0;
        if self.parts.is_empty() {
            let why = Rejection { game: None, place: Place::default(), why: Why::Unknown };
            each(Taken::Refused { file: "", why: Refusal::Game(why) });
        }
        for part in &self.parts {
            let file = part.name.as_str();
            let going_on = match &part.content {
                Err(why) => each(Taken::Refused { file, why: why.clone() }),
                Ok((format, bytes)) => {
                    let mut games = import::games(*format, bytes, &self.names);
                    loop {
                        let Some(game) = games.next_record() else { break true };
                        let progress = (before + games.byte()) as f64 / all;
                        let taken = match game {
                            Ok(record) => match unfit(&record) {
                                None => Taken::Game { file, record: Box::new(record), progress },
                                Some(why) => Taken::Refused { file, why: Refusal::Game(games.reject(why)) },
                            },
                            Err(rejection) => Taken::Refused { file, why: Refusal::Game(rejection) },
                        };
                        if !each(taken) {
                            break false;
                        }
                    }
                }
            };
            if !going_on {
                return;
            }
            before += size(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::wthor::Base;

    #[test]
    fn names_lie_beside_their_games_and_archives_are_opened() {
        let mut game = Record::from_moves([rules::Square::F5, rules::Square::D6]).unwrap();
        game.headers.players.black = "Ana".into();
        game.headers.date = "2001".into();
        let base = Base::write(&[game], Default::default()).unwrap();
        let given = |name: &str, bytes: &[u8]| Given { name: name.into(), bytes: bytes.into() };
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, b"f5d6c3\n").unwrap();
        let intake = Intake::new(vec![
            given("x.wtb", &base.games),
            given("X.JOU", &base.players),
            given("X.TRN", &base.tournaments),
            given("more.txt.gz", &packed.finish().unwrap()),
            given("bad.zip", b"PK\x03\x04 and no more"),
            given("note.txt", b"nothing of that kind"),
            given("empty.sgf", b"(;GM[2])"),
        ]);
        let mut said = Vec::new();
        intake.read(|taken| {
            said.push(match taken {
                Taken::Game { file, record, .. } => format!("{file} {}", record.headers.players.black),
                Taken::Refused { file, why: Refusal::Game(rejection) } => format!("{file}: {}", rejection.why),
                Taken::Refused { file, why: Refusal::Archive(_) } => format!("{file}: packed"),
            });
            true
        });
        assert_eq!(said[..3], ["x.wtb Ana", "more.txt ", "bad.zip: packed"]);
        assert_eq!((said.len(), said[4].as_str()), (5, "empty.sgf: no moves"), "{said:?}");
        let mut count = 0;
        intake.read(|_| {
            count += 1;
            false
        });
        assert_eq!(count, 1, "whoever has heard enough is told no more");
        let mut said = Vec::new();
        Intake::new(vec![given("x.wtb", &base.games), given("x.jou", &base.players[..20])]).read(|taken| {
            said.push(match taken {
                Taken::Game { record, .. } => record.headers.players.black.clone(),
                Taken::Refused { file, .. } => format!("{file} is damaged"),
            });
            true
        });
        assert_eq!(said, ["#1", "x.jou is damaged"], "players have numbers, and it is told why");
        let mut nothing = 0;
        Intake::new(Vec::new()).read(|_| {
            nothing += 1;
            true
        });
        assert_eq!(nothing, 1);
    }
}

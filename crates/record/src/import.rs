//! Any file: guess what it is, read game after game, report each that cannot be taken.
//!
//! ```
//! use record::import;
//! let text = b"f5d6c3\nd3a1\nf5f6\n";
//! let format = import::guess("games.txt", text).unwrap();
//! let all: Vec<_> = import::records(format, text, &Default::default()).collect();
//! assert_eq!(all.iter().filter(|game| game.is_ok()).count(), 2);
//! let rejected = all[1].as_ref().unwrap_err();
//! assert_eq!(rejected.to_string(), "game 2, line 2: move 2: a1 turns no disc");
//! ```

use crate::{
    Holds, Place, RawGame, ReadError, Record, Rejection, Why, board_text, ggf, obf, pgn, sgf, text, transcript,
    wthor::{self, Names},
};
use std::fmt;

/// A kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Moves in a row.
    Transcript,
    /// Tags and numbered moves.
    Pgn,
    /// The Generic Game Format.
    Ggf,
    /// The Smart Game Format.
    Sgf,
    /// The WTHOR database.
    Wthor,
    /// Positions with the scores of their moves.
    Obf,
    /// One board as a diagram.
    Board,
}

impl Format {
    /// Every format, the more demanding first.
    pub const ALL: [Format; 7] =
        [Format::Wthor, Format::Ggf, Format::Sgf, Format::Pgn, Format::Obf, Format::Board, Format::Transcript];

    /// The usual end of a file's name.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Transcript => "txt",
            Format::Pgn => "pgn",
            Format::Ggf => "ggf",
            Format::Sgf => "sgf",
            Format::Wthor => "wtb",
            Format::Obf => "obf",
            Format::Board => "board",
        }
    }

    /// The format whose files end so, in any case.
    ///
    /// ```
    /// use record::Format;
    /// assert_eq!(Format::of_extension("WTB"), Some(Format::Wthor));
    /// assert_eq!(Format::of_extension("exe"), None);
    /// ```
    pub fn of_extension(extension: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(extension))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Format::Transcript => "a transcript",
            Format::Pgn => "PGN",
            Format::Ggf => "GGF",
            Format::Sgf => "SGF",
            Format::Wthor => "WTHOR",
            Format::Obf => "OBF",
            Format::Board => "a board",
        })
    }
}

/// Guesses what a file is from its name and its content.
///
/// A name that says the format is believed where the content allows it: a comment of a PGN file may look like SGF.
///
/// # Errors
///
/// Why nothing in it can be read.
pub fn guess(name: &str, bytes: &[u8]) -> Result<Format, Why> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    match extension.as_str() {
        "wtb" => return Ok(Format::Wthor),
        "jou" => return Err(Why::NotGames { what: Holds::Players }),
        "trn" => return Err(Why::NotGames { what: Holds::Tournaments }),
        "wtd" => return Err(Why::BoardSize { size: "10".into() }),
        "pzz" => return Err(Why::NotGames { what: Holds::Solitaires }),
        _ => {}
    }
    let bytes = &bytes[text::mark(bytes)..];
    let head = &bytes[..bytes.len().min(1 << 16)];
    if is_binary(head) {
        let header = wthor::Header::read(bytes)?;
        let whole = header.games > 0 && bytes.len() as u64 == 16 + 68 * u64::from(header.games);
        let dated = (1..=12).contains(&header.created.month) && (1..=31).contains(&header.created.day);
        return if whole && dated { Ok(Format::Wthor) } else { Err(Why::Unknown) };
    }
    let lines = || text::lines(head).map(|(_, line)| line).filter(|line| !line.trim_ascii().is_empty());
    let has_positions = || lines().take(100).any(|line| obf::read(line).is_ok());
    let named = match extension.as_str() {
        "pgn" if pgn::games(head).next().is_some() => Some(Format::Pgn),
        "sgf" if sgf::games(head).next().is_some() => Some(Format::Sgf),
        "ggf" if ggf::games(head).next().is_some() => Some(Format::Ggf),
        "obf" if has_positions() => Some(Format::Obf),
        _ => None,
    };
    if let Some(format) = named {
        return Ok(format);
    }
    let has = |what: &[u8]| head.windows(what.len()).any(|window| window.eq_ignore_ascii_case(what));
    let bracketed = || if has(b"GM[othello]") && !has(b"GM[2]") { Format::Ggf } else { Format::Sgf };
    // whichever begins a line first: a game in brackets, perhaps with a number in front, or a tag
    match lines().find(|line| begins_tree(line) || pgn::is_tag_line(line)) {
        Some(line) if begins_tree(line) && sgf::games(head).next().is_some() => return Ok(bracketed()),
        _ if pgn::games(head).next().is_some() => return Ok(Format::Pgn),
        _ if has(b"(;") && sgf::games(head).any(|(_, game)| game.is_ok()) => return Ok(bracketed()),
        _ => {}
    }
    if has_positions() {
        return Ok(Format::Obf);
    }
    if let Some(text) = str::from_utf8(bytes).ok().filter(|text| text.len() < 4096) {
        match board_text::read(text).map_err(|error| error.why) {
            // what is wrong with a board is for its reader to say
            Ok(_) | Err(Why::NoTurn) => return Ok(Format::Board),
            Err(Why::BoardSquares { count: 32.. }) => return Ok(Format::Board),
            Err(_) => {}
        }
    }
    // by its name it may be a transcript that has nothing but mistakes, each of which has its place
    let has_mistakes = || extension == "txt" && transcript::games(bytes).next().is_some();
    if text::lines(bytes).any(|(_, line)| transcript::is_game(line)) || has_mistakes() {
        return Ok(Format::Transcript);
    }
    match Format::of_extension(&extension) {
        Some(format @ (Format::Obf | Format::Board)) => Ok(format),
        _ => Err(Why::Unknown),
    }
}

/// Whether a line opens a game of SGF or GGF.
fn begins_tree(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = line[digits..].trim_ascii_start();
    rest.strip_prefix(b"(").is_some_and(|rest| matches!(rest.trim_ascii_start(), [] | [b';', ..]))
}

/// The text of a file in UTF-16, or `None` if it is in something else.
///
/// A byte order mark says so, or, where there is none, that as UTF-16 it is plain text and half of it English letters.
///
/// ```
/// use record::import;
/// let file: Vec<u8> = "f5d6c3\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
/// assert_eq!(import::from_utf16(&file).as_deref(), Some("f5d6c3\n"));
/// assert_eq!(import::from_utf16(b"f5d6c3\n"), None);
/// ```
pub fn from_utf16(bytes: &[u8]) -> Option<String> {
    text::from_utf16(bytes)
}

/// Text has no NUL and hardly any other control character.
fn is_binary(bytes: &[u8]) -> bool {
    let strange = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace() && **byte != 0x1a;
    bytes.contains(&0) || bytes.iter().filter(strange).count() * 100 > bytes.len()
}

/// What a file claims, game after game.
pub fn games<'a>(format: Format, bytes: &'a [u8], names: &'a Names) -> Games<'a> {
    let mut trouble = None;
    let mark = if format == Format::Wthor { 0 } else { text::mark(bytes) };
    let bytes = &bytes[mark..];
    let games: Found<'a> = match format {
        Format::Transcript => Box::new(transcript::games(bytes)),
        Format::Pgn => Box::new(pgn::games(bytes)),
        Format::Ggf => Box::new(ggf::games(bytes)),
        Format::Sgf => Box::new(sgf::games(bytes)),
        Format::Obf => Box::new(obf::positions(bytes)),
        Format::Board => Box::new(std::iter::once((0, board(bytes)))),
        Format::Wthor => match wthor::Games::open(bytes) {
            Ok(games) => {
                trouble = games.is_whole().err();
                let header = games.header;
                let raw =
                    move |(at, game): (usize, wthor::Game<'_>)| (wthor::Games::byte(at), game.raw(&header, names));
                Box::new(games.iter().enumerate().map(raw))
            }
            Err(why) => {
                trouble = Some(why);
                Box::new(std::iter::empty())
            }
        },
    };
    let line = if format == Format::Wthor { 0 } else { 1 };
    Games { games, trouble, bytes, mark, count: 0, place: Place { byte: 0, line } }
}

fn board(bytes: &[u8]) -> Result<RawGame, ReadError> {
    let setup = board_text::read(&text::decoded(bytes))?;
    Ok(RawGame { start: Some(setup), ..RawGame::default() })
}

/// Where each game begins, and the game.
type Found<'a> = Box<dyn Iterator<Item = (usize, Result<RawGame, ReadError>)> + 'a>;

/// The games of a file, not yet replayed.
pub struct Games<'a> {
    games: Found<'a>,
    /// What is wrong with the file as a whole; said once its games have been read.
    trouble: Option<Why>,
    bytes: &'a [u8],
    /// The length of the byte order mark before them.
    mark: usize,
    count: usize,
    place: Place,
}

impl fmt::Debug for Games<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games").field("count", &self.count).field("place", &self.place).finish_non_exhaustive()
    }
}

impl Games<'_> {
    /// The line of a byte. Bytes are asked for in their order, but for a step back into the game being read.
    fn place(&mut self, byte: usize) -> Place {
        if self.place.line == 0 {
            return Place { byte, line: 0 };
        }
        let byte = byte.min(self.bytes.len());
        if byte < self.place.byte {
            return Place { byte, line: self.place.line - self.line_ends(byte, self.place.byte) };
        }
        self.place = Place { byte, line: self.place.line + self.line_ends(self.place.byte, byte) };
        self.place
    }

    /// How many lines end between two bytes: with `\n`, or with `\r` alone as long ago.
    fn line_ends(&self, from: usize, to: usize) -> usize {
        let is_end = |at: &usize| match self.bytes[*at] {
            b'\n' => true,
            b'\r' => self.bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        (from..to).filter(is_end).count()
    }

    /// Does something with the next game, or says what is wrong with it or with the file.
    fn next_with<T>(
        &mut self,
        take: impl FnOnce(Place, RawGame) -> Result<T, ReadError>,
    ) -> Option<Result<T, Rejection>> {
        let Some((begin, raw)) = self.games.next() else {
            return self.trouble.take().map(|why| Err(Rejection { game: None, place: Place::default(), why }));
        };
        self.count += 1;
        let place = self.place(begin);
        self.place = place;
        let mark = self.mark;
        let in_file = |place: Place| Place { byte: mark + place.byte, ..place };
        Some(raw.and_then(|raw| take(in_file(place), raw)).map_err(|error| {
            let place = in_file(self.place(begin + error.byte));
            Rejection { game: Some(self.count), place, why: error.why }
        }))
    }

    /// How far the file has been read, in bytes.
    pub fn byte(&self) -> usize {
        self.place.byte
    }

    /// The game that was read last, rejected for a reason that only the reader of it can know.
    pub fn reject(&self, why: Why) -> Rejection {
        let place = Place { byte: self.mark + self.place.byte, ..self.place };
        Rejection { game: Some(self.count), place, why }
    }

    /// The next game, replayed.
    pub fn next_record(&mut self) -> Option<Result<Record, Rejection>> {
        self.next_with(|_, raw| Record::try_from(raw))
    }
}

/// Where each game begins, and the game.
impl Iterator for Games<'_> {
    type Item = Result<(Place, RawGame), Rejection>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_with(|place, raw| Ok((place, raw)))
    }
}

/// The legal games of a file, and why the others are not.
pub fn records<'a>(
    format: Format,
    bytes: &'a [u8],
    names: &'a Names,
) -> impl Iterator<Item = Result<Record, Rejection>> + 'a {
    let mut games = games(format, bytes, names);
    std::iter::from_fn(move || games.next_record())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_believed_where_the_content_allows_it() {
        let of = |name: &str, text: &str| guess(name, text.as_bytes());
        assert_eq!(of("x", "f5d6c3\n"), Ok(Format::Transcript));
        assert_eq!(of("x", "(;GM[Othello]B[f5];)"), Ok(Format::Ggf));
        assert_eq!(of("x.txt", "1 (;GM[othello]B[f5];)"), Ok(Format::Ggf));
        assert_eq!(of("x", "(;FF[4]GM[2];B[f5])"), Ok(Format::Sgf));
        assert_eq!(of("x.sgf", "(;B[f5])"), Ok(Format::Sgf));
        assert_eq!(of("x.ggf", "(;B[f5];)"), Ok(Format::Ggf));
        assert_eq!(of("x", "[Event \"x\"]\n\n1. f5 d6"), Ok(Format::Pgn));
        let start = rules::Position::start().setup();
        assert_eq!(of("x", &board_text::write(start)), Ok(Format::Obf));
        assert_eq!(of("x", &board_text::write_diagram(start)), Ok(Format::Board));
        // a comment that looks like SGF does not make a PGN file one
        let pgn = "[Event \"x\"]\n\n1. f5 {(;GM[2];B[f5])} d6";
        assert_eq!((of("x", pgn), of("x.pgn", pgn)), (Ok(Format::Pgn), Ok(Format::Pgn)));
        let wrapped = "[Event \"x\"]\n\n1. f5 {so\n(;GM[2];B[f5])} d6";
        assert_eq!((of("x", wrapped), of("x.pgn", wrapped)), (Ok(Format::Pgn), Ok(Format::Pgn)));
        assert_eq!(of("x", "as he wrote: (;FF[4]GM[2];B[f5])"), Ok(Format::Sgf));
        assert_eq!(of("x.pgn", "(;FF[4]GM[2];B[f5])"), Ok(Format::Sgf));
        assert_eq!(of("x", &board_text::write(start)[..64]), Ok(Format::Board));
        assert_eq!(of("x", &board_text::write(start)[..60]), Ok(Format::Board));
        assert_eq!(of("x", "nothing of that kind"), Err(Why::Unknown));
        assert_eq!(of("x.txt", "nothing of that kind"), Err(Why::Unknown));
        assert_eq!(of("x.txt", "We met at e4 and talked."), Ok(Format::Transcript));
        assert_eq!(of("x", ""), Err(Why::Unknown));
        assert_eq!(guess("x", &[0; 40]), Err(Why::Unknown));
        assert_eq!(guess("x", &[0, 1]), Err(Why::NoHeader));
        assert_eq!(of("WTHOR.JOU", ""), Err(Why::NotGames { what: Holds::Players }));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_game() {
        let names = Names::default();
        let board = board_text::write(rules::Position::start().setup());
        for (format, text) in [
            (Format::Transcript, "f5d6c3\nf5f6e6\nf5d6c4\n".to_owned()),
            (Format::Obf, format!("{board}\n{board}\n{board}\n")),
            (Format::Pgn, "[A \"\"]\n1. f5\n[A \"\"]\n1. f5\n[A \"\"]\n1. f5\n".to_owned()),
            (Format::Sgf, "(;B[f5])\n(;B[f5])\n(;B[f5])\n".to_owned()),
            (Format::Ggf, "(;GM[Othello]B[f5];)\n".repeat(3)),
        ] {
            let marked = format!("\u{feff}{text}");
            assert_eq!(guess("x", marked.as_bytes()), Ok(format));
            let read =
                |text: &str| -> Vec<_> { records(format, text.as_bytes(), &names).map(Result::unwrap).collect() };
            assert_eq!(read(&marked).len(), 3, "{format}");
            assert_eq!(read(&marked), read(&text));
        }
        let rejection = records(Format::Transcript, b"\xef\xbb\xbff5a1", &names).next().unwrap().unwrap_err();
        assert_eq!(rejection.place, Place { byte: 5, line: 1 });
    }

    #[test]
    fn places_are_lines_or_bytes() {
        let text = b"(;GM[2];B[f5])\n\n(;GM[2];B[f5]\n;W[a1])\n(;GM[2];B[d3])";
        let names = Names::default();
        let all: Vec<_> = records(Format::Sgf, text, &names).collect();
        assert_eq!(all.len(), 3);
        let rejection = all[1].as_ref().unwrap_err();
        assert_eq!((rejection.game, rejection.place), (Some(2), Place { byte: 33, line: 4 }));
        for ends in ["\n", "\r\n", "\r"] {
            let text = ["f5d6", "", "f5a1", "f5f6", "d3a1"].join(ends);
            let lines: Vec<_> = records(Format::Transcript, text.as_bytes(), &names)
                .filter_map(|game| game.err().map(|rejection| rejection.place.line))
                .collect();
            assert_eq!(lines, [3, 5], "{ends:?}");
        }
        let one = Record::try_from(transcript::read(b"f5d6c3").unwrap()).unwrap();
        let mut file = wthor::Base::write(&[one.clone(), one], Default::default()).unwrap().games;
        file[16 + 68 + 8 + 2] = 11;
        let rejection = records(Format::Wthor, &file, &names).nth(1).unwrap().unwrap_err();
        assert_eq!(rejection.to_string(), "game 2, byte 94: move 3: a1 turns no disc");
        let cut: Vec<_> = records(Format::Wthor, &file[..90], &names).collect();
        assert_eq!(cut.len(), 2);
        let rejection = cut[1].as_ref().unwrap_err();
        assert_eq!(rejection.to_string(), "the header promises 2 records, the file holds 1");
        let mut ten = file.clone();
        ten[12] = 10;
        let all: Vec<_> = records(Format::Wthor, &ten, &names).collect();
        assert_eq!((all.len(), all[0].as_ref().unwrap_err().game), (1, None));
    }
}

//! From text to [`RawGame`]s.

use crate::{
    Claim, Clock, Extra, Format, Games, How, Note, RawGame, ReadError, Why, clock,
    games::{Found, after_mistake},
    raw::{self, decimal},
    text,
};
use rules::{Bitboard, ByColor, Color, Position, Setup, Square};

/// Reads the games of a file.
///
/// ```
/// let text = b"(;FF[4]GM[2]SZ[8];B[f5](;W[d6]C[perpendicular];B[c3])(;W[f6]C[diagonal])(;W[f4]))";
/// let (_, game) = record::sgf::games(text).next().unwrap();
/// let record = record::Record::try_from(game.unwrap()).unwrap();
/// assert_eq!(record.main_line().count(), 3);
/// assert_eq!(record.moves().len(), 5);
/// assert_eq!(record.note(Some(3)).unwrap().comment, "diagonal");
/// ```
pub fn games(text: &[u8]) -> Games<'_> {
    Games::new(text, next_game)
}

fn next_game(text: &[u8]) -> Option<Found> {
    let begin = opening(text)?;
    let mut reader = Reader::new(&text[begin..]);
    let result = reader.tree();
    let length = match &result {
        Ok(()) => reader.at,
        Err(error) => resume(reader.text, after_mistake(error.byte.max(1), reader.at)),
    };
    Some(Found { begin, end: begin + length, game: result.map(|()| reader.game) })
}

/// Where `(`, white space and `;` begin a game.
fn opening(text: &[u8]) -> Option<usize> {
    let mut open = None;
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'(' => open = Some(at),
            b';' if open.is_some() => return open,
            _ if byte.is_ascii_whitespace() => {}
            _ => open = None,
        }
    }
    None
}

/// Where, after `from`, a line opens the next game.
fn resume(text: &[u8], from: usize) -> usize {
    let mut lines = text::lines(text.get(from..).unwrap_or_default()).skip(1);
    lines.find(|(_, line)| line.trim_ascii_start().starts_with(b"(")).map_or(text.len(), |(byte, _)| from + byte)
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    game: RawGame,
    /// The last ply on the path to the node being read.
    ply: Option<u32>,
    in_root: bool,
    /// The discs set up, if any are.
    discs: Option<ByColor<Bitboard>>,
    turn: Option<Color>,
    /// How many properties of moves were kept.
    extras: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Reader<'a> {
        Reader { text, at: 0, game: RawGame::default(), ply: None, in_root: false, discs: None, turn: None, extras: 0 }
    }

    fn skip_space(&mut self) {
        self.at += text::space(&self.text[self.at..]);
    }

    /// The byte to be read next has no place here; or the text is over, and the game is not.
    fn unexpected(&self) -> ReadError {
        match self.text.get(self.at) {
            Some(&byte) => self.wrong(Why::Unexpected { found: text::from_windows_1252(byte) }),
            None => ReadError { byte: 0, why: Why::Unclosed { open: '(' } },
        }
    }

    fn wrong(&self, why: Why) -> ReadError {
        ReadError { byte: self.at, why }
    }

    /// Reads one game. Open variations wait on a list of their own: a file cannot nest them deeper than memory allows.
    fn tree(&mut self) -> Result<(), ReadError> {
        let mut open: Vec<Option<u32>> = Vec::new();
        let mut nodes = 0;
        loop {
            self.skip_space();
            match self.text.get(self.at) {
                Some(b'(') if open.len() >= raw::MOST_NODES => return Err(self.wrong(Why::TooManyNodes)),
                Some(b'(') => open.push(self.ply),
                Some(b')') => self.ply = open.pop().flatten(),
                Some(b';') => {
                    nodes += 1;
                    self.in_root = nodes == 1;
                }
                Some(byte) if byte.is_ascii_alphabetic() => {
                    self.property()?;
                    continue;
                }
                _ => return Err(self.unexpected()),
            }
            self.at += 1;
            if open.is_empty() {
                break;
            }
        }
        self.game.start = self.start();
        take_increment(&mut self.game);
        self.game.notes.sort_by_key(|note| note.on);
        Ok(())
    }

    /// The discs and the turn that the game sets up, if it does.
    fn start(&self) -> Option<Setup> {
        if self.discs.is_none() && self.turn.is_none() {
            return None;
        }
        let usual = Position::start().discs();
        let ByColor { black, white } = self.discs.unwrap_or(usual);
        let first = || self.game.plies.first().and_then(|ply| ply.by);
        let turn = self.turn.or_else(first).unwrap_or(Color::Black);
        Some(Setup { black, white, turn })
    }

    /// Reads a name and its values.
    fn property(&mut self) -> Result<(), ReadError> {
        let rest = &self.text[self.at..];
        let written = &rest[..rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
        let name = name(written);
        self.at += written.len();
        let mut values = 0;
        loop {
            self.skip_space();
            if self.text.get(self.at) != Some(&b'[') {
                return if values > 0 { Ok(()) } else { Err(self.unexpected()) };
            }
            let begin = self.at + 1;
            let Some(length) = value_length(&self.text[begin..]) else {
                let error = self.wrong(Why::Unclosed { open: '[' });
                self.at = self.text.len();
                return Err(error);
            };
            self.at = begin + length + 1;
            values += 1;
            let value = &self.text[begin..begin + length];
            self.value(&name, value, begin).map_err(|why| ReadError { byte: begin, why })?;
        }
    }

    fn value(&mut self, name: &[u8], value: &[u8], byte: usize) -> Result<(), Why> {
        match name {
            b"B" => self.move_or_pass(Color::Black, value, byte),
            b"W" => self.move_or_pass(Color::White, value, byte),
            b"AB" => self.set_up(Some(Color::Black), value),
            b"AW" => self.set_up(Some(Color::White), value),
            b"AE" => self.set_up(None, value),
            b"PL" if self.game.plies.is_empty() => {
                self.turn = Some(text::one_line(value).parse().map_err(|_| Why::NoTurn)?);
                Ok(())
            }
            // later it changes nothing, and before the first move it would be that of the start
            b"PL" if self.ply.is_some() => self.extra(name, value),
            b"PL" => Ok(()),
            b"C" => {
                let comment = text::prose(&unescaped(value));
                self.game.note(self.ply, Note { comment, ..Note::default() });
                Ok(())
            }
            b"V" => {
                let by = self.ply.and_then(|ply| self.game.plies[ply as usize].by);
                let (Some(by), Some(black)) = (by, decimal(&text::one_line(value))) else {
                    return self.extra(name, value);
                };
                // the value is Black's, the note the mover's
                let eval = Some(if by == Color::White { 0.0 - black } else { black });
                self.game.note(self.ply, Note { eval, ..Note::default() });
                Ok(())
            }
            b"SECONDS" if self.ply.is_some() => {
                let Some(seconds) = decimal(&text::one_line(value)).filter(|seconds| *seconds >= 0.0) else {
                    return self.extra(name, value);
                };
                self.game.note(self.ply, Note { seconds: Some(seconds), ..Note::default() });
                Ok(())
            }
            // these are ours to write
            b"FF" | b"CA" => Ok(()),
            // what is said before the first move is said of the game
            _ if self.in_root || self.ply.is_none() => self.header(name, value),
            _ => self.extra(name, value),
        }
    }

    /// Keeps a property of a move as it stands, escapes and all: which colons are part of its syntax is for those to know
    /// who know the property.
    fn extra(&mut self, name: &[u8], value: &[u8]) -> Result<(), Why> {
        let (name, value) = (text::decoded(name), text::lines_only(value));
        if self.ply.is_none() {
            return self.game.extra(Format::Sgf, name, value);
        }
        if self.extras >= raw::MOST_MOVE_EXTRAS {
            return Err(Why::TooManyProperties { most: raw::MOST_MOVE_EXTRAS });
        }
        self.extras += 1;
        let extra = vec![Extra { format: Format::Sgf, name, value }];
        self.game.note(self.ply, Note { extra, ..Note::default() });
        Ok(())
    }

    fn header(&mut self, name: &[u8], written: &[u8]) -> Result<(), Why> {
        let value = text::one_line(&unescaped(written));
        let headers = &mut self.game.headers;
        match name {
            b"GM" if value == "2" || value.eq_ignore_ascii_case("othello") => {}
            b"GM" => return Err(Why::AnotherGame { game: value }),
            b"SZ" if value == "8" || value == "8:8" => {}
            b"SZ" => return Err(Why::BoardSize { size: value }),
            b"PB" => headers.players.black = value,
            b"PW" => headers.players.white = value,
            b"BR" => headers.ratings.black = value,
            b"WR" => headers.ratings.white = value,
            b"EV" => headers.event = value,
            b"PC" => headers.site = value,
            b"DT" => headers.date = value,
            b"RO" => headers.round = value,
            b"TM" => headers.time = value,
            b"RE" => headers.claim = claim(&value),
            _ => return self.game.extra(Format::Sgf, text::decoded(name), text::lines_only(written)),
        }
        Ok(())
    }

    fn move_or_pass(&mut self, by: Color, value: &[u8], byte: usize) -> Result<(), Why> {
        let place = text::one_line(value);
        let square = match raw::place(&place) {
            Some(square) => square,
            None if place.is_empty() => None,
            None => return Err(no_point(&place, self.game.next_move())),
        };
        if self.game.plies.len() >= raw::MOST_NODES {
            return Err(Why::TooManyNodes);
        }
        self.ply = self.game.answer(self.ply, Some(by), square, byte);
        Ok(())
    }

    /// Puts discs on squares, or takes them away.
    fn set_up(&mut self, color: Option<Color>, value: &[u8]) -> Result<(), Why> {
        if !self.game.plies.is_empty() {
            return Err(Why::LateSetup);
        }
        let squares = points(value)?;
        let discs = self.discs.get_or_insert_default();
        *discs = discs.map(|discs| discs - squares);
        if let Some(color) = color {
            discs[color] |= squares;
        }
        Ok(())
    }
}

/// `OT[5 fischer]` beside `TM[300]` are five seconds more for each move.
fn take_increment(game: &mut RawGame) {
    let headers = &mut game.headers;
    let increment = |extra: &Extra| {
        let seconds = extra.value.strip_suffix(" fischer").filter(|_| extra.name == "OT")?;
        clock::parse(seconds).filter(|clock| clock.main.to_string() == seconds).map(|clock| clock.main)
    };
    if let Some(clock) = headers.clock().filter(|clock| clock.increment == 0)
        && let Some(at) = headers.extra.iter().position(|extra| increment(extra).is_some())
    {
        let increment = increment(&headers.extra.remove(at)).unwrap_or_default();
        let clock = Clock { increment, ..clock };
        headers.time = clock.pgn().unwrap_or_else(|| clock.to_string());
    }
}

/// The name of a property: its capitals, up to eight. All lower case is a name too, and a name begins with a letter.
pub(super) fn name(written: &[u8]) -> Vec<u8> {
    let mut name: Vec<u8> = written.iter().copied().filter(|byte| !byte.is_ascii_lowercase()).collect();
    if !name.first().is_some_and(u8::is_ascii_uppercase) {
        name = written.to_ascii_uppercase();
    }
    name.truncate(8);
    name
}

/// How long a value is, if it is closed.
pub(super) fn value_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match text.get(at)? {
            b']' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn no_point(place: &str, ply: usize) -> Why {
    match place.as_bytes() {
        [a, b] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => Why::GoPoint { found: place.to_owned() },
        _ => Why::NotASquare { ply, found: place.chars().take(20).collect() },
    }
}

/// A square, or a rectangle from one to another.
fn points(value: &[u8]) -> Result<Bitboard, Why> {
    let text = text::one_line(value);
    let square = |text: &str| text.trim().parse::<Square>().map_err(|_| no_point(text, 1));
    let Some((from, to)) = text.split_once(':') else { return Ok(square(&text)?.into()) };
    let (from, to) = (square(from)?, square(to)?);
    let within = |at: u8, a: u8, b: u8| (a.min(b)..=a.max(b)).contains(&at);
    let inside = |square: &Square| {
        within(square.column(), from.column(), to.column()) && within(square.row(), from.row(), to.row())
    };
    Ok(Square::ALL.into_iter().filter(inside).collect())
}

fn unescaped(value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len());
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        // an escaped line end is none
        match bytes.next() {
            Some(b'\r') => drop(bytes.next_if_eq(&b'\n')),
            Some(b'\n') => drop(bytes.next_if_eq(&b'\r')),
            Some(byte) => out.push(byte),
            None => {}
        }
    }
    out
}

fn claim(value: &str) -> Option<Claim> {
    if value == "0" || value.eq_ignore_ascii_case("draw") {
        return Some(Claim::Difference { black: 0.0, how: How::Played });
    }
    let (winner, by) = value.split_once('+')?;
    let winner: Color = winner.trim().parse().ok()?;
    let by = by.trim();
    let how = match by.to_ascii_lowercase().as_str() {
        "r" | "resign" => Some(How::Resigned),
        "t" | "time" => Some(How::OutOfTime),
        "" => Some(How::Played),
        _ => None,
    };
    match how {
        Some(how) => Some(Claim::Winner(winner, how)),
        None => {
            let margin = decimal(by)?;
            let black = if winner == Color::Black { margin } else { 0.0 - margin };
            Some(Claim::Difference { black, how: How::Played })
        }
    }
}

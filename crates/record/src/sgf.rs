//! SGF, the Smart Game Format, for game 2: Othello.
//!
//! No page defines it for Othello beyond [FF\[4\]](https://www.red-bean.com/sgf/) itself; the programs that write it
//! speak three dialects, and all are read.
//!
//! # Reading
//!
//! - Points are a letter and a digit, as players write squares, in either case; lists of points may hold rectangles
//!   (`a1:b2`). Go's two letters are refused.
//! - Passes are `B[]`, `B[PA]`, `B[pass]`, `B[--]`, `B[@@@@]`, or left out.
//! - `AB`, `AW`, `AE` and `PL` before the first move set up the board; without them the usual start is meant. Without
//!   `PL` whoever moves first is to move.
//! - Moves may stand in the root node, nodes may be empty (Edax writes both), a node may hold several moves.
//! - Lower case letters in property names are skipped, as FF\[1\] to FF\[3\] allow: `Black[f5]`.
//! - Variations are kept, however deep. Comments (`C`) and values (`V`) are kept; other properties only of the root.
//! - `GM` must be 2 and `SZ` 8 where they are there. Escapes, `\]` `\\` `\:`, and soft line breaks are undone.
//! - Text between games is skipped.
//!
//! # Writing
//!
//! FF\[4\], UTF-8, the board always set up, squares in lower case, every pass as `B[]`, variations in parentheses.

use crate::{Claim, Format, How, Note, RawGame, RawNote, RawPly, ReadError, Record, Why, raw, raw::decimal, text};
use rules::{Bitboard, ByColor, Color, Position, Setup, Square};
use std::fmt::Write;

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
    Games { text, at: 0 }
}

/// The games of an SGF file.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: &'a [u8],
    at: usize,
}

/// Where each game begins, and the game.
impl Iterator for Games<'_> {
    type Item = (usize, Result<RawGame, ReadError>);

    fn next(&mut self) -> Option<Self::Item> {
        let begin = self.at + next_game(&self.text[self.at..])?;
        let mut reader = Reader { text: &self.text[begin..], at: 0, game: RawGame::default(), node: Node::default() };
        let result = reader.tree();
        let end = match &result {
            Ok(()) => reader.at,
            Err(error) => resume(reader.text, error.byte, reader.at),
        };
        self.at = begin + end;
        Some((begin, result.map(|()| reader.game)))
    }
}

/// Where `(`, white space and `;` begin a game.
fn next_game(text: &[u8]) -> Option<usize> {
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

/// Where to look for the next game after a mistake at `byte`: where a later line opens one.
///
/// What a missing bracket swallowed is looked at again, unless it is long: a file made of missing brackets must not be
/// read to its end for each.
fn resume(text: &[u8], byte: usize, read: usize) -> usize {
    let from = if read > byte + 4096 { read } else { byte.max(1) };
    let rest = text.get(from..).unwrap_or_default();
    let mut lines = crate::transcript::lines(rest).skip(1);
    lines.find(|(_, line)| line.trim_ascii_start().starts_with(b"(")).map_or(text.len(), |(byte, _)| from + byte)
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    game: RawGame,
    node: Node,
}

/// Where in the tree the next property belongs, and what the root has said so far.
#[derive(Default)]
struct Node {
    /// The last ply on the path here.
    ply: Option<u32>,
    setup: ByColor<Bitboard>,
    is_set_up: bool,
    turn: Option<Color>,
    is_root: bool,
}

impl Reader<'_> {
    fn skip_space(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    /// Reads one game. Open variations wait on a list of their own: a file cannot nest them deeper than memory allows.
    fn tree(&mut self) -> Result<(), ReadError> {
        let mut open: Vec<Option<u32>> = Vec::new();
        let mut nodes = 0;
        loop {
            self.skip_space();
            match self.text.get(self.at) {
                Some(b'(') => {
                    if open.len() >= raw::MOST_NODES {
                        return self.fail(Why::TooManyNodes);
                    }
                    open.push(self.node.ply);
                    self.at += 1;
                }
                Some(b')') => {
                    self.at += 1;
                    self.node.ply = open.pop().flatten();
                    if open.is_empty() {
                        break;
                    }
                }
                Some(b';') => {
                    self.at += 1;
                    nodes += 1;
                    self.node.is_root = nodes == 1;
                }
                Some(byte) if byte.is_ascii_alphabetic() => self.property()?,
                Some(&byte) => return self.fail(Why::Unexpected { found: text::from_windows_1252(byte) }),
                None => return Err(ReadError { byte: 0, why: Why::Unclosed { open: '(' } }),
            }
        }
        if self.node.is_set_up || self.node.turn.is_some() {
            let usual = Position::start().setup();
            let discs =
                if self.node.is_set_up { self.node.setup } else { ByColor { black: usual.black, white: usual.white } };
            let first = || self.game.plies.first().and_then(|ply| ply.by);
            let turn = self.node.turn.or_else(first).unwrap_or(Color::Black);
            self.game.start = Some(Setup { black: discs.black, white: discs.white, turn });
        }
        self.game.notes.sort_by_key(|note| note.on);
        Ok(())
    }

    fn fail<T>(&self, why: Why) -> Result<T, ReadError> {
        Err(ReadError { byte: self.at, why })
    }

    /// Reads a name and its values.
    fn property(&mut self) -> Result<(), ReadError> {
        let begin = self.at;
        let length = self.text[begin..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let written = &self.text[begin..begin + length];
        let mut name: Vec<u8> = written.iter().copied().filter(|byte| !byte.is_ascii_lowercase()).collect();
        if !name.first().is_some_and(u8::is_ascii_uppercase) {
            // all lower case is a name too, and a name begins with a letter
            name = written.to_ascii_uppercase();
        }
        // no name is longer
        name.truncate(8);
        self.at += length;
        let mut values = 0;
        loop {
            self.skip_space();
            if self.text.get(self.at) != Some(&b'[') {
                break;
            }
            let open = self.at;
            let mut close = open + 1;
            loop {
                match self.text.get(close) {
                    None => {
                        self.at = self.text.len();
                        return Err(ReadError { byte: open, why: Why::Unclosed { open: '[' } });
                    }
                    Some(b']') => break,
                    Some(b'\\') => close += 2,
                    Some(_) => close += 1,
                }
            }
            self.at = close + 1;
            values += 1;
            let value = &self.text[open + 1..close];
            self.value(&name, value, open + 1).map_err(|why| ReadError { byte: open + 1, why })?;
        }
        match (values, self.text.get(self.at)) {
            (0, Some(&byte)) => self.fail(Why::Unexpected { found: text::from_windows_1252(byte) }),
            (0, None) => Err(ReadError { byte: 0, why: Why::Unclosed { open: '(' } }),
            _ => Ok(()),
        }
    }

    fn value(&mut self, name: &[u8], value: &[u8], byte: usize) -> Result<(), Why> {
        match name {
            b"B" => return self.ply(Color::Black, value, byte),
            b"W" => return self.ply(Color::White, value, byte),
            b"AB" | b"AW" | b"AE" => {
                if !self.game.plies.is_empty() {
                    return Err(Why::LateSetup);
                }
                let squares = points(value)?;
                self.node.is_set_up = true;
                let setup = &mut self.node.setup;
                setup.black -= squares;
                setup.white -= squares;
                match name {
                    b"AB" => setup.black |= squares,
                    b"AW" => setup.white |= squares,
                    _ => {}
                }
                return Ok(());
            }
            b"PL" => {
                let turn = text::one_line(value);
                let turn = turn.parse().map_err(|_| Why::NoTurn)?;
                if self.game.plies.is_empty() {
                    self.node.turn = Some(turn);
                }
                return Ok(());
            }
            b"C" => {
                let comment = text::prose(&unescaped(value));
                self.note(Note { comment, ..Note::default() });
                return Ok(());
            }
            b"V" => {
                let black = decimal(&text::one_line(value));
                let by = self.node.ply.and_then(|ply| self.game.plies.get(ply as usize)).and_then(|ply| ply.by);
                // the value is Black's, the note the mover's
                let eval = black.map(|black| if by == Some(Color::White) { 0.0 - black } else { black });
                if by.is_some() {
                    self.note(Note { eval, ..Note::default() });
                }
                return Ok(());
            }
            b"FF" | b"CA" | b"AP" | b"ST" => return Ok(()),
            _ => {}
        }
        if !self.node.is_root {
            return Ok(());
        }
        let value = text::one_line(&unescaped(value));
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
            _ => return self.game.extra(Format::Sgf, text::decoded(name), value),
        }
        Ok(())
    }

    fn ply(&mut self, by: Color, value: &[u8], byte: usize) -> Result<(), Why> {
        let place = text::one_line(value);
        let pass = ["", "pa", "ps", "pass", "--", "@@@@"].iter().any(|pass| place.eq_ignore_ascii_case(pass));
        let square = match place.parse::<Square>() {
            Ok(square) => Some(square),
            Err(_) if pass => None,
            Err(_) => return Err(no_point(&place, &self.game)),
        };
        if self.game.plies.len() >= raw::MOST_NODES {
            return Err(Why::TooManyNodes);
        }
        let byte = byte.min(u32::MAX as usize) as u32;
        self.game.plies.push(RawPly { after: self.node.ply, by: Some(by), square, byte });
        self.node.ply = Some(self.game.plies.len() as u32 - 1);
        Ok(())
    }

    fn note(&mut self, note: Note) {
        if note.is_empty() {
            return;
        }
        let on = self.node.ply;
        match self.game.notes.last_mut() {
            Some(last) if last.on == on => last.note.join(note),
            _ => self.game.notes.push(RawNote { on, note }),
        }
    }
}

fn no_point(place: &str, game: &RawGame) -> Why {
    let go = place.len() == 2 && place.bytes().all(|byte| byte.is_ascii_alphabetic());
    if go {
        return Why::GoPoint { found: place.to_owned() };
    }
    let ply = game.plies.iter().filter(|ply| ply.square.is_some()).count() + 1;
    Why::NotASquare { ply, found: place.chars().take(20).collect() }
}

/// A square, or a rectangle from one to another.
fn points(value: &[u8]) -> Result<Bitboard, Why> {
    let text = text::one_line(value);
    let square = |text: &str| text.trim().parse::<Square>().map_err(|_| no_point(text, &RawGame::default()));
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

/// One game.
///
/// ```
/// use record::{Record, sgf, transcript};
/// let record = Record::try_from(transcript::read(b"F5D6").unwrap()).unwrap();
/// let text = "(;FF[4]GM[2]SZ[8]CA[UTF-8]RE[?]AB[e4][d5]AW[d4][e5]PL[B]\n;B[f5];W[d6])\n";
/// assert_eq!(sgf::write(&record), text);
/// ```
pub fn write(record: &Record) -> String {
    let headers = &record.headers;
    let mut out = String::from("(;FF[4]GM[2]SZ[8]CA[UTF-8]");
    for (name, value) in [
        ("PB", &headers.players.black),
        ("PW", &headers.players.white),
        ("BR", &headers.ratings.black),
        ("WR", &headers.ratings.white),
        ("EV", &headers.event),
        ("PC", &headers.site),
        ("DT", &headers.date),
        ("RO", &headers.round),
        ("TM", &headers.time),
    ] {
        if !value.is_empty() {
            let _ = write!(out, "{name}[{}]", escaped(&text::plain_line(value)));
        }
    }
    let _ = write!(out, "RE[{}]", result(record));
    for extra in headers.extra.iter().filter(|extra| extra.format == Format::Sgf) {
        let _ = write!(out, "{}[{}]", extra.name, escaped(&text::plain_line(&extra.value)));
    }
    let start = record.start().setup();
    for (name, discs) in [("AB", start.black), ("AW", start.white)] {
        for (at, square) in discs.iter().enumerate() {
            let _ = write!(out, "{}[{square}]", if at == 0 { name } else { "" });
        }
    }
    let _ = write!(out, "PL[{}]", letter(start.turn));
    if let Some(note) = record.note(None) {
        comment(&mut out, note);
    }
    out.push('\n');
    tree(record, &mut out);
    out.push_str(")\n");
    out
}

/// A move on the line to the one being written.
struct Written {
    at: u32,
    by: Color,
    after: Position,
    /// It stands in parentheses of its own.
    opened: bool,
}

/// Writes every move, and parentheses around each answer where there are several.
fn tree(record: &Record, out: &mut String) {
    let moves = record.moves();
    // how many answers each move has, and the start
    let mut answers = vec![0u32; moves.len() + 1];
    let place = |after: Option<u32>| after.map_or(0, |after| after as usize + 1);
    for one in moves {
        answers[place(one.after)] += 1;
    }
    let mut line: Vec<Written> = Vec::new();
    for (at, one) in moves.iter().enumerate() {
        while line.last().is_some_and(|last| Some(last.at) != one.after) {
            if line.pop().is_some_and(|last| last.opened) {
                out.push_str(")\n");
            }
        }
        let before = line.last().map_or(record.start(), |last| last.after);
        let opened = answers[place(one.after)] > 1;
        if opened {
            out.push('(');
        }
        let step = before.play_unchecked(one.square);
        // the turn came back by itself
        if line.last().is_some_and(|last| last.by == step.by) {
            let _ = write!(out, ";{}[]", letter(!step.by));
        }
        let _ = write!(out, ";{}[{}]", letter(step.by), one.square);
        if let Some(note) = record.note(Some(at as u32)) {
            if let Some(eval) = note.eval {
                let black = if step.by == Color::Black { eval } else { 0.0 - eval };
                let _ = write!(out, "V[{black}]");
            }
            comment(out, note);
        }
        line.push(Written { at: at as u32, by: step.by, after: step.after, opened });
    }
    for _ in line.iter().filter(|one| one.opened) {
        out.push_str(")\n");
    }
    // no line end before the last parenthesis
    out.truncate(out.trim_end().len());
}

fn comment(out: &mut String, note: &Note) {
    if !note.comment.is_empty() {
        let _ = write!(out, "C[{}]", escaped(&note.comment));
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]").replace(':', "\\:")
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

fn result(record: &Record) -> String {
    let by = |difference: f32| match difference {
        0.0 => "0".to_owned(),
        more if more > 0.0 => format!("B+{more}"),
        less => format!("W+{}", -less),
    };
    match record.headers.claim {
        Some(Claim::Winner(color, how)) => {
            let how = match how {
                How::Resigned => "R",
                How::OutOfTime => "T",
                How::Played | How::Agreed => "",
            };
            format!("{}+{how}", letter(color))
        }
        Some(claim) => by(claim.difference().unwrap_or_default()),
        None => record.outcome().map_or("?".to_owned(), |outcome| by(outcome.difference().into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<Record, String>> {
        let each = |(_, game): (usize, Result<RawGame, ReadError>)| {
            game.and_then(Record::try_from).map_err(|error| error.to_string())
        };
        games(text.as_bytes()).map(each).collect()
    }

    fn one(text: &str) -> Record {
        let mut all = read(text);
        assert_eq!(all.len(), 1, "{text}");
        all.remove(0).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn three_dialects_and_old_ones() {
        let plain = one("(;FF[4]GM[2]SZ[8];B[f5];W[d6];B[c3])");
        for text in [
            "(;GM[2]FF[4]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]B[f5];W[d6];B[c3];)",
            "(;GM[Othello];B[F5];W[D6];B[C3])",
            "( ; GM [2] ; B [f5] W [d6] ; B [c3] )",
            "(;Black[f5];White[d6];Black[c3])",
            "(;GaMe[2];B[f5];W[d6];B[c3]) and more",
            "(;AB[d4:e5]AW[d4][e5];B[f5];W[d6];B[c3])",
            "(;b[f5];w[d6];b[c3])",
        ] {
            assert_eq!(one(text).moves(), plain.moves(), "{text}");
        }
    }

    #[test]
    fn variations_escapes_and_values_come_back() {
        let text = "(;FF[4]GM[2]SZ[8]C[escapes: \\] and \\\\ and a colon \\: and a soft\\\n break]AB[e4][d5]AW[d4][e5]PL[B]KM[1]\
                    (;B[f5]V[-2.5](;W[d6]C[perpendicular]V[3];B[c3])(;W[f6]C[diagonal];B[e6])(;W[f4]C[parallel];B[e3]))(;B[d3]))";
        let record = one(text);
        assert_eq!(record.note(None).unwrap().comment, "escapes: ] and \\ and a colon : and a soft break");
        assert_eq!(record.main_line().count(), 3);
        assert_eq!(record.moves().len(), 8);
        assert_eq!(record.note(Some(0)).unwrap().eval, Some(-2.5));
        assert_eq!(record.note(Some(1)).unwrap().eval, Some(-3.0));
        let written = write(&record);
        assert_eq!(one(&written), record, "{written}");
        assert!(written.contains("(;B[f5]V[-2.5](;W[d6]V[3]C[perpendicular];B[c3])\n(;W[f6]"), "{written}");
    }

    #[test]
    fn every_pass() {
        let moves = "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2h1g2b8a8a7b7a2g8b2g7";
        let record = Record::try_from(crate::transcript::read(moves.as_bytes()).unwrap()).unwrap();
        let written = write(&record);
        assert_eq!(written.matches("[];").count(), 1, "{written}");
        for pass in ["", "PA", "pa", "pass", "--", "@@@@", "PS"] {
            assert_eq!(one(&written.replace("[];", &format!("[{pass}];"))).moves(), record.moves());
        }
        assert_eq!(one(&written.replace(";B[];", ";").replace(";W[];", ";")).moves(), record.moves());
        assert!(written.contains("RE[B+8]"));
    }

    #[test]
    fn a_bad_game_does_not_stop_the_next() {
        let good = "\n(;GM[2];B[f5])";
        for (bad, why) in [
            ("(;GM[1];B[dd])", "byte 5: the game is \"1\", not Othello"),
            ("(;SZ[10];B[f5])", "byte 5: a board of size \"10\"; only 8 × 8 is read"),
            ("(;B[fe])", "byte 4: \"fe\" is a point of a Go board"),
            ("(;B[i9])", "byte 4: move 1: \"i9\" is not a square"),
            ("(;B[f5];AB[a1])", "byte 11: discs are set up after the first move"),
            ("(;B[f5];B[d6])", "byte 10: move 2: d6 is given to black, but it is white's turn"),
            ("(;B[f5](;W[d6])(;W[a1]))", "byte 19: move 2: a1 turns no disc"),
            ("(;PL[x];B[f5])", "byte 5: the side to move is missing after the board"),
            ("(;AB[a1]AW[a1]AE[a1])", "byte 0: the board has no disc on it"),
            ("(;B[f5] 7)", "byte 8: '7' is not expected here"),
            ("(;B)", "byte 3: ')' is not expected here"),
        ] {
            let all = read(&format!("{bad}{good}"));
            assert_eq!(all[0], Err(why.replace("size \"10\"", "size 10")), "{bad}");
            assert!(all.len() == 2 && all[1].is_ok(), "{bad}: {all:?}");
        }
        assert_eq!(read("(;B[f5"), [Err("byte 3: '[' is never closed".into())]);
        assert_eq!(read("(;B[f5]"), [Err("byte 0: '(' is never closed".into())]);
        assert_eq!(read("(;B[f5\\"), [Err("byte 3: '[' is never closed".into())]);
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{}{}", "(;B[f5]".repeat(20_000), ")".repeat(20_000));
        assert!(read(&deep)[0].is_err());
        let deep = format!("(;{}B[f5]{})", "(;".repeat(20_000), ")".repeat(20_000));
        assert_eq!(one(&deep).moves().len(), 1);
        let deep = "(;".repeat(60_000);
        assert_eq!(
            read(&deep)[0],
            Err(format!("byte {}: more than 50000 moves in all variations", 2 * raw::MOST_NODES))
        );
    }

    #[test]
    fn results_are_read_and_written() {
        for (text, claim) in [
            ("B+12", Some(Claim::Difference { black: 12.0, how: How::Played })),
            ("W+4", Some(Claim::Difference { black: -4.0, how: How::Played })),
            ("0", Some(Claim::Difference { black: 0.0, how: How::Played })),
            ("W+T", Some(Claim::Winner(Color::White, How::OutOfTime))),
            ("B+R", Some(Claim::Winner(Color::Black, How::Resigned))),
            ("?", None),
        ] {
            let record = one(&format!("(;RE[{text}];B[f5])"));
            assert_eq!(record.headers.claim, claim);
            assert!(write(&record).contains(&format!("RE[{text}]")));
        }
    }
}

//! A board as a string, in every alphabet in use.
//!
//! # Reading
//!
//! - 64 squares from a1, row by row: black `X` `x` `*` `B` `b` `0` `●` `⚫`, white `O` `o` `W` `w` `1` `○` `⚪`, empty
//!   `-` `.` `_`. White space and `|` between squares are skipped.
//! - Then the side to move: any of these letters, or `black`, `white`, `dark`, `light`; what follows it is skipped. It
//!   may be followed by `to move`, as this library prints positions.
//! - GGF's board, `8 ---…--- *`, with its size in front.
//! - A diagram: eight lines of eight squares, with or without the row's number at either end and the column letters
//!   above and below; the line after it names the side to move.
//! - Chess-like ([Edax and xboard](https://www.gnu.org/software/xboard/)): eight groups between `/`, row 8 first, `p`
//!   black, `P` white, digits for empty squares, then `b` or `w`; what follows is skipped.
//!
//! # Writing
//!
//! [`write()`]: 64 characters `X`, `O`, `-`, a space, `X` or `O`. [`write_ggf`]: GGF's form. [`write_fen`]: the
//! chess-like form. [`write_diagram`]: eight lines with letters and numbers around them.

use crate::{ReadError, Why};
use rules::{Bitboard, ByColor, Color, Setup, Square};
use std::fmt::Write;

/// Reads a board and the side to move.
///
/// # Errors
///
/// What is wrong, and at which byte.
///
/// ```
/// use record::board_text::{read, write};
/// let start = "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1";
/// let setup = read(start).unwrap();
/// assert_eq!(setup.position().unwrap(), rules::Position::start());
/// assert_eq!(write(setup), "---------------------------OX------XO--------------------------- X");
/// ```
pub fn read(text: &str) -> Result<Setup, ReadError> {
    if text.contains('/') {
        return read_fen(text);
    }
    if let Some((discs, after)) = diagram(text) {
        return finish(text, discs, after);
    }
    let mut reader = Squares { discs: ByColor::default(), count: 0 };
    // GGF's size
    let body = match text.trim_start().split_once(char::is_whitespace) {
        Some((size, rest)) if !size.is_empty() && size.bytes().all(|b| b.is_ascii_digit()) && size.len() <= 2 => {
            if size != "8" {
                let byte = text.len() - text.trim_start().len();
                return Err(ReadError { byte, why: Why::BoardSize { size: size.to_owned() } });
            }
            rest
        }
        _ => text,
    };
    let skipped = text.len() - body.len();
    for (byte, found) in body.char_indices() {
        if found.is_whitespace() || found == '|' {
            continue;
        }
        let byte = skipped + byte;
        reader.take(found).map_err(|why| ReadError { byte, why })?;
        if reader.count == 64 {
            return finish(text, reader.discs, byte + found.len_utf8());
        }
    }
    Err(ReadError { byte: text.len(), why: Why::BoardSquares { count: reader.count } })
}

struct Squares {
    discs: ByColor<Bitboard>,
    count: usize,
}

impl Squares {
    fn take(&mut self, found: char) -> Result<(), Why> {
        let disc = disc(found).ok_or(Why::BoardCharacter { square: self.count + 1, found })?;
        if let (Some(color), Some(&square)) = (disc, Square::ALL.get(self.count)) {
            self.discs[color] |= square.into();
        }
        self.count += 1;
        Ok(())
    }
}

/// The disc a character stands for; `Some(None)` is an empty square.
fn disc(letter: char) -> Option<Option<Color>> {
    match letter {
        'X' | 'x' | '*' | 'B' | 'b' | '0' | '●' | '⚫' => Some(Some(Color::Black)),
        'O' | 'o' | 'W' | 'w' | '1' | '○' | '⚪' => Some(Some(Color::White)),
        '-' | '.' | '_' => Some(None),
        _ => None,
    }
}

/// Reads the side to move, which begins at `byte`.
fn finish(text: &str, discs: ByColor<Bitboard>, byte: usize) -> Result<Setup, ReadError> {
    let rest = text[byte..].trim_start_matches(|c: char| c.is_whitespace() || c == '|' || c == ',' || c == ';');
    let word: &str = rest.split(|c: char| c.is_whitespace() || c == ';' || c == ',' || c == ':').next().unwrap_or("");
    let turn = match word.to_ascii_lowercase().as_str() {
        "black" | "dark" => Some(Color::Black),
        "white" | "light" => Some(Color::White),
        _ => {
            let mut letters = word.chars();
            let first = letters.next().and_then(disc).flatten();
            if letters.next().is_none() { first } else { None }
        }
    };
    let turn = turn.ok_or(ReadError { byte: text.len() - rest.len(), why: Why::NoTurn })?;
    Ok(Setup { black: discs.black, white: discs.white, turn })
}

/// Eight lines of eight squares, perhaps with letters and numbers around them, and where they end.
fn diagram(text: &str) -> Option<(ByColor<Bitboard>, usize)> {
    let mut squares = Squares { discs: ByColor::default(), count: 0 };
    let mut end = 0;
    let mut row = 0;
    for line in text.split_inclusive('\n').take(40) {
        end += line.len();
        let letters: String = line.chars().filter(|c| !c.is_whitespace() && *c != '|').collect();
        if letters.is_empty() || letters.eq_ignore_ascii_case("abcdefgh") {
            continue;
        }
        if row == 8 {
            end -= line.len();
            break;
        }
        row += 1;
        let number = char::from_digit(row, 10)?;
        let inner = letters.strip_prefix(number).filter(|inner| inner.chars().count() >= 8).unwrap_or(&letters);
        let inner = inner.strip_suffix(number).filter(|inner| inner.chars().count() >= 8).unwrap_or(inner);
        if inner.chars().count() != 8 {
            return None;
        }
        for letter in inner.chars() {
            squares.take(letter).ok()?;
        }
    }
    (row == 8).then_some((squares.discs, end))
}

fn read_fen(text: &str) -> Result<Setup, ReadError> {
    let mut discs = ByColor::<Bitboard>::default();
    let (mut column, mut row, mut count) = (0u32, 7u32, 0usize);
    let begin = text.len() - text.trim_start().len();
    let board = text[begin..].split_whitespace().next().unwrap_or("");
    for (byte, found) in board.char_indices() {
        let fail = |why| Err(ReadError { byte: begin + byte, why });
        let (width, color) = match found {
            '/' if column == 8 && row > 0 => {
                (column, row) = (0, row - 1);
                continue;
            }
            'p' => (1, Some(Color::Black)),
            'P' => (1, Some(Color::White)),
            '1'..='8' => (found.to_digit(10).unwrap_or(0), None),
            _ => return fail(Why::BoardCharacter { square: count + 1, found }),
        };
        if column + width > 8 {
            return fail(Why::BoardCharacter { square: count + 1, found });
        }
        if let (Some(color), Some(square)) = (color, Square::at(column as u8, row as u8)) {
            discs[color] |= square.into();
        }
        column += width;
        count += width as usize;
    }
    if count != 64 {
        return Err(ReadError { byte: begin + board.len(), why: Why::BoardSquares { count } });
    }
    finish(text, discs, begin + board.len())
}

/// 64 characters from a1, a space, and the side to move.
pub fn write(setup: Setup) -> String {
    setup.to_string()
}

/// GGF's form: the size, then each row, then the side to move.
///
/// ```
/// let start = rules::Position::start().setup();
/// let text = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
/// assert_eq!(record::board_text::write_ggf(start), text);
/// ```
pub fn write_ggf(setup: Setup) -> String {
    let mut out = String::from("8");
    for square in Square::ALL {
        if square.column() == 0 {
            out.push(' ');
        }
        out.push(at(setup, square).map_or('-', ggf_letter));
    }
    out.push(' ');
    out.push(ggf_letter(setup.turn));
    out
}

fn ggf_letter(color: Color) -> char {
    match color {
        Color::Black => '*',
        Color::White => 'O',
    }
}

fn at(setup: Setup, square: Square) -> Option<Color> {
    if setup.black.contains(square) {
        Some(Color::Black)
    } else if setup.white.contains(square) {
        Some(Color::White)
    } else {
        None
    }
}

/// The chess-like form.
///
/// ```
/// let start = rules::Position::start().setup();
/// assert_eq!(record::board_text::write_fen(start), "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1");
/// ```
pub fn write_fen(setup: Setup) -> String {
    let mut out = String::new();
    for row in (0..8).rev() {
        let mut empty = 0;
        for column in 0..8 {
            let disc = Square::at(column, row).and_then(|square| at(setup, square));
            if let Some(color) = disc {
                if empty > 0 {
                    let _ = write!(out, "{empty}");
                    empty = 0;
                }
                out.push(if color == Color::Black { 'p' } else { 'P' });
            } else {
                empty += 1;
            }
        }
        if empty > 0 {
            let _ = write!(out, "{empty}");
        }
        out.push(if row > 0 { '/' } else { ' ' });
    }
    out.push_str(if setup.turn == Color::Black { "b - - 0 1" } else { "w - - 0 1" });
    out
}

/// Eight lines with the letters of the columns and the numbers of the rows, and a line naming the side to move.
///
/// ```
/// let start = rules::Position::start().setup();
/// let text = record::board_text::write_diagram(start);
/// assert!(text.contains("4 - - - O X - - - 4\n5 - - - X O - - - 5\n"));
/// assert_eq!(record::board_text::read(&text), Ok(start));
/// ```
pub fn write_diagram(setup: Setup) -> String {
    let columns = "  a b c d e f g h\n";
    let mut out = String::from(columns);
    for row in 0..8 {
        let _ = write!(out, "{}", row + 1);
        for column in 0..8 {
            let disc = Square::at(column, row).and_then(|square| at(setup, square));
            let _ = write!(out, " {}", disc.map_or('-', Color::letter));
        }
        let _ = writeln!(out, " {}", row + 1);
    }
    out.push_str(columns);
    let _ = writeln!(out, "{} to move", setup.turn);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Position;

    #[test]
    fn every_alphabet() {
        let start = Position::start().setup();
        let squares = write(start);
        let squares = &squares[..64];
        for (black, white, empty) in [
            ("X", "O", "-"),
            ("x", "o", "."),
            ("*", "O", "-"),
            ("b", "w", "."),
            ("B", "W", "-"),
            ("0", "1", "."),
            ("●", "○", "_"),
        ] {
            let board = squares.replace('X', "\u{1}").replace('O', "\u{2}").replace('-', empty);
            let board = board.replace('\u{1}', black).replace('\u{2}', white);
            for turn in [black, "black", "Black to move", "X; G8:+18"] {
                assert_eq!(read(&format!("{board} {turn}")), Ok(start), "{board} {turn}");
            }
            assert_eq!(read(&format!("{board}{black}")), Ok(start));
            let white_first = Setup { turn: Color::White, ..start };
            assert_eq!(read(&format!("{board} {white}")), Ok(white_first));
        }
    }

    #[test]
    fn diagrams_and_other_forms() {
        let start = Position::start().setup();
        assert_eq!(read(&write_ggf(start)), Ok(start));
        assert_eq!(read(&write_fen(start)), Ok(start));
        assert_eq!(write_fen(start), "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1");
        assert_eq!(read(&Position::start().to_string()), Ok(start));
        let plain = write_diagram(start).replace("  a b c d e f g h\n", "").replace(char::is_numeric, "");
        assert_eq!(read(&plain), Ok(start));
        let boxed = write_diagram(start).replace(' ', "|");
        assert_eq!(read(&boxed.replace("black|to|move", "black to move")), Ok(start));
        let zeros = "........\n........\n........\n...10...\n...01...\n........\n........\n........\n0";
        assert_eq!(read(zeros), Ok(start));
        let mirrored = read("8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1").unwrap();
        assert_eq!((mirrored.turn, mirrored.black.contains(Square::E5)), (Color::White, true));
    }

    #[test]
    fn what_is_no_board_says_why() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        let squares = "-".repeat(64);
        assert_eq!(error(""), "byte 0: 0 squares where 64 are needed");
        assert_eq!(error("--?"), "byte 2: square 3 of the board is '?'");
        assert_eq!(error(&squares), "byte 64: the side to move is missing after the board");
        assert_eq!(error(&format!("{squares} XX")), "byte 65: the side to move is missing after the board");
        assert_eq!(error(&format!("10 {squares}")), "byte 0: a board of size 10; only 8 × 8 is read");
        assert_eq!(error("8/8/8 b"), "byte 5: 24 squares where 64 are needed");
        assert_eq!(error("8/7q/"), "byte 3: square 16 of the board is 'q'");
        assert_eq!(error("9/8"), "byte 0: square 1 of the board is '9'");
        assert_eq!(error("84/8"), "byte 1: square 9 of the board is '4'");
        assert_eq!(error("8/8/8/8/8/8/8/8/8 b"), "byte 15: square 65 of the board is '/'");
    }
}

//! Moves in a row, as players send them to each other: `f5d6c3d3c4…`
//!
//! # Reading
//!
//! - Squares in either case, with or without anything between them: spaces, commas, dots, dashes, slashes.
//! - Move numbers and results are skipped: `1. f5 d6`, `1.f5`, `34-30`.
//! - A pass may be left out, or be `--`, `pa`, `ps`, `pass` (any case) or `@@@@`. A pass before the first move is
//!   taken for a dash.
//! - Words around the moves are skipped (`Zugfolge: f5d6`), but a word that begins with a square must be made of
//!   squares: `f5d9` is an error, not a move and some noise.
//! - In a file each line with moves is a game; a line that begins with a move number above 1 goes on with the game of
//!   the line before. A file in which only the first of these lines begins with a possible first move (d3, c4, f5, e6)
//!   is one game.
//! - `#` and `%` begin comment lines.
//!
//! # Writing
//!
//! Lower case, nothing between the moves, passes left out, one game to a line. Only the main line; names and
//! variations have no place in it.

use crate::{Format, Games, RawGame, ReadError, Record, Why, WriteError, games::Found, text};
use rules::Square;

/// Reads one game from the whole text.
///
/// # Errors
///
/// A word that begins with a square but is not made of squares, or too many moves.
///
/// ```
/// let raw = record::transcript::read(b"1. F5 D6 2. C3 d3  34-30").unwrap();
/// let moves: String = raw.plies.iter().filter_map(|ply| ply.square).map(|square| square.to_string()).collect();
/// assert_eq!(moves, "f5d6c3d3");
/// ```
pub fn read(text: &[u8]) -> Result<RawGame, ReadError> {
    let mut game = RawGame::default();
    take_line(&mut game, text, 0)?;
    Ok(game)
}

/// The moves of the main line.
///
/// # Errors
///
/// [`WriteError::Start`] if the game does not begin at the usual start.
///
/// ```
/// use record::{Record, transcript};
/// let record = Record::try_from(transcript::read(b"F5 D6 C3").unwrap()).unwrap();
/// assert_eq!(transcript::write(&record).unwrap(), "f5d6c3");
/// ```
pub fn write(record: &Record) -> Result<String, WriteError> {
    if !record.from_usual_start() {
        return Err(WriteError::Start(Format::Transcript));
    }
    Ok(record.main_line().map(|square| square.to_string()).collect())
}

/// Reads the games of a file.
///
/// ```
/// let text = b"# of the evening\nAna: f5d6c3\nf5f6\n";
/// let games: Vec<_> = record::transcript::games(text).collect();
/// assert_eq!(games.len(), 2);
/// let (begin, game) = &games[1];
/// assert_eq!((*begin, game.as_ref().unwrap().plies.len()), (29, 2));
/// ```
pub fn games(text: &[u8]) -> Games<'_> {
    let first_squares = game_lines(text).filter_map(|(_, line)| first_square(line));
    let mut begins = first_squares.map(|square| [Square::D3, Square::C4, Square::F5, Square::E6].contains(&square));
    let is_one = begins.next() == Some(true) && begins.next() == Some(false) && !begins.any(|begins| begins);
    Games::new(text, if is_one { whole_game } else { next_game })
}

fn game_lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    text::lines(text).filter(|&(_, line)| is_game(line))
}

fn next_game(text: &[u8]) -> Option<Found> {
    game_of_lines(text, continues)
}

fn whole_game(text: &[u8]) -> Option<Found> {
    game_of_lines(text, |_| true)
}

/// The game that the first line with moves begins and the lines after it continue.
fn game_of_lines(text: &[u8], continues: fn(&[u8]) -> bool) -> Option<Found> {
    let mut lines = game_lines(text).peekable();
    let &(begin, _) = lines.peek()?;
    let mut end = begin;
    let mut read = Ok(RawGame::default());
    while let Some((byte, line)) = lines.next_if(|&(byte, line)| byte == begin || continues(line)) {
        end = byte + line.len();
        read = read.and_then(|mut game| {
            take_line(&mut game, line, byte - begin)?;
            Ok(game)
        });
    }
    Some(Found { begin, end, game: read })
}

/// Words, dashes and at signs, and where they begin.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() {
            let begin = at;
            let kind = kind(text[at]);
            while at < text.len() && self::kind(text[at]) == kind {
                at += 1;
            }
            if kind != Kind::Separator {
                return Some((begin, &text[begin..at]));
            }
        }
        None
    })
}

#[derive(PartialEq, Eq)]
enum Kind {
    Word,
    Dash,
    At,
    Separator,
}

fn kind(byte: u8) -> Kind {
    match byte {
        b'-' => Kind::Dash,
        b'@' => Kind::At,
        // letters that are not English are two or more such bytes
        _ if byte.is_ascii_alphanumeric() || byte >= 0x80 => Kind::Word,
        _ => Kind::Separator,
    }
}

/// Adds the moves and passes of a text that begins at `byte` of its game.
pub(crate) fn take_line(game: &mut RawGame, text: &[u8], byte: usize) -> Result<(), ReadError> {
    words(text).try_for_each(|(at, word)| take_word(game, word, byte + at))
}

/// Adds the moves and passes of one word.
fn take_word(game: &mut RawGame, word: &[u8], byte: usize) -> Result<(), ReadError> {
    let mut rest = match shape(word) {
        Shape::Prose => return Ok(()),
        Shape::Pass => return take(game, None, byte),
        Shape::Moves(moves) => moves,
    };
    while !rest.is_empty() {
        let byte = byte + word.len() - rest.len();
        let Some((square, used)) = token(rest) else {
            let found = text::decoded(&rest[..rest.len().min(2)]);
            return Err(ReadError { byte, why: Why::NotASquare { ply: game.next_move(), found } });
        };
        take(game, square, byte)?;
        rest = &rest[used..];
    }
    Ok(())
}

fn take(game: &mut RawGame, square: Option<Square>, byte: usize) -> Result<(), ReadError> {
    // a dash between the names and the moves is no pass
    if square.is_none() && game.plies.is_empty() {
        return Ok(());
    }
    game.push(None, square, byte).map_err(|why| ReadError { byte, why })
}

enum Shape<'a> {
    Prose,
    Pass,
    Moves(&'a [u8]),
}

fn shape(word: &[u8]) -> Shape<'_> {
    match word {
        b"--" | b"@@@@" => return Shape::Pass,
        [b'-' | b'@', ..] => return Shape::Prose,
        _ => {}
    }
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let moves = &word[digits..];
    match token(moves) {
        Some((Some(_), _)) => Shape::Moves(moves),
        // `pass` and `paf5`, but not `pair` and `past`
        Some((None, _)) if all_tokens(moves) => Shape::Moves(moves),
        _ => Shape::Prose,
    }
}

fn all_tokens(mut word: &[u8]) -> bool {
    while let Some((_, used)) = token(word) {
        word = &word[used..];
    }
    word.is_empty()
}

/// The square or pass at the beginning, and its length.
fn token(text: &[u8]) -> Option<(Option<Square>, usize)> {
    if let [letter, digit, ..] = text
        && let Some(square) = Square::at(letter.to_ascii_lowercase().wrapping_sub(b'a'), digit.wrapping_sub(b'1'))
    {
        return Some((Some(square), 2));
    }
    let begins = |word: &[u8]| text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word);
    if begins(b"pass") {
        Some((None, 4))
    } else if begins(b"pa") || begins(b"ps") {
        Some((None, 2))
    } else {
        None
    }
}

fn first_square(line: &[u8]) -> Option<Square> {
    words(line).find_map(|(_, word)| match shape(word) {
        Shape::Moves(moves) => token(moves).and_then(|(square, _)| square),
        _ => None,
    })
}

/// Whether a line begins with a move number above 1.
fn continues(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = str::from_utf8(&line[..digits]).ok().and_then(|digits| digits.parse::<u32>().ok());
    number.is_some_and(|number| number > 1) && line[digits..].trim_ascii_start().first() != Some(&b'-')
}

/// Whether a line is more moves than prose.
pub(crate) fn is_game(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    if line.is_empty() || line[0] == b'#' || line[0] == b'%' {
        return false;
    }
    let (mut moves, mut prose) = (0, 0);
    for (_, word) in words(line) {
        match shape(word) {
            Shape::Moves(rest) => moves += rest.len(),
            Shape::Prose if word[0].is_ascii_digit() || word[0] == b'-' || word[0] == b'@' => {}
            Shape::Prose => prose += word.len(),
            Shape::Pass => {}
        }
    }
    moves > 0 && moves >= prose
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> String {
        let record = Record::try_from(read(text.as_bytes()).unwrap()).unwrap();
        write(&record).unwrap()
    }

    #[test]
    fn every_way_to_write_moves() {
        for text in [
            "f5d6c3",
            "F5D6C3",
            "F5d6C3",
            "f5 d6 c3",
            "1. f5 d6 2. c3",
            "1.f5 2.d6 3.c3",
            "1f5 2d6 3c3",
            "f5,d6,c3",
            "f5-d6-c3",
            "f5/d6/c3",
            "Zugfolge: f5d6c3 (34-30)",
            "Smith -- Jones: f5d6c3",
            "Partie: F5D6C3, past the opening",
            "f5\r\nd6\r\nc3\r\n",
            "ｆ f5d6c3 é",
        ] {
            assert_eq!(moves(text), "f5d6c3", "{text:?}");
        }
        assert_eq!(moves(""), "");
    }

    #[test]
    fn every_way_to_write_a_pass() {
        let (before, after) = (
            "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2h1g2b8a8a7b7a2",
            "g8b2g7",
        );
        let whole = format!("{before}{after}");
        for pass in ["", "--", "pa", "PA", "ps", "PS", "pass", "Pass", "@@@@", " -- ", " PA ", " 57. -- "] {
            assert_eq!(moves(&format!("{before}{pass}{after}")), whole, "{pass:?}");
        }
        assert_eq!(moves(&format!("{whole}----")), whole);
        assert_eq!(moves(&format!("{whole} -- --")), whole);
    }

    #[test]
    fn what_is_wrong_says_where() {
        let error = read(b"f5d6c9").unwrap_err();
        assert_eq!(error, ReadError { byte: 4, why: Why::NotASquare { ply: 3, found: "c9".into() } });
        let error = Record::try_from(read(b"f5d6\na1").unwrap()).unwrap_err();
        assert_eq!(error.byte, 5);
        assert_eq!((error.why.ply(), error.why.square()), (Some(3), Some(Square::A1)));
        assert_eq!(error.to_string(), "byte 5: move 3: a1 turns no disc");
        let error = Record::try_from(read(b"f5--d6").unwrap()).unwrap_err();
        assert_eq!(error.why, Why::Pass { ply: 2, by: rules::Color::White });
        assert_eq!(read(&b"f5".repeat(200)).unwrap_err().why, Why::TooManyMoves);
    }

    fn in_file(text: &str) -> Vec<(usize, usize)> {
        games(text.as_bytes()).map(|(byte, game)| (byte, game.unwrap().plies.len())).collect()
    }

    #[test]
    fn a_line_is_a_game() {
        assert_eq!(in_file("f5d6c3\nd3c3\n\n# no f5\nSome words about f5 here\nd3e3\n"), [(0, 3), (7, 2), (46, 2)]);
        assert_eq!(in_file("1. f5 d6\n2. c3 d3\n1. d3 c3\n"), [(0, 4), (18, 2)]);
        assert_eq!(in_file("f5d6c3\nf4c4d3\nf6\n"), [(0, 7)]);
        assert_eq!(in_file("no moves at all\n"), []);
        assert_eq!(in_file(""), []);
    }
}

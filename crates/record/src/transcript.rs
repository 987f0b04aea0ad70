//! Moves in a row, as players send them to each other: `f5d6c3d3c4…`
//!
//! # Reading
//!
//! - Squares in either case, half or full width (`ｆ５`), with or without anything between them: spaces, commas, dots,
//!   dashes, slashes.
//! - Move numbers are skipped: `1. f5 d6`, `1.f5`.
//! - A pass may be left out, or be `--`, `pa`, `ps`, `pass` (any case) or `@@@@`. A pass before the first move is
//!   taken for a dash.
//! - What stands before, between and after the moves is kept as a comment: a name (`f5d6 Perpendicular`), the number of
//!   the game in a table (`647894,-1,f5d6`). A result (`34-30`) is the result. A word that begins with a square must be
//!   made of squares: `f5d9` is an error, not a move and some noise.
//! - In a file each line with moves is a game. One with more letters in words than in moves is a game if its moves, two or
//!   more, stand together before or after the words, or three of them in one word; else it is rejected. No line with a
//!   square is passed over.
//! - A line that begins with a number above 1 goes on with the game of the line before, or is the next game of a numbered
//!   list: whichever of the two is legal; if both or neither, the first if the number is that of the next move.
//! - A file in which only the first of the lines begins with a possible first move (d3, c4, f5, e6) is one game.
//! - `#` and `%` begin comment lines.
//!
//! # Writing
//!
//! Lower case, nothing between the moves, passes left out, one game to a line. Only the main line; names and
//! variations have no place in it.

use crate::{Claim, Format, Note, RawGame, ReadError, Record, Why, WriteError, text};
use rules::{ByColor, Square};
use std::collections::VecDeque;

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
    take_row(&mut game, text, 0)?;
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
/// let text = b"# of the evening\nAna: f5d6c3\nf5f6\nthen f5 or so\n";
/// let games: Vec<_> = record::transcript::games(text).collect();
/// let (begin, game) = &games[1];
/// assert_eq!((*begin, game.as_ref().unwrap().plies.len()), (29, 2));
/// let (begin, nothing) = &games[2];
/// assert_eq!((*begin, &nothing.as_ref().unwrap_err().why), (34, &record::Why::Prose));
/// ```
pub fn games(text: &[u8]) -> impl Iterator<Item = (usize, Result<RawGame, ReadError>)> {
    let is_one = is_one_game(text);
    let mut lines = lines_with_squares(text).peekable();
    // where lines without a game were passed over in the middle of one; they are told after it
    let mut passed_over = VecDeque::new();
    std::iter::from_fn(move || {
        let prose = |begin| Some((begin, Err(ReadError { byte: 0, why: Why::Prose })));
        if let Some(begin) = passed_over.pop_front() {
            return prose(begin);
        }
        let (begin, line, kind) = lines.next()?;
        if kind == Kind::Prose {
            return prose(begin);
        }
        let mut game = read(line);
        loop {
            while let Some((byte, ..)) = lines.next_if(|&(_, _, kind)| kind == Kind::Prose) {
                passed_over.push_back(byte);
            }
            let Some((byte, line, _)) = lines.next_if(|&(_, line, _)| is_one || continues(&game, line)) else { break };
            game = game.and_then(|mut game| {
                take_row(&mut game, line, byte - begin)?;
                Ok(game)
            });
        }
        Some((begin, game))
    })
}

/// Whether only the first line of moves begins as a game may.
fn is_one_game(text: &[u8]) -> bool {
    let lines = lines_with_squares(text).filter(|&(_, _, kind)| kind == Kind::Game);
    let first_squares = lines.filter_map(|(_, line, _)| first_square(line));
    let mut begins = first_squares.map(|square| [Square::D3, Square::C4, Square::F5, Square::E6].contains(&square));
    begins.next() == Some(true) && begins.next() == Some(false) && !begins.any(|begins| begins)
}

/// What a line with moves or squares is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Game,
    /// Words with a square among them.
    Prose,
}

fn lines_with_squares(text: &[u8]) -> impl Iterator<Item = (usize, &[u8], Kind)> {
    text::lines(text).filter_map(|(byte, line)| kind(line).map(|kind| (byte, line, kind)))
}

fn kind(line: &[u8]) -> Option<Kind> {
    if matches!(line.trim_ascii_start(), [b'#' | b'%', ..]) {
        return None;
    }
    // letters in moves and in words, squares, and how often moves begin after words or at the start
    let (mut moves, mut prose, mut squares, mut runs) = (0, 0, 0, 0);
    let (mut words_first, mut after_moves) = (false, false);
    // three squares in one word are a game whatever stands around them
    let mut together = false;
    for (_, word) in words(line) {
        match shape(word) {
            Shape::Moves(rest) => {
                moves += letters(rest);
                let count = squares_in(rest);
                squares += count;
                together |= count >= 3;
                runs += usize::from(!after_moves);
                after_moves = true;
            }
            Shape::Prose if is_neutral(word) => {}
            Shape::Prose => {
                prose += letters(word);
                words_first |= moves == 0;
                after_moves = false;
            }
            Shape::Pass => {}
        }
    }
    let apart = runs == 1 && (together || (squares >= 2 && (!words_first || after_moves)));
    match () {
        () if moves == 0 => None,
        () if moves >= prose || apart => Some(Kind::Game),
        () if squares > 0 => Some(Kind::Prose),
        () => None,
    }
}

/// Numbers and dashes are neither moves nor words.
fn is_neutral(word: &[u8]) -> bool {
    letter(word).is_some_and(|(first, _)| first.is_ascii_digit() || first == '-' || first == '@')
}

fn letters(mut text: &[u8]) -> usize {
    let mut count = 0;
    while let Some((_, length)) = letter(text) {
        count += 1;
        text = &text[length..];
    }
    count
}

fn squares_in(mut word: &[u8]) -> usize {
    let mut count = 0;
    while let Some((square, length)) = token(word) {
        count += usize::from(square.is_some());
        word = &word[length..];
    }
    count
}

/// Whether a line is a game by itself.
pub(crate) fn is_game(line: &[u8]) -> bool {
    kind(line) == Some(Kind::Game)
}

/// Whether a line with a number goes on with the game before it, rather than being the next of a list.
fn continues(game: &Result<RawGame, ReadError>, line: &[u8]) -> bool {
    let Some(number) = leading_number(line).filter(|&number| number > 1) else { return false };
    let is_legal = |mut game: RawGame| take_row(&mut game, line, 0).is_ok() && Record::try_from(game).is_ok();
    let alone = is_legal(RawGame::default());
    let Ok(game) = game else { return !alone };
    let played = game.plies.len();
    match (is_legal(game.clone()), alone) {
        (true, false) => true,
        (false, true) => false,
        // the next move, or the next pair of them
        _ => number == played + 1 || (played % 2 == 0 && number == played / 2 + 1),
    }
}

/// The number a line begins with, unless it is that of a result.
fn leading_number(line: &[u8]) -> Option<usize> {
    let (begin, word) = words(line).next()?;
    let length = digits(word);
    let mut number = 0usize;
    let mut rest = &word[..length];
    while let Some((digit, length)) = letter(rest) {
        number = number.checked_mul(10)?.checked_add(digit.to_digit(10)? as usize)?;
        rest = &rest[length..];
    }
    let is_result = line[begin + length..].trim_ascii_start().first() == Some(&b'-');
    (length > 0 && !is_result).then_some(number)
}

/// How many bytes the digits are that a word begins with.
fn digits(word: &[u8]) -> usize {
    let mut at = 0;
    while let Some((_, length)) = letter(&word[at..]).filter(|(letter, _)| letter.is_ascii_digit()) {
        at += length;
    }
    at
}

/// The first letter of a text, that of half width where it is one of full width, and how many bytes it has.
fn letter(text: &[u8]) -> Option<(char, usize)> {
    let first = *text.first()?;
    let length = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    let found = text.get(..length).and_then(|text| str::from_utf8(text).ok()).and_then(|text| text.chars().next());
    Some(match found {
        Some(wide @ '\u{ff01}'..='\u{ff5e}') => (char::from_u32(u32::from(wide) - 0xfee0).unwrap_or(wide), length),
        Some(letter) => (letter, length),
        None => (text::from_windows_1252(first), 1),
    })
}

/// Words, dashes and at signs, and where they begin.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some((first, length)) = letter(&text[at..]) {
            let begin = at;
            let class = class(first);
            at += length;
            while let Some((_, length)) = letter(&text[at..]).filter(|&(letter, _)| self::class(letter) == class) {
                at += length;
            }
            if class != Class::Separator {
                return Some((begin, &text[begin..at]));
            }
        }
        None
    })
}

#[derive(PartialEq, Eq)]
enum Class {
    Word,
    Dash,
    At,
    Separator,
}

fn class(letter: char) -> Class {
    match letter {
        '-' => Class::Dash,
        '@' => Class::At,
        _ if letter.is_alphanumeric() => Class::Word,
        _ => Class::Separator,
    }
}

/// Adds the moves of a line, and what stands around them: its result, and the rest as a comment.
fn take_row(game: &mut RawGame, line: &[u8], byte: usize) -> Result<(), ReadError> {
    let mut around = Vec::new();
    let mut end = 0;
    for (at, word) in words(line) {
        let played = game.plies.len();
        take_word(game, word, byte + at)?;
        if game.plies.len() > played {
            around.push(&line[end..at]);
            end = at + word.len();
        }
    }
    around.push(&line[end..]);
    let last = around.len() - 1;
    let mut comment: Vec<String> = Vec::new();
    for (at, text) in around.into_iter().enumerate() {
        let text = said(text);
        match result(&text) {
            Some(discs) if at == last || discs.black + discs.white == 64 => {
                game.headers.claim = Some(Claim::Discs(discs));
            }
            _ if !text.is_empty() => comment.push(text),
            _ => {}
        }
    }
    game.note(None, Note { comment: comment.join(" "), ..Note::default() });
    // notes are in the order of what they are on
    game.notes.sort_by_key(|note| note.on);
    Ok(())
}

/// What a text beside moves says, without what only separates; a move number says nothing.
fn said(text: &[u8]) -> String {
    let plain = text::plain_line(&text::decoded(text));
    let words = plain.trim_matches(|c: char| c.is_whitespace() || ".,:;|/-–—→>=：；，．、。".contains(c));
    let inner = |open: char, close: char| words.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    let words = inner('(', ')').or_else(|| inner('[', ']')).or_else(|| inner('"', '"')).unwrap_or(words);
    // the number of a game in a table has a separator after it, and may have more digits than that of a move
    let digits = words.chars().all(|c| c.is_numeric());
    let is_column = plain.ends_with([',', ';', '|']) || text.ends_with(b"\t");
    let is_move_number = digits && words.chars().count() <= 3 && !is_column;
    if is_move_number || !words.contains(char::is_alphanumeric) { String::new() } else { words.to_owned() }
}

/// The discs of a result such as `34-30`.
fn result(text: &str) -> Option<ByColor<u8>> {
    let (black, white) = text.split_once(['-', '–', ':'])?;
    let count = |text: &str| text.trim().parse().ok().filter(|&count: &u8| count <= 64);
    let discs = ByColor { black: count(black)?, white: count(white)? };
    (9..=64).contains(&(discs.black + discs.white)).then_some(discs)
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
            let two = letter(rest).map_or(0, |(_, one)| one + letter(&rest[one..]).map_or(0, |(_, two)| two));
            let found = text::decoded(&rest[..two]);
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
    let moves = &word[digits(word)..];
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
    if let Some((column, one)) = letter(text)
        && let Some((row, two)) = letter(&text[one..])
        && let (Ok(column), Ok(row)) = (u8::try_from(column.to_ascii_lowercase()), u8::try_from(row))
        && let Some(square) = Square::at(column.wrapping_sub(b'a'), row.wrapping_sub(b'1'))
    {
        return Some((Some(square), one + two));
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
            "ｆ５ｄ６ｃ３",
            "Ｆ５　Ｄ６　Ｃ３",
            "１．ｆ５　ｄ６　２．ｃ３",
            "647894,-1,f5d6c3",
            "f5d6c3 the perpendicular opening, after thirty-three lines of nothing",
            "\u{feff}f5d6c3",
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

    fn in_file(text: &str) -> Vec<(usize, Result<usize, Why>)> {
        let plies = |game: Result<RawGame, ReadError>| game.map(|game| game.plies.len()).map_err(|error| error.why);
        games(text.as_bytes()).map(|(byte, game)| (byte, plies(game))).collect()
    }

    #[test]
    fn a_line_is_a_game() {
        let found = in_file("f5d6c3\nd3c3\n\n# no f5\nSome words about f5 here\nd3e3\n");
        assert_eq!(found, [(0, Ok(3)), (7, Ok(2)), (21, Err(Why::Prose)), (46, Ok(2))]);
        assert_eq!(in_file("1. f5 d6\n2. c3 d3\n1. d3 c3\n"), [(0, Ok(4)), (18, Ok(2))]);
        assert_eq!(in_file("f5d6c3\nf4c4d3\nf6\n"), [(0, Ok(7))]);
        assert_eq!(in_file("no moves at all\n"), []);
        assert_eq!(in_file(""), []);
    }

    #[test]
    fn numbers_count_games_or_moves() {
        let found = |text| in_file(text).into_iter().map(|(_, plies)| plies.unwrap()).collect::<Vec<_>>();
        // lists
        assert_eq!(found("1. f5d6c3\n2. f5f6e6\n"), [3, 3]);
        assert_eq!(found("1. f5d6\n2. f5f6\n3. f5f4\n"), [2, 2, 2]);
        assert_eq!(found("1) f5d6c3d3\n2) c4c3d3\n10) d3c3c4\n"), [4, 3, 3]);
        assert_eq!(found("647894,-1,f5d6c3\n647895,1,f5f6e6\n647896,0,f5d6c4\n"), [3, 3, 3]);
        // an illegal game of a list stays one game of it
        assert_eq!(found("1. f5d6c3\n2. f5a1\n3. f5f6\n"), [3, 2, 2]);
        // games
        assert_eq!(found("1. f5 d6 2. c3 d3\n"), [4]);
        assert_eq!(found("1. f5 d6\n2. c3 d3\n3. c4 f4\n"), [6]);
        assert_eq!(found("1. f5\n2. d6\n3. c3\n4. d3\n"), [4]);
        assert_eq!(found("1. c4\n2. e3\n3. f5\n"), [3]);
        assert_eq!(found("１．ｆ５　ｄ６\n２．ｃ３　ｄ３\n"), [4]);
    }

    #[test]
    fn what_stands_around_the_moves_is_kept() {
        let kept = |text: &str| {
            let (_, game) = games(text.as_bytes()).next().unwrap();
            let record = Record::try_from(game.unwrap()).unwrap();
            let comment = record.note(None).map(|note| note.comment.clone()).unwrap_or_default();
            (write(&record).unwrap(), comment, record.headers.claim.map(|claim| claim.to_string()))
        };
        let plain = |moves: &str, comment: &str| (moves.to_owned(), comment.to_owned(), None);
        assert_eq!(kept("f5d6 Perpendicular opening"), plain("f5d6", "Perpendicular opening"));
        assert_eq!(kept("Perpendicular opening: f5d6"), plain("f5d6", "Perpendicular opening"));
        assert_eq!(kept("f5d6c3d3c4 虎定石 ともいう長い名前"), plain("f5d6c3d3c4", "虎定石 ともいう長い名前"));
        assert_eq!(kept("Tiger: F5D6C3 is the main line"), plain("f5d6c3", "Tiger is the main line"));
        assert_eq!(kept("虎：ｆ５ｄ６ｃ３"), plain("f5d6c3", "虎"));
        assert_eq!(kept("647894,-1,f5d6"), plain("f5d6", "647894,-1"));
        assert_eq!(kept("17\tf5d6"), plain("f5d6", "17"));
        assert_eq!(kept("17. f5d6"), plain("f5d6", ""));
        assert_eq!(kept("1. f5 (best) d6 2. c3"), plain("f5d6c3", "best"));
        assert_eq!(kept("Ana -- Luis: f5d6 (34-30)"), ("f5d6".into(), "Ana -- Luis".into(), Some("34-30".into())));
        assert_eq!(kept("f5d6 34-30, a draw nearly"), plain("f5d6", "34-30, a draw nearly"));
    }

    #[test]
    fn no_line_with_a_square_is_passed_over() {
        for text in ["We began with f5", "f5 is where Black begins", "Not a1 but b2 he said", "After f5 d6 we had tea"]
        {
            assert_eq!(in_file(text), [(0, Err(Why::Prose))], "{text}");
        }
        // words between the lines of a game do not end it, and are told after it
        let text = "1. f5 d6\nHere e6 would have been something else\n2. c3 d3\n";
        assert_eq!(in_file(text), [(0, Ok(4)), (9, Err(Why::Prose))]);
    }
}

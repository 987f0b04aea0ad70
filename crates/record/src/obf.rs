//! OBF: one position to a line, with the scores of its moves. Made to test engines.
//!
//! A position becomes a game in which nothing has been played; its scored moves are [`Record::known`], in the order of
//! the file.
//!
//! # Reading
//!
//! - A board and the side to move in any one-line form of [`board_text`], then `;` and entries `move:score`. Scores are
//!   the side to move's discs less the other's, empties to the winner.
//! - Entries without a score are kept; `--:-127`, which some test files end with, is skipped, and so is whatever has
//!   no `:` and is no square.
//! - Lines of other programs: `board Black index score` (Flippy) and `id;board;b;description;` (gpdb); index and
//!   description are skipped.
//! - Lines that begin with `%` or `#`, and empty ones, are skipped.
//!
//! # Writing
//!
//! The board as 64 `X`, `O`, `-`, a space, the side to move, and `; G8:+18` for each scored move, then `;`.

use crate::{Format, Known, RawGame, RawKnown, ReadError, Record, Why, WriteError, board_text, text};
use rules::Square;
use std::fmt::Write;

/// Reads the positions of a file.
///
/// ```
/// let line = b"--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;";
/// let (_, game) = record::obf::positions(line).next().unwrap();
/// let problem = record::Record::try_from(game.unwrap()).unwrap();
/// assert_eq!(problem.known()[0], record::Known { square: rules::Square::G8, score: Some(18.0) });
/// ```
pub fn positions(text: &[u8]) -> impl Iterator<Item = (usize, Result<RawGame, ReadError>)> {
    text::lines(text).filter(|&(_, line)| is_position(line)).map(|(byte, line)| (byte, read(line)))
}

fn is_position(line: &[u8]) -> bool {
    !matches!(line.trim_ascii_start(), [] | [b'%' | b'#', ..])
}

/// Reads one line.
///
/// # Errors
///
/// What is wrong with the board or a score, and at which byte.
pub fn read(line: &[u8]) -> Result<RawGame, ReadError> {
    let line = text::decoded(line);
    // gpdb has its own name for the position in front
    let skipped = match line.split(';').next().map(str::len) {
        Some(id) if id < 64 && line[id..].len() > 65 => id + 1,
        _ => 0,
    };
    let line_text = &line[skipped..];
    let head = line_text.split(';').next().unwrap_or_default();
    let (board, entries) = if skipped > 0 && !head.contains(' ') {
        // gpdb again: the side to move is a field of its own
        let turn = line_text[head.len()..].trim_start_matches(';');
        let turn = turn.split(';').next().unwrap_or_default();
        (format!("{head} {turn}"), "")
    } else {
        (head.to_owned(), &line_text[head.len()..])
    };
    let setup = board_text::read(&board).map_err(|error| ReadError { byte: skipped + error.byte, ..error })?;
    let mut game = RawGame { start: Some(setup), ..RawGame::default() };
    let mut byte = skipped + head.len();
    for entry in entries.split(';').skip(1) {
        byte += 1;
        let at = byte;
        byte += entry.len();
        let (place, score) = match entry.split_once(':') {
            Some((place, score)) => (place.trim(), Some(score.trim())),
            None => (entry.trim(), None),
        };
        let Ok(square) = place.parse::<Square>() else { continue };
        let fail = |why| Err(ReadError { byte: at, why });
        let score = match score {
            None => None,
            Some(score) => match crate::raw::decimal(score).filter(|score| score.abs() <= 64.0) {
                Some(score) => Some(score),
                None => return fail(Why::NotANumber { found: score.chars().take(20).collect() }),
            },
        };
        if game.known.len() >= 64 {
            return fail(Why::TooManyMoves);
        }
        game.known.push(RawKnown { known: Known { square, score }, byte: at.min(u32::MAX as usize) as u32 });
    }
    Ok(game)
}

/// One position, without the line's end.
///
/// # Errors
///
/// [`WriteError::Moves`] if a move was played.
///
/// ```
/// use record::{Record, obf};
/// let line = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;";
/// let problem = Record::try_from(obf::read(line.as_bytes())?)?;
/// assert_eq!(obf::write(&problem).unwrap(), line);
/// # Ok::<(), record::ReadError>(())
/// ```
pub fn write(record: &Record) -> Result<String, WriteError> {
    if !record.moves().is_empty() {
        return Err(WriteError::Moves(Format::Obf));
    }
    let mut line = board_text::write(record.start().setup());
    for one in record.known() {
        let _ = write!(line, "; {}", one.square.to_string().to_uppercase());
        if let Some(score) = one.score {
            let _ = write!(line, ":{score:+}");
        }
    }
    line.push(';');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--";

    fn record(line: &str) -> Result<Record, String> {
        read(line.as_bytes()).and_then(Record::try_from).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_read_is_written_again() {
        let line = format!("{BOARD} X; G8:+18; H1:+12; B1:-4; G2;");
        assert_eq!(write(&record(&line).unwrap()).unwrap(), line);
        assert_eq!(write(&record(&format!("{line} --:-127;")).unwrap()).unwrap(), line);
        assert_eq!(write(&record(&format!("{BOARD} O")).unwrap()).unwrap(), format!("{BOARD} O;"));
    }

    #[test]
    fn other_programs_lines() {
        let plain = record(&format!("{BOARD} X")).unwrap();
        let dots = BOARD.replace('-', ".").replace('X', "b").replace('O', "w");
        assert_eq!(record(&format!("ffo-01;{dots};b;FFO position 01, best G8;")).unwrap(), plain);
        assert_eq!(record(&format!("{BOARD} Black 62 18")).unwrap(), plain);
        let text = format!("% a comment\n\n{BOARD} X;\n# another\n{BOARD} O;");
        assert_eq!(positions(text.as_bytes()).count(), 2);
    }

    #[test]
    fn what_is_wrong_says_where() {
        assert_eq!(record(&format!("{BOARD} X; G8:much;")), Err("byte 67: \"much\" is not a number".into()));
        assert_eq!(record(&format!("{BOARD} X; G8:+99;")), Err("byte 67: \"+99\" is not a number".into()));
        assert_eq!(record(&format!("{BOARD} X; C1:+2;")), Err("byte 67: move 1: c1 already has a disc".into()));
        assert_eq!(record(&BOARD[1..]), Err("byte 63: 63 squares where 64 are needed".into()));
        assert_eq!(record(BOARD), Err("byte 64: the side to move is missing after the board".into()));
        let game = Record::from_moves([Square::F5, Square::D6]).unwrap();
        assert_eq!(write(&game), Err(WriteError::Moves(Format::Obf)));
    }
}

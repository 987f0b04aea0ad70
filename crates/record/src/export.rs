//! Many games as the text of one file.

use crate::{Format, Record, WriteError, board_text, ggf, obf, pgn, sgf, transcript};

/// The text of a file that holds these games. (WTHOR is no text: see [`wthor::Base`](crate::wthor::Base).)
///
/// # Errors
///
/// [`WriteError`] if a game has no place in the format, or the format has none for several.
///
/// ```
/// use record::{Format, Record, export};
/// use rules::Square;
/// let games = [Record::from_moves([Square::F5])?, Record::from_moves([Square::D3])?];
/// assert_eq!(export::text(&games, Format::Transcript)?, "f5\nd3\n");
/// assert!(export::text(&games, Format::Board).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn text(records: &[Record], format: Format) -> Result<String, WriteError> {
    let lines = |line: fn(&Record) -> Result<String, WriteError>| -> Result<String, WriteError> {
        records.iter().map(|record| line(record).map(|line| line + "\n")).collect()
    };
    match format {
        Format::Transcript => lines(transcript::write),
        Format::Obf => lines(obf::write),
        Format::Ggf => lines(|record| Ok(ggf::write(record))),
        Format::Sgf => Ok(records.iter().map(sgf::write).collect()),
        Format::Pgn => Ok(records.iter().map(pgn::write).collect::<Vec<_>>().join("\n")),
        Format::Board | Format::Wthor => match records {
            [record] => Ok(board_text::write_diagram(record.end().setup())),
            _ => Err(WriteError::OneGame(format)),
        },
    }
}

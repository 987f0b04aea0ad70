//! A match as a file: one line for the match, one for each game as it ends, so that a match that was stopped goes on.

use super::{
    external::Trouble,
    play::{Played, Spent},
    score::Points,
    troubles::{self, WHO},
};
use rules::Color;
use serde_json::{Value, json};
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, Write},
    path::Path,
    time::Duration,
};

/// The file that games are added to.
pub(crate) struct Log {
    file: Option<File>,
}

/// A game that is in the file already.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LoggedGame {
    pub(crate) number: u32,
    pub(crate) points: Points,
    /// Of A and of B.
    pub(crate) spent: [Spent; 2],
    /// Who could not go on, 0 being A, and why.
    pub(crate) trouble: Option<(usize, Trouble)>,
}

/// Why a file cannot go on with a match.
#[derive(Debug)]
pub(crate) enum LogError {
    Io(io::Error),
    /// It holds another match.
    Other,
}

impl From<io::Error> for LogError {
    fn from(error: io::Error) -> LogError {
        LogError::Io(error)
    }
}

impl Log {
    /// A match that is not written down.
    pub(crate) fn none() -> Log {
        Log { file: None }
    }

    /// Opens or makes a file for this match; with the games that are in it already.
    ///
    /// # Errors
    ///
    /// If the file cannot be read and written, or begins with another match.
    pub(crate) fn open(path: &Path, header: &Value) -> Result<(Log, Vec<LoggedGame>), LogError> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        // what was being written when the power went is not a game
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        let mut games = Vec::new();
        match lines.next() {
            None => {
                file.set_len(0)?;
                writeln!(file, "{header}")?;
            }
            Some(first) => {
                if serde_json::from_str::<Value>(first).ok().as_ref() != Some(header) {
                    return Err(LogError::Other);
                }
                if whole < text.len() {
                    file.set_len(whole as u64)?;
                    file.seek(io::SeekFrom::End(0))?;
                }
                for line in lines {
                    let game: Value = serde_json::from_str(line).map_err(|_| LogError::Other)?;
                    let (Some(number), Some(score)) = (game["game"].as_u64(), game["score"].as_i64()) else {
                        return Err(LogError::Other);
                    };
                    games.push(LoggedGame {
                        number: number as u32,
                        points: Points(score.clamp(-64, 64) as i8),
                        spent: WHO.map(|who| read_spent(&game["spent"][who])),
                        trouble: troubles::read(&game["trouble"]),
                    });
                }
            }
        }
        Ok((Log { file: Some(file) }, games))
    }

    /// Adds a game; `first` is the colour of the first player.
    pub(crate) fn add(&mut self, number: u32, first: Color, points: Points, played: &Played) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let moves: String = played.moves.iter().map(ToString::to_string).collect();
        let trouble = played.trouble.as_ref().map(|(by, trouble)| troubles::told(usize::from(*by != first), trouble));
        let black = WHO[usize::from(first != Color::Black)];
        let [a, b] = [first, !first].map(|color| write_spent(played.spent[color]));
        let line = json!({
            "game": number, "black": black, "score": points.0, "moves": moves, "trouble": trouble,
            "spent": { "a": a, "b": b },
        });
        file.write_all(format!("{line}\n").as_bytes())?;
        file.flush()
    }
}

/// Moves and seconds, for files: to a tenth of a millisecond.
fn write_spent(spent: Spent) -> Value {
    json!({ "moves": spent.moves, "seconds": (spent.time.as_secs_f64() * 1e4).round() / 1e4 })
}

fn read_spent(value: &Value) -> Spent {
    let moves = value["moves"].as_u64().and_then(|moves| u32::try_from(moves).ok());
    let time = value["seconds"].as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    moves.zip(time).map_or_else(Spent::default, |(moves, time)| Spent { moves, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_goes_on_where_it_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let header = json!({ "match": ["level:1", "level:2"] });
        let spent = |moves, seconds| Spent { moves, time: Duration::from_secs_f64(seconds) };
        let (slow, quick) = (spent(26, 3.25), spent(25, 0.5));
        let trouble = Some((Color::White, Trouble::Hung));
        let spent = rules::ByColor { black: slow, white: quick };
        let played = Played { difference: 4, moves: Vec::new(), trouble, spent };
        let (mut log, games) = Log::open(&path, &header).unwrap();
        assert!(games.is_empty());
        log.add(0, Color::Black, Points(4), &played).unwrap();
        log.add(1, Color::White, Points(-4), &played).unwrap();
        drop(log);
        // the power goes in the middle of a line
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"game\":2,\"sco");
        std::fs::write(&path, &text).unwrap();
        let (mut log, games) = Log::open(&path, &header).unwrap();
        let expected = [
            LoggedGame { number: 0, points: Points(4), spent: [slow, quick], trouble: Some((1, Trouble::Hung)) },
            LoggedGame { number: 1, points: Points(-4), spent: [quick, slow], trouble: Some((0, Trouble::Hung)) },
        ];
        assert_eq!(games, expected);
        log.add(2, Color::Black, Points(64), &played).unwrap();
        drop(log);
        assert_eq!(Log::open(&path, &header).unwrap().1.len(), 3);
        // a file from before times were written, and one with nonsense for a time
        std::fs::write(&path, format!("{header}\n{{\"game\":0,\"score\":2}}\n")).unwrap();
        assert_eq!(Log::open(&path, &header).unwrap().1[0].spent, [Spent::default(); 2]);
        let nonsense = r#"{"game":0,"score":2,"spent":{"a":{"moves":3,"seconds":-1},"b":7}}"#;
        std::fs::write(&path, format!("{header}\n{nonsense}\n")).unwrap();
        assert_eq!(Log::open(&path, &header).unwrap().1[0].spent, [Spent::default(); 2]);
        assert!(matches!(Log::open(&path, &json!({ "match": [] })), Err(LogError::Other)));
    }
}

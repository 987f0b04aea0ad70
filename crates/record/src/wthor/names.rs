//! The names of players and tournaments.

use super::{HEADER, Header, PLAYER, TOURNAMENT};
use crate::{Why, text};

/// The names that go with games: the contents of a `.jou` and a `.trn` file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    players: Vec<String>,
    tournaments: Vec<String>,
}

impl Names {
    /// Reads a `.jou` file.
    ///
    /// # Errors
    ///
    /// [`Why::NoHeader`] or [`Why::Truncated`].
    pub fn read_players(&mut self, bytes: &[u8]) -> Result<(), Why> {
        self.players = read::<PLAYER>(bytes)?;
        Ok(())
    }

    /// Reads a `.trn` file.
    ///
    /// # Errors
    ///
    /// [`Why::NoHeader`] or [`Why::Truncated`].
    pub fn read_tournaments(&mut self, bytes: &[u8]) -> Result<(), Why> {
        self.tournaments = read::<TOURNAMENT>(bytes)?;
        Ok(())
    }

    /// A player's name; `#` and the number where it is not known; nothing where it is `???`.
    pub fn player(&self, number: u16) -> String {
        named(&self.players, number)
    }

    /// A tournament's name; `#` and the number where it is not known; nothing where it is `???`.
    pub fn tournament(&self, number: u16) -> String {
        named(&self.tournaments, number)
    }
}

fn named(names: &[String], number: u16) -> String {
    match names.get(usize::from(number)) {
        Some(name) if name == "???" => String::new(),
        Some(name) => name.clone(),
        None => format!("#{number}"),
    }
}

/// The names of a file whose records have `SIZE` bytes.
pub(super) fn read<const SIZE: usize>(bytes: &[u8]) -> Result<Vec<String>, Why> {
    let header = Header::read(bytes)?;
    let (records, _) = bytes[HEADER..].as_chunks::<SIZE>();
    let promised = usize::from(header.names);
    if records.len() < promised {
        return Err(Why::Truncated { promised, found: records.len() });
    }
    let name = |record: &[u8; SIZE]| {
        let end = record.iter().position(|&byte| byte == 0).unwrap_or(SIZE);
        text::one_line(&record[..end])
    };
    Ok(records[..promised].iter().map(name).collect())
}

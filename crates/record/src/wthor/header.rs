//! The 16 bytes every file begins with.

use super::HEADER;
use crate::Why;

/// What the first 16 bytes of a file say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// When the file was made: a version stamp.
    pub created: Date,
    /// How many games it holds, or how many endgame positions.
    pub games: u32,
    /// How many names it holds.
    pub names: u16,
    /// The year of the games.
    pub year: u16,
    /// 0 and 8 are 8 × 8.
    pub size: u8,
    /// Whether it holds endgame positions.
    pub solitaires: bool,
    /// From how many empties the theoretical score counts; 0 is 22 since 2001.
    pub depth: u8,
}

/// A day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date {
    /// The year, from 0 to 25599.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl Default for Date {
    fn default() -> Date {
        Date { year: 2000, month: 1, day: 1 }
    }
}

impl Header {
    /// How many squares were empty where the theoretical scores of the file begin to count; 0 where it does not say.
    pub fn empties(&self) -> u8 {
        match self.depth {
            0 if self.created.year >= 2001 => 22,
            depth => depth,
        }
    }

    /// Reads the first 16 bytes.
    ///
    /// # Errors
    ///
    /// [`Why::NoHeader`] if there are fewer.
    pub fn read(bytes: &[u8]) -> Result<Header, Why> {
        let Some(&[century, year, month, day, n0, n1, n2, n3, m0, m1, y0, y1, size, solitaires, depth, _]) =
            bytes.first_chunk::<HEADER>()
        else {
            return Err(Why::NoHeader);
        };
        Ok(Header {
            created: Date { year: u16::from(century) * 100 + u16::from(year), month, day },
            games: u32::from_le_bytes([n0, n1, n2, n3]),
            names: u16::from_le_bytes([m0, m1]),
            year: u16::from_le_bytes([y0, y1]),
            size,
            solitaires: solitaires == 1,
            depth,
        })
    }

    pub(super) fn write(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let Date { year, month, day } = self.created;
        bytes[..4].copy_from_slice(&[(year / 100) as u8, (year % 100) as u8, month, day]);
        bytes[4..8].copy_from_slice(&self.games.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.names.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.year.to_le_bytes());
        bytes[12..15].copy_from_slice(&[self.size, self.solitaires.into(), self.depth]);
        bytes
    }
}

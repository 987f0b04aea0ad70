//! What clients were told, one line for each client and game: what the oracle ([`check`](super::check)) holds against the store.

use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};

/// What one client was told of one game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Told {
    /// Which client.
    pub(super) client: String,
    /// Which game.
    pub(super) game: String,
    /// Its moves that the server said are on disk, in the order in which it said so.
    pub(super) acknowledged: Vec<Acknowledged>,
    /// All moves that it was shown, from the first on.
    pub(super) saw: Vec<String>,
}

/// A move that the server said is on disk.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Acknowledged {
    /// The command's id.
    pub(super) id: String,
    /// The entry that it is said to have made.
    pub(super) seq: u64,
    /// How many moves stood before it.
    pub(super) ply: u8,
    /// Where.
    pub(super) square: String,
}

/// Writes what clients were told, each in a line of JSON.
pub(super) fn write(told: &[Told], out: &mut impl Write) -> io::Result<()> {
    for told in told {
        serde_json::to_writer(&mut *out, told)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Reads what was written; the number of the line that cannot be read.
pub(super) fn read(from: impl BufRead) -> Result<Vec<Told>, usize> {
    let lines = from.lines().enumerate();
    lines.map(|(index, line)| line.ok().and_then(|line| serde_json::from_str(&line).ok()).ok_or(index + 1)).collect()
}

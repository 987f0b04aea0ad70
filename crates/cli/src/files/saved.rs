//! The program's own saved games: `outflank play` keeps one file for each, a line of JSON for every entry.

use record::Record;
use table::{Entry, Setup, Table};

/// A game from its file.
pub(crate) struct Saved {
    pub(crate) setup: Setup,
    pub(crate) table: Table,
    /// How many entries the file holds.
    pub(crate) entries: usize,
    /// How many bytes of the file are whole lines.
    pub(crate) length: usize,
}

/// Reads a saved game; `None` if the text holds none. A last line that was cut short never happened.
pub(crate) fn read(text: &str) -> Option<Saved> {
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let mut lines = whole.lines();
    let setup: Setup = serde_json::from_str(lines.next()?).ok()?;
    let mut table = Table::new(setup.clone()).ok()?;
    let mut entries = 0;
    for line in lines {
        let entry: Entry = serde_json::from_str(line).ok()?;
        table = table.after(&entry).ok()?;
        entries += 1;
    }
    Some(Saved { setup, table, entries, length: whole.len() })
}

/// The game of a table that began at that time, for any format.
pub(crate) fn record(table: &Table, begun: table::At) -> Result<Record, record::ReadError> {
    server::record_of(table, begun)
}

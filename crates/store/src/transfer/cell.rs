//! What stands in a table, whichever database it is in.

use sha2::{Digest, Sha256};

/// A table that both kinds of store have, with the same columns.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<(String, Kind)>,
    /// Which columns make up its key, and its order.
    pub(super) key: Vec<usize>,
}

impl Table {
    /// The names of the columns, as they stand in a statement.
    pub(super) fn names(&self) -> String {
        self.columns.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn key_names(&self) -> String {
        self.key.iter().map(|&column| format!("\"{}\"", self.columns[column].0)).collect::<Vec<_>>().join(", ")
    }
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Whole,
    Real,
    Text,
    Bytes,
}

/// One field.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Cell {
    Null,
    Whole(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// What many rows come to: the same for the same rows in the same order.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    rows: u64,
    hash: Sha256,
}

impl Sum {
    pub(super) fn add(&mut self, row: &[Cell]) {
        self.rows += 1;
        for cell in row {
            let (kind, bytes): (u8, &[u8]) = match cell {
                Cell::Null => (0, &[]),
                Cell::Whole(number) => (1, &number.to_be_bytes()),
                Cell::Real(number) => (2, &number.to_bits().to_be_bytes()),
                Cell::Text(text) => (3, text.as_bytes()),
                Cell::Bytes(bytes) => (4, bytes),
            };
            self.hash.update([kind]);
            self.hash.update((bytes.len() as u64).to_be_bytes());
            self.hash.update(bytes);
        }
    }
}

impl PartialEq for Sum {
    fn eq(&self, other: &Sum) -> bool {
        self.rows == other.rows && self.hash.clone().finalize() == other.hash.clone().finalize()
    }
}

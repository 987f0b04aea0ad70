//! Everything in one store brought into another, empty one: [`move_data`], from an SQLite folder to a PostgreSQL database, back, or to
//! another of the same kind.
//!
//! All of it is one transaction of the store that it is brought into, and what stands there is read again and compared before that
//! transaction is finished: whoever interrupts it leaves nothing behind, and can begin again.

mod cell;
mod postgres;
mod sqlite;

use crate::OpenError;
use cell::{Cell, Sum, Table};
use room::Key;
use std::{fmt, path::PathBuf, str::FromStr};

/// Where a store is.
///
/// ```
/// use store::StorePlace;
/// let place: StorePlace = "postgres://ana@db.example/games".parse().unwrap();
/// assert!(matches!(place, StorePlace::Postgres(_)));
/// assert!(matches!("data/games".parse(), Ok(StorePlace::Folder(_))));
/// let secret: StorePlace = "postgres://ana:secret@db.example/games".parse().unwrap();
/// assert_eq!(secret.to_string(), "postgres://db.example:5432/games");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum StorePlace {
    /// A folder with an SQLite file.
    Folder(PathBuf),
    /// The address of a PostgreSQL database, with everything needed to connect.
    Postgres(String),
}

impl FromStr for StorePlace {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<StorePlace, Self::Err> {
        let address = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
        Ok(if address { StorePlace::Postgres(text.to_owned()) } else { StorePlace::Folder(text.into()) })
    }
}

/// Without a password.
impl fmt::Display for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StorePlace::Folder(path) => path.display().fmt(f),
            StorePlace::Postgres(address) => crate::postgres::shown(address).display().fmt(f),
        }
    }
}

/// Without a password.
impl fmt::Debug for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Why nothing was moved. The store that was to be filled is as it was.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The one or the other cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// There is no store to move anything out of.
    #[error("there is no store in {}", .0.display())]
    Nothing(PathBuf),
    /// There is something in the store that was to be filled.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// The one or the other stopped in the middle.
    #[error("{0}")]
    Failed(String),
    /// What came in is not what came out.
    #[error("the copy of {0} is not the same")]
    Different(String),
    /// Whoever asked for it wants it no more.
    #[error("it was interrupted")]
    Interrupted,
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveProgress {
    /// How many lines of tables there are.
    pub all: u64,
    /// How many of them have been copied.
    pub copied: u64,
    /// How many of them have been compared.
    pub compared: u64,
}

/// Rows are read and written by so many.
const PAGE: usize = 500;

/// Brings everything in `from` into `to`, which is empty, and returns how many lines of tables that was. Nobody else uses them
/// meanwhile. `goes_on` hears how far it is and says whether to go on. It waits for databases: not to be called from async code.
///
/// # Errors
///
/// [`MoveError`]; nothing is left of it in `to` then.
pub fn move_data(
    from: &StorePlace,
    to: &StorePlace,
    goes_on: &mut dyn FnMut(MoveProgress) -> bool,
) -> Result<u64, MoveError> {
    let mut from = open(from, false)?;
    let mut to = open(to, true)?;
    let tables = sqlite::tables()?;
    for table in &tables {
        // A server that was only looked at has left a sign of life.
        if table.name != "alive" && to.count(table)? > 0 {
            return Err(MoveError::NotEmpty(to.place()));
        }
    }
    let mut progress = MoveProgress { all: 0, copied: 0, compared: 0 };
    for table in &tables {
        progress.all += from.count(table)?;
    }
    let mut sums = Vec::with_capacity(tables.len());
    to.clear("alive")?;
    for table in &tables {
        sums.push(each_page(&mut *from, table, |rows| {
            to.insert(table, rows)?;
            progress.copied += rows.len() as u64;
            if goes_on(progress) { Ok(()) } else { Err(MoveError::Interrupted) }
        })?);
    }
    for (table, sum) in tables.iter().zip(sums) {
        let found = each_page(&mut *to, table, |rows| {
            progress.compared += rows.len() as u64;
            if goes_on(progress) { Ok(()) } else { Err(MoveError::Interrupted) }
        })?;
        if found != sum {
            return Err(MoveError::Different(table.name.clone()));
        }
    }
    to.finish(from.key())?;
    Ok(progress.copied)
}

/// Hands all rows of `table` on, page by page, and sums them up.
fn each_page(
    side: &mut dyn Side,
    table: &Table,
    mut take: impl FnMut(&[Vec<Cell>]) -> Result<(), MoveError>,
) -> Result<Sum, MoveError> {
    let mut sum = Sum::default();
    let mut after: Option<Vec<Cell>> = None;
    loop {
        let rows = side.page(table, after.as_deref(), PAGE)?;
        let Some(last) = rows.last() else { return Ok(sum) };
        after = Some(table.key.iter().map(|&column| last[column].clone()).collect());
        rows.iter().for_each(|row| sum.add(row));
        take(&rows)?;
    }
}

/// A store that things are moved out of or into. What is moved in is one transaction; unless it is finished, nothing is left of it.
trait Side {
    fn place(&self) -> PathBuf;
    fn key(&self) -> Key;
    fn count(&mut self, table: &Table) -> Result<u64, MoveError>;
    /// At most `most` rows in the order of the key, from the one after `after` on.
    fn page(&mut self, table: &Table, after: Option<&[Cell]>, most: usize) -> Result<Vec<Vec<Cell>>, MoveError>;
    fn insert(&mut self, table: &Table, rows: &[Vec<Cell>]) -> Result<(), MoveError>;
    fn clear(&mut self, table: &str) -> Result<(), MoveError>;
    /// Keeps what was inserted, and the key.
    fn finish(&mut self, key: Key) -> Result<(), MoveError>;
}

/// Opens what is there; `new` makes it if it is not.
fn open(place: &StorePlace, new: bool) -> Result<Box<dyn Side>, MoveError> {
    Ok(match place {
        StorePlace::Folder(folder) => Box::new(sqlite::SqliteSide::open(folder, new)?),
        StorePlace::Postgres(address) => Box::new(postgres::PostgresSide::open(address, new)?),
    })
}

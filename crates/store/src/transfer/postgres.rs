//! Moving out of and into a PostgreSQL database.

use super::{
    MoveError, Side,
    cell::{Cell, Kind, Table},
};
use crate::{OpenError, postgres};
use room::Key;
use std::path::PathBuf;
use tokio::runtime::Runtime;
use tokio_postgres::{Client, Error, Row, types::ToSql};

/// A database that no server has open.
pub(super) struct PostgresSide {
    place: PathBuf,
    runtime: Runtime,
    client: Client,
    key: Key,
}

type Value = Box<dyn ToSql + Sync>;

impl PostgresSide {
    pub(super) fn open(address: &str, new: bool) -> Result<PostgresSide, MoveError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(OpenError::from)?;
        let postgres::Alone { place, client, key } = runtime.block_on(postgres::open_alone(address, new))?;
        let key = key.ok_or_else(|| MoveError::Nothing(place.clone()))?;
        Ok(PostgresSide { place, runtime, client, key })
    }

    fn query(&self, sql: &str, values: &[Value]) -> Result<Vec<Row>, MoveError> {
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| &**value).collect();
        self.runtime.block_on(self.client.query(sql, &values)).map_err(failed)
    }
}

impl Side for PostgresSide {
    fn place(&self) -> PathBuf {
        self.place.clone()
    }

    fn key(&self) -> Key {
        self.key
    }

    fn count(&mut self, table: &Table) -> Result<u64, MoveError> {
        let rows = self.query(&format!("SELECT count(*) FROM \"{}\"", table.name), &[])?;
        Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0)) as u64)
    }

    fn page(&mut self, table: &Table, after: Option<&[Cell]>, most: usize) -> Result<Vec<Vec<Cell>>, MoveError> {
        let (name, key) = (&table.name, table.key_names());
        let after = after.unwrap_or_default();
        let places: Vec<String> =
            table.key.iter().enumerate().map(|(n, &column)| place(n, table.columns[column].1)).collect();
        let from = if after.is_empty() { String::new() } else { format!("WHERE ({key}) > ({})", places.join(", ")) };
        // Small numbers may stand in small columns.
        let names: Vec<String> =
            table.columns.iter().map(|(name, kind)| format!("\"{name}\"::{}", kind.in_sql())).collect();
        let sql = format!("SELECT {} FROM \"{name}\" {from} ORDER BY {key} LIMIT {most}", names.join(", "));
        let after: Vec<Value> = after.iter().map(value).collect();
        let rows = self.query(&sql, &after)?;
        let cells = |row: &Row| table.columns.iter().enumerate().map(|(n, (_, kind))| cell(row, n, *kind)).collect();
        rows.iter().map(cells).collect()
    }

    fn insert(&mut self, table: &Table, rows: &[Vec<Cell>]) -> Result<(), MoveError> {
        let columns: Vec<Value> =
            table.columns.iter().enumerate().map(|(n, (_, kind))| column(rows, n, *kind)).collect();
        let places: Vec<String> =
            table.columns.iter().enumerate().map(|(n, (_, kind))| format!("{}[]", place(n, *kind))).collect();
        let (name, names) = (&table.name, table.names());
        let sql = format!("INSERT INTO \"{name}\" ({names}) SELECT * FROM unnest({})", places.join(", "));
        self.query(&sql, &columns).map(|_| ())
    }

    fn clear(&mut self, table: &str) -> Result<(), MoveError> {
        self.query(&format!("DELETE FROM \"{table}\""), &[]).map(|_| ())
    }

    fn finish(&mut self, key: Key) -> Result<(), MoveError> {
        self.query("UPDATE outflank SET key = $1 WHERE one = 1", &[Box::new(key.0.to_vec())])?;
        // Numbers that the database gives go on after those that came in.
        self.query(postgres::NEXT_NUMBERS, &[])?;
        self.runtime.block_on(self.client.batch_execute("COMMIT")).map_err(failed)
    }
}

impl Kind {
    fn in_sql(self) -> &'static str {
        match self {
            Kind::Whole => "bigint",
            Kind::Real => "double precision",
            Kind::Text => "text",
            Kind::Bytes => "bytea",
        }
    }
}

/// The place of value number `n`, from 0.
fn place(n: usize, kind: Kind) -> String {
    format!("${}::{}", n + 1, kind.in_sql())
}

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Box::new(None::<i64>),
        Cell::Whole(number) => Box::new(*number),
        Cell::Real(number) => Box::new(*number),
        Cell::Text(text) => Box::new(text.clone()),
        Cell::Bytes(bytes) => Box::new(bytes.clone()),
    }
}

/// Column number `n` of all rows, as one value.
fn column(rows: &[Vec<Cell>], n: usize, kind: Kind) -> Value {
    let cells = rows.iter().map(|row| &row[n]);
    match kind {
        Kind::Whole => {
            Box::new(cells.map(|cell| if let Cell::Whole(it) = cell { Some(*it) } else { None }).collect::<Vec<_>>())
        }
        Kind::Real => {
            Box::new(cells.map(|cell| if let Cell::Real(it) = cell { Some(*it) } else { None }).collect::<Vec<_>>())
        }
        Kind::Text => Box::new(
            cells.map(|cell| if let Cell::Text(it) = cell { Some(it.clone()) } else { None }).collect::<Vec<_>>(),
        ),
        Kind::Bytes => Box::new(
            cells.map(|cell| if let Cell::Bytes(it) = cell { Some(it.clone()) } else { None }).collect::<Vec<_>>(),
        ),
    }
}

fn cell(row: &Row, n: usize, kind: Kind) -> Result<Cell, MoveError> {
    let cell = match kind {
        Kind::Whole => row.try_get::<_, Option<i64>>(n).map(|value| value.map(Cell::Whole)),
        Kind::Real => row.try_get::<_, Option<f64>>(n).map(|value| value.map(Cell::Real)),
        Kind::Text => row.try_get::<_, Option<String>>(n).map(|value| value.map(Cell::Text)),
        Kind::Bytes => row.try_get::<_, Option<Vec<u8>>>(n).map(|value| value.map(Cell::Bytes)),
    };
    Ok(cell.map_err(failed)?.unwrap_or(Cell::Null))
}

fn failed(error: Error) -> MoveError {
    MoveError::Failed(postgres::why(error))
}

//! Moving out of and into an SQLite file.

use super::{
    MoveError, Side,
    cell::{Cell, Kind, Table},
};
use crate::{OpenError, sqlite};
use room::Key;
use rusqlite::{
    Connection, params_from_iter,
    types::{ToSql, ToSqlOutput, Value, ValueRef},
};
use std::{
    fs::File,
    path::{Path, PathBuf},
};

/// A file that nobody else has open.
pub(super) struct SqliteSide {
    folder: PathBuf,
    connection: Connection,
    key: Key,
    _lock: File,
}

impl SqliteSide {
    pub(super) fn open(folder: &Path, new: bool) -> Result<SqliteSide, MoveError> {
        if !new && !folder.join("outflank.db").exists() {
            return Err(MoveError::Nothing(folder.to_owned()));
        }
        let (connection, key, lock) = sqlite::open_alone(folder)?;
        // What was inserted and not finished is undone when the connection is closed, or found to be unfinished after a crash.
        connection.execute_batch("BEGIN IMMEDIATE").map_err(|_| OpenError::InUse(folder.to_owned()))?;
        Ok(SqliteSide { folder: folder.to_owned(), connection, key, _lock: lock })
    }
}

/// The tables that are moved: those of a new file, but for what concerns only the file itself.
pub(super) fn tables() -> Result<Vec<Table>, MoveError> {
    let all = || -> rusqlite::Result<Vec<Table>> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(&sqlite::all_tables())?;
        let names: Vec<String> = connection
            .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'settled' ORDER BY name")?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        names.into_iter().map(|name| table(&connection, name)).collect()
    };
    all().map_err(failed)
}

fn table(connection: &Connection, name: String) -> rusqlite::Result<Table> {
    let mut statement = connection.prepare(&format!("PRAGMA table_info(\"{name}\")"))?;
    let mut rows = statement.query([])?;
    let (mut columns, mut key) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        let kind = match row.get::<_, String>("type")?.as_str() {
            "INTEGER" => Kind::Whole,
            "REAL" => Kind::Real,
            "BLOB" => Kind::Bytes,
            _ => Kind::Text,
        };
        if row.get::<_, i64>("pk")? > 0 {
            key.push((row.get::<_, i64>("pk")?, columns.len()));
        }
        columns.push((row.get("name")?, kind));
    }
    key.sort();
    Ok(Table { name, columns, key: key.into_iter().map(|(_, column)| column).collect() })
}

impl Side for SqliteSide {
    fn place(&self) -> PathBuf {
        self.folder.clone()
    }

    fn key(&self) -> Key {
        self.key
    }

    fn count(&mut self, table: &Table) -> Result<u64, MoveError> {
        let sql = format!("SELECT count(*) FROM \"{}\"", table.name);
        self.connection.query_row(&sql, [], |row| row.get::<_, i64>(0)).map(|count| count as u64).map_err(failed)
    }

    fn page(&mut self, table: &Table, after: Option<&[Cell]>, most: usize) -> Result<Vec<Vec<Cell>>, MoveError> {
        let (name, names, key) = (&table.name, table.names(), table.key_names());
        let after = after.unwrap_or_default();
        let from = if after.is_empty() {
            String::new()
        } else {
            format!("WHERE ({key}) > ({})", vec!["?"; after.len()].join(", "))
        };
        let sql = format!("SELECT {names} FROM \"{name}\" {from} ORDER BY {key} LIMIT {most}");
        let page = || -> rusqlite::Result<Vec<Vec<Cell>>> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let row = |row: &rusqlite::Row<'_>| {
                (0..table.columns.len())
                    .map(|column| cell(row.get_ref(column)?))
                    .collect::<rusqlite::Result<Vec<Cell>>>()
            };
            statement.query_map(params_from_iter(after), row)?.collect()
        };
        page().map_err(failed)
    }

    fn insert(&mut self, table: &Table, rows: &[Vec<Cell>]) -> Result<(), MoveError> {
        let places = vec!["?"; table.columns.len()].join(", ");
        let sql = format!("INSERT INTO \"{}\" ({}) VALUES ({places})", table.name, table.names());
        let insert = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            rows.iter().try_for_each(|row| statement.execute(params_from_iter(row)).map(|_| ()))
        };
        insert().map_err(failed)
    }

    fn clear(&mut self, table: &str) -> Result<(), MoveError> {
        self.connection.execute_batch(&format!("DELETE FROM \"{table}\"")).map_err(failed)
    }

    fn finish(&mut self, key: Key) -> Result<(), MoveError> {
        // First: an empty store may have any key.
        sqlite::replace_key(&self.folder, key)?;
        self.connection.execute_batch("COMMIT").map_err(failed)
    }
}

fn cell(value: ValueRef<'_>) -> rusqlite::Result<Cell> {
    Ok(match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Whole(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(_) => Cell::Text(value.as_str()?.to_owned()),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
    })
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Cell::Null => ToSqlOutput::Owned(Value::Null),
            Cell::Whole(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Cell::Real(number) => ToSqlOutput::Owned(Value::Real(*number)),
            Cell::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Cell::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
        })
    }
}

fn failed(error: rusqlite::Error) -> MoveError {
    MoveError::Failed(error.to_string())
}

//! What people keep beside their games.

use super::{
    read::{id, not_read},
    write::KeepError,
};
use crate::{StoreError, words::column};
use room::{Document, DocumentCounts, DocumentHead, DocumentKey, DocumentKind};
use rusqlite::{Connection, OptionalExtension, params};
use table::{At, DocumentId, PersonId};

const ONE: &str = "SELECT revision, changed, due, head, body FROM document WHERE who = ?1 AND kind = ?2 AND id = ?3";
const CHANGED: &str = "SELECT changed FROM document WHERE who = ?1 AND kind = ?2 AND id = ?3";
const LIST: &str = "SELECT id, changed, due, head FROM document
                    WHERE who = ?1 AND kind = ?2 AND (changed, id) < (?3, ?4)
                    ORDER BY changed DESC, id DESC LIMIT ?5";
const DUE: &str = "SELECT id, revision, changed, due, head, body FROM document
                   WHERE who = ?1 AND kind = ?2 AND due <= ?3 ORDER BY due, id LIMIT ?4";
const COUNT: &str = "SELECT count(*) FROM document WHERE who = ?1 AND kind = ?2";
const COUNT_DUE: &str = "SELECT count(*) FROM document WHERE who = ?1 AND kind = ?2 AND due <= ?3";
const REVISION: &str = "SELECT revision FROM document WHERE who = ?1 AND kind = ?2 AND id = ?3";
const WRITE: &str = "INSERT OR REPLACE INTO document (who, kind, id, revision, changed, due, head, body)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
const DELETE: &str = "DELETE FROM document WHERE who = ?1 AND kind = ?2 AND id = ?3";

pub(super) fn read(connection: &Connection, key: &DocumentKey) -> Result<Option<Document>, StoreError> {
    let one = || {
        connection
            .prepare_cached(ONE)?
            .query_row(params![key.who.0, key.kind.0, key.id.as_str()], |row| {
                Ok(Document {
                    key: key.clone(),
                    revision: row.get::<_, i64>(0)? as u64,
                    changed: row.get::<_, i64>(1)? as At,
                    due: row.get::<_, Option<i64>>(2)?.map(|due| due as At),
                    head: row.get(3)?,
                    body: row.get(4)?,
                })
            })
            .optional()
    };
    one().map_err(not_read)
}

pub(super) fn list(
    connection: &Connection,
    who: PersonId,
    kind: DocumentKind,
    before: Option<&DocumentId>,
    most: usize,
) -> Result<Vec<DocumentHead>, StoreError> {
    let page = || -> rusqlite::Result<Vec<DocumentHead>> {
        let from = match before {
            None => None,
            Some(id) => connection
                .prepare_cached(CHANGED)?
                .query_row(params![who.0, kind.0, id.as_str()], |row| row.get::<_, i64>(0))
                .optional()?
                .map(|changed| (changed, id.as_str())),
        };
        let (changed, last) = from.unwrap_or((i64::MAX, ""));
        connection
            .prepare_cached(LIST)?
            .query_map(params![who.0, kind.0, changed, last, most as i64], |row| {
                Ok(DocumentHead {
                    id: id(row.get(0)?)?,
                    changed: row.get::<_, i64>(1)? as At,
                    due: row.get::<_, Option<i64>>(2)?.map(|due| due as At),
                    head: row.get(3)?,
                })
            })?
            .collect()
    };
    page().map_err(not_read)
}

pub(super) fn due(
    connection: &Connection,
    who: PersonId,
    kind: DocumentKind,
    by: At,
    most: usize,
) -> Result<Vec<Document>, StoreError> {
    let all = || -> rusqlite::Result<Vec<Document>> {
        connection
            .prepare_cached(DUE)?
            .query_map(params![who.0, kind.0, column(by), most as i64], |row| {
                Ok(Document {
                    key: DocumentKey { who, kind, id: id(row.get(0)?)? },
                    revision: row.get::<_, i64>(1)? as u64,
                    changed: row.get::<_, i64>(2)? as At,
                    due: row.get::<_, Option<i64>>(3)?.map(|due| due as At),
                    head: row.get(4)?,
                    body: row.get(5)?,
                })
            })?
            .collect()
    };
    all().map_err(not_read)
}

pub(super) fn count(
    connection: &Connection,
    who: PersonId,
    kind: DocumentKind,
    by: At,
) -> Result<DocumentCounts, StoreError> {
    let counts = || -> rusqlite::Result<DocumentCounts> {
        let all: i64 = connection.prepare_cached(COUNT)?.query_row(params![who.0, kind.0], |row| row.get(0))?;
        let due: i64 =
            connection.prepare_cached(COUNT_DUE)?.query_row(params![who.0, kind.0, column(by)], |row| row.get(0))?;
        Ok(DocumentCounts { all: all as u64, due: due as u64 })
    };
    counts().map_err(not_read)
}

pub(super) fn write(connection: &Connection, document: &Document) -> Result<(), KeepError> {
    let Document { key, revision, changed, due, head, body } = document;
    let before = connection
        .prepare_cached(REVISION)?
        .query_row(params![key.who.0, key.kind.0, key.id.as_str()], |row| row.get::<_, i64>(0))
        .optional()?
        .unwrap_or(0);
    if *revision != before as u64 + 1 {
        return Err(KeepError::Conflict);
    }
    let due = due.map(column);
    connection.prepare_cached(WRITE)?.execute(params![
        key.who.0,
        key.kind.0,
        key.id.as_str(),
        *revision as i64,
        column(*changed),
        due,
        head,
        body
    ])?;
    Ok(())
}

pub(super) fn delete(connection: &Connection, key: &DocumentKey) -> rusqlite::Result<()> {
    connection.prepare_cached(DELETE)?.execute(params![key.who.0, key.kind.0, key.id.as_str()])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::schema::DOCUMENT_TABLE;

    /// Every question finds its answer through an index, however much is kept.
    #[test]
    fn no_question_reads_a_whole_table_or_sorts() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(DOCUMENT_TABLE).unwrap();
        for sql in [ONE, CHANGED, LIST, DUE, COUNT, COUNT_DUE, REVISION] {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let values = vec![rusqlite::types::Null; statement.parameter_count()];
            let plan: Vec<String> = statement
                .query_map(rusqlite::params_from_iter(values), |row| row.get("detail"))
                .unwrap()
                .collect::<Result<_, _>>()
                .unwrap();
            assert!(!plan.is_empty());
            for step in &plan {
                assert!(!step.contains("SCAN"), "{sql}: {step}");
                assert!(!step.contains("TEMP B-TREE"), "{sql}: {step}");
            }
            let uses = |index: &str| plan.iter().any(|step| step.contains(index));
            assert!(sql != LIST || uses("INDEX document_latest"), "{plan:?}");
            assert!(![DUE, COUNT_DUE].contains(&sql) || uses("INDEX document_due"), "{plan:?}");
        }
    }
}

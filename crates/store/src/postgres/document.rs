//! What people keep beside their games.

use super::{
    failed::Failed,
    link::Link,
    summary::id,
    write::{Step, step},
};
use crate::words::column;
use room::{Document, DocumentCounts, DocumentHead, DocumentKey, DocumentKind};
use table::{At, DocumentId, PersonId};
use tokio_postgres::Row;

const ONE: &str =
    "SELECT id, revision, changed, due, head, body FROM document WHERE who = $1 AND kind = $2 AND id = $3";
const LIST: &str = "
SELECT id, changed, due, head FROM document
WHERE who = $1 AND kind = $2 AND (changed, id) < (
    coalesce((SELECT changed FROM document WHERE who = $1 AND kind = $2 AND id = $3), 9223372036854775807),
    CASE WHEN EXISTS (SELECT 1 FROM document WHERE who = $1 AND kind = $2 AND id = $3) THEN $3 ELSE '' END)
ORDER BY changed DESC, id DESC LIMIT $4";
const DUE: &str = "SELECT id, revision, changed, due, head, body FROM document
                   WHERE who = $1 AND kind = $2 AND due <= $3 ORDER BY due, id LIMIT $4";
const COUNT: &str = "SELECT (SELECT count(*) FROM document WHERE who = $1 AND kind = $2),
                            (SELECT count(*) FROM document WHERE who = $1 AND kind = $2 AND due <= $3)";
const NEW: &str = "INSERT INTO document (who, kind, id, revision, changed, due, head, body)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
const NEXT: &str = "UPDATE document SET revision = $4, changed = $5, due = $6, head = $7, body = $8
                    WHERE who = $1 AND kind = $2 AND id = $3 AND revision = $4::bigint - 1";
const DELETE: &str = "DELETE FROM document WHERE who = $1 AND kind = $2 AND id = $3";

fn document(row: &Row, who: PersonId, kind: DocumentKind) -> Result<Document, Failed> {
    Ok(Document {
        key: DocumentKey { who, kind, id: id(row, 0)? },
        revision: row.try_get::<_, i64>(1)? as u64,
        changed: row.try_get::<_, i64>(2)? as At,
        due: row.try_get::<_, Option<i64>>(3)?.map(|due| due as At),
        head: row.try_get(4)?,
        body: row.try_get(5)?,
    })
}

pub(super) async fn read(link: Link, key: &DocumentKey) -> Result<Option<Document>, Failed> {
    let row = link.query_opt(ONE, &[&key.who.0, &key.kind.0, &key.id.as_str()]).await?;
    row.map(|row| document(&row, key.who, key.kind)).transpose()
}

pub(super) async fn list(
    link: Link,
    who: PersonId,
    kind: DocumentKind,
    before: Option<&DocumentId>,
    most: usize,
) -> Result<Vec<DocumentHead>, Failed> {
    // No document has an empty id.
    let before = before.map_or("", DocumentId::as_str);
    let rows = link.query(LIST, &[&who.0, &kind.0, &before, &column(most as u64)]).await?;
    let head = |row: &Row| {
        Ok(DocumentHead {
            id: id(row, 0)?,
            changed: row.try_get::<_, i64>(1)? as At,
            due: row.try_get::<_, Option<i64>>(2)?.map(|due| due as At),
            head: row.try_get(3)?,
        })
    };
    rows.iter().map(head).collect()
}

pub(super) async fn due(
    link: Link,
    who: PersonId,
    kind: DocumentKind,
    by: At,
    most: usize,
) -> Result<Vec<Document>, Failed> {
    let rows = link.query(DUE, &[&who.0, &kind.0, &column(by), &column(most as u64)]).await?;
    rows.iter().map(|row| document(row, who, kind)).collect()
}

pub(super) async fn count(link: Link, who: PersonId, kind: DocumentKind, by: At) -> Result<DocumentCounts, Failed> {
    let rows = link.query(COUNT, &[&who.0, &kind.0, &column(by)]).await?;
    let counts = |row: &Row| DocumentCounts { all: row.get::<_, i64>(0) as u64, due: row.get::<_, i64>(1) as u64 };
    Ok(rows.first().map(counts).unwrap_or_default())
}

pub(super) fn write(document: &Document) -> Step {
    let Document { key, revision, changed, due, head, body } = document;
    let sql = if *revision == 1 { NEW } else { NEXT };
    step(sql)
        .with(key.who.0)
        .with(key.kind.0)
        .with(key.id.to_string())
        .with(column(*revision))
        .with(column(*changed))
        .with(due.map(column))
        .with(head.clone())
        .with(body.clone())
        .must()
}

pub(super) fn delete(key: &DocumentKey) -> Step {
    step(DELETE).with(key.who.0).with(key.kind.0).with(key.id.to_string())
}

/// For a test of how they are answered.
#[cfg(test)]
pub(super) const QUESTIONS: &[&str] = &[ONE, LIST, DUE, COUNT];

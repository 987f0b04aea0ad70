//! `POST /api/library`: files of games, from the owner.
//!
//! The body is one file after another: the length of its name (four bytes, the least first), the name, the length of its content
//! (four bytes), the content. The answer is a line of JSON (`LibraryReport`) whenever there is progress, and a last one.

use super::{Shelf, why};
use crate::{
    House,
    caller::Caller,
    entrance::Visitor,
    protocol::{LibraryRejected, LibraryReport},
};
use axum::{
    Extension,
    body::{Body, Bytes, to_bytes},
    extract::{ConnectInfo, Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use library::{
    Added,
    intake::{Given, Intake, Refusal, Taken},
};
use record::Record;
use std::{convert::Infallible, sync::Arc};
use tokio::sync::mpsc;

/// The most that is taken at once. All tournament games since 1977 are nine megabytes.
const MOST_BYTES: usize = 128 << 20;
/// How many games are written at once; others look meanwhile.
const BATCH: usize = 2000;
/// How many refusals are named.
const NAMED: usize = 200;

pub(crate) async fn upload(
    State(house): State<Arc<House>>,
    Extension(caller): Extension<Caller>,
    ConnectInfo(visitor): ConnectInfo<Visitor>,
    request: Request,
) -> Response {
    let owner = house.identify(&caller, request.headers()).await.is_ok_and(|(who, _)| house.may_write(who.who).is_ok());
    // Nothing of the body is read for anybody else.
    if !owner {
        return (StatusCode::FORBIDDEN, "Only the owner adds games to the library.\n").into_response();
    }
    visitor.hurry();
    let Ok(body) = to_bytes(request.into_body(), MOST_BYTES).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "That is too much at once.\n").into_response();
    };
    let Some(files) = files(&body) else {
        return (StatusCode::BAD_REQUEST, "The files cannot be told apart.\n").into_response();
    };
    drop(body);
    let (sender, receiver) = mpsc::channel::<LibraryReport>(4);
    let shelf = house.library.clone();
    tokio::task::spawn_blocking(move || {
        let report = add(&shelf, files, &sender);
        // Whoever asked may have gone; the games are there.
        let _ = sender.blocking_send(report);
    });
    let lines = stream::unfold(receiver, |mut receiver| async {
        let report = receiver.recv().await?;
        let line = serde_json::to_string(&report).unwrap_or_default() + "\n";
        Some((Ok::<_, Infallible>(line), receiver))
    });
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(lines)).into_response()
}

/// The files in a body; `None` if it is not made of files.
fn files(body: &Bytes) -> Option<Vec<Given>> {
    let mut rest = &body[..];
    let mut next = || {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (piece, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        rest = after;
        Some(piece)
    };
    let mut files = Vec::new();
    while let Some(name) = next() {
        let name = String::from_utf8_lossy(name).chars().take(200).collect();
        files.push(Given { name, bytes: next()?.to_vec() });
    }
    rest.is_empty().then_some(files)
}

/// Adds the games batch by batch and says how far it is.
fn add(shelf: &Shelf, files: Vec<Given>, sender: &mpsc::Sender<LibraryReport>) -> LibraryReport {
    let mut adding =
        Adding { shelf, sender, batch: Vec::new(), source: String::new(), report: LibraryReport::default() };
    Intake::new(files).read(|taken| adding.take(taken));
    if adding.report.failed.is_none() {
        adding.put(1.0);
    }
    LibraryReport { progress: 1.0, ..adding.report }
}

struct Adding<'a> {
    shelf: &'a Shelf,
    sender: &'a mpsc::Sender<LibraryReport>,
    batch: Vec<Record>,
    /// The file that the batch came from.
    source: String,
    report: LibraryReport,
}

impl Adding<'_> {
    fn take(&mut self, taken: Taken<'_>) -> bool {
        match taken {
            Taken::Game { file, record, progress } => {
                if self.source != file {
                    self.put(progress);
                    self.source = file.to_owned();
                }
                self.batch.push(*record);
                if self.batch.len() >= BATCH {
                    self.put(progress);
                }
            }
            Taken::Refused { file, why } => {
                self.report.refused += 1;
                if self.report.rejected.len() < NAMED {
                    self.report.rejected.push(rejected(file, why));
                }
            }
        }
        self.report.failed.is_none()
    }

    fn put(&mut self, progress: f64) {
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() {
            return;
        }
        match self.shelf.with(true, |library| library.add(&batch, &self.source)) {
            Ok(added) => {
                let Added { added, already_there } = added.unwrap_or_default();
                self.report.added += added as u32;
                self.report.already_there += already_there as u32;
            }
            Err(error) => self.report.failed = Some(error.to_string()),
        }
        let (added, already_there) = (self.report.added, self.report.already_there);
        let so_far = LibraryReport { progress, added, already_there, ..LibraryReport::default() };
        // A page that does not keep up misses some of the progress, and none of the games.
        let _ = self.sender.try_send(so_far);
    }
}

fn rejected(file: &str, refusal: Refusal) -> LibraryRejected {
    let rejected = match &refusal {
        Refusal::Game(rejection) => LibraryRejected::from(rejection),
        Refusal::Archive(trouble) => why::of_archive(trouble).into(),
    };
    LibraryRejected { file: file.to_owned(), ..rejected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_or_refused() {
        let piece = |bytes: &[u8]| [&(bytes.len() as u32).to_le_bytes()[..], bytes].concat();
        let two = [piece(b"a.txt"), piece(b"f5"), piece(b"b"), piece(b"")].concat();
        let found = files(&two.clone().into()).unwrap();
        assert_eq!(
            found.iter().map(|file| (file.name.as_str(), file.bytes.len())).collect::<Vec<_>>(),
            [("a.txt", 2), ("b", 0)]
        );
        assert_eq!(files(&Bytes::new()), Some(Vec::new()));
        for cut in [1, 4, 6, 12, 16] {
            assert_eq!(files(&two[..cut].to_vec().into()), None, "{cut}");
        }
        assert_eq!(files(&u32::MAX.to_le_bytes().to_vec().into()), None);
    }
}

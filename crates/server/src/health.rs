//! Whether the server does what it is there for: [`Health`], and `GET /api/health`.

use crate::House;
use analyst::Load;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use room::Write;
use serde::Serialize;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use store::StoreError;
use tokio::{sync::Mutex, time::timeout};

/// What was learnt from the disk so recently need not be tried again.
const FRESH: Duration = Duration::from_secs(2);
/// A disk that takes longer is stuck.
const STUCK: Duration = Duration::from_secs(5);

/// What is remembered between two questions.
#[derive(Debug, Default)]
pub(crate) struct Health {
    /// When the disk was last tried for a question, and whether it answered in time. One question at a time reaches it, however
    /// many ask.
    tried: Mutex<Option<(Instant, bool)>>,
    /// Whether the last thing could not be saved: the log says when that changes.
    failing: AtomicBool,
}

impl House {
    /// Everything that is written goes through here: it is timed, and trouble is logged once.
    pub(crate) async fn keep(&self, writes: Vec<Write>) -> Result<(), StoreError> {
        let begun = Instant::now();
        let asked = self.outages.asked(self.time.now());
        let result = self.store.write(writes).await;
        // Someone else having been first is an answer of a disk that works.
        let trouble = result.as_ref().err().filter(|error| !matches!(error, StoreError::Conflict));
        asked.answered(self.time.now(), trouble.is_none());
        if trouble.is_none() {
            self.metrics.commit.record(begun.elapsed().as_secs_f64());
        }
        if self.health.failing.swap(trouble.is_some(), Ordering::Relaxed) != trouble.is_some() {
            match trouble {
                Some(error) => tracing::error!(%error, "nothing can be saved"),
                None => tracing::warn!("saving works again"),
            }
        }
        result
    }

    /// How things are, found out by saving something where that is not known.
    async fn examine(&self) -> Report {
        let mut tried = self.health.tried.lock().await;
        let committed = self.store.health().last_commit;
        let answered = match *tried {
            Some((at, answered)) if at.elapsed() < FRESH => answered,
            _ if self.store.health().is_well() && committed.is_some_and(|at| at.elapsed() < FRESH) => true,
            _ => {
                let alive = self.keep(vec![Write::Alive { at: self.time.now() }]);
                let answered = timeout(STUCK, alive).await.is_ok();
                *tried = Some((Instant::now(), answered));
                answered
            }
        };
        Report::new(&self.store.health(), answered, self.analyst.load(), Instant::now())
    }
}

/// What is said.
#[derive(PartialEq, Eq, Debug, Serialize)]
struct Report {
    status: &'static str,
    store: &'static str,
    /// Milliseconds since something last reached the disk.
    last_commit_ms: Option<u64>,
    engines: &'static str,
}

impl Report {
    fn new(disk: &store::Health, answered: bool, load: Load, now: Instant) -> Report {
        let store = match (answered, disk.is_well()) {
            (false, _) => "stuck",
            (true, false) => "failing",
            (true, true) => "ok",
        };
        let engines = if load.threads == load.started { "ok" } else { "failing" };
        let since = |at: Instant| u64::try_from(now.saturating_duration_since(at).as_millis()).unwrap_or(u64::MAX);
        let status = if store == "ok" && engines == "ok" { "ok" } else { "failing" };
        Report { status, store, last_commit_ms: disk.last_commit.map(since), engines }
    }
}

/// `GET /api/health`: 200 if games can be saved and the computer can think, else 503.
pub(crate) async fn page(State(house): State<Arc<House>>) -> Response {
    let report = house.examine().await;
    let status = if report.status == "ok" { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, serde_json::to_string(&report).unwrap_or_default() + "\n").into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_is_what_the_disk_and_the_engines_are() {
        let begun = Instant::now();
        let disk = store::Health { last_commit: Some(begun), ..store::Health::default() };
        let full = store::Health { trouble: Some("the disk is full".into()), ..disk.clone() };
        let unsettled = store::Health { unsettled: true, ..disk.clone() };
        let well = Load { waiting: 3, running: 1, threads: 2, started: 2 };
        let report = |disk, answered, load| Report::new(disk, answered, load, begun + Duration::from_millis(1500));
        let ok = Report { status: "ok", store: "ok", last_commit_ms: Some(1500), engines: "ok" };
        assert_eq!(report(&disk, true, well), ok);
        assert_eq!(report(&full, true, well), Report { status: "failing", store: "failing", ..ok });
        assert_eq!(report(&unsettled, true, well).store, "failing");
        assert_eq!(report(&disk, false, well).store, "stuck");
        let hurt = report(&disk, true, Load { threads: 1, ..well });
        assert_eq!((hurt.status, hurt.store, hurt.engines), ("failing", "ok", "failing"));
    }
}

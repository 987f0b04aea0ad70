//! What the server counts, as Prometheus reads it: [`Metrics`].
//!
//! The text format is described at <https://prometheus.io/docs/instrumenting/exposition_formats/>.

use crate::{House, caller::Caller, people::OWNER};
use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use std::{
    fmt::Write,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// Everything that is counted while the server runs.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// From the server to a page and back.
    pub(crate) round_trip: Histogram,
}

/// Upper bounds of a histogram's buckets, in seconds: from a commit on a fast disk to a stall that everyone notices.
const BOUNDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// How long something took, each time.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    /// How many took no longer than each bound and longer than the one before; last, those that took longer than all.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    microseconds: AtomicU64,
}

impl Histogram {
    /// It took so long.
    pub(crate) fn record(&self, seconds: f64) {
        let bucket = BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len());
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add((seconds * 1e6) as u64, Ordering::Relaxed);
    }
}

/// `GET /metrics`
pub(crate) async fn page(
    State(house): State<Arc<House>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Response {
    let theirs = match house.identify(&caller, &headers).await {
        Ok((identity, _)) => identity.who == OWNER,
        Err(_) => false,
    };
    if !theirs && !house.config.metrics_for_all {
        return (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response();
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], house.write_metrics()).into_response()
}

impl House {
    fn write_metrics(&self) -> String {
        let mut text = Text::default();
        text.gauge("outflank_connections", "Connections, of pages and of requests.", self.connections.count() as u64);
        text.gauge("outflank_sockets", "Pages that are connected.", self.pages.count() as u64);
        text.gauge("outflank_games_at_hand", "Games that somebody plays or watches.", self.rooms.len() as u64);
        text.histogram("outflank_round_trip_seconds", "From the server to a page and back.", &self.metrics.round_trip);
        text.0
    }
}

/// Writes the format.
#[derive(Debug, Default)]
struct Text(String);

impl Text {
    fn head(&mut self, name: &str, help: &str, kind: &str) {
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.head(name, help, "gauge");
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.head(name, help, "histogram");
        let mut count = 0;
        for (index, bucket) in histogram.buckets.iter().enumerate() {
            count += bucket.load(Ordering::Relaxed);
            let bound = BOUNDS.get(index).map_or("+Inf".to_owned(), ToString::to_string);
            let _ = writeln!(self.0, "{name}_bucket{{le=\"{bound}\"}} {count}");
        }
        let seconds = histogram.microseconds.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = write!(self.0, "{name}_sum {seconds}\n{name}_count {count}\n");
    }
}

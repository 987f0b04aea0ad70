//! What the server counts, as Prometheus reads it: [`Metrics`].
//!
//! The text format is described at <https://prometheus.io/docs/instrumenting/exposition_formats/>.

use crate::{House, caller::Caller, people::OWNER, protocol::Why};
use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use room::Cause;
use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// Everything that is counted while the server runs.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Moves that were kept.
    moves: AtomicU64,
    /// Connections that were turned away because there were too many.
    pub(crate) turned_away: AtomicU64,
    /// Until something was on disk.
    pub(crate) commit: Histogram,
    /// From the server to a page and back.
    pub(crate) round_trip: Histogram,
    /// Commands that were not carried out.
    refusals: Mutex<BTreeMap<Why, u64>>,
}

impl Metrics {
    /// An entry of a game was kept.
    pub(crate) fn kept(&self, cause: Cause) {
        self.moves.fetch_add(u64::from(cause == Cause::Move), Ordering::Relaxed);
    }

    /// A command was not carried out.
    pub(crate) fn refused(&self, why: Why) {
        *self.refusals.lock().unwrap_or_else(PoisonError::into_inner).entry(why).or_default() += 1;
    }
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
        let (metrics, load, stalls) = (&self.metrics, self.analyst.load(), self.time.stalls());
        let mut text = Text::default();
        text.gauge("connections", "Connections, of pages and of requests.", self.connections.count());
        text.gauge("sockets", "Pages that are connected.", self.pages.count());
        text.gauge("games_live", "Games that somebody plays or watches.", self.rooms.len());
        text.gauge("analyst_waiting", "Searches that wait for an engine.", load.waiting);
        text.gauge("analyst_running", "Searches under way.", load.running);
        text.counter("moves_total", "Moves that were kept.", &metrics.moves);
        text.counter("turned_away_total", "Connections for which there was no room.", &metrics.turned_away);
        text.counter(
            "password_hashes_total",
            "Passwords that were hashed, to keep or to compare.",
            self.passwords.made(),
        );
        text.counter("stalls_total", "How often the server stood still.", &AtomicU64::new(stalls.count));
        text.head("stalled_seconds_total", "How long it stood still.", "counter");
        text.line("stalled_seconds_total", "", stalls.time.as_secs_f64());
        text.head("refusals_total", "Commands that were not carried out.", "counter");
        for (why, count) in metrics.refusals.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            // A variant without fields is written as its name, in quotes.
            let why = serde_json::to_string(why).unwrap_or_default();
            text.line("refusals_total", &format!("{{why={why}}}"), *count as f64);
        }
        text.histogram("commit_seconds", "Until something was on disk.", &metrics.commit);
        text.histogram("round_trip_seconds", "From the server to a page and back.", &metrics.round_trip);
        text.0
    }
}

/// Writes the format.
#[derive(Debug, Default)]
struct Text(String);

impl Text {
    fn head(&mut self, name: &str, help: &str, kind: &str) {
        let _ = write!(self.0, "# HELP outflank_{name} {help}\n# TYPE outflank_{name} {kind}\n");
    }

    fn line(&mut self, name: &str, labels: &str, value: f64) {
        let _ = writeln!(self.0, "outflank_{name}{labels} {value}");
    }

    fn gauge(&mut self, name: &str, help: &str, value: usize) {
        self.head(name, help, "gauge");
        self.line(name, "", value as f64);
    }

    fn counter(&mut self, name: &str, help: &str, value: &AtomicU64) {
        self.head(name, help, "counter");
        self.line(name, "", value.load(Ordering::Relaxed) as f64);
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.head(name, help, "histogram");
        let mut count = 0;
        for (index, bucket) in histogram.buckets.iter().enumerate() {
            count += bucket.load(Ordering::Relaxed);
            let bound = BOUNDS.get(index).map_or("+Inf".to_owned(), ToString::to_string);
            self.line(&format!("{name}_bucket"), &format!("{{le=\"{bound}\"}}"), count as f64);
        }
        self.line(&format!("{name}_sum"), "", histogram.microseconds.load(Ordering::Relaxed) as f64 / 1e6);
        self.line(&format!("{name}_count"), "", count as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_up_to_each_bound() {
        let histogram = Histogram::default();
        for seconds in [0.0, 0.0005, 0.0006, 0.2, 60.0] {
            histogram.record(seconds);
        }
        let mut text = Text::default();
        text.histogram("took", "How long.", &histogram);
        for line in [
            "# HELP outflank_took How long.",
            "# TYPE outflank_took histogram",
            "outflank_took_bucket{le=\"0.0005\"} 2",
            "outflank_took_bucket{le=\"0.001\"} 3",
            "outflank_took_bucket{le=\"0.25\"} 4",
            "outflank_took_bucket{le=\"5\"} 4",
            "outflank_took_bucket{le=\"+Inf\"} 5",
            "outflank_took_sum 60.2011",
            "outflank_took_count 5",
        ] {
            assert!(text.0.lines().any(|written| written == line), "{line} in {}", text.0);
        }
    }
}

//! Lines of JSON for as long as somebody reads them.
//!
//! An empty line every few seconds says that the server is there, and finds out whether the reader is: what cannot be sent for a
//! while ends the stream, and the reader may come again and say what it has.

use super::desk::Visit;
use crate::{House, connections::Ticket, entrance::Visitor, http::Problem, lobby::Page, sessions::SignedPage};
use axum::{
    body::{Body, Bytes},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::Value;
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval, timeout},
};

/// How often there is a line, if only an empty one.
const BEAT: Duration = Duration::from_secs(3);
/// A line that cannot be sent within so long has no reader.
const SLOWEST: Duration = Duration::from_secs(7);

/// Where lines go.
#[derive(Debug)]
pub(super) struct Lines {
    out: mpsc::Sender<Bytes>,
}

impl Lines {
    /// The lines, and the answer that carries them.
    pub(super) fn new() -> (Lines, Response) {
        let (out, lines) = mpsc::channel::<Bytes>(1);
        let lines = futures_util::stream::unfold(lines, |mut lines| async {
            let line = lines.recv().await?;
            Some((Ok::<_, Infallible>(line), lines))
        });
        let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
        (Lines { out }, (headers, Body::from_stream(lines)).into_response())
    }

    /// Whether somebody took the line.
    pub(super) async fn send(&self, line: &Value) -> bool {
        self.write(format!("{line}\n")).await
    }

    /// Waits a while, with an empty line so that the reader knows why nothing comes; whether they are still there.
    pub(super) async fn wait(&self, how_long: Duration) -> bool {
        if !self.write("\n".to_owned()).await {
            return false;
        }
        // It ends sooner only with the reader.
        timeout(how_long, self.out.closed()).await.is_err()
    }

    async fn write(&self, text: String) -> bool {
        matches!(timeout(SLOWEST, self.out.send(text.into())).await, Ok(Ok(())))
    }
}

/// What is made of each message that the page of a stream hears.
pub(super) trait Hears: Send + 'static {
    /// What to send, and whether that was the last.
    fn hear(&mut self, message: Value) -> (Vec<Value>, bool);
    /// The stream has ended.
    fn end(&mut self, _house: &House) {}
}

/// A page whose messages somebody reads line by line.
pub(super) struct Stream {
    pub(super) house: Arc<House>,
    pub(super) page: Page,
    pub(super) waiting: mpsc::Receiver<Arc<str>>,
    pub(super) visitor: Visitor,
    signed: SignedPage,
    ticket: Arc<Ticket>,
}

impl Stream {
    pub(super) async fn new(visit: &Visit) -> Result<Stream, Problem> {
        let ticket = visit.ticket()?;
        let (page, waiting) = visit.page();
        let signed = visit.house().signed.enter(page.socket, &page.identity);
        // What let the program in may have ended before it was known here.
        if !visit.house().is_good(&page.identity).await? {
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "bad_token", "the token is good no more"));
        }
        Ok(Stream { house: visit.house().clone(), page, waiting, visitor: visit.visitor.clone(), signed, ticket })
    }

    /// Sends what is known already, which may be all there is, and then what the page hears until one of the two has had enough.
    pub(super) fn run_after(mut self, first: Vec<Value>, ended: bool, mut hears: impl Hears) -> Response {
        let (lines, response) = Lines::new();
        tokio::spawn(async move {
            let mut goes_on = true;
            for line in &first {
                goes_on = goes_on && lines.send(line).await;
            }
            goes_on = goes_on && !ended;
            let mut beat = interval(BEAT);
            beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
            while goes_on {
                tokio::select! {
                    biased;
                    () = lines.out.closed() => break,
                    () = self.visitor.closing() => break,
                    () = self.signed.ended() => break,
                    () = self.page.outbox.too_slow() => break,
                    message = self.waiting.recv() => {
                        let Some(message) = message else { break };
                        let Ok(message) = serde_json::from_str(&message) else { continue };
                        let (said, last) = hears.hear(message);
                        for line in &said {
                            goes_on = goes_on && lines.send(line).await;
                        }
                        goes_on = goes_on && !last;
                    }
                    // The first comes at once: whoever waits knows that they are heard.
                    _ = beat.tick() => {
                        goes_on = lines.write("\n".to_owned()).await;
                    }
                }
            }
            // Nobody listens any more: what is opened from now on is closed by whoever opens it.
            self.waiting.close();
            hears.end(&self.house);
            self.house.forget(&self.page);
            drop((self.signed, self.ticket));
        });
        response
    }
}

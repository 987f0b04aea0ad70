//! JSON over HTTP: what comes in ([`Json`]), what goes out ([`reply`]), and why something was not done ([`Problem`]).

use crate::{House, caller::Caller, secret};
use axum::{
    Extension,
    body::Bytes,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::{Serialize, de::DeserializeOwned};
use std::{borrow::Cow, sync::Arc, time::Duration};
use store::StoreError;
use table::At;
use tokio::time::timeout;

/// The longest body of a request that is not a file.
pub(crate) const LONGEST: usize = 4096;

/// A body has so long to arrive.
const SLOWEST: Duration = Duration::from_secs(10);

/// A request was not carried out, and changed nothing.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// For the page, which says it in the reader's language.
    pub(crate) why: Cow<'static, str>,
    /// In English.
    pub(crate) text: String,
    /// How many seconds to wait.
    retry_after: Option<u64>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, why: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Problem {
        Problem { status, why: why.into(), text: text.into(), retry_after: None }
    }

    /// Too much work waits already.
    pub(crate) fn busy() -> Problem {
        let text = "too many people are signing in: try again in a moment";
        Problem { retry_after: Some(2), ..Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", text) }
    }

    /// The same, for someone who may try again after so many seconds.
    pub(crate) fn after(self, seconds: u64) -> Problem {
        Problem { retry_after: Some(seconds), ..self }
    }

    /// Too often in a short time.
    pub(crate) fn too_many(wait: At) -> Problem {
        let seconds = wait.div_ceil(1000).max(1);
        let text = format!("too many attempts: wait {seconds} seconds");
        Problem { retry_after: Some(seconds), ..Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many", text) }
    }

    pub(crate) fn not_saved(text: &str) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "not_saved", text)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        // What the disk says is for the log; whoever asks gets a number under which the owner finds it there.
        let number = secret::random(8).unwrap_or_default();
        // As a text in quotes: nothing that a disk or a database says begins a line of its own.
        tracing::warn!(error = error.to_string(), number, "a request could not be carried out");
        Problem::not_saved(&format!(
            "it cannot be read or saved now: try again later (number {number} in the server's log)"
        ))
    }
}

impl From<getrandom::Error> for Problem {
    fn from(error: getrandom::Error) -> Problem {
        tracing::warn!(%error, "no randomness");
        Problem::not_saved("the system has no randomness to give: try again later")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Body<'a> {
            why: &'a str,
            text: &'a str,
        }
        let mut response = reply(self.status, &Body { why: &self.why, text: &self.text });
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// What a request for an account costs its address: as much as a list of games.
pub(crate) const COST: f64 = 2.0;
/// What a program's request costs it, before anything is known of its token: eighty of them in a second are a whole tournament of bots.
const PROGRAM: f64 = 0.25;

/// Lets a request through if its address has not asked for too much lately.
pub(crate) async fn pay(house: State<Arc<House>>, caller: Extension<Caller>, request: Request, next: Next) -> Response {
    charge(&house, &caller, COST, request, next).await
}

/// The same for programs, which ask more often.
pub(crate) async fn pay_as_program(
    house: State<Arc<House>>,
    caller: Extension<Caller>,
    request: Request,
    next: Next,
) -> Response {
    charge(&house, &caller, PROGRAM, request, next).await
}

async fn charge(house: &House, caller: &Caller, cost: f64, request: Request, next: Next) -> Response {
    if house.limits.knock(caller.place, cost, house.time.now()) {
        next.run(request).await
    } else {
        Problem::too_many(1000).into_response()
    }
}

/// An answer, which nobody keeps for another.
pub(crate) fn reply(status: StatusCode, body: &impl Serialize) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    // Plain data with text keys: writing it cannot fail.
    (status, headers, serde_json::to_string(body).unwrap_or_default() + "\n").into_response()
}

fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "the request is longer than anything there is to say")
}

/// A whole body, as long as its route allows, which is not waited for without end.
pub(crate) async fn body<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Problem> {
    match timeout(SLOWEST, Bytes::from_request(request, state)).await {
        Ok(read) => read.map_err(|_| too_large()),
        Err(_) => Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the request did not arrive")),
    }
}

/// A body that says it is JSON, and is. A page of another site can send a form without asking, but nothing that says so.
#[derive(Debug)]
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Json<T>, Problem> {
        if !is_json(request.headers()) {
            let text = "say Content-Type: application/json";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", text));
        }
        let announced =
            request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if announced.is_some_and(|length: usize| length > LONGEST) {
            return Err(too_large());
        }
        let bytes = body(request, state).await?;
        serde_json::from_slice(&bytes).map(Json).map_err(|_| {
            // Not what serde says, which may repeat a part of a password.
            Problem::new(StatusCode::BAD_REQUEST, "bad_request", "the request cannot be read")
        })
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fmt::{Debug, Write},
        sync::{Mutex, PoisonError},
    };
    use tracing::{
        Event, Metadata, Subscriber,
        field::{Field, Visit},
        span,
    };

    /// What is logged, a line each.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<String>>);

    impl Visit for Log {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            write!(log, "{field}={value:?} ").unwrap();
        }
    }

    impl Subscriber for Log {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }
        fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
            span::Id::from_u64(1)
        }
        fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
        fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
        fn event(&self, event: &Event<'_>) {
            event.record(&mut self.clone());
        }
        fn enter(&self, _: &span::Id) {}
        fn exit(&self, _: &span::Id) {}
    }

    #[test]
    fn what_the_disk_says_is_in_the_log_under_the_number_that_whoever_asked_was_given() {
        let log = Log::default();
        let error = || StoreError::NotRead("disk on fire\nWARN forged \u{1b}[31m".into());
        let problems = tracing::subscriber::with_default(log.clone(), || [error(), error()].map(Problem::from));
        let numbers = problems.each_ref().map(|problem| {
            assert_eq!((problem.status, &*problem.why), (StatusCode::SERVICE_UNAVAILABLE, "not_saved"));
            assert!(!problem.text.contains("fire"), "{}", problem.text);
            problem.text.split_once("number ").unwrap().1[..8].to_owned()
        });
        assert_ne!(numbers[0], numbers[1]);
        let said = log.0.lock().unwrap().clone();
        assert!(numbers.iter().all(|number| said.contains(number)) && said.contains("disk on fire"), "{said}");
        assert!(!said.chars().any(char::is_control), "{said:?}");
    }
}

//! Refusals of commands over HTTP, and answers to them.

use crate::{http::Problem, refusal::Refused};
use axum::http::StatusCode;
use serde_json::Value;

/// A refusal as a page hears it.
pub(super) fn refused(why: &str, text: impl Into<String>) -> Problem {
    let status = status(why);
    let problem = Problem::new(status, why.to_owned(), text);
    let passes = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    if passes { problem.after(2) } else { problem }
}

impl From<Refused> for Problem {
    fn from(Refused { why, text, .. }: Refused) -> Problem {
        // The reason as it is called on the wire.
        let word = serde_json::to_value(why).ok();
        refused(word.as_ref().and_then(Value::as_str).unwrap_or_default(), text)
    }
}

/// What HTTP calls a reason. Most are a matter of how the game stands now.
fn status(why: &str) -> StatusCode {
    match why {
        "bad_message" | "bad_rules" | "bad_text" => StatusCode::BAD_REQUEST,
        "not_yours"
        | "bad_invite"
        | "no_hints"
        | "scope"
        | "needs_account"
        | "needs_program_account"
        | "not_for_you"
        | "not_wanted" => StatusCode::FORBIDDEN,
        "too_many" => StatusCode::TOO_MANY_REQUESTS,
        "too_large" => StatusCode::PAYLOAD_TOO_LARGE,
        "not_saved" | "unsure" | "busy" => StatusCode::SERVICE_UNAVAILABLE,
        why if why.starts_with("no_such_") || why == "nothing_found" => StatusCode::NOT_FOUND,
        _ => StatusCode::CONFLICT,
    }
}

/// A message to a page without what only pages need: which command it answers, and of what kind it is.
pub(super) fn bare(mut message: Value) -> Value {
    if let Some(fields) = message.as_object_mut() {
        fields.remove("id");
        fields.remove("type");
    }
    message
}

//! `GET /api/library/export?format=pgn&query={…}`: games of the library as a file.

use crate::{House, caller::Caller, limits, protocol::LibraryQuery};
use axum::{
    Extension,
    extract::{Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use record::Format;
use serde::Deserialize;
use std::sync::Arc;

/// What is asked for, and how it is to be written.
#[derive(Debug, Deserialize)]
pub(crate) struct Choice {
    format: String,
    /// A `LibraryQuery` as JSON; every game if there is none.
    #[serde(default)]
    query: String,
}

/// Formats that hold many games in one text.
const FORMATS: [Format; 4] = [Format::Pgn, Format::Sgf, Format::Ggf, Format::Transcript];

pub(crate) async fn export(
    State(house): State<Arc<House>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Query(choice): Query<Choice>,
) -> Response {
    let Ok((identity, _)) = house.identify(&caller, &headers).await else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Try again in a moment.\n").into_response();
    };
    let refused =
        |refused: crate::refusal::Refused| (StatusCode::FORBIDDEN, format!("{}\n", refused.text)).into_response();
    if let Err(error) = house.may_read(identity.who) {
        return refused(error);
    }
    if !house.limits.pay(Some(identity.who), caller.place, limits::EXPORT, house.time.now()) {
        return (StatusCode::TOO_MANY_REQUESTS, "That was too fast. Wait a moment and try again.\n").into_response();
    }
    let Some(format) = FORMATS.into_iter().find(|format| format.extension() == choice.format) else {
        return (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response();
    };
    let asked = if choice.query.is_empty() { "{}" } else { &choice.query };
    let Ok(Ok((query, _))) = serde_json::from_str::<LibraryQuery>(asked).map(|query| super::meant(&query)) else {
        return (StatusCode::BAD_REQUEST, "The question cannot be read.\n").into_response();
    };
    let text = house.off_thread(move |shelf| {
        let catalogue = shelf.catalogue()?;
        let numbers = catalogue.numbers(&catalogue.find(&query));
        let read = |library: &mut library::Library| {
            // one that was removed meanwhile is not there any more
            numbers.iter().filter_map(|&number| library.game(number).transpose()).collect::<Result<Vec<_>, _>>()
        };
        let records = shelf.with(false, read)?.unwrap_or_default();
        record::export::text(&records, format)
            .map_err(|error| crate::refusal::Refused::new(crate::protocol::Why::BadMessage, error))
    });
    match text.await {
        Ok(text) => {
            let name = format!("attachment; filename=\"outflank-library.{}\"", format.extension());
            let headers = [
                (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
                (header::CONTENT_DISPOSITION, name),
                (header::CACHE_CONTROL, "no-store".to_owned()),
            ];
            (headers, text).into_response()
        }
        Err(error) => refused(error),
    }
}

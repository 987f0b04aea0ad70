//! The document that describes all of this to programs: OpenAPI, written from the handlers and their types.

use super::{acts, events, games, meeting, people, schema};
use crate::http::reply;
use axum::{http::StatusCode, response::Response};
use utoipa::{
    Modify, OpenApi,
    openapi::{
        self,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

#[derive(OpenApi)]
#[openapi(
    info(title = "Outflank", description = "Reversi for programs: begin games, play, wait for events. docs/api.md shows it by example."),
    paths(
        games::list,
        games::create,
        games::show,
        games::events,
        games::play,
        games::sit,
        games::resign,
        games::abort,
        games::remove,
        acts::takeback,
        acts::hint,
        acts::claim,
        acts::pause,
        acts::resume,
        acts::say,
        acts::scrap,
        acts::again,
        acts::answer,
        events::events,
        meeting::lobby,
        meeting::make,
        meeting::withdraw,
        meeting::accept,
        meeting::decline,
        meeting::challenge,
        meeting::quick,
        people::show,
        people::games,
        people::block,
        people::unblock,
        people::leaders,
        document
    ),
    components(schemas(schema::Refusal)),
    modifiers(&Bearer),
    security(("token" = []))
)]
struct Document;

/// How programs say who they are.
struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut openapi::OpenApi) {
        let bearer = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
        document.components.get_or_insert_default().add_security_scheme("token", bearer);
    }
}

/// This document.
#[utoipa::path(get, path = "/api/openapi.json", tag = "document", responses((status = 200, description = "OpenAPI")))]
pub(crate) async fn document() -> Response {
    reply(StatusCode::OK, &Document::openapi())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_route_is_in_the_document_and_nothing_else() {
        let document = serde_json::to_value(Document::openapi()).unwrap();
        let paths = document["paths"].as_object().unwrap();
        let documented: BTreeSet<(String, String)> = paths
            .iter()
            .flat_map(|(path, methods)| {
                methods.as_object().unwrap().keys().map(|method| (path.clone(), method.clone()))
            })
            .collect();
        let routed: BTreeSet<(String, String)> = super::super::routes()
            .iter()
            .flat_map(|route| route.methods.iter().map(|method| (route.path.to_owned(), (*method).to_owned())))
            .collect();
        assert_eq!(documented, routed);
    }

    #[test]
    fn every_name_in_the_document_leads_somewhere_and_every_thing_is_described() {
        let document = serde_json::to_value(Document::openapi()).unwrap();
        let schemas = document["components"]["schemas"].as_object().unwrap();
        let mut left = vec![&document];
        let mut named = 0;
        while let Some(value) = left.pop() {
            if let Some(name) = value.get("$ref").and_then(|name| name.as_str()) {
                let known = name.strip_prefix("#/components/schemas/").is_some_and(|name| schemas.contains_key(name));
                assert!(known, "{name}");
                named += 1;
            }
            left.extend(value.as_object().into_iter().flat_map(|fields| fields.values()));
            left.extend(value.as_array().into_iter().flatten());
        }
        assert!(named > 10);
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                assert!(operation["summary"].is_string(), "{method} {path} says what it does");
            }
        }
    }
}

//! The page, from inside the binary.

use crate::{House, caller::Caller};
use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use std::sync::Arc;

struct Asset {
    name: &'static str,
    etag: &'static str,
    bytes: &'static [u8],
    gzip: Option<&'static [u8]>,
}

static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Any path that is not the API's. With the page itself comes the cookie: two tabs that are opened together are one person.
pub(crate) async fn asset(
    State(house): State<Arc<House>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let mut response = named(name, &headers);
    if name == "index.html"
        && let Ok((_, Some(cookie))) = house.identify(&caller, &headers).await
    {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

fn named(name: &str, headers: &HeaderMap) -> Response {
    let Ok(index) = ASSETS.binary_search_by(|asset| asset.name.cmp(name)) else {
        return (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response();
    };
    let asset = &ASSETS[index];
    let holds = |header: header::HeaderName, wanted: &str| {
        headers.get_all(header).iter().filter_map(|value| value.to_str().ok()).any(|value| value.contains(wanted))
    };
    // Vite puts a fingerprint into the names under assets/: those never change.
    let cache = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let common = [(header::CACHE_CONTROL, cache), (header::ETAG, asset.etag), (header::VARY, "accept-encoding")];
    if holds(header::IF_NONE_MATCH, asset.etag) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let kind = [(header::CONTENT_TYPE, content_type(name))];
    match asset.gzip {
        Some(packed) if holds(header::ACCEPT_ENCODING, "gzip") => {
            (common, kind, [(header::CONTENT_ENCODING, "gzip")], packed).into_response()
        }
        _ => (common, kind, asset.bytes).into_response(),
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

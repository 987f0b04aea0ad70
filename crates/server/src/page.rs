//! The page, from inside the binary.

use crate::{House, caller::Caller, http::COST};
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
    plain: &'static [u8],
    brotli: Option<&'static [u8]>,
    gzip: Option<&'static [u8]>,
}

impl Asset {
    /// The smallest of its forms that the browser takes, and what it is called.
    fn smallest(&self, headers: &HeaderMap) -> (Option<&'static str>, &'static [u8]) {
        [("br", self.brotli), ("gzip", self.gzip)]
            .into_iter()
            .find_map(|(coding, packed)| packed.filter(|_| takes(headers, coding)).map(|packed| (Some(coding), packed)))
            .unwrap_or((None, self.plain))
    }
}

/// Does `Accept-Encoding` name this coding, and not with `q=0`, which means *never*?
fn takes(headers: &HeaderMap, coding: &str) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        let never = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case(coding) && !never
    })
}

static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Any path that is not the API's. With the page itself comes the cookie: two tabs that are opened together are one person. Whoever asks
/// for it without end gets the page alone, for which nothing is read.
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
        && house.limits.knock(caller.place, COST, house.time.now())
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
    // Vite puts a fingerprint into the names under assets/: those never change.
    let cache = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let common = [(header::CACHE_CONTROL, cache), (header::ETAG, asset.etag), (header::VARY, "accept-encoding")];
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    // A proxy may have made a strong one of it, or one of its own.
    let same = asset.etag.trim_start_matches("W/");
    if known.into_iter().any(|value| value.contains(same)) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let kind = [(header::CONTENT_TYPE, content_type(name))];
    let (coding, bytes) = asset.smallest(headers);
    let mut response = (common, kind, bytes).into_response();
    if let Some(coding) = coding {
        response.headers_mut().insert(header::CONTENT_ENCODING, header::HeaderValue::from_static(coding));
    }
    response
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_sent_in_the_smallest_form_the_browser_takes() {
        let asset = Asset { name: "", etag: "", plain: b"plain", brotli: Some(b"br"), gzip: Some(b"gzip") };
        for (accepted, sent) in [
            ("gzip, deflate, br, zstd", Some("br")),
            ("gzip, deflate", Some("gzip")),
            ("br;q=0, gzip;q=0.5", Some("gzip")),
            ("BR", Some("br")),
            ("brown, xgzip", None),
            ("identity", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, header::HeaderValue::from_static(accepted));
            assert_eq!(asset.smallest(&headers).0, sent, "{accepted}");
        }
        assert_eq!(asset.smallest(&HeaderMap::new()), (None, b"plain".as_slice()));
        let picture = Asset { brotli: None, gzip: None, ..asset };
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, header::HeaderValue::from_static("gzip, br"));
        assert_eq!(picture.smallest(&headers), (None, b"plain".as_slice()));
    }
}

//! Keeps other sites out of a server that listens on somebody's own machine.
//!
//! A page from anywhere can make a browser send requests to `127.0.0.1`. Two checks end that: the name in `Host` must be an IP address,
//! `localhost` or a name the server was told (so that no foreign name can be pointed here), and where a browser says which page is
//! asking (`Origin`), it must be one of ours. Where it says only how the page is related to us (`Sec-Fetch-Site`), nothing is changed for
//! another site.

use crate::{
    HostName, House,
    caller::{Caller, host},
    entrance::Visitor,
};
use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::{net::IpAddr, sync::Arc};

/// Nothing from elsewhere, ever. A `blob:` is what the page itself has drawn: a board that becomes a picture to save.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
     connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    // What the page never asks for, nobody gets through it.
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
];

/// Refuses what other sites send, and puts the protecting headers on everything that goes out.
pub(crate) async fn guard(
    State(house): State<Arc<House>>,
    ConnectInfo(visitor): ConnectInfo<Visitor>,
    mut request: Request,
    next: Next,
) -> Response {
    let invited = !house.config.private || house.is_owner_token(request.headers());
    let ours = is_ours(request.headers(), &house.config.hosts)
        && (request.method().is_safe() || !is_of_another_site(request.headers()));
    let caller = Caller::new(&visitor, request.headers(), &house.config);
    let mut response = if invited && ours {
        request.extensions_mut().insert(caller);
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "This server does not answer to that name.\n").into_response()
    };
    if caller.secure {
        // Whoever came by https once does not come by http again.
        let year = HeaderValue::from_static("max-age=31536000");
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn is_ours(headers: &HeaderMap, hosts: &[HostName]) -> bool {
    let Some(name) = host(headers) else { return false };
    let known = hosts.iter().find(|host| host.is(&name));
    if known.is_none() && name != "localhost" && name.parse::<IpAddr>().is_err() {
        return false;
    }
    match headers.get(header::ORIGIN).map(HeaderValue::to_str) {
        None => true,
        Some(Ok(origin)) => match known {
            Some(known) => known.is_origin(origin) && is_from(origin, headers),
            // A proxy may ask under the address it knows; the page is one of ours all the same.
            None => is_from(origin, headers) || hosts.iter().any(|host| host.is_origin(origin)),
        },
        Some(Err(_)) => false,
    }
}

/// Whether the browser says that a page of another site asks. Following a link from there is not asking for a change.
fn is_of_another_site(headers: &HeaderMap) -> bool {
    let said = headers.get(HeaderName::from_static("sec-fetch-site"));
    said.is_some_and(|said| said != "same-origin" && said != "none")
}

/// Whether a page from `origin` was loaded under the very name and port that is asked for.
fn is_from(origin: &str, headers: &HeaderMap) -> bool {
    let asked = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let address = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
    address.zip(asked).is_some_and(|(address, asked)| address.eq_ignore_ascii_case(asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_that_says_so_changes_nothing_for_another_site() {
        let said = |site: &str| {
            is_of_another_site(&HeaderMap::from_iter([(
                HeaderName::from_static("sec-fetch-site"),
                site.parse().unwrap(),
            )]))
        };
        assert!(said("cross-site") && said("same-site") && said(""));
        assert!(!said("same-origin") && !said("none"));
        assert!(!is_of_another_site(&HeaderMap::new()), "a program, or an old browser, which says Origin");
    }

    fn ours(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        is_ours(&headers, &["club.example".parse().unwrap(), "https://safe.example".parse().unwrap()])
    }

    #[test]
    fn our_own_pages_come_in() {
        assert!(ours("127.0.0.1:8464", None));
        assert!(ours("127.0.0.1:8464", Some("http://127.0.0.1:8464")));
        assert!(ours("localhost:8464", Some("http://localhost:8464")));
        assert!(ours("[::1]:8464", Some("http://[::1]:8464")));
        assert!(ours("192.168.1.20:8464", Some("http://192.168.1.20:8464")));
        assert!(ours("club.example", Some("https://club.example")));
        assert!(ours("safe.example", Some("https://safe.example")));
        assert!(ours("127.0.0.1:8464", Some("https://safe.example")), "a proxy that asks under an address");
    }

    #[test]
    fn other_sites_stay_out() {
        assert!(!ours("evil.example:8464", None), "a name that was pointed here");
        assert!(!ours("127.0.0.1.evil.example", None));
        assert!(!ours("127.0.0.1:8464", Some("http://evil.example")));
        assert!(!ours("127.0.0.1:8464", Some("http://127.0.0.1:3000")), "another program on the same machine");
        assert!(!ours("127.0.0.1:8464", Some("null")));
        assert!(!ours("safe.example", Some("http://safe.example")), "whoever is between could have made that page");
        assert!(!ours("safe.example", Some("https://club.example")), "each name is a place of its own");
        assert!(!ours("club.example:8464", Some("http://club.example:9000")));
        assert!(!is_ours(&HeaderMap::new(), &[]));
    }
}

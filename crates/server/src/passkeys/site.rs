//! Where a page is, as far as passkeys are concerned: [`Site`].

use axum::http::{HeaderMap, Uri, header};
use std::net::IpAddr;

/// The page that asks, which has a name: browsers make no passkeys for addresses, and none without https but on this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Site {
    /// Such as `https://club.example`. A passkey is good for the very origin it was made on.
    pub(super) origin: String,
    /// Such as `club.example`, by which devices know their passkeys apart.
    pub(super) name: String,
}

impl Site {
    /// The site of whoever asks: the page's own word for it, which the guard has found to be one of ours.
    pub(super) fn of(headers: &HeaderMap) -> Option<Site> {
        let origin = headers.get(header::ORIGIN)?.to_str().ok()?;
        let uri: Uri = origin.parse().ok()?;
        let name = uri.host()?.to_ascii_lowercase();
        let here = name == "localhost" || name.ends_with(".localhost");
        let safe = uri.scheme_str() == Some("https") || (uri.scheme_str() == Some("http") && here);
        let is_address = name.starts_with('[') || name.parse::<IpAddr>().is_ok();
        (safe && !is_address).then(|| Site { origin: origin.to_ascii_lowercase(), name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_a_name_and_https_or_is_this_machine() {
        let of = |origin: &str| Site::of(&HeaderMap::from_iter([(header::ORIGIN, origin.parse().unwrap())]));
        for (origin, name) in [
            ("https://club.example", "club.example"),
            ("https://Club.example:8443", "club.example"),
            ("http://localhost:8464", "localhost"),
            ("http://club.localhost:8464", "club.localhost"),
        ] {
            let site = Site { origin: origin.to_ascii_lowercase(), name: name.to_owned() };
            assert_eq!(of(origin), Some(site));
        }
        for origin in [
            "http://club.example",
            "https://192.0.2.7",
            "http://127.0.0.1:8464",
            "https://[::1]:8464",
            "http://localhost.example",
            "ftp://localhost",
            "null",
            "",
        ] {
            assert_eq!(of(origin), None, "{origin}");
        }
        assert_eq!(Site::of(&HeaderMap::new()), None);
    }
}

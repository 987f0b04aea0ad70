//! What can be told of a request before asking who sends it: [`Caller`].
//!
//! On a plain start whoever is at the machine is its owner. A proxy on the same machine connects from there too, so a request is from the
//! machine itself only if nothing says otherwise: no header of a proxy, and asked for under a name of this machine (`localhost`,
//! `127.0.0.1`). What cannot be told is a proxy that adds no header *and* passes on a made-up `Host: localhost`. That is why a server
//! that was told a name or a proxy has no such owner at all, only one who shows a token.

use crate::{
    Config,
    connections::Place,
    entrance::{Kind, Visitor},
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header, uri::Authority};
use std::{fmt, net::IpAddr, str::FromStr};

/// Headers by which proxies say that they speak for someone else.
const PROXY_HEADERS: [HeaderName; 9] = [
    header::FORWARDED,
    header::VIA,
    FORWARDED_FOR,
    FORWARDED_PROTO,
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-forwarded-server"),
    HeaderName::from_static("x-real-ip"),
    HeaderName::from_static("cf-connecting-ip"),
    HeaderName::from_static("true-client-ip"),
];
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Where a request comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Caller {
    /// By which entrance.
    pub(crate) kind: Kind,
    /// From where, as far as connections and commands are counted.
    pub(crate) place: Place,
    /// Whether whoever sends it is at this machine, on a server that has no other owner.
    pub(crate) at_home: bool,
    /// Whether it came by https.
    pub(crate) secure: bool,
}

impl Caller {
    pub(crate) fn new(visitor: &Visitor, headers: &HeaderMap, config: &Config) -> Caller {
        let peer = visitor.peer.ip().to_canonical();
        let trusted = config.proxies.iter().any(|proxy| proxy.contains(peer));
        let forwarded = if trusted { forwarded_for(headers, &config.proxies) } else { None };
        let host = host(headers);
        let known = host.as_deref().and_then(|host| config.hosts.iter().find(|known| known.is(host)));
        let proxy_says_https = trusted && headers.get(FORWARDED_PROTO).is_some_and(|proto| proto == "https");
        Caller {
            kind: visitor.kind,
            place: Place::of(forwarded.unwrap_or(peer)),
            at_home: config.is_home()
                && visitor.kind == Kind::Main
                && peer.is_loopback()
                && host.is_some_and(|host| is_this_machine(&host))
                && !PROXY_HEADERS.iter().any(|name| headers.contains_key(name)),
            secure: proxy_says_https || known.is_some_and(|known| known.secure),
        }
    }
}

/// The name that was asked for, without a port.
pub(crate) fn host(headers: &HeaderMap) -> Option<String> {
    let authority: Authority = headers.get(header::HOST)?.to_str().ok()?.parse().ok()?;
    Some(authority.host().trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase())
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

/// For whom the proxies ask: the last address in the list that is no proxy of ours. What stands before it is only claimed.
fn forwarded_for(headers: &HeaderMap, proxies: &[Subnet]) -> Option<IpAddr> {
    let lists: Vec<&str> = headers.get_all(FORWARDED_FOR).iter().filter_map(|list| list.to_str().ok()).collect();
    let mut addresses = lists.iter().flat_map(|list| list.split(',')).rev().map(|entry| address(entry.trim()));
    addresses.find(|address| !address.is_some_and(|address| proxies.iter().any(|proxy| proxy.contains(address))))?
}

/// An address, perhaps with a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(text, |(address, _)| address);
    let parsed = bare.parse().ok().or_else(|| Some(bare.parse::<std::net::SocketAddr>().ok()?.ip()));
    parsed.map(|address| address.to_canonical())
}

/// Addresses that begin alike: `10.0.0.0/8`, or one alone.
///
/// ```
/// let docker: server::Subnet = "172.17.0.0/16".parse()?;
/// assert!(docker.contains("172.17.3.4".parse().unwrap()));
/// assert!(!docker.contains("172.18.0.1".parse().unwrap()));
/// # Ok::<(), server::AddressError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subnet {
    address: IpAddr,
    bits: u8,
}

/// The text is no address, no range of addresses and no name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not an address, a range of addresses or a name")]
pub struct AddressError;

impl Subnet {
    /// Whether an address is one of these.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(other)) => {
                let differ = u32::from(ours) ^ u32::from(other);
                differ.checked_shr(32 - u32::from(self.bits)).unwrap_or(0) == 0
            }
            (IpAddr::V6(ours), IpAddr::V6(other)) => {
                let differ = u128::from(ours) ^ u128::from(other);
                differ.checked_shr(128 - u32::from(self.bits)).unwrap_or(0) == 0
            }
            _ => false,
        }
    }
}

impl FromStr for Subnet {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Subnet, AddressError> {
        let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address = address.parse::<IpAddr>().map_err(|_| AddressError)?.to_canonical();
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| AddressError))?;
        if bits <= most { Ok(Subnet { address, bits }) } else { Err(AddressError) }
    }
}

/// A name under which a server is reached: `club.example`, or `https://club.example` where a proxy adds encryption.
///
/// ```
/// use server::HostName;
/// assert_eq!("https://Club.example/".parse::<HostName>()?.to_string(), "https://club.example");
/// assert!("club.example:8464".parse::<HostName>().is_err());
/// # Ok::<(), server::AddressError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostName {
    name: String,
    secure: bool,
}

impl HostName {
    /// Whether this is the name of `host`.
    pub(crate) fn is(&self, host: &str) -> bool {
        self.name.eq_ignore_ascii_case(host)
    }

    /// Whether a page from `origin` is one of ours.
    pub(crate) fn is_origin(&self, origin: &str) -> bool {
        let (secure, rest) = match (origin.strip_prefix("https://"), origin.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return false,
        };
        let authority: Result<Authority, _> = rest.parse();
        authority.is_ok_and(|authority| self.is(authority.host())) && (secure || !self.secure)
    }
}

impl FromStr for HostName {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<HostName, AddressError> {
        let text = text.trim_end_matches('/');
        let secure = text.strip_prefix("https://");
        let name = secure.or(text.strip_prefix("http://")).unwrap_or(text).to_ascii_lowercase();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if name.is_empty() || name.len() > 253 || !name.chars().all(plain) {
            return Err(AddressError);
        }
        Ok(HostName { name, secure: secure.is_some() })
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http{}://{}", if self.secure { "s" } else { "" }, self.name)
    }
}

/// The token of an `Authorization: Bearer` header.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION).map(HeaderValue::to_str)?.ok()?.strip_prefix("Bearer ").map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(&'static str, &str)]) -> HeaderMap {
        list.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    fn caller(config: &Config, peer: &str, list: &[(&'static str, &str)]) -> Caller {
        let visitor = Visitor::from(format!("{peer}:50000").parse().unwrap(), Kind::Main);
        Caller::new(&visitor, &headers(list), config)
    }

    fn at(address: &str) -> Place {
        Place::of(address.parse().unwrap())
    }

    #[test]
    fn on_a_plain_start_whoever_is_at_the_machine_is_told_from_a_proxy_that_says_so() {
        let plain = Config::new("games");
        for host in ["127.0.0.1:8464", "localhost:8464", "LOCALHOST", "[::1]:8464"] {
            assert!(caller(&plain, "127.0.0.1", &[("host", host)]).at_home, "{host}");
        }
        for host in ["203.0.113.5", "club.example", "192.168.1.20:8464"] {
            assert!(!caller(&plain, "127.0.0.1", &[("host", host)]).at_home, "asked for elsewhere: {host}");
        }
        for name in PROXY_HEADERS {
            let mut headers = headers(&[("host", "localhost")]);
            headers.insert(&name, "203.0.113.9".parse().unwrap());
            let visitor = Visitor::from("127.0.0.1:50000".parse().unwrap(), Kind::Main);
            assert!(!Caller::new(&visitor, &headers, &plain).at_home, "{name}");
        }
        assert!(!caller(&plain, "192.168.1.7", &[("host", "localhost")]).at_home);
        let door = Visitor::from("127.0.0.1:50000".parse().unwrap(), Kind::Door);
        assert!(!Caller::new(&door, &headers(&[("host", "localhost")]), &plain).at_home);
    }

    #[test]
    fn with_a_name_or_a_proxy_nobody_is_at_home() {
        let named = Config { hosts: vec!["club.example".parse().unwrap()], ..Config::new("games") };
        let behind = Config { proxies: vec!["127.0.0.1".parse().unwrap()], ..Config::new("games") };
        for config in [named, behind] {
            for host in ["localhost:8464", "127.0.0.1:8464", "club.example"] {
                assert!(!caller(&config, "127.0.0.1", &[("host", host)]).at_home, "{host}");
            }
        }
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let config = Config { proxies: vec!["10.0.0.0/24".parse().unwrap()], ..Config::new("games") };
        let says = |list: &str, peer: &str| caller(&config, peer, &[("host", "x"), ("x-forwarded-for", list)]).place;
        assert_eq!(says("203.0.113.9", "10.0.0.1"), at("203.0.113.9"));
        assert_eq!(says("203.0.113.9", "192.0.2.1"), at("192.0.2.1"), "anyone can write a header");
        assert_eq!(says("127.0.0.1, 203.0.113.9", "10.0.0.1"), at("203.0.113.9"), "what stands before is claimed");
        assert_eq!(says("203.0.113.9, 10.0.0.7", "10.0.0.1"), at("203.0.113.9"), "one proxy behind another");
        assert_eq!(says("203.0.113.9:4711", "10.0.0.1"), at("203.0.113.9"));
        assert_eq!(says("[2001:db8::5]:4711", "10.0.0.1"), at("2001:db8::99"));
        assert_eq!(says("203.0.113.9, nonsense", "10.0.0.1"), at("10.0.0.1"), "what it says is not understood");
        assert_eq!(caller(&config, "10.0.0.1", &[("host", "x")]).place, at("10.0.0.1"));
    }

    #[test]
    fn https_is_what_a_proxy_says_or_the_owner_said() {
        let https = |config: &Config, list: &[(&'static str, &str)]| caller(config, "10.0.0.1", list).secure;
        let told = Config { proxies: vec!["10.0.0.1".parse().unwrap()], ..Config::new("games") };
        assert!(https(&told, &[("host", "x"), ("x-forwarded-proto", "https")]));
        assert!(!https(&told, &[("host", "x"), ("x-forwarded-proto", "http")]));
        let plain = Config::new("games");
        assert!(!https(&plain, &[("host", "x"), ("x-forwarded-proto", "https")]), "anyone can write a header");
        let named = Config { hosts: vec!["https://club.example".parse().unwrap()], ..Config::new("games") };
        assert!(https(&named, &[("host", "club.example")]));
        assert!(!https(&named, &[("host", "10.0.0.2")]));
    }

    #[test]
    fn ranges_of_addresses() {
        let within = |range: &str, address: &str| range.parse::<Subnet>().unwrap().contains(address.parse().unwrap());
        assert!(within("0.0.0.0/0", "203.0.113.9") && within("::/0", "2001:db8::1"));
        assert!(within("203.0.113.9", "::ffff:203.0.113.9") && !within("203.0.113.9", "203.0.113.8"));
        assert!(within("2001:db8::/32", "2001:db8:ffff::1") && !within("2001:db8::/32", "2001:db9::1"));
        assert!(!within("0.0.0.0/0", "2001:db8::1"));
        for wrong in ["", "x", "1.2.3.4/33", "1.2.3.4/", "::/129", "1.2.3.4/-1"] {
            assert_eq!(wrong.parse::<Subnet>(), Err(AddressError), "{wrong}");
        }
    }
}

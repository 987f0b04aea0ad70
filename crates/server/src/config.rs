//! How a server is run: [`Config`].

use crate::{HostName, Network, OwnerToken, Subnet};
use std::{convert::Infallible, fmt, fs, net::IpAddr, path::PathBuf, str::FromStr, sync::Arc, time::Duration};
use table::At;

/// An address with everything needed to connect, which may be a password: it is never shown as it is.
///
/// ```
/// let address: server::SecretAddress = "nats://ana:secret@host".parse().unwrap();
/// assert_eq!(format!("{address:?}"), "SecretAddress(…)");
/// assert_eq!(address.reveal(), "nats://ana:secret@host");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SecretAddress(String);

impl SecretAddress {
    /// The address itself, for whoever connects.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl FromStr for SecretAddress {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<SecretAddress, Infallible> {
        Ok(SecretAddress(text.to_owned()))
    }
}

impl fmt::Debug for SecretAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretAddress(…)")
    }
}

/// Everything a server is told when it starts.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder that holds the games.
    pub data: PathBuf,
    /// The PostgreSQL database that holds the games instead, such as `postgres://name:password@host/database`. Other nodes may serve
    /// it too, if each has the same `bus`.
    pub database: Option<SecretAddress>,
    /// The NATS server by which nodes hear of each other, such as `nats://name:password@host:4222`.
    pub bus: Option<SecretAddress>,
    /// Everyone who comes from this machine itself is one person, the owner, as long as there are no `hosts` and no `proxies`.
    /// Others are known by a cookie.
    pub home: bool,
    /// What makes someone the owner wherever they are.
    pub owner: Option<OwnerToken>,
    /// Nobody gets in but whoever shows the owner's token: this is a game in a terminal, and others of the same person may join it.
    pub private: bool,
    /// Names, besides IP addresses and `localhost`, under which the server may be asked for. Any other name in a request is
    /// another site's attempt to reach it through a visitor's browser.
    pub hosts: Vec<HostName>,
    /// Proxies that are believed when they say for whom they ask (`X-Forwarded-For`, `X-Forwarded-Proto`).
    pub proxies: Vec<Subnet>,
    /// Whether anybody may read `/metrics`, not only the owner.
    pub metrics_for_all: bool,
    /// Whether anybody may search the library, not only the owner.
    pub library_for_all: bool,
    /// Whether people meet in the lobby, whatever the owner decides while the server runs.
    pub open_lobby: bool,
    /// Whether guests may open accounts, as long as the owner does not decide otherwise.
    pub registration: bool,
    /// Where this machine is in the network, for when the owner opens the door to it.
    pub network: Arc<dyn Network>,
    /// The computer takes at least so long for a move, so that a player can follow.
    pub pause: Duration,
    /// For tests: a file that says by how many milliseconds the clock of this machine, or of the database where there is one, is wrong now.
    pub wrong_clock: Option<PathBuf>,
    /// How many connections there may be, pages and requests together.
    pub connections: usize,
    /// How many of them from one address (for IPv6: one /64) other than this machine's.
    pub connections_per_address: usize,
}

impl Config {
    /// The usual server with its games in `data`.
    pub fn new(data: impl Into<PathBuf>) -> Config {
        Config {
            data: data.into(),
            database: None,
            bus: None,
            home: true,
            owner: None,
            private: false,
            hosts: Vec::new(),
            proxies: Vec::new(),
            metrics_for_all: false,
            library_for_all: false,
            open_lobby: false,
            registration: true,
            network: Arc::new(Vec::<IpAddr>::new()),
            pause: Duration::from_millis(500),
            wrong_clock: None,
            connections: 4000,
            connections_per_address: 256,
        }
    }

    /// What a clock shows that goes right, as a test wants it.
    pub(crate) fn wrong(&self, clock: At) -> At {
        let said = self.wrong_clock.as_ref().and_then(|file| fs::read_to_string(file).ok());
        clock.saturating_add_signed(said.and_then(|ms| ms.trim().parse().ok()).unwrap_or(0))
    }

    /// Whether being at the machine makes someone the owner: a proxy is at the machine too.
    pub(crate) fn is_home(&self) -> bool {
        self.home && self.hosts.is_empty() && self.proxies.is_empty()
    }
}

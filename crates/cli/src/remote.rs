//! A server anywhere: [`Address`], and a connection to it.

use std::{
    fmt, io,
    net::SocketAddr,
    str::FromStr,
    sync::{Arc, LazyLock},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, lookup_host},
    time::timeout,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName},
};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{
        self,
        client::IntoClientRequest,
        http::{HeaderName, HeaderValue, Uri},
        protocol::WebSocketConfig,
    },
};

/// A server that has not let us in by then is not there.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Where a server is: `http://127.0.0.1:8464`, `https://club.example`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    secure: bool,
    host: String,
    port: u16,
}

/// A connection to a server, encrypted or not.
pub(crate) type Socket = WebSocketStream<Box<dyn Stream>>;

pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Whom this machine trusts, which `SSL_CERT_FILE` may say. Read once: thousands of connections may be made.
static TRUSTED: LazyLock<Arc<ClientConfig>> = LazyLock::new(|| {
    let mut roots = RootCertStore::empty();
    // A machine that has none trusts nobody, and connections to strangers say so.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring knows both versions");
    Arc::new(config.with_root_certificates(roots).with_no_client_auth())
});

impl Address {
    /// Reads an address as it stands in a browser, or without what a browser adds. What may be written, if it is something else.
    pub(crate) fn named(text: &str) -> Result<Address, &'static str> {
        text.parse()
    }

    /// Whether it is this machine, whatever a name may mean.
    pub(crate) async fn is_this_machine(&self) -> io::Result<bool> {
        let mut found = self.lookup().await?.peekable();
        Ok(found.peek().is_some() && found.all(|address| address.ip().to_canonical().is_loopback()))
    }

    async fn lookup(&self) -> io::Result<impl Iterator<Item = SocketAddr> + use<>> {
        let found: Vec<SocketAddr> = lookup_host((self.host.trim_matches(['[', ']']), self.port)).await?.collect();
        Ok(found.into_iter())
    }

    /// A page's connection, with these headers beside those that it needs.
    pub(crate) async fn connect(&self, headers: &[(&'static str, &str)]) -> io::Result<Socket> {
        let connecting = async {
            let host = self.host.trim_matches(['[', ']']);
            let stream = TcpStream::connect((host, self.port)).await?;
            // Every command is one that somebody waits for. A connection that cannot be told so works all the same.
            let _ = stream.set_nodelay(true);
            let stream: Box<dyn Stream> = if self.secure {
                let name = ServerName::try_from(host).map_err(io::Error::other)?.to_owned();
                Box::new(TlsConnector::from(TRUSTED.clone()).connect(name, stream).await?)
            } else {
                Box::new(stream)
            };
            // The connection is encrypted already, or is not to be.
            let address = self.to_string();
            let address = address.split_once("://").map_or("", |(_, rest)| rest);
            let mut request = format!("ws://{address}/api/socket").into_client_request().map_err(io_error)?;
            for (name, value) in headers {
                let value = HeaderValue::from_str(value).map_err(io::Error::other)?;
                request.headers_mut().insert(HeaderName::from_static(name), value);
            }
            // Thousands of these may be held at once.
            let small = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
            let (socket, _) = client_async_with_config(request, stream, Some(small)).await.map_err(io_error)?;
            Ok(socket)
        };
        timeout(HANDSHAKE, connecting).await?
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.secure, self.port) {
            (true, 443) => write!(f, "https://{}", self.host),
            (true, port) => write!(f, "https://{}:{port}", self.host),
            (false, 80) => write!(f, "http://{}", self.host),
            (false, port) => write!(f, "http://{}:{port}", self.host),
        }
    }
}

impl FromStr for Address {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Address, &'static str> {
        const FORM: &str = "http://ADDRESS:PORT, https://NAME";
        let full = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let uri: Uri = full.parse().map_err(|_| FORM)?;
        let secure = match uri.scheme_str() {
            Some("http" | "ws") => false,
            Some("https" | "wss") => true,
            _ => return Err(FORM),
        };
        let host = uri.host().filter(|host| !host.is_empty()).ok_or(FORM)?;
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err(FORM);
        }
        let port = match uri.port_u16() {
            Some(port) => port,
            // A port that is none is not the usual one.
            None if uri.authority().is_some_and(|all| all.as_str() != host) => return Err(FORM),
            None if secure => 443,
            None => 80,
        };
        Ok(Address { secure, host: host.to_owned(), port })
    }
}

pub(crate) fn io_error(error: tungstenite::Error) -> io::Error {
    match error {
        tungstenite::Error::Io(error) => error,
        tungstenite::Error::Http(answer) => {
            let kind = match answer.status().as_u16() {
                401 | 403 => io::ErrorKind::PermissionDenied,
                _ => io::ErrorKind::Other,
            };
            io::Error::new(kind, answer.status().to_string())
        }
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (text, shown) in [
            ("http://127.0.0.1:8464", "http://127.0.0.1:8464"),
            ("http://127.0.0.1:8464/", "http://127.0.0.1:8464"),
            ("localhost:8464", "http://localhost:8464"),
            ("club.example", "http://club.example"),
            ("ws://[::1]:99", "http://[::1]:99"),
            ("https://club.example/", "https://club.example"),
            ("wss://club.example:8443", "https://club.example:8443"),
            ("https://club.example:80", "https://club.example:80"),
        ] {
            assert_eq!(Address::named(text).unwrap().to_string(), shown, "{text}");
        }
        for bad in
            ["", "http://", "ftp://here", "http://here/there", "http://here?x", "here:port", "https://me@here", "a b"]
        {
            assert!(Address::named(bad).is_err(), "{bad}");
        }
    }
}

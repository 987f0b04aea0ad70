//! TLS to the database, in the words of PostgreSQL's own programs: `sslmode` and `sslrootcert` in its address.
//!
//! | `sslmode` | encrypted | what of the database's certificate is checked |
//! |---|---|---|
//! | `disable` | no | |
//! | `prefer`, the usual | where the database can | nothing |
//! | `require` | yes | nothing; who signed it, where `sslrootcert` is given |
//! | `verify-ca` | yes | who signed it |
//! | `verify-full` | yes | who signed it, and that it is for the host in the address |
//!
//! `sslrootcert` names a file with certificates that may have signed it, or the certificate itself; without it, or with `system`, those
//! that this machine trusts may.

use percent_encoding::percent_decode_str;
use std::{
    error::Error,
    fmt, io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::{
    Config, Socket,
    config::SslMode,
    tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream},
};
use tokio_rustls::{
    TlsConnector, client,
    rustls::{
        self, CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
        client::{
            danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
            verify_server_cert_signed_by_trust_anchor, verify_server_name,
        },
        crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature},
        pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject},
        server::ParsedCertificate,
    },
};

/// What of a certificate is checked: each of these and all before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Check {
    Nothing,
    Issuer,
    Name,
}

/// How connections to one database are encrypted.
#[derive(Clone)]
pub(super) struct Tls(Arc<ClientConfig>);

/// Reads an address: where the database is, and how connections to it are encrypted.
///
/// # Errors
///
/// One sentence for whoever wrote it.
pub(super) fn read(address: &str) -> Result<(Config, Tls), String> {
    let (rest, mode, roots) = split(address);
    let mut config: Config = rest.parse().map_err(super::why)?;
    let (asked, mut check) = match mode.as_deref() {
        None => (config.get_ssl_mode(), Check::Nothing),
        Some("disable") => (SslMode::Disable, Check::Nothing),
        Some("prefer") => (SslMode::Prefer, Check::Nothing),
        Some("require") => (SslMode::Require, Check::Nothing),
        Some("verify-ca") => (SslMode::Require, Check::Issuer),
        Some("verify-full") => (SslMode::Require, Check::Name),
        Some(_) => return Err("sslmode is one of disable, prefer, require, verify-ca, verify-full".to_owned()),
    };
    config.ssl_mode(asked);
    if asked == SslMode::Require && roots.is_some() {
        check = check.max(Check::Issuer);
    }
    // Where nothing is checked, nothing need be read, and a system without certificates does.
    let trusted = match roots.as_deref() {
        _ if check == Check::Nothing => Vec::new(),
        None | Some("system") => rustls_native_certs::load_native_certs().certs,
        Some(file) => from_file(file).map_err(|error| format!("the certificates in {file} cannot be read: {error}"))?,
    };
    Ok((config, Tls::new(check, trusted)))
}

/// An address without what we read ourselves, and that: `sslmode`, `sslrootcert`.
fn split(address: &str) -> (String, Option<String>, Option<String>) {
    // A question mark before the host belongs to a password.
    let host = address.find('@').map_or(0, |at| at + 1);
    let Some(question) = address[host..].find('?').map(|at| host + at) else { return (address.to_owned(), None, None) };
    let (mut mode, mut roots, mut rest) = (None, None, Vec::new());
    for part in address[question + 1..].split('&') {
        let value = |text: &str| Some(percent_decode_str(text).decode_utf8_lossy().into_owned());
        match part.split_once('=') {
            Some(("sslmode", text)) => mode = value(text),
            Some(("sslrootcert", text)) => roots = value(text),
            _ => rest.push(part),
        }
    }
    let end = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
    (format!("{}{end}", &address[..question]), mode, roots)
}

fn from_file(path: &str) -> io::Result<Vec<CertificateDer<'static>>> {
    let found = CertificateDer::pem_slice_iter(&std::fs::read(path)?).collect::<Result<Vec<_>, _>>();
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "there are none in it")),
    }
}

impl Tls {
    fn new(check: Check, trusted: Vec<CertificateDer<'static>>) -> Tls {
        let provider = Arc::new(ring::default_provider());
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(trusted.iter().cloned());
        let checker = Checker { check, roots, trusted, provider: provider.clone() };
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring knows both versions")
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(checker))
            .with_no_client_auth();
        Tls(Arc::new(config))
    }
}

/// Checks as much of a certificate as was asked for.
#[derive(Debug)]
struct Checker {
    check: Check,
    roots: RootCertStore,
    /// The same, as they were read: the database's own may be among them.
    trusted: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Checker {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if self.check >= Check::Issuer && !self.trusted.contains(own) {
            let algorithms = self.provider.signature_verification_algorithms.all;
            let own = ParsedCertificate::try_from(own)?;
            verify_server_cert_signed_by_trust_anchor(&own, &self.roots, intermediates, now, algorithms)?;
        }
        if self.check >= Check::Name {
            verify_server_name(&ParsedCertificate::try_from(own)?, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        own: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, own, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        own: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, own, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// What it means, in a sentence, that a connection could not be encrypted; `None` if that is not what happened.
pub(super) fn why(source: &(dyn Error + 'static)) -> Option<String> {
    use CertificateError::*;
    let error = source.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref::<rustls::Error>()?;
    let sentence = match error {
        // What else is wrong with a certificate is, nearly always, that it was signed by itself.
        rustls::Error::InvalidCertificate(UnknownIssuer | Other(_)) => "nobody who is trusted signed its certificate",
        rustls::Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. }) => {
            "its certificate is for another name"
        }
        rustls::Error::InvalidCertificate(Expired | ExpiredContext { .. }) => "its certificate has expired",
        error => return Some(format!("no encrypted connection came about: {error}")),
    };
    Some(sentence.to_owned())
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Encrypted;
    type TlsConnect = Handshake;
    type Error = rustls::pki_types::InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, Self::Error> {
        Ok(Handshake { config: self.0.clone(), name: ServerName::try_from(host)?.to_owned() })
    }
}

/// A connection that is to be encrypted.
pub(super) struct Handshake {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, stream: Socket) -> Self::Future {
        Box::pin(async move { TlsConnector::from(self.config).connect(self.name, stream).await.map(Encrypted) })
    }
}

/// A connection that is encrypted.
pub(super) struct Encrypted(client::TlsStream<Socket>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tls")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ours_is_taken_out_of_an_address_and_the_rest_stays() {
        let full =
            "postgres://ana:a?sslmode=b@db.example/games?sslmode=verify-full&options=-cx%3Dy&sslrootcert=%2Fa%20b";
        let (rest, mode, roots) = split(full);
        assert_eq!(rest, "postgres://ana:a?sslmode=b@db.example/games?options=-cx%3Dy");
        assert_eq!((mode.as_deref(), roots.as_deref()), (Some("verify-full"), Some("/a b")));
        let plain = "postgres://db.example/games";
        assert_eq!(split(plain), (plain.to_owned(), None, None));
        assert_eq!(split("postgres://db/g?sslmode=require").0, "postgres://db/g");
    }

    #[test]
    fn what_cannot_be_meant_is_said_in_a_sentence() {
        let modes = [("disable", SslMode::Disable), ("prefer", SslMode::Prefer), ("verify-full", SslMode::Require)];
        for (mode, means) in modes {
            let (config, _) = read(&format!("postgres://db/g?sslmode={mode}")).unwrap();
            assert_eq!(config.get_ssl_mode(), means, "{mode}");
        }
        let (usual, _) = read("postgres://db/g").unwrap();
        assert_eq!(usual.get_ssl_mode(), SslMode::Prefer);
        let error = |address: &str| read(address).err().unwrap();
        assert!(error("postgres://db/g?sslmode=perhaps").contains("verify-full"));
        assert!(error("postgres://db/g?sslmode=require&sslrootcert=/no/such/file").contains("/no/such/file"));
        let empty =
            concat!("postgres://db/g?sslmode=verify-ca&sslrootcert=", env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(error(empty).contains("there are none in it"));
    }
}

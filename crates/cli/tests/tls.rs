//! Programs that play on a server behind TLS: `https://` is used, and whoever is not who they should be is refused in a sentence.

mod common;

use common::{Server, outflank};
use serde_json::Value;
use std::{path::PathBuf, process::Output, sync::Arc};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    runtime::Runtime,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

fn certificate(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../store/tests/certificates").join(name)
}

/// Stands before a server, as a proxy does, and speaks TLS for it: its port.
fn front(runtime: &Runtime, server: &Server) -> u16 {
    let own = CertificateDer::from_pem_file(certificate("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(certificate("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own], key)
        .unwrap();
    let (tls, to) = (TlsAcceptor::from(Arc::new(config)), server.address.clone());
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let port = listener.local_addr().unwrap().port();
    runtime.spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let (tls, to) = (tls.clone(), to.clone());
            tokio::spawn(async move {
                let mut client = tls.accept(client).await?;
                copy_bidirectional(&mut client, &mut TcpStream::connect(to).await?).await
            });
        }
    });
    port
}

/// `outflank` where the issuer of the tests is trusted, and nobody else.
fn trusting(args: &[&str]) -> Output {
    outflank(args).env("SSL_CERT_FILE", certificate("issuer.pem")).output().unwrap()
}

fn sentence(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{output:?}");
    text
}

#[test]
fn games_are_played_over_an_encrypted_connection() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let runtime = Runtime::new().unwrap();
    let address = format!("https://localhost:{}", front(&runtime, &server));
    let played = trusting(&["load", "--games", "2", "--seconds", "1", "--json", "--server", &address]);
    assert!(played.status.success(), "{played:?}");
    let said: Value = serde_json::from_slice(&played.stdout).unwrap();
    assert_eq!(said["errors"], 0, "{said}");
    assert!(said["acknowledged"].as_u64() > Some(0), "{said}");
}

#[test]
fn whoever_is_not_who_they_should_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let runtime = Runtime::new().unwrap();
    let port = front(&runtime, &server);
    let bot = |host: &str| ["bot", "--token", "secret", "--server", host].map(str::to_owned);
    let refused = |host: &str, trust: bool, sentence_of_it: &str| {
        let args = bot(host);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = if trust { trusting(&args) } else { outflank(&args).output().unwrap() };
        let said = sentence(&output);
        assert!(said.contains(host) && said.contains(sentence_of_it) && !said.contains("secret"), "{said}");
    };
    refused(&format!("https://127.0.0.1:{port}"), true, "its certificate is for another name");
    refused(&format!("https://localhost:{port}"), false, "nobody whom this computer trusts signed its certificate");
    // What is not encrypted is not taken for it.
    refused(&format!("https://{}", server.address), true, "the connection could not be encrypted");
}

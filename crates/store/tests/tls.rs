//! Encrypted connections to PostgreSQL: what each `sslmode` promises, against a database behind TLS, and one that has none.

mod database;

use database::Schema;
use std::{path::PathBuf, sync::Arc};
use store::{OpenError, Postgres, Store};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
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
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/certificates").join(name)
}

/// Whoever shows the certificate `name`.
fn acceptor(name: &str) -> TlsAcceptor {
    let own = CertificateDer::from_pem_file(certificate(&format!("{name}.pem"))).unwrap();
    let key = PrivateKeyDer::from_pem_file(certificate(&format!("{name}.key"))).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

/// Stands before a database and speaks TLS for it, or says that it does not. Returns its port.
fn front(runtime: &Runtime, tls: Option<TlsAcceptor>, database: u16) -> u16 {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let port = listener.local_addr().unwrap().port();
    runtime.spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let tls = tls.clone();
            tokio::spawn(async move {
                // Eight bytes with which a client asks for TLS; S is yes, N is no.
                let mut asked = [0; 8];
                client.read_exact(&mut asked).await?;
                assert_eq!(asked[4..], [4, 210, 22, 47]);
                client.write_all(if tls.is_some() { b"S" } else { b"N" }).await?;
                match tls {
                    Some(tls) => {
                        let mut client = tls.accept(client).await?;
                        let mut server = TcpStream::connect(("127.0.0.1", database)).await?;
                        copy_bidirectional(&mut client, &mut server).await
                    }
                    None => {
                        let mut server = TcpStream::connect(("127.0.0.1", database)).await?;
                        copy_bidirectional(&mut client, &mut server).await
                    }
                }
            });
        }
    });
    port
}

/// Why a database cannot be opened.
fn refused(address: &str) -> String {
    match Postgres::open(address) {
        Err(OpenError::Unreachable { why, .. }) => why,
        other => panic!("{address}: {other:?}"),
    }
}

#[test]
fn whoever_is_not_who_was_asked_for_is_refused_in_a_sentence() {
    let runtime = Runtime::new().unwrap();
    // Nobody gets as far as the database.
    let [signed, own, plain] =
        [Some(acceptor("server")), Some(acceptor("own")), None].map(|tls| front(&runtime, tls, 1));
    let issuer = certificate("issuer.pem");
    let address = |host: &str, port: u16, mode: &str, roots: bool| {
        let roots = if roots { format!("&sslrootcert={}", issuer.display()) } else { String::new() };
        format!("postgres://ana:secret@{host}:{port}/games?sslmode={mode}{roots}")
    };
    let (name, issuer) = ("its certificate is for another name", "nobody who is trusted signed its certificate");
    assert_eq!(refused(&address("127.0.0.1", signed, "verify-full", true)), name);
    assert_eq!(refused(&address("localhost", signed, "verify-full", false)), issuer);
    for mode in ["verify-full", "verify-ca", "require"] {
        assert_eq!(refused(&address("localhost", own, mode, true)), issuer, "{mode}");
        let none = refused(&address("localhost", plain, mode, false));
        assert!(none.contains("server does not support TLS"), "{mode}: {none}");
    }
}

#[test]
fn games_are_kept_over_an_encrypted_connection() {
    let Some(schema) = Schema::new() else { return };
    let runtime = Runtime::new().unwrap();
    let keep = |host: &str, tls: Option<&str>, words: &str| {
        let port = front(&runtime, tls.map(acceptor), schema.port());
        let address = schema.address_by(port).replace("127.0.0.1", host);
        let store = Postgres::open(&format!("{address}&{words}")).unwrap_or_else(|error| panic!("{words}: {error}"));
        runtime.block_on(store.write(vec![room::Write::Alive { at: u64::from(port) }])).unwrap();
        assert_eq!(runtime.block_on(store.last_alive()), Ok(Some(u64::from(port))), "{words}");
    };
    let roots = |name: &str| format!("sslrootcert={}", certificate(name).display());
    keep("localhost", Some("server"), &format!("sslmode=verify-full&{}", roots("issuer.pem")));
    // A certificate that nobody else signed is trusted where it is named itself.
    keep("localhost", Some("own"), &format!("sslmode=verify-full&{}", roots("own.pem")));
    keep("127.0.0.1", Some("server"), &format!("sslmode=verify-ca&{}", roots("issuer.pem")));
    keep("127.0.0.1", Some("own"), "sslmode=require");
    keep("127.0.0.1", Some("own"), "sslmode=prefer");
    keep("127.0.0.1", None, "sslmode=prefer");
}

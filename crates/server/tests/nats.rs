//! A NATS server between two nodes that asks who they are, and one that is spoken to over TLS.

use room::Key;
use server::bus::{Bus, Event, Heard, Nats, NodeId};
use std::{
    env,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Stdio},
    time::Duration,
};
use tokio::time::timeout;

const LONG: Duration = Duration::from_secs(60);

/// A server of its own, ended with the test.
struct Server {
    child: Child,
    port: u16,
    /// Kept open: it ends when nobody can hear it.
    _said: BufReader<ChildStderr>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// `None`, which is said, where there is no NATS.
    fn start(options: &[&str]) -> Option<Server> {
        let paths = env::var("PATH").unwrap_or_default() + ":/usr/sbin";
        let Some(program) = env::split_paths(&paths).map(|path| path.join("nats-server")).find(|path| path.exists())
        else {
            let _ = writeln!(io::stderr(), "skipped: everything on a NATS server: it is not installed");
            return None;
        };
        let mut command = Command::new(program);
        command.args(["-a", "127.0.0.1", "-p", "-1"]).args(options);
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut port = None;
        // It says where it is, and then that it is ready.
        loop {
            let mut line = String::new();
            assert!(said.read_line(&mut line).unwrap() > 0, "the NATS server has ended");
            if let Some(found) = line.split("client connections on 127.0.0.1:").nth(1) {
                port = found.trim().parse().ok();
            }
            if line.contains("Server is ready") {
                break;
            }
        }
        Some(Server { child, _said: said, port: port.expect("a NATS server says where it listens") })
    }
}

/// Whether what one node says is heard by another.
async fn is_heard(address: &str) {
    let key = Key([7; 32]);
    let [one, other] = [Nats::connect(address, &key).await.unwrap(), Nats::connect(address, &key).await.unwrap()];
    // It is heard once both are connected, which each learns from the bus.
    let said = async {
        loop {
            one.say(NodeId(1), &Event::Lobby);
            if let Ok(Heard::Said { by, event }) = timeout(Duration::from_millis(50), other.hear()).await {
                return (by, event);
            }
        }
    };
    assert_eq!(timeout(LONG, said).await.unwrap(), (NodeId(1), Event::Lobby));
}

async fn refusal(address: &str) -> String {
    timeout(LONG, Nats::connect(address, &Key([7; 32]))).await.unwrap().unwrap_err().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_and_a_password_in_the_address_are_shown() {
    let Some(server) = Server::start(&["--user", "ana", "--pass", "a:b/c"]) else { return };
    let port = server.port;
    is_heard(&format!("nats://ana:a%3Ab%2Fc@127.0.0.1:{port}")).await;
    for bad in ["ana:wrong@", ""] {
        let said = refusal(&format!("nats://{bad}127.0.0.1:{port}")).await;
        assert!(said.contains("authorization violation") && !said.contains("wrong"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_in_the_address_is_shown() {
    let Some(server) = Server::start(&["--auth", "t0ken"]) else { return };
    is_heard(&format!("nats://t0ken@127.0.0.1:{}", server.port)).await;
    let said = refusal(&format!("nats://other@127.0.0.1:{}", server.port)).await;
    assert!(said.contains("authorization violation") && !said.contains("other"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_encrypted_bus_is_used_if_somebody_trusted_signed_its_certificate() {
    const BUS: &str = "OUTFLANK_TEST_ENCRYPTED_BUS";
    // Whom this machine trusts is read from the environment, so that somebody else has to be asked: this test, in another process.
    if let Ok(address) = env::var(BUS) {
        return is_heard(&address).await;
    }
    let certificate = |name: &str| -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/tests/certificates").join(name)
    };
    let (own, key) = (certificate("server.pem"), certificate("server.key"));
    let options = ["--tls", "--tlscert", own.to_str().unwrap(), "--tlskey", key.to_str().unwrap()];
    let Some(server) = Server::start(&options) else { return };
    let said = refusal(&format!("tls://ana:secret@localhost:{}", server.port)).await;
    assert!(
        said.starts_with("the bus cannot be used: ") && said.contains("certificate") && !said.contains("secret"),
        "{said}"
    );
    let again = Command::new(env::current_exe().unwrap())
        .args(["--exact", "an_encrypted_bus_is_used_if_somebody_trusted_signed_its_certificate"])
        .env(BUS, format!("tls://localhost:{}", server.port))
        .env("SSL_CERT_FILE", certificate("issuer.pem"))
        .output()
        .unwrap();
    assert!(again.status.success(), "{again:?}");
}

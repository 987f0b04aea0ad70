//! What faults happen to: nodes, and the database and the bus between them.

use crate::{common::outflank, wire::Wire};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    env, fs,
    io::{BufRead, BufReader},
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
};
use tempfile::TempDir;
use tokio_postgres::NoTls;

/// Where the games are.
#[derive(Clone)]
pub(crate) enum Place {
    Folder(PathBuf),
    Database { address: String, bus: String },
}

impl Place {
    /// The option that names it to `outflank load --check`.
    pub(crate) fn option(&self) -> [&str; 2] {
        match self {
            Place::Folder(folder) => ["--data", folder.to_str().unwrap()],
            Place::Database { address, .. } => ["--database", address],
        }
    }
}

/// A server process that is killed, stopped and started again at the same port.
pub(crate) struct Node {
    pub(crate) port: u16,
    pub(crate) wire: Wire,
    /// To the database, if there is one.
    pub(crate) database: Option<Wire>,
    /// Says how wrong the clock is that it goes by: that of its machine, or of the database.
    clock: PathBuf,
    place: Place,
    /// What is its own.
    folder: TempDir,
    child: Option<Child>,
}

impl Node {
    fn new(place: &Place, clock: &TempDir) -> Node {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = free.local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let clock = clock.path().join("wrong_by_ms");
        let (mut place, mut database) = (place.clone(), None);
        if let Place::Database { address, .. } = &mut place {
            let (to_host, rest) = address.split_once("@127.0.0.1:").expect("the database is on this machine");
            let (port, rest) = rest.split_once('/').unwrap();
            let wire = Wire::to(port.parse().unwrap());
            *address = format!("{to_host}@127.0.0.1:{}/{rest}", wire.port);
            database = Some(wire);
        }
        Node { port, wire: Wire::to(port), database, clock, place, folder, child: None }
    }

    /// Sets the clock under whoever goes by it, while they run.
    pub(crate) fn set_clock(&self, wrong_by_ms: i64) {
        fs::write(&self.clock, wrong_by_ms.to_string()).unwrap();
    }

    /// Starts it, and waits until it serves.
    pub(crate) fn start(&mut self) {
        let said = self.folder.path().join("said");
        let log = fs::File::options().create(true).append(true).open(&said).unwrap();
        let mut command = outflank(&["serve", "--no-open", "--listen", &format!("127.0.0.1:{}", self.port)]);
        command.env("OUTFLANK_TEST_CLOCK", &self.clock).stdout(Stdio::piped()).stderr(log);
        match &self.place {
            Place::Folder(folder) => command.arg("--data").arg(folder),
            Place::Database { address, bus } => {
                command.arg("--data").arg(self.folder.path()).args(["--database", address, "--bus", bus])
            }
        };
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        self.child = Some(child);
        assert!(line.contains("http://"), "it did not start: {line}{}", fs::read_to_string(said).unwrap_or_default());
    }

    /// `kill -9`
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Stops it where it stands, or lets it go on.
    pub(crate) fn freeze(&self, freeze: bool) {
        let pid = self.child.as_ref().and_then(|child| Pid::from_raw(child.id().try_into().unwrap()));
        kill_process(pid.unwrap(), if freeze { Signal::STOP } else { Signal::CONT }).unwrap();
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
        if thread::panicking() {
            eprintln!("a node said:\n{}", fs::read_to_string(self.folder.path().join("said")).unwrap_or_default());
        }
    }
}

/// All that serves, and what it stands on.
pub(crate) struct Servers {
    pub(crate) nodes: Vec<Node>,
    pub(crate) place: Place,
    /// Gone after the nodes.
    _ground: Ground,
    _clock: TempDir,
}

enum Ground {
    Folder(#[allow(dead_code, reason = "removed when it is dropped")] TempDir),
    Services(#[allow(dead_code, reason = "ended when it is dropped")] Services),
}

impl Servers {
    /// One node with its games in a folder.
    pub(crate) fn alone() -> Servers {
        let (folder, clock) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let place = Place::Folder(folder.path().to_owned());
        let nodes = vec![Node::new(&place, &clock)];
        Servers { nodes, place, _ground: Ground::Folder(folder), _clock: clock }
    }

    /// Two nodes over a database, by whose clock they go, and a bus; `None`, which is said, where there are none.
    pub(crate) fn two_nodes() -> Option<Servers> {
        let (Ok(database), Ok(bus)) = (env::var("OUTFLANK_TEST_POSTGRES"), env::var("OUTFLANK_TEST_NATS")) else {
            eprintln!("skipped: there is no database or no bus (scripts/services run …)");
            return None;
        };
        let services = Services::new(database);
        let place = Place::Database { address: services.address(), bus };
        let clock = tempfile::tempdir().unwrap();
        let nodes = vec![Node::new(&place, &clock), Node::new(&place, &clock)];
        Some(Servers { nodes, place, _ground: Ground::Services(services), _clock: clock })
    }
}

/// The database and the bus of all tests here, for one of them at a time: a schema of its own.
struct Services {
    database: String,
    schema: String,
    _alone: MutexGuard<'static, ()>,
}

impl Services {
    fn new(database: String) -> Services {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let schema = format!("faults_{}", std::process::id());
        let services = Services { database, schema, _alone: alone };
        services.run(&format!("CREATE SCHEMA {}", services.schema));
        services
    }

    fn address(&self) -> String {
        format!("{}?options=-csearch_path%3D{}", self.database, self.schema)
    }

    fn run(&self, sql: &str) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&self.database, NoTls).await.unwrap();
            tokio::spawn(connection);
            client.batch_execute(sql).await.unwrap();
        });
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        if thread::panicking() {
            // Whatever was stopped is there for the next test.
            for what in [["start", "postgres"], ["restart", "nats"]] {
                let _ = script(&what).stderr(Stdio::null()).status();
            }
        }
        self.run(&format!("DROP SCHEMA {} CASCADE", self.schema));
    }
}

fn script(args: &[&str]) -> Command {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/services");
    let mut command = Command::new(path);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// Does something to the database (`postgres`) or the bus (`nats`), and waits until it is done.
pub(crate) fn service(what: &str, name: &str) {
    let done = script(&[what, name]).status().unwrap();
    assert!(done.success(), "{what} {name}");
}

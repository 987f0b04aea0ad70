//! A place of its own in the database for each test: [`Schema`].

#![allow(dead_code, unreachable_pub)]

use std::{
    env,
    io::Write as _,
    sync::atomic::{AtomicU32, Ordering},
    thread,
};
use store::Postgres;
use tokio_postgres::{Config, NoTls, SimpleQueryMessage};

/// An empty schema, gone with the test.
pub struct Schema {
    server: String,
    name: String,
}

impl Schema {
    /// `None`, which is said, where the tests have no database.
    pub fn new() -> Option<Schema> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let Ok(server) = env::var("OUTFLANK_TEST_POSTGRES") else {
            let test = thread::current().name().unwrap_or_default().to_owned();
            let _ = writeln!(
                std::io::stderr(),
                "skipped: {test}: OUTFLANK_TEST_POSTGRES names no database (scripts/services run …)"
            );
            return None;
        };
        let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let schema = Schema { server, name };
        schema.run(&format!("CREATE SCHEMA {}", schema.name));
        Some(schema)
    }

    /// The address of the schema.
    pub fn address(&self) -> String {
        format!("{}?options=-csearch_path%3D{}", self.server, self.name)
    }

    /// The same, by way of another port of this machine.
    pub fn address_by(&self, port: u16) -> String {
        let config: Config = self.server.parse().unwrap();
        self.address().replace(&format!(":{}/", config.get_ports()[0]), &format!(":{port}/"))
    }

    /// The port of the database.
    pub fn port(&self) -> u16 {
        self.server.parse::<Config>().unwrap().get_ports()[0]
    }

    pub fn open(&self) -> Postgres {
        Postgres::open(&self.address()).unwrap()
    }

    /// Runs statements there, and says what the last one found in its first column.
    pub fn run(&self, sql: &str) -> Vec<String> {
        let (address, sql) = (self.address(), sql.to_owned());
        let run = async move {
            let (client, connection) = address.parse::<Config>().unwrap().connect(NoTls).await.unwrap();
            tokio::spawn(connection);
            let messages = client.simple_query(&sql).await.unwrap();
            let rows = messages.into_iter().filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or_default().to_owned()),
                _ => None,
            });
            rows.collect()
        };
        // Tests may be on a runtime of their own already.
        let ran =
            thread::spawn(|| tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(run));
        ran.join().unwrap()
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        self.run(&format!("DROP SCHEMA {} CASCADE", self.name));
    }
}

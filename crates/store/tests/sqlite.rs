//! SQLite keeps what every store promises.

mod suite;

use std::sync::Arc;
use store::{Sqlite, Store};

struct Folder(tempfile::TempDir);

impl suite::Place for Folder {
    fn open(&self) -> Arc<dyn Store> {
        Arc::new(Sqlite::open(self.0.path()).unwrap())
    }
}

store_suite!(Folder(tempfile::tempdir().unwrap()));

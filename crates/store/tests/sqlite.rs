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

store_suite!(Some(Folder(tempfile::tempdir().unwrap())));

#[tokio::test]
async fn what_administrators_did_stays_written() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path()).unwrap();
    let what = people::AdminAct::Lobby { open: true };
    let act = people::AccountChange::Audit { at: 1, who: table::PersonId(1), what };
    store.write(vec![room::Write::Account(Box::new(act))]).await.unwrap();
    drop(store);
    let file = rusqlite::Connection::open(folder.path().join("outflank.db")).unwrap();
    for sql in ["DELETE FROM audit", "UPDATE audit SET at = 2"] {
        assert!(file.execute(sql, []).is_err(), "{sql}");
    }
}

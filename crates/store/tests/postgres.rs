//! PostgreSQL keeps what every store promises.

mod database;
mod suite;

use database::Schema;
use std::sync::Arc;
use store::Store;

impl suite::Place for Schema {
    fn open(&self) -> Arc<dyn Store> {
        Arc::new(Schema::open(self))
    }
}

store_suite!(Schema::new());

#[tokio::test]
async fn all_who_use_a_database_go_by_its_clock() {
    let Some(schema) = Schema::new() else { return };
    let (here, there) = (schema.open(), schema.open());
    let mut last = here.clock().await.unwrap().unwrap();
    for store in [&there, &here, &there] {
        let now = store.clock().await.unwrap().unwrap();
        assert!(now >= last, "{now} after {last}");
        last = now;
    }
    let theirs = schema.run("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint");
    assert!(theirs[0].parse::<u64>().unwrap() >= last, "milliseconds since 1970");
}

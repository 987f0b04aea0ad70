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

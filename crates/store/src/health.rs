//! How a store is: [`Health`].

use crate::StoreError;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// What is known of a store's disk from the writes so far.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Why the last attempt to write failed; `None` while writing works.
    pub trouble: Option<Arc<str>>,
    /// Whether there are writes of which nobody can say yet if they are kept.
    pub unsettled: bool,
    /// When something last reached the disk.
    pub last_commit: Option<Instant>,
    /// How often something reached the disk.
    pub commits: u64,
    /// How many jobs that was: those that wait at the same time share a commit.
    pub jobs: u64,
    /// How long all of them took.
    pub all_took: Duration,
}

impl Health {
    /// Whether writing works, as far as is known.
    pub fn is_well(&self) -> bool {
        self.trouble.is_none() && !self.unsettled
    }

    /// Remembers how a transaction went: one result for each job, and why nobody can say what is kept, if so. It began at `began`.
    pub(crate) fn note(&mut self, results: &[Result<(), StoreError>], unsettled: Option<&Arc<str>>, began: Instant) {
        let trouble = results.iter().find_map(|result| match result {
            Err(StoreError::Full) => Some("the disk is full".into()),
            Err(StoreError::NotKept(why) | StoreError::Unknown(why)) => Some(why.clone()),
            _ => None,
        });
        if results.iter().any(Result::is_ok) {
            let now = Instant::now();
            self.last_commit = Some(now);
            self.commits += 1;
            self.jobs += results.len() as u64;
            self.all_took += now - began;
        }
        self.unsettled = unsettled.is_some();
        self.trouble = trouble.or(unsettled.cloned());
    }
}

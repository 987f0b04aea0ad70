//! Why a question or a step of a transaction was not answered as it should be: [`Failed`].

use super::tls;
use crate::StoreError;
use std::{error::Error as _, io, sync::Arc};
use tokio_postgres::{
    Error,
    error::{Severity, SqlState},
};

#[derive(Debug)]
pub(super) enum Failed {
    /// What the database says, or what happened to the connection.
    Database(Error),
    /// Nobody answered.
    NoAnswer,
    /// Another server uses the database.
    InUse,
    /// What stands there is not what it should be.
    Unreadable,
    /// The store is being closed.
    Closed,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed::Database(error)
    }
}

impl Failed {
    /// Whether the connection is gone, or could not be made: another one may do, now or later.
    pub(super) fn is_lost(&self) -> bool {
        match self {
            Failed::Database(error) => match error.as_db_error() {
                Some(said) => matches!(said.parsed_severity(), Some(Severity::Fatal | Severity::Panic)),
                None => error.is_closed() || error.source().is_some_and(|source| source.is::<io::Error>()),
            },
            Failed::NoAnswer | Failed::InUse => true,
            Failed::Unreadable | Failed::Closed => false,
        }
    }

    /// What the database calls it.
    pub(super) fn code(&self) -> Option<&SqlState> {
        match self {
            Failed::Database(error) => error.code(),
            _ => None,
        }
    }

    /// In words, for whoever looks after the server.
    pub(super) fn why(&self) -> Arc<str> {
        match self {
            Failed::Database(error) => match (error.as_db_error(), error.source()) {
                (Some(said), _) => said.message().into(),
                (None, Some(source)) => tls::why(source).unwrap_or_else(|| format!("{error}: {source}")).into(),
                (None, None) => error.to_string().into(),
            },
            Failed::NoAnswer => "the database does not answer".into(),
            Failed::InUse => "another server uses the database".into(),
            Failed::Unreadable => "what stands there is not what it should be".into(),
            Failed::Closed => "the store is closed".into(),
        }
    }

    /// As the answer to a question.
    pub(super) fn not_read(self) -> StoreError {
        match self {
            Failed::Unreadable => StoreError::Unreadable,
            Failed::Closed => StoreError::Closed,
            failed => StoreError::NotRead(failed.why()),
        }
    }

    /// As the answer to a write that is certainly not kept.
    pub(super) fn not_kept(&self) -> StoreError {
        match self.code() {
            Some(&SqlState::DISK_FULL) => StoreError::Full,
            Some(&SqlState::UNIQUE_VIOLATION) => StoreError::Conflict,
            _ => StoreError::NotKept(self.why()),
        }
    }
}

//! The Outflank server: tables made durable and shared.

#![forbid(unsafe_code)]

pub mod protocol;

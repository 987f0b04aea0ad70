//! What a page is told of the server when it comes.

use serde::{Deserialize, Serialize};
use table::{Preset, Rules};

/// The way in from the network, as one page sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DoorView {
    /// Whether other devices on the network get in.
    pub open: bool,
    /// Where, such as `http://192.168.1.20:8464`, the likeliest first. None while it is closed or there is no network.
    pub addresses: Vec<String>,
    /// Whether this page may open and close it.
    pub yours: bool,
}

/// A strength of the computer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Level {
    /// Its number: 1 is the weakest.
    pub level: u8,
    /// A word for it that the page translates, such as `club`.
    pub name: String,
}

/// Rules and what they are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedRules {
    /// The name.
    pub name: Preset,
    /// The rules.
    pub rules: Rules,
}

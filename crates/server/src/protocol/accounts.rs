//! Who has an account, and what a server is open for.

use people::{Account, Handle, Passkey, Scope, Token};
use serde::{Deserialize, Serialize};

/// Who looks at this page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Me {
    /// The name of their account; `null` for a guest.
    pub handle: Option<String>,
    /// Whether they own the server: then they may decide about it.
    pub owner: bool,
    /// Whether they are a program.
    pub bot: bool,
    /// Whether they have signed in here, and signing out makes them somebody else: not whoever is at the machine, who is its owner again.
    #[serde(default)]
    pub can_sign_out: bool,
}

/// What the server is open for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HouseView {
    /// Whether people meet in the lobby here. A household has none until its owner opens it.
    pub lobby: bool,
    /// Whether a guest may open an account.
    pub registration: bool,
    /// What the owner tells everyone.
    pub announcement: Option<String>,
}

/// An account, over HTTP.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccountView {
    /// Its name.
    #[cfg_attr(test, ts(type = "string"))]
    pub handle: Handle,
    /// Whether a program plays.
    pub bot: bool,
    /// Since when, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub made: u64,
}

impl AccountView {
    pub(crate) fn of(account: &Account) -> AccountView {
        AccountView { handle: account.handle.clone(), bot: account.bot, made: account.made }
    }
}

/// A browser in which someone has signed in, over HTTP.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionView {
    /// By which it is ended.
    pub id: String,
    /// What the browser calls itself.
    pub agent: String,
    /// Since when, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub made: u64,
    /// When it was last used, to the hour.
    #[cfg_attr(test, ts(type = "number"))]
    pub seen: u64,
    /// Whether it is this browser.
    pub here: bool,
}

/// A token, without its text, over HTTP.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TokenView {
    /// By which it is ended.
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// What it is good for.
    #[cfg_attr(test, ts(type = "(\"read\" | \"play\")[]"))]
    pub scopes: Vec<Scope>,
    /// Since when, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub made: u64,
    /// When it was last used, to the hour.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub seen: Option<u64>,
}

impl TokenView {
    pub(crate) fn of(token: &Token) -> TokenView {
        let Token { id, name, scopes, made, seen, .. } = token;
        TokenView { id: id.0.clone(), name: name.clone(), scopes: scopes.list(), made: *made, seen: *seen }
    }
}

/// A key on somebody's device by which they sign in, over HTTP.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PasskeyView {
    /// By which it is ended.
    pub id: String,
    /// What the browser in which it was made calls itself.
    pub agent: String,
    /// The origin of the page it is good for.
    pub site: String,
    /// Since when, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub made: u64,
    /// When it was last used.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub seen: Option<u64>,
}

impl PasskeyView {
    pub(crate) fn of(passkey: Passkey) -> PasskeyView {
        let Passkey { id, agent, site, made, seen, .. } = passkey;
        PasskeyView { id: id.0, agent, site, made, seen }
    }
}

//! What lets a program in: [`Token`] and its [`Scopes`].

use crate::SecretHash;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use table::{At, PersonId};

/// How many tokens one account has.
pub const MOST_TOKENS: usize = 20;

/// Every token begins so, for programs that look for secrets in what others publish.
pub const TOKEN_PREFIX: &str = "ofk_";

/// The name of a token, by which its owner ends it. It is no secret.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenId(pub String);

/// One thing that a token is good for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Seeing what its owner sees, and changing nothing.
    Read,
    /// Also whatever its owner may do at a table and in the lobby.
    Play,
}

/// What a token is good for: at least for reading.
///
/// ```
/// use people::{Scope, Scopes};
/// let play: Scopes = [Scope::Play].into_iter().collect();
/// assert!(play.allow(Scope::Play) && play.allow(Scope::Read), "whoever plays sees the board");
/// assert!(!Scopes::default().allow(Scope::Play));
/// assert_eq!(play.to_string().parse(), Ok(play));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scopes {
    play: bool,
}

/// The text names no scopes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a token is for read, or for read and play")]
pub struct ScopesError;

impl Scopes {
    /// Whether it is good for this.
    pub fn allow(self, scope: Scope) -> bool {
        match scope {
            Scope::Read => true,
            Scope::Play => self.play,
        }
    }

    /// All that it is good for.
    pub fn list(self) -> Vec<Scope> {
        [Scope::Read, Scope::Play].into_iter().filter(|scope| self.allow(*scope)).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Scopes {
        Scopes { play: scopes.into_iter().any(|scope| scope == Scope::Play) }
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.play { "read play" } else { "read" })
    }
}

impl FromStr for Scopes {
    type Err = ScopesError;

    fn from_str(text: &str) -> Result<Scopes, ScopesError> {
        match text {
            "read" => Ok(Scopes { play: false }),
            "read play" => Ok(Scopes { play: true }),
            _ => Err(ScopesError),
        }
    }
}

/// What lets a program in as somebody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// By which the program is known.
    pub secret: SecretHash,
    /// By which it is named.
    pub id: TokenId,
    /// As whom.
    pub who: PersonId,
    /// What its owner calls it.
    pub name: String,
    /// What it is good for.
    pub scopes: Scopes,
    /// Since when.
    pub made: At,
    /// When it was last used, to the hour.
    pub seen: Option<At>,
}

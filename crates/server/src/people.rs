//! Who is asking: the owner, or someone known by a secret of their own.
//!
//! The owner is whoever is at the machine on a plain start; on a server that was told a name or a proxy, whoever has opened the link
//! printed where it was started. Everyone else has a cookie. Their number follows from it, so that nothing need be kept of somebody
//! who only looks.

use crate::{
    House,
    caller::{Caller, bearer},
    entrance::Kind,
    secret,
};
use axum::{
    Extension,
    body::Bytes,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{AppendHeaders, IntoResponse, Response},
};
use people::Holder;
use room::{Key, Write};
use std::{fmt, io, sync::Arc};
use store::StoreError;
use table::PersonId;

/// The number of the owner.
pub(crate) const OWNER: PersonId = PersonId(1);

/// 26 characters of five bits: 130 bits that nobody guesses.
pub(crate) const SECRET: usize = 26;
/// As long as browsers keep a cookie; using it renews it.
const MAX_AGE: u32 = 400 * 24 * 60 * 60;

/// A person on a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Identity {
    /// Their number.
    pub(crate) who: PersonId,
    /// The hash of their cookie, as long as nothing of theirs is kept.
    unsaved: Option<[u8; 32]>,
}

impl Identity {
    pub(crate) const OWNER: Identity = Identity { who: OWNER, unsaved: None };

    /// What must be kept together with the first thing that is kept of this person.
    pub(crate) fn write(&self) -> Option<Write> {
        self.unsaved.map(|secret| Write::Person { who: self.who, secret })
    }
}

/// What makes someone the owner of a server that has a name or is behind a proxy. Only a hash of it is held.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct OwnerToken([u8; 32]);

impl OwnerToken {
    /// A fresh one, and its text for the owner's eyes: `/#owner=TEXT` is the link.
    ///
    /// ```
    /// let (text, token) = server::OwnerToken::fresh()?;
    /// assert_eq!(text.len(), 26);
    /// assert!(!format!("{token:?}").contains(&text));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the system has no randomness to give.
    pub fn fresh() -> io::Result<(String, OwnerToken)> {
        let text = secret::random(SECRET).map_err(io::Error::other)?;
        let token = OwnerToken(secret::hash(&text));
        Ok((text, token))
    }
}

impl fmt::Debug for OwnerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnerToken(..)")
    }
}

/// How the owner is known where being at the machine is not enough.
#[derive(Clone)]
pub(crate) struct OwnerProof {
    token: Option<OwnerToken>,
    /// What a browser that showed the token is given. It follows from the store's key: it holds after a restart.
    cookie: String,
}

impl OwnerProof {
    pub(crate) fn new(token: Option<OwnerToken>, key: &Key) -> OwnerProof {
        OwnerProof { token, cookie: secret::derived(&key.0, "owner", SECRET) }
    }

    fn is_token(&self, text: &str) -> bool {
        self.token.is_some_and(|token| token.0 == secret::hash(text))
    }
}

impl fmt::Debug for OwnerProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnerProof(..)")
    }
}

impl House {
    /// Who asks, and the cookies they have from now on: given to whoever has none, and renewed.
    pub(crate) async fn identify(
        &self,
        caller: &Caller,
        headers: &HeaderMap,
    ) -> Result<(Identity, Option<HeaderValue>), StoreError> {
        let shows_token = || caller.kind == Kind::Main && self.is_owner_token(headers);
        if caller.at_home || shows_token() || bearer(headers).is_some_and(|token| self.is_owner(caller, token)) {
            return Ok((Identity::OWNER, None));
        }
        let owner = Cookie { name: "outflank-owner", secure: caller.secure };
        if owner.find(headers).is_some_and(|value| caller.kind == Kind::Main && secret::same(value, &self.owner.cookie))
        {
            return Ok((Identity::OWNER, owner.set(&self.owner.cookie)));
        }
        if let Some(secret) = bearer(headers).filter(|secret| is_secret(secret)) {
            return Ok((self.known(secret).await?, None));
        }
        let cookie = Cookie { name: "outflank", secure: caller.secure };
        let secret = match cookie.find(headers).filter(|secret| is_secret(secret)) {
            Some(secret) => Some(secret),
            // Someone who came by http before and plays: they are who they were.
            None => match cookie.plain().find(headers).filter(|secret| is_secret(secret)) {
                Some(secret) if self.known(secret).await?.unsaved.is_none() => Some(secret),
                _ => None,
            },
        };
        let (secret, identity) = match secret {
            Some(secret) => (secret.to_owned(), self.known(secret).await?),
            None => {
                let fresh = secret::random(SECRET).map_err(|error| StoreError::NotRead(error.to_string().into()))?;
                let identity = unknown(secret::hash(&fresh));
                (fresh, identity)
            }
        };
        Ok((identity, cookie.set(&secret)))
    }

    /// Whether a token makes its bearer the owner. Nobody who comes in by the door is.
    fn is_owner(&self, caller: &Caller, token: &str) -> bool {
        caller.kind == Kind::Main && self.owner.is_token(token)
    }

    /// Whether the owner asks from another program on this machine, which has read the token beside the games.
    pub(crate) fn is_owner_token(&self, headers: &HeaderMap) -> bool {
        bearer(headers).is_some_and(|shown| secret::same(shown, &self.token))
    }

    /// The person with this secret.
    async fn known(&self, secret: &str) -> Result<Identity, StoreError> {
        let hash = secret::hash(secret);
        Ok(match self.store.holder(&hash).await? {
            Some(Holder::Guest(who)) => Identity { who, unsaved: None },
            _ => unknown(hash),
        })
    }
}

/// `POST /api/owner`, with the token: whoever has it becomes the owner in this browser.
pub(crate) async fn claim(
    State(house): State<Arc<House>>,
    Extension(caller): Extension<Caller>,
    token: Bytes,
) -> Response {
    let cookie = Cookie { name: "outflank-owner", secure: caller.secure };
    match std::str::from_utf8(&token) {
        Ok(token) if house.is_owner(&caller, token.trim()) => {
            let set = cookie.set(&house.owner.cookie).map(|cookie| (header::SET_COOKIE, cookie));
            (StatusCode::NO_CONTENT, AppendHeaders(set)).into_response()
        }
        _ => (StatusCode::FORBIDDEN, "This is not the owner's link of this server.\n").into_response(),
    }
}

/// Someone of whom nothing is kept. Their number follows from their secret and says nothing about it; it is positive and never
/// the owner's.
fn unknown(hash: [u8; 32]) -> Identity {
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    let who = PersonId((i64::from_be_bytes(first) & i64::MAX).max(2));
    Identity { who, unsaved: Some(hash) }
}

/// Whether a text could be a secret that this server gave.
fn is_secret(text: &str) -> bool {
    text.len() == SECRET && text.bytes().all(|byte| secret::ALPHABET.contains(&byte))
}

/// A cookie by its name. By https it has the prefix that keeps other sites of the same domain from setting it.
#[derive(Clone, Copy)]
struct Cookie {
    name: &'static str,
    secure: bool,
}

impl Cookie {
    /// The same cookie as it is by http.
    fn plain(self) -> Cookie {
        Cookie { secure: false, ..self }
    }

    fn find(self, headers: &HeaderMap) -> Option<&str> {
        let prefix = if self.secure { "__Host-" } else { "" };
        headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(name, _)| name.strip_prefix(prefix) == Some(self.name))
            .map(|(_, secret)| secret)
    }

    fn set(self, value: &str) -> Option<HeaderValue> {
        let (prefix, secure) = if self.secure { ("__Host-", "; Secure") } else { ("", "") };
        let name = self.name;
        let text = format!("{prefix}{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={MAX_AGE}{secure}");
        HeaderValue::from_str(&text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_follows_from_the_secret_and_is_never_the_owners() {
        let hash = secret::hash("0123456789abcdefghjkmnpqrs");
        assert_eq!(unknown(hash), unknown(hash));
        assert_ne!(unknown(hash).who, unknown(secret::hash("1123456789abcdefghjkmnpqrs")).who);
        for first in [[0, 0, 0, 0, 0, 0, 0, 1], [0x80, 0, 0, 0, 0, 0, 0, 1], [0; 8], [0xff; 8]] {
            let mut hash = [7; 32];
            hash[..8].copy_from_slice(&first);
            assert!(unknown(hash).who > OWNER);
        }
    }

    #[test]
    fn cookies_have_the_prefix_where_it_means_something() {
        let headers = |text: &str| HeaderMap::from_iter([(header::COOKIE, text.parse().unwrap())]);
        let (plain, secure) = (Cookie { name: "outflank", secure: false }, Cookie { name: "outflank", secure: true });
        let both = headers("a=b; outflank=x; __Host-outflank=y;outflank-owner=z");
        assert_eq!((plain.find(&both), secure.find(&both)), (Some("x"), Some("y")));
        assert_eq!(secure.find(&headers("outflank=x")), None, "another site of the domain could have set it");
        let set = secure.set("y").unwrap();
        assert!(set.to_str().unwrap().starts_with("__Host-outflank=y; Path=/; HttpOnly; SameSite=Lax; Max-Age="));
        assert!(set.to_str().unwrap().ends_with("; Secure"));
        assert!(!plain.set("x").unwrap().to_str().unwrap().contains("Secure"));
    }
}

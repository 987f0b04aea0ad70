//! Who is asking: the owner, or someone known by a secret of their own.
//!
//! The owner is whoever is at the machine on a plain start; on a server that was told a name or a proxy, whoever has opened the link
//! printed where it was started. Everyone else has a cookie. Their number follows from it, so that nothing need be kept of somebody
//! who only looks. A guest who opens an account keeps their number, and is known by the secrets of their sessions and tokens from then
//! on: the cookie they had as a guest is nobody's any more.
//!
//! A session goes before everything else: whoever has signed in is who they signed in as, at the machine too.

use crate::{
    House,
    accounts::with_cookies,
    caller::{Caller, bearer},
    entrance::Kind,
    http::{self, Problem},
    protocol::Me,
    secret,
    sessions::SEEN,
};
use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use people::{Account, AccountChange, Holder, Scope, SecretHash, Session, TOKEN_PREFIX, Token};
use room::{Key, Write};
use std::{
    fmt, io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use store::StoreError;
use table::PersonId;

/// The number of the owner.
pub(crate) const OWNER: PersonId = PersonId(1);

/// 26 characters of five bits: 130 bits that nobody guesses.
pub(crate) const SECRET: usize = 26;
/// As long as browsers keep a cookie; using it renews it.
const MAX_AGE: u32 = 400 * 24 * 60 * 60;

/// A person on a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Identity {
    /// Their number.
    pub(crate) who: PersonId,
    /// The hash of their cookie, as long as nothing of theirs is kept.
    unsaved: Option<SecretHash>,
    /// The hash of the secret they are known by; `None` for the owner who is at the machine or shows the owner's token each time.
    secret: Option<SecretHash>,
    /// Their account, and what let them in to it.
    signed_in: Option<Arc<(Account, By)>>,
}

/// What lets someone in to their account.
#[derive(Clone, PartialEq, Eq, Debug)]
enum By {
    /// Their browser.
    Session(Session),
    /// Their program.
    Token(Token),
    /// Being the owner.
    Owner,
}

impl Identity {
    pub(crate) const OWNER: Identity = Identity { who: OWNER, unsaved: None, secret: None, signed_in: None };

    fn guest(who: PersonId, secret: SecretHash) -> Identity {
        Identity { who, unsaved: None, secret: Some(secret), signed_in: None }
    }

    fn signed_in(account: Account, by: By, secret: Option<SecretHash>) -> Identity {
        Identity { who: account.who, unsaved: None, secret, signed_in: Some(Arc::new((account, by))) }
    }

    /// What must be kept together with the first thing that is kept of this person.
    pub(crate) fn write(&self) -> Option<Write> {
        self.unsaved.map(|secret| Write::Person { who: self.who, secret })
    }

    /// The hash of the secret that let them in, if one did.
    pub(crate) fn secret(&self) -> Option<SecretHash> {
        self.secret
    }

    /// Their account, if they have one and are signed in to it.
    pub(crate) fn account(&self) -> Option<&Account> {
        self.signed_in.as_deref().map(|(account, _)| account)
    }

    /// The session that let them in, if one did.
    pub(crate) fn session(&self) -> Option<&Session> {
        match self.signed_in.as_deref() {
            Some((_, By::Session(session))) => Some(session),
            _ => None,
        }
    }

    /// The token that let them in, if one did.
    pub(crate) fn token(&self) -> Option<&Token> {
        match self.signed_in.as_deref() {
            Some((_, By::Token(token))) => Some(token),
            _ => None,
        }
    }

    /// Whether they may do this: people may do all, programs what their token is for.
    pub(crate) fn may(&self, scope: Scope) -> bool {
        self.token().is_none_or(|token| token.scopes.allow(scope))
    }

    /// What their page is told of them.
    pub(crate) fn me(&self) -> Me {
        // A secret is in a browser's cookie, which signing out takes away.
        Me {
            handle: self.account().map(|account| account.handle.as_str().to_owned()),
            owner: self.who == OWNER,
            bot: self.account().is_some_and(|account| account.bot),
            leaves: self.secret.is_some() && self.token().is_none(),
        }
    }
}

/// Why it cannot be said who asks.
#[derive(Debug)]
pub(crate) enum IdentifyError {
    /// The accounts cannot be read.
    Store(StoreError),
    /// The token is not good, or no longer.
    BadToken,
}

impl From<StoreError> for IdentifyError {
    fn from(error: StoreError) -> IdentifyError {
        IdentifyError::Store(error)
    }
}

impl From<IdentifyError> for Problem {
    fn from(error: IdentifyError) -> Problem {
        match error {
            IdentifyError::Store(error) => error.into(),
            IdentifyError::BadToken => {
                Problem::new(StatusCode::UNAUTHORIZED, "bad_token", "the token is not good, or no longer")
            }
        }
    }
}

impl IntoResponse for IdentifyError {
    fn into_response(self) -> Response {
        Problem::from(self).into_response()
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
pub(crate) struct OwnerProof {
    token: Option<OwnerToken>,
    key: Key,
    /// How often it was taken from all browsers.
    ended: AtomicU64,
}

impl OwnerProof {
    pub(crate) fn new(token: Option<OwnerToken>, key: Key) -> OwnerProof {
        OwnerProof { token, key, ended: AtomicU64::new(0) }
    }

    /// What a browser that showed the token is given. It follows from the store's key: it holds after a restart, until the owner takes it
    /// from all browsers.
    fn cookie(&self) -> String {
        let purpose = match self.ended.load(Ordering::Relaxed) {
            0 => "owner".to_owned(),
            ended => format!("owner {ended}"),
        };
        secret::derived(&self.key.0, &purpose, SECRET)
    }

    /// It was taken from all browsers so often.
    pub(crate) fn has_ended(&self, times: u64) {
        self.ended.store(times, Ordering::Relaxed);
    }

    /// Whether this is the hash of what browsers are given now.
    pub(crate) fn is_cookie(&self, hash: &SecretHash) -> bool {
        *hash == secret::hash(&self.cookie())
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
    ) -> Result<(Identity, Option<HeaderValue>), IdentifyError> {
        if let Some(shown) = bearer(headers) {
            if (caller.kind == Kind::Main && secret::same(shown, &self.token)) || self.is_owner(caller, shown) {
                return Ok((self.as_owner().await?, None));
            }
            if shown.starts_with(TOKEN_PREFIX) {
                return Ok((self.by_token(shown).await?, None));
            }
            if is_secret(shown) && !caller.at_home {
                let known = self.known(shown, caller).await?.ok_or(IdentifyError::BadToken)?;
                return Ok((known, None));
            }
        }
        if let Some(secret) = Cookie::session(caller).find(headers).filter(|secret| is_secret(secret))
            && let Some(identity) = self.known(secret, caller).await?.filter(|known| known.session().is_some())
        {
            return Ok((identity, None));
        }
        if caller.at_home {
            return Ok((self.as_owner().await?, None));
        }
        let owner = Cookie::owner(caller);
        if let Some(value) = owner.find(headers).filter(|_| caller.kind == Kind::Main)
            && secret::same(value, &self.owner.cookie())
        {
            let identity = Identity { secret: Some(secret::hash(value)), ..self.as_owner().await? };
            return Ok((identity, owner.set(value)));
        }
        let cookie = Cookie { name: "outflank", secure: caller.secure };
        let mut found = None;
        // The second is of someone who came by http before and plays: they are who they were.
        for (cookie, renewed) in [(cookie, true), (cookie.plain(), false)] {
            let Some(secret) = cookie.find(headers).filter(|secret| is_secret(secret)) else { continue };
            // A session's secret in the guest's cookie lets nobody in, and neither does that of a guest who has an account since.
            let guest = self.known(secret, caller).await?.filter(|known| known.account().is_none());
            if let Some(guest) = guest.filter(|guest| renewed || guest.unsaved.is_none()) {
                found = Some((secret.to_owned(), guest));
                break;
            }
        }
        let (secret, identity) = match found {
            Some(found) => found,
            None => {
                let fresh = secret::random(SECRET).map_err(|error| StoreError::NotRead(error.to_string().into()))?;
                let identity = unknown(secret::hash(&fresh));
                (fresh, identity)
            }
        };
        Ok((identity, cookie.set(&secret)))
    }

    /// What makes a browser the owner's from now on.
    pub(crate) fn owner_cookie(&self, caller: &Caller) -> Option<HeaderValue> {
        Cookie::owner(caller).set(&self.owner.cookie())
    }

    /// The owner, who may have an account as well.
    async fn as_owner(&self) -> Result<Identity, StoreError> {
        let account = self.store.account(OWNER).await?;
        Ok(account.map_or(Identity::OWNER, |account| Identity::signed_in(account, By::Owner, None)))
    }

    /// The program that shows this token.
    async fn by_token(&self, shown: &str) -> Result<Identity, IdentifyError> {
        let (hash, now) = (secret::hash(shown), self.time.now());
        let Some(Holder::Token(account, token)) = self.store.holder(&hash).await? else {
            return Err(IdentifyError::BadToken);
        };
        if account.is_suspended(now) {
            return Err(IdentifyError::BadToken);
        }
        if token.seen.is_none_or(|seen| now.saturating_sub(seen) >= SEEN) {
            // If it cannot be kept, the next time it is tried again.
            let _ = self.change([AccountChange::TokenSeen { secret: hash, at: now }]).await;
        }
        Ok(Identity::signed_in(*account, By::Token(*token), Some(hash)))
    }

    /// Whether a token makes its bearer the owner. Nobody who comes in by the door is.
    fn is_owner(&self, caller: &Caller, token: &str) -> bool {
        caller.kind == Kind::Main && self.owner.is_token(token)
    }

    /// Whether the owner asks from another program on this machine, which has read the token beside the games.
    pub(crate) fn is_owner_token(&self, headers: &HeaderMap) -> bool {
        bearer(headers).is_some_and(|shown| secret::same(shown, &self.token))
    }

    /// The person with this secret, a guest's or a session's; `None` if it is good no more.
    async fn known(&self, secret: &str, caller: &Caller) -> Result<Option<Identity>, StoreError> {
        let (hash, now) = (secret::hash(secret), self.time.now());
        Ok(match self.store.holder(&hash).await? {
            None => Some(unknown(hash)),
            Some(Holder::Guest(who)) => Some(Identity::guest(who, hash)),
            Some(Holder::FormerGuest | Holder::Token(..)) => None,
            // Nobody who comes in by the door is the owner, not even with the owner's password.
            Some(Holder::Session(account, _)) if account.who == OWNER && caller.kind == Kind::Door => None,
            Some(Holder::Session(account, session)) if session.is_over(now) || account.is_suspended(now) => None,
            Some(Holder::Session(account, session)) => {
                if now.saturating_sub(session.seen) >= SEEN {
                    // If it cannot be kept, the next time it is tried again.
                    let _ = self.change([AccountChange::SessionSeen { secret: hash, at: now }]).await;
                }
                Some(Identity::signed_in(*account, By::Session(*session), Some(hash)))
            }
        })
    }
}

/// `POST /api/owner`, with the token: whoever has it becomes the owner in this browser.
pub(crate) async fn claim(
    State(house): State<Arc<House>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Response {
    let token = match http::body(request, &house).await {
        Ok(token) => token,
        Err(problem) => return problem.into_response(),
    };
    match std::str::from_utf8(&token) {
        Ok(token) if house.is_owner(&caller, token.trim()) => {
            with_cookies(StatusCode::NO_CONTENT.into_response(), house.owner_cookie(&caller))
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
    Identity { unsaved: Some(hash), ..Identity::guest(who, hash) }
}

/// Whether a text could be a secret that this server gave.
fn is_secret(text: &str) -> bool {
    text.len() == SECRET && text.bytes().all(|byte| secret::ALPHABET.contains(&byte))
}

/// A cookie by its name. By https it has the prefix that keeps other sites of the same domain from setting it.
#[derive(Clone, Copy)]
pub(crate) struct Cookie {
    name: &'static str,
    secure: bool,
}

impl Cookie {
    /// The cookie of a browser in which someone has signed in.
    pub(crate) fn session(caller: &Caller) -> Cookie {
        Cookie { name: "outflank-session", secure: caller.secure }
    }

    /// The cookie of a browser in which the owner's link was opened.
    pub(crate) fn owner(caller: &Caller) -> Cookie {
        Cookie { name: "outflank-owner", secure: caller.secure }
    }

    /// The cookie of a browser that has asked for a passkey to be made or used.
    pub(crate) fn passkey(caller: &Caller) -> Cookie {
        Cookie { name: "outflank-passkey", secure: caller.secure }
    }

    /// The same cookie as it is by http.
    fn plain(self) -> Cookie {
        Cookie { secure: false, ..self }
    }

    pub(crate) fn find(self, headers: &HeaderMap) -> Option<&str> {
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
        self.set_for(value, MAX_AGE)
    }

    /// The cookie for so many seconds; none takes it away.
    pub(crate) fn set_for(self, value: &str, seconds: u32) -> Option<HeaderValue> {
        let (prefix, secure) = if self.secure { ("__Host-", "; Secure") } else { ("", "") };
        let name = self.name;
        let text = format!("{prefix}{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
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

//! Who is asking: the owner, or someone known by a secret of their own.
//!
//! The owner is whoever is at the machine on a plain start; on a server that was told a name or a proxy, whoever has opened the link
//! printed where it was started, and has a session by it. Everyone else has a cookie. Their number follows from it, so that nothing need be kept of somebody
//! who only looks. A guest who opens an account keeps their number, and is known by the secrets of their sessions and tokens from then
//! on: the cookie they had as a guest is nobody's any more.
//!
//! A session goes before everything else: whoever has signed in is who they signed in as, at the machine too.

use crate::{
    House,
    accounts::{Reply, with_cookies},
    caller::{Caller, bearer},
    entrance::Kind,
    http::{self, Problem},
    protocol::Me,
    secret,
    sessions::{Beginning, SEEN},
};
use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use people::{Account, AccountChange, Holder, Scope, SecretHash, Session, TOKEN_PREFIX, Token};
use room::Write;
use std::{
    fmt, io,
    sync::{Arc, OnceLock},
};
use store::StoreError;
use table::PersonId;

pub(crate) use people::OWNER;

/// 26 characters of five bits: 130 bits that nobody guesses.
pub(crate) const SECRET: usize = 26;
/// As long as browsers keep a cookie; using it renews it.
const MAX_AGE: u32 = 400 * 24 * 60 * 60;

/// A person on a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Identity {
    /// Their number.
    pub(crate) who: PersonId,
    /// What says who they are.
    by: By,
    /// Their account, if they have one.
    account: Option<Arc<Account>>,
    /// Whether they are at the machine, of a server whose owner that makes them: who signs out is the owner again.
    at_home: bool,
}

/// What says who someone is.
#[derive(Clone, PartialEq, Eq, Debug)]
enum By {
    /// Being at the machine, or having read the token that lies beside the games: nothing takes that away.
    Machine,
    /// The owner's link, shown each time.
    OwnerLink,
    /// The cookie of a browser in which nobody has signed in.
    Guest {
        secret: SecretHash,
        /// Whether anything of theirs is kept.
        kept: bool,
    },
    /// A browser in which they signed in, or opened the owner's link.
    Session(Arc<Session>),
    /// Their program.
    Token(Arc<Token>),
}

impl Identity {
    pub(crate) const OWNER: Identity = Identity { who: OWNER, by: By::Machine, account: None, at_home: true };

    fn new(who: PersonId, by: By, account: Option<Account>) -> Identity {
        Identity { who, by, account: account.map(Arc::new), at_home: false }
    }

    /// What must be kept together with the first thing that is kept of this person.
    pub(crate) fn write(&self) -> Option<Write> {
        match self.by {
            By::Guest { secret, kept: false } => Some(Write::Person { who: self.who, secret }),
            _ => None,
        }
    }

    /// The hash of the secret that let them in, if one did.
    pub(crate) fn secret(&self) -> Option<SecretHash> {
        match &self.by {
            By::Machine | By::OwnerLink => None,
            By::Guest { secret, .. } => Some(*secret),
            By::Session(session) => Some(session.secret),
            By::Token(token) => Some(token.secret),
        }
    }

    /// Whether what let them in can be taken away, or become somebody else's.
    pub(crate) fn can_end(&self) -> bool {
        self.by != By::Machine
    }

    /// Whether they are the owner, and at the machine or a program there: only they know what network it is in.
    pub(crate) fn is_owner_at_machine(&self) -> bool {
        self.who == OWNER && (self.at_home || self.by == By::Machine)
    }

    /// Whether they show the owner's link each time.
    pub(crate) fn is_by_link(&self) -> bool {
        self.by == By::OwnerLink
    }

    /// Whether they are known by the cookie of a browser alone.
    pub(crate) fn is_guest(&self) -> bool {
        matches!(self.by, By::Guest { .. })
    }

    /// Their account, if they have one and are signed in to it.
    pub(crate) fn account(&self) -> Option<&Account> {
        self.account.as_deref()
    }

    /// The session that let them in, if one did.
    pub(crate) fn session(&self) -> Option<&Session> {
        match &self.by {
            By::Session(session) => Some(session),
            _ => None,
        }
    }

    /// The token that let them in, if one did.
    pub(crate) fn token(&self) -> Option<&Token> {
        match &self.by {
            By::Token(token) => Some(token),
            _ => None,
        }
    }

    /// Whether they may do this: people may do all, programs what their token is for.
    pub(crate) fn may(&self, scope: Scope) -> bool {
        self.token().is_none_or(|token| token.scopes.allow(scope))
    }

    /// What their page is told of them.
    pub(crate) fn me(&self) -> Me {
        Me {
            handle: self.account().map(|account| account.handle.as_str().to_owned()),
            owner: self.who == OWNER,
            bot: self.account().is_some_and(|account| account.bot),
            can_sign_out: self.session().is_some() && !(self.at_home && self.who == OWNER),
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

/// The link that was printed where this server started.
pub(crate) struct OwnerLink {
    token: Option<OwnerToken>,
    /// [`Settings::owner_ended`](people::Settings) when it was printed.
    printed: OnceLock<u64>,
}

impl OwnerLink {
    pub(crate) fn new(token: Option<OwnerToken>) -> OwnerLink {
        OwnerLink { token, printed: OnceLock::new() }
    }

    /// It is good until this number is another.
    pub(crate) fn is_printed(&self, owner_ended: u64) {
        self.printed.get_or_init(|| owner_ended);
    }

    fn is_token(&self, text: &str) -> bool {
        self.token.is_some_and(|token| token.0 == secret::hash(text))
    }
}

impl fmt::Debug for OwnerLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnerLink(..)")
    }
}

impl House {
    /// Who asks, and the cookies they have from now on: given to whoever has none, and renewed.
    pub(crate) async fn identify(
        &self,
        caller: &Caller,
        headers: &HeaderMap,
    ) -> Result<(Identity, Option<HeaderValue>), IdentifyError> {
        let (identity, cookie) = self.recognize(caller, headers).await?;
        Ok((Identity { at_home: caller.at_home, ..identity }, cookie))
    }

    async fn recognize(
        &self,
        caller: &Caller,
        headers: &HeaderMap,
    ) -> Result<(Identity, Option<HeaderValue>), IdentifyError> {
        if let Some(shown) = bearer(headers) {
            if caller.kind == Kind::Main && secret::same(shown, &self.token) {
                return Ok((self.as_owner(By::Machine).await?, None));
            }
            if self.is_owner_link(caller, shown).await? {
                return Ok((self.as_owner(By::OwnerLink).await?, None));
            }
            if shown.starts_with(TOKEN_PREFIX) {
                return Ok((self.by_token(shown).await?, None));
            }
            if is_secret(shown) && !caller.at_home {
                let known = self.known(shown, caller).await?.ok_or(IdentifyError::BadToken)?;
                return Ok((known, None));
            }
        }
        if let Some(identity) = self.session_in(Cookie::session(caller), caller, headers).await? {
            return Ok((identity, None));
        }
        if caller.at_home {
            return Ok((self.as_owner(By::Machine).await?, None));
        }
        let owner = self.session_in(Cookie::owner(caller), caller, headers).await?;
        if let Some(owner) = owner.filter(|known| known.who == OWNER) {
            return Ok((owner, None));
        }
        // By https only the cookie that no other site of the domain can set: whoever planted theirs would see what its finder does.
        let cookie = Cookie { name: "outflank", secure: caller.secure };
        let shown = cookie.find(headers).filter(|secret| is_secret(secret));
        let known = match shown {
            Some(secret) => self.known(secret, caller).await?,
            None => None,
        };
        // A session's secret in the guest's cookie lets nobody in, and neither does that of a guest who has an account since.
        let (secret, identity) = match (shown, known.filter(Identity::is_guest)) {
            (Some(secret), Some(guest)) => (secret.to_owned(), guest),
            _ => {
                let fresh = secret::random(SECRET).map_err(|error| StoreError::NotRead(error.to_string().into()))?;
                let identity = unknown(secret::hash(&fresh));
                (fresh, identity)
            }
        };
        Ok((identity, cookie.set(&secret)))
    }

    /// Who has signed in by the secret in this cookie.
    pub(crate) async fn session_in(
        &self,
        cookie: Cookie,
        caller: &Caller,
        headers: &HeaderMap,
    ) -> Result<Option<Identity>, StoreError> {
        let Some(secret) = cookie.find(headers).filter(|secret| is_secret(secret)) else { return Ok(None) };
        Ok(self.known(secret, caller).await?.filter(|known| known.session().is_some()))
    }

    /// The owner, who may have an account as well.
    async fn as_owner(&self, by: By) -> Result<Identity, StoreError> {
        Ok(Identity::new(OWNER, by, self.store.account(OWNER).await?))
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
        Ok(Identity::new(account.who, By::Token(token.into()), Some(*account)))
    }

    /// Whether this is the token of the owner's link, and the link good. Nobody who comes in by the door is the owner.
    async fn is_owner_link(&self, caller: &Caller, token: &str) -> Result<bool, StoreError> {
        Ok(caller.kind == Kind::Main && self.owner_link.is_token(token) && self.is_owner_link_good().await?)
    }

    /// Whether the owner has not ended the link since it was printed, here or at another node.
    pub(crate) async fn is_owner_link_good(&self) -> Result<bool, StoreError> {
        let ended = self.store.settings().await?.owner_ended;
        Ok(self.owner_link.printed.get() == Some(&ended))
    }

    /// Whether the owner asks from another program on this machine, which has read the token beside the games.
    pub(crate) fn is_owner_token(&self, headers: &HeaderMap) -> bool {
        bearer(headers).is_some_and(|shown| secret::same(shown, &self.token))
    }

    /// The person with this secret, a guest's or a session's; `None` if it is good no more.
    async fn known(&self, secret: &str, caller: &Caller) -> Result<Option<Identity>, StoreError> {
        let (hash, now) = (secret::hash(secret), self.time.now());
        let (account, session) = match self.store.holder(&hash).await? {
            // A number has 63 bits, and there are many people: whoever tries long enough finds a secret from which somebody's follows. It
            // makes nobody of them.
            None => {
                let stranger = unknown(hash);
                let taken = self.store.is_someone(stranger.who).await?;
                return Ok((!taken).then_some(stranger));
            }
            Some(Holder::Guest(who)) => {
                return Ok(Some(Identity::new(who, By::Guest { secret: hash, kept: true }, None)));
            }
            Some(Holder::FormerGuest | Holder::Token(..)) => return Ok(None),
            Some(Holder::Session(account, session)) => (Some(*account), session),
            Some(Holder::OwnerSession(session)) => (None, session),
        };
        // Nobody who comes in by the door is the owner, not even with the owner's password.
        if session.who == OWNER && caller.kind == Kind::Door
            || session.is_over(now)
            || account.as_ref().is_some_and(|account| account.is_suspended(now))
        {
            return Ok(None);
        }
        if now.saturating_sub(session.seen) >= SEEN {
            // If it cannot be kept, the next time it is tried again.
            let _ = self.change([AccountChange::SessionSeen { secret: hash, at: now }]).await;
        }
        Ok(Some(Identity::new(session.who, By::Session(session.into()), account)))
    }
}

/// `POST /api/owner`, with the token: whoever has it becomes the owner in this browser.
pub(crate) async fn claim(
    State(house): State<Arc<House>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Reply {
    let headers = request.headers().clone();
    let token = http::body(request, &house).await?;
    let token = std::str::from_utf8(&token).unwrap_or_default().trim();
    if !house.is_owner_link(&caller, token).await? {
        let text = "This is not the owner's link of this server, or not any more.\n";
        return Ok((StatusCode::FORBIDDEN, text).into_response());
    }
    let Beginning { session, cookie } = house.begin_owner_session(&caller, &headers)?;
    house.change([AccountChange::SignIn(session)]).await?;
    house.end_session_in(Cookie::owner(&caller), &caller, &headers).await;
    Ok(with_cookies(StatusCode::NO_CONTENT.into_response(), Some(cookie)))
}

/// Someone of whom nothing is kept. Their number follows from their secret and says nothing about it; it is positive and never
/// the owner's.
fn unknown(hash: [u8; 32]) -> Identity {
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    let who = PersonId((i64::from_be_bytes(first) & i64::MAX).max(2));
    Identity::new(who, By::Guest { secret: hash, kept: false }, None)
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

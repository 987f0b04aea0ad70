//! Browsers in which someone has signed in: how one begins, and that a page is closed when what let it in is good no more ([`SignedPages`]).

use crate::{
    House,
    bus::Event,
    caller::Caller,
    http::Problem,
    people::{Cookie, Identity, OWNER, SECRET},
    secret,
};
use axum::http::{HeaderMap, HeaderValue, header};
use people::{AccountChange, Holder, Session, SessionId};
use room::Write;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use store::StoreError;
use table::{At, PersonId};
use tokio::sync::Notify;

/// When a session or a token was last used is kept to the hour: a page that is looked at writes nothing.
pub(crate) const SEEN: At = 60 * 60 * 1000;

/// How much of what a browser calls itself is kept, in bytes.
const AGENT: usize = 200;

/// A session that begins: what is kept, and what the browser is given.
#[derive(Debug)]
pub(crate) struct Beginning {
    pub(crate) session: Session,
    pub(crate) cookie: HeaderValue,
}

/// What a browser calls itself.
pub(crate) fn agent(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    // Letters of ASCII alone come through `to_str`: every byte is one.
    agent.chars().take(AGENT).collect()
}

impl House {
    /// A session for `who`, with a secret that nobody has seen before.
    pub(crate) fn begin_session(
        &self,
        who: PersonId,
        caller: &Caller,
        headers: &HeaderMap,
    ) -> Result<Beginning, Problem> {
        self.begin_session_in(who, Cookie::session(caller), headers)
    }

    /// A session for the owner by the printed link, in a cookie of its own: whoever signs in and out beside it leaves the browser the owner's.
    pub(crate) fn begin_owner_session(&self, caller: &Caller, headers: &HeaderMap) -> Result<Beginning, Problem> {
        self.begin_session_in(OWNER, Cookie::owner(caller), headers)
    }

    fn begin_session_in(&self, who: PersonId, cookie: Cookie, headers: &HeaderMap) -> Result<Beginning, Problem> {
        let (fresh, id) = (secret::random(SECRET)?, secret::random(12)?);
        let now = self.time.now();
        let agent = agent(headers);
        let session = Session { secret: secret::hash(&fresh), id: SessionId(id), who, made: now, seen: now, agent };
        let age = (people::SESSION_LONGEST / 1000).try_into().unwrap_or(u32::MAX);
        let cookie = cookie.set_for(&fresh, age).ok_or_else(Problem::busy)?;
        Ok(Beginning { session, cookie })
    }

    /// Keeps changes to accounts, all or none.
    pub(crate) async fn change(&self, changes: impl IntoIterator<Item = AccountChange>) -> Result<(), StoreError> {
        self.keep(changes.into_iter().map(|change| Write::Account(Box::new(change))).collect()).await
    }

    /// Something that let `who` in may be good no more: pages that it let in are closed, here and at other nodes.
    pub(crate) async fn recheck(&self, who: PersonId) {
        self.say(&Event::SignedOut { who });
        self.close_pages_of(who).await;
    }

    /// Closes the pages of `who` at this node that nothing lets in any more.
    pub(crate) async fn close_pages_of(&self, who: PersonId) {
        for (identity, ended) in self.signed.of(who) {
            // While nobody can say, it stays as it is: it is looked at again.
            if self.is_good(&identity).await == Ok(false) {
                ended.notify_one();
            }
        }
    }

    /// Looks at all who are here: sessions end by time too, and another server may have ended one, unheard.
    pub(crate) async fn recheck_all(&self) {
        for who in self.signed.everyone() {
            self.close_pages_of(who).await;
        }
    }

    /// Whether what let someone in still does.
    pub(crate) async fn is_good(&self, identity: &Identity) -> Result<bool, StoreError> {
        let Some(secret) = identity.secret() else {
            return Ok(!identity.is_by_link() || self.is_owner_link_good().await?);
        };
        let now = self.time.now();
        Ok(match self.store.holder(&secret).await? {
            // Nothing is kept of a guest who only looks.
            None => identity.is_guest(),
            Some(Holder::Guest(who)) => who == identity.who,
            Some(Holder::FormerGuest) => false,
            Some(Holder::Session(account, session)) => !session.is_over(now) && !account.is_suspended(now),
            Some(Holder::OwnerSession(session)) => !session.is_over(now),
            Some(Holder::Token(account, _)) => !account.is_suspended(now),
        })
    }
}

/// A person's pages by their connections: whose, and how they hear that they are to close.
type TheirPages = BTreeMap<u64, (Identity, Arc<Notify>)>;

/// All pages that are connected, by who looks at them.
#[derive(Debug, Default)]
pub(crate) struct SignedPages(Mutex<BTreeMap<PersonId, TheirPages>>);

/// A page among all: it is no more when this is dropped.
#[derive(Debug)]
pub(crate) struct SignedPage {
    all: Arc<SignedPages>,
    who: PersonId,
    socket: u64,
    ended: Arc<Notify>,
}

impl SignedPages {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<PersonId, TheirPages>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page is connected.
    pub(crate) fn enter(self: &Arc<SignedPages>, socket: u64, identity: &Identity) -> SignedPage {
        let ended = Arc::new(Notify::new());
        self.lock().entry(identity.who).or_default().insert(socket, (identity.clone(), ended.clone()));
        SignedPage { all: self.clone(), who: identity.who, socket, ended }
    }

    /// The pages of one person.
    fn of(&self, who: PersonId) -> Vec<(Identity, Arc<Notify>)> {
        self.lock().get(&who).into_iter().flat_map(BTreeMap::values).cloned().collect()
    }

    /// Everyone who has a page that may have to be closed: a guest's too, who may have an account by now.
    fn everyone(&self) -> Vec<PersonId> {
        let can_end = |pages: &TheirPages| pages.values().any(|(identity, _)| identity.can_end());
        self.lock().iter().filter(|(_, pages)| can_end(pages)).map(|(who, _)| *who).collect()
    }
}

impl SignedPage {
    /// Waits until the page is to be closed.
    pub(crate) async fn ended(&self) {
        self.ended.notified().await;
    }
}

impl Drop for SignedPage {
    fn drop(&mut self) {
        let mut all = self.all.lock();
        if let Some(pages) = all.get_mut(&self.who) {
            pages.remove(&self.socket);
            if pages.is_empty() {
                all.remove(&self.who);
            }
        }
    }
}

//! Accounts over HTTP: opening one, passwords, and codes for whoever forgot theirs.
//!
//! ```text
//! GET    /api/account                              who asks, and what the server is open for
//! POST   /api/account            handle, password  the guest of this browser has an account from now on
//! POST   /api/account/password   old, new
//! POST   /api/account/recovery   password          new codes
//! POST   /api/account/recover    handle, code, password
//! POST   /api/account/bot                          a program plays under this account
//! ```
//!
//! Every change of who someone is gives them a new secret, and the old one is good no more. An unknown name and a wrong password are the
//! same answer after the same work.

use crate::{
    House,
    caller::Caller,
    entrance::Kind,
    http::{Json, Problem, reply},
    passwords,
    people::{Cookie, Identity, OWNER},
    protocol::{AccountView, HouseView},
    secret,
    sessions::Beginning,
    visitor::{InBrowser, SignedIn},
};
use axum::{
    Extension, Router,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{AppendHeaders, IntoResponse, Response},
    routing::{get, post},
};
use people::{Account, AccountChange, Handle, SecretHash};
use room::Write;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use store::StoreError;

/// How many codes are given at a time.
const CODES: usize = 8;
/// A code has so many characters of five bits: 80 bits, which nobody guesses.
const CODE: usize = 16;

pub(crate) type Reply = Result<Response, Problem>;

pub(crate) fn routes() -> Router<Arc<House>> {
    Router::new()
        .route("/api/account", get(show).post(open))
        .route("/api/account/password", post(change_password))
        .route("/api/account/recovery", post(new_codes))
        .route("/api/account/recover", post(recover))
        .route("/api/account/bot", post(become_bot))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    handle: String,
    password: String,
    #[serde(default)]
    bot: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewPassword {
    old: String,
    new: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Password {
    password: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recovery {
    handle: String,
    code: String,
    password: String,
}

/// A body that says nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// The account someone is in now.
#[derive(Serialize)]
pub(crate) struct Opened {
    account: AccountView,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recovery: Vec<String>,
}

impl Opened {
    pub(crate) fn of(account: &Account) -> Opened {
        Opened { account: AccountView::of(account), recovery: Vec::new() }
    }
}

/// `GET /api/account`
async fn show(State(house): State<Arc<House>>, Extension(caller): Extension<Caller>, headers: HeaderMap) -> Reply {
    #[derive(Serialize)]
    struct Shown {
        account: Option<AccountView>,
        owner: bool,
        guest: bool,
        settings: HouseView,
    }
    let (identity, cookie) = house.identify(&caller, &headers).await?;
    let account = identity.account().map(AccountView::of);
    let guest = account.is_none() && identity.who != OWNER;
    let settings = house.settings.borrow().clone();
    let shown = Shown { account, owner: identity.who == OWNER, guest, settings };
    Ok(with_cookies(reply(StatusCode::OK, &shown), cookie))
}

/// `POST /api/account`
async fn open(InBrowser { house, caller, headers, identity }: InBrowser, Json(wanted): Json<Wanted>) -> Reply {
    let settings = house.store.settings().await?;
    if identity.who != OWNER && !house.view_of(&settings).registration {
        let text = "the owner of this server lets nobody open an account now";
        return Err(Problem::new(StatusCode::FORBIDDEN, "registration_closed", text));
    }
    if identity.account().is_some() {
        return Err(Problem::new(StatusCode::CONFLICT, "has_account", "you have an account and are signed in to it"));
    }
    let handle: Handle = wanted.handle.parse().map_err(|error: people::HandleError| {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_handle", error.to_string())
    })?;
    let password = passwords::check(&wanted.password, &handle)?;
    if handle.is_reserved() || house.store.account_named(&handle).await?.is_some() {
        return Err(taken());
    }
    house.guesses.account(caller.place, house.time.now()).map_err(Problem::too_many)?;
    let password = house.passwords.hash(password).await?;
    let (codes, recovery) = fresh_codes(CODES)?;
    let Beginning { session, cookie } = house.begin_session(identity.who, &caller, &headers)?;
    let account = Account { who: identity.who, handle, bot: wanted.bot, made: house.time.now(), suspended: None };
    let mut writes: Vec<Write> = identity.write().into_iter().collect();
    let changes =
        [AccountChange::Open { account: account.clone(), password, recovery }, AccountChange::SignIn(session)];
    writes.extend(changes.map(|change| Write::Account(Box::new(change))));
    match house.keep(writes).await {
        Ok(()) => {}
        Err(StoreError::Conflict) => return Err(taken()),
        Err(error) => return Err(error.into()),
    }
    // Whoever else had the guest's cookie is no longer them.
    house.recheck(identity.who).await;
    let opened = Opened { account: AccountView::of(&account), recovery: codes };
    Ok(with_cookies(reply(StatusCode::CREATED, &opened), Some(cookie)))
}

fn taken() -> Problem {
    Problem::new(StatusCode::CONFLICT, "handle_taken", "someone else has this name")
}

impl House {
    /// Ends a session or a token of `account`, and closes the pages that it let in.
    pub(crate) async fn end_one(&self, account: &Account, end: AccountChange) -> Reply {
        match self.change([end]).await {
            Ok(()) => {}
            Err(StoreError::Conflict) => return Err(not_found()),
            Err(error) => return Err(error.into()),
        }
        self.recheck(account.who).await;
        Ok(StatusCode::NO_CONTENT.into_response())
    }
}

fn not_found() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no such thing")
}

/// `POST /api/account/password`
async fn change_password(
    SignedIn { house, caller, headers, account, .. }: SignedIn,
    Json(wanted): Json<NewPassword>,
) -> Reply {
    let new = passwords::check(&wanted.new, &account.handle)?;
    let Verified { still, .. } = house.verified(account.handle.as_str(), &wanted.old, &caller).await?;
    let hash = Some(house.passwords.hash(new).await?);
    let Beginning { session, cookie } = house.begin_session(account.who, &caller, &headers)?;
    let who = account.who;
    let changes = [
        still,
        AccountChange::Password { who, hash },
        AccountChange::SignOutAll { who },
        AccountChange::TokenEndAll { who },
        AccountChange::SignIn(session),
    ];
    house.change_verified(changes).await?;
    house.recheck(who).await;
    Ok(with_cookies(reply(StatusCode::OK, &Opened::of(&account)), Some(cookie)))
}

/// `POST /api/account/recovery`
async fn new_codes(SignedIn { house, caller, account, .. }: SignedIn, Json(wanted): Json<Password>) -> Reply {
    let Verified { still, .. } = house.verified(account.handle.as_str(), &wanted.password, &caller).await?;
    let (codes, hashes) = fresh_codes(CODES)?;
    house.change_verified([still, AccountChange::Recovery { who: account.who, codes: hashes }]).await?;
    Ok(reply(StatusCode::OK, &Opened { account: AccountView::of(&account), recovery: codes }))
}

/// `POST /api/account/recover`
async fn recover(InBrowser { house, caller, headers, .. }: InBrowser, Json(wanted): Json<Recovery>) -> Reply {
    let wrong = || Problem::new(StatusCode::UNAUTHORIZED, "wrong_code", "the name or the code is wrong");
    house.guesses.attempt_code(&wanted.handle, caller.place, house.time.now()).map_err(Problem::too_many)?;
    let handle: Handle = wanted.handle.parse().map_err(|_| wrong())?;
    let password = passwords::check(&wanted.password, &handle)?;
    let account = house.store.account_named(&handle).await?;
    let code = hash_of_code(&wanted.code);
    let good = match &account {
        Some(account) => house.store.recovery_codes(account.who).await?.contains(&code),
        None => false,
    };
    let account = account.filter(|_| good).ok_or_else(wrong)?;
    house.let_in(&account, &caller)?;
    let hash = Some(house.passwords.hash(password).await?);
    let Beginning { session, cookie } = house.begin_session(account.who, &caller, &headers)?;
    let who = account.who;
    let changes = [
        AccountChange::UseRecovery { who, code },
        AccountChange::Password { who, hash },
        // Whoever uses a code may have lost the account to somebody, who made tokens and passkeys of their own.
        AccountChange::SignOutAll { who },
        AccountChange::TokenEndAll { who },
        AccountChange::PasskeyEndAll { who },
        AccountChange::SignIn(session),
    ];
    match house.change(changes).await {
        Ok(()) => {}
        // The same code came twice at once.
        Err(StoreError::Conflict) => return Err(wrong()),
        Err(error) => return Err(error.into()),
    }
    house.guesses.right(&wanted.handle, caller.place);
    // The new password counts from here on: nothing may keep the answer from whoever chose it.
    house.end_session_in(Cookie::session(&caller), &caller, &headers).await;
    house.recheck(who).await;
    Ok(with_cookies(reply(StatusCode::OK, &Opened::of(&account)), Some(cookie)))
}

/// `POST /api/account/bot`
async fn become_bot(SignedIn { house, mut account, .. }: SignedIn, Json(Nothing {}): Json<Nothing>) -> Reply {
    match house.change([AccountChange::Bot { who: account.who }]).await {
        Ok(()) => {}
        Err(StoreError::Conflict) => {
            let text = "a person has played rated games under this name: open another account for the program";
            return Err(Problem::new(StatusCode::CONFLICT, "rated_already", text));
        }
        Err(error) => return Err(error.into()),
    }
    account.bot = true;
    Ok(reply(StatusCode::OK, &Opened::of(&account)))
}

/// Codes for someone to write down, and what is kept of them.
pub(crate) fn fresh_codes(count: usize) -> Result<(Vec<String>, Vec<SecretHash>), Problem> {
    let mut codes = Vec::new();
    for _ in 0..count {
        let letters = secret::random(CODE)?;
        let groups: Vec<&str> = (0..CODE).step_by(4).map(|from| &letters[from..from + 4]).collect();
        codes.push(groups.join("-"));
    }
    let hashes = codes.iter().map(|code| hash_of_code(code)).collect();
    Ok((codes, hashes))
}

/// What is kept of a code, however it was copied from paper.
fn hash_of_code(code: &str) -> SecretHash {
    let read = |c: char| match c.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        c => c,
    };
    secret::hash(&code.chars().filter(|c| c.is_ascii_alphanumeric()).map(read).collect::<String>())
}

pub(crate) fn with_cookies(response: Response, cookies: impl IntoIterator<Item = HeaderValue>) -> Response {
    let set: Vec<_> = cookies.into_iter().map(|cookie| (header::SET_COOKIE, cookie)).collect();
    (AppendHeaders(set), response).into_response()
}

/// An account whose password somebody knew.
pub(crate) struct Verified {
    pub(crate) account: Account,
    /// That it is still the password, to be kept with whatever comes of it.
    pub(crate) still: AccountChange,
}

fn wrong_password() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "wrong_password", "the name or the password is wrong")
}

impl House {
    /// Keeps what comes of knowing a password. Whoever knew one that was changed meanwhile knew the wrong one.
    pub(crate) async fn change_verified(
        &self,
        changes: impl IntoIterator<Item = AccountChange>,
    ) -> Result<(), Problem> {
        match self.change(changes).await {
            Err(StoreError::Conflict) => Err(wrong_password()),
            kept => Ok(kept?),
        }
    }

    /// The account of this name, if the password is right. One hash is made whether there is such an account or not.
    pub(crate) async fn verified(&self, handle: &str, password: &str, caller: &Caller) -> Result<Verified, Problem> {
        self.guesses.attempt(handle, caller.place, self.time.now()).map_err(Problem::too_many)?;
        let account = match handle.parse::<Handle>() {
            Ok(handle) => self.store.account_named(&handle).await?,
            Err(_) => None,
        };
        let kept = match &account {
            Some(account) => self.store.password(account.who).await?,
            None => None,
        };
        let right = self.passwords.verify(password, kept.clone()).await?;
        let (Some(account), Some(hash), true) = (account, kept, right) else { return Err(wrong_password()) };
        self.guesses.right(handle, caller.place);
        let still = AccountChange::PasswordIs { who: account.who, hash };
        Ok(Verified { account, still })
    }

    /// Whether the owner of this account may come in now, by this way.
    pub(crate) fn let_in(&self, account: &Account, caller: &Caller) -> Result<(), Problem> {
        if account.is_suspended(self.time.now()) {
            let text = "the owner of this server has suspended this account";
            return Err(Problem::new(StatusCode::FORBIDDEN, "suspended", text));
        }
        if account.who == OWNER && caller.kind == Kind::Door {
            return Err(Problem::new(StatusCode::FORBIDDEN, "not_owner", "the owner does not come in by the door"));
        }
        Ok(())
    }

    /// A browser has one session in each cookie: the one before, if there was any, ends. One that cannot be ended now is still in the list.
    pub(crate) async fn end_session_in(&self, cookie: Cookie, caller: &Caller, headers: &HeaderMap) {
        if let Ok(Some(before)) = self.session_in(cookie, caller, headers).await {
            let _ = self.end(&before).await;
        }
    }

    /// Ends the session by which someone came in, if they came in by one.
    pub(crate) async fn end(&self, identity: &Identity) -> Result<(), Problem> {
        let Some(session) = identity.session() else { return Ok(()) };
        match self.change([AccountChange::SignOut { who: session.who, id: session.id.clone() }]).await {
            // It was ended elsewhere meanwhile.
            Ok(()) | Err(StoreError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
        self.recheck(session.who).await;
        Ok(())
    }
}

//! Who asks over HTTP, for handlers that are for some only: nobody else gets as far as [`InBrowser`], [`SignedIn`] or [`Owner`].

use crate::{
    House,
    caller::Caller,
    http::Problem,
    people::{Identity, OWNER},
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, StatusCode, request::Parts},
};
use people::Account;
use std::sync::Arc;

/// Somebody in a browser. A program does nothing to accounts.
pub(crate) struct InBrowser {
    pub(crate) house: Arc<House>,
    pub(crate) caller: Caller,
    pub(crate) headers: HeaderMap,
    pub(crate) identity: Identity,
}

impl FromRequestParts<Arc<House>> for InBrowser {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, house: &Arc<House>) -> Result<InBrowser, Problem> {
        let caller = *parts.extensions.get::<Caller>().ok_or_else(Problem::busy)?;
        let (identity, _) = house.identify(&caller, &parts.headers).await?;
        if identity.token().is_some() {
            let text = "this is for people who have signed in, not for tokens";
            return Err(Problem::new(StatusCode::FORBIDDEN, "not_by_token", text));
        }
        Ok(InBrowser { house: house.clone(), caller, headers: parts.headers.clone(), identity })
    }
}

/// Somebody who has signed in, in this browser.
pub(crate) struct SignedIn {
    pub(crate) house: Arc<House>,
    pub(crate) caller: Caller,
    pub(crate) headers: HeaderMap,
    pub(crate) identity: Identity,
    pub(crate) account: Account,
}

impl FromRequestParts<Arc<House>> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, house: &Arc<House>) -> Result<SignedIn, Problem> {
        let InBrowser { house, caller, headers, identity } = InBrowser::from_request_parts(parts, house).await?;
        let account = identity.account().cloned();
        let account =
            account.ok_or_else(|| Problem::new(StatusCode::UNAUTHORIZED, "not_signed_in", "sign in first"))?;
        Ok(SignedIn { house, caller, headers, identity, account })
    }
}

/// The owner of the server.
pub(crate) struct Owner(pub(crate) InBrowser);

impl FromRequestParts<Arc<House>> for Owner {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, house: &Arc<House>) -> Result<Owner, Problem> {
        let browser = InBrowser::from_request_parts(parts, house).await?;
        if browser.identity.who != OWNER {
            return Err(not_owner());
        }
        Ok(Owner(browser))
    }
}

pub(crate) fn not_owner() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "not_owner", "only the owner of the server decides this")
}

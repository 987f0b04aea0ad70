//! Signing in and out over HTTP.
//!
//! ```text
//! POST   /api/session       handle, password   DELETE signs out
//! GET    /api/sessions                         DELETE /api/sessions/ID ends one
//! ```

use crate::{
    House,
    accounts::{Opened, Reply, Verified, with_cookies},
    http::{Json, reply},
    people::{Cookie, OWNER},
    protocol::SessionView,
    sessions::Beginning,
    visitor::{InBrowser, SignedIn},
};
use axum::{
    Router,
    extract::Path,
    http::StatusCode,
    response::IntoResponse,
    routing::{delete, get, post},
};
use people::{AccountChange, SessionId};
use serde::Deserialize;
use std::sync::Arc;

pub(crate) fn routes() -> Router<Arc<House>> {
    Router::new()
        .route("/api/session", post(sign_in).delete(sign_out))
        .route("/api/sessions", get(sessions))
        .route("/api/sessions/{id}", delete(end_session))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Credentials {
    handle: String,
    password: String,
}

/// `POST /api/session`
async fn sign_in(InBrowser { house, caller, headers, .. }: InBrowser, Json(wanted): Json<Credentials>) -> Reply {
    let Verified { account, still } = house.verified(&wanted.handle, &wanted.password, &caller).await?;
    house.let_in(&account, &caller)?;
    let Beginning { session, cookie } = house.begin_session(account.who, &caller, &headers)?;
    house.change_verified([still, AccountChange::SignIn(session)]).await?;
    house.end_session_in(Cookie::session(&caller), &caller, &headers).await;
    Ok(with_cookies(reply(StatusCode::OK, &Opened::of(&account)), Some(cookie)))
}

/// `DELETE /api/session`
async fn sign_out(InBrowser { house, caller, headers, identity }: InBrowser) -> Reply {
    house.end(&identity).await?;
    let mut gone = vec![Cookie::session(&caller)];
    // Somebody else who signs out in the owner's browser leaves it to the owner, who may be in by the link and by their password.
    if identity.who == OWNER {
        if let Some(by_link) = house.session_in(Cookie::owner(&caller), &caller, &headers).await? {
            house.end(&by_link).await?;
        }
        gone.push(Cookie::owner(&caller));
    }
    let gone = gone.into_iter().filter_map(|cookie| cookie.set_for("", 0));
    Ok(with_cookies(StatusCode::NO_CONTENT.into_response(), gone))
}

/// `GET /api/sessions`
async fn sessions(SignedIn { house, identity, account, .. }: SignedIn) -> Reply {
    let now = house.time.now();
    let here = identity.session().map(|session| &session.id);
    let sessions = house.store.sessions(account.who).await?.into_iter().filter(|session| !session.is_over(now));
    let sessions: Vec<SessionView> = sessions
        .map(|session| SessionView {
            here: here == Some(&session.id),
            id: session.id.0,
            agent: session.agent,
            made: session.made,
            seen: session.seen,
        })
        .collect();
    Ok(reply(StatusCode::OK, &sessions))
}

/// `DELETE /api/sessions/ID`
async fn end_session(SignedIn { house, account, .. }: SignedIn, Path(id): Path<String>) -> Reply {
    house.end_one(&account, AccountChange::SignOut { who: account.who, id: SessionId(id) }).await
}

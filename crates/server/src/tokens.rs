//! Tokens for programs, over HTTP. A token is shown once, when it is made; what is kept is a hash.
//!
//! ```text
//! GET    /api/tokens
//! POST   /api/tokens     name, scopes
//! DELETE /api/tokens/ID
//! ```

use crate::{
    House,
    accounts::Reply,
    http::{Json, Problem, reply},
    people::{OWNER, SECRET},
    protocol::TokenView,
    secret,
    visitor::SignedIn,
};
use axum::{
    Router,
    extract::Path,
    http::StatusCode,
    routing::{delete, get},
};
use people::{AccountChange, MOST_TOKENS, Scope, Scopes, TOKEN_PREFIX, Token, TokenId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(crate) fn routes() -> Router<Arc<House>> {
    Router::new().route("/api/tokens", get(list).post(make)).route("/api/tokens/{id}", delete(end))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    name: String,
    scopes: Vec<Scope>,
}

/// `GET /api/tokens`
async fn list(SignedIn { house, account, .. }: SignedIn) -> Reply {
    let tokens: Vec<TokenView> = house.store.tokens(account.who).await?.iter().map(TokenView::of).collect();
    Ok(reply(StatusCode::OK, &tokens))
}

/// `POST /api/tokens`
async fn make(SignedIn { house, account, .. }: SignedIn, Json(wanted): Json<Wanted>) -> Reply {
    #[derive(Serialize)]
    struct Made {
        #[serde(flatten)]
        token: TokenView,
        #[serde(rename = "token")]
        text: String,
    }
    if account.who == OWNER {
        let text = "a token would be the owner's: open another account for a program";
        return Err(Problem::new(StatusCode::FORBIDDEN, "not_by_token", text));
    }
    // A name like a player's: visible, short, in one line.
    let name: table::Name = wanted.name.parse().map_err(|error: table::NameError| {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_name", error.to_string())
    })?;
    if house.store.tokens(account.who).await?.len() >= MOST_TOKENS {
        let text = format!("an account has at most {MOST_TOKENS} tokens: end one first");
        return Err(Problem::new(StatusCode::CONFLICT, "too_many", text));
    }
    let text = format!("{TOKEN_PREFIX}{}", secret::random(SECRET)?);
    let token = Token {
        secret: secret::hash(&text),
        id: TokenId(secret::random(12)?),
        who: account.who,
        name: name.into(),
        scopes: wanted.scopes.into_iter().collect::<Scopes>(),
        made: house.time.now(),
        seen: None,
    };
    let made = Made { token: TokenView::of(&token), text };
    house.change([AccountChange::Token(token)]).await?;
    Ok(reply(StatusCode::CREATED, &made))
}

/// `DELETE /api/tokens/ID`
async fn end(SignedIn { house, account, .. }: SignedIn, Path(id): Path<String>) -> Reply {
    house.end_one(&account, AccountChange::TokenEnd { who: account.who, id: TokenId(id) }).await
}

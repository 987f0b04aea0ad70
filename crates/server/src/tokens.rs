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
    caller::Caller,
    http::{Json, Problem, reply},
    people::{OWNER, SECRET},
    protocol::TokenView,
    secret,
};
use axum::{
    Extension, Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
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
async fn list(State(house): State<Arc<House>>, Extension(caller): Extension<Caller>, headers: HeaderMap) -> Reply {
    let (_, account) = house.signed_in(&caller, &headers).await?;
    let tokens: Vec<TokenView> = house.store.tokens(account.who).await?.iter().map(TokenView::of).collect();
    Ok(reply(StatusCode::OK, &tokens))
}

/// `POST /api/tokens`
async fn make(
    State(house): State<Arc<House>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Json(wanted): Json<Wanted>,
) -> Reply {
    #[derive(Serialize)]
    struct Made {
        #[serde(flatten)]
        token: TokenView,
        #[serde(rename = "token")]
        text: String,
    }
    let (_, account) = house.signed_in(&caller, &headers).await?;
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
async fn end(
    State(house): State<Arc<House>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Reply {
    let (_, account) = house.signed_in(&caller, &headers).await?;
    house.end_one(&account, AccountChange::TokenEnd { who: account.who, id: TokenId(id) }).await
}

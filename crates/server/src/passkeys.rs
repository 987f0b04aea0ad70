//! Passkeys, over HTTP: signing in with a key that somebody's device keeps, instead of a name and a password.
//!
//! ```text
//! POST   /api/passkeys/begin            password   what a device needs to know to make one
//! POST   /api/passkeys                  client_data, attestation
//! GET    /api/passkeys
//! DELETE /api/passkeys/ID
//! POST   /api/session/passkey/begin                what a device needs to know to use one
//! POST   /api/session/passkey           credential, client_data, authenticator_data, signature, user
//! ```
//!
//! Bytes are texts in base64url. The password stays: whoever loses the device comes in by it, and making a passkey asks for it, because
//! a passkey lets in long after the browser in which it was made was signed out.

mod cbor;
mod challenge;
mod device;
mod key;
mod site;

use crate::{
    House,
    accounts::{Opened, Reply, with_cookies},
    caller::Caller,
    http::{Json, Problem, reply},
    people::Cookie,
    protocol::PasskeyView,
    secret,
    sessions::{self, Beginning},
    visitor::{InBrowser, SignedIn},
};
use axum::{
    Router,
    extract::Path,
    http::{HeaderMap, StatusCode},
    routing::{delete, get, post},
};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use challenge::{Challenge, Purpose, Secrets};
use device::{ClientData, Question, Signed, Unfit};
use people::{Account, AccountChange, CHALLENGE_LASTS, MOST_PASSKEYS, Passkey, PasskeyId};
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::json;
use site::Site;
use std::sync::Arc;
use store::StoreError;

pub(crate) fn routes() -> Router<Arc<House>> {
    Router::new()
        .route("/api/passkeys", get(list).post(add))
        .route("/api/passkeys/begin", post(begin_add))
        .route("/api/passkeys/{id}", delete(end))
        .route("/api/session/passkey", post(sign_in))
        .route("/api/session/passkey/begin", post(begin_sign_in))
}

/// Bytes, as a text in base64url.
#[derive(Debug)]
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        BASE64_URL_SAFE_NO_PAD.decode(String::deserialize(from)?).map(Bytes).map_err(de::Error::custom)
    }
}

fn text(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Password {
    password: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Made {
    client_data: Bytes,
    attestation: Bytes,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Used {
    credential: Bytes,
    client_data: Bytes,
    authenticator_data: Bytes,
    signature: Bytes,
    user: Bytes,
}

/// What the page hands to the browser.
#[derive(Serialize)]
struct Options {
    /// In the words of Web Authentication: `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.
    options: serde_json::Value,
}

/// `GET /api/passkeys`
async fn list(SignedIn { house, account, .. }: SignedIn) -> Reply {
    let passkeys: Vec<PasskeyView> =
        house.store.passkeys(account.who).await?.into_iter().map(PasskeyView::of).collect();
    Ok(reply(StatusCode::OK, &passkeys))
}

/// `POST /api/passkeys/begin`
async fn begin_add(SignedIn { house, caller, headers, account, .. }: SignedIn, Json(wanted): Json<Password>) -> Reply {
    let site = here(&headers)?;
    house.verified(account.handle.as_str(), &wanted.password, &caller).await?;
    let known = house.room_for_another(&account).await?;
    let known: Vec<_> = known
        .iter()
        .filter(|passkey| passkey.site == site.origin)
        .map(|passkey| json!({"type": "public-key", "id": text(&passkey.credential)}))
        .collect();
    let (secrets, purpose) = (house.secrets(), Purpose::Add(account.who));
    let challenge = Challenge::fresh(house.time.now())?;
    let algorithms = key::ALGORITHMS.map(|number| json!({"type": "public-key", "alg": number}));
    let handle = account.handle.as_str();
    let options = json!({
        "rp": {"id": site.name, "name": "Outflank"},
        "user": {"id": text(&secrets.user(account.who)), "name": handle, "displayName": handle},
        "challenge": text(&challenge.bytes),
        "pubKeyCredParams": algorithms,
        "timeout": CHALLENGE_LASTS,
        "excludeCredentials": known,
        // The device keeps the name too, and asks who is there: it takes the place of both name and password.
        "authenticatorSelection": {"residentKey": "required", "requireResidentKey": true, "userVerification": "required"},
        "attestation": "none",
    });
    let cookie = ticket_cookie(&caller, &challenge.ticket(&secrets, purpose))?;
    Ok(with_cookies(reply(StatusCode::OK, &Options { options }), Some(cookie)))
}

/// `POST /api/passkeys`
async fn add(SignedIn { house, caller, headers, account, .. }: SignedIn, Json(said): Json<Made>) -> Reply {
    let site = here(&headers)?;
    let unfit = |unfit: Unfit| refused(StatusCode::UNPROCESSABLE_ENTITY, unfit);
    let client = ClientData::read(&said.client_data.0, Question::Make, &site).map_err(unfit)?;
    let purpose = Purpose::Add(account.who);
    let challenge = house.answered(&client, &caller, &headers, purpose, StatusCode::UNPROCESSABLE_ENTITY)?;
    let new = device::made(&said.attestation.0, &site).map_err(unfit)?;
    house.room_for_another(&account).await?;
    let passkey = Passkey {
        credential: new.credential,
        id: PasskeyId(secret::random(12)?),
        who: account.who,
        site: site.origin,
        key: new.key,
        counter: new.counter,
        agent: sessions::agent(&headers),
        made: house.time.now(),
        seen: None,
    };
    let shown = PasskeyView::of(passkey.clone());
    match house.change([challenge, AccountChange::Passkey(passkey)]).await {
        Ok(()) => {}
        Err(StoreError::Conflict) => {
            let text = "this passkey is known here already";
            return Err(Problem::new(StatusCode::CONFLICT, "has_passkey", text));
        }
        Err(error) => return Err(error.into()),
    }
    Ok(with_cookies(reply(StatusCode::CREATED, &shown), ticket_gone(&caller)))
}

/// `DELETE /api/passkeys/ID`
async fn end(SignedIn { house, account, .. }: SignedIn, Path(id): Path<String>) -> Reply {
    house.end_one(&account, AccountChange::PasskeyEnd { who: account.who, id: PasskeyId(id) }).await
}

/// `POST /api/session/passkey/begin`: the device knows for whom it has a passkey here, so nobody need be named, and nobody can be asked
/// about.
async fn begin_sign_in(
    InBrowser { house, caller, headers, .. }: InBrowser,
    Json(crate::accounts::Nothing {}): Json<crate::accounts::Nothing>,
) -> Reply {
    let site = here(&headers)?;
    let challenge = Challenge::fresh(house.time.now())?;
    let options = json!({
        "challenge": text(&challenge.bytes),
        "rpId": site.name,
        "timeout": CHALLENGE_LASTS,
        "userVerification": "required",
    });
    let cookie = ticket_cookie(&caller, &challenge.ticket(&house.secrets(), Purpose::SignIn))?;
    Ok(with_cookies(reply(StatusCode::OK, &Options { options }), Some(cookie)))
}

/// `POST /api/session/passkey`
async fn sign_in(InBrowser { house, caller, headers, .. }: InBrowser, Json(said): Json<Used>) -> Reply {
    let site = here(&headers)?;
    let unfit = |unfit: Unfit| refused(StatusCode::UNAUTHORIZED, unfit);
    // Counted as a wrong password is, under a name that is nobody's.
    let name = format!("passkey {}", text(&said.credential.0));
    house.guesses.attempt(&name, caller.place, house.time.now()).map_err(Problem::too_many)?;
    let client = ClientData::read(&said.client_data.0, Question::Use, &site).map_err(unfit)?;
    let challenge = house.answered(&client, &caller, &headers, Purpose::SignIn, StatusCode::UNAUTHORIZED)?;
    let signed = Signed { client: &client, device: &said.authenticator_data.0, signature: &said.signature.0 };
    let passkey = house.store.passkey(&said.credential.0).await?.ok_or_else(|| unfit(Unfit::NotTheirs))?;
    let counter = signed.by(&passkey, &site).map_err(unfit)?;
    let account = house.store.account(passkey.who).await?;
    let account = account.filter(|account| said.user.0 == house.secrets().user(account.who));
    let account = account.ok_or_else(|| unfit(Unfit::NotTheirs))?;
    house.let_in(&account, &caller)?;
    let Beginning { session, cookie } = house.begin_session(account.who, &caller, &headers)?;
    let used = AccountChange::PasskeyUsed { credential: passkey.credential, counter, at: house.time.now() };
    match house.change([challenge, used, AccountChange::SignIn(session)]).await {
        Ok(()) => {}
        // The same answer came twice, or the passkey was ended meanwhile.
        Err(StoreError::Conflict) => return Err(late(StatusCode::UNAUTHORIZED)),
        Err(error) => return Err(error.into()),
    }
    house.guesses.right(&name, caller.place);
    house.end_session_in(Cookie::session(&caller), &caller, &headers).await;
    let signed_in = with_cookies(reply(StatusCode::OK, &Opened::of(&account)), Some(cookie));
    Ok(with_cookies(signed_in, ticket_gone(&caller)))
}

impl House {
    fn secrets(&self) -> Secrets {
        Secrets::new(&self.store.key())
    }

    /// That the challenge of this browser is answered now. Keeping it fails if it was answered before.
    fn answered(
        &self,
        client: &ClientData,
        caller: &Caller,
        headers: &HeaderMap,
        purpose: Purpose,
        status: StatusCode,
    ) -> Result<AccountChange, Problem> {
        let now = self.time.now();
        let ticket = Cookie::passkey(caller).find(headers).unwrap_or_default();
        let challenge = Challenge::of(&client.challenge, ticket, &self.secrets(), purpose, now);
        let challenge = challenge.ok_or_else(|| late(status))?;
        let hash = secret::hash_of_bytes(&challenge.bytes);
        Ok(AccountChange::Answered { challenge: hash, until: challenge.until, at: now })
    }

    /// The passkeys someone has, if they may have another.
    async fn room_for_another(&self, account: &Account) -> Result<Vec<Passkey>, Problem> {
        let passkeys = self.store.passkeys(account.who).await?;
        if passkeys.len() >= MOST_PASSKEYS {
            let text = format!("an account has at most {MOST_PASSKEYS} passkeys: remove one first");
            return Err(Problem::new(StatusCode::CONFLICT, "too_many_passkeys", text));
        }
        Ok(passkeys)
    }
}

fn here(headers: &HeaderMap) -> Result<Site, Problem> {
    Site::of(headers).ok_or_else(|| {
        let text = "passkeys need a page with a name and https, or one at localhost";
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "no_passkeys_here", text)
    })
}

fn refused(status: StatusCode, unfit: Unfit) -> Problem {
    tracing::info!(%unfit, "a passkey was refused");
    Problem::new(status, "wrong_passkey", "this passkey does not let you in here")
}

fn late(status: StatusCode) -> Problem {
    Problem::new(status, "passkey_late", "it took too long, or was answered already: try again")
}

fn ticket_cookie(caller: &Caller, ticket: &str) -> Result<axum::http::HeaderValue, Problem> {
    let seconds = (CHALLENGE_LASTS / 1000).try_into().unwrap_or(u32::MAX);
    Cookie::passkey(caller).set_for(ticket, seconds).ok_or_else(Problem::busy)
}

fn ticket_gone(caller: &Caller) -> Option<axum::http::HeaderValue> {
    Cookie::passkey(caller).set_for("", 0)
}

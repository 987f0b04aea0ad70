//! Who is asking: the owner of the machine, or someone known by a cookie.

use crate::{
    House,
    entrance::{Kind, Visitor},
    secret,
    store::{StoreError, Write},
};
use axum::http::{HeaderMap, HeaderValue, header};
use table::Who;

/// Whoever sits at the machine that runs the server.
pub(crate) const OWNER: Who = Who(1);

const COOKIE: &str = "outflank";
/// 26 characters of five bits: 130 bits that nobody guesses.
const SECRET: usize = 26;

impl House {
    /// Who asks, and the cookie to give them if they came for the first time.
    pub(crate) async fn person(
        &self,
        visitor: &Visitor,
        headers: &HeaderMap,
    ) -> Result<(Who, Option<HeaderValue>), StoreError> {
        // Whoever comes in from the network is not at this machine, whatever their address.
        let at_home = visitor.kind == Kind::Main && visitor.peer.ip().to_canonical().is_loopback();
        if self.config.home && at_home && !is_forwarded(headers) {
            return Ok((OWNER, None));
        }
        if let Some(secret) = cookie(headers)
            && let Some(who) = self.store.person(&secret::hash(secret))?
        {
            return Ok((who, None));
        }
        let fail = |error: getrandom::Error| StoreError::Other(error.to_string().into());
        let secret = secret::random(SECRET).map_err(fail)?;
        let who = loop {
            let mut number = [0; 8];
            getrandom::fill(&mut number).map_err(fail)?;
            // Positive, and never the owner.
            let who = Who((i64::from_le_bytes(number) & i64::MAX).max(2));
            match self.store.write(vec![Write::Person { who, secret: secret::hash(&secret) }]).await {
                Ok(()) => break who,
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error),
            }
        };
        let year = 400 * 24 * 60 * 60;
        let text = format!("{COOKIE}={secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age={year}");
        Ok((who, HeaderValue::from_str(&text).ok()))
    }
}

/// A proxy speaks for someone else, who is not at this machine.
fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.contains_key(header::FORWARDED)
        || ["x-forwarded-for", "x-real-ip", "via"].iter().any(|name| headers.contains_key(*name))
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, secret)| secret)
}

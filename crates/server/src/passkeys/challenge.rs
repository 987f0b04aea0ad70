//! What a device has to sign, so that nobody answers with what was said before: [`Challenge`].
//!
//! The server keeps nothing of a challenge until it is answered, so that any node can take the answer and nobody fills a memory by asking.
//! The browser keeps a ticket for it, in a cookie: until when it is good, and a code that only the servers of these games can make
//! (HMAC with SHA-256). An answered challenge is kept until it is too old ([`people::AccountChange::Answered`]), and is not good twice.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use people::CHALLENGE_LASTS;
use ring::hmac;
use room::Key;
use sha2::{Digest, Sha256};
use table::{At, PersonId};

/// What a challenge is for. An answer for the one is none for the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// A passkey for this person.
    Add(PersonId),
    /// Signing in.
    SignIn,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Challenge {
    pub(super) bytes: [u8; 32],
    /// When it is good no more.
    pub(super) until: At,
}

impl Challenge {
    pub(super) fn fresh(now: At) -> Result<Challenge, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Challenge { bytes, until: now + CHALLENGE_LASTS })
    }

    /// What the browser that asked for it keeps.
    pub(super) fn ticket(&self, secrets: &Secrets, purpose: Purpose) -> String {
        format!("{}.{}", self.until, BASE64_URL_SAFE_NO_PAD.encode(hmac::sign(&secrets.0, &self.text(purpose))))
    }

    /// The challenge of these bytes, if this is its ticket and it is not too old.
    pub(super) fn of(bytes: &[u8], ticket: &str, secrets: &Secrets, purpose: Purpose, now: At) -> Option<Challenge> {
        let (until, code) = ticket.split_once('.')?;
        let challenge = Challenge { bytes: bytes.try_into().ok()?, until: until.parse().ok()? };
        let code = BASE64_URL_SAFE_NO_PAD.decode(code).ok()?;
        hmac::verify(&secrets.0, &challenge.text(purpose), &code).ok()?;
        (now < challenge.until).then_some(challenge)
    }

    fn text(&self, purpose: Purpose) -> Vec<u8> {
        let (word, who) = match purpose {
            Purpose::Add(who) => (&b"add"[..], who.0),
            Purpose::SignIn => (&b"in."[..], 0),
        };
        [word, &who.to_be_bytes(), &self.until.to_be_bytes(), &self.bytes].concat()
    }
}

/// What only the servers of these games can make.
pub(super) struct Secrets(hmac::Key);

impl Secrets {
    pub(super) fn new(key: &Key) -> Secrets {
        let key = Sha256::new().chain_update(key.0).chain_update("passkeys").finalize();
        Secrets(hmac::Key::new(hmac::HMAC_SHA256, &key))
    }

    /// What devices know a person by. It says nothing of them, and differs from server to server, so that two on one machine do not take
    /// each other's passkeys for their own.
    pub(super) fn user(&self, who: PersonId) -> Vec<u8> {
        hmac::sign(&self.0, &[&b"who"[..], &who.0.to_be_bytes()].concat()).as_ref().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_for_one_challenge_one_purpose_one_server_and_five_minutes() {
        let (ours, other) = (Secrets::new(&Key([1; 32])), Secrets::new(&Key([2; 32])));
        let (add, sign_in) = (Purpose::Add(PersonId(7)), Purpose::SignIn);
        let challenge = Challenge::fresh(1_000).unwrap();
        let ticket = challenge.ticket(&ours, sign_in);
        let read =
            |bytes: &[u8], ticket: &str, secrets, purpose, now| Challenge::of(bytes, ticket, secrets, purpose, now);
        let last = 1_000 + CHALLENGE_LASTS - 1;
        assert_eq!(read(&challenge.bytes, &ticket, &ours, sign_in, last), Some(challenge));
        assert_eq!(read(&challenge.bytes, &ticket, &ours, sign_in, last + 1), None, "too late");
        let longer = ticket.replacen(&challenge.until.to_string(), &(challenge.until + 1).to_string(), 1);
        assert_eq!(read(&challenge.bytes, &longer, &ours, sign_in, 1_000), None, "made to last longer");
        assert_eq!(read(&[0; 32], &ticket, &ours, sign_in, 1_000), None, "of another challenge");
        assert_eq!(read(&challenge.bytes[1..], &ticket, &ours, sign_in, 1_000), None);
        assert_eq!(read(&challenge.bytes, &ticket, &other, sign_in, 1_000), None, "of another server");
        assert_eq!(read(&challenge.bytes, &ticket, &ours, add, 1_000), None, "for something else");
        let ticket = challenge.ticket(&ours, add);
        assert_eq!(read(&challenge.bytes, &ticket, &ours, add, 1_000), Some(challenge));
        assert_eq!(read(&challenge.bytes, &ticket, &ours, Purpose::Add(PersonId(8)), 1_000), None, "for somebody else");
        for nonsense in ["", ".", "1.", ".x", "x.y", "99999999999999999999999.AA", "-1.AA"] {
            assert_eq!(read(&challenge.bytes, nonsense, &ours, add, 1_000), None, "{nonsense}");
        }
    }

    #[test]
    fn devices_know_people_apart_and_servers_too() {
        let (ours, other) = (Secrets::new(&Key([1; 32])), Secrets::new(&Key([2; 32])));
        assert_eq!(ours.user(PersonId(7)), ours.user(PersonId(7)));
        assert_ne!(ours.user(PersonId(7)), ours.user(PersonId(8)));
        assert_ne!(ours.user(PersonId(1)), other.user(PersonId(1)));
        assert_eq!(ours.user(PersonId(1)).len(), 32, "at most 64");
    }
}

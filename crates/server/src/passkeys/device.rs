//! What devices say, and whether it is what was asked for: the part of Web Authentication (<https://www.w3.org/TR/webauthn-3/>) that a
//! server needs which does not ask what kind of device somebody has. Pure: no clock, no store.

use super::{cbor, key::PublicKey, site::Site};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use ciborium::Value;
use people::Passkey;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// Somebody was there.
const PRESENT: u8 = 0x01;
/// And was known to the device, by a finger, a face or a number.
const VERIFIED: u8 = 0x04;
/// A new passkey follows.
const WITH_KEY: u8 = 0x40;
/// Something else follows.
const WITH_MORE: u8 = 0x80;

/// What a device calls a passkey has at most so many bytes.
pub(super) const LONGEST_NAME: usize = 1023;

/// Why what a device said is not taken. It is for the log: whoever is refused hears the same whatever it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Unfit {
    #[error("it cannot be read")]
    Unreadable,
    #[error("it answers another question")]
    OtherQuestion,
    #[error("it is for a page elsewhere")]
    OtherSite,
    #[error("nobody was there")]
    NobodyThere,
    #[error("the device did not ask who is there")]
    NotVerified,
    #[error("it is somebody else's")]
    NotTheirs,
    #[error("it is not signed by this passkey")]
    NotSigned,
    #[error("the device has counted further before: perhaps there is a copy of it")]
    Copied,
}

/// What a page asked a device for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    Make,
    Use,
}

/// What the browser says of the page, and of what it asked the device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ClientData {
    pub(super) challenge: Vec<u8>,
    /// Of the bytes as they came: this is what is signed.
    hash: [u8; 32],
}

impl ClientData {
    pub(super) fn read(json: &[u8], question: Question, site: &Site) -> Result<ClientData, Unfit> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Said {
            r#type: String,
            challenge: String,
            origin: String,
            #[serde(default)]
            cross_origin: bool,
        }
        let said: Said = serde_json::from_slice(json).map_err(|_| Unfit::Unreadable)?;
        let asked = match question {
            Question::Make => "webauthn.create",
            Question::Use => "webauthn.get",
        };
        if said.r#type != asked {
            return Err(Unfit::OtherQuestion);
        }
        // A page of ours is never within another's.
        if said.cross_origin || said.origin != site.origin {
            return Err(Unfit::OtherSite);
        }
        let challenge = BASE64_URL_SAFE_NO_PAD.decode(said.challenge).map_err(|_| Unfit::Unreadable)?;
        Ok(ClientData { challenge, hash: Sha256::digest(json).into() })
    }
}

/// What a device says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
struct DeviceData {
    counter: u32,
    new: Option<NewKey>,
}

/// A passkey that a device has made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NewKey {
    pub(super) credential: Vec<u8>,
    /// As it came.
    pub(super) key: Vec<u8>,
    pub(super) counter: u32,
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], Unfit> {
    let (first, rest) = bytes.split_at_checked(count).ok_or(Unfit::Unreadable)?;
    *bytes = rest;
    Ok(first)
}

impl DeviceData {
    fn read(mut bytes: &[u8], site: &Site) -> Result<DeviceData, Unfit> {
        let bytes = &mut bytes;
        let name = take(bytes, 32)?;
        let flags = take(bytes, 1)?[0];
        let counter = take(bytes, 4)?.iter().fold(0, |counter, byte| counter << 8 | u32::from(*byte));
        let new = if flags & WITH_KEY == 0 { None } else { Some(NewKey::read(bytes, counter)?) };
        if flags & WITH_MORE != 0 {
            cbor::read(bytes).filter(Value::is_map).ok_or(Unfit::Unreadable)?;
        }
        if !bytes.is_empty() {
            return Err(Unfit::Unreadable);
        }
        if name != Sha256::digest(site.name.as_bytes()).as_slice() {
            return Err(Unfit::OtherSite);
        }
        if flags & PRESENT == 0 {
            return Err(Unfit::NobodyThere);
        }
        if flags & VERIFIED == 0 {
            return Err(Unfit::NotVerified);
        }
        Ok(DeviceData { counter, new })
    }
}

impl NewKey {
    fn read(bytes: &mut &[u8], counter: u32) -> Result<NewKey, Unfit> {
        // Which kind of device it is, nobody asked.
        take(bytes, 16)?;
        let length = take(bytes, 2)?.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
        if length == 0 || length > LONGEST_NAME {
            return Err(Unfit::Unreadable);
        }
        let credential = take(bytes, length)?.to_vec();
        let (before, rest) = (*bytes, bytes);
        PublicKey::read(rest).ok_or(Unfit::Unreadable)?;
        let key = before[..before.len() - rest.len()].to_vec();
        Ok(NewKey { credential, key, counter })
    }
}

/// The passkey that a device has made for a page of `site`. What it says to prove its own make is not looked at.
pub(super) fn made(mut attestation: &[u8], site: &Site) -> Result<NewKey, Unfit> {
    let Some(Value::Map(fields)) = cbor::read(&mut attestation) else { return Err(Unfit::Unreadable) };
    let data = cbor::field(&fields, &Value::from("authData")).and_then(Value::as_bytes);
    let data = data.filter(|_| attestation.is_empty()).ok_or(Unfit::Unreadable)?;
    DeviceData::read(data, site)?.new.ok_or(Unfit::Unreadable)
}

/// What a device says to sign somebody in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signed<'a> {
    pub(super) client: &'a ClientData,
    pub(super) device: &'a [u8],
    pub(super) signature: &'a [u8],
}

impl Signed<'_> {
    /// How often the device has signed now, if it was done by `passkey` for a page of `site`.
    pub(super) fn by(&self, passkey: &Passkey, site: &Site) -> Result<u32, Unfit> {
        if passkey.site != site.origin {
            return Err(Unfit::OtherSite);
        }
        let data = DeviceData::read(self.device, site)?;
        let key = PublicKey::read(&mut passkey.key.as_slice()).ok_or(Unfit::Unreadable)?;
        if !key.has_signed(&[self.device, &self.client.hash].concat(), self.signature) {
            return Err(Unfit::NotSigned);
        }
        if passkey.is_followed_by(data.counter) { Ok(data.counter) } else { Err(Unfit::Copied) }
    }
}

#[cfg(test)]
mod tests;

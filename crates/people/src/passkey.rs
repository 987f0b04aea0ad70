//! A key on somebody's device by which they sign in, without a name and a password: [`Passkey`].

use serde::{Deserialize, Serialize};
use table::{At, PersonId};

/// How many passkeys one account has.
pub const MOST_PASSKEYS: usize = 20;
/// What a device has to answer is good for so long.
pub const CHALLENGE_LASTS: At = 5 * 60 * 1000;

/// The name of a passkey, by which its owner ends it. It is no secret.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PasskeyId(pub String);

/// What is kept of a passkey. The device keeps the half that signs and gives it to nobody, so nothing in here is a secret.
///
/// ```
/// use people::{Passkey, PasskeyId};
/// use table::PersonId;
/// let passkey = Passkey {
///     credential: vec![1; 16],
///     id: PasskeyId("p".into()),
///     who: PersonId(7),
///     site: "https://club.example".into(),
///     key: vec![0xa0],
///     counter: 5,
///     agent: "Firefox".into(),
///     made: 0,
///     seen: None,
/// };
/// assert!(passkey.is_followed_by(6));
/// assert!(!passkey.is_followed_by(5) && !passkey.is_followed_by(0), "a copy of the device counts by itself");
/// assert!(Passkey { counter: 0, ..passkey }.is_followed_by(0), "many devices do not count");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passkey {
    /// What the device calls it. No two are called the same.
    pub credential: Vec<u8>,
    /// By which it is named.
    pub id: PasskeyId,
    /// Whose.
    pub who: PersonId,
    /// The origin of the page on which it was made, such as `https://club.example`: it is good there and nowhere else.
    pub site: String,
    /// The half of the key that checks what the device signs, as a COSE key (RFC 9052).
    pub key: Vec<u8>,
    /// How often the device has signed, by its own count; always 0 if it does not count.
    pub counter: u32,
    /// What the browser called itself.
    pub agent: String,
    /// Since when.
    pub made: At,
    /// When it was last used.
    pub seen: Option<At>,
}

impl Passkey {
    /// Whether the device that had counted so far can have counted to `counter` now.
    pub fn is_followed_by(&self, counter: u32) -> bool {
        counter > self.counter || (counter == 0 && self.counter == 0)
    }
}

//! The name of an account: [`Handle`].

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The shortest and the longest handle.
const LENGTH: std::ops::RangeInclusive<usize> = 3..=20;

/// Names that say what someone is on a server.
const RESERVED: [&str; 14] = [
    "admin",
    "administrator",
    "anonymous",
    "black",
    "computer",
    "guest",
    "house",
    "moderator",
    "nobody",
    "outflank",
    "owner",
    "root",
    "server",
    "white",
];

/// The handle that a free name would be taken for, as it is compared: letters of other scripts that look like ours are ours. `None` for a name that no handle looks like.
///
/// ```
/// use people::handle_key_of;
/// assert_eq!(handle_key_of("Ana").as_deref(), Some("ana"));
/// assert_eq!(handle_key_of("Аnа").as_deref(), Some("ana"), "the first and last letter are Cyrillic");
/// assert_eq!(handle_key_of("ａｎａ").as_deref(), Some("ana"));
/// assert_eq!(handle_key_of("井上"), None);
/// assert_eq!(handle_key_of("Ana María"), None, "no handle has a space");
/// ```
pub fn handle_key_of(name: &str) -> Option<String> {
    let key: String = name.chars().map(lookalike).collect();
    key.parse::<Handle>().ok().map(|handle| handle.key())
}

/// The character of a handle that looks like this one. Not every such character there is: those that a keyboard has.
fn lookalike(c: char) -> char {
    match c {
        'А' | 'а' | 'Α' | 'α' => 'a',
        'В' | 'Β' => 'b',
        'С' | 'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'Е' | 'е' | 'Ε' => 'e',
        'Н' | 'Η' | 'һ' => 'h',
        'І' | 'і' | 'Ι' | 'ι' | 'ı' => 'i',
        'Ј' | 'ј' => 'j',
        'К' | 'к' | 'Κ' | 'κ' => 'k',
        'Ӏ' | 'ӏ' => 'l',
        'М' | 'Μ' => 'm',
        'Ν' => 'n',
        'О' | 'о' | 'Ο' | 'ο' => 'o',
        'Р' | 'р' | 'Ρ' | 'ρ' => 'p',
        'Ѕ' | 'ѕ' => 's',
        'Т' | 'Τ' | 'τ' => 't',
        'υ' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' => 'w',
        'Х' | 'х' | 'Χ' | 'χ' => 'x',
        'У' | 'у' | 'Υ' => 'y',
        'Ζ' => 'z',
        '‐' | '‑' | '–' | '−' => '-',
        // The wide forms of East Asian keyboards.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xff01 + 0x21).unwrap_or(c),
        _ => c,
    }
}

/// The name of an account, which nobody else has: 3 to 20 letters from a to z, digits, `-` and `_`, beginning with a letter. It is
/// shown as its owner wrote it; small and capital letters are the same.
///
/// Only these characters, because two handles that look the same would be two people: a free name beside it may be written in any script.
///
/// ```
/// use people::Handle;
/// let handle: Handle = "Ana-77".parse()?;
/// assert_eq!((handle.as_str(), handle.key()), ("Ana-77", "ana-77".to_owned()));
/// for bad in ["", "ab", "7ana", "ana maria", "аna", "a_________________________z"] {
///     assert!(bad.parse::<Handle>().is_err(), "{bad}");
/// }
/// # Ok::<(), people::HandleError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Handle(String);

/// The text cannot be a handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an account's name has 3 to 20 letters, digits, - or _, and begins with a letter")]
pub struct HandleError;

impl Handle {
    /// As its owner wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As it is compared: two accounts never have the same.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// Whether someone of this name would pass for the server itself, or for whoever runs it.
    ///
    /// ```
    /// assert!("Admin".parse::<people::Handle>()?.is_reserved());
    /// # Ok::<(), people::HandleError>(())
    /// ```
    pub fn is_reserved(&self) -> bool {
        RESERVED.contains(&self.key().as_str())
    }
}

impl FromStr for Handle {
    type Err = HandleError;

    fn from_str(text: &str) -> Result<Handle, HandleError> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let begins = text.bytes().next().is_some_and(|first| first.is_ascii_alphabetic());
        if begins && LENGTH.contains(&text.len()) && text.bytes().all(allowed) {
            Ok(Handle(text.to_owned()))
        } else {
            Err(HandleError)
        }
    }
}

impl TryFrom<String> for Handle {
    type Error = HandleError;
    fn try_from(text: String) -> Result<Handle, HandleError> {
        text.parse()
    }
}

impl From<Handle> for String {
    fn from(handle: Handle) -> String {
        handle.0
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

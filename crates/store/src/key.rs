//! The secret a store begins with: [`Key`].

use std::fmt;

/// 32 random bytes that only this store has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key(pub [u8; 32]);

/// Says nothing of the bytes: what is printed ends in logs.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

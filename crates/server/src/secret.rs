//! Ids and secrets that nobody can guess.

use crate::{protocol::Why, refusal::Refused};
use room::Random;
use sha2::{Digest, Sha256};

/// Digits and letters that are not mistaken for each other, 32 of them.
pub(crate) const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// `length` random characters of five bits each.
///
/// # Errors
///
/// If the operating system has no randomness to give.
pub(crate) fn random(length: usize) -> Result<String, getrandom::Error> {
    let mut bytes = vec![0; length];
    fill(&mut bytes)?;
    Ok(letters(&bytes))
}

/// At most 32 characters of five bits that follow from a key and what they are for.
pub(crate) fn derived(key: &[u8; 32], purpose: &str, length: usize) -> String {
    let digest = Sha256::new().chain_update(key).chain_update(purpose).finalize();
    letters(&digest[..length])
}

fn letters(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// Random bytes for one command.
///
/// # Errors
///
/// If the operating system has no randomness to give.
pub(crate) fn for_command() -> Result<Random, Refused> {
    let mut bytes = [0; 128];
    fill(&mut bytes).map_err(|error| Refused::new(Why::NotSaved, error))?;
    Ok(Random::new(bytes))
}

/// Any number.
///
/// # Errors
///
/// If the operating system has no randomness to give.
pub(crate) fn number() -> Result<u64, getrandom::Error> {
    let mut bytes = [0; 8];
    fill(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// All randomness comes from here. A simulation draws its own, so that it goes the same way twice.
fn fill(bytes: &mut [u8]) -> Result<(), getrandom::Error> {
    #[cfg(test)]
    if crate::simulation::drawn(bytes) {
        return Ok(());
    }
    getrandom::fill(bytes)
}

/// What is kept of a cookie: enough to know it again, too little to make it.
pub(crate) fn hash(secret: &str) -> [u8; 32] {
    hash_of_bytes(secret.as_bytes())
}

/// The same of a secret that is no text.
pub(crate) fn hash_of_bytes(secret: &[u8]) -> [u8; 32] {
    Sha256::digest(secret).into()
}

/// Whether two secrets are the same, in a time that does not depend on where they differ.
pub(crate) fn same(a: &str, b: &str) -> bool {
    hash(a) == hash(b)
}

//! Passwords: which are taken ([`check`]), and what is kept of them, made by a few hands only ([`Passwords`]).
//!
//! A hash is meant to cost much: 19 MiB and some hundredths of a second. Whoever asks for many at once must not take the machine from
//! those who play, so only a few are made at a time, a few more wait, and others are told to come again.

use crate::http::Problem;
use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier},
};
use axum::http::StatusCode;
use people::{Handle, PasswordHash};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

/// What the Open Worldwide Application Security Project asks of argon2id at least: 19 MiB, two rounds, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const ROUNDS: u32 = 2;
const LANES: u32 = 1;

/// How many wait for their turn, besides those whose turn it is.
const WAITING: usize = 16;

/// A hash of nothing, to be compared with where there is none: an account that does not exist takes as long as one that does.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$b3V0ZmxhbmstLW5vYm9keQ$3vZC1mhJ3oNVXb1eJDhYmTtqlXMDMuYHkKXKYsWQUuE";

/// The shortest and the longest password, in characters.
const LENGTH: std::ops::RangeInclusive<usize> = 10..=128;

/// Passwords long enough that many people have chosen all the same; in small letters, without what is added at the end.
const COMMON: [&str; 62] = [
    "1q2w3e4r5t",
    "1q2w3e4r5t6y",
    "1qaz2wsx3edc",
    "abcdefghij",
    "abcdefghijk",
    "administrator",
    "alexander",
    "asdfghjkl",
    "asdfghjklq",
    "asdfasdfasdf",
    "baseball",
    "basketball",
    "butterfly",
    "charlie",
    "chocolate",
    "christopher",
    "computer",
    "contraseña",
    "contrasena",
    "dragon",
    "elizabeth",
    "football",
    "fuckyou",
    "games",
    "hello",
    "helloworld",
    "iloveyou",
    "jennifer",
    "letmein",
    "liverpool",
    "master",
    "michael",
    "monkey",
    "motdepasse",
    "mypassword",
    "othello",
    "outflank",
    "passw0rd",
    "password",
    "passwort",
    "pokemon",
    "princess",
    "qazwsxedc",
    "qazwsxedcrfv",
    "qwerasdfzxcv",
    "qwerty",
    "qwertyqwerty",
    "qwertyuiop",
    "qwertyuiopasdfghjkl",
    "qwertz",
    "qwertzuiop",
    "reversi",
    "samantha",
    "shadow",
    "starwars",
    "sunshine",
    "superman",
    "tequiero",
    "trustno",
    "welcome",
    "whatever",
    "zxcvbnm",
];

/// Whether this can be the password of `handle`, as it is hashed.
///
/// # Errors
///
/// The one that says what is wrong with it.
pub(crate) fn check(password: &str, handle: &Handle) -> Result<String, Problem> {
    let password = normal(password);
    if !LENGTH.contains(&password.chars().count()) {
        let text = "a password has 10 to 128 characters";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_password_length", text));
    }
    if is_common(&password, handle) {
        let text = "this password is one that many people have, or too easily guessed";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "common_password", text));
    }
    Ok(password)
}

/// The same password from every keyboard: accents may come as letters or as marks.
fn normal(password: &str) -> String {
    password.nfkc().collect()
}

fn is_common(password: &str, handle: &Handle) -> bool {
    let small = password.to_lowercase();
    // What people add to make it long enough.
    let word = small.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_ascii_punctuation());
    let bytes: Vec<char> = small.chars().collect();
    let steps =
        |by: i64| bytes.windows(2).all(|pair| i64::from(u32::from(pair[1])) - i64::from(u32::from(pair[0])) == by);
    let counts =
        small.chars().all(|c| c.is_ascii_digit()) && "12345678901234567890098765432109876543210".contains(&small);
    let key = handle.key();
    word.is_empty() && small.chars().collect::<std::collections::BTreeSet<_>>().len() < 5
        || COMMON.contains(&word)
        || COMMON.contains(&small.as_str())
        || counts
        || [0, 1, -1].into_iter().any(steps)
        || word == key
        || small == key.repeat(2)
}

/// The few hands that make hashes.
#[derive(Debug)]
pub(crate) struct Passwords {
    hands: Arc<Semaphore>,
    /// Those who wait and those whose turn it is.
    places: Arc<Semaphore>,
    made: AtomicU64,
}

impl Default for Passwords {
    fn default() -> Passwords {
        // Half the machine at most, and never more than four.
        let hands = thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).clamp(1, 4));
        Passwords::new(hands, WAITING)
    }
}

impl Passwords {
    fn new(hands: usize, waiting: usize) -> Passwords {
        let (hands, places) = (Arc::new(Semaphore::new(hands)), Arc::new(Semaphore::new(hands + waiting)));
        Passwords { hands, places, made: AtomicU64::new(0) }
    }

    /// How many hashes were made.
    pub(crate) fn made(&self) -> &AtomicU64 {
        &self.made
    }

    /// What is kept of a password that was [`check`]ed.
    ///
    /// # Errors
    ///
    /// `busy` if too many wait already.
    pub(crate) async fn hash(&self, password: String) -> Result<PasswordHash, Problem> {
        let hash =
            self.work(move || argon2()?.hash_password(password.as_bytes()).map(|hash| hash.to_string()).ok()).await?;
        hash.map(PasswordHash).ok_or_else(|| Problem::not_saved("no password can be kept now"))
    }

    /// Whether this is the password of which `kept` was kept. `None` is of nobody: it is never right, and takes as long.
    ///
    /// # Errors
    ///
    /// `busy` if too many wait already.
    pub(crate) async fn verify(&self, password: &str, kept: Option<PasswordHash>) -> Result<bool, Problem> {
        let (password, exists) = (normal(password), kept.is_some());
        let kept = kept.map_or(NOBODY.to_owned(), |kept| kept.0);
        let right = self
            .work(move || {
                argon2().is_some_and(|argon2| argon2.verify_password(password.as_bytes(), kept.as_str()).is_ok())
            })
            .await?;
        Ok(right && exists)
    }

    async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| Problem::busy())?;
        let hand = self.hands.clone().acquire_owned().await.map_err(|_| Problem::busy())?;
        self.made.fetch_add(1, Ordering::Relaxed);
        // Whoever goes away meanwhile leaves the hand as busy as it is.
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop((hand, place));
            done
        });
        done.await.map_err(|_| Problem::busy())
    }
}

fn argon2() -> Option<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, ROUNDS, LANES, None).ok()?;
    Some(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Condvar, Mutex};

    fn why(password: &str) -> Option<String> {
        check(password, &"Ana-Maria".parse().unwrap()).err().map(|problem| problem.why.into_owned())
    }

    #[test]
    fn a_password_is_long_enough_and_not_everybodys() {
        for good in
            ["correct horse battery", "x7!kQp2mZr", "ñandú en la pampa", "1492-1815-1969 x", "qwerty and a half"]
        {
            assert_eq!(why(good), None, "{good}");
        }
        assert_eq!(why("short"), Some("bad_password_length".to_owned()));
        assert_eq!(why(&"x7!kQp2mZr".repeat(13)), Some("bad_password_length".to_owned()));
        assert_eq!(why(&"é7!kQp2mZr".repeat(12)), None, "characters, not bytes");
        for common in [
            "password12",
            "Password1!",
            "1234567890",
            "0987654321",
            "qwertyuiop",
            "iloveyou2024",
            "aaaaaaaaaaaa",
            "abcdefghijkl",
            "1212121212",
            "ana-maria1",
            "ANA-MARIA2024!",
            "ana-mariaana-maria",
            "Contraseña1",
            "outflank2026",
        ] {
            assert_eq!(why(common), Some("common_password".to_owned()), "{common}");
        }
    }

    #[test]
    fn the_hash_of_nobody_costs_as_much_as_any() {
        let fresh = argon2().unwrap().hash_password(b"correct horse").unwrap().to_string();
        let head = |text: &str| text.split('$').take(4).collect::<Vec<_>>().join("$");
        assert_eq!(head(NOBODY), head(&fresh));
        assert_eq!(head(NOBODY), "$argon2id$v=19$m=19456,t=2,p=1");
        assert_eq!(NOBODY.len(), fresh.len());
        assert!(argon2().unwrap().verify_password(b"correct horse", NOBODY).is_err());
    }

    #[tokio::test]
    async fn a_password_is_known_again_however_it_is_typed() {
        let passwords = Passwords::new(1, 1);
        let kept = passwords.hash(normal("Jos\u{e9} y Luc\u{ed}a")).await.unwrap();
        assert!(passwords.verify("Jose\u{301} y Luci\u{301}a", Some(kept.clone())).await.unwrap());
        assert!(!passwords.verify("Jose y Lucia", Some(kept.clone())).await.unwrap());
        assert!(!passwords.verify("Jos\u{e9} y Luc\u{ed}a", None).await.unwrap());
        assert_eq!(passwords.made().load(Ordering::Relaxed), 4, "one for each, also of nobody");
        assert!(!kept.0.contains("Jos") && !format!("{kept:?}").contains("argon2"));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn few_are_made_at_a_time_and_few_wait() {
        let passwords = Arc::new(Passwords::new(2, 3));
        // Every hash stops here until it is let go; (now at work, most at work, let go).
        let gate = Arc::new((Mutex::new((0, 0, false)), Condvar::new()));
        let ask = || {
            let (passwords, gate) = (passwords.clone(), gate.clone());
            tokio::spawn(async move {
                passwords
                    .work(move || {
                        let (state, changed) = &*gate;
                        let mut state = state.lock().unwrap();
                        state.0 += 1;
                        state.1 = state.1.max(state.0);
                        changed.notify_all();
                        let mut state = changed.wait_while(state, |(_, _, open)| !*open).unwrap();
                        state.0 -= 1;
                    })
                    .await
                    .is_ok()
            })
        };
        let mut asked: Vec<_> = (0..5).map(|_| ask()).collect();
        // All five have their place once none is free.
        while passwords.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        for _ in 0..50 {
            assert!(!ask().await.unwrap(), "the sixth is told to come again");
        }
        // Two of them are at work, however long their threads took to begin.
        while gate.0.lock().unwrap().0 < 2 {
            tokio::task::yield_now().await;
        }
        // One that is given up frees its place only when its work is done.
        asked.pop().unwrap().abort();
        gate.0.lock().unwrap().2 = true;
        gate.1.notify_all();
        for one in asked {
            assert!(one.await.unwrap());
        }
        assert_eq!(gate.0.lock().unwrap().1, 2, "never more than two at a time");
        while passwords.places.available_permits() < 5 {
            tokio::task::yield_now().await;
        }
        assert!(ask().await.unwrap(), "and then there is room again");
    }
}

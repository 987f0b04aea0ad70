//! How fast passwords may be guessed: [`Guesses`].
//!
//! Whoever tries one name from one address again and again waits longer each time; so does whoever tries many names from one address,
//! and so do all together who try one name from everywhere. Nobody is locked out: the wait is bounded, and an address from which someone
//! has signed in is not held up by what others try elsewhere. From a new address a password may have to wait for as long as others guess;
//! a recovery code, which nobody guesses, and a passkey do not. Names that do not exist are counted like any other.

use crate::{connections::Place, secret};
use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};
use table::At;

/// How many tries are free; after that one waits, twice as long each time.
#[derive(Clone, Copy, Debug)]
struct Backoff {
    free: u32,
    first: At,
    longest: At,
}

/// A proxy that does not say for whom it asks is everyone: nobody waits longer than this there.
const LONGEST_AT_HOME: At = 10_000;

impl Backoff {
    /// As it is for `place`.
    fn at(self, place: Place) -> Backoff {
        match place {
            Place::Home => Backoff { longest: self.longest.min(LONGEST_AT_HOME), ..self },
            Place::Net(_) => self,
        }
    }
}

/// One name from one address.
const PAIR: Backoff = Backoff { free: 5, first: 1_000, longest: 15 * 60_000 };
/// All names from one address: a class of thirty signs in together.
const PLACE: Backoff = Backoff { free: 60, first: 1_000, longest: 60_000 };
/// One name from all addresses where nobody has signed in to it.
const NAME: Backoff = Backoff { free: 100, first: 1_000, longest: 10_000 };
/// New accounts from one address.
const ACCOUNTS: Backoff = Backoff { free: 30, first: 5_000, longest: 10 * 60_000 };
/// How many of each are told apart at a time.
const MOST_KNOWN: usize = 10_000;

/// A name as it is remembered: not as it was typed, which may be a password in the wrong field.
type Name = [u8; 32];

/// Who has tried what.
#[derive(Debug, Default)]
pub(crate) struct Guesses(Mutex<Tried>);

#[derive(Debug, Default)]
struct Tried {
    pairs: HashMap<(Name, Place), Tries>,
    places: HashMap<Place, Tries>,
    names: HashMap<Name, Tries>,
    accounts: HashMap<Place, Tries>,
    /// Where someone has signed in to which name.
    home: HashSet<(Name, Place)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tries {
    count: u32,
    last: At,
}

impl Tries {
    /// How long one still has to wait at `now`.
    fn wait(self, backoff: Backoff, now: At) -> At {
        let Some(over) = self.count.checked_sub(backoff.free) else { return 0 };
        let wait = backoff.first.saturating_mul(1 << over.min(30)).min(backoff.longest);
        (self.last + wait).saturating_sub(now)
    }
}

impl Guesses {
    fn lock(&self) -> MutexGuard<'_, Tried> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a password may be tried now; it counts as a wrong one until it was right.
    ///
    /// # Errors
    ///
    /// How many milliseconds to wait.
    pub(crate) fn attempt(&self, name: &str, place: Place, now: At) -> Result<(), At> {
        let mut tried = self.lock();
        let name = name_of(name);
        let strange = !tried.home.contains(&(name, place));
        tried.attempt(name, place, strange, now)
    }

    /// The same of a recovery code: nobody waits for what others try.
    ///
    /// # Errors
    ///
    /// How many milliseconds to wait.
    pub(crate) fn attempt_code(&self, name: &str, place: Place, now: At) -> Result<(), At> {
        self.lock().attempt(name_of(name), place, false, now)
    }

    /// It was right.
    pub(crate) fn right(&self, name: &str, place: Place) {
        self.lock().right(name_of(name), place);
    }

    /// Whether another account may be opened from there now.
    ///
    /// # Errors
    ///
    /// How many milliseconds to wait.
    pub(crate) fn account(&self, place: Place, now: At) -> Result<(), At> {
        try_again(&mut self.lock().accounts, place, ACCOUNTS.at(place), now)
    }
}

fn name_of(name: &str) -> Name {
    secret::hash(&name.to_ascii_lowercase())
}

impl Tried {
    /// `strange`: it waits for what is tried elsewhere.
    fn attempt(&mut self, name: Name, place: Place, strange: bool, now: At) -> Result<(), At> {
        // Whoever has to wait anyway is not counted where others would wait for it.
        let wait = |tries: Option<&Tries>, backoff| tries.map_or(0, |tries: &Tries| tries.wait(backoff, now));
        let all = [
            wait(self.pairs.get(&(name, place)), PAIR.at(place)),
            wait(self.places.get(&place), PLACE),
            if strange { wait(self.names.get(&name), NAME) } else { 0 },
        ];
        match all.into_iter().max() {
            Some(wait) if wait > 0 => return Err(wait),
            _ => {}
        }
        try_again(&mut self.pairs, (name, place), PAIR.at(place), now)?;
        if place != Place::Home {
            try_again(&mut self.places, place, PLACE, now)?;
        }
        if strange {
            try_again(&mut self.names, name, NAME, now)?;
        }
        Ok(())
    }

    fn right(&mut self, name: Name, place: Place) {
        self.pairs.remove(&(name, place));
        if let Some(tries) = self.places.get_mut(&place) {
            tries.count = tries.count.saturating_sub(1);
        }
        if let Some(tries) = self.names.get_mut(&name) {
            tries.count = tries.count.saturating_sub(1);
        }
        if self.home.len() >= MOST_KNOWN {
            self.home.clear();
        }
        self.home.insert((name, place));
    }
}

/// Counts another try, unless it is too early for it.
fn try_again<K: Copy + Eq + Hash>(tried: &mut HashMap<K, Tries>, key: K, backoff: Backoff, now: At) -> Result<(), At> {
    // What has been left alone for long enough is forgotten.
    let stale = |tries: &Tries| now.saturating_sub(tries.last) >= 2 * backoff.longest;
    if tried.len() >= MOST_KNOWN && !tried.contains_key(&key) {
        tried.retain(|_, tries| !stale(tries));
        if tried.len() >= MOST_KNOWN
            && let Some(oldest) = tried.iter().min_by_key(|(_, tries)| tries.last).map(|(key, _)| *key)
        {
            tried.remove(&oldest);
        }
    }
    let tries = tried.entry(key).or_default();
    if stale(tries) {
        tries.count = 0;
    }
    match tries.wait(backoff, now) {
        0 => {
            *tries = Tries { count: tries.count.saturating_add(1), last: now };
            Ok(())
        }
        wait => Err(wait),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> Place {
        Place::of(address.parse().unwrap())
    }

    /// How many passwords can be tried from `begin` to `end` by someone who always waits as long as they are told.
    fn tried(guesses: &Guesses, name: &str, place: Place, mut begin: At, end: At) -> usize {
        let mut count = 0;
        while begin < end {
            match guesses.attempt(name, place, begin) {
                Ok(()) => count += 1,
                Err(wait) => begin += wait,
            }
        }
        count
    }

    #[test]
    fn guessing_one_name_takes_ever_longer() {
        let (guesses, here) = (Guesses::default(), at("192.0.2.1"));
        assert_eq!(tried(&guesses, "ana", here, 0, 1), 5);
        assert_eq!(guesses.attempt("ANA", here, 0), Err(1_000), "however it is written");
        assert!(guesses.attempt("luis", here, 0).is_ok(), "someone else behind the same address");
        let in_a_day = tried(&guesses, "ana", here, 0, 24 * 3_600_000);
        assert!((90..=110).contains(&in_a_day), "{in_a_day}: one in a quarter of an hour");
    }

    #[test]
    fn the_owner_of_a_name_is_not_locked_out() {
        let (guesses, here, elsewhere) = (Guesses::default(), at("192.0.2.1"), at("198.51.100.1"));
        guesses.attempt("ana", here, 0).unwrap();
        guesses.right("ana", here);
        tried(&guesses, "ana", elsewhere, 0, 3_600_000);
        for n in 0..=255 {
            tried(&guesses, "ana", at(&format!("203.0.113.{n}")), 3_600_000, 3_600_001);
        }
        assert!(guesses.attempt("ana", here, 3_600_001).is_ok(), "from where they are");
        // From an address nobody has seen they wait for some seconds at most.
        let wait = guesses.attempt("ana", at("198.51.100.77"), 3_600_001).unwrap_err();
        assert!(wait <= 10_000, "{wait}");
        assert!(guesses.attempt("ana", at("198.51.100.77"), 3_600_001 + wait).is_ok());
        // However many take every turn, a recovery code has its own.
        let now = 3_600_001 + wait;
        assert!(guesses.attempt("ana", at("198.51.100.78"), now).is_err());
        assert!(guesses.attempt_code("ana", at("198.51.100.78"), now).is_ok());
        let codes = (0..100).filter(|_| guesses.attempt_code("ana", at("198.51.100.79"), now).is_ok()).count();
        assert_eq!(codes, 5, "which are not tried without end either");
    }

    #[test]
    fn many_names_from_one_address_and_one_name_from_many_are_slow() {
        let (guesses, here) = (Guesses::default(), at("2001:db8::1"));
        let all: usize = (0..1000).map(|n| tried(&guesses, &format!("name{n}"), here, 0, 1)).sum();
        assert_eq!(all, 60);
        assert!(guesses.attempt("x", at("2001:db8::2"), 0).is_err(), "another address of the same customer");
        let guesses = Guesses::default();
        let all: usize = (0..250).map(|n| tried(&guesses, "ana", at(&format!("192.0.2.{n}")), 0, 1)).sum();
        assert_eq!(all, 100);
    }

    #[test]
    fn behind_a_proxy_that_says_nothing_everyone_still_comes_in() {
        let guesses = Guesses::default();
        tried(&guesses, "ana", Place::Home, 0, 3_600_000);
        let wait = guesses.attempt("ana", Place::Home, 3_600_000).map_or_else(|wait| wait, |()| 0);
        assert!(wait <= 10_000, "{wait}");
        for n in 0..1000 {
            assert!(guesses.attempt(&format!("name{n}"), Place::Home, 3_600_000).is_ok(), "{n}");
        }
    }

    #[test]
    fn whoever_gets_it_right_starts_afresh_and_time_heals() {
        let (guesses, here) = (Guesses::default(), at("192.0.2.1"));
        assert_eq!(tried(&guesses, "ana", here, 0, 1), 5);
        assert!(guesses.attempt("ana", here, 1_000).is_ok());
        guesses.right("ana", here);
        assert_eq!(tried(&guesses, "ana", here, 1_000, 1_001), 5);
        assert_eq!(tried(&guesses, "ana", here, 4_000_000, 4_000_001), 5);
    }

    #[test]
    fn accounts_cannot_be_opened_without_end() {
        let (guesses, here) = (Guesses::default(), at("192.0.2.1"));
        let opened = (0..1000).take_while(|_| guesses.account(here, 0).is_ok()).count();
        assert_eq!(opened, 30);
        assert_eq!(guesses.account(here, 0), Err(5_000));
        assert!(guesses.account(at("192.0.2.2"), 0).is_ok());
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let guesses = Guesses::default();
        for n in 0..12_000_u32 {
            let place = at(&std::net::Ipv4Addr::from(0x0a00_0000 + n).to_string());
            let _ = guesses.attempt(&format!("name{n}"), place, At::from(n));
            guesses.right(&format!("name{n}"), place);
            let _ = guesses.attempt(&format!("name{n}"), place, At::from(n));
        }
        let tried = guesses.lock();
        assert!(
            [tried.pairs.len(), tried.places.len(), tried.names.len(), tried.home.len()]
                .iter()
                .all(|n| *n <= MOST_KNOWN)
        );
    }
}

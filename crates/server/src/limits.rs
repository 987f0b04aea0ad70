//! What commands cost, and how much anyone may spend: [`Limits`].
//!
//! Only what grows or takes work costs anything: beginning games, taking moves back without end, lists, hints, whole games. Moves are
//! free. Each person has an allowance, each address has one for all who share it, and so has the server; they fill up again with
//! time. Whoever is out of it is refused, and nothing else happens to them.
//!
//! What is free and refused has an allowance of its own, because finding out that there is no such game takes as long as finding it.

use crate::{connections::Place, people::OWNER, protocol::Ask};
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, PoisonError},
};
use table::{At, PersonId};

/// How much can be saved up, and how much comes back in a second.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    most: f64,
    per_second: f64,
}

/// Twelve new games at once, and then one every five seconds; or forty hints, and then two every three seconds.
const PERSON: Allowance = Allowance { most: 120.0, per_second: 2.0 };
/// A club behind one address.
const PLACE: Allowance = Allowance { most: 1200.0, per_second: 20.0 };
/// Whatever the number of addresses.
const ALL: Allowance = Allowance { most: 12_000.0, per_second: 400.0 };
/// How many persons, and how many places, are told apart at a time.
const MOST_KNOWN: usize = 10_000;

/// What a command costs.
pub(crate) fn cost(ask: &Ask) -> f64 {
    match ask {
        // A review is some minutes of an engine at most; only as many run as the analyst allows.
        Ask::Create { .. } | Ask::Again { .. } | Ask::Review { .. } => 10.0,
        // A pairing begins a game.
        Ask::OfferAccept { .. } | Ask::Quick { .. } => 10.0,
        Ask::Offer { .. } | Ask::Challenge { .. } => 5.0,
        Ask::Lobby | Ask::Person { .. } | Ask::PersonGames { .. } | Ask::Leaders { .. } => 2.0,
        Ask::OfferWithdraw { .. } | Ask::ChallengeDecline { .. } | Ask::Block { .. } | Ask::Unblock { .. } => 1.0,
        // A study may be large: to make, to read and to write.
        Ask::StudyNew { .. } | Ask::StudyOpen { .. } | Ask::StudyFile { .. } => 4.0,
        // An answer may take a search.
        Ask::ExercisePlay { .. } => 10.0,
        Ask::Hint { .. } | Ask::ExerciseTry { .. } | Ask::ExerciseAdd { .. } => 3.0,
        Ask::Exercises { .. } | Ask::Exercise { .. } | Ask::ExerciseRemove { .. } => 1.0,
        Ask::List { .. } | Ask::Turns | Ask::Studies { .. } | Ask::Sit { .. } | Ask::Scrap { .. } => 2.0,
        Ask::Abort { .. } | Ask::Claim { .. } | Ask::Pause { .. } | Ask::Resume { .. } | Ask::Say { .. } => 1.0,
        Ask::Takeback { .. } | Ask::Open { .. } | Ask::Delete { .. } | Ask::StudyDelete { .. } => 1.0,
        // Every game is looked at: some hundredths of a second.
        Ask::LibraryFind { .. } | Ask::LibraryStats | Ask::LibraryDelete { .. } | Ask::LibraryOwn { .. } => 1.0,
        Ask::LibraryNames { .. } => 0.5,
        // Stepping through a game with the analysis on asks several times a second.
        Ask::StudyEdit { .. } | Ask::Analyse { .. } => 0.25,
        Ask::StudyOverlay { .. } | Ask::StudyLine { .. } => 0.1,
        Ask::Play { .. }
        | Ask::Answer { .. }
        | Ask::Resign { .. }
        | Ask::Close { .. }
        | Ask::StudyClose { .. }
        | Ask::AnalyseStop { .. }
        | Ask::ReviewStop { .. }
        | Ask::OpenDoor
        | Ask::CloseDoor
        | Ask::LobbyClose
        | Ask::Ping => 0.0,
    }
}

/// What a file of a game costs.
pub(crate) const FILE: f64 = 2.0;
/// What a part of the library costs, which may be all of it.
pub(crate) const EXPORT: f64 = 20.0;

/// What everyone has left.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    spent: Mutex<Spent>,
    /// What was free and refused.
    wasted: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    persons: HashMap<PersonId, Bucket>,
    places: HashMap<Place, Bucket>,
    all: Bucket,
    strangers: Bucket,
}

impl Limits {
    /// Pays for something that someone at `place` wants, if they can. The owner pays nothing: the machine is theirs.
    pub(crate) fn pay(&self, who: Option<PersonId>, place: Place, cost: f64, now: At) -> bool {
        if who == Some(OWNER) || cost == 0.0 {
            return true;
        }
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).pay(who, place, cost, now)
    }

    /// Pays for a request of which nobody knows yet who sends it. Strangers, however many they are, share an allowance of their own, and
    /// leave that of the server to those who play.
    pub(crate) fn knock(&self, place: Place, cost: f64, now: At) -> bool {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).knock(place, cost, now)
    }

    /// Something that cost nothing was refused.
    pub(crate) fn waste(&self, who: PersonId, place: Place, now: At) {
        if who != OWNER {
            self.wasted.lock().unwrap_or_else(PoisonError::into_inner).waste(who, place, now);
        }
    }

    /// Whether someone at `place` may try what costs nothing. Whoever `plays` answers for themselves alone: nobody who shares their address
    /// keeps them from moving.
    pub(crate) fn may_try(&self, who: PersonId, place: Place, plays: impl FnOnce() -> bool, now: At) -> bool {
        let wasted = self.wasted.lock().unwrap_or_else(PoisonError::into_inner);
        let (person, address) = (wasted.persons.get(&who).copied(), wasted.places.get(&place).copied());
        drop(wasted);
        person.is_none_or(|bucket| bucket.has_left(now, PERSON))
            && (address.is_none_or(|bucket| bucket.has_left(now, PLACE)) || plays())
    }
}

impl Spent {
    fn pay(&mut self, who: Option<PersonId>, place: Place, cost: f64, now: At) -> bool {
        let person = who.and_then(|who| bucket(&mut self.persons, who, PERSON, now));
        let place = of_place(&mut self.places, place, now);
        let purses = [person.map(|bucket| (bucket, PERSON)), place, Some((&mut self.all, ALL))];
        take(purses.into_iter().flatten().collect(), cost, now)
    }

    fn waste(&mut self, who: PersonId, place: Place, now: At) {
        let person = bucket(&mut self.persons, who, PERSON, now).map(|bucket| (bucket, PERSON));
        for (bucket, allowance) in person.into_iter().chain(of_place(&mut self.places, place, now)) {
            *bucket = Bucket { spent: (bucket.at(now, allowance) + 1.0).min(allowance.most), since: now };
        }
    }

    fn knock(&mut self, place: Place, cost: f64, now: At) -> bool {
        let place = of_place(&mut self.places, place, now);
        take(place.into_iter().chain([(&mut self.strangers, ALL)]).collect(), cost, now)
    }
}

/// What an address has left; nothing is known of a proxy that does not say for whom it asks.
fn of_place(places: &mut HashMap<Place, Bucket>, place: Place, now: At) -> Option<(&mut Bucket, Allowance)> {
    match place {
        Place::Home => None,
        Place::Net(_) => bucket(places, place, PLACE, now).map(|bucket| (bucket, PLACE)),
    }
}

/// All or none: whoever is refused has spent nothing.
fn take(purses: Vec<(&mut Bucket, Allowance)>, cost: f64, now: At) -> bool {
    let can = purses.iter().all(|(bucket, allowance)| bucket.at(now, *allowance) + cost <= allowance.most);
    if can {
        for (bucket, allowance) in purses {
            *bucket = Bucket { spent: bucket.at(now, allowance) + cost, since: now };
        }
    }
    can
}

/// The bucket of a key; none if too many others are in use.
fn bucket<K: Eq + Hash>(known: &mut HashMap<K, Bucket>, key: K, of: Allowance, now: At) -> Option<&mut Bucket> {
    if known.len() >= MOST_KNOWN && !known.contains_key(&key) {
        known.retain(|_, bucket| bucket.at(now, of) > 0.0);
        if known.len() >= MOST_KNOWN {
            return None;
        }
    }
    Some(known.entry(key).or_default())
}

/// What one has spent and not got back yet.
#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    spent: f64,
    since: At,
}

impl Bucket {
    /// What is spent at `now`.
    fn at(&self, now: At, allowance: Allowance) -> f64 {
        let back = now.saturating_sub(self.since) as f64 / 1000.0 * allowance.per_second;
        (self.spent - back).max(0.0)
    }

    /// Whether there is enough for one thing more.
    fn has_left(&self, now: At, allowance: Allowance) -> bool {
        self.at(now, allowance) + 1.0 <= allowance.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> Place {
        Place::of(address.parse().unwrap())
    }

    /// How often something of that cost can be had at one moment.
    fn times(limits: &mut Spent, who: i64, place: Place, cost: f64, now: At) -> usize {
        (0..100_000).take_while(|_| limits.pay(Some(PersonId(who)), place, cost, now)).count()
    }

    #[test]
    fn an_allowance_is_used_up_and_comes_back() {
        let (mut limits, here) = (Spent::default(), at("192.0.2.1"));
        assert_eq!(times(&mut limits, 2, here, 10.0, 1_000), 12);
        assert_eq!(times(&mut limits, 2, here, 10.0, 5_999), 0);
        assert_eq!(times(&mut limits, 2, here, 10.0, 6_000), 1, "after five seconds another");
        assert_eq!(times(&mut limits, 2, here, 10.0, 3_600_000), 12, "and never more than at first");
        assert_eq!(times(&mut limits, 3, here, 10.0, 3_600_000), 12, "someone else has their own");
    }

    #[test]
    fn many_persons_at_one_address_share_what_it_has() {
        let mut limits = Spent::default();
        let all: usize = (2..1000).map(|who| times(&mut limits, who, at("2001:db8::1"), 10.0, 0)).sum();
        assert_eq!(all, 120, "a new cookie for each game does not help");
        assert_eq!(times(&mut limits, 5000, at("2001:db8::2"), 10.0, 0), 0, "nor another address of the same customer");
        assert_eq!(
            times(&mut limits, 5000, at("192.0.2.1"), 10.0, 0),
            12,
            "others play on, and a refusal cost nothing"
        );
    }

    #[test]
    fn strangers_leave_the_server_to_those_who_play() {
        let mut limits = Spent::default();
        let asked: usize = (0..200)
            .map(|n| (0..10_000).take_while(|_| limits.knock(at(&format!("192.0.2.{n}")), 2.0, 0)).count())
            .sum();
        assert_eq!(asked, 6_000, "all strangers together");
        assert_eq!(times(&mut limits, 2, at("198.51.100.1"), 10.0, 0), 12, "a player notices nothing");
    }

    #[test]
    fn many_addresses_share_what_the_server_has() {
        let mut limits = Spent::default();
        let everyone = |limits: &mut Spent, now| -> usize {
            (0..200).map(|n| times(limits, 2 + n, at(&format!("192.0.2.{n}")), 10.0, now)).sum()
        };
        assert_eq!(everyone(&mut limits, 0), 1200);
        assert_eq!(everyone(&mut limits, 1_000), 40);
    }

    #[test]
    fn what_is_remembered_is_bounded_and_nobody_is_forgotten_while_it_matters() {
        let (mut limits, here) = (Spent::default(), at("192.0.2.1"));
        assert!(limits.pay(Some(PersonId(7)), here, 100.0, 0));
        for who in 0..3 * MOST_KNOWN as i64 {
            limits.pay(Some(PersonId(1000 + who)), Place::Home, 1.0, 20_000 + who as At);
            assert!(limits.persons.len() <= MOST_KNOWN);
        }
        assert!(limits.persons[&PersonId(7)].at(20_000, PERSON) > 50.0);
    }

    #[test]
    fn what_is_free_is_tried_until_too_much_of_it_was_refused() {
        let (limits, here) = (Limits::default(), at("192.0.2.1"));
        let (somebody, other) = (PersonId(7), PersonId(8));
        let refused = |who, times| (0..times).for_each(|_| limits.waste(who, here, 1_000));
        refused(somebody, 119);
        assert!(limits.may_try(somebody, here, || true, 1_000));
        refused(somebody, 2_000);
        assert!(!limits.may_try(somebody, here, || true, 1_000));
        assert!(limits.may_try(somebody, here, || true, 2_000), "and comes back");
        assert!(!limits.may_try(other, here, || false, 1_000), "a new cookie does not help");
        assert!(limits.may_try(other, here, || true, 1_000), "whoever plays is not kept from it by a neighbour");
        assert!(limits.may_try(other, at("192.0.2.2"), || false, 1_000));
        refused(OWNER, 1_000);
        assert!(limits.may_try(OWNER, at("192.0.2.2"), || false, 1_000));
        assert!(limits.pay(Some(somebody), here, 120.0, 1_000), "what costs something is another matter");
    }

    #[test]
    fn the_owner_and_every_move_are_free() {
        let limits = Limits::default();
        assert!((0..1000).all(|_| limits.pay(Some(OWNER), at("192.0.2.1"), 10.0, 0)));
        let square = "f5".parse().unwrap();
        assert_eq!(cost(&Ask::Play { game: "k7q2m9x4tbcd".parse().unwrap(), square, ply: table::Ply(0) }), 0.0);
    }
}

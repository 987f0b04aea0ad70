//! How many connections there may be, in all and from one place: [`Connections`].
//!
//! A connection that waits for its next request can be given up for a newcomer, the one that has waited longest first, so that
//! nobody is locked out by connections that do nothing. Pages and requests that are being answered are never given up.

use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::Notify;

/// How many connections are kept for whoever is at the machine itself.
const RESERVE: usize = 32;

/// Where connections come from, as far as they are counted together: one IPv4 address, or the /64 that one IPv6 customer has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Place {
    /// The machine itself, or a trusted proxy that speaks for many.
    Home,
    /// Somewhere else.
    Net(IpAddr),
}

impl Place {
    /// The place of an address.
    pub(crate) fn of(address: IpAddr) -> Place {
        match address.to_canonical() {
            address if address.is_loopback() => Place::Home,
            IpAddr::V6(address) => Place::Net(IpAddr::V6((u128::from(address) & !u128::from(u64::MAX)).into())),
            address @ IpAddr::V4(_) => Place::Net(address),
        }
    }
}

/// All connections there are.
#[derive(Debug)]
pub(crate) struct Connections {
    most: usize,
    most_from_one_place: usize,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    count: usize,
    by_place: HashMap<Place, usize>,
    next: u64,
    /// Those that wait for a request, in the order in which they began to.
    waiting: BTreeMap<u64, (Place, Arc<Notify>)>,
}

/// One connection's place among all: given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Ticket {
    all: Arc<Connections>,
    place: Place,
    /// Its turn to be given up, while it waits for a request.
    waits: Mutex<Option<u64>>,
    given_up: Arc<Notify>,
}

impl Connections {
    /// At most `most` connections, of which at most `most_from_one_place` from one place other than the machine itself.
    pub(crate) fn new(most: usize, most_from_one_place: usize) -> Arc<Connections> {
        Arc::new(Connections { most, most_from_one_place, inner: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Counting is never left half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.lock().count
    }

    /// A ticket for a newcomer, who may take the place of one that only waits; none if there is no room.
    pub(crate) fn admit(self: &Arc<Connections>, place: Place) -> Option<Arc<Ticket>> {
        let mut inner = self.lock();
        let most = match place {
            Place::Home => self.most,
            Place::Net(_) => self.most.saturating_sub(RESERVE),
        };
        if place != Place::Home
            && inner.by_place.get(&place).is_some_and(|count| *count >= self.most_from_one_place)
            && !inner.give_up(|other| other == place)
        {
            return None;
        }
        // Whoever is at the machine makes room for nobody from elsewhere.
        if inner.count >= most && !inner.give_up(|other| place == Place::Home || other != Place::Home) {
            return None;
        }
        inner.count += 1;
        *inner.by_place.entry(place).or_default() += 1;
        let given_up = Arc::new(Notify::new());
        let turn = inner.wait(place, &given_up);
        drop(inner);
        Some(Arc::new(Ticket { all: self.clone(), place, waits: Mutex::new(Some(turn)), given_up }))
    }

    /// The machine has no room for another connection: one that waits is given up.
    pub(crate) fn make_room(&self) {
        self.lock().give_up(|_| true);
    }
}

impl Inner {
    fn wait(&mut self, place: Place, given_up: &Arc<Notify>) -> u64 {
        self.next += 1;
        self.waiting.insert(self.next, (place, given_up.clone()));
        self.next
    }

    /// Gives up the connection that has waited longest among those from a place that `from` accepts; `false` if there is none.
    fn give_up(&mut self, from: impl Fn(Place) -> bool) -> bool {
        let Some(turn) = self.waiting.iter().find(|(_, (place, _))| from(*place)).map(|(turn, _)| *turn) else {
            return false;
        };
        if let Some((place, given_up)) = self.waiting.remove(&turn) {
            given_up.notify_one();
            self.leave(place);
        }
        true
    }

    fn leave(&mut self, place: Place) {
        self.count -= 1;
        if let Some(count) = self.by_place.get_mut(&place) {
            *count -= 1;
            if *count == 0 {
                self.by_place.remove(&place);
            }
        }
    }
}

impl Ticket {
    fn waits(&self) -> MutexGuard<'_, Option<u64>> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the connection is given up for another.
    pub(crate) async fn given_up(&self) {
        self.given_up.notified().await;
    }

    /// A request has come: the connection is of use from here. `false` if it was given up already.
    pub(crate) fn work(&self) -> bool {
        let mut waits = self.waits();
        let Some(turn) = *waits else { return true };
        let kept = self.all.lock().waiting.remove(&turn).is_some();
        if kept {
            *waits = None;
        }
        kept
    }

    /// The request has been answered: the connection waits for the next.
    pub(crate) fn rest(&self) {
        let mut waits = self.waits();
        if waits.is_none() {
            *waits = Some(self.all.lock().wait(self.place, &self.given_up));
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let waits = *self.waits();
        let mut inner = self.all.lock();
        // One that was given up is counted no more.
        if waits.is_none_or(|turn| inner.waiting.remove(&turn).is_some()) {
            inner.leave(self.place);
        }
    }
}

/// Lets this process have as many files and connections as the system allows it; the answer is how many, if there is a limit.
///
/// ```
/// assert!(server::raise_file_limit().is_none_or(|files| files > 0));
/// ```
pub fn raise_file_limit() -> Option<usize> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        // Where it is not allowed the old limit holds.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
        getrlimit(Resource::Nofile).current.map(|files| usize::try_from(files).unwrap_or(usize::MAX))
    }
    #[cfg(not(unix))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Place {
        Place::of(text.parse().unwrap())
    }

    /// Whether a ticket was given up; asking takes the notice away.
    async fn is_given_up(ticket: &Ticket) -> bool {
        tokio::select! {
            biased;
            () = ticket.given_up() => true,
            () = std::future::ready(()) => false,
        }
    }

    #[test]
    fn a_place_is_an_address_or_a_customer_of_ipv6() {
        assert_eq!(place("127.0.0.1"), Place::Home);
        assert_eq!(place("127.9.9.9"), Place::Home);
        assert_eq!(place("::1"), Place::Home);
        assert_eq!(place("::ffff:127.0.0.1"), Place::Home);
        assert_eq!(place("::ffff:192.0.2.1"), place("192.0.2.1"));
        assert_ne!(place("192.0.2.1"), place("192.0.2.2"));
        assert_eq!(place("2001:db8:1:2::1"), place("2001:db8:1:2:ffff::9"));
        assert_ne!(place("2001:db8:1:2::1"), place("2001:db8:1:3::1"));
    }

    #[test]
    fn one_place_cannot_take_everything() {
        let all = Connections::new(100, 3);
        let taken: Vec<_> = (0..3).map(|_| all.admit(place("192.0.2.1")).unwrap()).collect();
        assert!(taken.iter().all(|ticket| ticket.work()), "all three are of use");
        assert!(all.admit(place("192.0.2.1")).is_none());
        assert!(all.admit(place("192.0.2.2")).is_some());
        drop(taken);
        assert!(all.admit(place("192.0.2.1")).is_some());
        assert_eq!(all.count(), 0, "every ticket was given back");
        assert!(all.lock().by_place.is_empty());
    }

    #[tokio::test]
    async fn whoever_waits_longest_makes_room() {
        let all = Connections::new(RESERVE + 3, 100);
        let [first, second, third] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(|at| all.admit(place(at)).unwrap());
        assert!(first.work());
        first.rest(); // and waits from now on, after the others
        assert!(third.work(), "a page");
        let fourth = all.admit(place("192.0.2.4")).unwrap();
        assert!(is_given_up(&second).await && !is_given_up(&first).await && !is_given_up(&third).await);
        assert!(!second.work(), "what was given up answers nothing any more");
        assert_eq!(all.count(), 3);
        drop(second);
        assert_eq!(all.count(), 3, "counted once");
        assert!(fourth.work() && first.work());
        assert!(all.admit(place("192.0.2.5")).is_none(), "nobody waits");
    }

    #[tokio::test]
    async fn the_machine_itself_has_a_reserve_and_makes_room_for_nobody() {
        let all = Connections::new(RESERVE + 2, 2);
        let strangers = ["192.0.2.1", "192.0.2.2"].map(|at| all.admit(place(at)).unwrap());
        assert!(strangers.iter().all(|ticket| ticket.work()));
        assert!(all.admit(place("192.0.2.3")).is_none());
        let home: Vec<_> = (0..RESERVE).map(|_| all.admit(Place::Home).unwrap()).collect();
        assert!(all.admit(place("192.0.2.3")).is_none());
        assert!(!is_given_up(&home[0]).await);
        let latest = all.admit(Place::Home).unwrap();
        assert!(is_given_up(&home[0]).await, "only for itself");
        drop((home, latest, strangers));
        assert_eq!(all.count(), 0);
    }

    #[test]
    fn however_they_come_and_go_the_count_is_right() {
        let all = Connections::new(RESERVE + 20, 7);
        let mut random = 1_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % below
        };
        let mut tickets: Vec<Arc<Ticket>> = Vec::new();
        for _ in 0..20_000 {
            match (next(4), tickets.len()) {
                (0 | 1, _) | (_, 0) => {
                    let from = if next(4) == 0 { Place::Home } else { place(&format!("192.0.2.{}", next(9))) };
                    tickets.extend(all.admit(from));
                }
                (2, some) => drop(tickets.swap_remove(next(some))),
                (_, some) => {
                    let ticket = &tickets[next(some)];
                    if next(2) == 0 {
                        let _ = ticket.work();
                    } else {
                        ticket.rest();
                    }
                }
            }
            let inner = all.lock();
            assert_eq!(inner.count, inner.by_place.values().sum::<usize>());
            assert!(inner.count <= RESERVE + 20);
            assert!(inner.by_place.iter().all(|(place, count)| *place == Place::Home || *count <= 7));
            assert!(inner.waiting.len() <= inner.count);
        }
        tickets.clear();
        assert_eq!(all.count(), 0);
        assert!(all.lock().waiting.is_empty());
    }
}

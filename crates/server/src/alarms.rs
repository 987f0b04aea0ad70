//! When somebody must look at a game's clock: [`Alarms`].
//!
//! One task waits for the earliest of all. A game whose clock runs needs neither a task of its own nor to be kept at hand.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Mutex, PoisonError},
};
use table::{At, GameId};
use tokio::sync::Notify;

/// At most one alarm for each game.
#[derive(Debug, Default)]
pub(crate) struct Alarms {
    set: Mutex<Set>,
    /// There is an earlier one than before.
    earlier: Notify,
}

#[derive(Debug, Default)]
struct Set {
    by_game: HashMap<GameId, At>,
    in_order: BTreeSet<(At, GameId)>,
}

impl Set {
    /// Whether the earliest alarm is earlier now.
    fn set(&mut self, game: &GameId, at: Option<At>) -> bool {
        let first = self.first();
        if let Some(old) = self.by_game.remove(game) {
            self.in_order.remove(&(old, game.clone()));
        }
        if let Some(at) = at {
            self.by_game.insert(game.clone(), at);
            self.in_order.insert((at, game.clone()));
        }
        self.first().is_some_and(|now| first.is_none_or(|first| now < first))
    }

    fn first(&self) -> Option<At> {
        self.in_order.first().map(|(at, _)| *at)
    }

    fn take_due(&mut self, now: At) -> Vec<GameId> {
        let mut due = Vec::new();
        while let Some((at, _)) = self.in_order.first()
            && *at <= now
            && let Some((_, game)) = self.in_order.pop_first()
        {
            self.by_game.remove(&game);
            due.push(game);
        }
        due
    }
}

impl Alarms {
    /// Somebody must look at `game` at that time, and no other; `None`: nobody must.
    pub(crate) fn set(&self, game: &GameId, at: Option<At>) {
        if self.lock().set(game, at) {
            self.earlier.notify_one();
        }
    }

    /// The time of the earliest.
    pub(crate) fn first(&self) -> Option<At> {
        self.lock().first()
    }

    /// The games to look at by then.
    pub(crate) fn due(&self, by: At) -> Vec<GameId> {
        let set = self.lock();
        set.in_order.iter().take_while(|(at, _)| *at <= by).map(|(_, game)| game.clone()).collect()
    }

    /// The games to look at by now; their alarms are gone.
    pub(crate) fn take_due(&self, now: At) -> Vec<GameId> {
        self.lock().take_due(now)
    }

    /// Waits until there is an earlier alarm than there was.
    pub(crate) async fn earlier(&self) {
        self.earlier.notified().await;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Set> {
        self.set.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_one_alarm_and_they_come_in_order() {
        let (a, b): (GameId, GameId) = ("a".parse().unwrap(), "b".parse().unwrap());
        let mut set = Set::default();
        assert!(set.set(&a, Some(50)));
        assert!(!set.set(&b, Some(70)), "not earlier than the first");
        assert!(set.set(&b, Some(20)));
        assert!(!set.set(&b, Some(60)), "it was put off");
        assert_eq!(set.first(), Some(50));
        assert!(set.take_due(49).is_empty());
        assert_eq!(set.take_due(60), [a.clone(), b.clone()]);
        assert!(set.set(&a, Some(5)));
        assert!(!set.set(&a, None));
        assert_eq!((set.first(), set.by_game.len()), (None, 0));
    }
}

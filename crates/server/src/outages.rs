//! Times in which nothing could be kept: [`Outages`]. They are charged to nobody.
//!
//! A store that fails, or leaves somebody waiting for a second without doing anything for anyone, is away since it was last heard. From
//! then on no flag falls, and nothing happens in a game, before it has an entry that gives the time back (`Live::give_back`). When
//! something can be kept again, all games at hand get that entry ([`House::mend_outages`]).

use crate::{HEARTBEAT, House, live::RETRY};
use room::Write;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use table::{At, GameId};
use tokio::sync::Notify;

/// A store that has done nothing for so long, although it was asked to, is away. A slow disk takes less.
const SLOW: At = 1000;

/// When the store was heard, and when it was not.
#[derive(Debug, Default)]
pub(crate) struct Outages {
    state: Mutex<State>,
    began: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// When the store last did what it was asked to.
    heard: At,
    /// What it was asked and has not answered: when, by numbers that count up.
    waiting: BTreeMap<u64, At>,
    asked: u64,
    /// Since when it is away; until everybody has that time back.
    from: Option<At>,
    /// How often it has failed.
    failures: u64,
}

impl State {
    fn since(&self, now: At) -> Option<At> {
        let (_, asked) = self.waiting.first_key_value().unzip();
        let away = asked.filter(|asked| now > self.heard.max(**asked) + SLOW);
        self.from.or_else(|| away.map(|asked| self.last_heard(*asked)))
    }

    /// When the store was last known to be there, if it did not answer what it was asked at `asked`. While clocks run, it is asked for
    /// something with every beat.
    fn last_heard(&self, asked: At) -> At {
        self.heard.max(asked.saturating_sub(HEARTBEAT.as_millis() as At))
    }

    /// Whether it was away.
    fn answered(&mut self, number: u64, now: At, well: bool) -> bool {
        let Some((_, &oldest)) = self.waiting.first_key_value() else { return false };
        let away = !well || now > self.heard.max(oldest) + SLOW;
        if away {
            self.from = self.from.or(Some(self.last_heard(oldest)));
        }
        self.waiting.remove(&number);
        if well {
            self.heard = now;
        } else {
            self.failures += 1;
        }
        away
    }
}

/// Something that the store was asked. Whoever stops waiting for the answer drops it.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    outages: &'a Outages,
    number: u64,
}

impl Asked<'_> {
    /// The store has answered at `now`, and is well or not.
    pub(crate) fn answered(self, now: At, well: bool) {
        if self.outages.lock().answered(self.number, now, well) {
            self.outages.began.notify_one();
        }
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.outages.lock().waiting.remove(&self.number);
    }
}

impl Outages {
    /// The store is asked for something at `now`.
    pub(crate) fn asked(&self, now: At) -> Asked<'_> {
        let mut state = self.lock();
        state.asked += 1;
        let number = state.asked;
        state.waiting.insert(number, now);
        Asked { outages: self, number }
    }

    /// Since when the store is away at `now`, or was and not everybody has the time back.
    pub(crate) fn since(&self, now: At) -> Option<At> {
        self.lock().since(now)
    }

    fn failures(&self) -> u64 {
        self.lock().failures
    }

    /// Everybody has their time back; false if the store has failed again, since it had failed so often.
    fn end(&self, failures: u64) -> bool {
        let mut state = self.lock();
        let ends = state.failures == failures;
        if ends {
            state.from = None;
        }
        ends
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl House {
    /// Gives everybody the time back in which nothing could be kept, as soon as something can.
    pub(crate) async fn mend_outages(self: Arc<House>) {
        loop {
            self.outages.began.notified().await;
            while self.outages.since(self.time.now()).is_some() {
                let failures = self.outages.failures();
                if self.keep(vec![Write::Alive { at: self.time.now() }]).await.is_ok() {
                    self.give_back().await;
                    if self.outages.end(failures) {
                        break;
                    }
                }
                tokio::time::sleep(RETRY).await;
            }
        }
    }

    /// In the games at hand, and in those whose flag would fall now.
    async fn give_back(self: &Arc<House>) {
        let due: Vec<GameId> = self.alarms.due(self.time.now() + 2 * RETRY.as_millis() as At);
        for game in due {
            // What cannot be read now is read by whoever lets the flag fall.
            let _ = self.live(&game).await;
        }
        for live in self.rooms.all() {
            live.mend().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_away_since_it_was_last_heard() {
        let outages = Outages::default();
        outages.asked(10_000).answered(10_005, true);
        let (first, second) = (outages.asked(10_500), outages.asked(12_000));
        assert_eq!(outages.since(11_500), None, "a second may pass");
        assert_eq!(outages.since(11_501), Some(10_005));
        second.answered(12_100, true);
        assert_eq!(outages.since(12_101), Some(10_005), "it was away, and nobody has the time back");
        assert!(outages.end(outages.failures()));
        assert_eq!(outages.since(13_000), None, "the other waits, but the store was heard");
        drop(first);
        assert_eq!(outages.since(99_000), None, "nobody waits");
    }

    #[test]
    fn a_store_that_fails_is_away_until_all_is_given_back_and_it_has_not_failed_again() {
        let outages = Outages::default();
        outages.asked(50_000).answered(50_010, false);
        assert_eq!(outages.since(50_011), Some(48_000), "it would have been asked before if clocks had run");
        let failures = outages.failures();
        outages.asked(51_000).answered(51_001, true);
        outages.asked(52_000).answered(52_001, false);
        assert!(!outages.end(failures));
        assert_eq!(outages.since(52_002), Some(48_000));
        assert!(outages.end(outages.failures()));
        assert_eq!(outages.since(52_003), None);
    }
}

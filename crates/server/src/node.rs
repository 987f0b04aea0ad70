//! One of several nodes that serve the same games: what it tells the others, and what it does about what they say.
//!
//! Right is only what the store says: any node takes any command, and one that comes too late for a number in a game's log reads the game
//! and decides again. All here only makes it quick: pages hear of moves made elsewhere, flags fall although a node is gone, and the
//! computer's move comes although the node that thought about it does not come back.

use crate::{
    HEARTBEAT, House,
    bus::{Event, Heard, NodeId},
    live::Live,
};
use room::Write;
use rules::ByColor;
use std::{collections::HashMap, sync::Arc, time::Duration};
use store::{Store, StoreError};
use table::{At, GameId, Seq};
use tokio::time::Instant;

/// The computer's move is thought about here if the node that should do so has not made it by then.
pub(crate) const TAKE_OVER: Duration = Duration::from_secs(5);
/// How often a node looks at what it should tell, and at flags that should have fallen.
const TICK: Duration = Duration::from_secs(1);
/// After how many of these looks it compares the games that are watched here with those in the store.
const LOOK: u64 = 3;
/// How many games are compared at once.
const AT_ONCE: usize = 500;
/// How often it says again who is there.
const AGAIN: Duration = Duration::from_secs(3);
/// What a node said of who is there is believed for so long.
const BELIEVED: Duration = Duration::from_secs(8);
/// How many flags fall at once.
const FLAGS: usize = 200;
/// Flags that a node has taken upon itself are left to it for so long.
const CLAIMED: At = 5000;
/// Whoever serves the games leaves a sign of life within so long, even where it does not hear that a node starts.
const SILENT: Duration = Duration::from_secs(HEARTBEAT.as_secs() + 1);
/// Whoever shows themselves at another time than it is here by more than this has another time: so long, at most, a sign is on its way.
const DIFFERS: At = 250;
/// How many of them it takes to say by how much the time of the others differs.
const SIGNS: u32 = 3;
/// How often a node that starts looks for one.
const LISTEN: Duration = Duration::from_millis(50);
/// A flag is let fall by the node whose page waits for it; others look so long afterwards.
const LATE: At = 1500;

impl House {
    /// Tells the other nodes; what is lost they find out by themselves.
    pub(crate) fn say(&self, event: &Event) {
        let _ = self.bus.say(self.node, event);
    }

    /// What time it is for the nodes that serve the games; `None` if nobody does, and nobody has since the last sign of life, which was at
    /// `last`. By the clock alone that cannot be told: it may have been set since, and they may have gone a moment ago.
    pub(crate) async fn time_of_others(&self, last: At) -> Option<At> {
        if self.bus.is_alone() || last == 0 {
            return None;
        }
        let until = Instant::now() + SILENT;
        let (mut signs, mut ahead, mut seen, mut looked) = (0, None, Some(last), self.time.now());
        self.say(&Event::Starts);
        while Instant::now() < until && signs < SIGNS {
            // What cannot be read now is read the next time.
            let alive = self.store.last_alive().await.unwrap_or(seen);
            let now = self.time.now();
            if let Some(alive) = alive.filter(|_| alive != seen) {
                // It was made since the last look, and it is so by this clock too.
                if (looked.saturating_sub(DIFFERS)..=now + DIFFERS).contains(&alive) {
                    return Some(now);
                }
                // A sign was on its way for a while, and some for longer than others: the latest is the best.
                let this = alive.wrapping_sub(now).cast_signed();
                (signs, ahead, seen) = (signs + 1, ahead.max(Some(this)), Some(alive));
                self.say(&Event::Starts);
            }
            looked = now;
            tokio::time::sleep(LISTEN).await;
        }
        ahead.map(|ahead| self.time.now().saturating_add_signed(ahead))
    }

    /// Keeps to the time that all nodes share. What cannot be read now is read the next time.
    pub(crate) async fn follow_time(&self) {
        if !self.bus.is_alone()
            && let Ok(Some(theirs)) = shared_time(&*self.store).await
        {
            self.time.follow(self.config.wrong(theirs));
        }
    }

    /// Listens to the other nodes, if there are any, and does what one that is gone would have done.
    pub(crate) async fn mind_others(self: Arc<House>) {
        if self.bus.is_alone() {
            return;
        }
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut told = Told::default();
        let (mut missed, mut ticks) = (false, 0);
        let mut looking = tokio::spawn(async {});
        loop {
            tokio::select! {
                biased; // others may talk without end
                _ = tick.tick() => {
                    told.tell(&self);
                    self.sweep().await;
                    ticks += 1;
                    // Whoever should have said that there is a move may have died before they could.
                    let look = missed || !self.bus.is_there() || ticks % LOOK == 0;
                    if look && looking.is_finished() {
                        let house = self.clone();
                        looking = tokio::spawn(async move { house.look_again().await });
                    }
                    // A bus that loses much says so often.
                    if std::mem::take(&mut missed) {
                        let house = self.clone();
                        tokio::spawn(async move { house.look_at_people_again().await });
                    }
                }
                heard = self.bus.hear() => match heard {
                    Heard::Said { by, .. } if by == self.node => {}
                    Heard::Said { by, event } => self.heed(by, event).await,
                    Heard::Missed => missed = true,
                },
            }
        }
    }

    /// Another node says something.
    async fn heed(self: &Arc<House>, by: NodeId, event: Event) {
        match event {
            Event::Game { game, seq, stalled_ms } => {
                if let Some(live) = self.rooms.at_hand(&game) {
                    tokio::spawn(async move { live.follow(seq, stalled_ms).await });
                }
            }
            Event::Here { game, seq, stalled_ms, here, watchers } => {
                if let Some(live) = self.rooms.at_hand(&game) {
                    live.audience().hear(by, here, watchers, Instant::now() + BELIEVED);
                    let is_known = live.last_entry().is_some_and(|have| have >= (seq, stalled_ms));
                    tokio::spawn(async move {
                        // What was lost on the way is noticed here, and told before who is there.
                        if !is_known {
                            live.follow(seq, stalled_ms).await;
                        }
                        live.audience().tell_presence(&live.game, live.house.time.now(), true, None);
                    });
                }
            }
            Event::Starts => {
                let house = self.clone();
                // If it cannot be kept now, the next one may be.
                tokio::spawn(async move { house.keep(vec![Write::Alive { at: house.time.now() }]).await });
            }
            Event::Lobby => self.meeting.changed(),
            Event::Paired { who, offer, game, live } => self.meeting.begun(&offer, who, &game, live),
            Event::Gone { who, offer, declined } => self.meeting.ended(&offer, who, declined),
            Event::Person { who } => self.tell_challenges(who).await,
            Event::SignedOut { who } => self.close_pages_of(who).await,
            // What cannot be read now is read within a minute.
            Event::Settings => _ = self.read_settings().await,
        }
    }

    /// Reads again what the owner decided, and whether those who are here may be.
    pub(crate) async fn look_at_people_again(&self) {
        // What cannot be read now is read within a minute.
        let _ = self.read_settings().await;
        self.recheck_all().await;
    }

    /// Reads those games again that somebody watches here and that have gone on elsewhere.
    async fn look_again(&self) {
        let watched: Vec<Arc<Live>> = self.rooms.all().into_iter().filter(|live| !live.audience().is_empty()).collect();
        for some in watched.chunks(AT_ONCE) {
            let games: Vec<GameId> = some.iter().map(|live| live.game.clone()).collect();
            // What cannot be read now is read the next time.
            let Ok(lengths) = self.store.lengths(&games).await else { return };
            let lengths: HashMap<GameId, Seq> = lengths.into_iter().collect();
            for live in some {
                let behind = |(have, _): (Seq, u64)| lengths.get(&live.game).is_none_or(|seq| have < *seq);
                if live.last_entry().is_some_and(behind) {
                    live.look_again().await;
                }
            }
        }
    }

    /// Lets flags fall that a node should have let fall that is gone.
    async fn sweep(self: &Arc<House>) {
        let now = self.time.now();
        let Ok(due) = self.store.claim_due(now.saturating_sub(LATE), FLAGS, now + CLAIMED).await else { return };
        for (_, game) in due {
            if let Ok(live) = self.live(&game).await {
                live.look_again().await;
                live.look().await;
            }
        }
    }
}

/// What time it is by the clock that all nodes share, if there is one: by the quickest of a few answers, which was on its way for the least
/// time. The first may have waited for a connection.
pub(crate) async fn shared_time(store: &dyn Store) -> Result<Option<At>, StoreError> {
    let mut best: Option<(Duration, Instant, At)> = None;
    for _ in 0..3 {
        let asked = Instant::now();
        let Some(theirs) = store.clock().await? else { return Ok(None) };
        let (answered, took) = (Instant::now(), asked.elapsed());
        if best.is_none_or(|(shortest, ..)| took < shortest) {
            best = Some((took, answered, theirs));
        }
    }
    Ok(best.map(|(took, answered, theirs)| theirs + (took / 2 + answered.elapsed()).as_millis() as At))
}

/// What the others were last told of who is there, and when.
#[derive(Default)]
struct Told(HashMap<GameId, (Present, Instant)>);

/// Who is there at one node: the players, and how many others.
type Present = (ByColor<bool>, u32);

impl Told {
    fn tell(&mut self, house: &Arc<House>) {
        let now = Instant::now();
        let mut left = std::mem::take(&mut self.0);
        for live in house.rooms.all() {
            let here = self.here(&live, now);
            let before = left.remove(&live.game);
            let Some((seq, stalled_ms)) = live.last_entry() else {
                self.0.extend(before.map(|before| (live.game.clone(), before)));
                continue;
            };
            self.note(&live.game, before, here, now, || {
                let (here, watchers) = here;
                house.bus.say(house.node, &Event::Here { game: live.game.clone(), seq, stalled_ms, here, watchers })
            });
        }
    }

    /// Says who is there in one game, if that is new or is to be said again. With many games there may be no room for all at once: what could
    /// not be said is due the next time, when those that were are not.
    fn note(
        &mut self,
        game: &GameId,
        before: Option<(Present, Instant)>,
        here: Present,
        now: Instant,
        say: impl FnOnce() -> bool,
    ) {
        let is_known = match before {
            Some((said, at)) => said == here && at + AGAIN > now,
            None => here == Present::default(),
        };
        let told = if is_known || !say() { before } else { Some((here, now)) };
        let told = told.filter(|(said, _)| *said != Present::default());
        self.0.extend(told.map(|told| (game.clone(), told)));
    }

    /// Who is there at this node. Whoever was there at others and is heard no more is forgotten, unless nobody can be heard.
    fn here(&self, live: &Arc<Live>, now: Instant) -> Present {
        let mut audience = live.audience();
        audience.hears_others(live.house.bus.is_there(), now, BELIEVED);
        audience.tell_presence(&live.game, live.house.time.now(), true, None);
        (audience.here_at_this_node(), audience.watching_here())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_said_is_said_the_next_time() {
        let (game, now): (GameId, _) = ("k7q2m9x4tb".parse().unwrap(), Instant::now());
        let (nobody, somebody) = (Present::default(), (ByColor { black: true, white: false }, 0));
        let mut told = Told::default();
        // Who is there, at which second, whether there is room on the bus, and whether it is tried.
        for (here, second, room, tries) in [
            (nobody, 0, true, false),
            (somebody, 1, false, true),
            (somebody, 2, true, true),
            (somebody, 3, true, false),
            (somebody, 5, false, true),
            (somebody, 6, true, true),
            (nobody, 7, false, true),
            (nobody, 8, true, true),
            (nobody, 9, true, false),
        ] {
            let (mut tried, before) = (false, told.0.remove(&game));
            told.note(&game, before, here, now + Duration::from_secs(second), || {
                tried = true;
                room
            });
            assert_eq!(tried, tries, "second {second}");
        }
        assert!(told.0.is_empty());
    }
}

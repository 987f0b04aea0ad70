//! Who is served next: a queue without threads and without a clock.

use crate::{Owner, Purpose};
use std::{collections::HashMap, time::Duration};

/// A job keeps its engine so long, if something waits for which it makes room then.
pub(crate) const TURN: Duration = Duration::from_millis(1500);

/// The number of a job; a later one has a greater number.
pub(crate) type Number = u64;

/// A job as the queue sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) number: Number,
    pub(crate) owner: Owner,
    pub(crate) purpose: Purpose,
    /// It may go on for ever: someone looks at a position.
    open_ended: bool,
    /// Engine time it has had, in milliseconds.
    used: u64,
    /// The threads it would like to have.
    wanted: usize,
    /// The threads it has while it runs.
    pub(crate) threads: usize,
    /// The engine it runs on is a spare one.
    spare: bool,
}

impl Entry {
    pub(crate) fn new(number: Number, owner: Owner, purpose: Purpose, wanted: usize) -> Entry {
        let open_ended = purpose == Purpose::Analysis;
        // A move and a hint are always searched by one, so that they are found as fast whoever else is there.
        let wanted = if open_ended { wanted.max(1) } else { 1 };
        Entry { number, owner, purpose, open_ended, used: 0, wanted, threads: 1, spare: false }
    }

    /// Someone waits for it who cannot do anything else meanwhile.
    fn is_urgent(&self) -> bool {
        self.purpose <= Purpose::Hint
    }

    /// What it makes room for after its turn: whoever looks at a position has seen values by then, and deeper ones can wait as long as
    /// a review.
    fn patience(&self) -> Purpose {
        if self.open_ended { Purpose::Review } else { self.purpose }
    }
}

/// Why a job was not taken on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Busy {
    /// This person has as many jobs under way as one may have.
    #[error("too many questions of yours are still waiting for an answer")]
    Yours,
    /// Too many jobs wait, whoever asked.
    #[error("too many questions are waiting for an answer")]
    Everyone,
}

/// How many jobs there may be, and how many engines there are for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(crate) each: usize,
    pub(crate) all: usize,
    pub(crate) engines: usize,
    pub(crate) spare: usize,
}

/// How many times as many jobs as one person those may have who share as one.
const GROUP: usize = 4;

/// What one person has been given, or those who share as one.
#[derive(Clone, Copy, Default, Debug)]
struct Share {
    waiting: usize,
    running: usize,
    /// Engine time used, in milliseconds, counted from what the least served of the others had when this person came.
    used: u64,
}

/// Jobs that wait and jobs that run.
#[derive(Debug)]
pub(crate) struct Queue {
    bounds: Bounds,
    waiting: Vec<Entry>,
    running: Vec<Entry>,
    /// By group, and only of people who have a job under way, so that it cannot grow without bound.
    shares: HashMap<u64, Share>,
}

impl Queue {
    pub(crate) fn new(bounds: Bounds) -> Queue {
        Queue { bounds, waiting: Vec::new(), running: Vec::new(), shares: HashMap::new() }
    }

    /// How many jobs wait, and how many run.
    pub(crate) fn jobs(&self) -> (usize, usize) {
        (self.waiting.len(), self.running.len())
    }

    /// Takes a job on. A move to be played is never refused: the number of games bounds those.
    pub(crate) fn push(&mut self, entry: Entry) -> Result<(), Busy> {
        if entry.purpose != Purpose::Move {
            let mine = self.waiting.iter().chain(&self.running).filter(|other| other.owner == entry.owner).count();
            let ours = self.shares.get(&entry.owner.group).map_or(0, |share| share.waiting + share.running);
            if mine >= self.bounds.each || ours >= GROUP * self.bounds.each {
                return Err(Busy::Yours);
            }
            if self.waiting.len() >= self.bounds.all {
                return Err(Busy::Everyone);
            }
        }
        let least = self.shares.values().map(|share| share.used).min().unwrap_or(0);
        self.shares.entry(entry.owner.group).or_insert(Share { used: least, ..Share::default() }).waiting += 1;
        self.waiting.push(entry);
        Ok(())
    }

    /// The job that an engine is to serve next, which runs from now on: the most urgent purpose; of those, whoever has least of the
    /// engines now, then whoever has used least of their time; of those who share as one, whoever has none now; of one person's, that which has
    /// had least; then the oldest.
    ///
    /// A spare engine rests while anything urgent waits or runs. What it may take, others leave to it: so an engine for moves is
    /// free when a move comes, and still knows what it found for the one before.
    pub(crate) fn start_next(&mut self, spare: bool) -> Option<Entry> {
        let urgent = self.is_urgent();
        if spare && (urgent || self.unused() == 0) {
            return None;
        }
        let key = |entry: &Entry| {
            let share = self.shares[&entry.owner.group];
            let mine = self.running.iter().filter(|running| running.owner == entry.owner).count();
            (entry.purpose, share.running, share.used, mine, entry.used, entry.number)
        };
        let (index, first) = self.waiting.iter().enumerate().min_by_key(|(_, entry)| key(entry))?;
        if !spare && !first.is_urgent() && (self.waiting.len() <= self.idle_spare() || self.unused() == 0) {
            return None;
        }
        let mut entry = self.waiting.remove(index);
        (entry.spare, entry.threads) = (spare, 1);
        entry.threads += self.more_threads(&entry);
        if let Some(share) = self.shares.get_mut(&entry.owner.group) {
            share.waiting -= 1;
            share.running += 1;
        }
        self.running.push(entry);
        Some(entry)
    }

    /// Whether a move or a hint waits or is searched.
    fn is_urgent(&self) -> bool {
        self.waiting.iter().chain(&self.running).any(Entry::is_urgent)
    }

    /// How many threads may search besides those that do: while something is urgent, as many as there are engines for it.
    fn unused(&self) -> usize {
        let Bounds { engines, spare, .. } = self.bounds;
        let all = if self.is_urgent() { engines } else { engines + spare };
        all.saturating_sub(self.running.iter().map(|entry| entry.threads).sum())
    }

    /// How many of those a job that has its engine may have too: none that another waits for.
    fn more_threads(&self, entry: &Entry) -> usize {
        if self.is_urgent() {
            return 0;
        }
        let is_new = !self.running.iter().any(|running| running.number == entry.number);
        let left = self.unused().saturating_sub(usize::from(is_new) + self.waiting.len());
        left.min(entry.wanted - entry.threads)
    }

    /// How many spare engines may take what waits.
    fn idle_spare(&self) -> usize {
        if self.is_urgent() { 0 } else { self.bounds.spare - self.running.iter().filter(|entry| entry.spare).count() }
    }

    /// How many engines may take what waits.
    pub(crate) fn idle(&self) -> usize {
        self.bounds.engines - self.running.iter().filter(|entry| !entry.spare).count() + self.idle_spare()
    }

    /// The running jobs that have to stop at once and wait again: while something is urgent, those of spare engines; and those with
    /// several threads, when others need them.
    pub(crate) fn to_rest(&self) -> Vec<Number> {
        let urgent = self.is_urgent();
        let needed = urgent || !self.waiting.is_empty() && self.unused() == 0;
        let rests = |entry: &&Entry| urgent && entry.spare || needed && entry.threads > 1;
        self.running.iter().filter(rests).map(|entry| entry.number).collect()
    }

    /// Whether this running job has fewer threads than it would get if it began again.
    pub(crate) fn may_have_more(&self, number: Number) -> bool {
        self.running.iter().any(|entry| entry.number == number && self.more_threads(entry) > 0)
    }

    /// Whether some running job would like to have more threads.
    pub(crate) fn wants_more(&self) -> bool {
        self.running.iter().any(|entry| entry.threads < entry.wanted)
    }

    /// A job that ran for `ms` gives its engine back and waits again, in its old place; an analysis that has had a turn waits as
    /// patiently as a review.
    pub(crate) fn pause(&mut self, number: Number, ms: u64) {
        if let Some(mut entry) = self.stop(number, ms) {
            entry.used += ms;
            if u128::from(entry.used) >= TURN.as_millis() {
                entry.purpose = entry.patience();
            }
            self.shares.entry(entry.owner.group).or_default().waiting += 1;
            self.waiting.push(entry);
        }
    }

    /// A job that ran for `ms` is done.
    pub(crate) fn finish(&mut self, number: Number, ms: u64) {
        if let Some(entry) = self.stop(number, ms) {
            self.leave(entry.owner);
        }
    }

    fn stop(&mut self, number: Number, ms: u64) -> Option<Entry> {
        let index = self.running.iter().position(|entry| entry.number == number)?;
        let entry = self.running.swap_remove(index);
        let share = self.shares.get_mut(&entry.owner.group)?;
        share.running -= 1;
        share.used += ms;
        Some(entry)
    }

    /// Nobody waits for this job any more; whether it was still waiting.
    pub(crate) fn withdraw(&mut self, number: Number) -> bool {
        let Some(index) = self.waiting.iter().position(|entry| entry.number == number) else { return false };
        let owner = self.waiting.remove(index).owner;
        if let Some(share) = self.shares.get_mut(&owner.group) {
            share.waiting -= 1;
        }
        self.leave(owner);
        true
    }

    fn leave(&mut self, owner: Owner) {
        if self.shares.get(&owner.group).is_some_and(|share| share.waiting + share.running == 0) {
            self.shares.remove(&owner.group);
        }
    }

    /// The running job that should make room for one that waits: the least urgent, and only for something more urgent
    /// than it. `idle` engines are about to take the first that wait, and those `making_room` already the next. While something is
    /// urgent, a spare engine's room is of no use.
    pub(crate) fn to_interrupt(&self, idle: usize, making_room: &[Number]) -> Option<Number> {
        let mut waiting: Vec<Purpose> = self.waiting.iter().map(|entry| entry.purpose).collect();
        waiting.sort_unstable();
        let urgent = self.is_urgent();
        let running = self.running.iter().filter(|entry| !(urgent && entry.spare));
        let (leaving, staying): (Vec<&Entry>, Vec<&Entry>) =
            running.partition(|entry| making_room.contains(&entry.number));
        let next = *waiting.get(idle + leaving.len())?;
        let least = staying.into_iter().max_by_key(|entry| (entry.purpose, entry.number))?;
        (least.purpose > next).then_some(least.number)
    }

    /// Whether something waits for which this running job gives way after its turn: somebody else's, if it is as urgent; of the
    /// same person's, only an analysis makes room for what they asked besides.
    pub(crate) fn should_share(&self, number: Number) -> bool {
        let Some(mine) = self.running.iter().find(|entry| entry.number == number) else { return false };
        let mut others = self.waiting.iter().filter(|entry| entry.owner != mine.owner || mine.open_ended);
        others.any(|entry| entry.purpose <= mine.patience())
    }

    /// Whether no job waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// How many moves wait to be played.
    pub(crate) fn moves_waiting(&self) -> usize {
        self.waiting.iter().filter(|entry| entry.purpose == Purpose::Move).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue() -> Queue {
        with_engines(4, 0)
    }

    fn with_engines(engines: usize, spare: usize) -> Queue {
        Queue::new(Bounds { each: 8, all: 20, engines, spare })
    }

    fn entry(number: Number, owner: u64, purpose: Purpose) -> Entry {
        Entry::new(number, Owner::of(owner), purpose, 1)
    }

    fn started(queue: &mut Queue) -> Option<Number> {
        queue.start_next(false).map(|entry| entry.number)
    }

    fn started_on_spare(queue: &mut Queue) -> Option<Number> {
        queue.start_next(true).map(|entry| entry.number)
    }

    #[test]
    fn moves_come_before_hints_before_analysis_before_reviews() {
        let mut queue = queue();
        for (number, purpose) in [(1, Purpose::Review), (2, Purpose::Analysis), (3, Purpose::Hint), (4, Purpose::Move)]
        {
            queue.push(entry(number, number, purpose)).unwrap();
        }
        assert_eq!([(); 4].map(|()| started(&mut queue).unwrap()), [4, 3, 2, 1]);
        assert_eq!(started(&mut queue), None);
    }

    #[test]
    fn one_person_with_many_questions_does_not_hold_up_another() {
        let mut queue = queue();
        for number in 1..=6 {
            queue.push(entry(number, 1, Purpose::Hint)).unwrap();
        }
        assert_eq!(started(&mut queue), Some(1));
        queue.finish(1, 800);
        queue.push(entry(7, 2, Purpose::Hint)).unwrap();
        // The newcomer begins with what the least served has used, so the first in line goes first once at most.
        let served = [started(&mut queue).unwrap(), started(&mut queue).unwrap()];
        assert!(served.contains(&7), "{served:?}");
    }

    #[test]
    fn engine_time_is_shared_evenly_by_people_not_by_questions() {
        let mut queue = Queue::new(Bounds { each: 100, all: 200, engines: 4, spare: 0 });
        for number in 0..90 {
            queue.push(entry(number, 1, Purpose::Analysis)).unwrap();
        }
        for number in 100..110 {
            queue.push(entry(number, 2, Purpose::Analysis)).unwrap();
        }
        let mut of_the_second = 0;
        for _ in 0..20 {
            let entry = queue.start_next(false).unwrap();
            of_the_second += u32::from(entry.owner == Owner::of(2));
            queue.finish(entry.number, 100);
        }
        assert_eq!(of_the_second, 10);
    }

    #[test]
    fn whoever_has_an_engine_waits_for_those_who_have_none() {
        let mut queue = queue();
        for number in 1..=3 {
            queue.push(entry(number, 1, Purpose::Hint)).unwrap();
        }
        queue.push(entry(4, 2, Purpose::Hint)).unwrap();
        assert_eq!([started(&mut queue), started(&mut queue)], [Some(1), Some(4)]);
    }

    #[test]
    fn there_is_a_bound_for_each_and_for_all_but_not_for_moves() {
        let mut queue = Queue::new(Bounds { each: 2, all: 3, engines: 4, spare: 0 });
        assert_eq!(queue.push(entry(1, 1, Purpose::Hint)), Ok(()));
        assert_eq!(queue.push(entry(2, 1, Purpose::Hint)), Ok(()));
        assert_eq!(queue.push(entry(3, 1, Purpose::Hint)), Err(Busy::Yours));
        assert_eq!(queue.push(entry(4, 2, Purpose::Hint)), Ok(()));
        assert_eq!(queue.push(entry(5, 3, Purpose::Hint)), Err(Busy::Everyone));
        assert_eq!(queue.push(entry(6, 1, Purpose::Move)), Ok(()));
    }

    #[test]
    fn those_who_share_as_one_are_served_as_one_and_leave_room_for_others() {
        let mut queue = Queue::new(Bounds { each: 2, all: 20, engines: 4, spare: 0 });
        let guest = |number: Number, purpose| Entry::new(number, Owner::of(number).among(99), purpose, 1);
        let taken = (0..100).take_while(|&number| queue.push(guest(number, Purpose::Hint)).is_ok()).count();
        assert_eq!(taken, 8, "however many they are");
        queue.push(entry(200, 200, Purpose::Hint)).unwrap();
        assert_eq!([started(&mut queue), started(&mut queue)], [Some(0), Some(200)], "nobody waits for all of them");
        // Their moves are not refused, and go after those of somebody else.
        for number in 300..310 {
            queue.push(guest(number, Purpose::Move)).unwrap();
        }
        queue.push(entry(400, 400, Purpose::Move)).unwrap();
        assert_eq!([started(&mut queue), started(&mut queue)], [Some(400), Some(300)]);
    }

    #[test]
    fn what_nobody_waits_for_is_gone_and_so_is_its_owner() {
        let mut queue = queue();
        queue.push(entry(1, 1, Purpose::Review)).unwrap();
        assert!(queue.withdraw(1));
        assert!(!queue.withdraw(1));
        assert_eq!(started(&mut queue), None);
        assert!(queue.shares.is_empty());
        queue.push(entry(2, 1, Purpose::Review)).unwrap();
        queue.start_next(false);
        assert!(!queue.withdraw(2), "it runs: its engine must stop first");
        queue.finish(2, 5);
        assert!(queue.shares.is_empty());
    }

    #[test]
    fn only_what_is_less_urgent_makes_room() {
        let mut queue = queue();
        queue.push(entry(1, 1, Purpose::Review)).unwrap();
        queue.push(entry(2, 1, Purpose::Analysis)).unwrap();
        queue.start_next(false);
        queue.start_next(false);
        assert_eq!(queue.to_interrupt(0, &[]), None, "nobody waits");
        queue.push(entry(3, 2, Purpose::Review)).unwrap();
        assert_eq!(queue.to_interrupt(0, &[]), None, "a review waits for a review");
        queue.push(entry(4, 2, Purpose::Move)).unwrap();
        assert_eq!(queue.to_interrupt(1, &[]), None, "an idle engine takes it");
        assert_eq!(queue.to_interrupt(0, &[]), Some(1));
        assert_eq!(queue.to_interrupt(0, &[1]), None, "one makes room for it already");
        queue.push(entry(5, 3, Purpose::Move)).unwrap();
        assert_eq!(queue.to_interrupt(0, &[1]), Some(2));
        assert!(queue.withdraw(5));
        queue.pause(1, 50);
        assert_eq!(started(&mut queue), Some(4));
        assert_eq!(queue.to_interrupt(0, &[]), None);
        queue.finish(4, 10);
        assert_eq!(started(&mut queue), Some(3), "the other person has had less");
        assert_eq!(queue.moves_waiting(), 0);
    }

    #[test]
    fn a_long_job_shares_with_others_but_not_with_its_own_person() {
        let mut queue = queue();
        queue.push(entry(1, 1, Purpose::Review)).unwrap();
        queue.start_next(false);
        queue.push(entry(2, 1, Purpose::Review)).unwrap();
        assert!(!queue.should_share(1), "one question of a review after the other");
        queue.push(entry(3, 2, Purpose::Review)).unwrap();
        assert!(queue.should_share(1));
    }

    #[test]
    fn boards_of_one_person_take_turns() {
        let mut queue = queue();
        for number in 1..=3 {
            queue.push(entry(number, 1, Purpose::Analysis)).unwrap();
        }
        let mut served = Vec::new();
        for _ in 0..6 {
            let number = started(&mut queue).unwrap();
            assert!(queue.should_share(number));
            queue.pause(number, 1500);
            served.push(number);
        }
        assert_eq!(served, [1, 2, 3, 1, 2, 3]);
    }

    #[test]
    fn an_analysis_that_has_had_its_turn_makes_room_for_a_review_and_for_a_new_one() {
        let mut queue = queue();
        queue.push(entry(1, 1, Purpose::Analysis)).unwrap();
        queue.start_next(false);
        queue.push(entry(2, 1, Purpose::Review)).unwrap();
        assert_eq!(queue.to_interrupt(0, &[]), None, "not before its turn is over");
        assert!(queue.should_share(1));
        queue.pause(1, 1600);
        assert_eq!(started(&mut queue), Some(2), "it has had none");
        queue.push(entry(3, 1, Purpose::Analysis)).unwrap();
        assert_eq!(queue.to_interrupt(0, &[]), Some(2), "someone looks at another position");
        queue.pause(2, 100);
        assert_eq!([started(&mut queue), started(&mut queue), started(&mut queue)], [Some(3), Some(2), Some(1)]);
    }

    #[test]
    fn a_move_goes_before_all_boards_and_reviews_and_they_go_on_after_it() {
        let mut queue = queue();
        for (number, owner, purpose) in [(1, 1, Purpose::Analysis), (2, 1, Purpose::Analysis), (3, 2, Purpose::Review)]
        {
            queue.push(entry(number, owner, purpose)).unwrap();
        }
        assert_eq!(started(&mut queue), Some(1));
        queue.push(entry(4, 3, Purpose::Move)).unwrap();
        assert_eq!(queue.to_interrupt(0, &[]), Some(1), "the game does not wait for a turn to end");
        queue.pause(1, 20);
        assert_eq!(started(&mut queue), Some(4));
        assert!(!queue.should_share(4), "nor does its move give way");
        assert_eq!(queue.to_interrupt(0, &[]), None);
        queue.finish(4, 700);
        assert_eq!([started(&mut queue), started(&mut queue), started(&mut queue)], [Some(2), Some(1), Some(3)]);
    }

    #[test]
    fn a_review_has_every_core_while_nothing_is_urgent() {
        let mut queue = with_engines(1, 1);
        for number in 1..=3 {
            queue.push(entry(number, 1, Purpose::Review)).unwrap();
        }
        assert_eq!(queue.idle(), 2);
        assert_eq!([started(&mut queue), started_on_spare(&mut queue)], [Some(1), Some(2)]);
        assert_eq!([queue.start_next(false), queue.start_next(true)], [None, None], "both work");
        queue.finish(2, 100);
        assert_eq!(started_on_spare(&mut queue), Some(3));
    }

    #[test]
    fn a_single_board_leaves_the_engine_for_moves_alone() {
        let mut queue = with_engines(1, 1);
        queue.push(entry(1, 1, Purpose::Analysis)).unwrap();
        assert_eq!(started(&mut queue), None, "a spare engine takes it");
        assert_eq!(started_on_spare(&mut queue), Some(1));
        queue.push(entry(2, 2, Purpose::Analysis)).unwrap();
        assert_eq!(started(&mut queue), Some(2), "two boards have both");
    }

    #[test]
    fn spare_engines_rest_while_a_move_or_a_hint_is_searched() {
        for purpose in [Purpose::Move, Purpose::Hint] {
            let mut queue = with_engines(1, 1);
            queue.push(entry(1, 1, Purpose::Review)).unwrap();
            queue.push(entry(2, 2, Purpose::Analysis)).unwrap();
            assert_eq!([started_on_spare(&mut queue), started(&mut queue)], [Some(2), Some(1)]);
            queue.push(entry(3, 3, purpose)).unwrap();
            assert_eq!(queue.to_rest(), [2]);
            assert_eq!(queue.to_interrupt(queue.idle(), &[2]), Some(1), "the spare engine's room is no use");
            queue.pause(2, 10);
            queue.pause(1, 10);
            assert_eq!(started_on_spare(&mut queue), None);
            assert_eq!(started(&mut queue), Some(3));
            assert_eq!([started_on_spare(&mut queue), started(&mut queue)], [None, None]);
            queue.finish(3, 500);
            assert_eq!([started_on_spare(&mut queue), started(&mut queue)], [Some(2), Some(1)]);
        }
    }

    #[test]
    fn a_move_begins_at_once_beside_a_single_board() {
        let mut queue = with_engines(1, 1);
        queue.push(entry(1, 1, Purpose::Analysis)).unwrap();
        assert_eq!(started_on_spare(&mut queue), Some(1));
        queue.push(entry(2, 2, Purpose::Move)).unwrap();
        assert_eq!((queue.idle(), queue.to_rest()), (1, vec![1]));
        assert_eq!(queue.to_interrupt(queue.idle(), &[1]), None);
        assert_eq!(started(&mut queue), Some(2), "it does not wait until the board rests");
    }

    #[test]
    fn a_board_has_the_threads_it_asks_for_that_nobody_else_needs() {
        let mut queue = with_engines(2, 2);
        queue.push(Entry::new(1, Owner::of(1), Purpose::Analysis, 4)).unwrap();
        let all = queue.start_next(true).unwrap();
        assert_eq!((all.threads, queue.wants_more()), (4, false));
        assert_eq!(queue.unused(), 0);
        queue.push(entry(2, 2, Purpose::Analysis)).unwrap();
        assert_eq!([queue.start_next(false), queue.start_next(true)], [None, None]);
        assert_eq!(queue.to_rest(), [1], "the other does not wait for its turn to end");
        queue.pause(1, 1500);
        assert!(queue.to_rest().is_empty());
        assert_eq!(started_on_spare(&mut queue), Some(2));
        let fewer = queue.start_next(true).unwrap();
        assert_eq!((fewer.number, fewer.threads), (1, 3));
        assert!(queue.wants_more() && !queue.may_have_more(1));
        queue.finish(2, 100);
        assert!(queue.may_have_more(1), "the other has gone");
        queue.push(entry(3, 3, Purpose::Move)).unwrap();
        assert_eq!(queue.to_rest(), [1]);
        assert!(!queue.may_have_more(1));
        assert_eq!(Entry::new(4, Owner::of(1), Purpose::Review, 4).wanted, 1);
    }
}

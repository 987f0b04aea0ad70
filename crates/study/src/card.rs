//! When something is to be asked again: spaced repetition.
//!
//! The intervals are FSRS's, a published model of how people forget, with its usual numbers. Minutes while something is
//! being learned, then days, then months; after a mistake minutes again.

use chrono::{DateTime, Utc};
use rs_fsrs::{FSRS, Parameters, Rating, State};
use serde::{Deserialize, Serialize};

/// How an answer went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It was wrong.
    Wrong,
    /// It was right.
    Right,
    /// It was right without having been seen before.
    AtOnce,
}

/// What is remembered of something to be learned. Times are milliseconds since 1970.
///
/// ```
/// use study::card::{Answer, Card};
/// const DAY: u64 = 24 * 60 * 60 * 1000;
///
/// let new = Card::new(0);
/// let once = new.answered(Answer::Right, 0);
/// assert!(once.due > 0 && once.due < DAY, "again on the same day");
/// let twice = once.answered(Answer::Right, once.due);
/// assert!(twice.due > once.due + DAY, "then on another");
/// let forgotten = twice.answered(Answer::Wrong, twice.due);
/// assert!(forgotten.due < twice.due + DAY);
/// assert_eq!((forgotten.answers, forgotten.right), (3, 2));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Card {
    /// When to ask again.
    pub due: u64,
    /// How often it was answered.
    pub answers: u32,
    /// How often right.
    pub right: u32,
    /// When it was last answered.
    pub last: u64,
    stability: f64,
    difficulty: f64,
    days: i64,
    lapses: i32,
    stage: u8,
}

/// Known is what need not be asked for so many days.
const KNOWN_DAYS: i64 = 21;

fn time(ms: u64) -> DateTime<Utc> {
    i64::try_from(ms).ok().and_then(DateTime::from_timestamp_millis).unwrap_or_default()
}

impl Card {
    /// Something that was never asked.
    pub fn new(now: u64) -> Card {
        Card {
            due: now,
            answers: 0,
            right: 0,
            last: now,
            stability: 0.0,
            difficulty: 0.0,
            days: 0,
            lapses: 0,
            stage: 0,
        }
    }

    /// The card after an answer.
    #[must_use]
    pub fn answered(&self, answer: Answer, now: u64) -> Card {
        let now = now.max(self.last);
        let before = rs_fsrs::Card {
            due: time(self.due),
            stability: self.stability,
            difficulty: self.difficulty,
            elapsed_days: 0,
            scheduled_days: self.days,
            reps: self.answers.try_into().unwrap_or(i32::MAX),
            lapses: self.lapses,
            state: match self.stage {
                0 => State::New,
                1 => State::Learning,
                2 => State::Review,
                _ => State::Relearning,
            },
            last_review: time(self.last),
        };
        let rating = match answer {
            Answer::Wrong => Rating::Again,
            Answer::Right => Rating::Good,
            Answer::AtOnce => Rating::Easy,
        };
        let after = FSRS::new(Parameters::default()).next(before, time(now), rating).card;
        Card {
            due: after.due.timestamp_millis().try_into().unwrap_or(now),
            answers: self.answers.saturating_add(1),
            right: self.right.saturating_add(u32::from(answer != Answer::Wrong)),
            last: now,
            stability: after.stability,
            difficulty: after.difficulty,
            days: after.scheduled_days,
            lapses: after.lapses,
            stage: after.state as u8,
        }
    }

    /// Whether it is remembered so well that it need not be asked for three weeks.
    pub fn is_known(&self) -> bool {
        self.days >= KNOWN_DAYS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 24 * 60 * 60 * 1000;
    const NOW: u64 = 1_789_000_000_000;

    #[test]
    fn what_is_always_right_is_asked_ever_more_seldom() {
        let mut card = Card::new(NOW);
        let mut intervals = Vec::new();
        for _ in 0..6 {
            let now = card.due;
            card = card.answered(Answer::Right, now);
            intervals.push(card.due - now);
        }
        assert!(intervals.is_sorted_by(|a, b| a < b), "{intervals:?}");
        assert!(card.is_known());
        assert_eq!((card.answers, card.right), (6, 6));
    }

    #[test]
    fn a_mistake_brings_it_back_within_the_hour_and_it_is_not_known_any_more() {
        let mut card = Card::new(NOW);
        for _ in 0..6 {
            card = card.answered(Answer::Right, card.due);
        }
        let now = card.due;
        let wrong = card.answered(Answer::Wrong, now);
        assert!(wrong.due - now < DAY / 24, "{}", wrong.due - now);
        assert!(!wrong.is_known());
        // and what is learned again is not asked as seldom as before
        let again = wrong.answered(Answer::Right, wrong.due);
        assert!(again.due - wrong.due < card.due - card.last);
    }

    #[test]
    fn what_was_seen_at_once_waits_for_days() {
        assert!(Card::new(NOW).answered(Answer::AtOnce, NOW).due > NOW + 7 * DAY);
    }

    #[test]
    fn clocks_that_run_backwards_do_no_harm() {
        let card = Card::new(NOW).answered(Answer::Right, NOW);
        let earlier = card.answered(Answer::Right, NOW - DAY);
        assert!(earlier.due >= NOW && earlier.last == NOW);
        assert!(Card::new(0).answered(Answer::Right, u64::MAX).answers == 1);
    }

    #[test]
    fn cards_are_kept_as_text() {
        let card = Card::new(NOW).answered(Answer::Right, NOW);
        let text = serde_json::to_string(&card).unwrap();
        assert_eq!(serde_json::from_str::<Card>(&text).unwrap(), card);
    }
}

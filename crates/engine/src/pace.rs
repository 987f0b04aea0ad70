//! How long to think when a clock decides: [`pace`].

use std::time::Duration;

/// From here on moves take next to no time: about here the end is seen, and what follows is known by then.
const QUICK_EMPTIES: u32 = 24;
/// What is never spent: the way to the clock and back takes time as well.
const RESERVE: Duration = Duration::from_millis(60);

/// The time to spend on this move, given what is left on the player's clock, what they gain with each move, and how
/// many squares are empty.
///
/// Never more than the clock shows, and in one move never more than a third of it.
///
/// ```
/// use engine::pace;
/// use std::time::Duration;
/// let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
/// let first = pace(minutes(30), Duration::ZERO, 60);
/// assert!(first > Duration::from_secs(40) && first < minutes(2));
/// // late in the game every move may be the one that decides it
/// assert!(pace(minutes(30), Duration::ZERO, 22) > first);
/// // a clock that has nearly run out
/// assert!(pace(Duration::from_millis(40), Duration::ZERO, 30) <= Duration::from_millis(10));
/// ```
pub fn pace(remaining: Duration, increment: Duration, empties: u32) -> Duration {
    // five eighths of a move for each square, not a half: what is saved early is spent late, where moves cost more discs
    let moves = 2 + empties.saturating_sub(QUICK_EMPTIES) * 5 / 8;
    let Some(free) = remaining.checked_sub(RESERVE) else { return remaining / 4 };
    let share = free / moves + increment.mul_f64(0.9);
    share.min(free / 3).max(remaining.min(Duration::from_millis(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game in which every move takes all it is given, and a little more.
    #[test]
    fn no_clock_ever_runs_out() {
        for start in [1u64, 5, 60, 300, 1800] {
            for increment in [0u64, 1, 10] {
                let mut left = Duration::from_secs(start);
                let mut spent = Vec::new();
                for empties in (0..=60).rev().step_by(2) {
                    let time = pace(left, Duration::from_secs(increment), empties);
                    let late = time + Duration::from_millis(2);
                    assert!(late < left, "{start}+{increment} at {empties}: {time:?} of {left:?}");
                    left = left - late + Duration::from_secs(increment);
                    spent.push(time);
                }
                assert!(spent[0] * 100 >= Duration::from_secs(start), "too careful: {:?} of {start} s", spent[0]);
            }
        }
        assert_eq!(pace(Duration::ZERO, Duration::ZERO, 30), Duration::ZERO);
    }
}

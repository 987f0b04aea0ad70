//! Iterative deepening: the searches, each deeper or surer than the one before, that lead up to what is asked. Each begins
//! with what the last one left in the transposition table, which makes all of them together cheaper than the last alone.

use crate::{Confidence, Limits};
use std::time::Duration;

/// One iteration: how deep and how sure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Iteration {
    pub(crate) depth: u32,
    pub(crate) confidence: Confidence,
}

/// The iterations that lead up to what the limits ask, from a position with so many empties.
pub(crate) fn iterations(limits: &Limits, empties: u32) -> Vec<Iteration> {
    let mut iterations = Vec::new();
    let midgame = |depth| Iteration { depth, confidence: limits.confidence };
    if empties > limits.solve_at && limits.depth < empties {
        iterations.extend((1..=limits.depth.max(1)).map(midgame));
        return iterations;
    }
    // Up to where the end begins to be seen, then to the end: a good guess first, then proof. A rung between the two
    // costs more than it saves, but may be all there is time for. So may more iterations that stop before the end.
    let last = match limits.time {
        Some(_) => empties.saturating_sub(3),
        None if empties > 30 => empties - 1,
        None => empties.saturating_sub(END_SEEN),
    };
    iterations.extend((1..=last).map(midgame));
    for confidence in Confidence::ALL {
        // proof of a short ending is cheaper than guessing first
        let between = confidence == Confidence::Percent95 && limits.time.is_some();
        let worth =
            confidence == limits.solve_confidence || empties >= 16 && (confidence == Confidence::Percent73 || between);
        if confidence <= limits.solve_confidence && worth {
            iterations.push(Iteration { depth: empties, confidence });
        }
    }
    iterations
}

/// The end begins to be seen from this far.
const END_SEEN: u32 = 12;

/// Whether a guess at the end is likely to be ready in `time`, after iterations of up to `depth` plies that took `spent`.
pub(crate) fn end_in_reach(depth: u32, empties: u32, spent: Duration, time: Duration) -> bool {
    /// How much more each further ply costs, about; the last two cost nothing, and of many plies some are cheap.
    const GROWTH: f64 = 1.25;
    let plies = empties.saturating_sub(depth + 2);
    plies <= END_SEEN - 2 && spent.mul_f64(GROWTH.powi(plies as i32)) <= time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_a_clock_more_iterations_stop_before_the_end() {
        let depths = |limits: &Limits, empties| {
            iterations(limits, empties).iter().map(|iteration| iteration.depth).collect::<Vec<_>>()
        };
        let timed = Limits::time(Duration::from_secs(1));
        assert_eq!(depths(&Limits::solve(), 18), [1, 2, 3, 4, 5, 6, 18, 18]);
        assert_eq!(depths(&timed, 18), (1..=15).chain([18, 18, 18]).collect::<Vec<_>>());
        assert_eq!(depths(&timed, 2), [2]);
    }

    #[test]
    fn the_end_is_tried_where_time_may_do() {
        let ms = Duration::from_millis;
        assert!(end_in_reach(10, 22, ms(5), ms(100)));
        assert!(!end_in_reach(10, 22, ms(15), ms(100)));
        assert!(end_in_reach(16, 22, ms(15), ms(100)));
        assert!(!end_in_reach(9, 22, ms(1), ms(100)), "not seen yet");
    }
}

//! How far a shallow search is from a deep one: the error model of Multi-ProbCut.
//!
//! A node may be cut when a shallow search lies outside the window by more than the errors it usually makes. The
//! ladder of [confidences](CONFIDENCES) says how many standard deviations "usually" is.

use crate::eval::DISC;
use std::sync::LazyLock;

/// How sure a result is, from the least to proof.
pub(crate) const CONFIDENCES: [Selectivity; 5] = [
    Selectivity { percent: 73, deviations: 1.1 },
    Selectivity { percent: 87, deviations: 1.5 },
    Selectivity { percent: 95, deviations: 2.0 },
    Selectivity { percent: 99, deviations: 2.6 },
    Selectivity { percent: 100, deviations: f32::INFINITY },
];

/// The last rung: nothing is cut on a guess.
pub(crate) const CERTAIN: u8 = CONFIDENCES.len() as u8 - 1;

/// One rung of the ladder.
pub(crate) struct Selectivity {
    /// The chance that a shallow search is no further off, in percent.
    pub(crate) percent: u8,
    /// Standard deviations allowed.
    pub(crate) deviations: f32,
}

/// The depth whose result stands in for a search of `depth` plies.
#[inline]
pub(crate) fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// Fitted by `train probcut` on our own evaluation's errors: searches that stop in the midgame.
const MIDGAME: [f32; 5] = [0.9607, 0.4408, -0.3580, -0.1629, -1.1417];

/// The same for searches to the end, but set by hand: from 0.7 to 1.4 times this a solve's work changes by about 2 %.
const ENDGAME: [f32; 5] = [2.1200, 0.0, -0.3000, 0.0, 0.0];

/// The standard deviation, in discs, of the difference between searches of `shallow` and of `deep` plies.
fn deviation(empties: usize, deep: usize, shallow: usize) -> f32 {
    let shape = if deep >= empties { ENDGAME } else { MIDGAME };
    let phase = empties as f32 / 60.0;
    let terms = [1.0, (deep as f32 + 1.0).ln(), (shallow as f32 + 1.0).ln(), phase, phase * phase];
    terms.iter().zip(shape).map(|(term, weight)| term * weight).sum::<f32>().exp()
}

/// How far outside the window a shallow search must lie, in discs.
#[derive(Clone, Copy, Default)]
pub(crate) struct SearchMargin {
    /// For the shallow search to stand for the deep one.
    pub(crate) search: i8,
    /// For the evaluation, for the shallow search to be worth its while.
    pub(crate) worthwhile: i8,
}

/// How the evaluation alone stands for a search of a few plies, in parts of a disc.
#[derive(Clone, Copy, Default)]
pub(crate) struct EvalMargin {
    /// How much more the search usually finds: who has the last word before the horizon thinks well of it.
    pub(crate) gain: i32,
    /// How far outside the window the evaluation must lie.
    pub(crate) margin: i32,
}

/// The most plies that the evaluation may stand for without a search.
const BY_EVAL: u32 = 4;

/// Margins by confidence, empties and depth.
pub(crate) struct Margins {
    search: Vec<[[SearchMargin; 64]; 64]>,
    eval: Vec<[[EvalMargin; BY_EVAL as usize + 1]; 64]>,
}

impl Margins {
    /// The one table, made when it is first wanted. A search asks once and keeps what it gets.
    pub(crate) fn get() -> &'static Margins {
        static MARGINS: LazyLock<Margins> = LazyLock::new(Margins::new);
        &MARGINS
    }

    fn new() -> Margins {
        let by_search = |deviations: f32, empties: usize, depth: usize| {
            let shallow = shallow_depth(depth as u32) as usize;
            let search = (deviations * deviation(empties, depth, shallow)).ceil().min(100.0);
            let slack = deviations * deviation(empties, shallow.max(1), 0) * 0.5;
            SearchMargin { search: search as i8, worthwhile: (search - slack) as i8 }
        };
        let by_eval = |deviations: f32, empties: usize, depth: usize| {
            // half as much again as a search that is wrong as often: there is less to save here
            let discs = (1.5 * deviations * deviation(empties, depth, 0)).min(200.0);
            EvalMargin { gain: if depth % 2 == 1 { DISC } else { 0 }, margin: (discs * DISC as f32) as i32 }
        };
        let ladder = CONFIDENCES.iter().map(|confidence| confidence.deviations);
        Margins {
            search: ladder
                .clone()
                .map(|deviations| {
                    std::array::from_fn(|empties| std::array::from_fn(|depth| by_search(deviations, empties, depth)))
                })
                .collect(),
            eval: ladder
                .map(|deviations| {
                    std::array::from_fn(|empties| std::array::from_fn(|depth| by_eval(deviations, empties, depth)))
                })
                .collect(),
        }
    }

    /// How far a shallow search must lie outside the window to stand for one of `depth` plies.
    #[inline]
    pub(crate) fn by_search(&self, confidence: u8, empties: u32, depth: u32) -> SearchMargin {
        self.search[confidence as usize][empties as usize & 63][depth.min(empties) as usize & 63]
    }

    /// How the evaluation stands for a search of `depth` plies, if it may.
    #[inline]
    pub(crate) fn by_eval(&self, confidence: u8, empties: u32, depth: u32) -> Option<EvalMargin> {
        self.eval[confidence as usize][empties as usize & 63].get(depth as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surer_and_deeper_asks_for_more() {
        let margins = Margins::get();
        for confidence in 0..CERTAIN {
            for empties in 10..60 {
                let margin = |confidence, depth| margins.by_eval(confidence, empties, depth).unwrap().margin;
                for depth in 2..=BY_EVAL {
                    assert!(margin(confidence, depth) > margin(confidence, depth - 1));
                    assert!(margin(confidence + 1, depth) > margin(confidence, depth));
                }
                assert!(margins.by_eval(confidence, empties, BY_EVAL + 1).is_none());
            }
        }
        // nothing is cut on a guess: no score is so far outside
        assert!(margins.by_eval(CERTAIN, 30, 2).unwrap().margin > 128 * DISC);
    }
}

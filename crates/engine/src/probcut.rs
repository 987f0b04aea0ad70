//! How far a shallow search is from a deep one: the error model of Multi-ProbCut.
//!
//! A node may be cut when a shallow search lies outside the window by more than the errors it usually makes. The
//! ladder of [confidences](CONFIDENCES) says how many standard deviations "usually" is.

/// How sure a result is, from the least to proof.
pub(crate) const CONFIDENCES: [Confidence; 5] = [
    Confidence { percent: 73, deviations: 1.1 },
    Confidence { percent: 87, deviations: 1.5 },
    Confidence { percent: 95, deviations: 2.0 },
    Confidence { percent: 99, deviations: 2.6 },
    Confidence { percent: 100, deviations: f32::INFINITY },
];

/// The last rung: nothing is cut on a guess.
pub(crate) const CERTAIN: u8 = CONFIDENCES.len() as u8 - 1;

/// One rung of the ladder.
pub(crate) struct Confidence {
    /// The chance that a shallow search is no further off, in percent.
    pub(crate) percent: u8,
    /// Standard deviations allowed.
    pub(crate) deviations: f32,
}

/// The depth whose result stands in for a search of `depth` plies.
#[inline]
pub(crate) fn probe_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// The standard deviation, in discs, of the difference between searches of `probe` and of `depth` plies with this
/// many empties. Fitted by `train probcut`.
#[inline]
pub(crate) fn deviation(empties: u32, depth: u32, probe: u32) -> f32 {
    let (empties, depth, probe) = (empties as f32, depth as f32, probe as f32);
    let shape = SHAPE[0] * empties + SHAPE[1] * depth + SHAPE[2] * probe;
    let value = SHAPE[3] * shape * shape + SHAPE[4] * shape + SHAPE[5];
    value.max(0.5)
}

/// Fitted on our own evaluation's errors.
const SHAPE: [f32; 6] = [-0.06, 0.09, -0.20, 0.30, 1.0, 4.0];

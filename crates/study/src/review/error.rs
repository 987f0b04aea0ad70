//! How far a search is usually off: what separates a loss from a doubt.

/// The usual error (one standard deviation, in discs) of the difference between two moves of one position, both searched
/// so deep, against what they are worth to the end of the game from a position with so many empties.
///
/// Measured on tournament games between 19 and 24 empties, where the end can be solved (`tests/measure.rs` prints it
/// again, from 2.5 to 5.8). A deeper search is less far off; near the end a search that does not reach it is further off.
/// With more empties than could be measured it is taken to be the same.
///
/// ```
/// use study::review::usual_error;
/// assert!(usual_error(14, 30) > usual_error(20, 30));
/// assert!(usual_error(14, 20) > usual_error(14, 30));
/// ```
pub fn usual_error(depth: u32, empties: u32) -> f32 {
    let near_the_end = 24u32.saturating_sub(empties);
    (4.6 - 0.1 * depth as f32 + 0.25 * near_the_end as f32).max(1.5)
}

/// How likely it is, in percent, that a value is above `limit` where `value` was found with this usual error.
pub(super) fn percent_above(value: f32, limit: f32, error: f32) -> u8 {
    // the logistic curve that is closest to the normal distribution
    let deviations = (value - limit) / error.max(0.1);
    (100.0 / (1.0 + (-1.702 * deviations).exp())).round().clamp(1.0, 99.0) as u8
}

//! How far a search is usually off: what separates a loss from a doubt.

/// The usual error (one standard deviation, in discs) of the difference between two moves of one position with so many
/// empties, both searched so deep. Nothing that was solved is off.
///
/// ```
/// use study::review::usual_error;
/// assert!(usual_error(14, 40) > usual_error(20, 40));
/// assert!(usual_error(14, 22) > 0.0);
/// ```
pub fn usual_error(depth: u32, empties: u32) -> f32 {
    let unseen = empties.saturating_sub(depth).clamp(1, 30) as f32;
    0.6 + 0.09 * unseen
}

/// How likely it is, in percent, that a value is above `limit` where `value` was found with this usual error.
pub(super) fn percent_above(value: f32, limit: f32, error: f32) -> u8 {
    // the logistic curve that is closest to the normal distribution
    let deviations = (value - limit) / error.max(0.1);
    (100.0 / (1.0 + (-1.702 * deviations).exp())).round().clamp(1.0, 99.0) as u8
}

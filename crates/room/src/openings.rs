//! Openings in which neither side is ahead: `openings/balanced.txt`, which says how it was made.

use rules::Square;

static BALANCED: &str = include_str!("../../../openings/balanced.txt");

/// One of the balanced openings: any number names one.
///
/// ```
/// assert_eq!(room::balanced_opening(7).len(), 8);
/// assert_ne!(room::balanced_opening(7), room::balanced_opening(8));
/// ```
pub fn balanced_opening(number: u64) -> Vec<Square> {
    let lines: Vec<&str> = BALANCED.lines().filter(|line| !line.starts_with('#')).collect();
    let line = lines[(number % lines.len() as u64) as usize];
    // A test reads every line: they are as much part of the program as its code.
    line.as_bytes().chunks(2).filter_map(|name| std::str::from_utf8(name).ok()?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Position;

    #[test]
    fn every_opening_can_be_played() {
        for number in 0..500 {
            let opening = balanced_opening(number);
            assert_eq!(opening.len(), 8, "opening {number}");
            let end = opening.iter().try_fold(Position::start(), |position, &square| {
                Ok::<_, rules::IllegalMove>(position.play(square)?.after)
            });
            assert!(end.is_ok_and(|position| !position.is_over()), "opening {number}");
        }
        assert_eq!(balanced_opening(0), balanced_opening(500), "there are 500");
    }
}

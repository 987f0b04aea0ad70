//! Openings to play from: a file's, those that come with the program, or random moves.

use super::player::mix;
use record::{Format, Record, Rejection, import};
use rules::{Position, Square};

/// Balanced openings, made by `outflank openings`; the file says how.
static BALANCED: &str = include_str!("../../../../openings/balanced.txt");

/// The openings that come with the program.
pub(crate) fn balanced() -> Vec<Vec<Square>> {
    read(BALANCED.as_bytes()).unwrap_or_default()
}

/// One opening to a line; lines that begin with `#` or `%` are skipped.
///
/// # Errors
///
/// The first line that is no opening.
pub(crate) fn read(text: &[u8]) -> Result<Vec<Vec<Square>>, Rejection> {
    // comments become empty lines, so that line numbers stay what they are
    let mut kept = Vec::with_capacity(text.len());
    for line in text.split(|&byte| byte == b'\n') {
        if !matches!(line.trim_ascii_start(), [b'#' | b'%', ..]) {
            kept.extend_from_slice(line);
        }
        kept.push(b'\n');
    }
    let names = Default::default();
    let records = import::records(Format::Transcript, &kept, &names);
    records.map(|record: Result<Record, _>| record.map(|record| record.main_line().collect())).collect()
}

/// Random openings of so many moves, each that a seed gives.
pub(crate) fn random(plies: usize, count: usize, seed: u64) -> Vec<Vec<Square>> {
    (0..count as u64).map(|number| one(plies, mix(seed).wrapping_add(number))).collect()
}

/// Random moves; a game that ends before is begun again.
pub(crate) fn one(plies: usize, seed: u64) -> Vec<Square> {
    for attempt in 0u64.. {
        let mut state = mix(seed ^ mix(attempt));
        let mut position = Position::start();
        let mut moves = Vec::new();
        while moves.len() < plies && !position.is_over() {
            state = mix(state);
            let at = state % u64::from(position.legal().len());
            let Some(square) = position.legal().iter().nth(at as usize) else { break };
            moves.push(square);
            position = position.play_unchecked(square).after;
        }
        if !position.is_over() {
            return moves;
        }
    }
    Vec::new()
}

/// Puts the openings into an order that the seed decides.
pub(crate) fn shuffle(openings: &mut [Vec<Square>], seed: u64) {
    let mut state = mix(seed);
    for last in (1..openings.len()).rev() {
        state = mix(state);
        openings.swap(last, (state % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_list_holds_distinct_openings_of_eight_moves() {
        let openings = balanced();
        assert!(openings.len() >= 200, "{}", openings.len());
        let boards: HashSet<_> = openings
            .iter()
            .map(|moves| {
                assert_eq!(moves.len(), 8);
                let start = Position::start();
                let end = moves.iter().fold(start, |position, &square| position.play(square).unwrap().after);
                assert!(!end.is_over());
                let (board, _) = end.board().canonical();
                (board.mover.0, board.other.0)
            })
            .collect();
        assert_eq!(boards.len(), openings.len());
    }

    #[test]
    fn files_of_openings() {
        let openings = read(b"# made by hand\nf5d6c3\n\nF5 f6 e6 f4\n").unwrap();
        assert_eq!(openings.iter().map(Vec::len).collect::<Vec<_>>(), [3, 4]);
        let error = read(b"# made by hand\nf5d6c3\nf5a1\n").unwrap_err();
        assert_eq!(error.place.line, 3);
    }

    #[test]
    fn seeds_decide() {
        assert_eq!(random(8, 5, 1), random(8, 5, 1));
        assert_ne!(random(8, 5, 1), random(8, 5, 2));
        let mut shuffled = random(8, 20, 1);
        let before = shuffled.clone();
        shuffle(&mut shuffled, 3);
        assert_ne!(shuffled, before);
        shuffled.sort();
        let mut sorted = before;
        sorted.sort();
        assert_eq!(shuffled, sorted);
    }
}

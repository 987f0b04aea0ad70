//! The history heuristic: which moves refuted lately.
//!
//! Near the horizon it takes longer to look at a move than to remember how it fared elsewhere. What refuted with as many
//! squares empty, and what refuted the same move of the opponent (*counter-move history*), will often do so again.

use crate::node::Node;
use rules::Square;

/// The chances of each move.
type Chances = [i16; 64];

/// A move that always refuted has this chance.
const ALWAYS: i32 = 1 << 14;

/// Chances of moves to refute, by the number of empties and by the opponent's last move.
pub(crate) struct History {
    by_empties: Box<[Chances; 64]>,
    by_last: Box<[Chances; 65]>,
}

impl History {
    /// Nothing seen: all moves alike.
    pub(crate) fn new() -> History {
        let even = [ALWAYS as i16 / 2; 64];
        History { by_empties: Box::new([even; 64]), by_last: Box::new([even; 65]) }
    }

    /// The chance of a move to refute, in parts of [`ONE`](History::ONE).
    #[inline(always)]
    pub(crate) fn chance(&self, node: &Node, square: Square) -> i32 {
        let at = square.index();
        i32::from(self.by_empties[node.empties as usize & 63][at]) + i32::from(self.by_last[last(node)][at])
    }

    /// What [`chance`](History::chance) counts in.
    pub(crate) const ONE: i32 = 2 * ALWAYS;

    /// Remembers how a move fared: what was seen last counts for an eighth.
    #[inline(always)]
    pub(crate) fn update(&mut self, node: &Node, square: Square, refuted: bool) {
        let to = if refuted { ALWAYS } else { 0 };
        let at = square.index();
        for chance in [&mut self.by_empties[node.empties as usize & 63][at], &mut self.by_last[last(node)][at]] {
            *chance += ((to - i32::from(*chance)) >> 3) as i16;
        }
    }
}

fn last(node: &Node) -> usize {
    node.last.map_or(64, Square::index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Evaluator, Options, worker::test_worker};
    use rules::Board;

    #[test]
    fn chances_follow_what_was_seen_and_stay_in_bounds() {
        let mut engine = Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 });
        test_worker(&mut engine, |worker| {
            let start = worker.node(Board::START);
            let after = worker.child(&start, Square::F5, Board::START.flips(Square::F5));
            let mut seen = History::new();
            assert_eq!(seen.chance(&after, Square::D6), History::ONE / 2);
            for _ in 0..1000 {
                seen.update(&after, Square::D6, true);
                seen.update(&after, Square::F6, false);
            }
            assert!((History::ONE * 99 / 100..=History::ONE).contains(&seen.chance(&after, Square::D6)));
            assert!((0..=History::ONE / 100).contains(&seen.chance(&after, Square::F6)));
            // half of it is known of any position with as many empties, none of it of others
            let other = worker.child(&start, Square::D3, Board::START.flips(Square::D3));
            assert!((70..80).contains(&(seen.chance(&other, Square::D6) * 100 / History::ONE)));
            assert_eq!(seen.chance(&start, Square::D6), History::ONE / 2);
            for _ in 0..10 {
                seen.update(&after, Square::D6, false);
            }
            assert!(seen.chance(&after, Square::D6) < History::ONE / 2);
        });
    }
}

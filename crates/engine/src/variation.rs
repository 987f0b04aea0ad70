//! The principal variation, kept while it is searched: [`Variations`].

use rules::Square;

/// For each number of empties, the best line found from the node of the principal variation that has so many.
///
/// This is the triangular table of chess programs, by empties where they have plies: every move fills one square, and a
/// pass, which fills none, goes on with the same line.
pub(crate) struct Variations(Vec<Vec<Square>>);

impl Variations {
    pub(crate) fn new() -> Variations {
        Variations(vec![Vec::new(); 65])
    }

    /// The line from the node with so many empties.
    pub(crate) fn line(&self, empties: u32) -> &[Square] {
        &self.0[empties as usize]
    }

    /// A node with so many empties is entered: nothing is known of it.
    pub(crate) fn clear(&mut self, empties: u32) {
        self.0[empties as usize].clear();
    }

    /// `square` is the best move so far of the node with so many empties. What follows is the line of the next node, if it
    /// was searched with an open window.
    pub(crate) fn lead(&mut self, empties: u32, square: Square, open: bool) {
        let (before, after) = self.0.split_at_mut(empties as usize);
        let (Some(next), Some(line)) = (before.last(), after.first_mut()) else { return };
        line.clear();
        line.push(square);
        if open {
            line.extend_from_slice(next);
        }
    }
}

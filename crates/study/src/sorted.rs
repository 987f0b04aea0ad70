//! The order in which values are carried back.

use rules::Board;
use std::cmp::Reverse;

/// The indexes of what has a board, those with most discs first: whatever follows from a position comes before it. In
/// which order they were added changes nothing.
pub(crate) fn by_discs<T>(items: &[T], board: impl Fn(&T) -> Board) -> Vec<u32> {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    order.sort_unstable_by_key(|&at| {
        let board = board(&items[at as usize]);
        (Reverse(board.occupied().len()), board)
    });
    order
}

//! The published counts of lines of play, as deep as a test may take; `outflank perft` goes deeper.

use rules::{Board, Symmetry, perft, perft_threads};

fn published() -> impl Iterator<Item = (u32, u64)> {
    include_str!("perft.txt").lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (depth, leaves) = line.split_once(' ').unwrap();
        (depth.parse().unwrap(), leaves.parse().unwrap())
    })
}

#[test]
fn counts_are_the_published_ones() {
    for (depth, leaves) in published().filter(|&(_, leaves)| leaves < 30_000_000) {
        assert_eq!(perft(Board::START, depth), leaves, "depth {depth}");
        assert_eq!(perft_threads(Board::START, depth, 2), leaves, "depth {depth}, two threads");
    }
}

#[test]
fn counts_do_not_depend_on_how_one_looks_at_the_board() {
    let board = Board::START.play(rules::Square::F5).and_then(|board| board.play(rules::Square::F6)).unwrap();
    let leaves = perft(board, 6);
    for symmetry in Symmetry::ALL {
        assert_eq!(perft(symmetry.board(board), 6), leaves);
    }
}

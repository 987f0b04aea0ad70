//! How many lines of play are counted in a second. `cargo bench -p outflank-rules`

use divan::{Bencher, black_box, counter::ItemsCount};
use rules::{Board, Position, perft, perft_threads};

fn main() {
    println!("kernel: {}", rules::kernel::NAME);
    divan::main();
}

#[divan::bench(args = [8, 9, 10, 11])]
fn one_thread(bencher: Bencher<'_, '_>, depth: u32) {
    let leaves = perft(Board::START, depth);
    bencher.counter(ItemsCount::new(leaves)).bench_local(|| perft(black_box(Board::START), depth));
}

#[divan::bench(args = [1, 2, 4])]
fn threads_at_depth_11(bencher: Bencher<'_, '_>, threads: usize) {
    let leaves = perft(Board::START, 11);
    bencher.counter(ItemsCount::new(leaves)).bench_local(|| perft_threads(black_box(Board::START), 11, threads));
}

/// A whole game through the checked door.
#[divan::bench]
fn play_a_game(bencher: Bencher<'_, '_>) {
    let moves = "f5d6c3d3c4f4f6g5e6d7e3g6c7c5c6b6g3b5b4f2a5a6h5c2e8f3e2a3a4b3g4e7d2f7d8d1h6c8f8e1b8h4b7h7g7b2a1a2b1c1f1h8g8a8a7g2h2h3g1h1";
    let squares: Vec<_> = (0..moves.len()).step_by(2).map(|at| moves[at..at + 2].parse().unwrap()).collect();
    bencher.counter(ItemsCount::new(squares.len())).bench_local(|| {
        squares.iter().fold(Position::start(), |position, &square| position.play(square).unwrap().after)
    });
}

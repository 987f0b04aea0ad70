//! How many lines of play are counted in a second. `cargo bench -p outflank-rules`

use divan::{Bencher, black_box, counter::ItemsCount};
use rules::{Board, Position, perft, perft_threads};

fn main() {
    println!("kernel: {}", rules::kernel::NAME);
    divan::main();
}

#[divan::bench(args = [8, 9, 10, 11], sample_count = 20)]
fn one_thread(bencher: Bencher<'_, '_>, depth: u32) {
    let leaves = perft(Board::START, depth);
    bencher.counter(ItemsCount::new(leaves)).bench_local(|| perft(black_box(Board::START), depth));
}

#[divan::bench(args = [1, 2], sample_count = 20)]
fn threads_at_depth_11(bencher: Bencher<'_, '_>, threads: usize) {
    let leaves = perft(Board::START, 11);
    bencher.counter(ItemsCount::new(leaves)).bench_local(|| perft_threads(black_box(Board::START), 11, threads));
}

/// A whole game through the checked door.
#[divan::bench]
fn play_a_game(bencher: Bencher<'_, '_>) {
    let moves = "f5f6c4c3e6c5d3e3b5a6a5a4f7d6c6f4f3g3b3a3f2e1h3h4f1g6h6f8h5g4e8d8d1e7d2c1g5c2b4e2d7c8c7b6a7a8b1g1h1g8h2g7h8h7b8g2a2a1b7b2";
    let squares: Vec<_> = (0..moves.len()).step_by(2).map(|at| moves[at..at + 2].parse().unwrap()).collect();
    bencher.counter(ItemsCount::new(squares.len())).bench_local(|| {
        squares.iter().fold(Position::start(), |position, &square| position.play(square).unwrap().after)
    });
}

//! The one binary.
#![forbid(unsafe_code)]

fn main() {
    let depth = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(11);
    let threads = std::env::args().nth(2).and_then(|a| a.parse().ok()).unwrap_or(1);
    let t = std::time::Instant::now();
    let n = rules::perft_threads(rules::Board::START, depth, threads);
    let s = t.elapsed().as_secs_f64();
    println!("{n} {s:.3} {:.0} M/s {}", n as f64 / s / 1e6, rules::kernel::NAME);
}

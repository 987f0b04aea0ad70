//! How fast tournament games are imported and replayed. `cargo bench -p outflank-record`

use divan::{Bencher, counter::ItemsCount};
use record::{Format, Record, import, transcript, wthor};

fn main() {
    divan::main();
}

/// A file of 10,000 games: an early wipe-out and a full game, in turn.
fn file() -> Vec<u8> {
    let games = [
        &b"f5d6c5f4e7f6g5e6e3"[..],
        b"f5f6c4c3e6c5d3e3b5a6a5a4f7d6c6f4f3g3b3a3f2e1h3h4f1g6h6f8h5g4e8d8d1e7d2c1g5c2b4e2d7c8c7b6a7a8b1g1h1g8h2g7h8h7b8g2a2a1b7b2",
    ];
    let games = games.map(|moves| transcript::read(moves).and_then(Record::try_from).unwrap());
    let many: Vec<_> = games.into_iter().cycle().take(10_000).collect();
    wthor::Base::write(&many, wthor::Date::default()).unwrap().games
}

/// What `outflank import` does.
#[divan::bench]
fn import_games(bencher: Bencher<'_, '_>) {
    let file = file();
    let names = wthor::Names::default();
    bencher.counter(ItemsCount::new(10_000u32)).bench_local(|| {
        import::records(Format::Wthor, divan::black_box(&file), &names).filter(|game| game.is_ok()).count()
    });
}

/// The moves alone, where they lie.
#[divan::bench]
fn replay_in_place(bencher: Bencher<'_, '_>) {
    let file = file();
    bencher.counter(ItemsCount::new(10_000u32)).bench_local(|| {
        let games = wthor::Games::open(divan::black_box(&file)).unwrap();
        games.iter().filter(|game| game.replay(|_| {}).is_ok()).count()
    });
}

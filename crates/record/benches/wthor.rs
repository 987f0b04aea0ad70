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
        b"f5d6c3d3c4f4f6g5e6d7e3g6c7c5c6b6g3b5b4f2a5a6h5c2e8f3e2a3a4b3g4e7d2f7d8d1h6c8f8e1b8h4b7h7g7b2a1a2b1c1f1h8g8a8a7g2h2h3g1h1",
    ];
    let games = games.map(|moves| transcript::read(moves).and_then(Record::try_from).unwrap());
    let many: Vec<_> = games.into_iter().cycle().take(10_000).collect();
    wthor::Base::write(&many, wthor::Date::default()).unwrap().games
}

/// What `outflank import --check` does.
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

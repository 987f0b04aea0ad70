//! Every tournament game since 1977: all are kept, and counts are those of a slow count.
//!
//! The games are not ours to hand on: they are found through `OUTFLANK_CORPUS`, and where they are not there this test says so
//! and passes.

mod common;

use common::{Slow, at, picture, pictures};
use library::Library;
use record::{Record, import, wthor::Names};
use rules::{Position, Square};
use std::{collections::HashMap, fs, io::Write, path::PathBuf};

fn records() -> Option<Vec<Record>> {
    let folder = std::env::var_os("OUTFLANK_CORPUS").map(|root| PathBuf::from(root).join("wthor"));
    let Some(folder) = folder.filter(|folder| folder.exists()) else {
        // Not `eprintln!`: of a test that passes, what that prints is not shown.
        let _ = writeln!(std::io::stderr(), "skipped: OUTFLANK_CORPUS names no folder with wthor/");
        return None;
    };
    let mut names = Names::default();
    names.read_players(&fs::read(folder.join("WTH.JOU")).unwrap()).unwrap();
    names.read_tournaments(&fs::read(folder.join("WTH.TRN")).unwrap()).unwrap();
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "wtb"));
    files.sort();
    let read = |file: &PathBuf| {
        let bytes = fs::read(file).unwrap();
        import::records(record::Format::Wthor, &bytes, &names).map(Result::unwrap).collect::<Vec<_>>()
    };
    Some(files.iter().flat_map(read).collect())
}

#[test]
fn fifty_positions_are_counted_as_a_slow_count_counts_them() {
    let Some(records) = records() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    let added = library.add(&records, "wthor").unwrap();
    let catalogue = library.catalogue().unwrap();
    // what the database has twice is kept once
    let numbers: Vec<u32> = catalogue.numbers(&catalogue.find(&library::Query::default()));
    assert_eq!((numbers.len() as u64, added.added + added.already_there), (added.added, 124_326));
    println!("{} games, {} of them twice", added.added, added.already_there);
    let kept: Vec<Record> = numbers.iter().map(|&number| library.game(number).unwrap().unwrap()).collect();

    let mut positions = vec![Position::start()];
    for at in 1..50 {
        let record = &kept[at * kept.len() / 50];
        positions.push(record.after((at * 7) % 45 % (record.main_len() + 1)).unwrap());
    }
    let images: Vec<Vec<common::Picture>> = positions.iter().map(pictures).collect();
    let mut known: HashMap<&common::Picture, Vec<(usize, usize)>> = HashMap::new();
    for (which, images) in images.iter().enumerate() {
        for (number, image) in images.iter().enumerate() {
            known.entry(image).or_default().push((which, number));
        }
    }
    let mut slow: Vec<Slow> = positions.iter().map(|_| Slow::default()).collect();
    for record in &kept {
        let line: Vec<Square> = record.main_line().collect();
        let mut here = record.start();
        for ply in 0..=line.len() {
            if let Some(found) = known.get(&picture(&here)) {
                let mut of: HashMap<usize, Vec<usize>> = HashMap::new();
                for &(which, number) in found {
                    of.entry(which).or_default().push(number);
                }
                for (which, numbers) in of {
                    slow[which].count(record, &numbers, line.get(ply).copied());
                }
            }
            if let Some(&square) = line.get(ply) {
                here = here.play(square).unwrap().after;
            }
        }
    }
    for (slow, position) in slow.iter().zip(positions) {
        slow.check(&catalogue.find(&at(position)));
    }
}

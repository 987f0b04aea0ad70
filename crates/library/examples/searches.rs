//! How fast a library is with the games of a folder of WTHOR files:
//! `cargo run --release -p outflank-library --example searches -- FOLDER`.
//!
//! Prints how long it takes to read and add them, to open the library, and to find positions of its games, and how large it is.

use library::{Library, Query};
use record::{Format, Record, import, wthor::Names};
use std::{
    error::Error,
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

/// How many searches are timed, and how many games are added at once.
const SEARCHES: usize = 400;
const BATCH: usize = 4096;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name a folder of WTHOR files")?);
    let data = tempfile::tempdir()?;
    let begun = Instant::now();
    let records = read(&folder)?;
    println!("{} games read in {:.2} s", records.len(), begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    let mut library = Library::open(data.path())?;
    for batch in records.chunks(BATCH) {
        library.add(batch, "rates")?;
    }
    println!("added in {:.2} s", begun.elapsed().as_secs_f64());
    println!("{:.1} MB on the disk", library.bytes() as f64 / 1e6);
    drop(library);
    println!("{:.1} MB closed", fs::metadata(data.path().join(library::FILE))?.len() as f64 / 1e6);

    let begun = Instant::now();
    let mut library = Library::open(data.path())?;
    let catalogue = library.catalogue()?;
    println!("opened in {:.0} ms", begun.elapsed().as_secs_f64() * 1e3);
    let mut times = Vec::new();
    for search in 0..SEARCHES {
        let record = &records[search * records.len() / SEARCHES];
        let position = record.after((search * 7) % 50 % (record.main_len() + 1));
        let begun = Instant::now();
        let found = catalogue.find(&Query { position, ..Query::default() });
        times.push(begun.elapsed());
        if found.count.games == 0 {
            return Err("a position of a game was not found".into());
        }
    }
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let at = |percent: usize| ms(times[(times.len() - 1) * percent / 100]);
    println!("{SEARCHES} positions found: median {:.1} ms, p95 {:.1} ms, longest {:.1} ms", at(50), at(95), at(100));
    let begun = Instant::now();
    let found = catalogue.find(&Query { player: "a".into(), ..Query::default() });
    println!("a name found in {} games in {:.1} ms", found.count.games, ms(begun.elapsed()));
    Ok(())
}

fn read(folder: &std::path::Path) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let ends = |file: &PathBuf, end: &str| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(end));
    let mut names = Names::default();
    for file in &files {
        if ends(file, "jou") {
            names.read_players(&fs::read(file)?)?;
        } else if ends(file, "trn") {
            names.read_tournaments(&fs::read(file)?)?;
        }
    }
    let mut records = Vec::new();
    for file in files.iter().filter(|file| ends(file, "wtb")) {
        let bytes = fs::read(file)?;
        for record in import::records(Format::Wthor, &bytes, &names) {
            records.push(record?);
        }
    }
    Ok(records)
}

//! `outflank library add FILES…`: games join the library.

use super::{open, unusable};
use crate::{
    args::Add,
    commands::import::progress,
    context::{Context, Failure},
    fail,
    files::{Games, Refused, Source},
    interrupt, text,
};
use engine::Stop;
use indicatif::ProgressBar;
use library::{Added, Library, unfit};
use record::{Record, Why, wthor::Names};
use serde_json::{Value, json};
use std::{
    ffi::{OsStr, OsString},
    path::Path,
    time::{Duration, Instant},
};

/// How many games are written at once: all of them are there, or none.
const BATCH: usize = 4096;

struct Adding<'a> {
    context: &'a Context,
    library: Library,
    as_json: bool,
    bar: ProgressBar,
    stop: Stop,
    added: Added,
    rejected: Vec<Value>,
    rejections: u64,
    /// Files with the names of WTHOR players and tournaments, as they were named on the command line.
    names: Vec<Source>,
}

pub(super) fn run(args: &Add, context: &Context) -> Result<(), Failure> {
    let mut adding = Adding {
        context,
        library: open(&args.shelf, context)?,
        as_json: args.shelf.json,
        bar: progress(&args.files),
        stop: interrupt::stop(),
        added: Added::default(),
        rejected: Vec::new(),
        rejections: 0,
        names: Vec::new(),
    };
    let begun = Instant::now();
    let (names, games): (Vec<&OsString>, Vec<&OsString>) = args.files.iter().partition(|file| holds_names(file));
    // Names alone are refused as files that hold no games.
    let (names, games) = if games.is_empty() { (games, names) } else { (names, games) };
    names.into_iter().for_each(|file| adding.take_names(file));
    let done = games.into_iter().try_for_each(|file| adding.file(file));
    adding.bar.finish_and_clear();
    // What was added stays, whatever happened then.
    adding.report(begun.elapsed())?;
    done?;
    match () {
        () if adding.stop.is_set() => Err(Failure::Quiet(130)),
        () if adding.rejections > 0 => Err(Failure::Quiet(2)),
        () => Ok(()),
    }
}

/// Whether a file holds names of WTHOR players or tournaments, by what it is called.
fn holds_names(file: &OsStr) -> bool {
    let end = Path::new(file).extension().unwrap_or_default();
    end.eq_ignore_ascii_case("jou") || end.eq_ignore_ascii_case("trn")
}

fn read_names(source: &Source, names: &mut Names) -> Result<(), Why> {
    let are_players = source.name.to_ascii_lowercase().ends_with("jou");
    if are_players { names.read_players(&source.bytes) } else { names.read_tournaments(&source.bytes) }
}

impl Adding<'_> {
    /// Names for the games of all files that are added.
    fn take_names(&mut self, file: &OsStr) {
        let read = Source::open(Path::new(file), self.context).and_then(|source| {
            read_names(&source, &mut Names::default()).map(|()| source).map_err(|why| {
                let file = file.to_string_lossy().into_owned();
                fail!(self.context, "cli-rejected-file", file = file, why = self.context.why(&why))
            })
        });
        match read {
            Ok(source) => self.names.push(source),
            Err(failure) => self.reject_file(file, failure),
        }
    }

    fn reject_file(&mut self, file: &OsStr, failure: Failure) {
        let sentence = failure.sentence();
        let rejected = json!({
            "file": file.to_string_lossy(), "game": null, "line": null, "byte": null, "ply": null,
            "square": null, "why": sentence,
        });
        self.reject(rejected, &sentence);
    }

    fn file(&mut self, file: &OsStr) -> Result<(), Failure> {
        if self.stop.is_set() {
            return Ok(());
        }
        let mut games = match Games::open(file, self.context) {
            Ok(games) => games,
            Err(failure) => {
                self.reject_file(file, failure);
                return Ok(());
            }
        };
        // They could be read when they were named.
        games.rename(|names| self.names.iter().for_each(|source| read_names(source, names).unwrap_or_default()));
        let path = Path::new(file);
        let source = path.file_name().filter(|_| path.is_file()).unwrap_or_default().to_string_lossy().into_owned();
        let begun = self.bar.position();
        let mut records = games.records();
        let mut batch = Vec::with_capacity(BATCH);
        while let Some(game) = records.next() {
            if self.stop.is_set() {
                break;
            }
            match game {
                Ok(record) => match unfit(&record).and_then(|why| records.refuse(why)) {
                    None => batch.push(record),
                    Some(refused) => self.refuse(&refused),
                },
                Err(refused) => self.refuse(&refused),
            }
            if batch.len() == BATCH {
                self.put(&mut batch, &source)?;
                self.bar.set_position(begun + records.byte());
            }
        }
        self.put(&mut batch, &source)?;
        self.bar.set_position(begun + games.size());
        Ok(())
    }

    fn put(&mut self, batch: &mut Vec<Record>, source: &str) -> Result<(), Failure> {
        if !batch.is_empty() {
            self.added += self.library.add(batch, source).map_err(|error| unusable(error, self.context))?;
            batch.clear();
        }
        Ok(())
    }

    fn refuse(&mut self, refused: &Refused) {
        self.reject(refused.json(self.context), &self.context.refused(refused));
    }

    fn reject(&mut self, rejected: Value, sentence: &str) {
        self.rejections += 1;
        if self.as_json {
            self.rejected.push(rejected);
        } else {
            self.bar.suspend(|| eprintln!("outflank: {sentence}"));
        }
    }

    fn report(&self, took: Duration) -> Result<(), Failure> {
        let Added { added, already_there } = self.added;
        let context = self.context;
        if self.as_json {
            let answer = json!({ "added": added, "already_there": already_there, "rejected": self.rejected });
            return context.line(&answer.to_string());
        }
        context.line(&text!(
            context,
            "cli-library-added",
            added = added,
            there = already_there,
            rejected = self.rejections,
            seconds = context.messages.decimal(took.as_secs_f64(), 1)
        ))
    }
}

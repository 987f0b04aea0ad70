//! `outflank library add FILES…`: games join the library.

use super::{open, unusable};
use crate::{
    args::Add,
    commands::import::progress,
    context::{Context, Failure},
    files::{Games, Refused},
    interrupt, text,
};
use engine::Stop;
use indicatif::ProgressBar;
use library::{Added, Library, unfit};
use record::Record;
use serde_json::{Value, json};
use std::{
    ffi::OsStr,
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
    };
    let begun = Instant::now();
    let done = args.files.iter().try_for_each(|file| adding.file(file));
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

impl Adding<'_> {
    fn file(&mut self, file: &OsStr) -> Result<(), Failure> {
        if self.stop.is_set() {
            return Ok(());
        }
        let games = match Games::open(file, self.context) {
            Ok(games) => games,
            Err(failure) => {
                let sentence = failure.sentence();
                let rejected = json!({
                    "file": file.to_string_lossy(), "game": null, "line": null, "byte": null, "ply": null,
                    "square": null, "why": sentence,
                });
                self.reject(rejected, &sentence);
                return Ok(());
            }
        };
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

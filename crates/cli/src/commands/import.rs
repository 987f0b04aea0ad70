//! `outflank import FILES…`: reads every game, replays it, and checks its result.

use crate::{
    args::Import,
    context::{Context, Failure},
    files::Games,
    text,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

/// What was found so far.
#[derive(Default)]
struct Report {
    games: u64,
    legal: u64,
    /// One object for each, in JSON; nothing is kept otherwise.
    rejected: Vec<Value>,
    rejections: u64,
}

impl Report {
    fn reject(&mut self, rejected: Value, sentence: &str, as_json: bool, bar: &ProgressBar) {
        self.rejections += 1;
        if as_json {
            self.rejected.push(rejected);
        } else {
            bar.suspend(|| eprintln!("outflank: {sentence}"));
        }
    }
}

pub(crate) fn run(args: &Import, context: &Context) -> Result<(), Failure> {
    let bar = progress(&args.files);
    let mut report = Report::default();
    for file in &args.files {
        check(file, args.json, &bar, &mut report, context);
    }
    bar.finish_and_clear();
    if args.json {
        let answer = json!({ "games": report.games, "legal": report.legal, "rejected": report.rejected });
        context.line(&answer.to_string())?;
    } else if report.games > 0 {
        let rejected = report.games - report.legal;
        context.line(&text!(
            context,
            "cli-import-done",
            games = report.games,
            legal = report.legal,
            rejected = rejected
        ))?;
    }
    if report.rejections > 0 { Err(Failure::Quiet(2)) } else { Ok(()) }
}

/// A bar for the bytes of all files; it draws itself on a terminal only.
pub(crate) fn progress(files: &[OsString]) -> ProgressBar {
    let sizes = files.iter().filter_map(|file| std::fs::metadata(file).ok()).map(|file| file.len());
    let bar = ProgressBar::with_draw_target(Some(sizes.sum()), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {eta}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn check(file: &OsStr, as_json: bool, bar: &ProgressBar, report: &mut Report, context: &Context) {
    let games = match Games::open(file, context) {
        Ok(games) => games,
        Err(failure) => {
            let sentence = failure.sentence();
            let rejected = json!({
                "file": file.to_string_lossy(), "game": null, "line": null, "byte": null, "ply": null, "square": null,
                "why": sentence,
            });
            return report.reject(rejected, &sentence, as_json, bar);
        }
    };
    let begun = bar.position();
    let mut records = games.records();
    let mut count = 0u64;
    while let Some(game) = records.next() {
        count += 1;
        if count.is_multiple_of(1024) {
            bar.set_position(begun + records.byte());
        }
        let refused = match game {
            Ok(record) => record.check_result().err().and_then(|why| records.refuse(why)),
            Err(refused) => Some(refused),
        };
        if refused.as_ref().is_none_or(|refused| refused.rejection.game.is_some()) {
            report.games += 1;
        }
        match refused {
            None => report.legal += 1,
            Some(refused) => report.reject(refused.json(context), &context.refused(&refused), as_json, bar),
        }
    }
    bar.set_position(begun + games.size());
}

//! `outflank import --check FILES…`: reads every game and replays it.

use crate::{
    args::Import,
    context::{Context, Failure},
    files::Source,
    text,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use record::{Rejection, import};
use serde_json::{Value, json};
use std::path::Path;

/// What was found so far.
#[derive(Default)]
struct Report {
    games: u64,
    legal: u64,
    /// One object for each, in JSON; nothing is kept otherwise.
    rejected: Vec<Value>,
    rejections: u64,
}

pub(crate) fn run(args: &Import, context: &Context) -> Result<(), Failure> {
    let bar = progress(&args.files);
    let mut report = Report::default();
    for path in &args.files {
        check(path, args.json, &bar, &mut report, context);
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
fn progress(files: &[impl AsRef<Path>]) -> ProgressBar {
    let sizes = files.iter().filter_map(|file| std::fs::metadata(file).ok()).map(|file| file.len());
    let bar = ProgressBar::with_draw_target(Some(sizes.sum()), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {eta}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn check(path: &Path, as_json: bool, bar: &ProgressBar, report: &mut Report, context: &Context) {
    let name = path.display().to_string();
    let reject = |report: &mut Report, rejection: Option<&Rejection>, why: String, sentence: String| {
        report.rejections += 1;
        if as_json {
            report.rejected.push(json!({
                "file": name,
                "game": rejection.and_then(|rejection| rejection.game),
                "line": rejection.map(|rejection| rejection.place.line).filter(|&line| line > 0),
                "byte": rejection.map(|rejection| rejection.place.byte),
                "ply": rejection.and_then(|rejection| rejection.why.ply()),
                "square": rejection.and_then(|rejection| rejection.why.square()).map(|square| square.to_string()),
                "why": why,
            }));
        } else {
            bar.suspend(|| eprintln!("outflank: {sentence}"));
        }
    };
    let source = match Source::open(path, context) {
        Ok(source) => source,
        Err(failure) => {
            let sentence = failure.sentence();
            return reject(report, None, sentence.clone(), sentence);
        }
    };
    let format = match source.format() {
        Ok(format) => format,
        Err(why) => {
            let why = context.why(&why);
            let sentence = text!(context, "cli-rejected-file", file = source.name.as_str(), why = why.as_str());
            return reject(report, None, why, sentence);
        }
    };
    let begun = bar.position();
    let mut games = import::games(format, &source.bytes, &source.names);
    let mut count = 0u64;
    while let Some(game) = games.next_record() {
        count += 1;
        if count.is_multiple_of(1024) {
            bar.set_position(begun + games.byte() as u64);
        }
        if !game.as_ref().is_err_and(|rejection| rejection.game.is_none()) {
            report.games += 1;
        }
        match game {
            Ok(_) => report.legal += 1,
            Err(rejection) => {
                let sentence = context.rejection(&source.name, &rejection);
                reject(report, Some(&rejection), context.why(&rejection.why), sentence);
            }
        }
    }
    bar.set_position(begun + source.bytes.len() as u64);
}

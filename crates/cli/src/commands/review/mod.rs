//! `outflank review GAME`: what each move lost, which were mistakes and why, what decided the game.

mod audit;
mod drive;
mod html;
mod sgf;
mod words;

use crate::{
    answer, args,
    commands::show,
    context::{Context, Failure},
    fail,
    files::{self, Games},
    interrupt, text,
};
use drive::Drive;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use record::Record;
use rules::{Position, Square, Step};
use std::time::Instant;
use study::review::{MoveReport, Plan, Report, Review, Stage};

/// How many of the worst moves are told one by one.
const WORST: usize = 5;

pub(crate) fn run(args: &args::Review, context: &Context) -> Result<(), Failure> {
    let games = Games::open(&args.game, context)?;
    let mut plan = args.depth.map_or_else(Plan::default, |depth| Plan::depth(depth.into()));
    plan.thresholds = args.thresholds.unwrap_or_default();
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let stop = interrupt::stop();
    let threads = args.threads.map_or_else(cores, usize::from);
    let drive = Drive { threads, hash: args.hash.into(), stop: &stop, time: args.seconds };
    if let Some(most) = args.audit {
        let records: Vec<Record> = games.records().flatten().filter(|record| record.main_len() > 0).collect();
        return audit::run(&spread(records, most as usize), plan, &drive, args.json, context);
    }
    let record = games.record(args.number, context)?;
    if record.main_len() == 0 {
        return Err(fail!(context, "cli-review-no-moves"));
    }
    let begun = Instant::now();
    let mut review = Review::new(&record, plan);
    let bar = bar();
    drive.run(&mut review, &|review| tell_progress(review, &bar, context));
    bar.finish_and_clear();
    let mut report = review.report(begun.elapsed());
    words::write_reasons(&mut report, context);
    let mut written = Vec::new();
    if let Some(path) = &args.html {
        written.push((path.clone(), html::write(&record, &report, context).into_bytes()));
    }
    if let Some(path) = &args.sgf {
        let text = sgf::write(&record, &report, context);
        let text = text.map_err(|error| {
            fail!(context, "cli-error-write", path = path.display().to_string(), reason = context.why(&error.why))
        })?;
        written.push((path.clone(), text.into_bytes()));
    }
    files::write(&written, context)?;
    if args.json {
        context.line(&serde_json::to_string(&report).unwrap_or_default())?;
    } else {
        context.print(&told(&record, &report, context))?;
    }
    if stop.is_set() { Err(Failure::Quiet(130)) } else { Ok(()) }
}

/// At most so many of them, from the first to the last.
fn spread(records: Vec<Record>, most: usize) -> Vec<Record> {
    let step = (records.len() as f64 / most as f64).max(1.0);
    let count = most.min(records.len());
    (0..count).map(|at| records[(at as f64 * step) as usize].clone()).collect()
}

/// Draws itself on a terminal only.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(100), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {percent}% {msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn tell_progress(review: &Review, bar: &ProgressBar, context: &Context) {
    bar.set_message(match review.stage() {
        Stage::First => text!(context, "page-study-stage-first"),
        Stage::Deeper => text!(context, "page-study-stage-deeper"),
        Stage::Reasons => text!(context, "page-study-stage-reasons"),
        Stage::Done => text!(context, "page-study-stage-done"),
    });
    bar.set_position((review.progress() * 100.0) as u64);
}

/// The costliest moves that are worth a look, costliest first.
fn worst(report: &Report) -> impl Iterator<Item = &MoveReport> {
    let mut bad: Vec<&MoveReport> = report.moves.iter().filter(|one| one.mark.is_some()).collect();
    bad.sort_by_key(|one| std::cmp::Reverse(one.loss));
    bad.into_iter().take(WORST)
}

/// What the moves of a line do, as far as it is legal.
fn better_steps(start: Position, line: &[Square]) -> Vec<Step> {
    let mut at = start;
    let steps = line.iter().map_while(|&square| {
        let step = at.play(square).ok()?;
        at = step.after;
        Some(step)
    });
    steps.collect()
}

/// What each player lost, what decided the game, and what else there is to know of it, each as a sentence.
fn summary(record: &Record, report: &Report, context: &Context) -> Vec<String> {
    let total = text!(
        context,
        "cli-review-total",
        black = words::discs(report.black.loss, context),
        blackopening = report.black.phases.opening,
        blackmidgame = report.black.phases.midgame,
        blackending = report.black.phases.ending,
        white = words::discs(report.white.loss, context),
        whiteopening = report.white.phases.opening,
        whitemidgame = report.white.phases.midgame,
        whiteending = report.white.phases.ending,
    );
    let turn = report.moves.iter().find(|one| Some(one.number) == report.decided_at);
    let decided = match turn {
        Some(one) => text!(
            context,
            "cli-review-decided",
            number = one.number,
            color = words::color(one.by, context),
            square = one.square.to_string(),
        ),
        None if report.moves.len() < record.main_len() => text!(context, "cli-review-decided-unknown"),
        None => text!(context, "cli-review-decided-nothing"),
    };
    let mut said = vec![total, decided];
    said.extend(words::haste(report, context));
    said.extend(words::given(report, context));
    said
}

/// A short walk through the game.
fn told(record: &Record, report: &Report, context: &Context) -> String {
    let mut out = Vec::new();
    let title = show::title(record);
    if !title.is_empty() {
        out.push(title);
    }
    let mut bad: Vec<&MoveReport> = worst(report).collect();
    bad.sort_by_key(|one| one.number);
    if bad.is_empty() {
        out.push(text!(context, "cli-review-nothing-bad"));
    }
    for one in bad {
        let before = record.after(one.number - 1).unwrap_or(record.start());
        out.push(format!("{} ({})", words::lost(one, context), words::class(one, context)));
        out.extend(one.reason.iter().filter_map(|reason| reason.text.as_ref()).map(|text| format!("    {text}")));
        let line = answer::spaced(&before, &one.better[..one.better.len().min(8)]);
        out.push(format!("    {}", text!(context, "cli-review-better", line = line)));
    }
    // of what is not sure, the likeliest
    let mut unsure: Vec<&MoveReport> = report.moves.iter().filter(|one| one.perhaps.is_some()).collect();
    unsure.sort_by_key(|one| std::cmp::Reverse(one.loss));
    unsure.truncate(3);
    unsure.sort_by_key(|one| one.number);
    out.extend(unsure.iter().filter_map(|one| words::perhaps(one, context)));
    out.extend(words::only(report, context));
    out.extend(summary(record, report, context));
    let seconds = context.messages.decimal(report.seconds, 1);
    out.push(text!(context, "cli-review-done", moves = report.moves.len(), all = record.main_len(), seconds = seconds));
    out.join("\n") + "\n"
}

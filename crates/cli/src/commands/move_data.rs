//! `outflank move-data`: everything from an SQLite folder into a PostgreSQL database, or back.

use crate::{
    args::MoveData as Args,
    commands::serve::no_games,
    context::{Context, Failure},
    fail, interrupt, text,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use server::{MoveError, StartError, move_data};

pub(crate) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let stop = interrupt::stop();
    let bar = bar();
    let moved = move_data(&args.from, &args.to, &mut |progress| {
        // Every line is copied and then compared.
        bar.set_length(2 * progress.all);
        bar.set_position(progress.copied + progress.compared);
        !stop.is_set()
    });
    bar.finish_and_clear();
    let rows = moved.map_err(|error| match error {
        MoveError::Open(error) => no_games(StartError::Open(error), context),
        MoveError::Nothing(place) => fail!(context, "cli-move-data-nothing", place = place.display().to_string()),
        MoveError::NotEmpty(place) => fail!(context, "cli-move-data-not-empty", place = place.display().to_string()),
        MoveError::Different(table) => fail!(context, "cli-move-data-different", table = table),
        MoveError::Failed(reason) => fail!(context, "cli-move-data-failed", reason = reason),
        MoveError::Interrupted => Failure::Quiet(130),
    });
    if stop.is_set() && rows.is_err() {
        context.line(&text!(context, "cli-move-data-interrupted"))?;
    }
    context.line(&text!(context, "cli-move-data-done", rows = rows?))
}

/// Draws itself on a terminal only.
fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {percent} % {eta}");
    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

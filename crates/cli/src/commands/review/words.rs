//! What a review says, in words.

use crate::{context::Context, text};
use fluent_bundle::FluentArgs;
use rules::Color;
use study::{
    reason::Reason,
    review::{Class, MoveReport, Report},
};

pub(super) fn color(color: Color, context: &Context) -> String {
    match color {
        Color::Black => text!(context, "black"),
        Color::White => text!(context, "white"),
    }
}

/// `5 discs`.
pub(super) fn discs(count: i32, context: &Context) -> String {
    text!(context, "page-study-discs", count = count)
}

pub(super) fn class(class: Class, context: &Context) -> String {
    match class {
        Class::Best => text!(context, "page-study-class-best"),
        Class::Good => text!(context, "page-study-class-good"),
        Class::Inaccuracy => text!(context, "page-study-class-inaccuracy"),
        Class::Mistake => text!(context, "page-study-class-mistake"),
        Class::Blunder => text!(context, "page-study-class-blunder"),
    }
}

/// What a move lost, and what that did to the game: the same sentence as on the page.
pub(super) fn lost(one: &MoveReport, context: &Context) -> String {
    let id = match (one.best_score.signum(), one.score.signum(), one.exact) {
        (1, 1, _) | (0, 0.., _) => "page-study-lost-ahead",
        (1, _, true) => "page-study-lost-win",
        (1, -1, false) => "page-study-lost-lead",
        (1, _, false) => "page-study-lost-even",
        (0, _, true) => "page-study-lost-draw",
        (0, _, false) => "page-study-lost-level",
        _ => "page-study-lost-behind",
    };
    let mut args = FluentArgs::new();
    args.set("number", one.number);
    args.set("color", color(one.by, context));
    args.set("square", one.square.to_string());
    args.set("discs", discs(one.loss, context));
    context.messages.text(id, &args)
}

/// A reason as a sentence.
pub(super) fn reason(reason: &Reason, one: &MoveReport, context: &Context) -> String {
    context.because(reason, one.square, one.best.first().copied())
}

/// The only good move that was found, if there was one: rather one that kept the result than one that saved discs.
pub(super) fn only(report: &Report, context: &Context) -> Option<String> {
    let worth = |one: &&MoveReport| {
        let by = one.only_by.unwrap_or_default();
        (one.score.signum() > (one.score - by).signum(), by)
    };
    // of two that are worth as much, the earlier
    let one = report.moves.iter().rev().filter(|one| one.only_by.is_some()).max_by_key(worth)?;
    Some(text!(
        context,
        "page-study-praise-only",
        number = one.number,
        color = color(one.by, context),
        square = one.square.to_string(),
        discs = discs(one.only_by.unwrap_or_default(), context),
    ))
}

/// `70 %` as the sentence for a loss that is not sure.
pub(super) fn perhaps(one: &MoveReport, context: &Context) -> Option<String> {
    let perhaps = one.perhaps?;
    Some(text!(
        context,
        "cli-review-perhaps",
        number = one.number,
        color = color(one.by, context),
        square = one.square.to_string(),
        discs = discs(perhaps.loss, context),
        percent = perhaps.percent,
    ))
}

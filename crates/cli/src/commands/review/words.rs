//! What a review says, in words.

use crate::{context::Context, text};
use fluent_bundle::FluentArgs;
use rules::Color;
use study::review::{Class, Haste, MoveReport, Report};

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

/// `mistake`, or `mistake, turning point`.
pub(super) fn class(one: &MoveReport, context: &Context) -> String {
    let class = match one.class.unwrap_or(Class::Good) {
        Class::Best => text!(context, "page-study-class-best"),
        Class::Good => text!(context, "page-study-class-good"),
        Class::Inaccuracy => text!(context, "page-study-class-inaccuracy"),
        Class::Mistake => text!(context, "page-study-class-mistake"),
        Class::Blunder => text!(context, "page-study-class-blunder"),
    };
    if one.turning_point { format!("{class}, {}", text!(context, "page-study-turning-point")) } else { class }
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

/// Writes every reason as a sentence.
pub(super) fn write_reasons(report: &mut Report, context: &Context) {
    for one in &mut report.moves {
        let (square, better) = (one.square, one.best.first().copied());
        for reason in one.reason.iter_mut().chain(&mut one.others) {
            reason.text = Some(context.because(reason, square, better));
        }
    }
}

/// What there is to say of a move in the list: what it lost and why, or what it perhaps lost.
pub(super) fn said(one: &MoveReport, context: &Context) -> Vec<String> {
    let mut said = Vec::new();
    if one.mark.is_some() {
        said.push(format!("{} ({})", lost(one, context), class(one, context)));
        said.extend(one.reason.as_ref().and_then(|reason| reason.text.clone()));
    }
    said.extend(perhaps(one, context));
    said
}

/// How many mistakes were made in haste, for each player whose times are known.
pub(super) fn haste(report: &Report, context: &Context) -> Vec<String> {
    let of = |player: Color, haste: Option<Haste>| {
        let Haste { mistakes, quick } = haste?;
        Some(text!(context, "page-study-haste", color = color(player, context), mistakes = mistakes, quick = quick,))
    };
    let both = [of(Color::Black, report.black.haste), of(Color::White, report.white.haste)];
    both.into_iter().flatten().collect()
}

/// That the first moves count for nobody, where they were given.
pub(super) fn given(report: &Report, context: &Context) -> Option<String> {
    let given = report.given();
    (given > 0).then(|| text!(context, "page-study-given", count = given))
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

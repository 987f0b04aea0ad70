//! What a review says, in words.

use crate::{context::Context, text};
use fluent_bundle::FluentArgs;
use rules::Color;
use study::{
    reason::Reason,
    review::{Class, MoveReport},
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
    let kind = serde_json::to_value(reason.kind).ok();
    let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default().replace('_', "-");
    let square = |at: usize| reason.squares.get(at).map(ToString::to_string).unwrap_or_default();
    let number = |at: usize| reason.numbers.get(at).copied().unwrap_or_default();
    let mut args = FluentArgs::new();
    args.set("a", square(0));
    args.set("b", square(1));
    args.set("n", number(0));
    args.set("m", number(1));
    args.set("move", one.square.to_string());
    args.set("best", one.best.first().map(ToString::to_string).unwrap_or_default());
    args.set("color", color(one.by, context));
    context.messages.text(&format!("reason-{kind}"), &args)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Language, Messages};
    use rules::Square;
    use study::reason::ReasonKind::*;

    #[test]
    fn every_kind_of_reason_has_its_sentence_in_both_languages() {
        let kinds = [
            GaveCorner,
            OpenedCorner,
            NoSafeMoves,
            OpenedWall,
            MissedQuietMove,
            GaveParity,
            GaveStableDiscs,
            MissedPass,
            TooEarly,
            Miscounted,
        ];
        for language in [Language::English, Language::Spanish] {
            let context = Context { messages: Messages::new(language) };
            for kind in kinds {
                let mut args = FluentArgs::new();
                for name in ["a", "b", "move", "best", "color"] {
                    args.set(name, Square::F5.to_string());
                }
                args.set("n", 3);
                args.set("m", 1);
                let kind = serde_json::to_value(kind).unwrap().as_str().unwrap().replace('_', "-");
                let sentence = context.messages.get(&format!("reason-{kind}"), &args);
                assert!(sentence.is_some_and(|text| text.contains("f5")), "{kind}");
            }
        }
    }
}

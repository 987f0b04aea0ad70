//! A reviewed game as one page that needs nothing else: board, graph, moves and reasons. Every board of it is worked out
//! here; the page knows no rules.

use super::{better_steps, summary, words, worst};
use crate::{answer, commands::show, context::Context, text};
use record::Record;
use rules::{Color, Position, Square, Step};
use serde_json::{Value, json};
use study::review::{Mark, MoveReport, Report};

const PAGE: &str = include_str!("page.html");

/// The page.
pub(super) fn write(record: &Record, report: &Report, context: &Context) -> String {
    let title = match show::title(record) {
        title if title.is_empty() => text!(context, "cli-review-page-title"),
        title => title,
    };
    let summary = summary(record, report, context);
    let fill = |name: &str| match name {
        "lang" => text!(context, "cli-review-page-language"),
        "title" => escaped(&title),
        "summary" => summary.iter().map(|sentence| format!("<p>{}</p>\n", escaped(sentence))).collect(),
        "data" => data(record, report, context).to_string().replace('<', "\\u003c"),
        "words.first" => escaped(&text!(context, "cli-review-page-first")),
        "words.back" => escaped(&text!(context, "cli-review-page-back")),
        "words.next" => escaped(&text!(context, "cli-review-page-next")),
        "words.last" => escaped(&text!(context, "cli-review-page-last")),
        "words.graph" => escaped(&text!(context, "page-study-graph")),
        "words.moves" => escaped(&text!(context, "cli-review-page-moves")),
        other => unreachable!("{other} has no text"),
    };
    let mut page = String::new();
    let mut parts = PAGE.split("{{");
    page.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        page.push_str(&fill(name));
        page.push_str(rest);
    }
    page
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn data(record: &Record, report: &Report, context: &Context) -> Value {
    let steps: Vec<Step> = record.steps().collect();
    let before = report.moves.first().map(|first| {
        let sign = if first.by == Color::Black { 1 } else { -1 };
        json!({ "number": first.number - 1, "value": sign * first.best_score })
    });
    let after = report.moves.iter().map(|one| json!({ "number": one.number, "value": one.value_black }));
    json!({
        "frames": frames(record.start(), 0, &steps, context),
        "values": before.into_iter().chain(after).collect::<Vec<_>>(),
        "moves": report.moves.iter().map(|one| told(record, one, context)).collect::<Vec<_>>(),
        "worst": worst(report).map(|one| one.number).collect::<Vec<_>>(),
        "words": { "game": text!(context, "cli-review-page-game") },
    })
}

/// A board before a line, and after each of its moves.
fn frames(start: Position, number: usize, steps: &[Step], context: &Context) -> Vec<Value> {
    let frame = |square: Option<Square>, position: &Position, label: String| json!({ "board": answer::board(position), "square": answer::square(square), "label": label });
    let first = frame(None, &start, show::state(&start, context));
    let rest = steps.iter().enumerate().map(|(at, step)| {
        let color = words::color(step.by, context);
        let (number, square) = (number + at + 1, step.square.to_string());
        let label = text!(context, "page-study-say-move", number = number, color = color, square = square);
        frame(Some(step.square), &step.after, label)
    });
    std::iter::once(first).chain(rest).collect()
}

/// A move for the list: its text, what there is to say, and the lines that can be walked.
fn told(record: &Record, one: &MoveReport, context: &Context) -> Value {
    let mark = one.mark.map(Mark::text).unwrap_or_default();
    let mut lines = Vec::new();
    if one.mark.is_some() {
        let before = record.after(one.number - 1).unwrap_or(record.start());
        let walk = |label: String, line: Vec<Square>| {
            let steps = better_steps(before, &line);
            json!({ "label": label, "frames": frames(before, one.number - 1, &steps, context) })
        };
        lines.push(walk(text!(context, "page-study-better"), one.better.clone()));
        let refutation = std::iter::once(one.square).chain(one.refutation.iter().copied()).collect();
        let why = one.reason.as_ref().map_or(refutation, |reason| reason.line.clone());
        lines.push(walk(text!(context, "page-study-why"), why));
    }
    let disc = if one.by == Color::Black { '●' } else { '○' };
    let loss = if one.loss > 0 { format!(" −{}", one.loss) } else { String::new() };
    json!({
        "number": one.number, "mark": mark, "turning": one.turning_point && one.sure, "said": words::said(one, context), "lines": lines,
        "text": format!("{}. {disc} {}{mark}{loss}", one.number, one.square),
    })
}

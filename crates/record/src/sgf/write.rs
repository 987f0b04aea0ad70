//! From [`Record`] to text.

use crate::{Claim, Format, How, Note, Record, raw::initial, text};
use rules::{Color, Position};
use std::fmt::Write;

/// One game.
///
/// ```
/// use record::{Record, sgf, transcript};
/// let record = Record::try_from(transcript::read(b"F5D6").unwrap()).unwrap();
/// let text = "(;FF[4]GM[2]SZ[8]CA[UTF-8]RE[?]AB[e4][d5]AW[d4][e5]PL[B]\n;B[f5];W[d6])\n";
/// assert_eq!(sgf::write(&record), text);
/// ```
pub fn write(record: &Record) -> String {
    let headers = &record.headers;
    let mut out = String::from("(;FF[4]GM[2]SZ[8]CA[UTF-8]");
    for (name, value) in [
        ("PB", &headers.players.black),
        ("PW", &headers.players.white),
        ("BR", &headers.ratings.black),
        ("WR", &headers.ratings.white),
        ("EV", &headers.event),
        ("PC", &headers.site),
        ("DT", &headers.date),
        ("RO", &headers.round),
        ("TM", &headers.time),
    ] {
        if !value.is_empty() {
            let _ = write!(out, "{name}[{}]", escaped(&text::plain_line(value)));
        }
    }
    let _ = write!(out, "RE[{}]", result(record));
    for extra in headers.extra.iter().filter(|extra| extra.format == Format::Sgf) {
        let _ = write!(out, "{}[{}]", extra.name, escaped(&text::plain_line(&extra.value)));
    }
    let start = record.start().setup();
    for (name, discs) in [("AB", start.black), ("AW", start.white)] {
        for (at, square) in discs.iter().enumerate() {
            let _ = write!(out, "{}[{square}]", if at == 0 { name } else { "" });
        }
    }
    let _ = write!(out, "PL[{}]", initial(start.turn));
    if let Some(note) = record.note(None) {
        comment(&mut out, note);
    }
    out.push('\n');
    tree(record, &mut out);
    out.push_str(")\n");
    out
}

/// A move on the line to the one being written.
struct Written {
    at: u32,
    by: Color,
    after: Position,
    /// It stands in parentheses of its own.
    opened: bool,
}

/// Writes every move, and parentheses around each answer where there are several.
fn tree(record: &Record, out: &mut String) {
    let moves = record.moves();
    // how many answers each move has, and the start
    let mut answers = vec![0u32; moves.len() + 1];
    let place = |after: Option<u32>| after.map_or(0, |after| after as usize + 1);
    for one in moves {
        answers[place(one.after)] += 1;
    }
    let mut line: Vec<Written> = Vec::new();
    for (at, one) in moves.iter().enumerate() {
        while line.last().is_some_and(|last| Some(last.at) != one.after) {
            if line.pop().is_some_and(|last| last.opened) {
                out.push_str(")\n");
            }
        }
        let before = line.last().map_or(record.start(), |last| last.after);
        let opened = answers[place(one.after)] > 1;
        if opened {
            out.push('(');
        }
        let step = before.play_unchecked(one.square);
        // the turn came back by itself
        if line.last().is_some_and(|last| last.by == step.by) {
            let _ = write!(out, ";{}[]", initial(!step.by));
        }
        let _ = write!(out, ";{}[{}]", initial(step.by), one.square);
        if let Some(note) = record.note(Some(at as u32)) {
            if let Some(eval) = note.eval {
                let black = if step.by == Color::Black { eval } else { 0.0 - eval };
                let _ = write!(out, "V[{black}]");
            }
            comment(out, note);
        }
        line.push(Written { at: at as u32, by: step.by, after: step.after, opened });
    }
    for _ in line.iter().filter(|one| one.opened) {
        out.push_str(")\n");
    }
    // no line end before the last parenthesis
    out.truncate(out.trim_end().len());
}

fn comment(out: &mut String, note: &Note) {
    if !note.comment.is_empty() {
        let _ = write!(out, "C[{}]", escaped(&note.comment));
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]").replace(':', "\\:")
}

fn result(record: &Record) -> String {
    let by = |difference: f32| match difference {
        0.0 => "0".to_owned(),
        more if more > 0.0 => format!("B+{more}"),
        less => format!("W+{}", -less),
    };
    match record.headers.claim {
        Some(Claim::Winner(color, how)) => {
            let how = match how {
                How::Resigned => "R",
                How::OutOfTime => "T",
                How::Played | How::Agreed => "",
            };
            format!("{}+{how}", initial(color))
        }
        Some(claim) => by(claim.difference().unwrap_or_default()),
        None => record.outcome().map_or("?".to_owned(), |outcome| by(outcome.difference().into())),
    }
}

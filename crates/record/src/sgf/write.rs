//! From [`Record`] to text.

use super::read::value_length;
use crate::{Claim, Clock, Extra, Format, How, Loss, Note, Record, date, raw::initial, text};
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
    let (main_time, increment) = time(record);
    let mut out = String::from("(;FF[4]GM[2]SZ[8]CA[UTF-8]");
    for (name, value) in [
        ("PB", &headers.players.black),
        ("PW", &headers.players.white),
        ("BR", &headers.ratings.black),
        ("WR", &headers.ratings.white),
        ("EV", &headers.event),
        ("PC", &headers.site),
        ("DT", &date(record)),
        ("RO", &headers.round),
        ("TM", &main_time),
        ("OT", &increment),
    ] {
        if !value.is_empty() {
            let _ = write!(out, "{name}[{}]", escaped(&text::plain_line(value)));
        }
    }
    let _ = write!(out, "RE[{}]", result(record));
    extras(&mut out, &headers.extra);
    let start = record.start().setup();
    for (name, discs) in [("AB", start.black), ("AW", start.white)] {
        for (at, square) in discs.iter().enumerate() {
            let _ = write!(out, "{}[{square}]", if at == 0 { name } else { "" });
        }
    }
    let _ = write!(out, "PL[{}]", initial(start.turn));
    if let Some(note) = record.note(None) {
        comment(&mut out, note);
        extras(&mut out, &note.extra);
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
            if let Some(seconds) = note.seconds {
                let _ = write!(out, "SECONDS[{seconds}]");
            }
            comment(out, note);
            extras(out, &note.extra);
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

/// Properties as they were read; values of one property share its name.
fn extras(out: &mut String, extras: &[Extra]) {
    let mut last = "";
    for extra in extras.iter().filter(|extra| extra.format == Format::Sgf) {
        let whole = value_length(format!("{}]", extra.value).as_bytes()) == Some(extra.value.len());
        let value = if whole { extra.value.clone() } else { escaped(&extra.value) };
        let _ = write!(out, "{}[{value}]", if last == extra.name { "" } else { &extra.name });
        last = &extra.name;
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]").replace(':', "\\:")
}

/// The day with dashes; what is no day as it is.
fn date(record: &Record) -> String {
    date::understood(&record.headers.date).map_or_else(|| record.headers.date.clone(), |(day, _)| day.sgf())
}

/// Seconds for the game, and more for each move; what is no time as it is.
fn time(record: &Record) -> (String, String) {
    match record.headers.clock() {
        None => (record.headers.time.clone(), String::new()),
        Some(Clock { main, increment: 0, .. }) => (main.to_string(), String::new()),
        Some(Clock { main, increment, .. }) => (main.to_string(), format!("{increment} fischer")),
    }
}

fn result(record: &Record) -> String {
    match record.result() {
        None => "?".to_owned(),
        Some(Claim::Winner(color, _)) => format!("{}+", initial(color)),
        Some(Claim::Difference { black, how: How::Resigned }) if black.abs() == 64.0 => format!("{}+R", winner(black)),
        Some(Claim::Difference { black, how: How::OutOfTime }) if black.abs() == 64.0 => format!("{}+T", winner(black)),
        Some(claim) => match claim.difference() {
            None | Some(0.0) => "0".to_owned(),
            Some(black) => format!("{}+{}", winner(black), black.abs()),
        },
    }
}

fn winner(black: f32) -> char {
    initial(if black > 0.0 { Color::Black } else { Color::White })
}

/// What of a game comes back when it has been written.
pub(crate) fn keeps(record: &Record, what: Loss) -> bool {
    let headers = &record.headers;
    let text = |value: &String| text::plain_line(value) == *value;
    match what {
        Loss::Moves | Loss::Orientation | Loss::Variations | Loss::Result => true,
        Loss::Comments => record.notes().iter().all(|one| {
            let comment = &one.note.comment;
            text::prose(comment.as_bytes()) == *comment
        }),
        // a value of the start has no side to be seen from
        Loss::Evaluations => record.note(None).is_none_or(|note| note.eval.is_none()),
        Loss::Players => text(&headers.players.black) && text(&headers.players.white),
        Loss::Ratings => text(&headers.ratings.black) && text(&headers.ratings.white),
        Loss::Event => text(&headers.event),
        Loss::Site => text(&headers.site),
        Loss::Round => text(&headers.round),
        Loss::Date => date::understood(&headers.date).map_or_else(|| text(&headers.date), |(_, timed)| !timed),
        Loss::Clock => headers.clock().map_or_else(|| text(&headers.time), |clock| clock.extension == 0),
        Loss::Ending => matches!(record.result(), Some(Claim::Difference { black, how })
            if black.abs() == 64.0 && how != How::Agreed),
        Loss::Properties => {
            let known = |extra: &Extra| {
                let name = extra.name.as_bytes();
                extra.format == Format::Sgf && super::read::name(name) == name
            };
            headers.extra.iter().all(known) && record.notes().iter().flat_map(|one| &one.note.extra).all(known)
        }
        // nobody moves at the start
        Loss::Seconds => record.note(None).is_none_or(|note| note.seconds.is_none()),
        Loss::Theory | Loss::KnownScores => false,
    }
}

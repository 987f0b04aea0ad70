//! GGF, the Generic Game Format of the server GGS, of NBoard and of Edax.
//!
//! The format: [skatgame.net/mburo/ggsa/ggf](https://skatgame.net/mburo/ggsa/ggf).
//!
//! # Reading
//!
//! - Games `(;…;)`, any number to a line, each line perhaps with their number in front; text between games is skipped,
//!   a line of moves there is told.
//! - Properties `NAME[value]` in any order, names in either case, white space between them. Unknown ones are kept.
//! - `GM` must be Othello, in any case, where it is there. `BO` sets up the board; without it the usual start is meant,
//!   unless `TY` says that the start was drawn by lot. Boards that are not 8 × 8 are refused.
//! - Moves `B[square/eval/seconds]`, eval and seconds optional, squares in either case; passes `PA`, `pass`, `--` or
//!   left out. Seconds may be `mm:ss`. An eval that is not a number is ignored.
//! - `TI` is the clock, `0` none; `TB` and `TW` are kept.
//! - `RE` is Black's result, `:r` resigned, `:t` out of time, `:s` agreed; `?` says nothing. `EV` and `RO`, which are
//!   ours, are the event and the round.
//! - A value does not run into the next game: where `]` is missing, that game is refused and the next one read.
//!
//! # Writing
//!
//! One game to a line: GM, PC, EV, RO, DT, PB, PW, RB, RW, TI, TY, RE, BO, what else was kept, then the moves in lower
//! case, every pass as `PA`. Event, round, date, ratings and clock only where there are any. Dates are `2026.02.03`, times
//! `05:00/00:05/00:00`, where what was read says more than that as it was. `]` has no escape in GGF and is written `)`.
//! Variations and comments have no place in it.

use crate::{
    Claim, Extra, Format, Games, How, Loss, Note, RawGame, ReadError, Record, Why, board_text, clock,
    games::{Found, after_mistake},
    loss,
    raw::{decimal, initial, place},
    text,
};
use rules::Color;
use std::fmt::Write;

/// Reads the games of a file.
///
/// ```
/// let text = b"1 (;GM[Othello]PB[Ana]PW[Luis]RE[+4.000]TY[8]B[F5//1.5]W[d6//0.01]B[C3];)";
/// let (_, game) = record::ggf::games(text).next().unwrap();
/// let record = record::Record::try_from(game.unwrap()).unwrap();
/// assert_eq!(record.headers.players.black, "Ana");
/// assert_eq!(record.note(Some(0)).unwrap().seconds, Some(1.5));
/// ```
pub fn games(text: &[u8]) -> Games<'_> {
    Games::new(text, next_game)
}

fn next_game(text: &[u8]) -> Option<Found> {
    let begin = text.windows(2).position(|window| window == b"(;")?;
    let text = &text[begin..];
    let mut read = 0;
    let (length, game) = match game(text, &mut read) {
        Ok((game, length)) => (length, Ok(game)),
        Err(error) => (resume(text, after_mistake(error.byte.max(2), read)), Err(error)),
    };
    Some(Found { begin, end: begin + length, game })
}

/// Where, from `from` on, the next game may begin: after the end of this one, or on the next line.
fn resume(text: &[u8], from: usize) -> usize {
    for (at, &byte) in text.iter().enumerate().skip(from) {
        match (byte, text.get(at + 1)) {
            (b'\n', _) | (b'(', Some(b';')) => return at,
            (b';', Some(b')')) => return at + 2,
            _ => {}
        }
    }
    text.len()
}

/// Reads one game at the beginning of `text`, and how long it is. `read` is how far it looked if that is an error.
fn game(text: &[u8], read: &mut usize) -> Result<(RawGame, usize), ReadError> {
    let mut game = RawGame::default();
    let mut at = 2;
    loop {
        at += text::space(&text[at..]);
        let rest = &text[at..];
        if rest.starts_with(b";)") {
            at += 2;
            break;
        }
        let fail = |byte, why| Err(ReadError { byte, why });
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if length == 0 {
            return match rest.first() {
                None => fail(0, Why::Unclosed { open: '(' }),
                Some(_) if rest.starts_with(b"(;") => fail(at, Why::Unclosed { open: '(' }),
                Some(&byte) => fail(at, Why::Unexpected { found: text::from_windows_1252(byte) }),
            };
        }
        let open = at + length + text::space(&rest[length..]);
        match text.get(open) {
            Some(b'[') => {}
            // the number in front of the next game
            Some(b'(') if text[open..].starts_with(b"(;") => return fail(at, Why::Unclosed { open: '(' }),
            Some(&byte) => return fail(open, Why::Unexpected { found: text::from_windows_1252(byte) }),
            None => return fail(0, Why::Unclosed { open: '(' }),
        }
        let close = match value_end(&text[open + 1..]) {
            Ok(length) => open + 1 + length,
            Err(length) => {
                *read = open + 1 + length;
                return fail(open, Why::Unclosed { open: '[' });
            }
        };
        let name = text::decoded(&rest[..length]);
        let value = text::one_line(&text[open + 1..close]);
        property(&mut game, &name, value, open + 1).map_err(|why| ReadError { byte: open + 1, why })?;
        at = close + 1;
    }
    if game.start.is_none()
        && let Some(kind) = game.headers.extra.iter().rfind(|extra| extra.name == "TY")
    {
        usual_start(&kind.value).map_err(|why| ReadError { byte: 0, why })?;
    }
    Ok((game, at))
}

/// Whether a game of this type (`s8r18`: two games, the size, a start drawn by lot) begins at the usual start.
fn usual_start(kind: &str) -> Result<(), Why> {
    let kind = kind.trim_start_matches(['s', 'S']);
    let rest = kind.trim_start_matches(|c: char| c.is_ascii_digit());
    let size = &kind[..kind.len() - rest.len()];
    match size {
        "" | "8" if rest.contains(['r', 'R']) => Err(Why::NoBoard),
        "" | "8" => Ok(()),
        size => Err(Why::BoardSize { size: size.to_owned() }),
    }
}

/// How long a value is, if it is closed before a line begins the next game; else where that is.
fn value_end(text: &[u8]) -> Result<usize, usize> {
    for (at, &byte) in text.iter().enumerate() {
        if byte == b']' {
            return Ok(at);
        }
        if byte == b'(' && text.get(at + 1) == Some(&b';') {
            // games may have their number in front
            let before = |byte: &&u8| byte.is_ascii_digit() || **byte == b' ' || **byte == b'\t';
            if text[..at].iter().rev().find(|byte| !before(byte)) == Some(&b'\n') {
                return Err(at);
            }
        }
    }
    Err(text.len())
}

fn property(game: &mut RawGame, name: &str, value: String, byte: usize) -> Result<(), Why> {
    let headers = &mut game.headers;
    match name.to_ascii_uppercase().as_str() {
        "GM" if value.eq_ignore_ascii_case("othello") => {}
        "GM" => return Err(Why::AnotherGame { game: value }),
        "PC" => headers.site = value,
        "DT" => headers.date = value,
        "PB" => headers.players.black = value,
        "PW" => headers.players.white = value,
        "RB" => headers.ratings.black = value,
        "RW" => headers.ratings.white = value,
        // NBoard's way to say that there is no clock
        "TI" if value == "0" => {}
        "TI" => headers.time = time_in_full(value),
        "RE" => headers.claim = claim(&value),
        "EV" => headers.event = value,
        "RO" => headers.round = value,
        // the usual game, which is written whatever was read
        "TY" if value == "8" => {}
        "TY" => return game.extra(Format::Ggf, "TY".into(), value),
        "BO" => game.start = Some(board_text::read(&value).map_err(|error| error.why)?),
        "B" => return ply(game, Color::Black, &value, byte),
        "W" => return ply(game, Color::White, &value, byte),
        _ => return game.extra(Format::Ggf, name.to_owned(), value),
    }
    Ok(())
}

fn ply(game: &mut RawGame, by: Color, value: &str, byte: usize) -> Result<(), Why> {
    let mut parts = value.split('/').map(str::trim);
    let written = parts.next().unwrap_or_default();
    let found = || Why::NotASquare { ply: game.next_move(), found: written.to_owned() };
    let square = place(written).ok_or_else(found)?;
    game.push(Some(by), square, byte)?;
    let eval = parts.next().and_then(decimal);
    let seconds = parts.next().and_then(seconds);
    game.note(game.last(), Note { eval, seconds, ..Note::default() });
    Ok(())
}

/// Seconds alone are a clock as well, and what they leave out has its usual value; other formats mean nothing by it.
fn time_in_full(value: String) -> String {
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return value;
    }
    clock::parse(&format!("{value}/")).map_or(value, |clock| clock.to_string())
}

/// Reads `1.5`, `2:03` or `1:02:03.5`.
fn seconds(text: &str) -> Option<f32> {
    let mut total = 0.0;
    for part in text.split(':') {
        total = total * 60.0 + decimal(part).filter(|part| *part >= 0.0)?;
    }
    (total.is_finite()).then_some(total)
}

fn claim(value: &str) -> Option<Claim> {
    let (number, how) = value.split_once(':').unwrap_or((value, ""));
    let how = match how.trim() {
        "r" => How::Resigned,
        "t" => How::OutOfTime,
        "s" => How::Agreed,
        _ => How::Played,
    };
    decimal(number.trim()).map(|black| Claim::Difference { black, how })
}

/// One game on one line, without the line's end.
///
/// ```
/// use record::{Record, ggf, transcript};
/// let record = Record::try_from(transcript::read(b"F5D6").unwrap()).unwrap();
/// assert!(ggf::write(&record).ends_with("]B[f5]W[d6];)"));
/// ```
pub fn write(record: &Record) -> String {
    let headers = &record.headers;
    let mut out = String::from("(;GM[Othello]");
    let mut property = |name: &str, value: &str| {
        let _ = write!(out, "{name}[{}]", plain(value));
    };
    property("PC", &headers.site);
    let (date, time) = (date(record), time(record));
    for (name, value) in [
        ("EV", &headers.event),
        ("RO", &headers.round),
        ("DT", &date),
        ("PB", &headers.players.black),
        ("PW", &headers.players.white),
        ("RB", &headers.ratings.black),
        ("RW", &headers.ratings.white),
        ("TI", &time),
    ] {
        if !value.is_empty() || name == "PB" || name == "PW" {
            property(name, value);
        }
    }
    let extras = || headers.extra.iter().filter(|extra| extra.format == Format::Ggf);
    let kind = extras().find(|extra| extra.name == "TY").map_or("8", |extra| &extra.value);
    property("TY", kind);
    property("RE", &result(record));
    property("BO", &board_text::write_ggf(record.start().setup()));
    for extra in extras().filter(|extra| extra.name != "TY") {
        property(&extra.name, &extra.value);
    }
    let mut passed = false;
    for (at, step) in record.steps().enumerate() {
        if passed {
            let _ = write!(out, "{}[PA]", initial(!step.by));
        }
        let _ = write!(out, "{}[{}", initial(step.by), step.square);
        if let Some(note) = record.note(Some(at as u32)) {
            match (note.eval, note.seconds) {
                (Some(eval), Some(seconds)) => drop(write!(out, "/{eval}/{seconds}")),
                (Some(eval), None) => drop(write!(out, "/{eval}")),
                (None, Some(seconds)) => drop(write!(out, "//{seconds}")),
                (None, None) => {}
            }
        }
        out.push(']');
        passed = step.passed;
    }
    out.push_str(";)");
    out
}

/// A value as it can be written: one line without `]`.
fn plain(value: &str) -> String {
    text::plain_line(value).replace(']', ")")
}

/// The day with dots, if it is nothing but a day.
fn date(record: &Record) -> String {
    match record.headers.day() {
        Some((day, rest)) if rest.is_empty() => day.ggf(),
        _ => record.headers.date.clone(),
    }
}

/// GGF's own form as it is; seconds and increments in it.
fn time(record: &Record) -> String {
    let time = &record.headers.time;
    match record.headers.clock() {
        Some(clock) if !time.contains([':', '/']) => clock.to_string(),
        _ => time.clone(),
    }
}

fn result(record: &Record) -> String {
    let how = |how| match how {
        How::Played => "",
        How::Resigned => ":r",
        How::OutOfTime => ":t",
        How::Agreed => ":s",
    };
    let said = |claim: Claim| claim.difference().map(|black| format!("{black:+}{}", how(claim.how())));
    record.result().and_then(said).unwrap_or_else(|| "?".to_owned())
}

/// What of a game comes back when it has been written.
pub(crate) fn keeps(record: &Record, what: Loss) -> bool {
    let headers = &record.headers;
    let text = |value: &String| plain(value) == *value;
    match what {
        Loss::Moves | Loss::Orientation => true,
        Loss::Evaluations => loss::on_main_line(record, |note| note.eval.is_some()),
        Loss::Seconds => loss::on_main_line(record, |note| note.seconds.is_some()),
        Loss::Players => text(&headers.players.black) && text(&headers.players.white),
        Loss::Ratings => text(&headers.ratings.black) && text(&headers.ratings.white),
        Loss::Event => text(&headers.event),
        Loss::Site => text(&headers.site),
        Loss::Round => text(&headers.round),
        Loss::Date => text(&headers.date),
        Loss::Clock => text(&headers.time),
        Loss::Result | Loss::Ending => record.result().and_then(Claim::difference).is_some(),
        Loss::Properties => {
            let known = |extra: &Extra| {
                let named = !extra.name.is_empty() && extra.name.bytes().all(|byte| byte.is_ascii_alphanumeric());
                extra.format == Format::Ggf && named && text(&extra.value)
            };
            headers.extra.iter().all(known) && record.notes().iter().all(|one| one.note.extra.is_empty())
        }
        Loss::Variations | Loss::Comments | Loss::Theory | Loss::KnownScores => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::replayed;

    fn read(text: &str) -> Vec<Result<Record, String>> {
        replayed(games(text.as_bytes()))
    }

    const START: &str = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";

    #[test]
    fn what_is_read_is_written_again() {
        let text = format!(
            "(;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[a]PW[b]RB[2196.37]RW[2200.35]TI[05:00//02:00]\
             TY[8k]RE[-22.87:r]BO[{START}]KM[-3.133]B[f5/-1.39/0.016]W[d6//2.5]B[c3/+1];)"
        );
        let record = read(&text).remove(0).unwrap();
        assert_eq!(record.headers.claim, Some(Claim::Difference { black: -22.87, how: How::Resigned }));
        assert_eq!(record.headers.extra.len(), 2);
        let written = write(&record);
        assert_eq!(written, text.replace("/+1]", "/1]"));
        assert_eq!(read(&written), [Ok(record)]);
    }

    #[test]
    fn no_clock_is_made_up_or_changed() {
        let time = |written: &str| {
            let record = read(&format!("(;GM[Othello]{written}B[f5];)")).remove(0).unwrap();
            let again = write(&record);
            assert_eq!(read(&again), [Ok(record.clone())]);
            (record.headers.time, again.contains("TI["))
        };
        assert_eq!(time(""), (String::new(), false));
        assert_eq!(time("TI[0]"), (String::new(), false));
        assert_eq!(time("TI[05:00//02:00]"), ("05:00//02:00".into(), true));
        assert_eq!(time("TI[300]"), ("05:00//02:00".into(), true));
    }

    #[test]
    fn games_share_a_line_and_passes_are_said_or_not() {
        let moves = "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2h1g2b8a8a7b7a2g8b2g7";
        let record = Record::try_from(crate::transcript::read(moves.as_bytes()).unwrap()).unwrap();
        let text = write(&record);
        assert_eq!(text.matches("[PA]").count(), 1);
        assert!(text.contains("RE[+8]"));
        let many = format!(
            "4 {text}{}{} {}",
            text.replace("[PA]", "[pass/1.5]"),
            text.replace("[PA]", "[--]"),
            text.replace("W[PA]", "").replace("B[PA]", "")
        );
        for other in read(&many) {
            assert_eq!(other.unwrap().moves(), record.moves());
        }
        assert_eq!(read(&many).len(), 4);
    }

    #[test]
    fn a_bad_game_does_not_stop_the_next() {
        let good = "\n1 (;GM[othello]B[f5];)";
        for (bad, why) in [
            ("(;GM[Go]B[f5];)", "byte 5: the game is \"Go\", not Othello"),
            ("(;GM[Othello]TY[4]BO[4 ---- -O*- -*O- ---- *]B[A2];)", "byte 21: a board of size 4; only 8 × 8 is read"),
            ("(;GM[Othello]TY[s10];)", "byte 0: a board of size 10; only 8 × 8 is read"),
            ("(;GM[Othello]TY[s8r18]B[f5];)", "byte 0: the board at the start is missing"),
            ("(;GM[Othello]PB[so;)", "byte 15: '[' is never closed"),
            ("(;GM[Othello]B[f5]", "byte 19: '(' is never closed"),
            ("(;GM[Othello]B[f5]W;)", "byte 19: ';' is not expected here"),
            ("(;GM[Othello]B[f5]W[f5];)", "byte 20: move 2: f5 already has a disc"),
            ("(;GM[Othello]B[f5]B[d6];)", "byte 20: move 2: d6 is given to black, but it is white's turn"),
            ("(;GM[Othello]B[f5]W[pa]B[d6];)", "byte 20: a pass before move 2, but white can move"),
            ("(;GM[Othello]B[f5]W[i9/1];)", "byte 20: move 2: \"i9\" is not a square"),
        ] {
            let all = read(&format!("{bad}{good}"));
            assert_eq!(all.first(), Some(&Err(why.to_owned())), "{bad}");
            assert!(all.len() == 2 && all[1].is_ok(), "{bad}: {all:?}");
        }
    }
}

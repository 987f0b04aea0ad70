//! Tags and numbered moves: the dialects of PlayOK and of Pedersen's copies of WTHOR.
//!
//! # Reading
//!
//! - Tags `[Name "value"]` in any order, `\"` and `\\` inside the value; a value of `?`, `-`, `*` or `????.??.??` says
//!   nothing. Unknown tags are kept.
//! - `FEN` sets up another start, in any alphabet of [`board_text`].
//! - Moves as in a [`transcript`]: any case, passes left out or written in any way.
//! - `{comments}` are kept; `; comments` to the end of the line, `%` lines and `(variations)` are skipped.
//! - The result after the moves is skipped; the tag `Result` counts. `Termination` says whether it came about by
//!   resignation, on time or by agreement; other words in it are kept.
//! - A game ends where a line begins with the next tag. Moves before the first tag are told.
//!
//! # Writing
//!
//! The tags Event, Site, Date, Round, Black, White and Result, then those that say something; numbered pairs of lower
//! case moves, every pass as `--`, in lines of up to 80 characters; the result, Black's discs first, as
//! claimed or with the empties to the winner. Who resigned or ran out of time has lost 64-0, and `Termination` says why. Dates are `2026.02.03`, times
//! `300+5`. Variations, evaluations and times of moves have no place in it.

use crate::{
    Claim, Format, Games, How, Loss, Note, RawGame, ReadError, Record, Why, board_text, date, games::Found, loss, text,
    transcript,
};
use rules::{ByColor, Color};
use std::fmt::Write;

/// Reads the games of a file.
///
/// ```
/// let text = br#"[Black "Ana"] [White "Luis"] [Result "13-0"]
/// 1. f5 d6 2. c5 f4 3. e7 f6 4. g5 e6 5. e3 13-0"#;
/// let (_, game) = record::pgn::games(text).next().unwrap();
/// let record = record::Record::try_from(game.unwrap()).unwrap();
/// assert_eq!(record.headers.players.white, "Luis");
/// assert!(record.headers.claim.unwrap().agrees(record.outcome().unwrap()));
/// ```
pub fn games(text: &[u8]) -> Games<'_> {
    Games::new(text, next_game)
}

/// A game lasts until a tag line that follows a line which is none.
fn next_game(text: &[u8]) -> Option<Found> {
    let (begin, _) = text::lines(text).find(|&(_, line)| is_tag_line(line))?;
    let mut end = begin;
    let mut in_tags = true;
    for (byte, line) in text::lines(&text[begin..]) {
        let tag = is_tag_line(line);
        if tag && !in_tags {
            break;
        }
        in_tags = tag || (in_tags && line.trim_ascii().is_empty());
        end = begin + byte + line.len();
    }
    Some(Found { begin, end, game: game(&text[begin..end]) })
}

pub(crate) fn is_tag_line(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start(), [b'[', letter, ..] if letter.is_ascii_alphabetic())
}

fn game(text: &[u8]) -> Result<RawGame, ReadError> {
    let mut game = RawGame::default();
    let mut at = 0;
    loop {
        at += text::space(&text[at..]);
        // a name begins with a letter
        if !is_tag_line(&text[at..]) {
            break;
        }
        at = tag(&mut game, text, at)?;
    }
    take_termination(&mut game);
    while at < text.len() {
        let rest = &text[at..];
        let line = || rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let unclosed = |open| ReadError { byte: at, why: Why::Unclosed { open } };
        match rest[0] {
            b'{' => {
                let end = rest.iter().position(|&byte| byte == b'}').ok_or_else(|| unclosed('{'))?;
                game.note(game.last(), Note { comment: text::prose(&rest[1..end]), ..Note::default() });
                at += end + 1;
            }
            b';' => at += line(),
            b'%' if at == 0 || text[at - 1] == b'\n' => at += line(),
            b'(' => {
                let mut depth = 0usize;
                let end = rest.iter().position(|byte| {
                    match byte {
                        b'(' => depth += 1,
                        b')' => depth -= 1,
                        _ => {}
                    }
                    depth == 0
                });
                at += end.ok_or_else(|| unclosed('('))? + 1;
            }
            byte if byte.is_ascii_whitespace() || byte == b'.' => at += 1,
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{};(.".contains(byte);
                let length = rest[1..].iter().position(ends).map_or(rest.len(), |end| end + 1);
                transcript::take_line(&mut game, &rest[..length], at)?;
                at += length;
            }
        }
    }
    Ok(game)
}

/// Reads the tag that begins at `at` and says where it ends.
fn tag(game: &mut RawGame, text: &[u8], at: usize) -> Result<usize, ReadError> {
    let fail = |byte, why| Err(ReadError { byte, why });
    let line = text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |end| at + end);
    let name_end = text[at + 1..line].iter().position(|byte| !is_name(*byte)).map_or(line, |end| at + 1 + end);
    let name = text::decoded(&text[at + 1..name_end]);
    let mut end = name_end + text::space(&text[name_end..line]);
    if end >= line || text[end] != b'"' {
        return fail(at, Why::Unclosed { open: '[' });
    }
    let quote = end;
    let mut value = Vec::new();
    loop {
        end += 1;
        match text[..line].get(end) {
            None => return fail(quote, Why::Unclosed { open: '"' }),
            Some(b'"') => break,
            Some(b'\\') if matches!(text[..line].get(end + 1), Some(b'"' | b'\\')) => {
                end += 1;
                value.push(text[end]);
            }
            Some(&byte) => value.push(byte),
        }
    }
    end += 1;
    end += text::space(&text[end..line]);
    if end >= line || text[end] != b']' {
        return fail(at, Why::Unclosed { open: '[' });
    }
    let value = text::one_line(&value);
    keep(game, name, value).map_err(|why| ReadError { byte: at, why })?;
    Ok(end + 1)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn keep(game: &mut RawGame, name: String, value: String) -> Result<(), Why> {
    let headers = &mut game.headers;
    let field = match name.as_str() {
        "Event" => &mut headers.event,
        "Site" => &mut headers.site,
        "Date" => &mut headers.date,
        "Round" => &mut headers.round,
        "Black" => &mut headers.players.black,
        "White" => &mut headers.players.white,
        "TimeControl" => &mut headers.time,
        "BlackElo" => &mut headers.ratings.black,
        "WhiteElo" => &mut headers.ratings.white,
        "Result" => {
            headers.claim = claim(&value);
            return Ok(());
        }
        "FEN" => {
            game.start = Some(board_text::read(&value).map_err(|error| error.why)?);
            return Ok(());
        }
        _ => return game.extra(Format::Pgn, name, value),
    };
    if says(&value) {
        *field = value;
    }
    Ok(())
}

/// How the result came about, if a tag says so in words we know.
fn take_termination(game: &mut RawGame) {
    let headers = &mut game.headers;
    let Some(difference) = headers.claim.and_then(Claim::difference) else { return };
    let known = |extra: &crate::Extra| if extra.name == "Termination" { ending(&extra.value) } else { None };
    let Some(at) = headers.extra.iter().position(|extra| known(extra).is_some()) else { return };
    let how = ending(&headers.extra.remove(at).value).unwrap_or_default();
    headers.claim = Some(Claim::Difference { black: difference, how });
}

fn ending(words: &str) -> Option<How> {
    match words.to_ascii_lowercase().as_str() {
        "resignation" | "resigned" | "resign" => Some(How::Resigned),
        "time forfeit" | "time" | "out of time" => Some(How::OutOfTime),
        "agreement" | "agreed" => Some(How::Agreed),
        _ => None,
    }
}

/// Whether a value is more than a sign for not knowing.
fn says(value: &str) -> bool {
    value.contains(|c| !"?.-*".contains(c))
}

fn claim(value: &str) -> Option<Claim> {
    let (black, white) = value.split_once('-')?;
    let count = |text: &str| text.trim().parse().ok().filter(|&count: &u8| count <= 64);
    Some(Claim::Discs(ByColor { black: count(black)?, white: count(white)? }))
}

/// One game.
///
/// ```
/// use record::{Record, pgn, transcript};
/// let record = Record::try_from(transcript::read(b"f5d6c3").unwrap()).unwrap();
/// assert!(pgn::write(&record).ends_with("\n\n1. f5 d6 2. c3 *\n"));
/// ```
pub fn write(record: &Record) -> String {
    let mut out = String::new();
    let headers = &record.headers;
    let mut tag = |name: &str, value: &str| {
        let value = text::plain_line(value).replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(out, "[{name} \"{value}\"]");
    };
    let known = |value: &str, unknown: &str| if says(value) { value.to_owned() } else { unknown.to_owned() };
    // a fraction of a disc cannot be said: then what the moves say
    let discs = discs(record);
    let written = discs.or_else(|| record.outcome().map(|outcome| outcome.score()));
    let result = written.map_or("*".to_owned(), |discs| format!("{}-{}", discs.black, discs.white));
    tag("Event", &known(&headers.event, "?"));
    tag("Site", &known(&headers.site, "?"));
    tag("Date", &known(&date(record), "????.??.??"));
    tag("Round", &known(&headers.round, "-"));
    tag("Black", &known(&headers.players.black, "?"));
    tag("White", &known(&headers.players.white, "?"));
    tag("Result", &result);
    let termination = match record.result().map(Claim::how).filter(|_| discs.is_some()) {
        Some(How::Resigned) => "resignation",
        Some(How::OutOfTime) => "time forfeit",
        Some(How::Agreed) => "agreement",
        Some(How::Played) | None => "",
    };
    let time = time(record);
    for (name, value) in [
        ("Termination", termination),
        ("TimeControl", &time),
        ("BlackElo", &headers.ratings.black),
        ("WhiteElo", &headers.ratings.white),
    ] {
        if says(value) {
            tag(name, value);
        }
    }
    if !record.from_usual_start() {
        tag("FEN", &board_text::write_fen(record.start().setup()));
    }
    for extra in headers.extra.iter().filter(|extra| extra.format == Format::Pgn) {
        tag(&extra.name, &extra.value);
    }
    out.push('\n');
    let mut line = Wrapped { out, width: 0 };
    moves(record, &mut line);
    line.word(&result);
    line.out.push('\n');
    line.out
}

/// The discs of the result, if it has any: where discs are claimed, those.
fn discs(record: &Record) -> Option<ByColor<u8>> {
    match record.headers.claim {
        Some(Claim::Discs(discs)) => Some(discs),
        _ => record.result().and_then(Claim::discs),
    }
}

/// The day with dots; words that are no date as they are.
fn date(record: &Record) -> String {
    date::understood(&record.headers.date).map_or_else(|| record.headers.date.clone(), |(day, _)| day.pgn())
}

/// Seconds, or what cannot be said in them as it is.
fn time(record: &Record) -> String {
    let seconds = record.headers.clock().and_then(crate::Clock::pgn);
    seconds.unwrap_or_else(|| record.headers.time.clone())
}

/// What of a game comes back when it has been written.
pub(crate) fn keeps(record: &Record, what: Loss) -> bool {
    let headers = &record.headers;
    let text = |value: &String| value.is_empty() || (says(value) && text::plain_line(value) == *value);
    match what {
        Loss::Moves | Loss::Orientation => true,
        Loss::Comments => record.notes().iter().all(|one| {
            let place = one.on.is_none_or(|on| (on as usize) < record.main_len());
            let comment = &one.note.comment;
            comment.is_empty() || (place && loss::same_words(comment, &text::prose(braced(comment).as_bytes())))
        }),
        Loss::Players => text(&headers.players.black) && text(&headers.players.white),
        Loss::Ratings => text(&headers.ratings.black) && text(&headers.ratings.white),
        Loss::Event => text(&headers.event),
        Loss::Site => text(&headers.site),
        Loss::Round => text(&headers.round),
        Loss::Clock => text(&headers.time),
        Loss::Date => date::understood(&headers.date).map_or_else(|| text(&headers.date), |(_, timed)| !timed),
        Loss::Result | Loss::Ending => discs(record).is_some(),
        Loss::Properties => {
            let known = |extra: &crate::Extra| {
                let name = extra.name.as_bytes();
                let named = name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(|&byte| is_name(byte));
                extra.format == Format::Pgn && named && text::plain_line(&extra.value) == extra.value
            };
            headers.extra.iter().all(known) && record.notes().iter().all(|one| one.note.extra.is_empty())
        }
        Loss::Variations | Loss::Evaluations | Loss::Seconds | Loss::Theory | Loss::KnownScores => false,
    }
}

/// A comment as it stands between braces: they are all the syntax it has, and a line may not look like a tag.
fn braced(comment: &str) -> String {
    comment.replace('}', ")").replace('\n', " ")
}

struct Wrapped {
    out: String,
    width: usize,
}

impl Wrapped {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.width > 0 {
            let fits = self.width + 1 + length <= 80;
            self.out.push(if fits { ' ' } else { '\n' });
            self.width = if fits { self.width + 1 } else { 0 };
        }
        self.out.push_str(word);
        self.width += length;
    }
}

fn moves(record: &Record, line: &mut Wrapped) {
    let mut number = 0;
    let mut passed = false;
    let mut ply = |color: Color, word: &str, line: &mut Wrapped| {
        if color == Color::Black || number == 0 {
            number += 1;
            line.word(&if color == Color::Black { format!("{number}.") } else { format!("{number}...") });
        }
        line.word(word);
    };
    let comment = |on, line: &mut Wrapped| {
        if let Some(note) = record.note(on)
            && !note.comment.is_empty()
        {
            line.word(&format!("{{{}}}", braced(&note.comment)));
        }
    };
    comment(None, line);
    for (at, step) in record.steps().enumerate() {
        if passed {
            ply(!step.by, "--", line);
        }
        ply(step.by, &step.square.to_string(), line);
        passed = step.passed;
        comment(Some(at as u32), line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MOST_EXTRAS, games::replayed};

    fn read(text: &str) -> Vec<Result<Record, String>> {
        replayed(games(text.as_bytes()))
    }

    const PASSES: &str = "[Event \"?\"]
[Site \"PlayOK\"]
[Black \"a \\\"b\\\" c\"]
[Result \"14-1\"]
[Mood \"good\"]

1. f5 f4 {as always} 2. c3 e6 (2... d6 (2... x) 3. f5) 3. f7 g6 ; not a8
% nor this: b8
4. g4 e8 5. g8 g5 6. h5 -- -- 14-1
";

    #[test]
    fn playok_style() {
        let record = read(PASSES).remove(0).unwrap();
        assert_eq!(record.main_line().count(), 11);
        assert_eq!(record.headers.event, "");
        assert_eq!(record.headers.players.black, "a \"b\" c");
        assert_eq!(record.headers.extra[0].name, "Mood");
        assert!(record.headers.claim.unwrap().agrees(record.outcome().unwrap()));
        assert_eq!(record.note(Some(1)).unwrap().comment, "as always");
        let written = write(&record);
        assert_eq!(read(&written), [Ok(record)]);
        assert!(
            written.contains("\n1. f5 f4 {as always} 2. c3 e6 3. f7 g6 4. g4 e8 5. g8 g5 6. h5 14-1\n"),
            "{written}"
        );
    }

    #[test]
    fn a_bad_game_does_not_stop_the_next() {
        let good = "[Black \"x\"]\n1. f5 d6\n\n";
        for (bad, why) in [
            ("[Black \"x]\n1. f5\n", "byte 7: '\"' is never closed"),
            ("[Black x]\n1. f5\n", "byte 0: '[' is never closed"),
            ("[Black \"x\"\n1. f5\n", "byte 0: '[' is never closed"),
            ("[Black \"x\"]\n1. f5 {so\n", "byte 18: '{' is never closed"),
            ("[Black \"x\"]\n1. f5 (so\n", "byte 18: '(' is never closed"),
            ("[Black \"x\"]\n1. f5 f5\n", "byte 18: move 2: f5 already has a disc"),
            ("[Black \"x\"]\n1. f5 -- \n", "byte 18: a pass before move 2, but white can move"),
            ("[Black \"x\"]\n1. f5 d6x\n", "byte 20: move 3: \"x\" is not a square"),
            ("[FEN \"8/8\"]\n1. f5\n", "byte 0: 16 squares where 64 are needed"),
        ] {
            let all = read(&format!("{bad}{good}"));
            assert_eq!(all[0], Err(why.to_owned()), "{bad}");
            assert!(all[1].is_ok() && all.len() == 2, "{bad}");
        }
        let many = "[X \"\"]\n".repeat(MOST_EXTRAS + 1);
        assert_eq!(read(&many)[0], Err("byte 1792: more than 256 properties".into()));
        assert!(read("no tags: f5d6").is_empty());
    }

    #[test]
    fn another_start_and_white_first() {
        let text = "[FEN \"8/8/8/3pP3/3Pp3/8/8/8 w - - 0 1\"]\n1... e3 2. f3 *";
        let record = read(text).remove(0).unwrap();
        assert_eq!(record.steps().next().unwrap().by, Color::White);
        let written = write(&record);
        assert_eq!(read(&written), [Ok(record)]);
        assert!(written.contains("1... "), "{written}");
    }
}

//! `outflank show GAME`: a board in the terminal, or as a drawing.

use crate::{
    args::Show,
    context::{Context, Failure},
    fail,
    files::{self, Games},
    text,
};
use record::{
    Known, Record, board_text,
    svg::{Diagram, Look},
};
use rules::{Color, Position, Square};
use serde_json::{Value, json};
use std::{
    fmt::Write,
    io::{self, IsTerminal},
    path::Path,
};

pub(crate) fn run(args: &Show, context: &Context) -> Result<(), Failure> {
    let record = Games::open(&args.which.game, context)?.record(args.which.number.unwrap_or(1), context)?;
    let (at, position) = moment(&record, args.which.at, context)?;
    let last = at.checked_sub(1).and_then(|last| record.main_line().nth(last));
    if let Some(path) = &args.svg {
        let look = if args.print { Look::Print } else { Look::Board };
        // a whole game is drawn as books print it, a moment of it as it lay on the board
        let diagram = match (args.which.at, last) {
            (None, Some(_)) => Diagram::of_game(&record),
            (_, Some(last)) => Diagram::of(&position).last(last).marks(position.legal()),
            (_, None) => Diagram::of(&position).marks(position.legal()),
        };
        let drawing = diagram.caption(caption(&record, &position, context)).look(look).write();
        files::write(&[(path.clone(), drawing.into_bytes())], context)?;
    }
    if args.json {
        return context.line(&told(&record, at, &position, args.svg.as_deref()).to_string());
    }
    if args.svg.is_some() {
        return Ok(());
    }
    let mut out = String::new();
    let title = title(&record);
    if !title.is_empty() {
        let _ = writeln!(out, "{title}");
    }
    let colored = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    out.push_str(&if colored { painted(&position, last) } else { plain(&position) });
    if let Some(last) = last {
        let _ = writeln!(out, "{}", text!(context, "cli-show-last", count = at, square = last.to_string()));
    }
    let _ = writeln!(out, "{}", state(&position, context));
    if at == 0 && !record.known().is_empty() {
        let score = |score: f32| format!(" {:+}", score.round());
        let one = |known: &Known| format!("{}{}", known.square, known.score.map(score).unwrap_or_default());
        let moves: Vec<String> = record.known().iter().map(one).collect();
        let _ = writeln!(out, "{}", text!(context, "cli-show-known", moves = moves.join(", ")));
    }
    context.print(&out)
}

/// The position after so many moves of a game, its last one if none are given.
pub(crate) fn moment(record: &Record, at: Option<usize>, context: &Context) -> Result<(usize, Position), Failure> {
    let played = record.main_len();
    let at = at.unwrap_or(played);
    let position = record.after(at).ok_or_else(|| fail!(context, "cli-show-no-ply", at = at, played = played))?;
    Ok((at, position))
}

/// The board after so many moves of a game, for programs: `score` is Black's discs less White's once the game is over,
/// `known` what is known of the moves of a test position.
fn told(record: &Record, at: usize, position: &Position, svg: Option<&Path>) -> Value {
    let moves: String = record.main_line().take(at).map(|square| square.to_string()).collect();
    let said = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let headers = &record.headers;
    let known = record.known().iter().filter(|_| at == 0);
    json!({
        "board": &board_text::write(position.setup())[..64],
        "turn": position.turn().map(|turn| turn.to_string()),
        "moves": moves,
        "discs": { "black": position.count().black, "white": position.count().white },
        "score": position.outcome().map(|outcome| outcome.difference()),
        "black": said(&headers.players.black),
        "white": said(&headers.players.white),
        "event": said(&headers.event),
        "site": said(&headers.site),
        "date": said(&headers.date),
        "known": known.map(|one| json!({ "move": one.square.to_string(), "score": one.score.map(|score| score.round() as i32) })).collect::<Vec<_>>(),
        "svg": svg.map(|path| path.display().to_string()),
    })
}

/// Who played, where and when.
pub(crate) fn title(record: &Record) -> String {
    let headers = &record.headers;
    let known = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    let mut parts = Vec::new();
    if !headers.players.black.is_empty() || !headers.players.white.is_empty() {
        parts.push(format!("{} – {}", known(&headers.players.black), known(&headers.players.white)));
    }
    parts.extend([&headers.event, &headers.site, &headers.date].into_iter().filter(|part| !part.is_empty()).cloned());
    parts.join(", ")
}

fn caption(record: &Record, position: &Position, context: &Context) -> String {
    let title = title(record);
    let state = state(position, context);
    if title.is_empty() { state } else { format!("{title}\n{state}") }
}

/// The discs, and whose turn it is or who won.
pub(crate) fn state(position: &Position, context: &Context) -> String {
    let count = position.count();
    match (position.turn(), position.outcome()) {
        (_, Some(outcome)) => {
            let score = outcome.to_string();
            match outcome.winner() {
                Some(Color::Black) => text!(context, "cli-show-black-wins", score = score),
                Some(Color::White) => text!(context, "cli-show-white-wins", score = score),
                None => text!(context, "cli-show-draw", score = score),
            }
        }
        (Some(Color::White), _) => text!(context, "cli-show-white-moves", black = count.black, white = count.white),
        _ => text!(context, "cli-show-black-moves", black = count.black, white = count.white),
    }
}

fn plain(position: &Position) -> String {
    let text = board_text::write_diagram(position.setup());
    // without the line that names the turn: it is said in words
    text.lines().take(10).fold(String::new(), |text, line| text + line + "\n")
}

/// The board in colours: green squares, a dot on each legal one, the last disc underlined.
fn painted(position: &Position, last: Option<Square>) -> String {
    const GREEN: &str = "\x1b[48;5;29m";
    const END: &str = "\x1b[0m";
    let columns = "   a b c d e f g h\n";
    let mut out = String::from(columns);
    for row in 0..8 {
        let _ = write!(out, "{} {GREEN}", row + 1);
        for square in (0..8).filter_map(|column| Square::at(column, row)) {
            let mark = if last == Some(square) { "\x1b[4m" } else { "" };
            let _ = match position.at(square) {
                Some(Color::Black) => write!(out, " {mark}\x1b[38;5;16m●\x1b[24m"),
                Some(Color::White) => write!(out, " {mark}\x1b[38;5;231m●\x1b[24m"),
                None if position.legal().contains(square) => write!(out, " \x1b[38;5;120m·"),
                None => write!(out, "  "),
            };
        }
        let _ = writeln!(out, " {END} {}", row + 1);
    }
    out + columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::transcript;

    #[test]
    fn boards_are_drawn_with_their_discs() {
        let record = Record::try_from(transcript::read(b"f5").unwrap()).unwrap();
        let board = painted(&record.end(), Some(Square::F5));
        assert_eq!(board.matches('●').count(), 5);
        assert_eq!(board.matches('·').count(), 3);
        assert_eq!(board.matches("\x1b[4m").count(), 1);
        let board = plain(&record.end());
        assert_eq!((board.matches('X').count(), board.matches('O').count(), board.lines().count()), (4, 1, 10));
    }
}

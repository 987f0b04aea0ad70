//! GTP, the Go Text Protocol, version 2, as engines for this game use it.
//!
//! `[id] command arguments`; answers `=[id] text` or `?[id] message` and an empty line. Squares are those of the game
//! (a1 top left, either case), colours `b`, `black`, `w`, `white` in either case, a pass is `pass` (also `PA`, `--`).
//! A pass that the rules force may be said or left out. Commands wait their turn; `quit` ends a search at once.

mod clock;
mod gogui;

use super::{Interruption, Next, Question, Reply, Session, Thought, game::Game};
use crate::args::level;
use clock::{Clock, Left};
use engine::{Level, Limits};
use record::{Record, board_text, sgf};
use rules::{Color, Square};
use std::time::{Duration, Instant};

/// What we answer to, in the order of `list_commands`.
const COMMANDS: [&str; 28] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "showboard",
    "final_score",
    "set_game",
    "list_games",
    "loadsgf",
    "set_level",
    "list_levels",
    "gogui-rules_game_id",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
];

/// The search under way.
#[derive(Clone, Debug)]
struct Asked {
    id: String,
    color: Color,
    /// `reg_genmove` only asks.
    plays: bool,
    since: Instant,
}

/// A conversation with a controller.
#[derive(Debug)]
pub(crate) struct Gtp {
    game: Game,
    level: Level,
    /// The level was chosen by someone, so that it counts even when there is a clock.
    is_chosen: bool,
    clock: Option<Clock>,
    seed: u64,
    asked: Option<Asked>,
}

type Answer = Result<String, String>;

impl Gtp {
    /// A session; without a level, the one below the strongest, or what the clock allows.
    pub(crate) fn new(level: Option<Level>, seed: u64) -> Gtp {
        Gtp {
            game: Game::new(),
            level: level.unwrap_or(Level::ALL[Level::ALL.len() - 2]),
            is_chosen: level.is_some(),
            clock: None,
            seed,
            asked: None,
        }
    }

    fn command(&mut self, name: &str, args: &[&str]) -> Answer {
        let first = args.first().copied();
        match name {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("Outflank".to_owned()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "known_command" => Ok(first.is_some_and(|name| COMMANDS.contains(&name)).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "boardsize" => match first.and_then(|size| size.parse::<u32>().ok()) {
                Some(8) => Ok(String::new()),
                Some(_) => Err("unacceptable size".to_owned()),
                None => Err("boardsize not an integer".to_owned()),
            },
            "clear_board" => {
                self.game = Game::new();
                self.clock = self.clock.map(|clock| clock.again());
                Ok(String::new())
            }
            "komi" => match first.and_then(|komi| komi.parse::<f64>().ok()) {
                Some(_) => Ok(String::new()), // there is none in this game
                None => Err("komi not a float".to_owned()),
            },
            "play" => self.play(args),
            "undo" if self.game.undo() => Ok(String::new()),
            "undo" => Err("cannot undo".to_owned()),
            "time_settings" => self.time_settings(args),
            "time_left" => self.time_left(args),
            "showboard" => Ok(self.board()),
            "final_score" => Ok(self.score()),
            "set_game" => match first {
                Some(game) if ["othello", "reversi"].contains(&game.to_ascii_lowercase().as_str()) => Ok(String::new()),
                Some(_) => Err("unsupported game".to_owned()),
                None => Err("syntax error".to_owned()),
            },
            "list_games" => Ok("Othello".to_owned()),
            "gogui-rules_game_id" => Ok("Othello".to_owned()),
            "gogui-rules_board_size" => Ok("8".to_owned()),
            "gogui-rules_board" => Ok(gogui::board(&self.game)),
            "gogui-rules_side_to_move" => Ok(gogui::side_to_move(&self.game)),
            "gogui-rules_legal_moves" => Ok(gogui::legal_moves(&self.game)),
            "gogui-rules_final_result" => Ok(gogui::final_result(&self.game)),
            "loadsgf" => self.load(args),
            "set_level" => {
                let level = first.and_then(|name| level(name).ok());
                self.level = level.ok_or_else(|| format!("levels are 1 to {}", Level::ALL.len()))?;
                self.is_chosen = true;
                Ok(String::new())
            }
            "list_levels" => {
                let lines: Vec<String> =
                    Level::ALL.iter().map(|level| format!("{} {}", level.number, level.name)).collect();
                Ok(lines.join("\n"))
            }
            _ => Err("unknown command".to_owned()),
        }
    }

    fn play(&mut self, args: &[&str]) -> Answer {
        let &[color, place, ..] = args else { return Err("syntax error".to_owned()) };
        let (Some(color), Some(place)) = (color.parse().ok(), place_named(place)) else {
            return Err("invalid color or coordinate".to_owned());
        };
        let illegal = || Err("illegal move".to_owned());
        let played = match place {
            None if self.game.turn().is_some_and(|turn| turn != color) => return illegal(),
            None => self.game.pass(),
            Some(square) => {
                // the other's turn, unless they have to pass
                if self.game.position().turn() != Some(color) {
                    return illegal();
                }
                self.game.play(square)
            }
        };
        if played { Ok(String::new()) } else { illegal() }
    }

    /// What `genmove` begins; it is answered when the search is over, or at once where there is nothing to search.
    fn genmove(&mut self, id: &str, args: &[&str], plays: bool) -> Reply {
        let Some(color) = args.first().copied().and_then(|color| color.parse().ok()) else {
            return failure(id, "invalid color");
        };
        let position = self.game.position();
        match self.game.turn() {
            None => return success(id, "pass"),
            Some(turn) if self.game.must_pass() && turn == color => {
                if plays && !self.game.pass() {
                    return failure(id, "illegal move");
                }
                return success(id, "pass");
            }
            Some(_) if position.turn() != Some(color) => return failure(id, "wrong color"),
            Some(_) => {}
        }
        let time = self.clock.map(|clock| clock.budget(color, position.empty().len()));
        let (limits, level) = match time {
            Some(time) if !self.is_chosen => (Limits::time(time), None),
            _ => (Limits { time, ..self.level.limits() }, Some((self.level, self.seed))),
        };
        let limits = limits.to_play(&position);
        self.asked = Some(Asked { id: id.to_owned(), color, plays, since: Instant::now() });
        Reply { lines: Vec::new(), next: Next::Think(vec![Question { position, limits, level }]) }
    }

    fn time_settings(&mut self, args: &[&str]) -> Answer {
        let numbers: Option<Vec<f64>> = args.iter().take(3).map(|arg| number(arg)).collect();
        let Some(&[main, over, stones]) = numbers.as_deref() else { return Err("syntax error".to_owned()) };
        let (main, over) = (Duration::from_secs_f64(main), Duration::from_secs_f64(over));
        self.clock = match stones as u32 {
            // overtime without stones is, by the protocol, no limit at all
            0 if over > Duration::ZERO => None,
            0 => Some(Clock::new(main, None)),
            stones => Some(Clock::new(main, Some((over, stones)))),
        };
        Ok(String::new())
    }

    fn time_left(&mut self, args: &[&str]) -> Answer {
        let &[color, time, ..] = args else { return Err("syntax error".to_owned()) };
        let (Some(color), Some(time)) = (color.parse().ok(), number(time)) else {
            return Err("syntax error".to_owned());
        };
        let moves = args.get(2).and_then(|moves| number(moves)).unwrap_or(0.0) as u32;
        let clock = self.clock.get_or_insert_with(|| Clock::new(Duration::from_secs_f64(time), None));
        clock.left[color] = Left { time: Duration::from_secs_f64(time), moves };
        Ok(String::new())
    }

    fn board(&self) -> String {
        format!("\n{}", board_text::write_diagram(self.game.position().setup()).trim_end())
    }

    fn score(&self) -> String {
        let position = self.game.position();
        let difference = match position.outcome() {
            Some(outcome) => i32::from(outcome.difference()),
            None => i32::from(position.count().black) - i32::from(position.count().white),
        };
        match difference {
            0 => "0".to_owned(),
            more @ 1.. => format!("B+{more}"),
            less => format!("W+{}", -less),
        }
    }

    /// The game in a file, up to a move number.
    fn load(&mut self, args: &[&str]) -> Answer {
        let cannot = || Err("cannot load file".to_owned());
        let Some(bytes) = args.first().and_then(|path| std::fs::read(path).ok()) else { return cannot() };
        let Some((_, Ok(raw))) = sgf::games(&bytes).next() else { return cannot() };
        let setup = raw.start;
        let Ok(record) = Record::try_from(raw) else { return cannot() };
        let turn = setup.map_or(Color::Black, |setup| setup.turn);
        let mut game = Game::from(record.start(), turn);
        // "loadsgf file 5" is the position before move 5
        let before = args.get(1).and_then(|number| number.parse::<usize>().ok()).unwrap_or(usize::MAX);
        for square in record.main_line().take(before.saturating_sub(1)) {
            if !game.play(square) {
                return cannot();
            }
        }
        self.game = game;
        Ok(String::new())
    }
}

/// Seconds, or a count: not negative, not endless.
fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| (0.0..1e9).contains(number))
}

/// A square, or `None` inside for a pass.
fn place_named(text: &str) -> Option<Option<Square>> {
    match text.to_ascii_lowercase().as_str() {
        "pass" | "pa" | "ps" | "--" => Some(None),
        place => place.parse().ok().map(Some),
    }
}

fn success(id: &str, text: &str) -> Reply {
    let line = format!("={id} {text}");
    Reply { lines: vec![line.trim_end().to_owned(), String::new()], next: Next::Listen }
}

fn failure(id: &str, text: &str) -> Reply {
    Reply { lines: vec![format!("?{id} {text}"), String::new()], next: Next::Listen }
}

/// The line without comments and control characters, in words.
fn words(line: &str) -> Vec<String> {
    let line = line.split('#').next().unwrap_or_default();
    let kept: String = line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
    kept.split_whitespace().map(str::to_owned).collect()
}

/// The words, the leading number apart.
fn with_id(words: &[String]) -> (&str, &[String]) {
    match words.split_first() {
        Some((id, rest)) if id.bytes().all(|byte| byte.is_ascii_digit()) => (id, rest),
        _ => ("", words),
    }
}

impl Session for Gtp {
    fn hear(&mut self, line: &str) -> Reply {
        let words = words(line);
        let (id, rest) = with_id(&words);
        let Some((name, args)) = rest.split_first() else {
            return if words.is_empty() { Reply::default() } else { failure(id, "unknown command") };
        };
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        match name.as_str() {
            "quit" => Reply { next: Next::Quit, ..success(id, "") },
            "genmove" => self.genmove(id, &args, true),
            "reg_genmove" => self.genmove(id, &args, false),
            name => match self.command(name, &args) {
                Ok(text) => success(id, &text),
                Err(text) => failure(id, &text),
            },
        }
    }

    fn answer(&mut self, thought: &Thought) -> Vec<String> {
        let Some(asked) = self.asked.take() else { return Vec::new() };
        if let (true, Some(clock)) = (asked.plays, &mut self.clock) {
            clock.spend(asked.color, asked.since.elapsed());
        }
        let reply = match thought.square {
            Some(square) if !asked.plays || self.game.play(square) => success(&asked.id, &square.to_string()),
            _ => failure(&asked.id, "no move found"),
        };
        reply.lines
    }

    fn interrupts(&self, line: &str) -> Interruption {
        let words = words(line);
        match with_id(&words).1.first().map(String::as_str) {
            Some("quit") => Interruption::Hurry,
            _ => Interruption::Wait,
        }
    }
}

#[cfg(test)]
mod tests;

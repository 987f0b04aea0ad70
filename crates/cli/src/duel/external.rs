//! An engine in another process, spoken to in GTP or NBoard's protocol. Whatever it does, it can only lose a game.

use super::player::{Control, Turn};
use record::board_text;
use rules::{Color, Position, Square};
use std::{
    fmt::Write as _,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

/// How an engine is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Protocol {
    Gtp,
    Nboard { depth: u32 },
}

/// Why a player cannot go on. The game is lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// The command could not be run.
    NotStarted(String),
    /// It ended, or closed its output.
    Crashed,
    /// It does not answer.
    Hung,
    /// It answered something else than a move.
    Answer(String),
    /// A move that the rules do not allow.
    Illegal(Square),
    /// Its time ran out.
    Time,
    /// It found no move.
    NoMove,
}

impl Trouble {
    /// Whether the player failed. To lose on time is to lose.
    pub(crate) fn is_failure(&self) -> bool {
        *self != Trouble::Time
    }

    /// What it is called in files and answers, and what there is to add.
    pub(crate) fn words(&self) -> (&'static str, Option<String>) {
        match self {
            Trouble::NotStarted(why) => ("not_started", Some(why.clone())),
            Trouble::Crashed => ("crashed", None),
            Trouble::Hung => ("hung", None),
            Trouble::Answer(answer) => ("answered", Some(answer.clone())),
            Trouble::Illegal(square) => ("illegal", Some(square.to_string())),
            Trouble::Time => ("out_of_time", None),
            Trouble::NoMove => ("no_move", None),
        }
    }

    /// What was called so.
    pub(crate) fn named(word: &str, more: Option<&str>) -> Option<Trouble> {
        Some(match (word, more) {
            ("not_started", Some(why)) => Trouble::NotStarted(why.to_owned()),
            ("crashed", _) => Trouble::Crashed,
            ("hung", _) => Trouble::Hung,
            ("answered", Some(answer)) => Trouble::Answer(answer.to_owned()),
            ("illegal", Some(square)) => Trouble::Illegal(square.parse().ok()?),
            ("out_of_time", _) => Trouble::Time,
            ("no_move", _) => Trouble::NoMove,
            _ => return None,
        })
    }
}

/// Without a clock, an engine that is silent for so long is taken to be gone.
const PATIENCE: Duration = Duration::from_secs(120);
/// For what takes no thought.
const PROMPT: Duration = Duration::from_secs(20);

pub(crate) struct External {
    protocol: Protocol,
    command: Vec<String>,
    process: Option<Process>,
    /// The game so far, for NBoard.
    played: Vec<(Color, Option<Square>, f64)>,
    control: Control,
    pings: u32,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    fn start(command: &[String]) -> Result<Process, Trouble> {
        let not_started = |error: &dyn ToString| Trouble::NotStarted(error.to_string());
        let (program, args) = command.split_first().ok_or_else(|| not_started(&"?"))?;
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| not_started(&error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(not_started(&"no pipes"));
        };
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut bytes = Vec::new();
            while output.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
                let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                bytes.clear();
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Process { child, input, lines })
    }

    fn send(&mut self, line: &str) -> Result<(), Trouble> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| Trouble::Crashed)
    }

    /// The next line before `end`.
    fn line(&mut self, end: Instant) -> Result<String, Trouble> {
        let wait = end.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(wait).map_err(|error| match error {
            RecvTimeoutError::Timeout => Trouble::Hung,
            RecvTimeoutError::Disconnected => Trouble::Crashed,
        })
    }

    /// A GTP command and the text of its answer; `Err` inside if the engine refuses.
    fn gtp(&mut self, line: &str, wait: Duration) -> Result<Result<String, String>, Trouble> {
        self.send(line)?;
        let end = Instant::now() + wait;
        loop {
            let line = self.line(end)?;
            let (good, rest) = match line.chars().next() {
                Some('=') => (true, &line[1..]),
                Some('?') => (false, &line[1..]),
                _ => continue, // the empty line after the last answer, or a remark
            };
            // Edax repeats old numbers in front of its answers.
            let text = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').trim().to_owned();
            return Ok(if good { Ok(text) } else { Err(text) });
        }
    }

    /// Reads until a line that begins like this, and gives what follows.
    fn until(&mut self, begin: &str, wait: Duration) -> Result<String, Trouble> {
        let end = Instant::now() + wait;
        loop {
            let line = self.line(end)?;
            if let Some(rest) = line.strip_prefix(begin) {
                return Ok(rest.trim().to_owned());
            }
        }
    }
}

impl External {
    pub(crate) fn new(protocol: Protocol, command: Vec<String>) -> External {
        External { protocol, command, process: None, played: Vec::new(), control: Control::None, pings: 0 }
    }

    /// Ends the process; the next game starts another.
    pub(crate) fn kill(&mut self) {
        self.process = None;
    }

    pub(crate) fn begin(&mut self, _color: Color, opening: &[Square], control: Control) -> Result<(), Trouble> {
        let fresh = self.process.is_none();
        if fresh {
            self.process = Some(Process::start(&self.command)?);
        }
        self.control = control;
        self.played.clear();
        let Some(process) = &mut self.process else { return Err(Trouble::Crashed) };
        match self.protocol {
            Protocol::Gtp => {
                // some engines know but one size, and some no clock: what they say to it is their affair
                let _ = process.gtp("boardsize 8", PROMPT)?;
                if let Err(why) = process.gtp("clear_board", PROMPT)? {
                    return Err(Trouble::Answer(why));
                }
                let settings = match control {
                    Control::None => None,
                    Control::Move(time) => Some(format!("time_settings 0 {:.3} 1", time.as_secs_f64())),
                    Control::Game(time) => Some(format!("time_settings {:.3} 0 0", time.as_secs_f64())),
                };
                if let Some(settings) = settings {
                    let _ = process.gtp(&settings, PROMPT)?;
                }
            }
            Protocol::Nboard { depth } if fresh => {
                process.send("nboard 2")?;
                process.send(&format!("set depth {depth}"))?;
                // getting ready is no part of the first move
                self.pings += 1;
                process.send(&format!("ping {}", self.pings))?;
                process.until(&format!("pong {}", self.pings), PROMPT)?;
            }
            Protocol::Nboard { .. } => {}
        }
        let mut position = Position::start();
        for &square in opening {
            let step = position.play_unchecked(square);
            self.hear(step.by, Some(square))?;
            if step.passed {
                self.hear(!step.by, None)?;
            }
            position = step.after;
        }
        Ok(())
    }

    /// Someone has moved or passed.
    pub(crate) fn hear(&mut self, color: Color, square: Option<Square>) -> Result<(), Trouble> {
        self.played.push((color, square, 0.0));
        let Some(process) = &mut self.process else { return Err(Trouble::Crashed) };
        if self.protocol == Protocol::Gtp {
            let place = square.map_or("pass".to_owned(), |square| square.to_string());
            let answer = process.gtp(&format!("play {} {place}", letter(color)), PROMPT)?;
            // engines that pass by themselves refuse to be told
            if let (Err(why), true) = (answer, square.is_some()) {
                return Err(Trouble::Answer(why));
            }
        }
        Ok(())
    }

    pub(crate) fn pass(&mut self, color: Color) -> Result<(), Trouble> {
        self.hear(color, None)
    }

    pub(crate) fn choose(&mut self, turn: Turn<'_>) -> Result<Square, Trouble> {
        let wait = match turn.control {
            Control::None => PATIENCE,
            Control::Move(time) => time * 3 + Duration::from_secs(1),
            Control::Game(_) => turn.left + Duration::from_secs(1),
        };
        let game = self.game(turn.left);
        let Some(process) = &mut self.process else { return Err(Trouble::Crashed) };
        let begun = Instant::now();
        let answer = match self.protocol {
            Protocol::Gtp => {
                let color = letter(turn.mover);
                if let Control::Game(_) = turn.control {
                    let _ = process.gtp(&format!("time_left {color} {:.3} 0", turn.left.as_secs_f64()), PROMPT)?;
                }
                process.gtp(&format!("genmove {color}"), wait)?.map_err(Trouble::Answer)?
            }
            Protocol::Nboard { .. } => {
                self.pings += 1;
                process.send(&format!("set game {game}"))?;
                process.send(&format!("ping {}", self.pings))?;
                process.until(&format!("pong {}", self.pings), PROMPT)?;
                process.send("go")?;
                process.until("===", wait)?
            }
        };
        // NBoard's engines add evaluation and time, after slashes or after spaces
        let place = answer.split(['/', ' ']).next().unwrap_or_default();
        let square = place.parse().map_err(|_| Trouble::Answer(answer.chars().take(40).collect()))?;
        self.played.push((turn.mover, Some(square), begun.elapsed().as_secs_f64()));
        Ok(square)
    }

    /// The game so far in GGF.
    fn game(&self, left: Duration) -> String {
        let clock = match self.control {
            Control::None => "0".to_owned(),
            // NBoard has no time for a single move: a clock on which this much is a fair share comes near it
            Control::Move(time) => format!("{:.3}", time.as_secs_f64() * 20.0),
            Control::Game(_) => {
                let spent: f64 = self.played.iter().map(|(_, _, seconds)| seconds).sum();
                format!("{:.3}", left.as_secs_f64() + spent)
            }
        };
        let board = board_text::write_ggf(Position::start().setup());
        let mut text = format!("(;GM[Othello]PC[Outflank]PB[black]PW[white]RE[?]TI[{clock}]TY[8]BO[{board}]");
        for (color, square, seconds) in &self.played {
            let place = square.map_or("PA".to_owned(), |square| square.to_string().to_uppercase());
            let seconds = if matches!(self.control, Control::Game(_)) { *seconds } else { 0.0 };
            let _ = write!(text, "{}[{place}//{seconds:.2}]", letter(*color).to_uppercase());
        }
        text + ";)"
    }
}

/// Edax understands lower case only.
fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "b",
        Color::White => "w",
    }
}

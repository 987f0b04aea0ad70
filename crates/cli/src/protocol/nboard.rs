//! The NBoard protocol, version 2 (and what version 1 says differently).
//!
//! One line a message; what is not understood is ignored, as the protocol wants, and what is understood but wrong is
//! answered by a `status` line. Any message that changes what is asked ends a search, and nothing more is said of it.
//! Evaluations are discs, from the side of the player to move.

use super::{
    Interruption, Next, Question, Reply, Session, Thought,
    game::{Game, State},
};
use engine::{Analysis, Limits, Line, pace};
use record::{RawGame, Record, ggf};
use rules::{ByColor, Color, Position, Square};
use std::time::{Duration, Instant};

/// The depth before anyone sets one.
const DEPTH: u32 = 12;
/// The deepest search that may be asked for.
const DEEPEST: u32 = 60;
/// Lines of a search are told this often at most.
const OFTEN: Duration = Duration::from_millis(100);

/// What is being thought about.
#[derive(Clone, Debug)]
enum Asked {
    Go,
    Hint {
        told: Option<Instant>,
    },
    /// Plies before each position, in the order of the questions, and the sign of its score.
    Analyze(Vec<(usize, f64)>),
}

/// One side's clock: what is left, and what each move adds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Clock {
    left: Duration,
    increment: Duration,
}

/// A conversation with a board program.
#[derive(Debug)]
pub(crate) struct Nboard {
    game: Game,
    depth: u32,
    clocks: Option<ByColor<Clock>>,
    asked: Option<Asked>,
}

impl Nboard {
    pub(crate) fn new() -> Nboard {
        Nboard { game: Game::new(), depth: DEPTH, clocks: None, asked: None }
    }

    /// How many plies in the midgame, and to the end when it is near.
    fn limits(&self) -> Limits {
        let beyond = (self.depth / 2).min(if self.depth > 18 { 4 } else { 6 });
        Limits { depth: self.depth, solve_at: self.depth + beyond, ..Limits::default() }
    }

    fn name(&self) -> String {
        format!("set myname Outflank{}", self.depth)
    }

    fn set(&mut self, what: &str) -> Reply {
        let (name, value) = what.split_once(char::is_whitespace).unwrap_or((what, ""));
        match name {
            "depth" => match value.trim().parse::<u32>() {
                Ok(depth) => {
                    self.depth = depth.clamp(1, DEEPEST);
                    Reply::say(self.name())
                }
                Err(_) => Reply::say("status The depth must be a number."),
            },
            "game" => match self.set_game(value) {
                Ok(()) => Reply::default(),
                Err(why) => Reply::say(format!("status The game cannot be read: {why}")),
            },
            // There is no book whose draws it could value.
            _ => Reply::default(),
        }
    }

    fn set_game(&mut self, text: &str) -> Result<(), String> {
        let (_, raw) = ggf::games(text.as_bytes()).next().ok_or("no game is in it")?;
        let raw: RawGame = raw.map_err(|error| error.to_string())?;
        let plies: Vec<Option<Square>> = raw.plies.iter().map(|ply| ply.square).collect();
        let turn = raw.start.map_or(Color::Black, |setup| setup.turn);
        let record = Record::try_from(raw).map_err(|error| error.to_string())?;
        let mut game = Game::from(record.start(), turn);
        for ply in plies {
            // the record is legal; passes at the end of a game may be more than there are
            let _ = match ply {
                Some(square) => game.play(square),
                None => game.pass(),
            };
        }
        self.clocks = clock(&record.headers.time).map(|clock| {
            let mut clocks = ByColor { black: clock, white: clock };
            for (at, step) in record.steps().enumerate() {
                let seconds = record.note(Some(at as u32)).and_then(|note| note.seconds).unwrap_or(0.0);
                spend(&mut clocks[step.by], seconds);
            }
            clocks
        });
        self.game = game;
        Ok(())
    }

    fn play(&mut self, text: &str) -> Reply {
        // Edax separates by spaces what should be separated by slashes
        let mut parts = text.split(['/', ' ']).map(str::trim);
        let place = parts.next().unwrap_or_default();
        let seconds = parts.nth(1).and_then(|seconds| seconds.parse::<f32>().ok());
        let turn = self.game.turn();
        let played = match place.to_ascii_lowercase().as_str() {
            "pa" | "ps" | "pass" | "--" => self.game.pass(),
            place => place.parse().is_ok_and(|square| self.game.play(square)),
        };
        if !played {
            return Reply::say(format!("status {place} cannot be played here."));
        }
        if let (Some(clocks), Some(turn)) = (&mut self.clocks, turn) {
            spend(&mut clocks[turn], seconds.unwrap_or(0.0));
        }
        Reply::default()
    }

    fn go(&mut self) -> Reply {
        let position = self.game.position();
        if self.game.must_pass() || position.is_over() {
            return Reply::say("=== PA");
        }
        let mut limits = self.limits();
        if let (Some(clocks), Some(turn)) = (self.clocks, position.turn()) {
            let Clock { left, increment } = clocks[turn];
            limits.time = Some(pace(left, increment, position.empty().len()));
        }
        let limits = limits.to_play(&position);
        self.asked = Some(Asked::Go);
        self.think("status Thinking", vec![Question { position, limits, level: None }])
    }

    fn hint(&mut self, count: &str) -> Reply {
        let state = self.game.now();
        if let Some(score) = state.final_score() {
            return Reply::say(format!("search PA {score} 0 100%"));
        }
        let lines = count.trim().parse::<usize>().unwrap_or(1).clamp(1, 64);
        // a pass leaves nothing to choose from
        let lines = if state.must_pass() { 1 } else { lines };
        self.asked = Some(Asked::Hint { told: None });
        let limits = Limits { lines, ..self.limits() };
        self.think("status Analyzing", vec![Question { position: state.position, limits, level: None }])
    }

    /// Each position of the game, the last first.
    fn analyze(&mut self) -> Reply {
        let states: Vec<State> = self.game.states().collect();
        let mut lines = Vec::new();
        let (mut made, mut questions) = (Vec::new(), Vec::new());
        for (plies, state) in states.into_iter().enumerate().rev() {
            match state.final_score() {
                Some(score) => lines.push(format!("analysis {plies} {score}")),
                None => {
                    made.push((plies, sign(&state)));
                    questions.push(Question { position: state.position, limits: self.limits(), level: None });
                }
            }
        }
        if questions.is_empty() {
            return Reply { lines, next: Next::Listen };
        }
        self.asked = Some(Asked::Analyze(made));
        let mut reply = self.think("status Analyzing the game", questions);
        reply.lines.extend(lines);
        reply
    }

    fn think(&self, status: &str, questions: Vec<Question>) -> Reply {
        Reply { lines: vec![status.to_owned()], next: Next::Think(questions) }
    }
}

/// The engine thinks for whoever can move, the board program asks for whoever is next: -1 where that is not the same.
fn sign(state: &State) -> f64 {
    if state.must_pass() { -1.0 } else { 1.0 }
}

/// A score from the side of whoever is next; nothing is nothing, and not less.
fn seen(score: f64, sign: f64) -> f64 {
    sign * score + 0.0
}

/// Takes what a move cost off a clock and adds what it gained.
fn spend(clock: &mut Clock, seconds: f32) {
    let seconds = if seconds.is_finite() { seconds.clamp(0.0, 1e6) } else { 0.0 };
    clock.left = clock.left.saturating_sub(Duration::from_secs_f32(seconds)) + clock.increment;
}

/// `initial/increment/extension`, each `[[dd.]hh:]mm:ss` or seconds; none where there is no limit.
fn clock(text: &str) -> Option<Clock> {
    let mut parts = text.split('/').map(|part| span(part.split(',').next().unwrap_or_default()));
    let left = parts.next()??;
    let increment = parts.next().flatten().unwrap_or_default();
    (left > Duration::ZERO).then_some(Clock { left, increment })
}

fn span(text: &str) -> Option<Duration> {
    let text = text.trim();
    let (days, text) = match text.split_once('.') {
        Some((days, rest)) if rest.contains(':') => (days.parse::<f64>().ok()?, rest),
        _ => (0.0, text),
    };
    let mut seconds = 0.0;
    for part in text.split(':') {
        seconds = seconds * 60.0 + part.parse::<f64>().ok()?;
    }
    let seconds = days * 86_400.0 + seconds;
    (0.0..1e8).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// The moves expected, passes said: `F5D6C3`.
fn variation(position: &Position, line: &Line) -> String {
    let mut text = String::new();
    let mut position = *position;
    for square in &line.variation {
        let Ok(step) = position.play(*square) else { break };
        text.push_str(&square.to_string().to_uppercase());
        if step.passed {
            text.push_str("PA");
        }
        position = step.after;
    }
    text
}

/// `100%` is proof; otherwise plies, and how sure a search to the end is.
fn depth(line: &Line) -> String {
    match line {
        line if line.is_proven() => "100%".to_owned(),
        Line { to_the_end: true, depth, confidence, .. } => format!("{depth}@{}%", confidence.percent()),
        Line { depth, .. } => depth.to_string(),
    }
}

fn nodestats(analysis: &Analysis) -> String {
    format!("nodestats {} {:.2}", analysis.nodes, analysis.time.as_secs_f64())
}

impl Nboard {
    fn hints(&self, analysis: &Analysis) -> Vec<String> {
        let state = self.game.now();
        let pass = if state.must_pass() { "PA" } else { "" };
        let line = |line: &Line| {
            let (moves, score) = (variation(&state.position, line), seen(f64::from(line.score), sign(&state)));
            format!("search {pass}{moves} {score:.2} 0 {}", depth(line))
        };
        let mut lines: Vec<String> = analysis.lines.iter().map(line).collect();
        lines.push(nodestats(analysis));
        lines
    }
}

impl Session for Nboard {
    fn hear(&mut self, line: &str) -> Reply {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match name {
            "nboard" => Reply::say(self.name()),
            "set" => self.set(rest.trim_start()),
            "move" => self.play(rest.trim()),
            "hint" => self.hint(rest),
            "go" => self.go(),
            "ping" => Reply::say(format!("pong {}", rest.trim())),
            "learn" => Reply::say("learned"), // there is no book to add it to, but the board program waits for this
            "analyze" | "analyse" => self.analyze(),
            "new" => {
                self.game = Game::new();
                Reply::default()
            }
            "quit" => Reply { lines: Vec::new(), next: Next::Quit },
            // version 1 says the move alone
            place if is_place(place) => self.play(line),
            _ => Reply::default(),
        }
    }

    fn progress(&mut self, thought: &Thought) -> Vec<String> {
        let Some(Asked::Hint { told }) = &mut self.asked else { return Vec::new() };
        if told.is_some_and(|told| told.elapsed() < OFTEN) || thought.analysis.time < OFTEN {
            return Vec::new();
        }
        *told = Some(Instant::now());
        self.hints(&thought.analysis)
    }

    fn answer(&mut self, thought: &Thought) -> Vec<String> {
        let analysis = &thought.analysis;
        let score = analysis.best().map_or(0.0, |best| f64::from(best.score));
        match &self.asked {
            Some(Asked::Go) => {
                let place = thought.square.map_or("PA".to_owned(), |square| square.to_string().to_uppercase());
                let seconds = analysis.time.as_secs_f64();
                vec![nodestats(analysis), format!("=== {place}/{score:.2}/{seconds:.2}")]
            }
            Some(Asked::Hint { .. }) => self.hints(analysis),
            Some(Asked::Analyze(made)) => {
                let made = made.get(thought.question);
                made.map(|(made, sign)| format!("analysis {made} {:.2}", seen(score, *sign))).into_iter().collect()
            }
            None => Vec::new(),
        }
    }

    fn done(&mut self) -> Vec<String> {
        self.asked = None;
        vec!["status".to_owned()]
    }

    fn interrupts(&self, line: &str) -> Interruption {
        let mut words = line.split_whitespace();
        match (words.next().unwrap_or_default(), words.next()) {
            ("set", Some("depth" | "game")) => Interruption::Abandon,
            ("ping" | "go" | "hint" | "analyze" | "analyse" | "move" | "new" | "quit", _) => Interruption::Abandon,
            (place, _) if is_place(place) => Interruption::Abandon,
            _ => Interruption::Wait,
        }
    }
}

fn is_place(text: &str) -> bool {
    let place = text.split('/').next().unwrap_or_default();
    place.parse::<Square>().is_ok() || place.eq_ignore_ascii_case("pa")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brain;

    const GAME: &str = "(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6];)";

    /// What is said to a line, its questions answered at once.
    fn say(nboard: &mut Nboard, line: &str) -> Vec<String> {
        let reply = nboard.hear(line);
        let mut lines = reply.lines;
        if let Next::Think(questions) = reply.next {
            let mut engine = brain::engine(1, 1);
            for (question, asked) in questions.into_iter().enumerate() {
                let analysis = engine.search(&asked.position, &asked.limits, &mut |_| {});
                let square = analysis.best().map(|best| best.square);
                lines.extend(nboard.answer(&Thought { question, square, analysis }));
            }
            lines.extend(nboard.done());
        }
        lines
    }

    #[test]
    fn what_nboard_sends() {
        let mut nboard = Nboard::new();
        assert_eq!(say(&mut nboard, "nboard 2"), ["set myname Outflank12"]);
        assert_eq!(say(&mut nboard, "set depth 3"), ["set myname Outflank3"]);
        assert!(say(&mut nboard, "set contempt 10").is_empty());
        assert!(say(&mut nboard, &format!("set game {GAME}")).is_empty());
        assert_eq!(say(&mut nboard, "ping 1"), ["pong 1"]);
        let go = say(&mut nboard, "go");
        assert_eq!((go.first().unwrap().as_str(), go.last().unwrap().as_str()), ("status Thinking", "status"));
        let answer = go.iter().find_map(|line| line.strip_prefix("=== ")).unwrap();
        assert_eq!(answer.split('/').count(), 3, "{answer}");
        // the board is as it was
        let before = nboard.game.position();
        let hints = say(&mut nboard, "hint 2");
        let searches: Vec<&String> = hints.iter().filter(|line| line.starts_with("search ")).collect();
        assert_eq!(searches.len(), 2);
        for search in searches {
            let words: Vec<&str> = search.split(' ').collect();
            assert_eq!((words.len(), words[3], words[4]), (5, "0", "3"), "{search}");
            assert!(before.legal().contains(words[1][..2].parse().unwrap()));
        }
        assert_eq!(nboard.game.position(), before);
        assert!(say(&mut nboard, "move E6/1.25/0.5").is_empty());
        assert!(say(&mut nboard, "F4").is_empty(), "as version 1 says it");
        assert!(say(&mut nboard, "move c3 0.5 1.0").is_empty(), "as Edax separates");
        assert_eq!(nboard.game.states().count(), 6);
        assert_eq!(say(&mut nboard, "learn"), ["learned"]);
        let analysis = say(&mut nboard, "analyze");
        let plies: Vec<&str> =
            analysis.iter().filter_map(|line| line.strip_prefix("analysis ")?.split(' ').next()).collect();
        assert_eq!(plies, ["5", "4", "3", "2", "1", "0"]);
        assert!(matches!(nboard.hear("quit").next, Next::Quit));
    }

    #[test]
    fn what_is_wrong_changes_nothing() {
        let mut nboard = Nboard::new();
        say(&mut nboard, &format!("set game {GAME}"));
        let before = nboard.game.position();
        for line in
            ["move a1", "move", "a1", "move pa", "set depth deep", "set game nonsense", "set game (;GM[Othello]"]
        {
            let said = say(&mut nboard, line);
            assert!(said.len() == 1 && said[0].starts_with("status "), "{line}: {said:?}");
            assert_eq!(nboard.game.position(), before);
        }
        for line in ["", "unheard of", "set nothing to see", "=== F5", "\u{0}\u{fffd}"] {
            assert!(say(&mut nboard, line).is_empty(), "{line:?}");
        }
    }

    #[test]
    fn passes_are_said_and_the_end_is_known() {
        let mut nboard = Nboard::new();
        say(&mut nboard, "set depth 1");
        let (mut passes, mut plies) = (0, 0);
        while !nboard.game.position().is_over() {
            let go = say(&mut nboard, "go");
            let answer = go.iter().find_map(|line| line.strip_prefix("=== ")).unwrap();
            passes += usize::from(answer == "PA");
            plies += 1;
            assert!(say(&mut nboard, &format!("move {answer}")).is_empty(), "{answer}");
        }
        assert_eq!(nboard.game.states().count(), plies + 1);
        assert!(passes < plies);
        assert_eq!(say(&mut nboard, "go"), ["=== PA"]);
        assert!(say(&mut nboard, "hint 3")[0].starts_with("search PA "));
    }

    /// Black has no move here; White has c1, d2 and f4.
    const PASS: &str = "(;GM[Othello]TI[0]B[c4]W[c3]B[e6]W[b4]B[a4]W[a5]B[b2]W[a3];)";

    /// The evaluation of each line that begins like this.
    fn evals(lines: &[String], begin: &str) -> Vec<f64> {
        let words = lines.iter().filter_map(|line| line.strip_prefix(begin));
        words.map(|words| words.split(' ').nth(1).unwrap().parse().unwrap()).collect()
    }

    #[test]
    fn who_must_pass_sees_the_position_from_their_side() {
        let mut nboard = Nboard::new();
        say(&mut nboard, "set depth 4");
        say(&mut nboard, &format!("set game {PASS}"));
        assert!(nboard.game.must_pass());
        let owed = say(&mut nboard, "hint 3");
        let before = evals(&say(&mut nboard, "analyze"), "analysis ");
        assert!(say(&mut nboard, "move PA").is_empty());
        let said = say(&mut nboard, "hint 1");
        let after = evals(&say(&mut nboard, "analyze"), "analysis ");
        // the same line, with the pass before it and seen from the other side
        let line = |lines: &[String]| lines.iter().find(|line| line.starts_with("search ")).unwrap().clone();
        let (owed_line, said_line) = (line(&owed), line(&said));
        assert_eq!(owed.iter().filter(|line| line.starts_with("search ")).count(), 1, "{owed:?}");
        let moves = |line: &str| line.split(' ').nth(1).unwrap().to_owned();
        assert_eq!(moves(&owed_line), format!("PA{}", moves(&said_line)));
        let [owed, said] = [owed, said].map(|lines| evals(&lines, "search ")[0]);
        assert!(owed != 0.0 && owed == -said, "{owed} {said}");
        assert_eq!((before[0], after[0], after[1]), (owed, said, owed));
    }

    #[test]
    fn a_game_that_is_over_is_seen_from_the_side_that_would_be_next() {
        let mut nboard = Nboard::new();
        // Black has wiped White out, who would be next
        say(&mut nboard, "set game (;GM[Othello]B[f5]W[d6]B[c5]W[f4]B[e7]W[f6]B[g5]W[e6]B[e3];)");
        assert_eq!(say(&mut nboard, "hint 1"), ["search PA -64 0 100%"]);
        let analysis = say(&mut nboard, "analyze");
        assert!(analysis.contains(&"analysis 9 -64".to_owned()), "{analysis:?}");
        assert!(say(&mut nboard, "move PA").is_empty());
        assert_eq!(say(&mut nboard, "hint 1"), ["search PA 64 0 100%"]);
    }

    #[test]
    fn the_only_move_is_played_at_once() {
        let mut nboard = Nboard::new();
        say(&mut nboard, "set depth 40");
        say(&mut nboard, "set game (;GM[Othello]TI[30:00]B[d3]W[c5]B[b6]W[f3]B[f5];)");
        let Next::Think(questions) = nboard.hear("go").next else { panic!("it thinks") };
        assert!(questions[0].limits.depth <= 6 && questions[0].limits.solve_at <= 6, "{:?}", questions[0].limits);
        // what is asked for its score is looked at as deep as asked
        let Next::Think(questions) = nboard.hear("hint 1").next else { panic!("it thinks") };
        assert_eq!(questions[0].limits.depth, 40);
    }

    #[test]
    fn clocks_as_ggf_writes_them() {
        let seconds = Duration::from_secs;
        assert_eq!(clock("05:00//02:00"), Some(Clock { left: seconds(300), increment: Duration::ZERO }));
        assert_eq!(clock("1:00:00/10/2"), Some(Clock { left: seconds(3600), increment: seconds(10) }));
        assert_eq!(clock("90"), Some(Clock { left: seconds(90), increment: Duration::ZERO }));
        assert_eq!(clock("1.01:00:00").unwrap().left, seconds(90_000));
        assert_eq!((clock("0"), clock(""), clock("soon"), clock("nan")), (None, None, None, None));
        let mut nboard = Nboard::new();
        say(&mut nboard, "set game (;GM[Othello]TI[01:00/1]B[f5//20]W[d6//5];)");
        let clocks = nboard.clocks.unwrap();
        assert_eq!((clocks.black.left, clocks.white.left), (seconds(41), seconds(56)));
        say(&mut nboard, "move c3//11");
        assert_eq!(nboard.clocks.unwrap().black.left, seconds(31));
    }
}

//! Who plays: settings of our own engine, a simple player to compare with, or an engine in another process.

use super::external::{External, Protocol, Trouble};
use analyst::{Analyst, Ask, Job, Owner, Purpose};
use engine::{Evaluator, Level, Limits, Options, pace};
use rules::{Color, Position, Square};
use std::{
    fmt,
    path::PathBuf,
    time::{Duration, Instant},
};

/// A player as the user writes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Player {
    /// Our own engine: `level:5`; with the weights of a file, `depth:8@FILE`
    Engine { strength: Strength, weights: Option<PathBuf> },
    /// `mobility`: leaves the opponent as few moves as it can.
    Mobility,
    /// `random`
    Random,
    /// `gtp:COMMAND`, `nboard:COMMAND` or, to depth 20, `nboard/20:COMMAND`
    External(Protocol, Vec<String>),
}

/// How far our own engine searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Strength {
    /// `level:5`, or `level:1,4,9.0,2.0` to try one that is not there
    Level(Level),
    /// `depth:8`
    Depth(u32),
    /// `time:0.1`, seconds a move
    Time(Duration),
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strength::Level(Level { number: 0, depth, solve_at, carelessness, greed, .. }) => {
                write!(f, "level:{depth},{solve_at},{carelessness},{greed}")
            }
            Strength::Level(level) => write!(f, "level:{}", level.number),
            Strength::Depth(depth) => write!(f, "depth:{depth}"),
            Strength::Time(time) => write!(f, "time:{}", time.as_secs_f64()),
        }
    }
}

impl fmt::Display for Player {
    /// As the user writes it, so that it is read again as the same player.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |command: &[String]| {
            let word = |word: &String| match word {
                word if !word.is_empty() && !word.contains([' ', '"', '\'']) => word.clone(),
                word if word.contains('"') => format!("'{word}'"),
                word => format!("\"{word}\""),
            };
            command.iter().map(word).collect::<Vec<_>>().join(" ")
        };
        match self {
            Player::Engine { strength, weights: None } => strength.fmt(f),
            Player::Engine { strength, weights: Some(path) } => write!(f, "{strength}@{}", path.display()),
            Player::Mobility => f.write_str("mobility"),
            Player::Random => f.write_str("random"),
            Player::External(Protocol::Gtp, command) => write!(f, "gtp:{}", quoted(command)),
            Player::External(Protocol::Nboard { depth }, command) => write!(f, "nboard/{depth}:{}", quoted(command)),
        }
    }
}

impl Player {
    /// Reads what the user wrote; what they may write, if it is something else.
    pub(crate) fn named(text: &str) -> Result<Player, &'static str> {
        const KINDS: &str =
            "level:N depth:N time:S (each perhaps @WEIGHTS) mobility random gtp:COMMAND nboard/DEPTH:COMMAND";
        let (kind, value) = text.split_once(':').unwrap_or((text, ""));
        let external = |protocol| {
            let words = words(value);
            if words.is_empty() { None } else { Some(Player::External(protocol, words)) }
        };
        let player = match kind {
            "level" | "depth" | "time" => {
                let (value, weights) = match value.split_once('@') {
                    None => (value, None),
                    Some((_, "")) => return Err(KINDS),
                    Some((value, path)) => (value, Some(PathBuf::from(path))),
                };
                Strength::named(kind, value).map(|strength| Player::Engine { strength, weights })
            }
            "mobility" if value.is_empty() => Some(Player::Mobility),
            "random" if value.is_empty() => Some(Player::Random),
            "gtp" => external(Protocol::Gtp),
            "nboard" => external(Protocol::Nboard { depth: 12 }),
            _ if kind.starts_with("nboard/") => {
                let depth = kind["nboard/".len()..].parse().ok().filter(|depth| (1..=60).contains(depth));
                depth.and_then(|depth| external(Protocol::Nboard { depth }))
            }
            _ => None,
        };
        player.ok_or(KINDS)
    }

    /// A player ready for games.
    pub(crate) fn sit_down(&self, hash: usize, evaluator: &Evaluator) -> Seated {
        match self {
            Player::Engine { strength, .. } => {
                Seated::Engine(*strength, Analyst::start(evaluator.clone(), Options { threads: 1, hash }.into()))
            }
            Player::Mobility => Seated::Mobility,
            Player::Random => Seated::Random,
            Player::External(protocol, command) => Seated::External(External::new(*protocol, command.clone())),
        }
    }
}

impl Strength {
    fn named(kind: &str, value: &str) -> Option<Strength> {
        let seconds = |value: &str| value.parse::<f64>().ok().filter(|seconds| (0.001..1e5).contains(seconds));
        match kind {
            "level" => crate::args::level(value).ok().or_else(|| trial(value)).map(Strength::Level),
            "depth" => value.parse().ok().filter(|depth| (1..=60).contains(depth)).map(Strength::Depth),
            _ => seconds(value).map(|seconds| Strength::Time(Duration::from_secs_f64(seconds))),
        }
    }

    /// How far to search in the time that is allowed.
    fn limits(self, allowed: Option<Duration>) -> Limits {
        let limits = match self {
            Strength::Level(level) => level.limits(),
            Strength::Depth(depth) => Limits::depth(depth),
            Strength::Time(time) => Limits::time(time),
        };
        let time = limits.time.into_iter().chain(allowed).min();
        Limits { time, ..limits }
    }
}

/// A level that is not on the ladder, for those who build it: `level:DEPTH,SOLVE,CARELESSNESS,GREED`.
fn trial(text: &str) -> Option<Level> {
    let numbers: Option<Vec<f32>> = text.split(',').map(|number| number.parse().ok()).collect();
    let [depth, solve_at, carelessness, greed] = numbers?[..] else { return None };
    let name = "trial";
    Some(Level { number: 0, name, depth: depth as u32, solve_at: solve_at as u32, carelessness, greed, loses: 0 })
}

/// The words of a command, with quotes for those who have spaces.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == c => quote = None,
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The time a game allows.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) enum Control {
    /// As long as the players want.
    #[default]
    None,
    /// For each move.
    Move(Duration),
    /// For each player's whole game.
    Game(Duration),
}

/// A player at the board.
pub(crate) enum Seated {
    /// Our own engine, one to a seat: what one player remembers helps no other.
    Engine(Strength, Analyst),
    Mobility,
    Random,
    External(External),
}

/// A move to be made: where, by whom, in how much time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'a> {
    pub(crate) position: &'a Position,
    pub(crate) mover: Color,
    pub(crate) control: Control,
    /// What is left of the mover's game time.
    pub(crate) left: Duration,
    pub(crate) seed: u64,
}

impl Seated {
    /// Makes ready for a game of which these moves are given.
    pub(crate) fn begin(&mut self, color: Color, opening: &[Square], control: Control) -> Result<(), Trouble> {
        match self {
            Seated::Engine(_, analyst) => {
                analyst.forget();
                Ok(())
            }
            Seated::Mobility | Seated::Random => Ok(()),
            Seated::External(external) => external.begin(color, opening, control),
        }
    }

    /// Its move.
    pub(crate) fn choose(&mut self, turn: Turn<'_>) -> Result<Square, Trouble> {
        let Turn { position, seed, .. } = turn;
        let square = match self {
            Seated::External(external) => return external.choose(turn),
            Seated::Mobility => fewest_replies(position),
            Seated::Random => {
                let legal = position.legal();
                let at = (mix(seed ^ position.discs().black.0) % u64::from(legal.len().max(1))) as usize;
                legal.iter().nth(at)
            }
            Seated::Engine(strength, analyst) => {
                let allowed = match turn.control {
                    Control::None => None,
                    Control::Move(time) => Some(time.mul_f64(0.95)),
                    Control::Game(_) => Some(pace(turn.left, Duration::ZERO, position.empty().len())),
                };
                let limits = strength.limits(allowed).to_play(position);
                // Where a clock runs, what it takes until the search begins is a part of it.
                let start_by = limits.time.map(|time| Instant::now() + time);
                let job = analyst.ask(Ask { start_by, ..Ask::new(Owner::of(0), Purpose::Move, *position, limits) });
                let analysis = job.ok().and_then(Job::blocking_answer).ok_or(Trouble::NoMove)?;
                match strength {
                    Strength::Level(level) => level.pick(&analysis, position, seed),
                    Strength::Depth(_) | Strength::Time(_) => analysis.best().map(|best| best.square),
                }
            }
        };
        square.ok_or(Trouble::NoMove)
    }

    /// Hears the other's move, or pass.
    pub(crate) fn hear(&mut self, color: Color, square: Option<Square>) -> Result<(), Trouble> {
        match self {
            Seated::Engine(..) | Seated::Mobility | Seated::Random => Ok(()),
            Seated::External(external) => external.hear(color, square),
        }
    }

    /// Must pass: engines that keep a board of their own have to know.
    pub(crate) fn pass(&mut self, color: Color) -> Result<(), Trouble> {
        match self {
            Seated::Engine(..) | Seated::Mobility | Seated::Random => Ok(()),
            Seated::External(external) => external.pass(color),
        }
    }

    /// After trouble: a new process where there was one.
    pub(crate) fn recover(&mut self) {
        if let Seated::External(external) = self {
            external.kill();
        }
    }
}

/// The move that leaves the opponent the fewest replies, the first of equals.
fn fewest_replies(position: &Position) -> Option<Square> {
    position.legal().iter().min_by_key(|&square| {
        let after = position.board().play(square);
        after.map_or(64, |board| board.legal().len())
    })
}

pub(crate) fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        let engine =
            |strength, weights: Option<&str>| Ok(Player::Engine { strength, weights: weights.map(PathBuf::from) });
        assert_eq!(Player::named("level:2"), engine(Strength::Level(Level::ALL[1]), None));
        assert_eq!(Player::named("level:perfect"), engine(Strength::Level(Level::STRONGEST), None));
        let Ok(Player::Engine { strength: Strength::Level(trial), .. }) = Player::named("level:1,4,9.5,2") else {
            panic!("a level to try")
        };
        assert_eq!((trial.depth, trial.solve_at, trial.carelessness, trial.greed), (1, 4, 9.5, 2.0));
        assert_eq!(Player::named("depth:8"), engine(Strength::Depth(8), None));
        assert_eq!(Player::named("depth:8@new.bin"), engine(Strength::Depth(8), Some("new.bin")));
        assert_eq!(Player::named("time:0.1@a@b c"), engine(Strength::Time(Duration::from_millis(100)), Some("a@b c")));
        let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(
            Player::named("gtp:'./my engine' -gtp"),
            Ok(Player::External(Protocol::Gtp, words(&["./my engine", "-gtp"])))
        );
        assert_eq!(
            Player::named("nboard/20:engine"),
            Ok(Player::External(Protocol::Nboard { depth: 20 }, words(&["engine"])))
        );
        for text in ["level:5", "level:1,4,9.5,2", "depth:8", "time:0.25", "depth:6@w.bin", "mobility", "random"] {
            assert_eq!(Player::named(text).unwrap().to_string(), text);
        }
        for text in ["gtp:\"my engine\" -gtp", "nboard/20:engine 'say \"hi\"' \"\"", "gtp:sh -c 'echo \"=\"'"] {
            let player = Player::named(text).unwrap();
            assert_eq!(Player::named(&player.to_string()), Ok(player), "{text}");
        }
        for text in [
            "",
            "nboard/0:x",
            "level:",
            "level:99",
            "depth:0",
            "time:-1",
            "time:nan",
            "gtp:",
            "nboard: ",
            "edax",
            "depth:8@",
            "random@x",
        ] {
            assert!(Player::named(text).is_err(), "{text}");
        }
    }
}

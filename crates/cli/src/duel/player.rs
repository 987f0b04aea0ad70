//! Who plays: settings of our own engine, a simple player to compare with, or an engine in another process.

use super::outside::{Outside, Protocol, Trouble};
use crate::brain;
use engine::{Engine, Evaluator, Level, Limits, Options, pace};
use rules::{Color, Position, Square};
use std::{fmt, time::Duration};

/// A player as the user writes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Player {
    /// `level:5`, or `level:1,4,9.0,2.0` to try one that is not there
    Level(Level),
    /// `depth:8`
    Depth(u32),
    /// `time:0.1`, seconds a move
    Time(Duration),
    /// `mobility`: leaves the opponent as few moves as it can.
    Mobility,
    /// `random`
    Random,
    /// `gtp:COMMAND`, `nboard:COMMAND` or, to depth 20, `nboard/20:COMMAND`
    Outside(Protocol, Vec<String>),
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
            Player::Level(Level { number: 0, depth, solve_at, carelessness, greed, .. }) => {
                write!(f, "level:{depth},{solve_at},{carelessness},{greed}")
            }
            Player::Level(level) => write!(f, "level:{}", level.number),
            Player::Depth(depth) => write!(f, "depth:{depth}"),
            Player::Time(time) => write!(f, "time:{}", time.as_secs_f64()),
            Player::Mobility => f.write_str("mobility"),
            Player::Random => f.write_str("random"),
            Player::Outside(Protocol::Gtp, command) => write!(f, "gtp:{}", quoted(command)),
            Player::Outside(Protocol::Nboard { depth }, command) => write!(f, "nboard/{depth}:{}", quoted(command)),
        }
    }
}

impl Player {
    /// Reads what the user wrote; what they may write, if it is something else.
    pub(crate) fn named(text: &str) -> Result<Player, &'static str> {
        const KINDS: &str = "level:N depth:N time:S mobility random gtp:COMMAND nboard/DEPTH:COMMAND";
        let (kind, value) = text.split_once(':').unwrap_or((text, ""));
        let number = |value: &str| value.parse::<f64>().ok().filter(|seconds| (0.001..1e5).contains(seconds));
        let outside = |protocol| {
            let words = words(value);
            if words.is_empty() { None } else { Some(Player::Outside(protocol, words)) }
        };
        let player = match kind {
            "level" => crate::args::level(value).ok().or_else(|| trial(value)).map(Player::Level),
            "depth" => value.parse().ok().filter(|depth| (1..=60).contains(depth)).map(Player::Depth),
            "time" => number(value).map(|seconds| Player::Time(Duration::from_secs_f64(seconds))),
            "mobility" if value.is_empty() => Some(Player::Mobility),
            "random" if value.is_empty() => Some(Player::Random),
            "gtp" => outside(Protocol::Gtp),
            "nboard" => outside(Protocol::Nboard { depth: 12 }),
            _ if kind.starts_with("nboard/") => {
                let depth = kind["nboard/".len()..].parse().ok().filter(|depth| (1..=60).contains(depth));
                depth.and_then(|depth| outside(Protocol::Nboard { depth }))
            }
            _ => None,
        };
        player.ok_or(KINDS)
    }

    /// A player ready for games.
    pub(crate) fn sit_down(&self, hash: usize, evaluator: &Evaluator) -> Seated {
        let engine = || Box::new(Engine::new(evaluator.clone(), Options { threads: 1, hash }));
        match self {
            Player::Level(_) | Player::Depth(_) | Player::Time(_) => Seated::Ours(self.clone(), engine()),
            Player::Mobility | Player::Random => Seated::Ours(self.clone(), Box::new(brain::blank())),
            Player::Outside(protocol, command) => Seated::Outside(Outside::new(*protocol, command.clone())),
        }
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
    Ours(Player, Box<Engine>),
    Outside(Outside),
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
            Seated::Ours(_, engine) => {
                engine.forget();
                Ok(())
            }
            Seated::Outside(outside) => outside.begin(color, opening, control),
        }
    }

    /// Its move.
    pub(crate) fn choose(&mut self, turn: Turn<'_>) -> Result<Square, Trouble> {
        let Turn { position, seed, .. } = turn;
        let (player, engine) = match self {
            Seated::Outside(outside) => return outside.choose(turn),
            Seated::Ours(player, engine) => (player, engine),
        };
        let empties = position.empty().len();
        let allowed = match turn.control {
            Control::None => None,
            Control::Move(time) => Some(time.mul_f64(0.95)),
            Control::Game(_) => Some(pace(turn.left, Duration::ZERO, empties)),
        };
        let (limits, level) = match player {
            Player::Level(level) => (level.limits(), Some(*level)),
            Player::Depth(depth) => (Limits::depth(*depth), None),
            Player::Time(time) => (Limits::time(*time), None),
            Player::Mobility => return fewest_replies(position).ok_or(Trouble::NoMove),
            Player::Random => {
                let legal = position.legal();
                let at = (mix(seed ^ position.discs().black.0) % u64::from(legal.len().max(1))) as usize;
                return legal.iter().nth(at).ok_or(Trouble::NoMove);
            }
            Player::Outside(..) => return Err(Trouble::NoMove),
        };
        let time = match (limits.time, allowed) {
            (Some(wanted), Some(allowed)) => Some(wanted.min(allowed)),
            (wanted, allowed) => wanted.or(allowed),
        };
        let analysis = engine.search(position, &Limits { time, ..limits }.to_play(position), &mut |_| {});
        let square = match level {
            Some(level) => level.pick(&analysis, position, seed),
            None => analysis.best().map(|best| best.square),
        };
        square.ok_or(Trouble::NoMove)
    }

    /// Hears the other's move, or pass.
    pub(crate) fn hear(&mut self, color: Color, square: Option<Square>) -> Result<(), Trouble> {
        match self {
            Seated::Ours(..) => Ok(()),
            Seated::Outside(outside) => outside.hear(color, square),
        }
    }

    /// Must pass: engines that keep a board of their own have to know.
    pub(crate) fn pass(&mut self, color: Color) -> Result<(), Trouble> {
        match self {
            Seated::Ours(..) => Ok(()),
            Seated::Outside(outside) => outside.pass(color),
        }
    }

    /// After trouble: a new process where there was one.
    pub(crate) fn recover(&mut self) {
        if let Seated::Outside(outside) = self {
            outside.kill();
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
        assert_eq!(Player::named("level:2"), Ok(Player::Level(Level::ALL[1])));
        assert_eq!(Player::named("level:perfect"), Ok(Player::Level(Level::STRONGEST)));
        let Ok(Player::Level(trial)) = Player::named("level:1,4,9.5,2") else { panic!("a level to try") };
        assert_eq!((trial.depth, trial.solve_at, trial.carelessness, trial.greed), (1, 4, 9.5, 2.0));
        assert_eq!(Player::named("depth:8"), Ok(Player::Depth(8)));
        assert_eq!(Player::named("time:0.1"), Ok(Player::Time(Duration::from_millis(100))));
        let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(
            Player::named("gtp:'./my engine' -gtp"),
            Ok(Player::Outside(Protocol::Gtp, words(&["./my engine", "-gtp"])))
        );
        assert_eq!(
            Player::named("nboard/20:engine"),
            Ok(Player::Outside(Protocol::Nboard { depth: 20 }, words(&["engine"])))
        );
        for text in ["level:5", "level:1,4,9.5,2", "depth:8", "time:0.25", "mobility", "random"] {
            assert_eq!(Player::named(text).unwrap().to_string(), text);
        }
        for text in ["gtp:\"my engine\" -gtp", "nboard/20:engine 'say \"hi\"' \"\"", "gtp:sh -c 'echo \"=\"'"] {
            let player = Player::named(text).unwrap();
            assert_eq!(Player::named(&player.to_string()), Ok(player), "{text}");
        }
        for text in
            ["", "nboard/0:x", "level:", "level:99", "depth:0", "time:-1", "time:nan", "gtp:", "nboard: ", "edax"]
        {
            assert!(Player::named(text).is_err(), "{text}");
        }
    }
}

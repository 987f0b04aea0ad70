//! The engine with the weights that are part of this program.

use engine::{Engine, Evaluator, Level, Limits, Options};
use rules::{Position, Square};
use server::{Brain, Turn, protocol};
use std::{
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};
use table::ThinkingTime;

/// What our training made; see `train/README.md`.
static WEIGHTS: &[u8] = include_bytes!("../../../weights/eval.bin");

/// The evaluation. Copies of it share one memory.
pub(crate) fn evaluator() -> Evaluator {
    static READ: OnceLock<Evaluator> = OnceLock::new();
    // a test reads them: they are as much part of the program as its code
    let read = || Evaluator::new(WEIGHTS).unwrap_or_else(|error| panic!("the program's own weights: {error}"));
    READ.get_or_init(read).clone()
}

/// An engine with so many threads, and so many megabytes to remember positions.
pub(crate) fn engine(threads: usize, hash: usize) -> Engine {
    Engine::new(evaluator(), Options { threads, hash })
}

/// The computer's seats in games with people: every [`Level`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ours;

/// People wait this long for a move at most, whatever the level would like.
const PATIENCE: Duration = Duration::from_secs(5);
/// And this long for a hint.
const MOMENT: Duration = Duration::from_millis(800);

/// Engines that have nothing to do: making one takes longer than a weak level's move.
static IDLE: Mutex<Vec<Engine>> = Mutex::new(Vec::new());

impl Ours {
    /// Searches for `time`, which includes finding an engine.
    fn think(self, position: &Position, limits: Limits, time: Duration) -> engine::Analysis {
        let begun = Instant::now();
        let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut engine = waiting.unwrap_or_else(|| engine(1, 32));
        let limits = Limits { time: Some(time.saturating_sub(begun.elapsed())), ..limits };
        let analysis = engine.search(position, &limits, &mut |_| {});
        idle().push(engine);
        analysis
    }
}

/// How long to think: as the clock allows, and never so long that people lose patience.
fn patience(time: Option<ThinkingTime>, position: &Position) -> Duration {
    let by_the_clock = |time: ThinkingTime| {
        let [left, gain] = [time.left_ms, time.gain_ms].map(Duration::from_millis);
        engine::pace(left, gain, position.empty().len())
    };
    time.map_or(PATIENCE, by_the_clock).min(PATIENCE)
}

impl Brain for Ours {
    fn levels(&self) -> Vec<protocol::Level> {
        let level = |level: &Level| protocol::Level { level: level.number, name: level.name.to_owned() };
        Level::ALL.iter().map(level).collect()
    }

    fn choose(&self, turn: &Turn) -> Square {
        let position = &turn.position;
        let level = Level::numbered(turn.level).unwrap_or(&Level::STRONGEST);
        let analysis = self.think(position, level.limits().to_play(position), patience(turn.time, position));
        level.pick(&analysis, position, turn.seed).or(position.legal().first()).unwrap_or(Square::A1)
    }

    fn hint(&self, position: &Position) -> Square {
        let analysis = self.think(position, Limits::default(), MOMENT);
        analysis.best().map(|best| best.square).or(position.legal().first()).unwrap_or(Square::A1)
    }
}

/// An engine that knows nothing and remembers little, for players that do not ask it.
pub(crate) fn blank() -> Engine {
    Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Language, Messages};

    #[test]
    fn every_level_has_a_name_and_a_sentence_in_both_languages() {
        for language in [Language::English, Language::Spanish] {
            let messages = Messages::new(language);
            for level in Level::ALL {
                for id in [format!("page-level-{}", level.name), format!("page-level-{}-note", level.name)] {
                    assert!(messages.get(&id, &Default::default()).is_some(), "no message {id}");
                }
            }
        }
    }

    #[test]
    fn levels_choose_legal_moves_and_hints_are_good() {
        let start = Position::start();
        let choose = |position, level, seed| Ours.choose(&Turn { position, level, seed, time: None });
        for level in Ours.levels().iter().take(12) {
            assert!(start.legal().contains(choose(start, level.level, 7)));
        }
        assert!(start.legal().contains(choose(start, 4, 1)));
        // one move wipes White out
        let mut position = start;
        for name in ["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6"] {
            position = position.play(name.parse().unwrap()).unwrap().after;
        }
        assert_eq!(Ours.hint(&position), Square::E3);
        assert_eq!(choose(position, Level::STRONGEST.number, 1), Square::E3);
    }

    #[test]
    fn the_weights_can_be_read() {
        super::evaluator();
    }
}

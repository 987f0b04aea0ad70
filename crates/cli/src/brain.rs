//! The engine with the weights that are part of this program.

use crate::{
    context::{Context, Failure},
    fail,
    files::Source,
};
use analyst::Analyst;
use engine::{Engine, Evaluator, Options};
use std::{path::Path, sync::OnceLock};

/// What our training made; see `train/README.md`.
static WEIGHTS: &[u8] = include_bytes!("../../../weights/eval.bin");

/// The evaluation. Copies of it share one memory.
pub(crate) fn evaluator() -> Evaluator {
    static READ: OnceLock<Evaluator> = OnceLock::new();
    // a test reads them: they are as much part of the program as its code
    let read = || Evaluator::new(WEIGHTS).unwrap_or_else(|error| panic!("the program's own weights: {error}"));
    READ.get_or_init(read).clone()
}

/// The evaluation in a file.
pub(crate) fn weights(path: &Path, context: &Context) -> Result<Evaluator, Failure> {
    let file = Source::open(path, context)?;
    Evaluator::new(&file.bytes)
        .map_err(|error| fail!(context, "cli-solve-weights", path = file.name, why = error.to_string()))
}

/// An engine with so many threads, and so many megabytes to remember positions.
pub(crate) fn engine(threads: usize, hash: usize) -> Engine {
    Engine::new(evaluator(), Options { threads, hash })
}

/// The owner of every engine that plays with people, gives hints or analyses for them.
pub(crate) fn analyst() -> &'static Analyst {
    static STARTED: OnceLock<Analyst> = OnceLock::new();
    STARTED.get_or_init(|| Analyst::start(evaluator(), analyst::Config::default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Language, Messages};
    use analyst::{Job, Owner, Turn};
    use engine::Level;
    use rules::{Position, Square};

    #[test]
    fn every_level_has_a_name_and_a_sentence_in_both_languages() {
        for language in [Language::English, Language::Spanish] {
            let messages = Messages::new(language);
            for level in Level::ALL {
                for id in [format!("page-level-{}", level.name), format!("page-strength-{}", level.name)] {
                    assert!(messages.get(&id, &Default::default()).is_some(), "no message {id}");
                }
            }
        }
    }

    #[test]
    fn levels_choose_legal_moves_and_hints_are_good() {
        let start = Position::start();
        let choose = |position, level| {
            analyst().blocking_choose(&Turn { owner: Owner::of(0), position, level, seed: 7, clock: None }).unwrap()
        };
        for level in Level::ALL.iter().take(12) {
            assert!(start.legal().contains(choose(start, *level)));
        }
        // one move wipes White out
        let mut position = start;
        for name in ["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6"] {
            position = position.play(name.parse().unwrap()).unwrap().after;
        }
        let hint = analyst().hint(Owner::of(0), position).ok().and_then(Job::blocking_answer).unwrap();
        assert_eq!(hint.best().map(|best| best.square), Some(Square::E3));
        assert_eq!(choose(position, Level::STRONGEST), Square::E3);
    }

    #[test]
    fn the_weights_can_be_read() {
        super::evaluator();
    }
}

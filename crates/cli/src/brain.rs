//! The engine with the weights that are part of this program.

use engine::{Engine, Evaluator, Options};

/// What our training made; see `train/README.md`.
static WEIGHTS: &[u8] = include_bytes!("../../../weights/eval.bin");

/// The evaluation. Copies of it share one memory.
pub(crate) fn evaluator() -> Evaluator {
    // a test reads them: they are as much part of the program as its code
    Evaluator::new(WEIGHTS).unwrap_or_else(|error| panic!("the program's own weights: {error}"))
}

/// An engine with so many threads, and so many megabytes to remember positions.
pub(crate) fn engine(threads: usize, hash: usize) -> Engine {
    Engine::new(evaluator(), Options { threads, hash })
}

/// An engine that knows nothing and remembers little, for players that do not ask it.
pub(crate) fn blank() -> Engine {
    Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_weights_can_be_read() {
        super::evaluator();
    }
}

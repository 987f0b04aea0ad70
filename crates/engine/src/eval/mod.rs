//! How good a position is, in discs, without searching: [`Evaluator`].
//!
//! The estimate is the sum of one weight for the filling of each [placement](patterns), read from the table of the
//! phase of the game. [`Features`] keeps the fillings up to date move by move.

pub mod kernel;
pub mod patterns;

use kernel::{Features, Weights};
use miniz_oxide::inflate;
use patterns::Layout;
use rules::{Bitboard, Board, Square};
use std::sync::Arc;

/// Weights are in parts of a disc.
pub const DISC: i32 = 64;

/// Tables of weights, one for every two discs placed.
pub const PHASES: usize = 30;

/// The phase of a board with this many empty squares.
pub fn phase(empties: u32) -> usize {
    (60u32.saturating_sub(empties) as usize / 2).min(PHASES - 1)
}

/// The first bytes of a file of weights.
const MAGIC: &[u8; 8] = b"outflank";
const VERSION: u32 = 1;

/// Bytes that are not weights of this evaluation.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum WeightsError {
    /// The bytes do not begin as weights do.
    #[error("these bytes are not evaluation weights")]
    Foreign,
    /// The weights are for another version of the evaluation.
    #[error("these weights are for version {found} of the evaluation; this is version {VERSION}")]
    Version {
        /// The version they are for.
        found: u32,
    },
    /// The bytes cannot be unpacked, or to the wrong length.
    #[error("the evaluation weights are damaged")]
    Damaged,
}

/// The evaluation: cheap to clone, shared by all threads of a search.
#[derive(Clone, Debug)]
pub struct Evaluator {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    layout: Layout,
    weights: Weights,
}

impl Evaluator {
    /// Reads packed weights, as the `train` tools write them.
    ///
    /// # Errors
    ///
    /// [`WeightsError`] if they are not weights for this evaluation.
    pub fn new(packed: &[u8]) -> Result<Evaluator, WeightsError> {
        let layout = Layout::new();
        let weights = Evaluator::unpack(&layout, packed)?;
        Ok(Evaluator::from_weights(layout, &weights))
    }

    /// The weights that [`Evaluator::pack`] packed: one for each phase and each really different filling.
    ///
    /// # Errors
    ///
    /// [`WeightsError`] if they are not weights for this evaluation.
    pub fn unpack(layout: &Layout, packed: &[u8]) -> Result<Vec<i16>, WeightsError> {
        let header = packed.get(..12).filter(|header| header.starts_with(MAGIC)).ok_or(WeightsError::Foreign)?;
        let found = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
        if found != VERSION {
            return Err(WeightsError::Version { found });
        }
        let size = layout.weights * PHASES * 2;
        let bytes = inflate::decompress_to_vec_with_limit(&packed[12..], size).map_err(|_| WeightsError::Damaged)?;
        if bytes.len() != size {
            return Err(WeightsError::Damaged);
        }
        // low bytes first, then high bytes: they pack better apart
        let (low, high) = bytes.split_at(size / 2);
        Ok(low.iter().zip(high).map(|(&l, &h)| i16::from_le_bytes([l, h])).collect())
    }

    /// No knowledge at all: every position is worth nothing.
    pub fn blank() -> Evaluator {
        let layout = Layout::new();
        let weights = vec![0; layout.weights * PHASES];
        Evaluator::from_weights(layout, &weights)
    }

    /// An evaluation from one weight for each phase and each really different filling.
    ///
    /// # Panics
    ///
    /// If the number of weights is not `layout.weights * PHASES`.
    pub fn from_weights(layout: Layout, weights: &[i16]) -> Evaluator {
        assert_eq!(weights.len(), layout.weights * PHASES);
        let weights = Weights::new(&layout, weights);
        Evaluator { inner: Arc::new(Inner { layout, weights }) }
    }

    /// Packs weights for [`Evaluator::new`].
    pub fn pack(weights: &[i16]) -> Vec<u8> {
        let low = weights.iter().map(|w| w.to_le_bytes()[0]);
        let high = weights.iter().map(|w| w.to_le_bytes()[1]);
        let bytes: Vec<u8> = low.chain(high).collect();
        let mut packed = MAGIC.to_vec();
        packed.extend(VERSION.to_le_bytes());
        packed.extend(miniz_oxide::deflate::compress_to_vec(&bytes, 9));
        packed
    }

    /// The fillings of a board.
    pub fn features(&self, board: Board) -> Features {
        Features::new(&self.inner.layout.adds, board.mover.0, board.other.0)
    }

    /// The fillings after the mover plays, from the opponent's side.
    #[inline(always)]
    pub fn play(&self, features: &Features, square: Square, flips: Bitboard) -> Features {
        features.play(&self.inner.layout.adds, square.index(), flips.0)
    }

    /// The estimate in parts of a disc ([`DISC`]), from the mover's side.
    #[inline(always)]
    pub fn value(&self, features: &Features, empties: u32) -> i32 {
        self.inner.weights.sum(phase(empties), features)
    }

    /// The estimate in discs, never quite a proven win or loss of everything.
    #[inline(always)]
    pub fn score(&self, features: &Features, empties: u32) -> i32 {
        let value = self.value(features, empties);
        ((value + DISC / 2) >> 6).clamp(-63, 63)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise() -> Evaluator {
        let layout = Layout::new();
        let mut state = 1u64;
        let weights: Vec<i16> = (0..layout.weights * PHASES)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 50) as i16
            })
            .collect();
        let packed = Evaluator::pack(&weights);
        Evaluator::new(&packed).unwrap()
    }

    #[test]
    fn what_is_not_weights_is_refused() {
        assert_eq!(Evaluator::new(b"").unwrap_err(), WeightsError::Foreign);
        assert_eq!(Evaluator::new(b"something else entirely").unwrap_err(), WeightsError::Foreign);
        assert_eq!(Evaluator::new(b"outflank\x09\0\0\0").unwrap_err(), WeightsError::Version { found: 9 });
        let mut packed = Evaluator::pack(&[0; 100]);
        assert_eq!(Evaluator::new(&packed).unwrap_err(), WeightsError::Damaged);
        packed.truncate(15);
        assert_eq!(Evaluator::new(&packed).unwrap_err(), WeightsError::Damaged);
    }

    #[test]
    fn features_follow_a_game_and_symmetry_changes_nothing() {
        let eval = noise();
        let mut seed = 99u64;
        for _ in 0..20 {
            let mut board = Board::START;
            let mut features = eval.features(board);
            loop {
                let legal = board.legal();
                if legal.is_empty() {
                    if board.is_over() {
                        break;
                    }
                    board = board.pass();
                    features = features.pass();
                    continue;
                }
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let square = legal.iter().nth((seed >> 33) as usize % legal.len() as usize).unwrap();
                let flips = board.flips(square);
                features = eval.play(&features, square, flips);
                board = board.play_unchecked(square, flips);
                assert_eq!(features, eval.features(board));
                let empties = board.empty().len();
                let value = eval.value(&features, empties);
                for symmetry in rules::Symmetry::ALL {
                    assert_eq!(eval.value(&eval.features(symmetry.board(board)), empties), value);
                }
            }
        }
    }
}

//! How good a position is, in discs, without searching: [`Evaluator`].
//!
//! The estimate is the sum of one weight for the filling of each [placement](patterns), read from the table of the
//! phase of the game, corrected by a small [net] and by what it is worth to move with so many squares empty.
//! [`Features`] keeps the fillings up to date move by move.

pub(crate) mod kernel;
pub mod net;
pub mod patterns;

pub use kernel::Features;
use kernel::Weights;
use miniz_oxide::inflate;
use net::Net;
use patterns::Layout;
use rules::{Bitboard, Board, Square};
use std::sync::Arc;

/// Weights are in parts of a disc.
pub const DISC: i32 = 64;

/// Where the sum is further than this from what is asked, in discs, the net is not asked: it hardly ever says more.
const FAR: i32 = 8;

/// Tables of weights, one for every two discs placed.
pub const PHASES: usize = 30;

/// Numbers of empty squares there may be.
pub const EMPTIES: usize = 61;

/// The phase of a board with this many empty squares.
pub fn phase(empties: u32) -> usize {
    (60u32.saturating_sub(empties) as usize / 2).min(PHASES - 1)
}

/// The first bytes of a file of weights.
const MAGIC: &[u8; 8] = b"outflank";
const VERSION: u32 = 5;

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
    net: Option<Net>,
    tempo: [i16; EMPTIES],
}

/// What a file of weights holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// One for each phase and each really different filling.
    pub weights: Vec<i16>,
    /// What it is worth to be the one to move, by the number of empties: a phase is two numbers of empties, and so
    /// cannot tell who will have the last move.
    pub tempo: [i16; EMPTIES],
    /// The net as `train/net.py` writes it, or nothing.
    pub net: Vec<u8>,
}

impl Evaluator {
    /// Reads packed weights, as the `train` tools write them.
    ///
    /// # Errors
    ///
    /// [`WeightsError`] if they are not weights for this evaluation.
    pub fn new(packed: &[u8]) -> Result<Evaluator, WeightsError> {
        let layout = Layout::new();
        let unpacked = Evaluator::unpack(&layout, packed)?;
        let weights = Weights::new(&layout, &unpacked.weights);
        let net = if unpacked.net.is_empty() { None } else { Some(Net::read(&layout, &unpacked.net)?) };
        Ok(Evaluator { inner: Arc::new(Inner { layout, weights, net, tempo: unpacked.tempo }) })
    }

    /// What [`Evaluator::pack`] packed.
    ///
    /// # Errors
    ///
    /// [`WeightsError`] if they are not weights for this evaluation.
    pub fn unpack(layout: &Layout, packed: &[u8]) -> Result<Unpacked, WeightsError> {
        let header = packed.get(..12).filter(|header| header.starts_with(MAGIC)).ok_or(WeightsError::Foreign)?;
        let found = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
        if found != VERSION {
            return Err(WeightsError::Version { found });
        }
        let size = layout.weights * PHASES * 2;
        let least = size + EMPTIES * 2;
        let most = least + net::size(layout, net::MOST_TABLES);
        let mut bytes =
            inflate::decompress_to_vec_with_limit(&packed[12..], most).map_err(|_| WeightsError::Damaged)?;
        if bytes.len() < least {
            return Err(WeightsError::Damaged);
        }
        let net = bytes.split_off(least);
        let tempo = bytes.split_off(size);
        let tempo = std::array::from_fn(|at| i16::from_le_bytes([tempo[2 * at], tempo[2 * at + 1]]));
        // low bytes first, then high bytes: they pack better apart
        let (low, high) = bytes.split_at(size / 2);
        let weights = low.iter().zip(high).map(|(&l, &h)| i16::from_le_bytes([l, h])).collect();
        Ok(Unpacked { weights, tempo, net })
    }

    /// No knowledge at all: every position is worth nothing.
    pub fn blank() -> Evaluator {
        let layout = Layout::new();
        let weights = Weights::new(&layout, &vec![0; layout.weights * PHASES]);
        Evaluator { inner: Arc::new(Inner { layout, weights, net: None, tempo: [0; EMPTIES] }) }
    }

    /// Packs weights for [`Evaluator::new`].
    pub fn pack(Unpacked { weights, tempo, net }: &Unpacked) -> Vec<u8> {
        let low = weights.iter().map(|w| w.to_le_bytes()[0]);
        let high = weights.iter().map(|w| w.to_le_bytes()[1]);
        let tempo = tempo.iter().flat_map(|worth| worth.to_le_bytes());
        let bytes: Vec<u8> = low.chain(high).chain(tempo).chain(net.iter().copied()).collect();
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

    /// The sum of weights alone, in parts of a disc ([`DISC`]), from the mover's side: enough to order moves by.
    #[inline(always)]
    pub fn sum(&self, features: &Features, empties: u32) -> i32 {
        self.inner.weights.sum(phase(empties), features)
    }

    /// The estimate in parts of a disc, from the mover's side.
    #[inline(always)]
    pub fn value(&self, features: &Features, empties: u32) -> i32 {
        self.sum(features, empties) + self.tempo(empties) + self.correction(features, empties)
    }

    /// The estimate in discs, never quite a proven win or loss of everything.
    #[inline(always)]
    pub fn score(&self, features: &Features, empties: u32) -> i32 {
        whole(self.value(features, empties))
    }

    /// The estimate in discs where it is near `alpha`; where the sum alone says that it is not, that.
    #[inline(always)]
    pub fn score_near(&self, features: &Features, empties: u32, alpha: i32) -> i32 {
        whole(self.value_near(features, empties, alpha, 0))
    }

    /// The estimate in parts of a disc where it may be within `margin` of `alpha` discs; where the sum alone says that it
    /// is not, that.
    #[inline(always)]
    pub(crate) fn value_near(&self, features: &Features, empties: u32, alpha: i32, margin: i32) -> i32 {
        let sum = self.sum(features, empties) + self.tempo(empties);
        if (sum - alpha * DISC).abs() > FAR * DISC + margin { sum } else { sum + self.correction(features, empties) }
    }

    #[inline(always)]
    fn tempo(&self, empties: u32) -> i32 {
        i32::from(self.inner.tempo[(empties as usize).min(EMPTIES - 1)])
    }

    #[inline(always)]
    fn correction(&self, features: &Features, empties: u32) -> i32 {
        self.inner.net.as_ref().map_or(0, |net| net.value(phase(empties), features))
    }
}

/// Parts of a disc to discs.
#[inline(always)]
pub(crate) fn whole(value: i32) -> i32 {
    ((value + DISC / 2) >> 6).clamp(-63, 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise() -> Evaluator {
        let layout = Layout::new();
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 50) as i16
        };
        let weights: Vec<i16> = (0..layout.weights * PHASES).map(|_| next()).collect();
        let net = net::noise(&layout, || next() as u64);
        let tempo = std::array::from_fn(|empties| empties as i16 - 20);
        Evaluator::new(&Evaluator::pack(&Unpacked { weights, tempo, net })).unwrap()
    }

    #[test]
    fn what_is_not_weights_is_refused() {
        assert_eq!(Evaluator::new(b"").unwrap_err(), WeightsError::Foreign);
        assert_eq!(Evaluator::new(b"something else entirely").unwrap_err(), WeightsError::Foreign);
        assert_eq!(Evaluator::new(b"outflank\x09\0\0\0").unwrap_err(), WeightsError::Version { found: 9 });
        let mut packed = Evaluator::pack(&Unpacked { weights: vec![0; 100], tempo: [0; EMPTIES], net: vec![] });
        assert_eq!(Evaluator::new(&packed).unwrap_err(), WeightsError::Damaged);
        packed.truncate(15);
        assert_eq!(Evaluator::new(&packed).unwrap_err(), WeightsError::Damaged);
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let layout = Layout::new();
        let weights: Vec<i16> = (0..layout.weights * PHASES).map(|at| (at * 7919) as i16).collect();
        let tempo = std::array::from_fn(|empties| 40 - 30 * empties as i16);
        for net in [Vec::new(), net::noise(&layout, || 3)] {
            let all = Unpacked { weights: weights.clone(), tempo, net };
            let packed = Evaluator::pack(&all);
            assert_eq!(Evaluator::unpack(&layout, &packed).unwrap(), all);
            let eval = Evaluator::new(&packed).unwrap();
            let features = eval.features(Board::START);
            let alone = Evaluator::new(&Evaluator::pack(&Unpacked { tempo: [0; EMPTIES], ..all })).unwrap();
            assert_eq!(eval.value(&features, 60) - alone.value(&features, 60), 40 - 30 * 60);
            assert_eq!(eval.sum(&features, 60), alone.sum(&features, 60));
        }
    }

    #[test]
    fn features_follow_a_game_and_symmetry_changes_nothing() {
        let eval = noise();
        let mut seed = 99u64;
        let mut corrections = std::collections::HashSet::new();
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
                corrections.insert(value - eval.sum(&features, empties));
                for symmetry in rules::Symmetry::ALL {
                    assert_eq!(eval.value(&eval.features(symmetry.board(board)), empties), value);
                }
            }
        }
        assert!(corrections.len() > 500, "the net found only {} values", corrections.len());
    }
}

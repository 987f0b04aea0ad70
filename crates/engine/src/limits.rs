//! How far a search may go: [`Limits`].

use crate::Clock;
use rules::{Bitboard, Position};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// A flag that ends a search from outside, within a few milliseconds.
///
/// ```
/// use engine::Stop;
/// let stop = Stop::default();
/// let for_another_thread = stop.clone();
/// for_another_thread.now();
/// assert!(stop.is_set());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(pub(crate) Arc<AtomicBool>);

impl Stop {
    /// Ends the search.
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the search was told to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A rung of the ladder from a good guess to proof.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Confidence {
    /// 73 %: a shallow search may be 1.1 standard deviations off.
    Percent73,
    /// 87 %: 1.5 standard deviations.
    Percent87,
    /// 95 %: 2 standard deviations.
    Percent95,
    /// 99 %: 2.6 standard deviations.
    Percent99,
    /// Proof.
    Certain,
}

impl Confidence {
    /// From the least to proof.
    pub const ALL: [Confidence; 5] = [
        Confidence::Percent73,
        Confidence::Percent87,
        Confidence::Percent95,
        Confidence::Percent99,
        Confidence::Certain,
    ];

    /// In percent; 100 is proof.
    pub fn percent(self) -> u8 {
        crate::probcut::CONFIDENCES[self as usize].percent
    }
}

/// When a search ends, and how exact it is to be.
///
/// ```
/// use engine::{Confidence, Limits};
/// let limits = Limits { lines: 3, ..Limits::depth(12) };
/// assert_eq!(limits.confidence, Confidence::Percent73);
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// Plies to look ahead in the midgame.
    pub depth: u32,
    /// How sure each midgame result is to be.
    pub confidence: Confidence,
    /// With this many empty squares or fewer, search to the end of the game instead.
    pub solve_at: u32,
    /// How sure the result of such a search is to be.
    pub solve_confidence: Confidence,
    /// The time to spend, about.
    pub time: Option<Duration>,
    /// How many of the best moves to report.
    pub lines: usize,
    /// The moves to look at; the others are left out as if the rules forbade them. What they are worth is then judged by a
    /// search of the same depth as any other.
    ///
    /// ```
    /// use engine::{Engine, Evaluator, Limits, Options};
    /// use rules::{Position, Square};
    ///
    /// let mut engine = Engine::new(Evaluator::blank(), Options::default());
    /// let only = Limits { moves: Square::C4.into(), ..Limits::depth(4) };
    /// let analysis = engine.search(&Position::start(), &only, &mut |_| {});
    /// assert_eq!(analysis.best().map(|best| best.square), Some(Square::C4));
    /// let but = Limits { moves: !only.moves, lines: 9, ..only };
    /// assert_eq!(engine.search(&Position::start(), &but, &mut |_| {}).lines.len(), 3);
    /// ```
    pub moves: Bitboard,
    /// Ends the search from outside.
    pub stop: Stop,
    /// What `time` is measured by.
    pub clock: Clock,
}

impl Default for Limits {
    /// No limit but the end of the game, with proof.
    fn default() -> Limits {
        Limits {
            depth: 60,
            confidence: Confidence::Percent73,
            solve_at: 60,
            solve_confidence: Confidence::Certain,
            time: None,
            lines: 1,
            moves: Bitboard::ALL,
            stop: Stop::default(),
            clock: Clock::default(),
        }
    }
}

impl Limits {
    /// Looks this many plies ahead in the midgame, and to the end from about 1.5 times as many empties.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth, solve_at: depth.max(depth * 3 / 2), ..Limits::default() }
    }

    /// As far as possible in this time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// These limits for a move that is to be played and not judged: where there is only one, a shallow search is enough.
    ///
    /// ```
    /// use engine::{Engine, Evaluator, Limits, Options};
    /// use rules::{Position, Square};
    /// use std::time::Duration;
    ///
    /// // after these moves White can only play c6
    /// let moves = ["d3", "c5", "b6", "f3", "f5"].map(|name| name.parse::<Square>().unwrap());
    /// let position = moves.iter().fold(Position::start(), |at, &square| at.play(square).unwrap().after);
    /// let hour = Limits::time(Duration::from_secs(3600));
    /// let mut engine = Engine::new(Evaluator::blank(), Options::default());
    /// let analysis = engine.search(&position, &hour.to_play(&position), &mut |_| {});
    /// assert_eq!(analysis.best().map(|best| best.square), Some(Square::C6));
    /// assert!(analysis.nodes < 10_000);
    /// ```
    pub fn to_play(self, position: &Position) -> Limits {
        /// How many plies: enough for a score of the move, and they take no time that anyone would notice.
        const SHALLOW: u32 = 6;
        if (position.legal() & self.moves).len() != 1 {
            return self;
        }
        Limits { depth: self.depth.min(SHALLOW), solve_at: self.solve_at.min(SHALLOW), ..self }
    }

    /// To the end, exactly.
    pub fn solve() -> Limits {
        Limits::default()
    }
}

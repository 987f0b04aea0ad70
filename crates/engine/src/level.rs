//! Strengths for people: [`Level`], one ladder from a first game to perfect play.
//!
//! A weak level looks only a few plies ahead and then takes one of the moves it likes, a good one more often than a
//! bad one: the chance of a move falls with the discs it seems to lose. So it errs as people do, in what is hard to
//! see, and does not throw corners away at random. The very weakest also like to turn many discs, as everyone does at
//! first.
//!
//! Each step is to win between 60 and 80 % of the points against the one below. Measured with the net, colours swapped,
//! from six random moves (`outflank match level:N level:M --random 6`):
//!
//! | level | points against the one below | games |
//! |---|---|---|
//! | 2, 3, 4, 5 | 67, 69, 77, 73 % | 800 each |
//! | 6, 7, 8 | 77, 75, 79 % | 1600 each |
//! | 9, 10, 11, 12 | 75, 76, 75, 72 % | 800 each |
//! | 13, 14, 15, 16 | 67, 64, 65, 63 % | 800 each |
//! | 17 | 63 % | 640 |
//! | 18 | 66 % | 608 |
//!
//! All within 2 to 4 %. Level 1 scores 40 % (800 games) against a player who only leaves the opponent as few moves as
//! they can.

use crate::{Analysis, Limits};
use rules::{Position, Square};

/// One step of the ladder.
///
/// ```
/// use engine::Level;
/// assert_eq!(Level::WEAKEST.number, 1);
/// let names: Vec<&str> = Level::ALL.iter().map(|level| level.name).collect();
/// assert_eq!(Level::named(names[3]), Some(&Level::ALL[3]));
/// assert_eq!(Level::numbered(1), Some(&Level::WEAKEST));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// 1 is the weakest.
    pub number: u8,
    /// Its name in English, one word: messages about it are called `level-NAME`.
    pub name: &'static str,
    /// Plies it looks ahead.
    pub depth: u32,
    /// With so many empty squares it counts to the end.
    pub solve_at: u32,
    /// How careless it is: a move that seems to lose so many discs is 2.7 times less likely than the best. None at all
    /// is 0.
    pub carelessness: f32,
    /// What a disc turned now seems worth to it, beyond what is true.
    pub greed: f32,
    /// Discs by which it loses an average game to level 16, about; from there on, to the level above.
    pub loses: u8,
}

const fn level(
    number: u8,
    name: &'static str,
    depth: u32,
    solve_at: u32,
    carelessness: f32,
    greed: f32,
    loses: u8,
) -> Level {
    Level { number, name, depth, solve_at, carelessness, greed, loses }
}

impl Level {
    /// Every level, weakest first.
    pub const ALL: [Level; 18] = [
        level(1, "newcomer", 1, 0, 100.0, 8.0, 63),
        level(2, "beginner", 1, 0, 22.0, 2.0, 62),
        level(3, "learner", 1, 2, 12.0, 0.0, 61),
        level(4, "easy", 1, 4, 7.5, 0.0, 60),
        level(5, "casual", 1, 6, 5.5, 0.0, 59),
        level(6, "regular", 1, 8, 3.85, 0.0, 56),
        level(7, "keen", 2, 8, 3.7, 0.0, 52),
        level(8, "steady", 2, 10, 2.6, 0.0, 44),
        level(9, "club", 2, 10, 1.55, 0.0, 38),
        level(10, "sharp", 2, 12, 0.6, 0.0, 30),
        level(11, "strong", 3, 12, 0.5, 0.0, 22),
        level(12, "tournament", 4, 12, 0.0, 0.0, 16),
        level(13, "champion", 5, 14, 0.0, 0.0, 13),
        level(14, "expert", 6, 16, 0.0, 0.0, 8),
        level(15, "master", 8, 16, 0.0, 0.0, 4),
        level(16, "grandmaster", 10, 18, 0.0, 0.0, 6),
        level(17, "superhuman", 14, 20, 0.0, 0.0, 4),
        level(18, "perfect", 22, 26, 0.0, 0.0, 0),
    ];

    /// The first of [`ALL`](Level::ALL).
    pub const WEAKEST: Level = Level::ALL[0];
    /// The last of [`ALL`](Level::ALL).
    pub const STRONGEST: Level = Level::ALL[Level::ALL.len() - 1];

    /// The level with this number.
    pub fn numbered(number: u8) -> Option<&'static Level> {
        Level::ALL.iter().find(|level| level.number == number)
    }

    /// The level with this name, in either case.
    pub fn named(name: &str) -> Option<&'static Level> {
        Level::ALL.iter().find(|level| level.name.eq_ignore_ascii_case(name))
    }

    /// How far it searches. With a clock, set [`Limits::time`] as well.
    pub fn limits(&self) -> Limits {
        // a careless player must have something to choose from
        let lines = if self.carelessness > 0.0 { usize::MAX } else { 1 };
        Limits { depth: self.depth, solve_at: self.solve_at, lines, ..Limits::default() }
    }

    /// The move this level takes of the lines that a search with its [`limits`](Level::limits) found. The same seed and
    /// position give the same move; `None` if the game is over.
    ///
    /// ```
    /// use engine::{Engine, Evaluator, Level, Options};
    /// use rules::Position;
    /// let mut engine = Engine::new(Evaluator::blank(), Options::default());
    /// let start = Position::start();
    /// let analysis = engine.search(&start, &Level::WEAKEST.limits(), &mut |_| {});
    /// assert!(start.legal().contains(Level::WEAKEST.pick(&analysis, &start, 1).unwrap()));
    /// ```
    pub fn pick(&self, analysis: &Analysis, position: &Position, seed: u64) -> Option<Square> {
        let best = analysis.best()?;
        if self.carelessness <= 0.0 || best.is_proven() && self.greed == 0.0 && position.empty().len() <= self.solve_at
        {
            return Some(best.square);
        }
        let liking = |line: &crate::Line| line.score as f32 + self.greed * position.flips(line.square).len() as f32;
        let most = analysis.lines.iter().map(liking).fold(f32::MIN, f32::max);
        let weights: Vec<f32> =
            analysis.lines.iter().map(|line| ((liking(line) - most) / self.carelessness).exp()).collect();
        let mut left = weights.iter().sum::<f32>() * chance(position, seed);
        for (line, weight) in analysis.lines.iter().zip(weights) {
            left -= weight;
            if left <= 0.0 {
                return Some(line.square);
            }
        }
        Some(best.square)
    }
}

/// A number from 0 to 1 that seed and position decide.
fn chance(position: &Position, seed: u64) -> f32 {
    let discs = position.discs();
    let mut mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for part in [discs.black.0, discs.white.0, 1] {
        // SplitMix64's finish
        mixed = (mixed ^ part).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
    }
    (mixed >> 40) as f32 / (1u64 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Confidence, Line};

    fn line(square: Square, score: i32) -> Line {
        let variation = vec![square];
        Line {
            square,
            score,
            bound: Bound::Exact,
            depth: 1,
            to_the_end: false,
            confidence: Confidence::Percent73,
            variation,
        }
    }

    #[test]
    fn the_ladder_is_numbered_and_named_once() {
        for (level, number) in Level::ALL.iter().zip(1..) {
            assert_eq!(level.number, number);
            assert_eq!(Level::numbered(number), Some(level));
            assert_eq!(Level::named(&level.name.to_uppercase()), Some(level));
        }
        assert_eq!(Level::STRONGEST.carelessness, 0.0);
        assert_eq!(Level::numbered(0), None);
        assert_eq!(Level::named("nobody"), None);
    }

    #[test]
    fn bad_moves_are_rare_and_terrible_ones_rarer() {
        let position = Position::start();
        let lines = vec![line(Square::D3, 2), line(Square::C4, -1), line(Square::F5, -6), line(Square::E6, -30)];
        let analysis = Analysis { lines, ..Analysis::default() };
        let level = Level { carelessness: 4.0, greed: 0.0, ..Level::WEAKEST };
        let mut count = [0; 64];
        for seed in 0..4000 {
            let square = level.pick(&analysis, &position, seed).unwrap();
            assert_eq!(level.pick(&analysis, &position, seed), Some(square), "the same seed, the same move");
            count[square.index()] += 1;
        }
        let [best, second, third, worst] = [Square::D3, Square::C4, Square::F5, Square::E6].map(|s| count[s.index()]);
        assert!(best > second && second > third && third > 20 * worst.max(1) / 2, "{best} {second} {third} {worst}");
        assert_eq!(Level::STRONGEST.pick(&analysis, &position, 7), Some(Square::D3));
    }

    #[test]
    fn greed_likes_discs() {
        // after f5 d6 White has turned; c3 turns one disc, f7 too; the table only has to see that flips count
        let position = Position::start().play(Square::F5).unwrap().after;
        let lines: Vec<Line> = position.legal().iter().map(|square| line(square, 0)).collect();
        let analysis = Analysis { lines, ..Analysis::default() };
        let level = Level { carelessness: 0.01, greed: 5.0, ..Level::WEAKEST };
        let most = position.legal().iter().map(|square| position.flips(square).len()).max();
        let square = level.pick(&analysis, &position, 3).unwrap();
        assert_eq!(Some(position.flips(square).len()), most);
    }
}

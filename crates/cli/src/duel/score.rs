//! What many games prove: points, Elo with its error, and the sequential probability ratio test.
//!
//! Games come in pairs from one opening with colours swapped, and the pair is what is counted: an unbalanced opening
//! then costs nothing. (Pentanomial statistics, as chess testers use them.)
//!
//! A few games, or games that all end alike, seem to leave no doubt at all: nobody lost, so the difference would be
//! infinite; every pair was shared, so the error would be nothing. So half a game won and half a game lost are added
//! to what was played before anything is concluded from it (a prior; after a hundred games it no longer shows). The
//! interval is symmetric in Elo, not in points: that way it never leaves the range that points can have.

/// What one game was worth to the first player, in discs; a game lost without regard to discs is 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Points(pub(crate) i8);

impl Points {
    fn value(self) -> f64 {
        0.5 + 0.5 * f64::from(self.0.signum())
    }
}

/// A number that is not known exactly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Interval {
    pub(crate) value: f64,
    /// It is at least this, with 95 % certainty.
    pub(crate) low: f64,
    /// And at most this.
    pub(crate) high: f64,
}

/// The first player's games so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
    discs: i64,
    /// Mean points of each pair that is complete.
    pairs: Vec<f64>,
    /// The first game of a pair whose second is not there yet.
    halves: Vec<(u32, f64)>,
}

impl Score {
    /// Counts game `number`: 0 and 1 are the first pair, 2 and 3 the second.
    pub(crate) fn add(&mut self, number: u32, points: Points) {
        match points.0.signum() {
            1 => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
        self.discs += i64::from(points.0);
        match self.halves.iter().position(|&(pair, _)| pair == number / 2) {
            Some(at) => {
                let (_, first) = self.halves.swap_remove(at);
                self.pairs.push((first + points.value()) / 2.0);
            }
            None => self.halves.push((number / 2, points.value())),
        }
    }

    pub(crate) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points won, 0 to 1.
    pub(crate) fn mean(&self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games().max(1))
    }

    /// Discs a game.
    pub(crate) fn discs(&self) -> f64 {
        self.discs as f64 / f64::from(self.games().max(1))
    }

    /// Elo with its 95 % interval, from complete pairs and the prior; nothing before the first pair is complete.
    pub(crate) fn elo(&self) -> Option<Interval> {
        if self.pairs.is_empty() {
            return None;
        }
        // of a pair, half a game is a quarter
        let weighted = self.pairs.iter().map(|&pair| (pair, 1.0)).chain([(0.0, 0.25), (1.0, 0.25)]);
        let count = self.pairs.len() as f64 + 0.5;
        let mean = weighted.clone().map(|(pair, weight)| pair * weight).sum::<f64>() / count;
        let variance = weighted.map(|(pair, weight)| weight * (pair - mean).powi(2)).sum::<f64>() / count;
        let error = 1.96 * (variance / count).sqrt() / (mean * (1.0 - mean)) * 400.0 / std::f64::consts::LN_10;
        let value = elo(mean);
        Some(Interval { value, low: value - error, high: value + error })
    }

    /// The points won, 0 to 1, with their 95 % interval.
    pub(crate) fn points(&self) -> Option<Interval> {
        let Interval { low, high, .. } = self.elo()?;
        // what was played lies inside, whatever the prior says
        let value = self.mean();
        Some(Interval { value, low: expected(low).min(value), high: expected(high).max(value) })
    }

    fn spread(&self) -> Option<(f64, f64)> {
        let count = self.pairs.len() as f64;
        if count < 2.0 {
            return None;
        }
        let mean = self.pairs.iter().sum::<f64>() / count;
        let variance = self.pairs.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Some((mean, variance))
    }

    /// The log-likelihood ratio of "stronger by `high` Elo" against "stronger by `low`".
    pub(crate) fn ratio(&self, low: f64, high: f64) -> Option<f64> {
        let (mean, variance) = self.spread()?;
        let (low, high) = (expected(low), expected(high));
        // a match without surprise would prove anything
        let variance = variance.max(1e-3);
        Some(self.pairs.len() as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance))
    }
}

/// Where a ratio proves something with errors of 5 %.
pub(crate) const PROOF: f64 = 2.944;

/// The Elo difference at which a player scores so much, more than nothing and less than everything.
fn elo(mean: f64) -> f64 {
    400.0 * (mean / (1.0 - mean)).log10()
}

/// What a player that is so much stronger scores.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(games: &[i8]) -> Score {
        let mut score = Score::default();
        games.iter().zip(0..).for_each(|(&discs, number)| score.add(number, Points(discs)));
        score
    }

    #[test]
    fn points_and_discs_are_counted() {
        let score = score(&[10, -4, 0, 64]);
        assert_eq!((score.wins, score.draws, score.losses, score.games()), (2, 1, 1, 4));
        assert_eq!((score.mean(), score.discs()), (0.625, 17.5));
    }

    #[test]
    fn pairs_of_one_opening_tell_little_when_the_opening_decides() {
        // whoever has Black wins: no difference, and hardly a doubt about it, where a hundred single games leave ± 68
        let decided = score(&[20, -20].repeat(50)).elo().unwrap();
        assert!(decided.value.abs() < 1e-9 && decided.low > -10.0 && decided.high < 10.0, "{decided:?}");
        assert!(decided.low < -1.0 && decided.high > 1.0, "but a doubt there is: {decided:?}");
    }

    #[test]
    fn nothing_is_ever_infinite_or_without_doubt() {
        for games in [&[-64, -64, -64, -64][..], &[2, 2], &[2, -2, 2, -2, 2, -2, 2, -2], &[0, 0], &[64; 500]] {
            let score = score(games);
            for Interval { value, low, high } in [score.elo().unwrap(), score.points().unwrap()] {
                assert!([value, low, high].iter().all(|number| number.is_finite()), "{games:?}");
                assert!(low <= value && value <= high && low < high, "{low} {value} {high}");
            }
            let points = score.points().unwrap();
            assert!((0.0..=1.0).contains(&points.low) && (0.0..=1.0).contains(&points.high), "{points:?}");
            assert!(points.high - points.low > 1e-4, "{points:?}");
        }
        assert!(score(&[-64; 4]).elo().unwrap().high > 0.0, "four games prove little");
        assert!(score(&[-64; 40]).elo().unwrap().high < 0.0, "forty do");
        assert_eq!((score(&[2]).elo(), score(&[]).points()), (None, None));
    }

    #[test]
    fn many_games_are_as_sure_as_the_textbook_says() {
        // 600 won, 400 lost, and the games of a pair know nothing of each other: 60 % ± 3.04 %
        let games = [[2, 2].repeat(180), [2, -2].repeat(240), [-2, -2].repeat(80)].concat();
        let points = score(&games).points().unwrap();
        assert!((points.value - 0.6).abs() < 1e-9 && (points.high - points.low - 0.0607).abs() < 0.003, "{points:?}");
        let many = score(&games).elo().unwrap();
        assert!((many.value - elo(0.6)).abs() < 0.3, "{many:?}");
    }

    #[test]
    fn elo_is_the_usual_one() {
        assert!((elo(0.75) - 190.8).abs() < 0.1);
        assert!((expected(elo(0.6)) - 0.6).abs() < 1e-9);
    }

    #[test]
    fn the_ratio_grows_with_proof() {
        let strong = score(&[2, 2, 2, -2].repeat(60));
        let even = score(&[2, -2, -2, 2].repeat(60));
        let weak = score(&[-2, -2, -2, 2].repeat(60));
        assert!(strong.ratio(0.0, 10.0).unwrap() > PROOF);
        assert!(weak.ratio(0.0, 10.0).unwrap() < -PROOF);
        assert!(even.ratio(0.0, 10.0).unwrap() < 0.0);
        assert_eq!(score(&[2]).ratio(0.0, 10.0), None);
    }

    #[test]
    fn games_may_end_in_any_order() {
        let mut one = Score::default();
        for (number, discs) in [(3, 2), (0, 2), (2, -2), (1, 2)] {
            one.add(number, Points(discs));
        }
        let other = score(&[2, 2, -2, 2]);
        assert_eq!((one.mean(), one.elo()), (other.mean(), other.elo()));
    }
}

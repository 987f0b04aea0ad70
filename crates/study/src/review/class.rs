//! How bad a move was, in a word: [`Class`], by [`Thresholds`] that anyone may move.

use serde::{Deserialize, Serialize};

/// How good or bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// It loses nothing.
    Best,
    /// It loses next to nothing.
    Good,
    /// It loses a little.
    Inaccuracy,
    /// It loses much.
    Mistake,
    /// It loses very much.
    Blunder,
}

/// The most discs a move of each class may lose; a blunder loses more than a mistake.
///
/// ```
/// use study::review::{Class, Thresholds};
/// let usual = Thresholds::default();
/// assert_eq!([0, 1, 3, 8, 9].map(|loss| usual.class(loss)), [
///     Class::Best,
///     Class::Good,
///     Class::Inaccuracy,
///     Class::Mistake,
///     Class::Blunder,
/// ]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// The most a good move loses.
    pub good: i32,
    /// The most an inaccuracy loses.
    pub inaccuracy: i32,
    /// The most a mistake loses.
    pub mistake: i32,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { good: 1, inaccuracy: 3, mistake: 8 }
    }
}

impl Thresholds {
    /// The class of a move that surely loses so many discs.
    pub fn class(&self, loss: i32) -> Class {
        match loss {
            ..=0 => Class::Best,
            loss if loss <= self.good => Class::Good,
            loss if loss <= self.inaccuracy => Class::Inaccuracy,
            loss if loss <= self.mistake => Class::Mistake,
            _ => Class::Blunder,
        }
    }

    /// The class of a move that probably loses `loss` discs and surely `least`; `None` while it is not sure.
    ///
    /// What accuses must be sure: an inaccuracy is no good move, a mistake is no inaccuracy. How bad a mistake is may be a
    /// guess: who surely made one hears *blunder* where that is likely.
    ///
    /// ```
    /// use study::review::{Class, Thresholds};
    /// let usual = Thresholds::default();
    /// assert_eq!(usual.stated(7, 4.5), Some(Class::Mistake));
    /// assert_eq!(usual.stated(7, 2.5), None);
    /// assert_eq!(usual.stated(12, 4.5), Some(Class::Blunder));
    /// assert_eq!(usual.stated(1, -3.0), Some(Class::Good));
    /// ```
    pub fn stated(&self, loss: i32, least: f32) -> Option<Class> {
        let class = self.class(loss);
        (class < Class::Inaccuracy || least > self.must_exceed(loss) as f32).then_some(class)
    }

    /// What a move that probably loses so much must surely lose more than before it is called what it seems to be.
    pub(super) fn must_exceed(&self, loss: i32) -> i32 {
        if self.class(loss) <= Class::Inaccuracy { self.good } else { self.inaccuracy }
    }
}

/// What players write behind a move that is worth a look: what accuses, and what changed who wins. Lists, graphs, pages and files
/// mark these moves and no others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ReportMark"))]
pub enum Mark {
    /// An inaccuracy, or a turning point that cost next to nothing.
    #[serde(rename = "?!")]
    Dubious,
    /// A mistake.
    #[serde(rename = "?")]
    Bad,
    /// A blunder.
    #[serde(rename = "??")]
    VeryBad,
}

impl Mark {
    /// The mark of a move; none while its class is not sure.
    ///
    /// ```
    /// use study::review::{Class, Mark};
    /// assert_eq!(Mark::of(Some(Class::Mistake), false), Some(Mark::Bad));
    /// assert_eq!(Mark::of(Some(Class::Good), true), Some(Mark::Dubious));
    /// assert_eq!(Mark::of(Some(Class::Good), false), None);
    /// assert_eq!(Mark::of(None, true), None);
    /// ```
    pub fn of(class: Option<Class>, turning_point: bool) -> Option<Mark> {
        match class? {
            Class::Blunder => Some(Mark::VeryBad),
            Class::Mistake => Some(Mark::Bad),
            Class::Inaccuracy => Some(Mark::Dubious),
            Class::Best | Class::Good => turning_point.then_some(Mark::Dubious),
        }
    }

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Mark::Dubious => "?!",
            Mark::Bad => "?",
            Mark::VeryBad => "??",
        }
    }
}

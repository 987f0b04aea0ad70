//! How a game ended and what it counts: [`Verdict`].

use crate::{Claim, Empties, Overrun, Rules};
use rules::{ByColor, Color, Outcome, Position};
use serde::{Deserialize, Serialize};

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Verdict {
    /// Why no move follows.
    pub ending: Ending,
    /// Who lost all their discs, gave up, ran out of time, left or went away, where the end is one player's.
    #[cfg_attr(feature = "ts", ts(type = "Color | null"))]
    pub whose: Option<Color>,
    /// Who won; nobody in a draw and in a game without a result.
    #[cfg_attr(feature = "ts", ts(type = "Color | null"))]
    pub winner: Option<Color>,
    /// The discs on the board.
    #[cfg_attr(feature = "ts", ts(type = "ByColor<number>"))]
    pub discs: ByColor<u8>,
    /// What the game counts, empties and forfeits included.
    #[cfg_attr(feature = "ts", ts(type = "ByColor<number>"))]
    pub score: ByColor<u8>,
    /// Black's score less White's.
    pub difference: i8,
    /// Who had run out of time first and so scores at best 31–33, by the two-minute rule.
    #[cfg_attr(feature = "ts", ts(type = "Color | null"))]
    pub late: Option<Color>,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All 64 squares have a disc.
    Full,
    /// One colour has no disc left.
    WipedOut,
    /// Neither side can move.
    NoMoves,
    /// One player gave up.
    Resigned,
    /// One player's time ran out.
    OutOfTime,
    /// Another game was begun before the end: no result.
    Scrapped,
    /// One player went away before it had begun in earnest, or never came: no result.
    Aborted,
    /// One player left, and the other claimed the game or called it a draw.
    Left,
}

impl Ending {
    /// Whether the game counts at all.
    pub fn has_result(self) -> bool {
        !matches!(self, Ending::Scrapped | Ending::Aborted)
    }
}

impl Verdict {
    /// The verdict on a board where neither side can move; `late` had run out of time first.
    pub(crate) fn played_out(outcome: Outcome, rules: &Rules, late: Option<Color>) -> Verdict {
        let (ending, whose) = match outcome.ending {
            rules::Ending::Full => (Ending::Full, None),
            rules::Ending::WipedOut(color) => (Ending::WipedOut, Some(color)),
            rules::Ending::NoMoves => (Ending::NoMoves, None),
        };
        let mut score = match rules.empties {
            Empties::ToWinner => outcome.score(),
            Empties::DiscsOnly => outcome.discs,
        };
        if let Some(loser) = late
            && (score[loser] > 31 || outcome.winner() != Some(!loser))
        {
            score[loser] = 31;
            score[!loser] = 33;
        }
        let winner = late.map(|loser| !loser).or(outcome.winner());
        Verdict { ending, whose, winner, discs: outcome.discs, score, difference: difference(score), late }
    }

    /// The verdict when `loser` gives up.
    pub(crate) fn resigned(position: &Position, loser: Color, late: Option<Color>) -> Verdict {
        Verdict::lost(Ending::Resigned, position, loser, 64, late)
    }

    /// The verdict when `loser` has no time left.
    pub(crate) fn out_of_time(position: &Position, loser: Color, rules: &Rules, late: Option<Color>) -> Verdict {
        let won = match rules.overrun {
            Overrun::Loses | Overrun::TwoMinutes => 64,
            Overrun::AtLeast33 => position.count()[!loser].max(33),
        };
        Verdict::lost(Ending::OutOfTime, position, loser, won, late)
    }

    fn lost(ending: Ending, position: &Position, loser: Color, won: u8, late: Option<Color>) -> Verdict {
        let score = ByColor::from_fn(|color| if color == loser { 64 - won } else { won });
        let (whose, winner) = (Some(loser), Some(!loser));
        Verdict { ending, whose, winner, discs: position.count(), score, difference: difference(score), late }
    }

    /// The verdict when `loser` has left, and the other says what is to become of it.
    pub(crate) fn left(position: &Position, loser: Color, what: Claim, late: Option<Color>) -> Verdict {
        let won = if what == Claim::Win { 64 } else { 32 };
        let verdict = Verdict::lost(Ending::Left, position, loser, won, late);
        Verdict { winner: verdict.winner.filter(|_| what == Claim::Win), ..verdict }
    }

    /// The verdict on a game that gave way to another.
    pub(crate) fn scrapped(position: &Position) -> Verdict {
        Verdict::without_result(Ending::Scrapped, position, None)
    }

    /// The verdict on a game that `by` did not want to play, or never came to.
    pub(crate) fn aborted(position: &Position, by: Color) -> Verdict {
        Verdict::without_result(Ending::Aborted, position, Some(by))
    }

    fn without_result(ending: Ending, position: &Position, whose: Option<Color>) -> Verdict {
        let score = ByColor { black: 0, white: 0 };
        Verdict { ending, whose, winner: None, discs: position.count(), score, difference: 0, late: None }
    }
}

fn difference(score: ByColor<u8>) -> i8 {
    score.black as i8 - score.white as i8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    fn verdict(black: u8, white: u8, late: Option<Color>) -> Verdict {
        let outcome = Outcome { discs: ByColor { black, white }, ending: rules::Ending::NoMoves };
        Verdict::played_out(outcome, &Preset::Tournament.rules(), late)
    }

    #[test]
    fn empties_go_to_the_winner_or_to_nobody() {
        let fair = verdict(38, 22, None);
        assert_eq!((fair.score, fair.difference), (ByColor { black: 42, white: 22 }, 20));
        let outcome = Outcome { discs: ByColor { black: 38, white: 22 }, ending: rules::Ending::NoMoves };
        let rules = Rules { empties: Empties::DiscsOnly, ..Preset::Casual.rules() };
        let plain = Verdict::played_out(outcome, &rules, None);
        assert_eq!((plain.score, plain.difference), (outcome.discs, 16));
    }

    #[test]
    fn who_was_late_scores_at_best_31() {
        for (black, white) in [(64, 0), (40, 20), (33, 31), (32, 32), (31, 33), (30, 30)] {
            let verdict = verdict(black, white, Some(Color::Black));
            assert_eq!(verdict.score, ByColor { black: 31, white: 33 }, "{black}-{white}");
            assert_eq!(verdict.winner, Some(Color::White));
        }
        assert_eq!(verdict(20, 40, Some(Color::Black)).score, ByColor { black: 20, white: 44 });
        assert_eq!(verdict(0, 30, Some(Color::Black)).score, ByColor { black: 0, white: 64 });
    }
}

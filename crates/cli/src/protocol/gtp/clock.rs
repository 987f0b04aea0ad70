//! The clocks, as far as the controller has told them.

use engine::pace;
use rules::{ByColor, Color};
use std::time::Duration;

/// Both players' clocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    main: Duration,
    /// Time for so many moves once the main time is gone.
    overtime: Option<(Duration, u32)>,
    pub(super) left: ByColor<Left>,
}

/// What one player has left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Left {
    pub(super) time: Duration,
    /// Moves to make in that time; 0 is the rest of the game.
    pub(super) moves: u32,
}

impl Clock {
    pub(super) fn new(main: Duration, overtime: Option<(Duration, u32)>) -> Clock {
        let left = match overtime {
            Some((time, moves)) if main == Duration::ZERO => Left { time, moves },
            _ => Left { time: main, moves: 0 },
        };
        Clock { main, overtime, left: ByColor { black: left, white: left } }
    }

    /// The same clocks before the first move.
    pub(super) fn again(&self) -> Clock {
        Clock::new(self.main, self.overtime)
    }

    /// The time for the next move.
    pub(super) fn budget(&self, color: Color, empties: u32) -> Duration {
        let gain = self.overtime.map_or(Duration::ZERO, |(time, moves)| time / moves.max(1));
        match self.left[color] {
            Left { time, moves: 0 } if time > Duration::ZERO || self.overtime.is_none() => pace(time, gain, empties),
            Left { moves: 0, .. } => in_time(gain),
            Left { time, moves } => in_time(time / moves),
        }
    }

    /// Counts down by ourselves what a controller may or may not tell us.
    pub(super) fn spend(&mut self, color: Color, time: Duration) {
        let left = &mut self.left[color];
        left.time = left.time.saturating_sub(time);
        match (left.moves, self.overtime) {
            (0, _) => {}
            (1, Some((time, moves))) => *left = Left { time, moves },
            _ => left.moves -= 1,
        }
    }
}

/// What may be thought of the time for a move: a tenth, or what the way to the controller and back may take, is kept.
fn in_time(each: Duration) -> Duration {
    const WAY: Duration = Duration::from_millis(10);
    each - (each / 10).max(WAY.min(each / 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_of_every_kind() {
        let seconds = Duration::from_secs_f64;
        let whole = Clock::new(seconds(300.0), None);
        assert!(whole.budget(Color::Black, 60) < seconds(30.0));
        let each = Clock::new(seconds(0.0), Some((seconds(2.0), 1)));
        assert_eq!(each.budget(Color::White, 60), seconds(1.8));
        let short = Clock::new(seconds(0.0), Some((seconds(0.05), 1)));
        assert_eq!(short.budget(Color::White, 60), seconds(0.04), "answers take time on their way");
        let shortest = Clock::new(seconds(0.0), Some((seconds(0.004), 1)));
        assert_eq!(shortest.budget(Color::White, 60), seconds(0.003));
        let mut over = Clock::new(seconds(0.0), Some((seconds(10.0), 5)));
        assert_eq!(over.budget(Color::White, 60), seconds(1.8));
        for _ in 0..5 {
            over.spend(Color::White, seconds(2.0));
        }
        assert_eq!(over.left.white, Left { time: seconds(10.0), moves: 5 });
        assert_eq!(over.again().left.white, over.left.white);
    }
}

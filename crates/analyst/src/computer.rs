//! What the computer does in a game with people: a move as strong as its level says, and hints.

use crate::{Analyst, Ask, Busy, Job, Owner, Purpose};
use engine::{Analysis, Level, Limits, pace};
use rules::{Position, Square};
use std::time::{Duration, Instant};

/// People wait this long for a move at most, whatever the level would like.
const PATIENCE: Duration = Duration::from_secs(5);
/// And this long for a hint.
const MOMENT: Duration = Duration::from_millis(800);

/// What may go by of a clock before the search begins, one part in so many: it never costs the game.
const IDLE: u32 = 20;

/// The computer's turn in a game.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Whom the computer plays against.
    pub owner: Owner,
    /// The position, which is not over.
    pub position: Position,
    /// How strong the move is to be.
    pub level: Level,
    /// Decides what a careless level chooses.
    pub seed: u64,
    /// What is left on the computer's clock, and what a move gains; `None` in a game without.
    pub clock: Option<(Duration, Duration)>,
}

impl Turn {
    /// How far to search: as the level likes, in the time that its clock and people's patience leave.
    pub fn limits(&self) -> Limits {
        let by_the_clock = |(left, gain)| pace(left, gain, self.position.empty().len());
        let time = self.clock.map_or(PATIENCE, by_the_clock).min(PATIENCE);
        Limits { time: Some(time), ..self.level.limits() }.to_play(&self.position)
    }

    fn ask(&self) -> Ask {
        let limits = self.limits();
        let start_by = self.clock.map(|(left, _)| Instant::now() + left / IDLE);
        Ask { start_by, ..Ask::new(self.owner, Purpose::Move, self.position, limits) }
    }

    /// The level's move; some legal one where the search failed, because a game must go on.
    fn pick(&self, found: Option<Analysis>) -> Option<Square> {
        let picked = found.and_then(|analysis| self.level.pick(&analysis, &self.position, self.seed));
        picked.filter(|square| self.position.legal().contains(*square)).or(self.position.legal().first())
    }
}

impl Analyst {
    /// The computer's move, well within the time it has; `None` if the game is over. Dropping the future ends the search.
    ///
    /// ```
    /// use analyst::{Analyst, Config, Owner, Turn};
    /// use engine::{Evaluator, Level};
    /// use rules::Position;
    ///
    /// let analyst = Analyst::start(Evaluator::blank(), Config::default());
    /// let position = Position::start();
    /// let turn = Turn { owner: Owner::of(1), position, level: Level::WEAKEST, seed: 7, clock: None };
    /// assert!(analyst.blocking_choose(&turn).is_some_and(|square| position.legal().contains(square)));
    /// ```
    pub async fn choose(&self, turn: &Turn) -> Option<Square> {
        let found = match self.ask(turn.ask()) {
            Ok(job) => job.answer().await,
            Err(_) => None,
        };
        turn.pick(found)
    }

    /// As [`choose`](Analyst::choose), outside asynchronous code.
    pub fn blocking_choose(&self, turn: &Turn) -> Option<Square> {
        let found = self.ask(turn.ask()).ok().and_then(Job::blocking_answer);
        turn.pick(found)
    }

    /// Looks for a good move for a moment: the last analysis is the hint.
    ///
    /// # Errors
    ///
    /// [`Busy`] if this person has asked for too much already.
    pub fn hint(&self, owner: Owner, position: Position) -> Result<Job, Busy> {
        self.ask(Ask::new(owner, Purpose::Hint, position, Limits::time(MOMENT)))
    }
}

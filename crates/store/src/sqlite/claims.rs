//! Which games somebody looks after whose deadline has come: [`Claims`].

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};
use table::{At, GameId};

/// For each game the deadline that somebody looks after, and until when.
#[derive(Debug, Default)]
pub(super) struct Claims(Mutex<HashMap<GameId, (At, At)>>);

impl Claims {
    /// How many games to look for, so that `most` of them are free.
    pub(super) fn with_room(&self, most: usize, by: At) -> usize {
        let mut claims = self.lock();
        claims.retain(|_, (_, until)| *until > by);
        most.saturating_add(claims.len())
    }

    /// Takes at most `most` of `due` that nobody has.
    pub(super) fn claim(&self, due: Vec<(At, GameId)>, most: usize, by: At, until: At) -> Vec<(At, GameId)> {
        let mut claims = self.lock();
        let mut free = due;
        free.retain(|(deadline, game)| claims.get(game).is_none_or(|(of, until)| of != deadline || *until <= by));
        free.truncate(most);
        claims.extend(free.iter().map(|(deadline, game)| (game.clone(), (*deadline, until))));
        free
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GameId, (At, At)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

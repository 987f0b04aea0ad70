//! The game as protocols see it: passes are said aloud, and moves can be taken back.

use rules::{Color, Position, Square};

/// A position as both sides of a conversation see it: the rules step over a player who must pass, protocols do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) position: Position,
    /// Whose word is next, were it only to pass; after the end, whose it would be.
    pub(crate) next: Color,
}

impl State {
    /// Whether all that can be said next is a pass.
    pub(crate) fn must_pass(&self) -> bool {
        self.position.turn().is_some_and(|mover| mover != self.next)
    }

    /// What a game that is over is worth to the player whose word would be next.
    pub(crate) fn final_score(&self) -> Option<i32> {
        let black = i32::from(self.position.outcome()?.difference());
        Some(if self.next == Color::Black { black } else { -black })
    }
}

/// A game in progress.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    now: State,
    before: Vec<State>,
}

impl Game {
    /// A game from this position. `next` is who the sender says is to move; they may have to pass first.
    pub(crate) fn from(position: Position, next: Color) -> Game {
        Game { now: State { position, next }, before: Vec::new() }
    }

    pub(crate) fn new() -> Game {
        Game::from(Position::start(), Color::Black)
    }

    pub(crate) fn now(&self) -> State {
        self.now
    }

    pub(crate) fn position(&self) -> Position {
        self.now.position
    }

    /// The player to move, even if all they can do is pass; `None` when the game is over.
    pub(crate) fn turn(&self) -> Option<Color> {
        self.now.position.turn().map(|_| self.now.next)
    }

    /// Whether the player to move must pass.
    pub(crate) fn must_pass(&self) -> bool {
        self.now.must_pass()
    }

    /// The state before each ply so far, passes that were said included, and the present one.
    pub(crate) fn states(&self) -> impl Iterator<Item = State> {
        self.before.iter().copied().chain([self.now])
    }

    /// Plays; `false` if that is illegal. A pass that was due and not said is taken as said.
    #[must_use]
    pub(crate) fn play(&mut self, square: Square) -> bool {
        let Ok(step) = self.now.position.play(square) else { return false };
        self.before.push(self.now);
        self.now = State { position: step.after, next: !step.by };
        true
    }

    /// Passes; `false` if the player has a move.
    #[must_use]
    pub(crate) fn pass(&mut self) -> bool {
        if !self.must_pass() && !self.now.position.is_over() {
            return false;
        }
        self.before.push(self.now);
        self.now.next = !self.now.next;
        true
    }

    /// Takes back the last ply; `false` if there is none.
    pub(crate) fn undo(&mut self) -> bool {
        let Some(before) = self.before.pop() else { return false };
        self.now = before;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_owed_said_and_taken_back() {
        fn find(game: &Game, depth: u32) -> Option<Game> {
            if game.must_pass() {
                return Some(game.clone());
            }
            let legal = if depth == 0 { Default::default() } else { game.position().legal() };
            legal.iter().find_map(|square| {
                let mut next = game.clone();
                assert!(next.play(square));
                find(&next, depth - 1)
            })
        }
        let mut game = find(&Game::new(), 8).unwrap();
        let mover = game.position().turn().unwrap();
        assert_eq!(game.turn(), Some(!mover));
        let plies = game.states().count();
        assert!(game.pass());
        assert_eq!((game.turn(), game.must_pass()), (Some(mover), false));
        assert!(!game.pass());
        assert_eq!(game.states().count(), plies + 1);
        assert!(game.undo());
        assert_eq!(game.turn(), Some(!mover));
        // the pass may also be left out
        let square = game.position().legal().first().unwrap();
        assert!(game.play(square));
        assert!(game.undo());
        assert!(game.must_pass());
    }

    #[test]
    fn nothing_is_taken_back_before_the_first_move() {
        let mut game = Game::new();
        assert!(game.play(Square::F5) && game.play(Square::F6));
        while game.undo() {}
        assert_eq!(game.position(), Position::start());
        assert!(!game.play(Square::A1));
    }
}

//! The game as protocols see it: passes are said aloud, and moves can be taken back.

use rules::{Color, Position, Square};

/// A position, and whether a pass that the rules force has yet to be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct State {
    position: Position,
    owes_pass: bool,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    now: State,
    before: Vec<(State, Option<Square>)>,
}

impl Game {
    /// A game from this position. `turn` is who the sender says is to move; he may have to pass first.
    pub(crate) fn from(position: Position, turn: Color) -> Game {
        let owes_pass = position.turn().is_some_and(|mover| mover != turn);
        Game { now: State { position, owes_pass }, before: Vec::new() }
    }

    pub(crate) fn new() -> Game {
        Game::from(Position::start(), Color::Black)
    }

    pub(crate) fn position(&self) -> Position {
        self.now.position
    }

    /// The player to move, even if all he can do is pass; `None` when the game is over.
    pub(crate) fn turn(&self) -> Option<Color> {
        self.now.position.turn().map(|turn| if self.now.owes_pass { !turn } else { turn })
    }

    /// Whether the player to move must pass.
    pub(crate) fn must_pass(&self) -> bool {
        self.now.owes_pass
    }

    /// Plies so far, passes that were said included, and the position before each.
    pub(crate) fn plies(&self) -> impl Iterator<Item = (Position, Option<Square>)> {
        self.before.iter().map(|(state, square)| (state.position, *square))
    }

    /// Plays; `false` if that is illegal. A pass that was due and not said is taken as said.
    #[must_use]
    pub(crate) fn play(&mut self, square: Square) -> bool {
        let Ok(step) = self.now.position.play(square) else { return false };
        self.before.push((self.now, Some(square)));
        self.now = State { position: step.after, owes_pass: step.passed };
        true
    }

    /// Passes; `false` if the player has a move.
    #[must_use]
    pub(crate) fn pass(&mut self) -> bool {
        if !self.now.owes_pass && !self.now.position.is_over() {
            return false;
        }
        self.before.push((self.now, None));
        self.now.owes_pass = false;
        true
    }

    /// Takes back the last ply; `false` if there is none.
    pub(crate) fn undo(&mut self) -> bool {
        let Some((before, _)) = self.before.pop() else { return false };
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
        let plies = game.plies().count();
        assert!(game.pass());
        assert_eq!((game.turn(), game.must_pass()), (Some(mover), false));
        assert!(!game.pass());
        assert_eq!(game.plies().count(), plies + 1);
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

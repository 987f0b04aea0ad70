//! The player behind the bot, and what it knows of the game.

use crate::duel::{
    external::Trouble,
    player::{Control, Seated, Turn, mix},
};
use rules::{Color, Position, Square};
use std::time::Duration;

pub(super) struct Brain {
    seated: Seated,
    seed: u64,
    /// The moves it has been told of, or made; none before its first game.
    known: Option<Vec<Square>>,
}

/// What came of thinking.
pub(super) enum Thought {
    Move(Square),
    /// It cannot go on, not even from the beginning.
    Trouble(Trouble),
}

impl Brain {
    pub(super) fn new(seated: Seated, seed: u64) -> Brain {
        Brain { seated, seed, known: None }
    }

    /// Its move after those. A player that fails is begun anew once.
    pub(super) fn choose(&mut self, color: Color, moves: &[Square], control: Control) -> Thought {
        for last in [false, true] {
            match self.try_choose(color, moves, control) {
                Ok(square) => return Thought::Move(square),
                Err(trouble) if last => return Thought::Trouble(trouble),
                Err(_) => {
                    self.seated.recover();
                    self.known = None;
                }
            }
        }
        Thought::Trouble(Trouble::NoMove)
    }

    fn try_choose(&mut self, color: Color, moves: &[Square], control: Control) -> Result<Square, Trouble> {
        let mut position = Position::start();
        let told = self.known.take().filter(|known| moves.starts_with(known)).map(|known| known.len());
        // Another game, or moves were taken back.
        if told.is_none() {
            self.seated.begin(color, moves, control)?;
        }
        let told = told.unwrap_or(moves.len());
        for (index, &square) in moves.iter().enumerate() {
            let step = position.play(square).map_err(|_| Trouble::Illegal(square))?;
            if index >= told {
                self.seated.hear(step.by, Some(square))?;
                if step.passed {
                    self.seated.pass(!step.by)?;
                }
            }
            position = step.after;
        }
        self.seed = mix(self.seed);
        let left = if let Control::Game(left) = control { left } else { Duration::ZERO };
        let turn = Turn { position: &position, mover: color, control, left, seed: self.seed };
        let square = self.seated.choose(turn)?;
        let step = position.play(square).map_err(|_| Trouble::Illegal(square))?;
        if step.passed {
            self.seated.hear(!color, None)?;
        }
        self.known = Some([moves, &[square]].concat());
        Ok(square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duel::player::Player;
    use engine::Evaluator;

    #[test]
    fn it_follows_a_game_a_takeback_and_another_game() {
        let player = Player::Mobility.sit_down(1, &Evaluator::blank());
        let mut brain = Brain::new(player, 1);
        let mut choose = |moves: &str, color| {
            let moves: Vec<Square> = moves.split_whitespace().map(|name| name.parse().unwrap()).collect();
            match brain.choose(color, &moves, Control::None) {
                Thought::Move(square) => square,
                Thought::Trouble(trouble) => panic!("{trouble:?}"),
            }
        };
        let first = choose("f5", Color::White);
        assert!(["d6", "f4", "f6"].contains(&first.to_string().as_str()));
        choose(&format!("f5 {first}"), Color::Black);
        assert_eq!(choose("f5", Color::White), first, "taken back");
        choose("d3", Color::White);
    }
}

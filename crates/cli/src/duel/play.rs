//! One game between two players.

use super::{
    external::Trouble,
    player::{Control, Seated, Turn},
};
use engine::Stop;
use rules::{ByColor, Color, Position, Square};
use std::{
    ops::AddAssign,
    time::{Duration, Instant},
};

/// What a player thought about, and for how long.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Spent {
    pub(crate) moves: u32,
    pub(crate) time: Duration,
}

impl Spent {
    /// Seconds a move; none if there was no move.
    pub(crate) fn each(self) -> Option<f64> {
        (self.moves > 0).then(|| self.time.as_secs_f64() / f64::from(self.moves))
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.moves += other.moves;
        self.time += other.time;
    }
}

/// What came of a game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Played {
    /// Black's discs less White's, empties to the winner; 64 against whoever was in trouble.
    pub(crate) difference: i8,
    /// Every move, the opening's included.
    pub(crate) moves: Vec<Square>,
    /// Who could not go on, and why.
    pub(crate) trouble: Option<(Color, Trouble)>,
    /// The moves each player chose, and the time they took by our clock.
    pub(crate) spent: ByColor<Spent>,
}

/// Clocks are read a little late on a busy machine.
const TOLERANCE: Duration = Duration::from_millis(250);

/// Plays a game from an opening; `None` if it was stopped. A player in trouble loses, and is made ready for the next.
pub(crate) fn game(
    mut players: ByColor<&mut Seated>,
    opening: &[Square],
    control: Control,
    seed: u64,
    stop: &Stop,
) -> Option<Played> {
    let mut moves = opening.to_vec();
    let mut spent = ByColor::<Spent>::default();
    let lost = |players: &mut ByColor<&mut Seated>, color: Color, trouble, moves, spent| {
        players[color].recover();
        let difference = if color == Color::Black { -64 } else { 64 };
        Some(Played { difference, moves, trouble: Some((color, trouble)), spent })
    };
    for color in Color::ALL {
        if let Err(trouble) = players[color].begin(color, opening, control) {
            return lost(&mut players, color, trouble, moves, spent);
        }
    }
    let mut position =
        opening.iter().fold(Position::start(), |position, &square| position.play_unchecked(square).after);
    let whole = if let Control::Game(time) = control { time } else { Duration::ZERO };
    let mut left = ByColor { black: whole, white: whole };
    while let Some(mover) = position.turn() {
        if stop.is_set() {
            return None;
        }
        let begun = Instant::now();
        let turn = Turn { position: &position, mover, control, left: left[mover], seed };
        let chosen = players[mover].choose(turn);
        let taken = begun.elapsed();
        spent[mover] += Spent { moves: 1, time: taken };
        let late = match control {
            Control::None => false,
            Control::Move(time) => taken > time.mul_f64(1.1) + TOLERANCE,
            Control::Game(_) => taken > left[mover] + TOLERANCE,
        };
        left[mover] = left[mover].saturating_sub(taken);
        let chosen = chosen.and_then(|square| match position.play(square) {
            Err(_) => Err(Trouble::Illegal(square)),
            Ok(_) if late => Err(Trouble::Time),
            Ok(step) => Ok(step),
        });
        let step = match chosen {
            Ok(step) => step,
            Err(trouble) => return lost(&mut players, mover, trouble, moves, spent),
        };
        moves.push(step.square);
        position = step.after;
        if let Err(trouble) = players[!mover].hear(mover, Some(step.square)) {
            return lost(&mut players, !mover, trouble, moves, spent);
        }
        if step.passed {
            for color in [!mover, mover] {
                let told = if color == mover { players[color].hear(!mover, None) } else { players[color].pass(color) };
                if let Err(trouble) = told {
                    return lost(&mut players, color, trouble, moves, spent);
                }
            }
        }
    }
    let difference = position.outcome().map_or(0, |outcome| outcome.difference());
    Some(Played { difference, moves, trouble: None, spent })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duel::player::Player;
    use engine::Evaluator;

    #[test]
    fn games_are_legal_and_repeat_themselves() {
        let eval = Evaluator::blank();
        let mut random = Player::Random.sit_down(1, &eval);
        let mut mobile = Player::Mobility.sit_down(1, &eval);
        let opening = ["f5", "d6", "c3"].map(|name| name.parse().unwrap());
        let mut play = |seed| {
            let players = ByColor { black: &mut random, white: &mut mobile };
            game(players, &opening, Control::None, seed, &Stop::default()).unwrap()
        };
        let first = play(1);
        let again = play(1);
        assert_eq!((&first.moves, first.difference, &first.trouble), (&again.moves, again.difference, &None));
        assert_ne!(first.moves, play(2).moves);
        assert_eq!(first.moves[..3], opening);
        // the opening is nobody's thought
        assert_eq!((first.spent.black.moves + first.spent.white.moves) as usize, first.moves.len() - 3);
        assert_eq!(Spent::default().each(), None);
        let end = first.moves.iter().fold(Position::start(), |position, &square| position.play(square).unwrap().after);
        assert_eq!(end.outcome().unwrap().difference(), first.difference);
    }

    #[test]
    fn an_engine_that_cannot_run_loses() {
        let eval = Evaluator::blank();
        let player = Player::named("gtp:/nowhere/at/all").unwrap();
        let (mut gone, mut mobile) = (player.sit_down(1, &eval), Player::Mobility.sit_down(1, &eval));
        let players = ByColor { black: &mut mobile, white: &mut gone };
        let played = game(players, &[], Control::None, 1, &Stop::default()).unwrap();
        assert_eq!(played.difference, 64);
        assert!(matches!(played.trouble, Some((Color::White, Trouble::NotStarted(_)))));
    }
}

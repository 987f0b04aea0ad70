//! A board with a player to move who can, or a game that is over: [`Position`].

use crate::{Bitboard, Board, ByColor, Color, Ending, Outcome, Setup, Square};
use core::fmt;

/// A state of the game.
///
/// It never rests on a player who must pass: after a move that leaves the opponent without a reply the turn comes
/// back by itself, and the [`Step`] says so. When neither side can move the game is over and [`outcome`] tells
/// the result.
///
/// ```
/// use rules::{Color, Position, Square};
/// let start = Position::start();
/// assert_eq!(start.turn(), Some(Color::Black));
/// let step = start.play(Square::F5)?;
/// assert_eq!(step.flips, Square::E5.into());
/// assert!(!step.passed);
/// assert_eq!(step.after.turn(), Some(Color::White));
/// # Ok::<(), rules::IllegalMove>(())
/// ```
///
/// [`outcome`]: Position::outcome
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    discs: ByColor<Bitboard>,
    turn: Color,
    legal: Bitboard, // empty exactly when the game is over
}

/// What one move did: enough to show it, to write it down, and to go on from there.
///
/// ```
/// use rules::{Color, Position, Square};
/// let step = Position::start().play(Square::F5)?;
/// assert_eq!((step.by, step.square, step.flips.len()), (Color::Black, Square::F5, 1));
/// let reply = step.after.play(Square::D6)?;
/// assert_eq!(reply.by, Color::White);
/// # Ok::<(), rules::IllegalMove>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The player who moved.
    pub by: Color,
    /// Where the disc was placed.
    pub square: Square,
    /// The discs that turned.
    pub flips: Bitboard,
    /// The opponent has no reply and the game goes on: they pass, and the same player moves again.
    pub passed: bool,
    /// The position that results.
    pub after: Position,
}

/// Why a square cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A disc lies there.
    Occupied,
    /// The move would turn no disc.
    TurnsNothing,
    /// The game has ended.
    GameOver,
}

/// A move that the rules do not allow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IllegalMove {
    /// The square that was asked for.
    pub square: Square,
    /// What is wrong with it.
    pub reason: Reason,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let square = self.square;
        match self.reason {
            Reason::Occupied => write!(f, "{square} already has a disc"),
            Reason::TurnsNothing => write!(f, "{square} turns no disc"),
            Reason::GameOver => write!(f, "{square} comes after the end of the game"),
        }
    }
}

impl core::error::Error for IllegalMove {}

impl Position {
    /// The position before the first move: white on d4 and e5, black on d5 and e4, Black to move.
    pub fn start() -> Position {
        let Board { mover: black, other: white } = Board::START;
        Position::settle(ByColor { black, white }, Color::Black)
    }

    /// Gives the turn to `turn` if they can move, else to the other.
    pub(crate) fn settle(discs: ByColor<Bitboard>, turn: Color) -> Position {
        let board = Board { mover: discs[turn], other: discs[!turn] };
        let legal = board.legal();
        if !legal.is_empty() {
            return Position { discs, turn, legal };
        }
        let legal = board.pass().legal();
        // A finished game keeps the turn it was given: two ways to reach one final board may then differ only there.
        Position { discs, turn: if legal.is_empty() { turn } else { !turn }, legal }
    }

    /// The player to move, who has a move; `None` when the game is over.
    #[inline]
    pub fn turn(&self) -> Option<Color> {
        (!self.is_over()).then_some(self.turn)
    }

    /// The squares where the player to move may play; none when the game is over.
    ///
    /// ```
    /// use rules::Position;
    /// let names: Vec<_> = Position::start().legal().iter().map(|square| square.to_string()).collect();
    /// assert_eq!(names, ["d3", "c4", "f5", "e6"]);
    /// ```
    #[inline]
    pub fn legal(&self) -> Bitboard {
        self.legal
    }

    /// Whether neither side can move.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.legal.is_empty()
    }

    /// The discs of each colour.
    #[inline]
    pub fn discs(&self) -> ByColor<Bitboard> {
        self.discs
    }

    /// How many discs each colour has.
    pub fn count(&self) -> ByColor<u8> {
        self.discs.map(|discs| discs.len() as u8)
    }

    /// The colour of the disc on `square`.
    ///
    /// ```
    /// use rules::{Color, Position, Square};
    /// assert_eq!(Position::start().at(Square::D4), Some(Color::White));
    /// assert_eq!(Position::start().at(Square::A1), None);
    /// ```
    pub fn at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.discs[color].contains(square))
    }

    /// The squares without a disc.
    pub fn empty(&self) -> Bitboard {
        !(self.discs.black | self.discs.white)
    }

    /// The discs from the mover's side. When the game is over, from the side of whoever would have been next.
    #[inline]
    pub fn board(&self) -> Board {
        Board { mover: self.discs[self.turn], other: self.discs[!self.turn] }
    }

    /// Squares whose discs turn if the player to move plays on `square`; empty if the move is illegal.
    ///
    /// ```
    /// # use rules::{Position, Square};
    /// assert_eq!(Position::start().flips(Square::F5), Square::E5.into());
    /// ```
    pub fn flips(&self, square: Square) -> Bitboard {
        if self.legal.contains(square) { self.board().flips(square) } else { Bitboard::EMPTY }
    }

    /// Plays on `square`, turns every outflanked disc, and moves on past a forced pass.
    ///
    /// # Errors
    ///
    /// [`IllegalMove`] says why the square cannot be played; the position is unchanged.
    ///
    /// ```
    /// use rules::{Position, Reason, Square};
    /// let error = Position::start().play(Square::D4).unwrap_err();
    /// assert_eq!(error.reason, Reason::Occupied);
    /// assert_eq!(error.to_string(), "d4 already has a disc");
    /// ```
    pub fn play(&self, square: Square) -> Result<Step, IllegalMove> {
        if self.legal.contains(square) {
            return Ok(self.play_unchecked(square));
        }
        let reason = if self.is_over() {
            Reason::GameOver
        } else if self.empty().contains(square) {
            Reason::TurnsNothing
        } else {
            Reason::Occupied
        };
        Err(IllegalMove { square, reason })
    }

    /// Plays on a square that you know to be in [`legal`](Position::legal).
    ///
    /// On any other square the result is a position that no game reaches, though nothing unsafe.
    pub fn play_unchecked(&self, square: Square) -> Step {
        let by = self.turn;
        let flips = self.board().flips(square);
        let mut discs = self.discs;
        discs[by] = discs[by] ^ flips ^ square.into();
        discs[!by] = discs[!by] ^ flips;
        let after = Position::settle(discs, !by);
        Step { by, square, flips, passed: after.turn() == Some(by), after }
    }

    /// The result, once neither side can move. Resignations and clocks are for the layers above.
    ///
    /// ```
    /// use rules::{Color, Ending, Position};
    /// let mut position = Position::start();
    /// for name in ["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6", "e3"] {
    ///     position = position.play(name.parse()?)?.after;
    /// }
    /// let outcome = position.outcome().unwrap();
    /// assert_eq!(outcome.ending, Ending::WipedOut(Color::White));
    /// assert_eq!(outcome.to_string(), "64-0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let ending = if self.empty().is_empty() {
            Ending::Full
        } else if let Some(color) = Color::ALL.into_iter().find(|&color| self.discs[color].is_empty()) {
            Ending::WipedOut(color)
        } else {
            Ending::NoMoves
        };
        Some(Outcome { discs: self.count(), ending })
    }

    /// The same discs and turn as anyone may type them.
    pub fn setup(&self) -> Setup {
        Setup { black: self.discs.black, white: self.discs.white, turn: self.turn }
    }
}

/// The position before the first move.
impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

/// Eight lines of `X`, `O` and `-`, then a line naming the player to move.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..8 {
            for column in 0..8 {
                let disc = Square::at(column, row).and_then(|square| self.at(square));
                write!(f, "{}", disc.map_or('-', Color::letter))?;
            }
            writeln!(f)?;
        }
        match self.turn() {
            Some(color) => write!(f, "{color} to move"),
            None => f.write_str("game over"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> (Position, Vec<Step>) {
        let mut position = Position::start();
        let mut steps = Vec::new();
        for name in moves.as_bytes().chunks(2) {
            let square = core::str::from_utf8(name).unwrap().parse().unwrap();
            let step = position.play(square).unwrap();
            position = step.after;
            steps.push(step);
        }
        (position, steps)
    }

    #[test]
    fn the_start_is_as_the_rules_say() {
        let start = Position::start();
        assert_eq!(start.at(Square::D4), Some(Color::White));
        assert_eq!(start.at(Square::E5), Some(Color::White));
        assert_eq!(start.at(Square::D5), Some(Color::Black));
        assert_eq!(start.at(Square::E4), Some(Color::Black));
        assert_eq!(start.turn(), Some(Color::Black));
        let legal: Bitboard = [Square::D3, Square::C4, Square::F5, Square::E6].into_iter().collect();
        assert_eq!(start.legal(), legal);
        assert_eq!(start.outcome(), None);
    }

    #[test]
    fn a_forced_pass_is_taken_and_told() {
        // The shortest way to a pass: White has no reply to Black's eighth ply.
        let mut shortest = None;
        let mut line = Vec::new();
        fn find(position: Position, depth: usize, line: &mut Vec<Step>, found: &mut Option<Vec<Step>>) {
            if found.is_some() || depth == 0 {
                return;
            }
            for square in position.legal() {
                let step = position.play_unchecked(square);
                line.push(step);
                if step.passed {
                    found.get_or_insert_with(|| line.clone());
                }
                find(step.after, depth - 1, line, found);
                line.pop();
            }
        }
        find(Position::start(), 8, &mut line, &mut shortest);
        let line = shortest.expect("a pass is possible within eight moves");
        let last = line.last().unwrap();
        assert!(last.passed);
        assert_eq!(last.after.turn(), Some(last.by));
        assert!(!last.after.legal().is_empty());
    }

    #[test]
    fn nothing_can_be_played_after_the_end() {
        let (position, steps) = after("f5f4c3e6f7g6g4e8g8g5h5");
        assert!(position.is_over());
        assert_eq!(position.turn(), None);
        assert!(!steps.last().unwrap().passed);
        let outcome = position.outcome().unwrap();
        assert_eq!(outcome.ending, Ending::NoMoves);
        assert_eq!(outcome.discs, ByColor { black: 14, white: 1 });
        assert_eq!(outcome.to_string(), "63-1");
        let error = position.play(Square::A1).unwrap_err();
        assert_eq!(error.reason, Reason::GameOver);
    }

    #[test]
    fn illegal_moves_say_why() {
        let start = Position::start();
        assert_eq!(start.play(Square::E4).unwrap_err().reason, Reason::Occupied);
        let error = start.play(Square::A1).unwrap_err();
        assert_eq!(error.reason, Reason::TurnsNothing);
        assert_eq!(error.to_string(), "a1 turns no disc");
    }
}

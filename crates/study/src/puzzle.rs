//! Puzzles: endgames in which exactly one move wins, or exactly one saves the draw, and midgames in which one move is clearly
//! the best.
//!
//! # Reading and writing
//!
//! One puzzle a line, in three parts with a space between: the moves that lead to it from the usual start, the grade, and each
//! legal move with its score for the mover, best first, as in `h6+10g8+0a1-4`. The solution is the first of them. With [`MIDGAME`] empties or more the
//! scores are those of a deep search, with fewer they are exact.

use rules::{Bitboard, Position, Square};
use std::{fmt, str::FromStr, sync::OnceLock};

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Task {
    /// One move wins, every other draws or loses.
    OnlyWin,
    /// One move draws, every other loses.
    OnlyDraw,
    /// Long before the end one move is better than every other by [`MARGIN`] discs at least.
    BestMove,
}

/// Something that is true of a solution, whoever looks at it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Theme {
    /// A corner could be taken, and should not be.
    CornerRefused,
    /// The opponent gets a corner by it that they could not have taken before.
    CornerGiven,
    /// It is played diagonally beside an empty corner.
    XSquare,
    /// It is played along the edge beside an empty corner.
    CSquare,
    /// The opponent must pass at once.
    Pass,
    /// It turns only discs that have no empty square beside them.
    Quiet,
    /// It begins a region with an odd number of empty squares, though one with an even number could be begun.
    Parity,
}

impl Theme {
    /// All of them.
    pub const ALL: [Theme; 7] = [
        Theme::CornerRefused,
        Theme::CornerGiven,
        Theme::XSquare,
        Theme::CSquare,
        Theme::Pass,
        Theme::Quiet,
        Theme::Parity,
    ];
}

/// A position with one solution.
///
/// ```
/// use study::puzzle::{Puzzle, Task};
/// let puzzle = &Puzzle::shipped()[0];
/// let best = puzzle.scores.iter().map(|(_, score)| *score).max().unwrap();
/// assert!(puzzle.scores.iter().all(|&(square, score)| square == puzzle.solution || score < best));
/// assert_eq!(puzzle.task == Task::OnlyWin, best > 0);
/// assert_eq!(puzzle.to_string().parse(), Ok(puzzle.clone()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The moves that lead there.
    pub moves: Vec<Square>,
    /// Where it is to be found.
    pub position: Position,
    /// What is to be done.
    pub task: Task,
    /// The only move that does it.
    pub solution: Square,
    /// Every legal move with its score for the mover, best first.
    pub scores: Vec<(Square, i8)>,
    /// How hard it is, from 1 to [`HARDEST`].
    pub grade: u8,
    /// What is true of the solution.
    pub themes: Vec<Theme>,
}

/// The grade of the hardest puzzles.
pub const HARDEST: u8 = 5;
/// With so many empties or more the best move is asked for, and not the only one that wins or draws.
pub const MIDGAME: u32 = 24;
/// So many discs, by a search, the best move of the midgame is better than every other.
pub const MARGIN: i8 = 4;

/// Why a line is no puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadPuzzle;

impl fmt::Display for BadPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this line is not a puzzle")
    }
}

impl std::error::Error for BadPuzzle {}

impl Puzzle {
    /// The endgames made by our engine.
    pub fn shipped() -> &'static [Puzzle] {
        static SHIPPED: OnceLock<Vec<Puzzle>> = OnceLock::new();
        // A test reads every line.
        SHIPPED.get_or_init(|| include_str!("../data/puzzles.txt").lines().flat_map(str::parse).collect())
    }

    /// The midgames made by our engine.
    pub fn midgames() -> &'static [Puzzle] {
        static MIDGAMES: OnceLock<Vec<Puzzle>> = OnceLock::new();
        // A test reads every line.
        MIDGAMES.get_or_init(|| include_str!("../data/midgames.txt").lines().flat_map(str::parse).collect())
    }

    /// The puzzle after these moves, where each move has this score, if one of them stands alone: the only one that wins or the
    /// only one that draws, or long before the end the clearly best. `sees_at` is the number of plies from which on a search
    /// finds the solution.
    pub fn new(moves: Vec<Square>, mut scores: Vec<(Square, i8)>, sees_at: u32) -> Option<Puzzle> {
        let position = after(&moves)?;
        scores.sort_by_key(|&(square, score)| (-score, square));
        let (task, solution) = task(&position, &scores)?;
        let themes = themes(&position, solution);
        let grade = grade(&position, solution, sees_at);
        Some(Puzzle { moves, position, task, solution, scores, grade, themes })
    }

    /// Whether the scores are proven.
    pub fn is_exact(&self) -> bool {
        self.task != Task::BestMove
    }
}

/// The position after these moves, if they can be played.
fn after(moves: &[Square]) -> Option<Position> {
    moves.iter().try_fold(Position::start(), |position, &square| Some(position.play(square).ok()?.after))
}

/// What is to be done where moves, best first, have these scores, and the only move that does it.
fn task(position: &Position, scores: &[(Square, i8)]) -> Option<(Task, Square)> {
    let [(solution, best), (_, second), ..] = scores else { return None };
    match (best, second) {
        _ if is_midgame(position) => (best - second >= MARGIN).then_some((Task::BestMove, *solution)),
        (1.., ..=0) => Some((Task::OnlyWin, *solution)),
        (0, ..=-1) => Some((Task::OnlyDraw, *solution)),
        _ => None,
    }
}

fn is_midgame(position: &Position) -> bool {
    position.empty().len() >= MIDGAME
}

const CORNERS: [Square; 4] = [Square::A1, Square::H1, Square::A8, Square::H8];

fn corners() -> Bitboard {
    CORNERS.into_iter().collect()
}

/// The squares beside these, in eight directions.
fn beside(squares: Bitboard) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for square in squares {
        let (column, row) = (square.column() as i8, square.row() as i8);
        for (x, y) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
            if let (Ok(column), Ok(row)) = (u8::try_from(column + x), u8::try_from(row + y))
                && let Some(next) = Square::at(column, row)
            {
                all |= Bitboard::from(next);
            }
        }
    }
    all
}

/// The empty squares that hang together with one of them.
fn region(empty: Bitboard, square: Square) -> Bitboard {
    let mut found = Bitboard::from(square);
    loop {
        let more = (found | beside(found)) & empty;
        if more == found {
            return found;
        }
        found = more;
    }
}

/// What is true of a move.
fn themes(position: &Position, solution: Square) -> Vec<Theme> {
    let step = position.play_unchecked(solution);
    let empty = position.empty();
    let left = step.after.empty();
    let taken = corners() & position.legal();
    let corner = CORNERS.into_iter().find(|&corner| beside(corner.into()).contains(solution) && empty.contains(corner));
    let odd = |square| region(empty, square).len() % 2 == 1;
    // what the opponent could take if it were their turn now
    let before = position.board().pass().legal() & corners();
    let holds = |theme: &Theme| match theme {
        Theme::CornerRefused => !taken.is_empty() && !taken.contains(solution),
        Theme::CornerGiven => !step.passed && !((step.after.legal() & corners()) & !before).is_empty(),
        Theme::XSquare => {
            corner.is_some_and(|corner| corner.column() != solution.column() && corner.row() != solution.row())
        }
        Theme::CSquare => {
            corner.is_some_and(|corner| corner.column() == solution.column() || corner.row() == solution.row())
        }
        Theme::Pass => step.passed,
        Theme::Quiet => (beside(step.flips) & left).is_empty(),
        // regions are told apart near the end
        Theme::Parity => !is_midgame(position) && odd(solution) && position.legal().iter().any(|square| !odd(square)),
    };
    Theme::ALL.iter().copied().filter(holds).collect()
}

/// How many ways of looking no further than a move lead elsewhere: most discs turned, fewest replies left, a corner.
fn temptations(position: &Position, solution: Square) -> u32 {
    let flips = |square| position.flips(square).len();
    let replies = |square| position.play_unchecked(square).after.board().legal().len();
    let others = || position.legal().iter().filter(|&square| square != solution);
    let greedy = others().any(|square| flips(square) > flips(solution));
    let mobile = others().any(|square| replies(square) < replies(solution));
    let corner = !corners().contains(solution) && others().any(|square| corners().contains(square));
    u32::from(greedy) + u32::from(mobile) + u32::from(corner)
}

fn grade(position: &Position, solution: Square, sees_at: u32) -> u8 {
    let depth = match sees_at {
        0..=1 => 0,
        2..=3 => 1,
        4..=6 => 2,
        7..=9 => 3,
        _ => 4,
    };
    // long are all midgames, and tempting most of them
    if is_midgame(position) {
        return 1 + depth;
    }
    let tempting = u8::from(temptations(position, solution) >= 2);
    let long = u8::from(position.empty().len() >= 16);
    (1 + depth + tempting + long).min(HARDEST)
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scores: String = self.scores.iter().map(|(square, score)| format!("{square}{score:+}")).collect();
        let moves: String = self.moves.iter().map(Square::to_string).collect();
        write!(f, "{moves} {} {scores}", self.grade)
    }
}

fn read_scores(mut text: &str) -> Option<Vec<(Square, i8)>> {
    let mut scores = Vec::new();
    while !text.is_empty() {
        let (square, rest) = text.split_at_checked(2)?;
        let digits = rest.strip_prefix(['+', '-'])?;
        let end = 1 + digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
        let (score, rest) = rest.split_at(end);
        scores.push((square.parse().ok()?, score.parse().ok()?));
        text = rest;
    }
    Some(scores)
}

impl FromStr for Puzzle {
    type Err = BadPuzzle;

    fn from_str(line: &str) -> Result<Puzzle, BadPuzzle> {
        let parts: Vec<&str> = line.split(' ').collect();
        let [moves, grade, scores] = parts[..] else { return Err(BadPuzzle) };
        let square = |name| std::str::from_utf8(name).ok()?.parse().ok();
        let moves: Vec<Square> = moves.as_bytes().chunks(2).map(square).collect::<Option<_>>().ok_or(BadPuzzle)?;
        let position = after(&moves).ok_or(BadPuzzle)?;
        let grade = grade.parse().ok().filter(|grade| (1..=HARDEST).contains(grade)).ok_or(BadPuzzle)?;
        let scores = read_scores(scores).ok_or(BadPuzzle)?;
        let all: Bitboard = scores.iter().map(|(square, _)| *square).collect();
        if all != position.legal() || scores.len() != all.len() as usize {
            return Err(BadPuzzle);
        }
        let (task, solution) = task(&position, &scores).ok_or(BadPuzzle)?;
        let themes = themes(&position, solution);
        Ok(Puzzle { moves, position, task, solution, scores, grade, themes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_line_is_a_puzzle_and_no_two_are_the_same() {
        let lines = include_str!("../data/puzzles.txt").lines().count();
        let puzzles = Puzzle::shipped();
        assert_eq!(puzzles.len(), lines);
        assert!(lines >= 1000, "{lines}");
        let boards: HashSet<_> = puzzles.iter().map(|puzzle| puzzle.position.board().canonical().0).collect();
        assert_eq!(boards.len(), lines, "two are equal up to symmetry");
        for puzzle in puzzles {
            assert!((8..=20).contains(&puzzle.position.empty().len()), "{puzzle}");
            assert_eq!(puzzle.to_string().parse(), Ok(puzzle.clone()));
        }
    }

    #[test]
    fn every_midgame_has_one_clearly_best_move_and_no_two_are_the_same() {
        let text = include_str!("../data/midgames.txt");
        let (lines, puzzles) = (text.lines().count(), Puzzle::midgames());
        assert_eq!(puzzles.len(), lines);
        assert!(lines >= 500 && text.len() <= 60_000, "{lines} in {} bytes", text.len());
        let boards: HashSet<_> = puzzles.iter().map(|puzzle| puzzle.position.board().canonical().0).collect();
        assert_eq!(boards.len(), lines, "two are equal up to symmetry");
        for puzzle in puzzles {
            assert!((24..=44).contains(&puzzle.position.empty().len()), "{puzzle}");
            assert_eq!(puzzle.task, Task::BestMove);
            assert!(puzzle.scores[0].1 - puzzle.scores[1].1 >= MARGIN, "{puzzle}");
            assert_eq!(puzzle.to_string().parse(), Ok(puzzle.clone()));
        }
        for grade in 1..=HARDEST {
            let count = puzzles.iter().filter(|puzzle| puzzle.grade == grade).count();
            assert!(count * 20 >= lines, "grade {grade}: {count}");
        }
    }

    #[test]
    fn every_grade_and_every_theme_has_its_share() {
        let puzzles = Puzzle::shipped();
        for grade in 1..=HARDEST {
            let count = puzzles.iter().filter(|puzzle| puzzle.grade == grade).count();
            assert!(count * 20 >= puzzles.len(), "grade {grade}: {count}");
        }
        for theme in Theme::ALL {
            assert!(puzzles.iter().any(|puzzle| puzzle.themes.contains(&theme)), "{theme:?}");
        }
        for task in [Task::OnlyWin, Task::OnlyDraw] {
            assert!(puzzles.iter().any(|puzzle| puzzle.task == task), "{task:?}");
        }
    }

    #[test]
    fn one_move_must_stand_alone() {
        let scores =
            |scores: &[i8]| -> Vec<(Square, i8)> { Square::ALL.into_iter().zip(scores.iter().copied()).collect() };
        let late = Puzzle::shipped()[0].position;
        let ending = |all: &[i8]| task(&late, &scores(all));
        assert_eq!(ending(&[2, 0, -4]), Some((Task::OnlyWin, Square::A1)));
        assert_eq!(ending(&[0, -2]), Some((Task::OnlyDraw, Square::A1)));
        assert_eq!(ending(&[8, 2]), None, "two win");
        assert_eq!(ending(&[0, 0]), None, "two draw");
        assert_eq!(ending(&[-2, -8]), None, "all lose");
        assert_eq!(ending(&[8]), None, "there is nothing to choose");
        let midgame = |all: &[i8]| task(&Position::start(), &scores(all));
        assert_eq!(midgame(&[-2, -6]), Some((Task::BestMove, Square::A1)));
        assert_eq!(midgame(&[3, 0]), None, "another is nearly as good");
    }

    #[test]
    fn lines_that_are_no_puzzles_are_refused() {
        let good = Puzzle::shipped()[0].to_string();
        for bad in ["", "x", &good[1..], &format!("{good}a1+3"), &good.replacen('+', ";", 1), &good[..good.len() - 5]] {
            assert!(bad.parse::<Puzzle>().is_err(), "{bad}");
        }
    }

    #[test]
    fn regions_hang_together_in_eight_directions() {
        let empty: Bitboard = [Square::A1, Square::B2, Square::H8, Square::G8, Square::H7].into_iter().collect();
        assert_eq!(region(empty, Square::A1).len(), 2);
        assert_eq!(region(empty, Square::G8).len(), 3);
    }
}

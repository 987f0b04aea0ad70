//! What is asked on a card, and what there is to ask that everybody has.

use super::kept::{Asked, Head, Kept};
use crate::{
    protocol::{
        CardId, Exercise, ExerciseKind, ExerciseReply, ExerciseTask, ExerciseTheme, ExerciseValue, OpeningName,
        ToBrowser, Why,
    },
    refusal::Refused,
};
use room::Command;
use rules::{Color, Position, Square};
use std::{collections::HashMap, sync::OnceLock};
use store::StoreError;
use study::{
    names,
    puzzle::{HARDEST, Puzzle, Task, Theme},
};
use table::{LegalMove, board_text};

/// How many discs worse than the best a move may be and still count as right, where the score is no result.
const CLOSE: i32 = 1;
/// After how many right answers of one grade the next is asked.
const ENOUGH: usize = 8;

/// What is asked on a card.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) kind: ExerciseKind,
    pub(super) position: Position,
    pub(super) asked: Asked,
    pub(super) puzzle: Option<&'static Puzzle>,
    /// Where the program's move before it came from.
    pub(super) reply: Option<ExerciseReply>,
}

impl From<Theme> for ExerciseTheme {
    fn from(theme: Theme) -> ExerciseTheme {
        match theme {
            Theme::CornerRefused => ExerciseTheme::CornerRefused,
            Theme::CornerGiven => ExerciseTheme::CornerGiven,
            Theme::XSquare => ExerciseTheme::XSquare,
            Theme::CSquare => ExerciseTheme::CSquare,
            Theme::Pass => ExerciseTheme::Pass,
            Theme::Quiet => ExerciseTheme::Quiet,
            Theme::Parity => ExerciseTheme::Parity,
        }
    }
}

impl ExerciseKind {
    /// The exercises of this kind that everybody has, by their cards and the easiest first; none of a person's own.
    pub(super) fn made(self) -> &'static [(CardId, &'static Puzzle)] {
        static MADE: OnceLock<HashMap<ExerciseKind, Vec<(CardId, &'static Puzzle)>>> = OnceLock::new();
        let of_kind = |kind: ExerciseKind| {
            let (all, wanted): (_, fn(&Puzzle) -> bool) = match kind {
                ExerciseKind::Puzzles => (Puzzle::shipped(), |_| true),
                ExerciseKind::Midgames => (Puzzle::midgames(), |_| true),
                ExerciseKind::Endings => (Puzzle::shipped(), can_be_played_out),
                ExerciseKind::Mistakes | ExerciseKind::Openings => return Vec::new(),
            };
            let card = |puzzle: &'static Puzzle| Some((kind.card(&puzzle.position)?, puzzle));
            all.iter().filter(|puzzle| wanted(puzzle)).filter_map(card).collect()
        };
        let made = MADE.get_or_init(|| ExerciseKind::ALL.into_iter().map(|kind| (kind, of_kind(kind))).collect());
        &made[&self]
    }

    fn puzzle(self, card: &CardId) -> Option<&'static Puzzle> {
        self.made().iter().find(|(made, _)| made == card).map(|(_, puzzle)| *puzzle)
    }
}

/// Whether an ending is won, not over in a few moves, and so near its end that every reply is solved at once.
fn can_be_played_out(puzzle: &Puzzle) -> bool {
    puzzle.task == Task::OnlyWin && (10..=16).contains(&puzzle.position.empty().len())
}

impl Question {
    pub(super) fn of_puzzle(kind: ExerciseKind, puzzle: &'static Puzzle) -> Question {
        let asked = Asked::after(puzzle.moves.clone());
        Question { kind, position: puzzle.position, asked, puzzle: Some(puzzle), reply: None }
    }

    /// What a card asks; what everybody has needs nothing kept, the others do.
    pub(super) fn of(card: &CardId, kept: Option<&Kept>) -> Result<Question, Refused> {
        let kind = ExerciseKind::of(card).ok_or_else(Refused::no_such_card)?;
        if !kind.made().is_empty() {
            let puzzle = kind.puzzle(card).ok_or_else(Refused::no_such_card)?;
            return Ok(Question::of_puzzle(kind, puzzle));
        }
        let asked = kept.and_then(|kept| kept.asked.clone()).ok_or_else(Refused::no_such_card)?;
        let position = asked.position().filter(|position| !position.is_over()).ok_or(StoreError::Unreadable)?;
        Ok(Question { kind, position, asked, puzzle: None, reply: None })
    }

    /// The question as it was asked: an ending may have been played on, and an opening may be seen from another side than when its card
    /// was made. The others are always asked as they are kept.
    pub(super) fn after(self, card: &CardId, moves: Vec<Square>) -> Result<Question, Refused> {
        let asked = Asked::after(moves);
        let is_it = |position: &Position| match self.kind {
            ExerciseKind::Endings => {
                position.turn() == self.position.turn() && asked.moves.starts_with(&self.asked.moves)
            }
            ExerciseKind::Openings => self.kind.card(position).as_ref() == Some(card),
            _ => true,
        };
        let bad = || Refused::new(Why::BadText, "these moves do not lead to the exercise");
        let position = asked.position().filter(is_it).ok_or_else(bad)?;
        match self.kind {
            ExerciseKind::Endings | ExerciseKind::Openings => Ok(Question { position, asked, ..self }),
            _ => Ok(self),
        }
    }

    fn task(&self) -> ExerciseTask {
        match (self.kind, self.puzzle.map(|puzzle| puzzle.task)) {
            (ExerciseKind::Endings, _) => ExerciseTask::PlayOut,
            (_, Some(Task::OnlyWin)) => ExerciseTask::OnlyWin,
            (_, Some(Task::OnlyDraw)) => ExerciseTask::OnlyDraw,
            (ExerciseKind::Openings, None) => ExerciseTask::Repertoire,
            _ => ExerciseTask::BestMove,
        }
    }

    pub(super) fn level(&self) -> u8 {
        self.puzzle.map_or(0, |puzzle| puzzle.grade)
    }

    pub(super) fn message(&self, command: &Command, card: CardId, answered: u32) -> ToBrowser {
        let position = &self.position;
        let turned = |square| LegalMove { square, turns: position.flips(square).iter().collect() };
        let from_start = self.asked.start.is_none();
        ToBrowser::Exercise(Box::new(Exercise {
            id: command.id.clone(),
            card,
            kind: self.kind,
            task: self.task(),
            board: board_text(position),
            turn: position.turn().unwrap_or(Color::Black),
            legal: position.legal().iter().map(turned).collect(),
            moves: if from_start { self.asked.moves.clone() } else { Vec::new() },
            level: self.puzzle.map(|puzzle| puzzle.grade),
            themes: self.puzzle.map_or_else(Vec::new, |puzzle| puzzle.themes.iter().copied().map(Into::into).collect()),
            opening: if from_start { opening(&self.asked.moves) } else { None },
            from: self.asked.from.clone(),
            reply: self.reply,
            answered,
        }))
    }

    /// The moves that are right. What a review was sure to be a mistake is none of them, whatever a later search says.
    pub(super) fn right(&self, values: &[ExerciseValue]) -> Vec<Square> {
        let mut others = values.iter().filter(|value| Some(value.square) != self.asked.mistake).peekable();
        let Some(&best) = others.peek() else { return Vec::new() };
        let close = if best.exact { 0 } else { CLOSE };
        others.filter(|value| value.score >= best.score - close).map(|value| value.square).collect()
    }
}

/// What players call the opening that these moves are.
fn opening(moves: &[Square]) -> Option<OpeningName> {
    let mut positions = vec![Position::start()];
    for &square in moves {
        positions.push(positions.last()?.play(square).ok()?.after);
    }
    let opening = names::of(&positions)?;
    Some(OpeningName { en: opening.en.to_owned(), es: opening.es.to_owned() })
}

/// A puzzle nobody asked this person yet: of this grade, or of the lowest of which they have not solved enough.
pub(super) fn new_puzzle(
    kind: ExerciseKind,
    seen: &HashMap<&CardId, Head>,
    level: Option<u8>,
) -> Option<(CardId, &'static Puzzle)> {
    let fresh = |level: u8| {
        let of_level = kind.made().iter().filter(move |(_, puzzle)| puzzle.grade == level);
        of_level.into_iter().find(|(card, _)| !seen.contains_key(card)).cloned()
    };
    if let Some(level) = level {
        return fresh(level);
    }
    let solved = |level| seen.values().filter(|head| head.level == level && head.right > 0).count();
    let fitting = (1..=HARDEST).find(|&level| solved(level) < ENOUGH).unwrap_or(HARDEST);
    (fitting..=HARDEST).find_map(fresh).or_else(|| (1..fitting).find_map(fresh))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(square: Square, score: i32) -> ExerciseValue {
        ExerciseValue { square, score, exact: false }
    }

    #[test]
    fn a_mistake_is_not_right_whatever_a_later_search_says() {
        let asked = Asked { mistake: Some(Square::C4), ..Asked::after(Vec::new()) };
        let kind = ExerciseKind::Mistakes;
        let question = Question { kind, position: Position::start(), asked, puzzle: None, reply: None };
        let values = [value(Square::C4, 3), value(Square::D3, 2), value(Square::E6, 1), value(Square::F5, 0)];
        assert_eq!(question.right(&values), [Square::D3, Square::E6], "by the best of the others");
        let unknown = Question { asked: Asked::after(Vec::new()), ..question };
        assert_eq!(unknown.right(&values), [Square::C4, Square::D3]);
    }

    #[test]
    fn endings_are_won_and_near_their_end() {
        let endings = ExerciseKind::Endings.made();
        assert!(endings.len() >= 300, "{}", endings.len());
        assert!(endings.iter().all(|(_, puzzle)| puzzle.task == Task::OnlyWin));
        assert!(ExerciseKind::Mistakes.made().is_empty());
    }
}

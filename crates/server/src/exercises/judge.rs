//! What an answer is worth: by exact scores where the end is near, else by the book or a search. It is on disk before it is told.

use super::{
    kept::{Asked, Kept, Practice},
    openings::read_line,
    question::Question,
};
use crate::{
    House,
    computer::owner,
    lobby::Page,
    protocol::{CardId, ExerciseAnswer, ExerciseKind, ExerciseValue, ToBrowser, Why},
    refusal::Refused,
    socket::text,
};
use analyst::{Analysis, Ask, Limits, Line, Purpose};
use room::{Command, DocumentKey, Write};
use rules::{Bitboard, Color, Position, Square};
use std::{sync::Arc, time::Duration};
use store::StoreError;
use study::{
    book::{Book, BookMove},
    card::Answer,
    review::Plan,
};
use table::{At, board_text};

/// Somebody else may write to the same card: so often it is read again.
const ATTEMPTS: usize = 8;
/// With so many empties or fewer every move is solved, not only the best and the one that was answered.
const SOLVED: u32 = 16;
/// Plies of a search that only shows what follows, and of the one that judges moves the book does not have.
const DEPTH: u32 = 14;
/// How long at most, whatever the machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// An answer: which card, which move, and the moves before it.
pub(crate) struct Tried {
    pub(crate) card: CardId,
    pub(crate) square: Square,
    pub(crate) moves: Option<String>,
}

/// What the moves of a position are worth, the best first.
struct Judged {
    values: Vec<ExerciseValue>,
    /// The best move and what follows.
    line: Vec<Square>,
}

impl Judged {
    fn new(mut lines: Vec<Line>) -> Judged {
        lines.sort_by_key(|line| -line.score);
        let value = |line: &Line| ExerciseValue { square: line.square, score: line.score, exact: line.is_proven() };
        let values = lines.iter().map(value).collect();
        Judged { values, line: lines.into_iter().next().map(|best| best.variation).unwrap_or_default() }
    }
}

impl House {
    /// Judges an answer, keeps how it went, and tells. A search takes a while: other commands of the page are carried out meanwhile.
    pub(crate) fn send_judgement(self: &Arc<House>, page: &Page, command: &Command, tried: Tried) {
        let (house, page, command) = (self.clone(), page.clone(), command.clone());
        tokio::spawn(async move {
            let told = tokio::select! {
                told = house.exercise_try(&page, &command, tried) => told,
                () = page.outbox.closed() => return,
            };
            let message = told.unwrap_or_else(|refused| {
                house.metrics.refused(refused.why);
                refused.answer(command.id)
            });
            page.outbox.push(&text(&message));
        });
    }

    async fn exercise_try(&self, page: &Page, command: &Command, tried: Tried) -> Result<ToBrowser, Refused> {
        let Tried { card, square, moves } = tried;
        let kind = ExerciseKind::of(&card).ok_or_else(Refused::no_such_card)?;
        let key = DocumentKey { who: page.who(), kind: kind.document(), id: card.clone() };
        let (kept, _) = self.card(&key).await?;
        let mut question = Question::of(&card, kept.as_ref())?;
        if let Some(moves) = moves {
            question = question.after(&card, read_line(&moves)?)?;
        }
        let after = question.position.play(square).map_err(table::Refusal::Illegal)?.after;
        let mut line = question.asked.positions();
        line.push(after);
        self.check_engine_may_help(page, &line).await?;
        let mut judged = None;
        if kind == ExerciseKind::Endings {
            let answered = kept.as_ref().map_or(0, |kept| kept.card.answers);
            match self.play_on(page, &question, square, after).await? {
                PlayedOn::Lost => {}
                PlayedOn::ToMove(next) => return Ok(next.message(command, card, answered)),
                PlayedOn::Won(value) => judged = Some(Judged { values: vec![value], line: vec![square] }),
            }
        }
        if kind == ExerciseKind::Mistakes {
            self.look_up_mistake(page.who(), &mut question.asked).await;
        }
        let judged = match judged {
            Some(judged) => judged,
            None => self.judge(page, &question, square).await?,
        };
        let best = question.right(&judged.values);
        let right = best.contains(&square);
        let refutation = if right { Vec::new() } else { self.follow(page, &question.position, square).await? };
        let due = self.keep_answer(page, command, &key, &question, right).await?;
        Ok(ToBrowser::ExerciseAnswer(Box::new(ExerciseAnswer {
            id: command.id.clone(),
            card,
            square,
            right,
            best,
            values: judged.values,
            line_boards: boards(&question.position, &judged.line),
            line: judged.line,
            refutation_boards: boards(&question.position, &refutation),
            refutation,
            mistake: question.asked.mistake,
            reason: question.asked.reason,
            due,
        })))
    }

    /// What follows a move of an ending that is played out against perfect defence.
    async fn play_on(
        &self,
        page: &Page,
        question: &Question,
        square: Square,
        after: Position,
    ) -> Result<PlayedOn, Refused> {
        let turn = question.position.turn();
        let mut now = after;
        let mut moves = question.asked.moves.clone();
        moves.push(square);
        if !after.is_over() {
            let analysis = self.search(page, after, &Limits::solve()).await?;
            let best = analysis.best().filter(|best| best.is_proven()).ok_or_else(no_answer)?;
            let score = if after.turn() == turn { best.score } else { -best.score };
            if score <= 0 {
                return Ok(PlayedOn::Lost);
            }
            for &reply in &best.variation {
                if now.is_over() || now.turn() == turn {
                    break;
                }
                now = now.play_unchecked(reply).after;
                moves.push(reply);
            }
        }
        let Some(outcome) = now.outcome() else {
            let asked = Asked::after(moves);
            return Ok(PlayedOn::ToMove(Box::new(Question { position: now, asked, ..question.clone() })));
        };
        let black = i32::from(outcome.difference());
        let score = if turn == Some(Color::Black) { black } else { -black };
        if score <= 0 {
            return Ok(PlayedOn::Lost);
        }
        Ok(PlayedOn::Won(ExerciseValue { square, score, exact: true }))
    }

    pub(super) async fn card(&self, key: &DocumentKey) -> Result<(Option<Kept>, u64), Refused> {
        match self.store.document(key).await? {
            None => Ok((None, 0)),
            Some(document) => {
                let kept = Kept::read(&document).ok_or(StoreError::Unreadable)?;
                Ok((Some(kept), document.revision))
            }
        }
    }

    /// The card after an answer and what was practised, both or neither; when it is to be asked again.
    async fn keep_answer(
        &self,
        page: &Page,
        command: &Command,
        key: &DocumentKey,
        question: &Question,
        right: bool,
    ) -> Result<At, Refused> {
        for _ in 0..ATTEMPTS {
            let (kept, revision) = self.card(key).await?;
            let asked = question.puzzle.is_none().then(|| question.asked.clone());
            let mut kept = kept.unwrap_or_else(|| Kept::new(command.at, None));
            if kept.command.as_ref() == Some(&command.id) {
                return Ok(kept.card.due);
            }
            let answer = match right {
                false => Answer::Wrong,
                // Whoever sees through a puzzle at first sight need not see it again tomorrow.
                true if question.puzzle.is_some() && kept.card.answers == 0 => Answer::AtOnce,
                true => Answer::Right,
            };
            kept.asked = asked;
            kept.card = kept.card.answered(answer, command.at);
            kept.command = Some(command.id.clone());
            let (mut practice, practised) = self.practice(page.who()).await?;
            practice.count(right, command.at);
            let card = kept.document(key.clone(), revision + 1, command.at, question.level());
            let mut writes = vec![Write::Keep(Box::new(card))];
            if let Some(key) = Practice::key(page.who()) {
                writes.push(Write::Keep(Box::new(practice.document(key, practised + 1, command.at))));
            }
            writes.extend(page.identity.write());
            match self.keep(writes).await {
                Ok(()) => return Ok(kept.card.due),
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Refused::not_saved())
    }

    /// What the moves of a question are worth: this one, the best, and others where that is known.
    async fn judge(&self, page: &Page, question: &Question, square: Square) -> Result<Judged, Refused> {
        let position = question.position;
        if let Some(puzzle) = question.puzzle.filter(|puzzle| puzzle.position == position) {
            let exact = puzzle.is_exact();
            let value = |&(square, score): &(Square, i8)| ExerciseValue { square, score: score.into(), exact };
            let line = self.follow(page, &position, puzzle.solution).await?;
            return Ok(Judged { values: puzzle.scores.iter().map(value).collect(), line });
        }
        if position.empty().len() <= SOLVED {
            let limits = Limits { lines: usize::MAX, ..Limits::solve() };
            return Ok(Judged::new(self.search(page, position, &limits).await?.lines));
        }
        if question.kind == ExerciseKind::Openings {
            return self.judge_opening(page, &position, square).await;
        }
        // As deep as a review looks: what it has called a mistake is not called right here.
        let Plan { depth, solve: solve_at, .. } = Plan::default();
        let limits = Limits { depth, solve_at, ..Limits::default() };
        let mut lines = self.search(page, position, &limits).await?.lines;
        for square in [Some(square), question.asked.mistake].into_iter().flatten() {
            if lines.iter().all(|line| line.square != square) {
                let only = Limits { moves: square.into(), ..limits.clone() };
                lines.extend(self.search(page, position, &only).await?.lines);
            }
        }
        Ok(Judged::new(lines))
    }

    /// The moves of the book. One that is not among them is held against the best by a search of both.
    async fn judge_opening(&self, page: &Page, position: &Position, square: Square) -> Result<Judged, Refused> {
        let limits = Limits { lines: usize::MAX, ..Limits::depth(DEPTH) };
        let Some(entry) = self.book.find(position).filter(|entry| !entry.moves.is_empty()) else {
            return Ok(Judged::new(self.search(page, *position, &limits).await?.lines));
        };
        let value = |found: &BookMove| ExerciseValue {
            square: found.square,
            score: found.value.score.into(),
            exact: found.value.exact,
        };
        let mut values: Vec<ExerciseValue> = entry.moves.iter().map(value).collect();
        if let Some(best) = values.first().copied().filter(|_| values.iter().all(|value| value.square != square)) {
            let both = Limits { moves: Bitboard::from(square) | best.square.into(), ..limits };
            let lines = self.search(page, *position, &both).await?.lines;
            let score = |square| lines.iter().find(|line| line.square == square).map(|line| line.score);
            if let (Some(tried), Some(of_best)) = (score(square), score(best.square)) {
                values.push(ExerciseValue { square, score: best.score + (tried - of_best).min(0), exact: false });
                values.sort_by_key(|value| -value.score);
            }
        }
        Ok(Judged { values, line: book_line(&self.book, *position) })
    }

    /// A move and what is likely to follow it.
    async fn follow(&self, page: &Page, position: &Position, square: Square) -> Result<Vec<Square>, Refused> {
        let mut line = vec![square];
        let after = position.play_unchecked(square).after;
        if !after.is_over() {
            let analysis = self.search(page, after, &Limits::depth(DEPTH)).await?;
            line.extend(analysis.best().map(|best| best.variation.clone()).unwrap_or_default());
        }
        Ok(line)
    }

    async fn search(&self, page: &Page, position: Position, limits: &Limits) -> Result<Analysis, Refused> {
        let limits = Limits { time: Some(PATIENCE), ..limits.clone() };
        let ask = Ask::new(owner(page), purpose(&position), position, limits);
        let job = self.analyst.ask(ask).map_err(Refused::busy)?;
        job.answer().await.ok_or_else(no_answer)
    }
}

/// An ending is solved at once, as a hint is. Whatever takes longer goes on as an analysis does: boards that others look at do not rest for it.
fn purpose(position: &Position) -> Purpose {
    if position.empty().len() <= SOLVED { Purpose::Hint } else { Purpose::Analysis }
}

/// What comes of a move of an ending that is played out.
enum PlayedOn {
    /// The win is gone.
    Lost,
    /// It is still there, and the opponent has replied.
    ToMove(Box<Question>),
    /// The game is over and won.
    Won(ExerciseValue),
}

fn no_answer() -> Refused {
    Refused::new(Why::Busy, "the computer did not answer")
}

/// The board after each move of a line, as far as it is legal.
fn boards(from: &Position, line: &[Square]) -> Vec<String> {
    let play = |position: &mut Position, square: &Square| {
        *position = position.play(*square).ok()?.after;
        Some(board_text(position))
    };
    line.iter().scan(*from, play).collect()
}

/// The best moves of the book from here on.
fn book_line(book: &Book, mut position: Position) -> Vec<Square> {
    let mut line = Vec::new();
    while let Some(best) = book.find(&position).and_then(|entry| entry.moves.first().copied()) {
        line.push(best.square);
        position = position.play_unchecked(best.square).after;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_solved_at_once_goes_before_the_boards_of_others() {
        let mut position = Position::start();
        while let Some(square) = position.legal().first() {
            let solved = position.empty().len() <= SOLVED;
            assert_eq!(purpose(&position), if solved { Purpose::Hint } else { Purpose::Analysis });
            position = position.play_unchecked(square).after;
        }
        assert_eq!(purpose(&Position::start()), Purpose::Analysis);
    }
}

//! Openings: the person plays one side, the program answers as people do, or as the book has it.

use super::{
    kept::{Asked, Kept},
    question::Question,
};
use crate::{
    House,
    lobby::Page,
    protocol::{ExerciseKind, ExerciseReply, ToBrowser, Why},
    refusal::Refused,
    secret,
};
use room::{Command, DocumentKey};
use rules::{Color, Position, Square};
use study::book::BookMove;
use table::PersonId;

/// How many games of the library say what people play.
const ENOUGH_GAMES: u32 = 10;
/// Where the library has fewer, a move of the book that loses so many discs more is 2.7 times less likely.
const BOOK_TEMPERATURE: f64 = 1.5;
/// A line may be so long: books end before.
const LONGEST_LINE: usize = 60;

impl House {
    /// Goes on with an opening: the program answers with what is played there and asks for the person's move.
    pub(super) async fn next_of_opening(
        &self,
        page: &Page,
        command: &Command,
        color: Color,
        moves: &str,
    ) -> Result<ToBrowser, Refused> {
        let mut line = read_line(moves)?;
        let mut position =
            Asked::after(line.clone()).position().ok_or_else(|| Refused::new(Why::BadText, "a move is not legal"))?;
        self.check_engine_may_help(page, &Asked::after(line.clone()).positions()).await?;
        let none = || Ok(ToBrowser::ExerciseNone { id: command.id.clone(), kind: ExerciseKind::Openings, due: None });
        let mut reply = None;
        while position.turn().is_some_and(|turn| turn != color) {
            let Some((square, source)) = self.played_here(page.who(), &position).await? else { return none() };
            line.push(square);
            reply = Some(source);
            position = position.play_unchecked(square).after;
        }
        let in_book = self.book.find(&position).is_some_and(|entry| !entry.moves.is_empty());
        if position.is_over() || !in_book && self.people(page.who(), &position).await?.is_none() {
            return none();
        }
        let card = ExerciseKind::Openings.card(&position).ok_or_else(Refused::no_such_card)?;
        let key = DocumentKey { who: page.who(), kind: ExerciseKind::Openings.document(), id: card.clone() };
        let question =
            Question { kind: ExerciseKind::Openings, position, asked: Asked::after(line), puzzle: None, reply };
        if let Some(document) = self.store.document(&key).await? {
            let answered = Kept::read(&document).map_or(0, |kept| kept.card.answers);
            return Ok(question.message(command, card, answered));
        }
        let kept = Kept::new(command.at, Some(question.asked.clone()));
        self.keep_new(page, kept.document(key, 1, command.at, 0)).await?;
        Ok(question.message(command, card, 0))
    }

    /// A move that is played in a position: as people do, where the library has enough games, else as the book has it.
    async fn played_here(
        &self,
        who: PersonId,
        position: &Position,
    ) -> Result<Option<(Square, ExerciseReply)>, Refused> {
        let number = secret::for_command()?.number();
        if let Some(people) = self.people(who, position).await? {
            return Ok(drawn(&people, number).map(|square| (square, ExerciseReply::People)));
        }
        let moves = self.book.find(position).map(|entry| entry.moves).unwrap_or_default();
        let best = moves.first().map_or(0, |best| best.value.score);
        let weight = |found: &BookMove| (f64::from(found.value.score - best) / BOOK_TEMPERATURE).exp();
        let book: Vec<(Square, f64)> = moves.iter().map(|found| (found.square, weight(found))).collect();
        Ok(drawn(&book, number).map(|square| (square, ExerciseReply::Book)))
    }

    /// What people play in a position and how often, if the library has enough games to say so.
    async fn people(&self, who: PersonId, position: &Position) -> Result<Option<Vec<(Square, f64)>>, Refused> {
        let played = self.people_play(who, *position).await?;
        let games: u32 = played.iter().map(|(_, games)| games).sum();
        Ok((games >= ENOUGH_GAMES).then(|| played.into_iter().map(|(square, games)| (square, games.into())).collect()))
    }
}

/// One of these, by their weights.
fn drawn(moves: &[(Square, f64)], number: u64) -> Option<Square> {
    let all: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let mut left = all * (number >> 11) as f64 / (1u64 << 53) as f64;
    for (square, weight) in moves {
        left -= weight;
        if left <= 0.0 {
            return Some(*square);
        }
    }
    moves.first().map(|(square, _)| *square)
}

/// Squares one after another.
pub(super) fn read_line(moves: &str) -> Result<Vec<Square>, Refused> {
    let bad = || Refused::new(Why::BadText, "the moves are written as in f5d6c3");
    if moves.len() > 2 * LONGEST_LINE || !moves.is_ascii() {
        return Err(bad());
    }
    let square = |name| std::str::from_utf8(name).ok().and_then(|name| name.parse().ok());
    moves.as_bytes().chunks(2).map(square).collect::<Option<_>>().ok_or_else(bad)
}

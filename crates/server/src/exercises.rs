//! Exercises: puzzles, a person's own mistakes and their openings, asked again as often as they need it.
//!
//! A card is a document of the person's. An answer is judged by exact scores where the end is near, else by the book or a search,
//! and is on disk before it is told.

mod kept;

use crate::{
    House,
    computer::owner,
    live::Live,
    lobby::Page,
    protocol::{
        CardId, Exercise, ExerciseAnswer, ExerciseKind, ExerciseProgress, ExerciseSource, ExerciseTask, ExerciseTheme,
        ExerciseValue, OpeningName, StudyId, ToBrowser, Why,
    },
    refusal::Refused,
    secret,
    socket::text,
    studies::LedTo,
};
use analyst::{Analysis, Ask, Level, Limits, Purpose};
use kept::{Asked, Head, Kept, Practice};
use room::{Command, Document, DocumentKey, Room, Write};
use rules::{ByColor, Color, Position, Square};
use std::{collections::HashMap, sync::Arc, sync::OnceLock, time::Duration};
use store::StoreError;
use study::{
    book::{Book, BookMove},
    card::Answer,
    names,
    puzzle::{HARDEST, Puzzle, Task, Theme},
    tree::NodeId,
};
use table::{At, Called, GameId, LegalMove, PersonId, Preset, Seat, board_text};

/// How many cards of one kind of one person.
const MOST_CARDS: u64 = 5000;
/// Cards that are due are looked through so far for one of the right grade.
const LOOKED_THROUGH: usize = 200;
/// Somebody else may write to the same card: so often it is read again.
const ATTEMPTS: usize = 8;
/// How many discs worse than the best a move may be and still count as right, where the score is no result.
const CLOSE: i32 = 1;
/// From so many empties on answers are judged exactly.
const SOLVED: u32 = 20;
/// Plies of the search that judges before.
const DEPTH: u32 = 14;
/// How long at most, whatever the machine.
const PATIENCE: Duration = Duration::from_secs(10);
/// After how many right answers of one grade the next is asked.
const ENOUGH: usize = 8;
/// How many games of the library say what people play.
const ENOUGH_GAMES: u32 = 10;
/// Where the library has fewer, a move of the book that loses so many discs more is 2.7 times less likely.
const BOOK_TEMPERATURE: f64 = 1.5;
/// The line of an opening may be so long: books end before.
const LONGEST_LINE: usize = 60;

/// What is asked on a card.
#[derive(Clone, Debug)]
struct Question {
    kind: ExerciseKind,
    position: Position,
    asked: Asked,
    puzzle: Option<&'static Puzzle>,
}

/// What the moves of a position are worth, the best first.
struct Judged {
    values: Vec<ExerciseValue>,
    /// The best move and what follows.
    line: Vec<Square>,
}

impl Refused {
    fn no_such_card() -> Refused {
        Refused::new(Why::NoSuchCard, "there is no such exercise")
    }
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

/// The puzzles by their cards.
fn puzzles() -> &'static HashMap<CardId, &'static Puzzle> {
    static PUZZLES: OnceLock<HashMap<CardId, &'static Puzzle>> = OnceLock::new();
    PUZZLES.get_or_init(|| {
        let card = |puzzle: &'static Puzzle| Some((ExerciseKind::Puzzles.card(&puzzle.position)?, puzzle));
        Puzzle::shipped().iter().filter_map(card).collect()
    })
}

impl Question {
    fn of_puzzle(puzzle: &'static Puzzle) -> Question {
        let asked = Asked { start: None, moves: puzzle.moves.clone(), from: None, reason: None };
        Question { kind: ExerciseKind::Puzzles, position: puzzle.position, asked, puzzle: Some(puzzle) }
    }

    /// What a card asks; a puzzle needs nothing kept, the others do.
    fn of(card: &CardId, kept: Option<&Kept>) -> Result<Question, Refused> {
        let kind = ExerciseKind::of(card).ok_or_else(Refused::no_such_card)?;
        if kind == ExerciseKind::Puzzles {
            return puzzles().get(card).map(|puzzle| Question::of_puzzle(puzzle)).ok_or_else(Refused::no_such_card);
        }
        let asked = kept.and_then(|kept| kept.asked.clone()).ok_or_else(Refused::no_such_card)?;
        let position = asked.position().filter(|position| !position.is_over()).ok_or(StoreError::Unreadable)?;
        Ok(Question { kind, position, asked, puzzle: None })
    }

    fn task(&self) -> ExerciseTask {
        match (self.kind, self.puzzle.map(|puzzle| puzzle.task)) {
            (_, Some(Task::OnlyWin)) => ExerciseTask::OnlyWin,
            (_, Some(Task::OnlyDraw)) => ExerciseTask::OnlyDraw,
            (ExerciseKind::Openings, None) => ExerciseTask::Repertoire,
            _ => ExerciseTask::BestMove,
        }
    }

    fn level(&self) -> u8 {
        self.puzzle.map_or(0, |puzzle| puzzle.grade)
    }

    fn message(&self, command: &Command, card: CardId, answered: u32) -> ToBrowser {
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
            answered,
        }))
    }

    /// The moves that are right.
    fn right(&self, values: &[ExerciseValue]) -> Vec<Square> {
        let Some(best) = values.first() else { return Vec::new() };
        let close = if best.exact { 0 } else { CLOSE };
        values.iter().filter(|value| value.score >= best.score - close).map(|value| value.square).collect()
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

impl House {
    /// How far a person is with everything.
    pub(crate) async fn exercises(&self, page: &Page, command: &Command, offset: i32) -> Result<ToBrowser, Refused> {
        let who = page.who();
        let mut kinds = Vec::new();
        for kind in ExerciseKind::ALL {
            let heads = self.store.documents(who, kind.document(), None, MOST_CARDS as usize).await?;
            let count = |which: &dyn Fn(Head, At) -> bool| {
                let all = heads.iter().map(|head| (Head::read(&head.head), head.due.unwrap_or(At::MAX)));
                all.filter(|(head, due)| which(*head, *due)).count() as u32
            };
            let asked = count(&|head, _| head.answers > 0);
            let all = if kind == ExerciseKind::Puzzles { puzzles().len() as u32 } else { heads.len() as u32 };
            kinds.push(ExerciseProgress {
                kind,
                due: count(&|head, due| head.answers > 0 && due <= command.at),
                new: all.saturating_sub(asked),
                known: count(&|head, _| head.known),
                all,
            });
        }
        let practice = self.practice(who).await?.0;
        Ok(ToBrowser::Exercises { id: command.id.clone(), kinds, days: practice.days(offset.clamp(-1440, 1440)) })
    }

    async fn practice(&self, who: PersonId) -> Result<(Practice, u64), Refused> {
        let Some(key) = Practice::key(who) else { return Ok(Default::default()) };
        let document = self.store.document(&key).await?;
        Ok(document.map(|document| (Practice::read(&document), document.revision)).unwrap_or_default())
    }

    /// The next question.
    pub(crate) async fn exercise(
        &self,
        page: &Page,
        command: &Command,
        kind: ExerciseKind,
        level: Option<u8>,
        color: Option<Color>,
        moves: Option<&str>,
    ) -> Result<ToBrowser, Refused> {
        if let (ExerciseKind::Openings, Some(color)) = (kind, color) {
            return self.next_of_opening(page, command, color, moves.unwrap_or_default()).await;
        }
        let who = page.who();
        let due = self.store.due_documents(who, kind.document(), command.at, LOOKED_THROUGH).await?;
        for document in due {
            let kept = Kept::read(&document);
            // What cannot be read stays where it is, and is not asked.
            let Ok(question) = Question::of(&document.key.id, kept.as_ref()) else { continue };
            if level.is_none_or(|level| kind != ExerciseKind::Puzzles || question.level() == level) {
                let answered = kept.map_or(0, |kept| kept.card.answers);
                return Ok(question.message(command, document.key.id, answered));
            }
        }
        let heads = self.store.documents(who, kind.document(), None, MOST_CARDS as usize).await?;
        if kind == ExerciseKind::Puzzles {
            let seen: HashMap<&CardId, Head> = heads.iter().map(|head| (&head.id, Head::read(&head.head))).collect();
            if let Some((card, puzzle)) = new_puzzle(&seen, level) {
                return Ok(Question::of_puzzle(puzzle).message(command, card, 0));
            }
        }
        let later = heads.iter().filter_map(|head| head.due).filter(|due| *due > command.at).min();
        Ok(ToBrowser::ExerciseNone { id: command.id.clone(), kind, due: later })
    }

    /// Goes on with an opening: the program answers with what is played there and asks for the person's move.
    async fn next_of_opening(
        &self,
        page: &Page,
        command: &Command,
        color: Color,
        moves: &str,
    ) -> Result<ToBrowser, Refused> {
        let mut line = read_line(moves)?;
        let asked = |moves: &[Square]| Asked { start: None, moves: moves.to_vec(), from: None, reason: None };
        let mut position = asked(&line).position().ok_or_else(|| Refused::new(Why::BadText, "a move is not legal"))?;
        let none = || Ok(ToBrowser::ExerciseNone { id: command.id.clone(), kind: ExerciseKind::Openings, due: None });
        while position.turn().is_some_and(|turn| turn != color) {
            let Some(reply) = self.played_here(page.who(), &position).await? else { return none() };
            line.push(reply);
            position = position.play_unchecked(reply).after;
        }
        let in_book = self.book.find(&position).is_some_and(|entry| !entry.moves.is_empty());
        if position.is_over() || !in_book && self.people(page.who(), &position).await?.is_none() {
            return none();
        }
        let card = ExerciseKind::Openings.card(&position).ok_or_else(Refused::no_such_card)?;
        let key = DocumentKey { who: page.who(), kind: ExerciseKind::Openings.document(), id: card.clone() };
        let question = Question { kind: ExerciseKind::Openings, position, asked: asked(&line), puzzle: None };
        if let Some(document) = self.store.document(&key).await? {
            let answered = Kept::read(&document).map_or(0, |kept| kept.card.answers);
            return Ok(question.message(command, card, answered));
        }
        let kept = Kept::new(command.at, Some(question.asked.clone()));
        self.keep_new(page, kept.document(key, 1, command.at, 0)).await?;
        Ok(question.message(command, card, 0))
    }

    /// A move that is played in a position: as people do, where the library has enough games, else as the book has it.
    async fn played_here(&self, who: PersonId, position: &Position) -> Result<Option<Square>, Refused> {
        let number = secret::for_command()?.number();
        if let Some(people) = self.people(who, position).await? {
            return Ok(drawn(&people, number));
        }
        let moves = self.book.find(position).map(|entry| entry.moves).unwrap_or_default();
        let best = moves.first().map_or(0, |best| best.value.score);
        let weight = |found: &BookMove| (f64::from(found.value.score - best) / BOOK_TEMPERATURE).exp();
        let book: Vec<(Square, f64)> = moves.iter().map(|found| (found.square, weight(found))).collect();
        Ok(drawn(&book, number))
    }

    /// What people play in a position and how often, if the library has enough games to say so.
    async fn people(&self, who: PersonId, position: &Position) -> Result<Option<Vec<(Square, f64)>>, Refused> {
        let played = self.people_play(who, *position).await?;
        let games: u32 = played.iter().map(|(_, games)| games).sum();
        Ok((games >= ENOUGH_GAMES).then(|| played.into_iter().map(|(square, games)| (square, games.into())).collect()))
    }

    /// Makes a card of a position of a study.
    pub(crate) async fn exercise_add(
        &self,
        page: &Page,
        command: &Command,
        study: StudyId,
        at: NodeId,
    ) -> Result<ToBrowser, Refused> {
        let LedTo { start, moves, reason } = self.led_to(page.who(), &study, at).await?;
        let usual = start == Position::start();
        let start = (!usual).then(|| start.setup().to_string());
        let asked = Asked { start, moves, from: Some(ExerciseSource { study, at }), reason };
        let position = asked.position().ok_or_else(Refused::no_such_node)?;
        if position.legal().len() < 2 {
            return Err(Refused::new(Why::NothingFound, "there is nothing to choose in this position"));
        }
        let card = ExerciseKind::Mistakes.card(&position).ok_or_else(Refused::no_such_card)?;
        let key = DocumentKey { who: page.who(), kind: ExerciseKind::Mistakes.document(), id: card.clone() };
        let already = self.store.document(&key).await?.is_some();
        if !already {
            let kept = Kept::new(command.at, Some(asked));
            self.keep_new(page, kept.document(key, 1, command.at, 0)).await?;
        }
        Ok(ToBrowser::ExerciseAdded { id: command.id.clone(), card, already })
    }

    /// Keeps a card that is new, unless there are too many or somebody was faster.
    async fn keep_new(&self, page: &Page, document: Document) -> Result<(), Refused> {
        let DocumentKey { who, kind, .. } = document.key;
        if self.store.count_documents(who, kind, 0).await?.all >= MOST_CARDS {
            return Err(Refused::new(Why::TooMany, "there are too many exercises: remove some"));
        }
        let mut writes = vec![Write::Keep(Box::new(document))];
        writes.extend(page.identity.write());
        match self.keep(writes).await {
            Ok(()) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Judges an answer, keeps how it went, and tells. A search takes a while: other commands of the page are carried out meanwhile.
    pub(crate) fn send_judgement(self: &Arc<House>, page: &Page, command: &Command, card: CardId, square: Square) {
        let (house, page, command) = (self.clone(), page.clone(), command.clone());
        tokio::spawn(async move {
            let told = tokio::select! {
                told = house.exercise_try(&page, &command, card, square) => told,
                () = page.outbox.closed() => return,
            };
            let message = told.unwrap_or_else(|refused| {
                house.metrics.refused(refused.why);
                refused.answer(command.id)
            });
            page.outbox.push(&text(&message));
        });
    }

    async fn exercise_try(
        &self,
        page: &Page,
        command: &Command,
        card: CardId,
        square: Square,
    ) -> Result<ToBrowser, Refused> {
        let kind = ExerciseKind::of(&card).ok_or_else(Refused::no_such_card)?;
        let key = DocumentKey { who: page.who(), kind: kind.document(), id: card.clone() };
        let (kept, _) = self.card(&key).await?;
        let question = Question::of(&card, kept.as_ref())?;
        question.position.play(square).map_err(table::Refusal::Illegal)?;
        let judged = self.judge(page, &question).await?;
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
            reason: question.asked.reason,
            due,
        })))
    }

    async fn card(&self, key: &DocumentKey) -> Result<(Option<Kept>, u64), Refused> {
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
            let asked = (question.kind != ExerciseKind::Puzzles).then(|| question.asked.clone());
            let mut kept = kept.unwrap_or_else(|| Kept::new(command.at, asked));
            if kept.command.as_ref() == Some(&command.id) {
                return Ok(kept.card.due);
            }
            let answer = match right {
                false => Answer::Wrong,
                // Whoever sees through a puzzle at first sight need not see it again tomorrow.
                true if question.puzzle.is_some() && kept.card.answers == 0 => Answer::AtOnce,
                true => Answer::Right,
            };
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

    /// What the moves of a question are worth.
    async fn judge(&self, page: &Page, question: &Question) -> Result<Judged, Refused> {
        let position = question.position;
        if let Some(puzzle) = question.puzzle {
            let value = |&(square, score): &(Square, i8)| ExerciseValue { square, score: score.into(), exact: true };
            let line = self.follow(page, &position, puzzle.solution).await?;
            return Ok(Judged { values: puzzle.scores.iter().map(value).collect(), line });
        }
        if let (ExerciseKind::Openings, Some(entry)) = (question.kind, self.book.find(&position))
            && !entry.moves.is_empty()
        {
            let value = |found: &BookMove| ExerciseValue {
                square: found.square,
                score: found.value.score.into(),
                exact: found.value.exact,
            };
            return Ok(Judged {
                values: entry.moves.iter().map(value).collect(),
                line: book_line(&self.book, position),
            });
        }
        let analysis = self.search(page, position, usize::MAX).await?;
        let value =
            |line: &analyst::Line| ExerciseValue { square: line.square, score: line.score, exact: line.is_proven() };
        let line = analysis.best().map(|best| best.variation.clone()).unwrap_or_default();
        Ok(Judged { values: analysis.lines.iter().map(value).collect(), line })
    }

    /// A move and what is likely to follow it.
    async fn follow(&self, page: &Page, position: &Position, square: Square) -> Result<Vec<Square>, Refused> {
        let mut line = vec![square];
        let after = position.play_unchecked(square).after;
        if !after.is_over() {
            let analysis = self.search(page, after, 1).await?;
            line.extend(analysis.best().map(|best| best.variation.clone()).unwrap_or_default());
        }
        Ok(line)
    }

    async fn search(&self, page: &Page, position: Position, lines: usize) -> Result<Analysis, Refused> {
        let limits = Limits { lines, solve_at: SOLVED, time: Some(PATIENCE), ..Limits::depth(DEPTH) };
        let ask = Ask::new(owner(page.who()), Purpose::Hint, position, limits);
        let busy = |busy| Refused::new(Why::TooMany, busy);
        let job = self.analyst.ask(ask).map_err(busy)?;
        job.answer().await.ok_or_else(|| Refused::new(Why::TooMany, "the computer did not answer"))
    }

    /// Forgets a card.
    pub(crate) async fn exercise_remove(&self, page: &Page, card: CardId) -> Result<(), Refused> {
        let kind = ExerciseKind::of(&card).ok_or_else(Refused::no_such_card)?;
        Ok(self.keep(vec![Write::Discard(DocumentKey { who: page.who(), kind: kind.document(), id: card })]).await?)
    }

    /// Begins a game from the position of a card, the person to move, against the computer at its best.
    pub(crate) async fn exercise_play(
        self: &Arc<House>,
        page: &Page,
        command: &Command,
        card: &CardId,
    ) -> Result<GameId, Refused> {
        let kind = ExerciseKind::of(card).ok_or_else(Refused::no_such_card)?;
        let key = DocumentKey { who: page.who(), kind: kind.document(), id: card.clone() };
        let question = Question::of(card, self.card(&key).await?.0.as_ref())?;
        let turn = match (question.position.turn(), &question.asked.start) {
            (Some(turn), None) => turn,
            _ => {
                return Err(Refused::new(
                    Why::BadRules,
                    "games begin from the usual four discs: this position was set up",
                ));
            }
        };
        let mut seats = ByColor {
            black: Seat::Computer { level: Level::STRONGEST.number },
            white: Seat::Computer { level: Level::STRONGEST.number },
        };
        seats[turn] = Seat::Person { who: page.who(), name: Called::First };
        let seats = self.name_seats(&page.identity, seats).await?;
        self.begin(page, command, |random| {
            Room::begin_after(self.store.key(), command, seats, Preset::Casual.rules(), question.asked.moves, random)
        })
        .await
        .map(|live: Arc<Live>| live.game.clone())
    }
}

/// A puzzle nobody asked this person yet: of this grade, or of the lowest of which they have not solved enough.
fn new_puzzle(seen: &HashMap<&CardId, Head>, level: Option<u8>) -> Option<(CardId, &'static Puzzle)> {
    let fresh = |level: u8| {
        Puzzle::shipped().iter().filter(move |puzzle| puzzle.grade == level).find_map(|puzzle| {
            let card = ExerciseKind::Puzzles.card(&puzzle.position)?;
            (!seen.contains_key(&card)).then_some((card, puzzle))
        })
    };
    if let Some(level) = level {
        return fresh(level);
    }
    let solved = |level| seen.values().filter(|head| head.level == level && head.right > 0).count();
    let fitting = (1..=HARDEST).find(|&level| solved(level) < ENOUGH).unwrap_or(HARDEST);
    (fitting..=HARDEST).find_map(fresh).or_else(|| (1..fitting).find_map(fresh))
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

/// The best moves of the book from here on.
/// The board after each move of a line, as far as it is legal.
fn boards(from: &Position, line: &[Square]) -> Vec<String> {
    let play = |position: &mut Position, square: &Square| {
        *position = position.play(*square).ok()?.after;
        Some(board_text(position))
    };
    line.iter().scan(*from, play).collect()
}

fn book_line(book: &Book, mut position: Position) -> Vec<Square> {
    let mut line = Vec::new();
    while let Some(best) = book.find(&position).and_then(|entry| entry.moves.first().copied()) {
        line.push(best.square);
        position = position.play_unchecked(best.square).after;
    }
    line
}

fn read_line(moves: &str) -> Result<Vec<Square>, Refused> {
    let bad = || Refused::new(Why::BadText, "the moves are written as in f5d6c3");
    if moves.len() > 2 * LONGEST_LINE || !moves.is_ascii() {
        return Err(bad());
    }
    let square = |name| std::str::from_utf8(name).ok().and_then(|name| name.parse().ok());
    moves.as_bytes().chunks(2).map(square).collect::<Option<_>>().ok_or_else(bad)
}

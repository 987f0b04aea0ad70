//! Exercises: puzzles, a person's own mistakes and their openings, asked again as often as they need it. A card is a document of
//! the person's.

mod judge;
mod kept;
mod openings;
mod question;

pub(crate) use judge::Tried;

use crate::{
    House,
    live::Live,
    lobby::Page,
    protocol::{CardId, ExerciseKind, ExerciseProgress, ExerciseSource, StudyId, ToBrowser, Why},
    refusal::Refused,
    studies::LedTo,
};
use analyst::Level;
use kept::{Asked, Head, Kept, Practice};
use question::{Question, new_puzzle};
use record::Record;
use room::{Command, Document, DocumentKey, Room, Write};
use rules::{ByColor, Color, Position};
use std::{collections::HashMap, sync::Arc};
use store::StoreError;
use study::tree::{NodeId, Tree};
use table::{At, Called, GameId, PersonId, Preset, Seat};

/// How many cards of one kind of one person.
const MOST_CARDS: u64 = 5000;
/// Cards that are due are looked through so far for one of the right grade.
const LOOKED_THROUGH: usize = 200;

impl Refused {
    fn no_such_card() -> Refused {
        Refused::new(Why::NoSuchCard, "there is no such exercise")
    }
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
            let all = kind.made().len().max(heads.len()) as u32;
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
            let Ok(mut question) = Question::of(&document.key.id, kept.as_ref()) else { continue };
            if level.is_none_or(|level| question.puzzle.is_none() || question.level() == level) {
                // A study that was deleted leads nowhere.
                if let Some(from) = &question.asked.from
                    && !self.has_study(who, &from.study).await?
                {
                    question.asked.from = None;
                }
                let answered = kept.map_or(0, |kept| kept.card.answers);
                return Ok(question.message(command, document.key.id, answered));
            }
        }
        let heads = self.store.documents(who, kind.document(), None, MOST_CARDS as usize).await?;
        let seen: HashMap<&CardId, Head> = heads.iter().map(|head| (&head.id, Head::read(&head.head))).collect();
        if let Some((card, puzzle)) = new_puzzle(kind, &seen, level) {
            return Ok(Question::of_puzzle(kind, puzzle).message(command, card, 0));
        }
        let later = heads.iter().filter_map(|head| head.due).filter(|due| *due > command.at).min();
        Ok(ToBrowser::ExerciseNone { id: command.id.clone(), kind, due: later })
    }

    /// Makes a card of a position of a study.
    pub(crate) async fn exercise_add(
        &self,
        page: &Page,
        command: &Command,
        study: StudyId,
        at: NodeId,
    ) -> Result<ToBrowser, Refused> {
        let LedTo { start, moves, mistake, reason } = self.led_to(page.who(), &study, at).await?;
        let usual = start == Position::start();
        let start = (!usual).then(|| start.setup().to_string());
        let asked = Asked { start, moves, from: Some(ExerciseSource { study, at }), mistake, reason };
        let position = asked.position().ok_or_else(Refused::no_such_node)?;
        if position.legal().len() < 2 {
            return Err(Refused::new(Why::NothingFound, "there is nothing to choose in this position"));
        }
        let card = ExerciseKind::Mistakes.card(&position).ok_or_else(Refused::no_such_card)?;
        let key = DocumentKey { who: page.who(), kind: ExerciseKind::Mistakes.document(), id: card.clone() };
        let (before, revision) = self.card(&key).await?;
        let already = before.is_some();
        match before {
            None => {
                let kept = Kept::new(command.at, Some(asked));
                self.keep_new(page, kept.document(key, 1, command.at, 0)).await?;
            }
            // What a review has found since then is known from now on.
            Some(mut kept) if asked.mistake.is_some() => {
                kept.asked = Some(asked);
                let write = Write::Keep(Box::new(kept.document(key, revision + 1, command.at, 0)));
                match self.keep(vec![write]).await {
                    Ok(()) | Err(StoreError::Conflict) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Some(_) => {}
        }
        Ok(ToBrowser::ExerciseAdded { id: command.id.clone(), card, already })
    }

    /// What a review has found since a card was made, as long as its study is there.
    async fn look_up_mistake(&self, who: PersonId, asked: &mut Asked) {
        let Some(from) = asked.from.as_ref().filter(|_| asked.reason.is_none()) else { return };
        if let Ok(LedTo { moves, mistake, reason, .. }) = self.led_to(who, &from.study, from.at).await
            && moves == asked.moves
            && mistake.is_some()
        {
            (asked.mistake, asked.reason) = (mistake, reason);
        }
    }

    /// Keeps a card that is new, unless there are too many or somebody was faster.
    async fn keep_new(&self, page: &Page, document: Document) -> Result<(), Refused> {
        let DocumentKey { who, kind, .. } = document.key;
        if self.store.count_documents(who, kind, 0).await?.all >= MOST_CARDS {
            return Err(Refused::new(Why::Full, "there are too many exercises: remove some"));
        }
        let mut writes = vec![Write::Keep(Box::new(document))];
        writes.extend(page.identity.write());
        match self.keep(writes).await {
            Ok(()) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// What a study of a card begins with.
    pub(crate) async fn exercise_tree(&self, who: PersonId, card: &CardId) -> Result<Tree, Refused> {
        let kind = ExerciseKind::of(card).ok_or_else(Refused::no_such_card)?;
        let key = DocumentKey { who, kind: kind.document(), id: card.clone() };
        let Question { position, asked, .. } = Question::of(card, self.card(&key).await?.0.as_ref())?;
        match (asked.start, Record::from_moves(asked.moves)) {
            (None, Ok(record)) => Ok(Tree::from_record(&record)?),
            _ => Ok(Tree::new(position)),
        }
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
        self.check_engine_may_help(page, &question.asked.positions()).await?;
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

//! Exercises as they are kept: a document for each card, and one for what was answered when.

use crate::protocol::{CardId, ExerciseDay, ExerciseKind, ExerciseSource};
use room::{Document, DocumentKey, DocumentKind};
use rules::{Position, Setup, Square};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use study::card::Card;
use table::{At, CommandId, PersonId};

/// The version of what is written. A later one is not read.
const VERSION: u32 = 1;

/// What was answered when, one for each person.
const PRACTICE: DocumentKind = DocumentKind("practice");
/// Answers are counted by half hours, so that days end at midnight wherever someone lives.
const HALF_HOUR: u64 = 30 * 60 * 1000;
/// Answers older than this are counted no more.
const REMEMBERED: u64 = 400 * 48;

impl ExerciseKind {
    pub(super) const ALL: [ExerciseKind; 5] = [
        ExerciseKind::Puzzles,
        ExerciseKind::Midgames,
        ExerciseKind::Endings,
        ExerciseKind::Mistakes,
        ExerciseKind::Openings,
    ];

    /// How cards of this kind are kept.
    pub(super) fn document(self) -> DocumentKind {
        match self {
            ExerciseKind::Puzzles => DocumentKind("puzzle"),
            ExerciseKind::Midgames => DocumentKind("midgame"),
            ExerciseKind::Endings => DocumentKind("ending"),
            ExerciseKind::Mistakes => DocumentKind("mistake"),
            ExerciseKind::Openings => DocumentKind("opening"),
        }
    }

    /// The card for a position: seen from another side of the board it is the same.
    pub(super) fn card(self, position: &Position) -> Option<CardId> {
        let board = position.board().canonical().0;
        format!("{}-{:016x}{:016x}", self.document().0, board.mover.0, board.other.0).parse().ok()
    }

    /// The kind that a card is of.
    pub(super) fn of(card: &CardId) -> Option<ExerciseKind> {
        let (name, _) = card.as_str().split_once('-')?;
        ExerciseKind::ALL.into_iter().find(|kind| kind.document().0 == name)
    }
}

/// A position that is asked about, and how it came about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    /// The board before the first move, where it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<String>,
    pub(super) moves: Vec<Square>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<ExerciseSource>,
    /// The move that was played there, where a review was sure that it was bad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mistake: Option<Square>,
    /// Why it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<serde_json::Value>,
}

impl Asked {
    /// The position after these moves from the usual start.
    pub(super) fn after(moves: Vec<Square>) -> Asked {
        Asked { start: None, moves, from: None, mistake: None, reason: None }
    }

    fn start(&self) -> Option<Position> {
        match &self.start {
            Some(text) => text.parse::<Setup>().ok()?.position().ok(),
            None => Some(Position::start()),
        }
    }

    /// The position, if it can be reached.
    pub(super) fn position(&self) -> Option<Position> {
        self.moves.iter().try_fold(self.start()?, |position, &square| Some(position.play(square).ok()?.after))
    }

    /// The positions that lead to it, and itself.
    pub(super) fn positions(&self) -> Vec<Position> {
        let mut line: Vec<Position> = self.start().into_iter().collect();
        for &square in &self.moves {
            line.extend(line.last().and_then(|position| position.play(square).ok()).map(|step| step.after));
        }
        line
    }
}

/// A card as it is kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    version: u32,
    pub(super) card: Card,
    /// What is asked; a puzzle is known by its position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) asked: Option<Asked>,
    /// The command that answered last: the same one again changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<CommandId>,
}

/// What a list tells of a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) answers: u32,
    pub(super) right: u32,
    pub(super) known: bool,
    #[serde(default)]
    pub(super) level: u8,
}

impl Head {
    pub(super) fn read(text: &str) -> Head {
        serde_json::from_str(text).unwrap_or_default()
    }
}

impl Kept {
    pub(super) fn new(now: At, asked: Option<Asked>) -> Kept {
        Kept { version: VERSION, card: Card::new(now), asked, command: None }
    }

    /// As it was written; `None` if a later version wrote it, or it is damaged.
    pub(super) fn read(document: &Document) -> Option<Kept> {
        serde_json::from_str(&document.body).ok().filter(|kept: &Kept| kept.version <= VERSION)
    }

    pub(super) fn document(&self, key: DocumentKey, revision: u64, now: At, level: u8) -> Document {
        let Card { answers, right, due, .. } = self.card;
        let head = Head { answers, right, known: self.card.is_known(), level };
        Document {
            key,
            revision,
            changed: now,
            due: Some(due),
            // Plain data with text keys; writing it cannot fail.
            head: serde_json::to_string(&head).unwrap_or_default(),
            body: serde_json::to_string(self).unwrap_or_default(),
        }
    }
}

/// What was answered, by half hours since 1970.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Practice {
    answers: BTreeMap<u64, (u32, u32)>,
}

impl Practice {
    pub(super) fn key(who: PersonId) -> Option<DocumentKey> {
        Some(DocumentKey { who, kind: PRACTICE, id: "answers".parse().ok()? })
    }

    pub(super) fn read(document: &Document) -> Practice {
        serde_json::from_str(&document.body).unwrap_or_default()
    }

    pub(super) fn count(&mut self, right: bool, now: At) {
        let half_hour = now / HALF_HOUR;
        let (answered, were_right) = self.answers.entry(half_hour).or_default();
        *answered += 1;
        *were_right += u32::from(right);
        self.answers = self.answers.split_off(&half_hour.saturating_sub(REMEMBERED));
    }

    pub(super) fn document(&self, key: DocumentKey, revision: u64, now: At) -> Document {
        let body = serde_json::to_string(self).unwrap_or_default();
        Document { key, revision, changed: now, due: None, head: String::new(), body }
    }

    /// Day by day, the latest first, for someone whose clock is so many minutes ahead of UTC.
    pub(super) fn days(&self, offset: i32) -> Vec<ExerciseDay> {
        let mut days: BTreeMap<i32, (u32, u32)> = BTreeMap::new();
        for (half_hour, (answered, right)) in &self.answers {
            let minutes = *half_hour as i64 * 30 + i64::from(offset);
            let day = days.entry(minutes.div_euclid(24 * 60) as i32).or_default();
            day.0 += answered;
            day.1 += right;
        }
        days.into_iter().rev().map(|(day, (answered, right))| ExerciseDay { day, answered, right }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_end_at_midnight_where_one_lives() {
        const HOUR: u64 = 2 * HALF_HOUR;
        let mut practice = Practice::default();
        practice.count(true, 23 * HOUR); // 23:00 of the first day in London
        practice.count(false, 25 * HOUR);
        let day = |day, answered, right| ExerciseDay { day, answered, right };
        assert_eq!(practice.days(0), [day(1, 1, 0), day(0, 1, 1)]);
        assert_eq!(practice.days(60), [day(1, 2, 1)], "in Madrid both are on the second");
        assert_eq!(practice.days(-120), [day(0, 2, 1)], "and further west on the first");
    }

    #[test]
    fn what_is_long_ago_is_forgotten() {
        let mut practice = Practice::default();
        practice.count(true, 0);
        practice.count(true, 500 * 48 * HALF_HOUR);
        assert_eq!(practice.days(0).len(), 1);
    }

    #[test]
    fn a_card_is_known_by_its_position_from_every_side() {
        let after = |name: &str| Position::start().play(name.parse().unwrap()).unwrap().after;
        let card = |kind: ExerciseKind, name| kind.card(&after(name)).unwrap();
        assert_eq!(card(ExerciseKind::Mistakes, "f5"), card(ExerciseKind::Mistakes, "d3"));
        assert_ne!(card(ExerciseKind::Mistakes, "f5"), card(ExerciseKind::Openings, "f5"));
        assert_eq!(ExerciseKind::of(&card(ExerciseKind::Openings, "f5")), Some(ExerciseKind::Openings));
        assert_eq!(ExerciseKind::of(&"nothing-1".parse().unwrap()), None);
    }
}

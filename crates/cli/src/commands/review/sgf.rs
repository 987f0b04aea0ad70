//! A reviewed game as SGF: values and reasons as comments, better lines as variations, nothing of the game's own lost.

use super::words;
use crate::{context::Context, text};
use record::{Note, RawGame, RawNote, RawPly, ReadError, Record, sgf};
use rules::Square;
use std::collections::BTreeMap;
use study::review::{MoveReport, Report};

/// The game with what was found about it.
pub(super) fn write(record: &Record, report: &Report, context: &Context) -> Result<String, ReadError> {
    let mut tree = Tree::of(record);
    for one in &report.moves {
        tree.note(one.number - 1, one, context);
        if one.mark.is_some() {
            tree.add_line(one.number.checked_sub(2), &one.better, &text!(context, "cli-review-better-line"));
        }
    }
    Record::try_from(tree.into_raw(record)).map(|record| sgf::write(&record))
}

/// A game as a tree that can grow anywhere.
struct Tree {
    nodes: Vec<Node>,
    roots: Vec<usize>,
    notes: BTreeMap<Option<usize>, Note>,
}

struct Node {
    square: Square,
    answers: Vec<usize>,
}

impl Tree {
    /// The game's moves have the same places as in the record.
    fn of(record: &Record) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), roots: Vec::new(), notes: BTreeMap::new() };
        for one in record.moves() {
            tree.add(one.after.map(|after| after as usize), one.square);
        }
        for said in record.notes() {
            tree.notes.insert(said.on.map(|on| on as usize), said.note.clone());
        }
        tree
    }

    fn answers(&mut self, after: Option<usize>) -> &mut Vec<usize> {
        match after {
            Some(after) => &mut self.nodes[after].answers,
            None => &mut self.roots,
        }
    }

    fn add(&mut self, after: Option<usize>, square: Square) -> usize {
        let at = self.nodes.len();
        self.nodes.push(Node { square, answers: Vec::new() });
        self.answers(after).push(at);
        at
    }

    /// Adds a line after a move, along what is there already.
    fn add_line(&mut self, mut after: Option<usize>, line: &[Square], comment: &str) {
        let mut first_new = None;
        for &square in line {
            let known = self.answers(after).clone().into_iter().find(|&at| self.nodes[at].square == square);
            let at = known.unwrap_or_else(|| self.add(after, square));
            if known.is_none() {
                first_new = first_new.or(Some(at));
            }
            after = Some(at);
        }
        if let Some(first) = first_new {
            self.say(first, comment);
        }
    }

    fn say(&mut self, at: usize, words: &str) {
        let comment = &mut self.notes.entry(Some(at)).or_default().comment;
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(words);
    }

    /// The value of a move, and what there is to say of it.
    fn note(&mut self, at: usize, one: &MoveReport, context: &Context) {
        self.notes.entry(Some(at)).or_default().eval = Some(one.score as f32);
        let said = words::said(one, context);
        if !said.is_empty() {
            self.say(at, &said.join(" "));
        }
    }

    /// Each move's first answer directly follows it.
    fn into_raw(mut self, record: &Record) -> RawGame {
        let mut raw = RawGame { headers: record.headers.clone(), ..RawGame::default() };
        if !record.from_usual_start() {
            raw.start = Some(record.start().setup());
        }
        raw.notes.extend(self.notes.remove(&None).map(|note| RawNote { on: None, note }));
        let mut open: Vec<(usize, Option<u32>)> = self.roots.iter().rev().map(|&root| (root, None)).collect();
        while let Some((at, after)) = open.pop() {
            let place = raw.plies.len() as u32;
            raw.plies.push(RawPly { after, by: None, square: Some(self.nodes[at].square), byte: 0 });
            raw.notes.extend(self.notes.remove(&Some(at)).map(|note| RawNote { on: Some(place), note }));
            open.extend(self.nodes[at].answers.iter().rev().map(|&answer| (answer, Some(place))));
        }
        raw
    }
}

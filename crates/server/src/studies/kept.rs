//! A study as it is kept: the body of its document, and the line that lists show.

use crate::protocol::{StudyId, StudySummary};
use rules::{Color, Square};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use study::tree::{SavedTree, Tree};
use table::{At, CommandId, GameId, board_text};

/// The version of what is written. A later one is not read.
const VERSION: u32 = 1;
/// How many commands are known again after they were carried out.
const REMEMBERED: usize = 32;

/// All of a study.
#[derive(Clone, Debug)]
pub(super) struct StudyState {
    pub(super) tree: Tree,
    /// How many changes there were.
    pub(super) seq: u64,
    pub(super) changed: At,
    /// The game on this server that it came from.
    pub(super) game: Option<GameId>,
    /// The commands that made the last changes: the same one again changes nothing.
    commands: VecDeque<CommandId>,
    review: Option<KeptReview>,
}

/// The last finished review, and of which moves it is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct KeptReview {
    pub(super) line: Vec<Square>,
    pub(super) report: serde_json::Value,
}

#[derive(Serialize, Deserialize)]
struct Body {
    version: u32,
    seq: u64,
    tree: SavedTree,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<GameId>,
    #[serde(default)]
    commands: VecDeque<CommandId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<KeptReview>,
}

/// What a list shows.
#[derive(Serialize, Deserialize)]
struct Head {
    title: String,
    black: String,
    white: String,
    board: String,
    turn: Option<Color>,
    moves: u32,
}

impl StudyState {
    pub(super) fn new(tree: Tree, game: Option<GameId>, at: At) -> StudyState {
        StudyState { tree, seq: 0, changed: at, game, commands: VecDeque::new(), review: None }
    }

    /// As it is written.
    pub(super) fn body(&self) -> String {
        let body = Body {
            version: VERSION,
            seq: self.seq,
            tree: (&self.tree).into(),
            game: self.game.clone(),
            commands: self.commands.clone(),
            review: self.review.clone(),
        };
        // Plain data with text keys; writing it cannot fail.
        serde_json::to_string(&body).unwrap_or_default()
    }

    /// As it was written; `None` if a later version wrote it, or it is damaged.
    pub(super) fn read(body: &str, changed: At) -> Option<StudyState> {
        let body: Body = serde_json::from_str(body).ok().filter(|body: &Body| body.version <= VERSION)?;
        let Body { seq, tree, game, commands, review, .. } = body;
        Some(StudyState { tree: tree.try_into().ok()?, seq, changed, game, commands, review })
    }

    /// The line that lists show.
    pub(super) fn head(&self) -> String {
        let line = self.tree.main_line();
        let end = line.last().and_then(|end| self.tree.node(*end));
        let position = end.map_or(self.tree.start(), |end| end.position());
        let players = &self.tree.headers.players;
        let head = Head {
            title: self.tree.title().to_owned(),
            black: players.black.clone(),
            white: players.white.clone(),
            board: board_text(&position),
            turn: position.turn(),
            moves: line.len() as u32 - 1,
        };
        serde_json::to_string(&head).unwrap_or_default()
    }

    /// Whether this command has made one of the last changes.
    pub(super) fn has_done(&self, id: &CommandId) -> bool {
        self.commands.contains(id)
    }

    /// The tree is so now, by this command.
    pub(super) fn change(&mut self, tree: Tree, id: CommandId, at: At) {
        self.tree = tree;
        self.seq += 1;
        self.changed = at;
        self.commands.push_back(id);
        if self.commands.len() > REMEMBERED {
            self.commands.pop_front();
        }
    }

    /// The moves of the main line.
    pub(super) fn line(&self) -> Vec<Square> {
        self.tree.squares(&self.tree.main_line())
    }

    /// Why the move that followed these in the main line was bad, if the last review says so.
    pub(super) fn reason_after(&self, moves: &[Square]) -> Option<serde_json::Value> {
        let review = self.review.as_ref().filter(|review| review.line.starts_with(moves))?;
        let reason = review.report.get("moves")?.get(moves.len())?.get("reason")?;
        (!reason.is_null()).then(|| reason.clone())
    }

    pub(super) fn set_review(&mut self, review: KeptReview) {
        self.review = Some(review);
    }

    /// The last finished review, if the main line is still the same. One that an earlier version made, which did not mark its moves, is
    /// made again.
    pub(super) fn report(&self) -> Option<serde_json::Value> {
        let marks = |report: &serde_json::Value| report.pointer("/moves/0/mark").is_some();
        let review = self.review.as_ref().filter(|review| review.line == self.line())?;
        Some(review.report.clone()).filter(marks)
    }
}

/// A line in the list of a person's studies.
pub(super) fn summary(study: StudyId, changed: At, head: &str) -> StudySummary {
    let unreadable = || Head {
        title: String::new(),
        black: String::new(),
        white: String::new(),
        board: String::new(),
        turn: None,
        moves: 0,
    };
    let read = serde_json::from_str::<Head>(head);
    let is_unreadable = read.is_err();
    let Head { title, black, white, board, turn, moves } = read.unwrap_or_else(|_| unreadable());
    StudySummary { study, title, black, white, changed, board, turn, moves, unreadable: is_unreadable }
}

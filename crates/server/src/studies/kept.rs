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

/// A review as far as it has come, and of which moves it is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct KeptReview {
    pub(crate) line: Vec<Square>,
    pub(crate) report: serde_json::Value,
    /// Plies it was to look ahead.
    #[serde(default)]
    pub(crate) depth: u32,
}

impl KeptReview {
    /// The move that followed these in the main line, if the review is sure that it lost something, and why, as far as that is known.
    pub(super) fn mistake_after(&self, moves: &[Square]) -> Option<(Square, Option<serde_json::Value>)> {
        /// Discs: a move that is a disc worse by a search is as good as the best.
        const LOST: i64 = 2;
        let played = *self.line.strip_prefix(moves)?.first()?;
        let number = moves.len() as u64 + 1;
        let of_number = |one: &&serde_json::Value| one["number"].as_u64() == Some(number);
        let told = self.report.get("moves")?.as_array()?.iter().find(of_number)?;
        let is_bad = told["sure"] == true && told["loss"].as_i64().is_some_and(|loss| loss >= LOST);
        is_bad.then(|| (played, Some(told["reason"].clone()).filter(|reason| !reason.is_null())))
    }
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

    /// The last finished review, also of a main line that is another by now.
    pub(super) fn last_review(&self) -> Option<KeptReview> {
        self.review.clone()
    }

    pub(super) fn set_review(&mut self, review: KeptReview) {
        self.review = Some(review);
    }

    /// The last finished review, if the main line is still the same. One that an earlier version made, which did not say how sure it was of
    /// each loss, is made again.
    pub(super) fn report(&self) -> Option<serde_json::Value> {
        let says = |report: &serde_json::Value| report.pointer("/moves/0/least").is_some();
        let review = self.review.as_ref().filter(|review| review.line == self.line())?;
        Some(review.report.clone()).filter(says)
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_review_says_what_was_a_mistake_as_soon_as_it_is_sure() {
        let line = vec![Square::F5, Square::D6, Square::C3];
        // the last moves of a game are judged first
        let told = |sure: bool, loss: i32, reason: serde_json::Value| KeptReview {
            line: line.clone(),
            report: json!({"moves": [{"number": 2, "sure": sure, "loss": loss, "reason": reason}, {"number": 3}]}),
            depth: 20,
        };
        let before = [Square::F5];
        let reason = json!({"kind": "corner"});
        assert_eq!(told(true, 4, json!(null)).mistake_after(&before), Some((Square::D6, None)));
        assert_eq!(told(true, 4, reason.clone()).mistake_after(&before), Some((Square::D6, Some(reason))));
        assert_eq!(told(false, 4, json!(null)).mistake_after(&before), None, "it may be withdrawn");
        assert_eq!(told(true, 1, json!(null)).mistake_after(&before), None, "it is as good as the best");
        assert_eq!(told(true, 4, json!(null)).mistake_after(&[]), None, "nothing is known of that move yet");
        assert_eq!(told(true, 4, json!(null)).mistake_after(&[Square::D3]), None, "another line");
    }
}

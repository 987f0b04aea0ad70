//! Engine protocols: a session is fed lines and answers lines; [`mod@talk`] joins one to pipes and to a thinking thread.
//!
//! Sessions know nothing of threads and pipes, so they are tested line by line.

pub(crate) mod game;
pub(crate) mod gtp;
pub(crate) mod nboard;
mod talk;

pub(crate) use talk::talk;

use engine::{Analysis, Level, Limits};
use rules::{Position, Square};

/// Longer lines are cut: no message of any protocol comes near it.
const LONGEST_LINE: usize = 1 << 16;

/// One thing to think about.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) position: Position,
    pub(crate) limits: Limits,
    /// Who chooses among the lines, and with what luck; without, the best is taken.
    pub(crate) level: Option<(Level, u64)>,
}

/// What came of a question, so far or in the end.
#[derive(Clone, Debug)]
pub(crate) struct Thought {
    /// Which question, the first being 0.
    pub(crate) question: usize,
    pub(crate) square: Option<Square>,
    pub(crate) analysis: Analysis,
}

/// What a session wants done after a line.
#[derive(Clone, Debug, Default)]
pub(crate) enum Next {
    /// Nothing: on to the next line.
    #[default]
    Listen,
    /// Think about these, one after another, and tell.
    Think(Vec<Question>),
    /// End.
    Quit,
}

/// What a session says to a line, and what it wants done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reply {
    pub(crate) lines: Vec<String>,
    pub(crate) next: Next,
}

impl Reply {
    pub(crate) fn say(line: impl Into<String>) -> Reply {
        Reply { lines: vec![line.into()], next: Next::Listen }
    }
}

/// What a new line means to a search that is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Interruption {
    /// It waits its turn.
    Wait,
    /// It waits its turn, but that is to come soon: the search ends with what it has.
    Hurry,
    /// The search is forgotten.
    Abandon,
}

/// One side of a conversation.
pub(crate) trait Session {
    /// Hears a line and answers. No line, however strange, ends the session but the one that asks for it.
    fn hear(&mut self, line: &str) -> Reply;

    /// What to say while a question is thought about.
    fn progress(&mut self, _thought: &Thought) -> Vec<String> {
        Vec::new()
    }

    /// What to say once a question is answered.
    fn answer(&mut self, thought: &Thought) -> Vec<String>;

    /// What to say once all questions are answered, or abandoned.
    fn done(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// What this line, arriving during a search, does to it.
    fn interrupts(&self, line: &str) -> Interruption;
}

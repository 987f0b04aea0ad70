//! What a person keeps beside their games: [`Document`].

use table::{At, DocumentId, PersonId};

/// What a document is, so that lists hold one kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DocumentKind(pub &'static str);

impl DocumentKind {
    /// A tree of variations.
    pub const STUDY: DocumentKind = DocumentKind("study");
    /// How a person's games compare with the engine, for the owner.
    pub const COMPARISON: DocumentKind = DocumentKind("comparison");
    /// That a person broke off a rated game, named by the game. It stays when they take the game from their list.
    pub const ABORT: DocumentKind = DocumentKind("abort");
}

/// What names a document: the same id may stand for another one of somebody else, or of another kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DocumentKey {
    /// Whose it is.
    pub who: PersonId,
    /// What it is.
    pub kind: DocumentKind,
    /// Which.
    pub id: DocumentId,
}

/// Something that a person keeps, whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// What names it.
    pub key: DocumentKey,
    /// How often it was written: 1 is the first time. Unless it is the next one, nothing is kept.
    pub revision: u64,
    /// When it was last changed.
    pub changed: At,
    /// When it is to be looked at again.
    pub due: Option<At>,
    /// What a list shows of it.
    pub head: String,
    /// All of it.
    pub body: String,
}

/// A line in the list of a person's documents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentHead {
    /// Which.
    pub id: DocumentId,
    /// When it was last changed.
    pub changed: At,
    /// When it is to be looked at again.
    pub due: Option<At>,
    /// What a list shows of it.
    pub head: String,
}

/// How many documents of one kind a person has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DocumentCounts {
    /// All of them.
    pub all: u64,
    /// Those that are to be looked at again by then.
    pub due: u64,
}

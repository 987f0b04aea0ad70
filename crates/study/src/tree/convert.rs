//! From games as files hold them to a [`Tree`] and back.

use super::{Arrow, EditError, LONGEST_TITLE, MOST_MARKS, MOST_NODES, MOST_SAID, Mark, NodeId, Said, Shape, Tree};
use record::{Extra, Format, Note, RawGame, RawNote, RawPly, Record};
use rules::{Position, Square};

/// The properties of SGF that are marks.
const SHAPES: [(&str, Shape); 4] =
    [("CR", Shape::Circle), ("SQ", Shape::Square), ("TR", Shape::Triangle), ("MA", Shape::Cross)];
/// And the one that is an arrow.
const ARROW: &str = "AR";
/// What SGF calls the name of a game.
const TITLE: &str = "GN";

impl Tree {
    /// The tree of a game: variations, comments and marks are kept, and so is whatever else the file says of its moves. Moves that
    /// the file has twice in one place are one.
    ///
    /// # Errors
    ///
    /// [`EditError::TooManyNodes`] or [`EditError::TooMuchSaid`] if it is too large for a study.
    ///
    /// ```
    /// use record::{Record, sgf};
    /// use study::tree::{Mark, NodeId, Shape, Tree};
    /// let text = b"(;FF[4]GM[2];B[f5](;W[d6]C[perpendicular]CR[d6])(;W[f6]))";
    /// let tree = Tree::from_record(&Record::try_from(sgf::games(text).next().unwrap().1?)?)?;
    /// assert_eq!(tree.len(), 4);
    /// let perpendicular = tree.node(tree.main_line()[2]).unwrap();
    /// assert_eq!(perpendicular.comment(), "perpendicular");
    /// assert_eq!(perpendicular.marks(), [Mark { square: "d6".parse()?, kind: Shape::Circle }]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_record(record: &Record) -> Result<Tree, EditError> {
        if record.moves().len() >= MOST_NODES {
            return Err(EditError::TooManyNodes);
        }
        let mut tree = Tree::new(record.start());
        tree.headers = record.headers.clone();
        // What an SGF file draws before the first move stands among what it says of the game.
        let (drawn, of_the_game) = tree.headers.extra.drain(..).partition(is_drawn);
        tree.headers.extra = of_the_game;
        if let Some(at) = tree.headers.extra.iter().position(is_title) {
            let title = unescaped(&tree.headers.extra.remove(at).value);
            tree.title = title.replace(char::is_control, " ").trim().chars().take(LONGEST_TITLE).collect();
        }
        tree.say(NodeId::ROOT, Note { extra: drawn, ..Note::default() });
        let mut ids: Vec<NodeId> = Vec::with_capacity(record.moves().len());
        for played in record.moves() {
            let before = played.after.map_or(NodeId::ROOT, |after| ids[after as usize]);
            // A record is legal.
            ids.push(tree.grow(before, played.square).map_err(EditError::Illegal)?);
        }
        for said in record.notes() {
            let at = said.on.map_or(NodeId::ROOT, |on| ids[on as usize]);
            tree.say(at, said.note.clone());
        }
        if tree.said() > MOST_SAID {
            return Err(EditError::TooMuchSaid);
        }
        tree.at = NodeId::ROOT;
        Ok(tree)
    }

    /// Adds what a file says of a position.
    fn say(&mut self, at: NodeId, note: Note) {
        let Some(said) = self.nodes.get_mut(&at).map(|node| &mut node.said) else { return };
        if !note.comment.is_empty() {
            if !said.comment.is_empty() {
                said.comment.push('\n');
            }
            said.comment.push_str(&note.comment);
        }
        said.seconds = note.seconds.or(said.seconds);
        said.eval = note.eval.or(said.eval);
        for extra in note.extra {
            match drawing(&extra) {
                Some(Drawing::Marks(marks)) => said.marks.extend(marks),
                Some(Drawing::Arrow(arrow)) => said.arrows.push(arrow),
                None => said.extra.push(extra),
            }
        }
        said.marks.sort_unstable();
        said.marks.dedup();
        said.marks.truncate(MOST_MARKS);
        said.arrows.sort_unstable();
        said.arrows.dedup();
        said.arrows.truncate(MOST_MARKS);
    }

    /// The whole tree as a game, for the writers of files.
    pub fn record(&self) -> Record {
        // Depth first, the main line before its variations; a list of what is still to be written costs no stack.
        let mut order = Vec::with_capacity(self.len());
        let mut waiting = vec![NodeId::ROOT];
        while let Some(id) = waiting.pop() {
            order.push(id);
            waiting.extend(self.nodes[&id].children.iter().rev());
        }
        self.record_of(&order)
    }

    /// The main line as a game, without its variations.
    pub fn main_record(&self) -> Record {
        self.record_of(&self.main_line())
    }

    /// The line to a node as a game; `None` if there is no such node.
    pub fn line_record(&self, at: NodeId) -> Option<Record> {
        self.node(at).map(|_| self.record_of(&self.line_to(at)))
    }

    /// The game of these nodes, each of which comes after the node before it.
    fn record_of(&self, order: &[NodeId]) -> Record {
        let start = self.start();
        let mut raw = RawGame {
            headers: self.headers.clone(),
            start: (start != Position::start()).then(|| start.setup()),
            ..RawGame::default()
        };
        if !self.title.is_empty() {
            let value = self.title.replace('\\', "\\\\").replace(']', "\\]");
            raw.headers.extra.insert(0, Extra { format: Format::Sgf, name: TITLE.to_owned(), value });
        }
        let mut places = std::collections::BTreeMap::new();
        for id in order {
            let node = &self.nodes[id];
            let on = node.played.map(|played| {
                let after = node.parent.and_then(|parent| places.get(&parent).copied());
                raw.plies.push(RawPly { after, by: Some(played.by), square: Some(played.square), byte: 0 });
                raw.plies.len() as u32 - 1
            });
            if let Some(on) = on {
                places.insert(*id, on);
            }
            if let Some(note) = node.said.note() {
                raw.notes.push(RawNote { on, note });
            }
        }
        // Every move was checked when it was made.
        Record::try_from(raw).unwrap_or_else(|_| Record::from(start))
    }
}

impl Said {
    /// As a file says it, if there is anything to say.
    fn note(&self) -> Option<Note> {
        let mut extra = self.extra.clone();
        let sgf = |name: &str, value: String| Extra { format: Format::Sgf, name: name.to_owned(), value };
        for (name, shape) in SHAPES {
            let marks = self.marks.iter().filter(|mark| mark.kind == shape);
            extra.extend(marks.map(|mark| sgf(name, mark.square.to_string())));
        }
        extra.extend(self.arrows.iter().map(|arrow| sgf(ARROW, format!("{}:{}", arrow.from, arrow.to))));
        let note = Note { eval: self.eval, seconds: self.seconds, comment: self.comment.clone(), extra };
        (note != Note::default()).then_some(note)
    }
}

enum Drawing {
    Marks(Vec<Mark>),
    Arrow(Arrow),
}

fn is_title(extra: &Extra) -> bool {
    extra.format == Format::Sgf && extra.name == TITLE
}

/// What a value of SGF says, without the signs that keep it together.
fn unescaped(value: &str) -> String {
    let mut escapes = false;
    value
        .chars()
        .filter(|&c| {
            escapes = c == '\\' && !escapes;
            !escapes
        })
        .collect()
}

fn is_drawn(extra: &Extra) -> bool {
    drawing(extra).is_some()
}

/// What a property draws; `None` if it draws nothing we know.
fn drawing(extra: &Extra) -> Option<Drawing> {
    if extra.format != Format::Sgf {
        return None;
    }
    if extra.name == ARROW {
        let (from, to) = extra.value.split_once(':')?;
        let arrow = Arrow { from: from.trim().parse().ok()?, to: to.trim().parse().ok()? };
        return (arrow.from != arrow.to).then_some(Drawing::Arrow(arrow));
    }
    let (_, kind) = SHAPES.into_iter().find(|(name, _)| *name == extra.name)?;
    let marks = squares(&extra.value)?.into_iter().map(|square| Mark { square, kind });
    Some(Drawing::Marks(marks.collect()))
}

/// A square, or a rectangle from one to another.
fn squares(value: &str) -> Option<Vec<Square>> {
    let Some((from, to)) = value.split_once(':') else { return Some(vec![value.trim().parse().ok()?]) };
    let (from, to): (Square, Square) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    let within = |at: u8, a: u8, b: u8| (a.min(b)..=a.max(b)).contains(&at);
    let inside = |square: &Square| {
        within(square.column(), from.column(), to.column()) && within(square.row(), from.row(), to.row())
    };
    Some(Square::ALL.into_iter().filter(inside).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Edit;
    use record::sgf;

    fn read(text: &str) -> Tree {
        let (_, raw) = sgf::games(text.as_bytes()).next().unwrap();
        Tree::from_record(&Record::try_from(raw.unwrap()).unwrap()).unwrap()
    }

    #[test]
    fn a_title_goes_with_the_study() {
        let mut tree = read("(;GM[2];B[f5]SECONDS[2](;W[d6]SECONDS[3])(;W[f6]))");
        for title in ["Final: Ana – Luis", r"a \ b [c] \\ d]", ""] {
            tree.edit(&Edit::Title { text: title.to_owned() }).unwrap();
            let again = read(&sgf::write(&tree.record()));
            assert_eq!(again.title(), title);
            assert_eq!(again.record(), tree.record(), "and the time of each move");
        }
        let theirs = read("(;GM[2]GN[one \\] two]EV[x];B[f5])");
        assert_eq!((theirs.title(), theirs.headers.extra.len()), ("one ] two", 0));
    }
}

use super::*;
use crate::tree::{SavedTree, Shape};
use proptest::prelude::*;
use record::{Record, sgf};
use rules::Position;

/// An edit that `choice` makes of what the tree has.
fn some_edit(tree: &Tree, choice: (u8, usize, usize, String)) -> Edit {
    let (kind, which, other, text) = choice;
    let ids: Vec<NodeId> = tree.nodes().map(|(id, _)| id).collect();
    let at = ids[which % ids.len()];
    let legal: Vec<Square> = tree.node(at).unwrap().position().legal().into_iter().collect();
    let any = |n: usize| Square::ALL[n % 64];
    match kind % 12 {
        0..=4 => match legal.get(other % legal.len().max(1)) {
            Some(square) => Edit::Play { at, square: *square },
            None => Edit::Play { at, square: any(other) },
        },
        5 => {
            let mut position = tree.node(at).unwrap().position();
            let mut squares = Vec::new();
            for n in 0..other % 6 {
                let legal: Vec<Square> = position.legal().into_iter().collect();
                let Some(square) = legal.get((which + n) % legal.len().max(1)) else { break };
                squares.push(*square);
                position = position.play(*square).unwrap().after;
            }
            Edit::Line { at, squares }
        }
        6 => Edit::Comment { at, text },
        7 => {
            let shapes = [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Cross];
            let mark = |n: usize| Mark { square: any(which + 5 * n), kind: shapes[(other + n) % 4] };
            let marks = (0..other % 4).map(mark).collect();
            Edit::Marks { at, marks, arrows: vec![Arrow { from: any(which), to: any(other) }] }
        }
        8 => Edit::Remove { at },
        9 => Edit::Promote { at },
        10 => Edit::Title { text },
        _ if other % 2 == 0 => Edit::Undo,
        _ => Edit::Redo,
    }
}

/// What of a tree is seen.
fn seen(tree: &Tree) -> (String, Vec<(NodeId, Node)>) {
    (tree.title().to_owned(), tree.nodes().map(|(id, node)| (id, node.clone())).collect())
}

/// Every node is where its move leads, and knows its neighbours.
fn check(tree: &Tree) {
    for (id, node) in tree.nodes() {
        match node.parent() {
            None => assert_eq!((id, node.square()), (NodeId::ROOT, None)),
            Some(parent) => {
                let before = tree.node(parent).unwrap();
                assert!(before.children().contains(&id) && parent < id);
                let step = before.position().play(node.square().unwrap()).unwrap();
                assert_eq!((step.after, Some(step.by), step.passed), (node.position(), node.by(), node.passed()));
                assert_eq!(node.number(), before.number() + 1);
            }
        }
        let mut squares: Vec<_> = node.children().iter().map(|child| tree.node(*child).unwrap().square()).collect();
        squares.sort();
        squares.dedup();
        assert_eq!(squares.len(), node.children().len(), "no move twice");
    }
}

/// What of a node a file keeps: its move, the number of it, what is said and what is drawn.
type InFile = (Option<Square>, u32, String, Vec<Mark>, Vec<Arrow>);

/// What of a tree a file keeps: everything but its numbers, its title and what can be taken back.
fn in_a_file(tree: &Tree) -> Vec<InFile> {
    let (mut found, mut waiting) = (Vec::new(), vec![NodeId::ROOT]);
    while let Some(id) = waiting.pop() {
        let node = tree.node(id).unwrap();
        let said = (node.comment().to_owned(), node.marks().to_vec(), node.arrows().to_vec());
        found.push((node.square(), node.number(), said.0, said.1, said.2));
        waiting.extend(node.children().iter().rev());
    }
    found
}

fn edits() -> impl Strategy<Value = Vec<(u8, usize, usize, String)>> {
    prop::collection::vec((any::<u8>(), 0..500_usize, 0..500_usize, "[ -~áñ\\n\\]:\\\\]{0,20}"), 0..60)
}

#[test]
fn a_comment_that_was_wiped_out_again_is_no_change() {
    let mut tree = Tree::new(Position::start());
    let mut say = |text: &str| tree.edit(&Edit::Comment { at: NodeId::ROOT, text: text.to_owned() }).unwrap().changed;
    assert!(say("A") && say("") && !say(""));
    assert_eq!(tree.edit(&Edit::Undo), Err(EditError::NothingToUndo));
}

proptest! {
    #[test]
    fn any_edits_taken_back_are_the_beginning_and_made_again_the_end(choices in edits()) {
        let mut tree = Tree::new(Position::start());
        let mut ever = BTreeSet::new();
        for choice in choices {
            let edit = some_edit(&tree, choice);
            let before = tree.clone();
            match tree.edit(&edit) {
                Ok(edited) => {
                    check(&tree);
                    // What is told is all that is different, and what is gone is told.
                    for (id, node) in tree.nodes() {
                        prop_assert_eq!(edited.nodes.contains(&id), before.node(id) != Some(node), "{:?}", edit);
                    }
                    let gone: Vec<NodeId> = before.nodes().map(|(id, _)| id).filter(|id| tree.node(*id).is_none()).collect();
                    prop_assert_eq!(edited.removed.iter().copied().collect::<BTreeSet<_>>(), gone.into_iter().collect());
                    prop_assert!(tree.node(edited.at).is_some());
                    prop_assert_eq!(edited.changed, seen(&tree) != seen(&before));
                    if matches!(edit, Edit::Play { .. } | Edit::Line { .. }) {
                        for id in edited.nodes.iter().filter(|id| before.node(**id).is_none()) {
                            prop_assert!(ever.insert(*id), "a number is used once");
                        }
                    }
                }
                Err(_) => prop_assert_eq!(&tree, &before, "a refused edit changes nothing"),
            }
            let saved = serde_json::to_string(&SavedTree::from(&tree)).unwrap();
            let back = Tree::try_from(serde_json::from_str::<SavedTree>(&saved).unwrap()).unwrap();
            prop_assert_eq!(&back, &tree);
        }
        // To the end of what was undone, and back to the beginning.
        while tree.edit(&Edit::Redo).is_ok() {}
        let end = seen(&tree);
        while tree.edit(&Edit::Undo).is_ok() {}
        prop_assert_eq!(seen(&tree), seen(&Tree::new(Position::start())));
        while tree.edit(&Edit::Redo).is_ok() {}
        prop_assert_eq!(seen(&tree), end);
    }

    #[test]
    fn what_is_written_is_read_again(choices in edits()) {
        let mut tree = Tree::new(Position::start());
        for choice in choices {
            let edit = some_edit(&tree, choice);
            let _ = tree.edit(&edit);
        }
        let record = tree.record();
        prop_assert_eq!(record.moves().len() + 1, tree.len());
        prop_assert_eq!(in_a_file(&Tree::from_record(&record).unwrap()), in_a_file(&tree));
        let written = sgf::write(&record);
        let read = Record::try_from(sgf::games(written.as_bytes()).next().unwrap().1.unwrap()).unwrap();
        prop_assert_eq!(in_a_file(&Tree::from_record(&read).unwrap()), in_a_file(&tree), "{}", written);
        let at = tree.at();
        prop_assert_eq!(tree.line_record(at).unwrap().main_line().collect::<Vec<_>>(), tree.squares(&tree.line_to(at)));
    }
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

#[test]
fn what_is_refused_is_said() {
    let mut tree = Tree::new(Position::start());
    let far = NodeId(99);
    let play = |tree: &mut Tree, at, name| tree.edit(&Edit::Play { at, square: square(name) });
    assert_eq!(play(&mut tree, far, "f5"), Err(EditError::NoSuchNode));
    let error = play(&mut tree, NodeId::ROOT, "a1").unwrap_err();
    assert_eq!(error.to_string(), "a1 turns no disc");
    assert_eq!(tree.edit(&Edit::Remove { at: NodeId::ROOT }), Err(EditError::Start));
    assert_eq!(tree.edit(&Edit::Undo), Err(EditError::NothingToUndo));
    assert_eq!(tree.edit(&Edit::Redo), Err(EditError::NothingToRedo));
    let line = Edit::Line { at: NodeId::ROOT, squares: vec![square("f5"), square("a8")] };
    assert!(matches!(tree.edit(&line), Err(EditError::Illegal(_))));
    assert_eq!(tree.len(), 1, "nothing of a line that is wrong at its end");
    for edit in [
        Edit::Comment { at: NodeId::ROOT, text: "x".repeat(LONGEST_COMMENT + 1) },
        Edit::Title { text: "x".repeat(LONGEST_TITLE + 1) },
    ] {
        assert_eq!(tree.edit(&edit), Err(EditError::TooLong));
    }
    let arrows = (0..65).map(|n| Arrow { from: Square::ALL[n % 64], to: Square::ALL[(n * 7 + 3) % 64] }).collect();
    let marks =
        Square::ALL.iter().flat_map(|square| [Shape::Circle, Shape::Cross].map(|kind| Mark { square: *square, kind }));
    let too_many = Edit::Marks { at: NodeId::ROOT, marks: marks.collect(), arrows: Vec::new() };
    assert_eq!(tree.edit(&too_many), Err(EditError::TooManyMarks));
    assert!(tree.edit(&Edit::Marks { at: NodeId::ROOT, marks: Vec::new(), arrows }).is_ok(), "one was twice the same");
}

#[test]
fn a_tree_has_room_for_so_much_and_then_refuses() {
    let mut tree = Tree::new(Position::start());
    let mut refused = 0;
    // Every move of every position, breadth first.
    for n in 0.. {
        let Some((id, position)) = tree.nodes().nth(n).map(|(id, node)| (id, node.position())) else { break };
        for square in position.legal() {
            match tree.edit(&Edit::Play { at: id, square }) {
                Ok(_) => {}
                Err(EditError::TooManyNodes) => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
        if refused > 3 {
            break;
        }
    }
    assert_eq!(tree.len(), MOST_NODES);
    let long = "x".repeat(LONGEST_COMMENT);
    let ids: Vec<NodeId> = tree.nodes().map(|(id, _)| id).collect();
    let full = ids.iter().find_map(|at| tree.edit(&Edit::Comment { at: *at, text: long.clone() }).err());
    assert_eq!(full, Some(EditError::TooMuchSaid));
    assert!(tree.said() <= MOST_SAID);
    // It can be made smaller, and that can be taken back.
    let first = tree.main_line()[1];
    let before = seen(&tree);
    tree.edit(&Edit::Remove { at: first }).unwrap();
    tree.edit(&Edit::Undo).unwrap();
    assert_eq!(seen(&tree), before);
    assert!(serde_json::to_string(&SavedTree::from(&tree)).unwrap().len() < 4 << 20);
}

#[test]
fn what_is_typed_at_one_go_is_taken_back_at_one_go() {
    let mut tree = Tree::new(Position::start());
    let f5 = tree.edit(&Edit::Play { at: NodeId::ROOT, square: square("f5") }).unwrap().at;
    for text in ["a", "a good", "a good move"] {
        tree.edit(&Edit::Comment { at: f5, text: text.into() }).unwrap();
    }
    tree.edit(&Edit::Comment { at: NodeId::ROOT, text: "start".into() }).unwrap();
    tree.edit(&Edit::Undo).unwrap();
    assert_eq!(tree.node(f5).unwrap().comment(), "a good move");
    tree.edit(&Edit::Undo).unwrap();
    assert_eq!(tree.node(f5).unwrap().comment(), "");
    tree.edit(&Edit::Redo).unwrap();
    assert_eq!(tree.node(f5).unwrap().comment(), "a good move");
}

#[test]
fn a_variation_is_promoted_where_it_branches_off_last() {
    let mut tree = Tree::new(Position::start());
    let line = |tree: &mut Tree, moves: &str| {
        let squares = moves.split(' ').map(square).collect();
        tree.edit(&Edit::Line { at: NodeId::ROOT, squares }).unwrap().at
    };
    line(&mut tree, "f5 d6 c3");
    let diagonal = line(&mut tree, "f5 f6 e6");
    let other = line(&mut tree, "d3 c3");
    let main = |tree: &Tree| tree.squares(&tree.main_line()).iter().map(ToString::to_string).collect::<String>();
    assert_eq!(main(&tree), "f5d6c3");
    assert_eq!(tree.edit(&Edit::Promote { at: diagonal }).unwrap().at, diagonal);
    assert_eq!(main(&tree), "f5f6e6");
    assert!(!tree.edit(&Edit::Promote { at: diagonal }).unwrap().changed);
    tree.edit(&Edit::Promote { at: other }).unwrap();
    assert_eq!(main(&tree), "d3c3");
    tree.edit(&Edit::Undo).unwrap();
    assert_eq!(main(&tree), "f5f6e6");
}

#[test]
fn damaged_trees_are_refused_and_never_panic() {
    let mut tree = Tree::new(Position::start());
    for moves in ["f5d6c3", "f5f6", "d3c3c4"] {
        let squares = (0..moves.len() / 2).map(|n| square(&moves[2 * n..2 * n + 2])).collect();
        tree.edit(&Edit::Line { at: NodeId::ROOT, squares }).unwrap();
    }
    let text = serde_json::to_string(&SavedTree::from(&tree)).unwrap();
    let load = |text: &str| serde_json::from_str::<SavedTree>(text).ok().and_then(|saved| Tree::try_from(saved).ok());
    assert_eq!(load(&text), Some(tree));
    for (from, to) in
        [("\"f5\"", "\"a1\""), ("\"parent\":1", "\"parent\":7"), ("[1,", "[8,"), ("\"next\":8", "\"next\":3")]
    {
        assert!(text.contains(from), "{from} in {text}");
        assert_eq!(load(&text.replacen(from, to, 1)), None, "{from} → {to}");
    }
}

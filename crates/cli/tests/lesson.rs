//! The first lesson of the page: what it tells a newcomer is true.
//!
//! `web/src/lesson/lessons.json` holds every move the lesson lets somebody try, its exact result and the best answer to it. The
//! results are written from here by `OUTFLANK_WRITE=1 cargo test -p outflank --test lesson`; the other tests hold each sentence of
//! the lesson against them. The sentences are in `locales/` under "Page: first lesson".

use engine::{Engine, Evaluator, Limits, Options};
use rules::{Bitboard, Board, Color, Position, Setup, Square};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::PathBuf};

/// Where each lesson begins, Black to move, and how it goes on: Black's right move, White's best answer, and so on.
const LESSONS: [(&str, &str, &str); 3] = [
    ("corners", "---XXX---OXXXX-XXXOXXXXXXXOOXXOXXXOXOXOXXXOXOOOX-XOOOOO-X-OOOOO-", "b8b1h8"),
    ("mobility", "-XXXXXXXX-XXOXOOXXXXXXOXXXXXOXOXXXXXXXOXXXXOOXO--X-OOOOOX-----OX", "h6b2a1"),
    ("quiet", "-XXXXXXX--XXXOX--XXXOXOO--XXXXOO--OOOOOO--OOOOXO--OXXXXO--OXXXXO", "h2b4a5"),
];

/// One move that Black may try.
struct Try {
    square: Square,
    after: Position,
    /// Black's result with best play from here on, in discs.
    score: i32,
    /// White's best answer.
    answer: Square,
}

struct Step {
    position: Position,
    tries: Vec<Try>,
}

impl Step {
    fn of(engine: &mut Engine, position: Position) -> Step {
        let mut tries: Vec<Try> = solved(engine, &position)
            .into_iter()
            .map(|(square, score)| {
                let after = position.play(square).unwrap().after;
                assert_eq!(after.turn(), Some(Color::White), "after {square} White answers");
                let (answer, reply) = solved(engine, &after)[0];
                assert_eq!(reply, -score);
                Try { square, after, score, answer }
            })
            .collect();
        tries.sort_by_key(|tried| tried.square.to_string());
        Step { position, tries }
    }

    fn tried(&self, square: &str) -> &Try {
        self.tries.iter().find(|tried| tried.square.to_string() == square).unwrap()
    }

    fn best(&self) -> i32 {
        self.tries.iter().map(|tried| tried.score).max().unwrap()
    }

    /// The moves that keep the best result.
    fn right(&self) -> Vec<String> {
        self.tries.iter().filter(|tried| tried.score == self.best()).map(|tried| tried.square.to_string()).collect()
    }

    fn wrong(&self) -> impl Iterator<Item = &Try> {
        self.tries.iter().filter(|tried| tried.score < self.best())
    }

    fn turns(&self, square: &str) -> u32 {
        self.position.flips(self.tried(square).square).len()
    }

    /// The move that turns more discs than any other.
    fn greedy(&self) -> String {
        let most = self.tries.iter().map(|tried| self.position.flips(tried.square).len()).max().unwrap();
        let all: Vec<_> = self.tries.iter().filter(|tried| self.position.flips(tried.square).len() == most).collect();
        assert_eq!(all.len(), 1, "one move turns the most");
        all[0].square.to_string()
    }

    fn written(&self) -> Value {
        let names = |squares: Bitboard| squares.iter().map(|square| square.to_string()).collect::<Vec<_>>();
        let moves: BTreeMap<String, Value> = self
            .tries
            .iter()
            .map(|tried| {
                let value = json!({
                    "turns": names(self.position.flips(tried.square)),
                    "score": tried.score,
                    "leaves": tried.after.legal().len(),
                    "answer": tried.answer.to_string(),
                    "answer_turns": names(tried.after.flips(tried.answer)),
                });
                (tried.square.to_string(), value)
            })
            .collect();
        let board = self.position.setup().to_string();
        json!({ "board": &board[..64], "moves": moves })
    }
}

/// Every move with its exact result for who moves, the best first.
fn solved(engine: &mut Engine, position: &Position) -> Vec<(Square, i32)> {
    let analysis = engine.search(position, &Limits { lines: 64, ..Limits::solve() }, &mut |_| {});
    assert_eq!(analysis.lines.len() as u32, position.legal().len());
    analysis
        .lines
        .iter()
        .map(|line| {
            assert!(line.is_proven());
            (line.square, line.score)
        })
        .collect()
}

/// The steps of a lesson, solved.
fn steps(name: &str) -> Vec<Step> {
    let weights = fs::read(root().join("weights/eval.bin")).unwrap();
    let mut engine = Engine::new(Evaluator::new(&weights).unwrap(), Options { threads: 1, hash: 16 });
    let &(_, board, line) = LESSONS.iter().find(|lesson| lesson.0 == name).unwrap();
    let mut position = format!("{board} X").parse::<Setup>().unwrap().position().unwrap();
    let squares: Vec<Square> =
        line.as_bytes().chunks(2).map(|two| str::from_utf8(two).unwrap().parse().unwrap()).collect();
    let mut steps = Vec::new();
    for pair in squares.chunks(2) {
        let step = Step::of(&mut engine, position);
        let right = step.tried(&pair[0].to_string());
        assert_eq!(right.score, step.best(), "{name}: {} is right", pair[0]);
        if let Some(&answer) = pair.get(1) {
            assert_eq!(right.answer, answer, "{name}: White’s best answer");
            position = right.after.play(answer).unwrap().after;
        }
        steps.push(step);
    }
    steps
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn corners() -> Bitboard {
    ["a1", "h1", "a8", "h8"].into_iter().map(|name| name.parse::<Square>().unwrap()).collect()
}

fn around(square: Square) -> Bitboard {
    let name = square.to_string();
    let (file, row) = (name.as_bytes()[0], name.as_bytes()[1]);
    let places = (0..9u8).filter(|place| *place != 4);
    places
        .filter_map(|place| {
            String::from_utf8(vec![file + place % 3 - 1, row + place / 3 - 1]).unwrap().parse::<Square>().ok()
        })
        .collect()
}

#[test]
fn every_result_the_page_shows_is_exact() {
    let lessons: Vec<Value> = LESSONS
        .iter()
        .map(|(name, ..)| {
            let steps: Vec<Value> = steps(name).iter().map(Step::written).collect();
            json!({ "name": name, "steps": steps })
        })
        .collect();
    let text = format!("{}\n", serde_json::to_string(&lessons).unwrap());
    let path = root().join("web/src/lesson/lessons.json");
    if std::env::var_os("OUTFLANK_WRITE").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "stale: write it with `OUTFLANK_WRITE=1 cargo test -p outflank --test lesson`");
}

#[test]
fn corners_the_square_beside_an_empty_corner_loses_and_the_other_wins() {
    let steps = steps("corners");
    let first = &steps[0];
    // "h7 turns the most, and gives the corner h8 away."
    assert_eq!(first.greedy(), "h7");
    assert_eq!(first.tried("h7").answer.to_string(), "h8");
    assert!(around("h7".parse().unwrap()).contains("h8".parse().unwrap()));
    // "b8 is the only move that wins."
    assert_eq!(first.right(), ["b8"]);
    assert!(first.best() > 0 && first.wrong().all(|tried| tried.score < 0));
    // "It lies beside your own corner, so it can never be turned": a8 is Black's, and the two share an edge.
    assert_eq!(first.position.at("a8".parse().unwrap()), Some(Color::Black));
    // "Whatever White does now, you can take a corner next."
    let after = first.tried("b8").after;
    for answer in after.legal() {
        let next = after.play(answer).unwrap().after;
        assert_eq!(next.turn(), Some(Color::Black));
        assert!(!(next.legal() & corners()).is_empty(), "after {answer}");
    }
    // "Only the corner wins."
    assert_eq!(steps[1].right(), ["h8"]);
    assert!(steps[1].wrong().all(|tried| tried.score < 0));
    // "The whole row is yours now": eight discs between two corners.
    let row = steps[1].tried("h8").after.discs()[Color::Black];
    assert!("abcdefgh".chars().all(|file| row.contains(format!("{file}8").parse().unwrap())));
}

#[test]
fn mobility_the_right_move_leaves_white_one_bad_move() {
    let steps = steps("mobility");
    let first = &steps[0];
    assert_eq!(first.right(), ["h6"]);
    assert!(first.wrong().all(|tried| tried.score < 0));
    // "White has one move left, b2, and it gives you the corner a1."
    let after = first.tried("h6").after;
    assert_eq!(after.legal(), "b2".parse::<Square>().unwrap().into());
    assert!(steps[1].position.legal().contains("a1".parse().unwrap()));
    assert!(!first.position.legal().contains("a1".parse().unwrap()));
    // "e8 turns the most, and leaves White six moves."
    assert_eq!((first.greedy().as_str(), first.tried("e8").after.legal().len()), ("e8", 6));
    // "After any other move White plays h6."
    assert!(first.wrong().all(|tried| tried.answer.to_string() == "h6"));
    // "White has again one move only."
    assert_eq!(steps[1].right(), ["a1"]);
    assert_eq!(steps[1].tried("a1").after.legal().len(), 1);
    assert!(steps[1].wrong().all(|tried| tried.after.legal().len() >= 4));
}

#[test]
fn quiet_the_right_move_turns_one_disc_and_opens_nothing() {
    let steps = steps("quiet");
    let first = &steps[0];
    assert_eq!(first.right(), ["h2"]);
    assert!(first.wrong().all(|tried| tried.score < 0));
    // "h2 turns one disc, with no empty square around it."
    let after = first.tried("h2").after;
    let turned = first.position.flips("h2".parse().unwrap());
    assert_eq!(turned.len(), 1);
    assert!(turned.iter().all(|disc| (around(disc) & after.empty()).is_empty()));
    // "White gets no new move by it": all White can play now they could have played before.
    let discs = first.position.discs();
    let before = Board { mover: discs[Color::White], other: discs[Color::Black] }.legal();
    assert!((after.legal() & !before).is_empty());
    // "b6 turns the most, six discs, and leaves White ten moves." Every other move leaves at least seven.
    assert_eq!((first.greedy().as_str(), first.turns("b6")), ("b6", 6));
    assert_eq!(first.tried("b6").after.legal().len(), 10);
    assert_eq!(after.legal().len(), 4);
    assert!(first.wrong().all(|tried| tried.after.legal().len() >= 7));
    // "a3 and a5 keep the whole win; b6 turns nine and throws most of it away."
    assert_eq!(steps[1].right(), ["a3", "a5"]);
    assert_eq!((steps[1].greedy().as_str(), steps[1].turns("b6")), ("b6", 9));
    let few = |square: &str| steps[1].tried(square).after.legal().len();
    assert!(few("a3") <= 5 && few("a5") <= 5 && few("b6") == 7);
    assert!(steps[1].turns("a3") <= 3 && steps[1].turns("a5") <= 3);
}

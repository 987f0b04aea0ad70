//! What is known of the openings: positions up to symmetry, each searched once, with the values carried back from the
//! last ones known to the first.
//!
//! A position is either a *leaf*, worth what its search said, or it has *replies*, and is worth the best of them. Which
//! replies deserve a place is decided by whoever adds them; a move without one is taken to be worse.

mod file;

use crate::sorted::by_discs;
use engine::{Analysis, Bound};
pub use file::BadBook;
use rules::{Board, Position, Square};
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

/// What a search said of a position, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// The final score in discs, empties to the winner.
    pub score: i8,
    /// Plies looked ahead.
    pub depth: u8,
    /// Whether it is proven.
    pub exact: bool,
}

/// What the book says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its value, carried back from the lines below, for the player to move.
    pub value: Value,
    /// How many lines of the book lead on from here; 1 where it ends.
    pub lines: u32,
    /// The moves in the book, best first; none where it ends.
    pub moves: Vec<BookMove>,
}

/// A move of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// Where.
    pub square: Square,
    /// Its value for the player who makes it.
    pub value: Value,
    /// How many lines of the book go on with it.
    pub lines: u32,
}

/// Moves of a position, each with what a search said of the position it leads to, if it was searched.
pub type Replies = Vec<(Square, Option<Value>)>;

/// A book of openings.
///
/// ```
/// use rules::{Position, Square};
/// use study::book::Book;
///
/// let start = Position::start();
/// let entry = Book::shipped().find(&start).expect("the first position is in the book");
/// // Black's four first moves are one move seen from four sides
/// assert_eq!(entry.moves.len(), 4);
/// let after = start.play(Square::F5).unwrap().after;
/// assert_eq!(Book::shipped().find(&after).unwrap().value.score, -entry.value.score);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Book {
    nodes: Vec<Node>,
    at: HashMap<Board, u32>,
}

#[derive(Clone, Debug)]
struct Node {
    /// In its canonical form.
    board: Board,
    searched: Value,
    /// Each position once, whichever moves lead to it.
    replies: Vec<Reply>,
    /// As carried back.
    value: Value,
    lines: u32,
}

#[derive(Clone, Copy, Debug)]
struct Reply {
    to: u32,
    /// Whether the opponent must pass, so that the same player moves again.
    passed: bool,
}

/// The canonical board of a position.
fn key(position: &Position) -> Board {
    position.board().canonical().0
}

/// The moves of a board in canonical form, with the canonical boards they lead to and whether the opponent passes.
fn replies(board: Board) -> impl Iterator<Item = (Square, Board, bool)> {
    board.legal().iter().filter_map(move |square| {
        let next = board.play(square)?;
        let passed = next.legal().is_empty() && !next.is_over();
        Some((square, if passed { next.pass() } else { next }.canonical().0, passed))
    })
}

impl Value {
    /// What an analysis of a position says, also of one where the game is over; `None` if the search was stopped too early.
    ///
    /// ```
    /// use engine::{Engine, Evaluator, Limits, Options};
    /// use rules::Position;
    /// use study::book::Value;
    ///
    /// let start = Position::start();
    /// let analysis = Engine::new(Evaluator::blank(), Options::default()).search(&start, &Limits::depth(4), &mut |_| {});
    /// assert_eq!(Value::of(&start, &analysis), Some(Value { score: 0, depth: 4, exact: false }));
    /// ```
    pub fn of(position: &Position, analysis: &Analysis) -> Option<Value> {
        if position.is_over() {
            return Some(Value { score: position.board().score() as i8, depth: 0, exact: true });
        }
        let best = analysis.best().filter(|best| best.bound == Bound::Exact)?;
        Some(Value { score: best.score as i8, depth: best.depth.min(60) as u8, exact: best.is_proven() })
    }

    /// The value of a move that leads to a position of this value.
    fn before(self, passed: bool) -> Value {
        let score = if passed { self.score } else { -self.score };
        Value { score, depth: self.depth.saturating_add(1).min(60), exact: self.exact }
    }
}

/// The moves that are not clearly worse than the best, by a search of all of them.
pub fn worth_a_look(analysis: &Analysis, within: i32) -> Vec<Square> {
    let best = analysis.best().map_or(0, |best| best.score);
    analysis.lines.iter().filter(|line| line.score >= best - within).map(|line| line.square).collect()
}

/// One of the moves that the book has no more than `within` discs below the best, so that no two games need be alike. The same seed
/// and position give the same move; `None` where the book ends, or has not looked `depth` plies ahead.
///
/// ```
/// use rules::Position;
/// use study::book::{Book, choose};
/// let start = Position::start();
/// let first = |seed| choose(Book::shipped(), &start, 0, 10, seed).unwrap();
/// assert!((0..20).any(|seed| first(seed) != first(20)));
/// assert_eq!(choose(Book::shipped(), &start, 0, 60, 1), None);
/// ```
pub fn choose(book: &Book, position: &Position, within: i8, depth: u32, seed: u64) -> Option<Square> {
    let entry = book.find(position)?;
    let best = entry.moves.first().filter(|best| best.value.exact || u32::from(best.value.depth) >= depth)?.value.score;
    let good: Vec<Square> =
        entry.moves.iter().filter(|found| found.value.score >= best - within).map(|found| found.square).collect();
    let discs = position.discs();
    // SplitMix64's finish, so that neighbouring seeds choose independently
    let mut mixed = seed ^ discs.black.0.rotate_left(17) ^ discs.white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    good.get((mixed % good.len() as u64) as usize).copied()
}

impl Book {
    /// The book made by our engine. It is read when it is asked for the first time.
    pub fn shipped() -> &'static Arc<Book> {
        static SHIPPED: OnceLock<Arc<Book>> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            // A test reads it; without it there is a book that knows nothing.
            Arc::new(Book::read(include_bytes!("../data/book.bin")).unwrap_or_default())
        })
    }

    /// How many positions it knows.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it knows nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What it says of a position, up to symmetry.
    pub fn find(&self, position: &Position) -> Option<Entry> {
        let node = self.node(key(position))?;
        let mut moves: Vec<BookMove> = Vec::new();
        for square in position.legal() {
            let after = position.play_unchecked(square).after;
            let Some(&to) = self.at.get(&key(&after)) else { continue };
            let Some(reply) = node.replies.iter().find(|reply| reply.to == to) else { continue };
            let next = &self.nodes[to as usize];
            moves.push(BookMove { square, value: next.value.before(reply.passed), lines: next.lines });
        }
        moves.sort_by_key(|found| (-found.value.score, std::cmp::Reverse(found.lines), found.square));
        Some(Entry { value: node.value, lines: node.lines, moves })
    }

    /// Adds a position, or searches it anew: the deeper search stays.
    pub fn add(&mut self, position: &Position, searched: Value) {
        self.put(key(position), searched);
        self.carry_back();
    }

    /// Gives a position of the book its replies: all moves that deserve a place, each with what a search said of the
    /// position it leads to. Positions that are there already need not be searched again.
    ///
    /// Nothing happens for a position that is not in the book, nor for a move that is not legal.
    ///
    /// ```
    /// use rules::{Position, Square};
    /// use study::book::{Book, Value};
    ///
    /// let value = |score, depth| Value { score, depth, exact: false };
    /// let mut book = Book::default();
    /// let start = Position::start();
    /// book.add(&start, value(0, 10));
    /// book.expand(&[(start, vec![(Square::F5, Some(value(-1, 12)))])]);
    /// assert_eq!(book.find(&start).unwrap().value, value(1, 13));
    /// ```
    pub fn expand(&mut self, expansions: &[(Position, Replies)]) {
        for (position, moves) in expansions {
            let Some(&at) = self.at.get(&key(position)) else { continue };
            for &(square, searched) in moves {
                let Ok(step) = position.play(square) else { continue };
                let board = key(&step.after);
                let to = match (searched, self.at.get(&board)) {
                    (Some(value), _) => self.put(board, value),
                    (None, Some(&to)) => to,
                    (None, None) => continue,
                };
                self.link(at, Reply { to, passed: step.passed });
            }
        }
        self.carry_back();
    }

    /// Takes in everything another book knows; of two searches of one position the deeper one.
    pub fn merge(&mut self, other: &Book) {
        for node in &other.nodes {
            self.put(node.board, node.searched);
        }
        for node in &other.nodes {
            let at = self.at[&node.board];
            for reply in &node.replies {
                let to = self.at[&other.nodes[reply.to as usize].board];
                self.link(at, Reply { to, ..*reply });
            }
        }
        self.carry_back();
    }

    /// How likely each position without replies is reached, likeliest first, if both sides choose among the moves of the
    /// book by what they lose: a move that loses `temperature` discs more is taken 2.7 times less often.
    ///
    /// Games are over or have fewer than `empties` squares left where nothing is said.
    pub fn open_ends(&self, temperature: f32, empties: u32) -> Vec<(Position, f32)> {
        let mut reached = vec![0f32; self.nodes.len()];
        if let Some(&start) = self.at.get(&key(&Position::start())) {
            reached[start as usize] = 1.0;
        }
        let mut ends: Vec<(u32, f32)> = Vec::new();
        for at in by_discs(&self.nodes, |node| node.board).into_iter().rev() {
            let node = &self.nodes[at as usize];
            let chance = reached[at as usize];
            if node.replies.is_empty() {
                if chance > 0.0 && !node.board.legal().is_empty() && node.board.empty().len() >= empties {
                    ends.push((at, chance));
                }
                continue;
            }
            // moves that lead to the same position count as often as there are of them
            let weights: Vec<f32> = replies(node.board)
                .map(|(_, board, _)| {
                    let reply = node.replies.iter().find(|reply| self.nodes[reply.to as usize].board == board);
                    let Some(reply) = reply else { return 0.0 };
                    let score = self.nodes[reply.to as usize].value.before(reply.passed).score;
                    (f32::from(score - node.value.score) / temperature).exp()
                })
                .collect();
            let all: f32 = weights.iter().sum();
            for ((_, board, _), weight) in replies(node.board).zip(&weights) {
                if let Some(&to) = self.at.get(&board).filter(|_| *weight > 0.0) {
                    reached[to as usize] += chance * weight / all;
                }
            }
        }
        ends.sort_by(|(a, one), (b, two)| {
            two.total_cmp(one).then_with(|| self.nodes[*a as usize].board.cmp(&self.nodes[*b as usize].board))
        });
        ends.into_iter().map(|(at, chance)| (position_of(self.nodes[at as usize].board), chance)).collect()
    }

    /// Whether the position is in the book.
    pub fn contains(&self, position: &Position) -> bool {
        self.at.contains_key(&key(position))
    }

    fn node(&self, board: Board) -> Option<&Node> {
        self.at.get(&board).map(|&at| &self.nodes[at as usize])
    }

    fn put(&mut self, board: Board, searched: Value) -> u32 {
        if let Some(&at) = self.at.get(&board) {
            let known = &mut self.nodes[at as usize].searched;
            if (searched.exact, searched.depth) > (known.exact, known.depth) {
                *known = searched;
            }
            return at;
        }
        let at = self.nodes.len() as u32;
        self.nodes.push(Node { board, searched, replies: Vec::new(), value: searched, lines: 1 });
        self.at.insert(board, at);
        at
    }

    fn link(&mut self, at: u32, reply: Reply) {
        let replies = &mut self.nodes[at as usize].replies;
        if replies.iter().all(|known| known.to != reply.to) {
            replies.push(reply);
        }
    }

    /// Carries the values back, from the positions with most discs to the first.
    fn carry_back(&mut self) {
        for at in by_discs(&self.nodes, |node| node.board) {
            let node = &self.nodes[at as usize];
            let (mut value, mut lines) = (node.searched, 1);
            if !node.replies.is_empty() {
                let next = |reply: &Reply| self.nodes[reply.to as usize].value.before(reply.passed);
                let best = node.replies.iter().map(next).max_by_key(|value| (value.score, value.depth));
                lines = node
                    .replies
                    .iter()
                    .fold(0, |sum: u32, reply| sum.saturating_add(self.nodes[reply.to as usize].lines));
                if !node.searched.exact
                    && let Some(best) = best
                {
                    // proven only where nothing was left out
                    let all = || {
                        replies(node.board).all(|(_, board, _)| {
                            let reply = node.replies.iter().find(|reply| self.nodes[reply.to as usize].board == board);
                            reply.is_some_and(|reply| self.nodes[reply.to as usize].value.exact)
                        })
                    };
                    value = Value { exact: best.exact && all(), ..best };
                }
            }
            let node = &mut self.nodes[at as usize];
            (node.value, node.lines) = (value, lines);
        }
    }
}

/// A position with these discs, the mover taken as Black. Colours mean nothing to a book.
fn position_of(board: Board) -> Position {
    rules::Setup { black: board.mover, white: board.other, turn: rules::Color::Black }
        .position()
        .unwrap_or_else(|_| Position::start())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Symmetry;

    fn value(score: i8, depth: u8) -> Value {
        Value { score, depth, exact: false }
    }

    fn after(moves: &str) -> Position {
        moves.as_bytes().chunks(2).fold(Position::start(), |position, name| {
            position.play(std::str::from_utf8(name).unwrap().parse().unwrap()).unwrap().after
        })
    }

    /// f5 and its three replies, of which f6 is best for White.
    fn small() -> Book {
        let mut book = Book::default();
        let start = Position::start();
        book.add(&start, value(0, 8));
        book.expand(&[(start, vec![(Square::F5, Some(value(0, 10)))])]);
        let moves = [(Square::F4, 6), (Square::F6, -1), (Square::D6, 0)]
            .map(|(square, score)| (square, Some(value(score, 12))));
        book.expand(&[(after("f5"), moves.to_vec())]);
        book
    }

    #[test]
    fn values_are_carried_back_and_lines_counted() {
        let book = small();
        let entry = book.find(&Position::start()).unwrap();
        assert_eq!((entry.value, entry.lines), (value(-1, 14), 3));
        assert_eq!(entry.moves.len(), 4);
        let entry = book.find(&after("f5")).unwrap();
        let moves: Vec<_> = entry.moves.iter().map(|found| (found.square, found.value.score, found.lines)).collect();
        assert_eq!(moves, [(Square::F6, 1, 1), (Square::D6, 0, 1), (Square::F4, -6, 1)]);
        assert_eq!(book.find(&after("f5d6")).unwrap().moves, []);
        assert_eq!(book.find(&after("f5d6c3")), None);
    }

    #[test]
    fn every_side_of_the_board_is_the_same_position() {
        let book = small();
        for symmetry in Symmetry::ALL {
            let first = symmetry.square(Square::F5);
            let Ok(step) = Position::start().play(first) else { continue };
            let entry = book.find(&step.after).unwrap();
            assert_eq!(entry.moves[0].square, symmetry.square(Square::F6));
        }
    }

    #[test]
    fn a_value_is_proven_only_when_nothing_is_left_out() {
        let exact = |score| Some(Value { score, depth: 20, exact: true });
        let mut book = small();
        let at = after("f5d6");
        let all: Vec<_> = at.legal().iter().map(|square| (square, exact(2))).collect();
        book.expand(&[(at, all[1..].to_vec())]);
        assert!(!book.find(&at).unwrap().value.exact);
        book.expand(&[(at, all)]);
        assert_eq!(book.find(&at).unwrap().value, Value { score: -2, depth: 21, exact: true });
    }

    #[test]
    fn the_deeper_search_stays_and_books_add_up() {
        let mut book = small();
        book.add(&after("f5d6"), value(9, 4));
        assert_eq!(book.find(&after("f5d6")).unwrap().value, value(0, 12));
        let mut more = Book::default();
        more.add(&after("f5d6"), value(3, 20));
        more.expand(&[(after("f5d6"), vec![(Square::C3, Some(value(-5, 20)))])]);
        book.merge(&more);
        assert_eq!(book.find(&after("f5d6")).unwrap().value, value(5, 21));
        assert_eq!(book.find(&after("f5")).unwrap().value, value(1, 13));
    }

    #[test]
    fn the_moves_that_are_chosen_are_good_enough_and_all_of_them_come() {
        let book = small();
        let at = after("f5");
        let chosen = |within, depth| -> std::collections::BTreeSet<Square> {
            (0..200).filter_map(|seed| choose(&book, &at, within, depth, seed)).collect()
        };
        assert_eq!(chosen(0, 13), [Square::F6].into());
        assert_eq!(chosen(1, 13), [Square::F6, Square::D6].into());
        assert_eq!(chosen(7, 13).len(), 3);
        assert!(chosen(1, 14).is_empty(), "whoever looks further thinks for themselves");
        assert_eq!(choose(&book, &after("f5d6"), 1, 1, 1), None, "the book ends there");
    }

    #[test]
    fn the_likeliest_end_comes_first() {
        let book = small();
        let ends = book.open_ends(1.0, 10);
        assert_eq!(ends.len(), 3);
        assert_eq!(key(&ends[0].0), key(&after("f5f6")));
        assert_eq!(key(&ends[2].0), key(&after("f5f4")));
        let all: f32 = ends.iter().map(|(_, chance)| chance).sum();
        assert!((all - 1.0).abs() < 1e-5, "{all}");
        assert!(book.open_ends(1.0, 60).is_empty());
    }
}

//! The top of a search: iterative deepening with aspiration windows, on all threads.

use crate::{
    Analysis, Bound, Confidence, Engine, Limits, Line,
    clock::Stopwatch,
    deepening::{Iteration, end_in_reach, iterations},
    task::{Root, RootResult, Task},
};
use rules::{Bitboard, Board, Position, Square};
use std::sync::{Arc, Mutex, PoisonError, atomic::Ordering::Relaxed};

/// The least and the most a game can be worth.
const WORST: i32 = -64;
const BEST: i32 = 64;

impl Line {
    /// As it is reported to whoever asked, from a position with so many empties.
    ///
    /// Where a search ends with an odd number of empties, the evaluation is about a disc too low for the side to move
    /// there: searches end in the positions that the other side, whose move was the last, likes best. So a search of odd
    /// depth promises a disc too much, one of even depth a disc too little (`train/README.md`, the bias of odd depths).
    /// The search itself goes on with what it found.
    fn reported(&self, empties: u32) -> Line {
        let horizon = empties.saturating_sub(self.depth);
        // a side that is wiped out is so whatever the evaluation would say
        let certain = self.to_the_end || self.score.abs() == 64;
        let off = match (certain, horizon % 2, self.depth % 2) {
            (false, 1, 1) => -1,
            (false, 1, 0) => 1,
            _ => 0,
        };
        Line { score: self.score + off, ..self.clone() }
    }
}

/// An iteration that was stopped: the best line it had found by then, if that is better than what was known before.
struct Stopped(Option<Line>);

impl Engine {
    /// The best moves of a position, as good as the limits allow.
    ///
    /// `progress` hears of every iteration that ends. The answer is that of the last one, as far as it came, or at least
    /// some legal move. One thread with the same limits (and none of time) visits the same positions every time after
    /// [`Engine::forget`].
    pub fn search(&mut self, position: &Position, limits: &Limits, progress: &mut dyn FnMut(&Analysis)) -> Analysis {
        let moves = position.legal() & limits.moves;
        if moves.is_empty() {
            return Analysis::default();
        }
        self.core.tables.new_search();
        let mut search = Search::new(self, position.board(), limits);
        let mut analysis = search.deepen(progress);
        if analysis.lines.is_empty() {
            analysis.lines.extend(moves.first().map(|square| Line {
                square,
                score: 0,
                bound: Bound::AtLeast,
                depth: 0,
                to_the_end: false,
                confidence: Confidence::Percent73,
                variation: vec![square],
            }));
        }
        analysis.nodes = search.nodes;
        analysis.time = search.stopwatch.elapsed();
        analysis
    }

    /// A root to be searched within limits, after so many nodes.
    pub(crate) fn task(&self, root: Root, limits: &Limits, stopwatch: &Stopwatch, nodes: u64, several: bool) -> Task {
        Task {
            core: self.core.clone(),
            root,
            stop: limits.stop.clone(),
            stopwatch: stopwatch.clone(),
            time: limits.time,
            several,
            nodes: nodes.into(),
            done: false.into(),
            result: Mutex::new(None),
        }
    }
}

/// One position being searched.
struct Search<'a> {
    engine: &'a mut Engine,
    limits: &'a Limits,
    board: Board,
    empties: u32,
    stopwatch: Stopwatch,
    /// Positions looked at so far.
    nodes: u64,
}

impl<'a> Search<'a> {
    fn new(engine: &'a mut Engine, board: Board, limits: &'a Limits) -> Search<'a> {
        engine.fresh = false;
        Search { engine, limits, board, empties: board.empty().len(), stopwatch: limits.clock.start(), nodes: 0 }
    }

    /// Iterative deepening, until the limits end it.
    fn deepen(&mut self, progress: &mut dyn FnMut(&Analysis)) -> Analysis {
        let mut analysis = Analysis::default();
        let mut lines: Vec<Line> = Vec::new();
        let mut skip_to_the_end = false;
        for iteration in iterations(self.limits, self.empties) {
            if skip_to_the_end && iteration.depth < self.empties {
                continue;
            }
            lines = match self.best_lines(iteration, &lines) {
                Ok(lines) => lines,
                Err(Stopped(line)) => {
                    if let Some(line) = line {
                        analysis.lines = vec![line.reported(self.empties)];
                        progress(&analysis);
                    }
                    break;
                }
            };
            analysis = Analysis {
                lines: lines.iter().map(|line| line.reported(self.empties)).collect(),
                depth: iteration.depth,
                nodes: self.nodes,
                time: self.stopwatch.elapsed(),
            };
            progress(&analysis);
            if self.limits.stop.is_set() {
                break;
            }
            if let Some(time) = self.limits.time {
                let spent = self.stopwatch.elapsed();
                if spent >= time * 6 / 10 {
                    break;
                }
                skip_to_the_end = end_in_reach(iteration.depth, self.empties, spent, time);
            }
        }
        analysis
    }

    /// One iteration: the best lines, as many as are wanted, begun from those of the iteration before.
    fn best_lines(&mut self, iteration: Iteration, before: &[Line]) -> Result<Vec<Line>, Stopped> {
        let legal = self.board.legal();
        let wanted = self.limits.lines.clamp(1, (legal & self.limits.moves).len() as usize);
        let mut found: Vec<Line> = Vec::new();
        while found.len() < wanted {
            // Each line is a root of its own, and one of few nodes does not look up; but of the first iteration there is something to say.
            if !found.is_empty() && !before.is_empty() && self.limits.stop.is_set() {
                return Err(Stopped(None));
            }
            let excluded = found.iter().map(|line| line.square).collect::<Bitboard>() | (legal - self.limits.moves);
            let next = before.iter().find(|line| !excluded.contains(line.square));
            let guess = next.or(found.last()).map(|line| line.score);
            let (line, complete) = self.aspiration(iteration, excluded, guess).ok_or(Stopped(None))?;
            if !complete {
                // of several lines, one that is better says nothing of the others
                return Err(Stopped((wanted == 1).then_some(line)));
            }
            found.push(line);
        }
        for line in found.iter_mut().filter(|line| line.is_proven()) {
            self.complete(line);
        }
        // a later line may turn out better than an earlier one
        found.sort_by_key(|line| std::cmp::Reverse(line.score));
        Ok(found)
    }

    /// The best move but those excluded, by a small window around a guess that is opened where the score lies outside;
    /// and whether every move was looked at. `None` if it was stopped too early to tell.
    fn aspiration(&mut self, iteration: Iteration, excluded: Bitboard, guess: Option<i32>) -> Option<(Line, bool)> {
        let to_the_end = iteration.depth >= self.empties;
        // Scores at the end are even: a window of one to each side of a guess is as good as proven or refuted.
        let mut reach = if to_the_end { 1 } else { 3 };
        let (mut alpha, mut beta) = match guess {
            Some(guess) if iteration.depth >= 5 => {
                let guess = if to_the_end { guess & !1 } else { guess };
                ((guess - reach).clamp(WORST, BEST - 1), (guess + reach).clamp(WORST + 1, BEST))
            }
            _ => (WORST, BEST),
        };
        let mut turned_back = false;
        loop {
            let found = self.root(self.board, iteration, excluded, (alpha, beta))?;
            let (score, square) = (found.score, found.square?);
            reach *= 2;
            let edge = if to_the_end { 1 } else { 2 };
            let line = |bound| Line {
                square,
                score,
                bound,
                depth: iteration.depth,
                to_the_end,
                confidence: iteration.confidence,
                variation: found.variation,
            };
            if !found.complete {
                return Some((line(Bound::AtLeast), false));
            }
            if score <= alpha && alpha > WORST {
                (alpha, beta) = ((score - reach).max(WORST), (score + edge).min(BEST));
            } else if score >= beta && beta < BEST && !turned_back {
                (alpha, beta) = ((score - edge).max(WORST), (score + reach).min(BEST));
                // selective searches may contradict themselves: turn back once, then look everywhere
                turned_back = reach > 16;
            } else if score >= beta && beta < BEST {
                (alpha, beta) = (WORST, BEST);
            } else {
                return Some((line(Bound::Exact), true));
            }
        }
    }

    /// Searches a board on all threads; the first to finish answers, or where none does, one that found something.
    fn root(
        &mut self,
        board: Board,
        iteration: Iteration,
        excluded: Bitboard,
        window: (i32, i32),
    ) -> Option<RootResult> {
        /// Below this depth other threads would only be in the way.
        const SEVERAL_FROM: u32 = 6;
        let root = Root { board, iteration, excluded, window };
        let Search { engine, limits, stopwatch, nodes, .. } = self;
        let several = engine.helpers.len() > 0 && iteration.depth >= SEVERAL_FROM;
        let task = Arc::new(engine.task(root, limits, stopwatch, *nodes, several));
        if several {
            engine.helpers.search(&task, &mut engine.local);
        } else {
            task.run(&mut engine.local);
        }
        *nodes = task.nodes.load(Relaxed);
        task.result.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Leads a proven line on to the end of the game, where a search did not see it: it need not look how a player is
    /// wiped out to know that nothing is better.
    ///
    /// Each move is found by a search of its own, which takes next to no time: most of it is in the table.
    fn complete(&mut self, line: &mut Line) {
        let (mut board, mut score) = (self.board, line.score);
        let mut moves = line.variation.clone().into_iter();
        while !board.is_over() {
            if board.legal().is_empty() {
                (board, score) = (board.pass(), -score);
            }
            let square = match moves.next() {
                Some(square) => square,
                None => {
                    let Some(square) = self.move_worth(board, score) else { return };
                    line.variation.push(square);
                    square
                }
            };
            let Some(next) = board.play(square) else { return };
            (board, score) = (next, -score);
        }
    }

    /// A move that keeps the exact `score` of a board; `None` if the search is stopped.
    fn move_worth(&mut self, board: Board, score: i32) -> Option<Square> {
        let proof = Iteration { depth: board.empty().len(), confidence: Confidence::Certain };
        // no more than a move that is good enough: that none is better is known
        let found = self.root(board, proof, Bitboard::EMPTY, (score - 1, score))?;
        found.square.filter(|_| found.complete && found.score >= score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Color, Setup};

    #[test]
    fn what_is_reported_knows_which_side_the_horizon_favours() {
        let line = |depth, to_the_end| Line {
            square: Square::A1,
            score: 4,
            bound: Bound::Exact,
            depth,
            to_the_end,
            confidence: Confidence::Percent73,
            variation: vec![Square::A1],
        };
        let reported = |empties, depth| line(depth, false).reported(empties).score;
        assert_eq!([reported(30, 15), reported(30, 16), reported(31, 15), reported(31, 16)], [3, 4, 4, 5]);
        assert_eq!(line(19, true).reported(19).score, 4, "the end is the end");
        let wiped_out = Line { score: 64, ..line(15, false) };
        assert_eq!(wiped_out.reported(30).score, 64);
    }

    /// Where a line leads from a position, and what the game is worth there to the player to move in it.
    fn follow(position: &Position, line: &[Square]) -> (Position, i32) {
        let end = line.iter().fold(*position, |at, &square| at.play(square).unwrap().after);
        let black = end.outcome().map_or(0, |outcome| i32::from(outcome.difference()));
        (end, if position.turn() == Some(Color::Black) { black } else { -black })
    }

    /// A board with ten empties on which White has but a few discs: Black may well win all of them.
    fn lopsided(seed: u64) -> Option<Position> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            1u64 << (state >> 58)
        };
        let (mut empty, mut white) = (0u64, 0u64);
        while empty.count_ones() < 10 {
            empty |= next();
        }
        while white.count_ones() < 2 {
            white |= next() & !empty;
        }
        let (black, white) = (Bitboard(!empty & !white), Bitboard(white));
        Setup { black, white, turn: Color::Black }.position().ok().filter(|position| !position.is_over())
    }

    #[test]
    fn a_proven_line_goes_to_the_end_and_has_its_score() {
        let mut engine = Engine::new(crate::Evaluator::blank(), crate::Options { threads: 1, hash: 1 });
        let (mut played, mut wiped_out) = (0, 0);
        let positions = (0..40).filter_map(|seed| crate::test_position(seed, 10)).chain((0..300).filter_map(lopsided));
        for position in positions {
            engine.forget();
            // of the best moves, not of the best alone
            let limits = Limits { lines: 3, ..Limits::solve() };
            for line in engine.search(&position, &limits, &mut |_| {}).lines {
                assert!(line.is_proven() && line.variation[0] == line.square, "{position:?}: {line:?}");
                let (end, score) = follow(&position, &line.variation);
                assert!(end.is_over(), "{position:?}: {line:?}");
                assert_eq!(score, line.score, "{position:?}: {line:?}");
                wiped_out += u32::from(line.score.abs() == 64);
                played += 1;
            }
        }
        assert!(played > 100 && wiped_out > 20, "{played} lines, {wiped_out} of them of 64 discs");
    }

    #[test]
    fn a_move_alone_is_worth_what_it_is_worth_among_others() {
        let mut engine = Engine::new(crate::Evaluator::blank(), crate::Options { threads: 1, hash: 1 });
        for position in (0..20).filter_map(|seed| crate::test_position(seed, 10)) {
            let all = Limits { lines: 64, ..Limits::solve() };
            let lines = engine.search(&position, &all, &mut |_| {}).lines;
            for line in &lines {
                // what is left in the table by one of these searches must not mislead the next
                let alone = Limits { moves: line.square.into(), ..Limits::solve() };
                let found = engine.search(&position, &alone, &mut |_| {}).lines;
                assert_eq!((found.len(), found[0].square, found[0].score), (1, line.square, line.score), "{position}");
                let others = Limits { moves: !alone.moves, ..Limits::solve() };
                let best = lines.iter().find(|other| other.square != line.square).map(|other| other.score);
                let found = engine.search(&position, &others, &mut |_| {});
                assert_eq!(found.best().map(|best| best.score), best, "{position} but {}", line.square);
            }
            let none = Limits { moves: position.discs().black, ..Limits::solve() };
            assert_eq!(engine.search(&position, &none, &mut |_| {}), Analysis::default());
        }
    }

    #[test]
    fn a_midgame_line_is_as_long_as_the_search_is_deep() {
        let weights = include_bytes!("../../../weights/eval.bin");
        let mut engine = Engine::new(crate::Evaluator::new(weights).unwrap(), crate::Options::default());
        for seed in 0..12u64 {
            let Some(position) = crate::test_position(seed, 30 + seed as u32) else { continue };
            let limits = Limits { depth: 9, solve_at: 0, lines: 2, ..Limits::default() };
            let mut told = 0;
            engine.search(&position, &limits, &mut |analysis| {
                for line in &analysis.lines {
                    let (end, _) = follow(&position, &line.variation);
                    let whole = line.variation.len() == line.depth as usize || end.is_over() || line.score.abs() == 64;
                    assert!(whole, "seed {seed}: {line:?}");
                    told += 1;
                }
            });
            assert!(told >= 9, "{told}");
        }
    }
}

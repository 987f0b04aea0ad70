//! The top of a search: rounds of growing depth and confidence, each begun from what the last one found.

use crate::{
    Analysis, Bound, Confidence, Engine, Limits, Line, Stop,
    endgame::Nearby,
    midgame::{NONE, Node},
    transposition::Memory,
    worker::{Shared, Worker},
};
use rules::{Board, Position, Square};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// One round: how deep and how sure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Round {
    depth: u32,
    confidence: Confidence,
}

/// The rounds that lead up to what the limits ask.
fn rounds(limits: &Limits, empties: u32) -> Vec<Round> {
    let mut rounds = Vec::new();
    let middle = |depth| Round { depth, confidence: limits.confidence };
    if empties > limits.solve_at && limits.depth < empties {
        rounds.extend((1..=limits.depth.max(1)).map(middle));
        return rounds;
    }
    // Up to where the end begins to be seen, then to the end: a good guess first, then proof. A rung between the two
    // costs more than it saves, but may be all there is time for. So may more rounds that stop before the end.
    let last = match limits.time {
        Some(_) => empties.saturating_sub(3),
        None if empties > 30 => empties - 1,
        None => empties.saturating_sub(END_SEEN),
    };
    rounds.extend((1..=last).map(middle));
    for confidence in Confidence::ALL {
        // proof of a short ending is cheaper than guessing first
        let between = confidence == Confidence::Percent95 && limits.time.is_some();
        let worth =
            confidence == limits.solve_confidence || empties >= 16 && (confidence == Confidence::Percent73 || between);
        if confidence <= limits.solve_confidence && worth {
            rounds.push(Round { depth: empties, confidence });
        }
    }
    rounds
}

/// The end begins to be seen from this far.
const END_SEEN: u32 = 12;

/// Whether a guess at the end is likely to be ready in `time`, after rounds of up to `depth` plies that took `spent`.
fn end_in_reach(depth: u32, empties: u32, spent: Duration, time: Duration) -> bool {
    /// How much more each further ply costs, about; the last two cost nothing, and of many plies some are cheap.
    const GROWTH: f64 = 1.25;
    let plies = empties.saturating_sub(depth + 2);
    plies <= END_SEEN - 2 && spent.mul_f64(GROWTH.powi(plies as i32)) <= time
}

impl Line {
    /// As it is told to whoever asked, from a position with so many empties.
    ///
    /// Where a search ends with an odd number of empties, the evaluation is about a disc too low for the side to move
    /// there: searches end in the positions that the other side, whose move was the last, likes best. So a search of odd
    /// depth promises a disc too much, one of even depth a disc too little (`train/README.md`, the bias of odd depths).
    /// The search itself goes on with what it found.
    fn told(&self, empties: u32) -> Line {
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

/// What a root search answers.
#[derive(Clone, Copy)]
struct Answer {
    score: i32,
    square: Option<Square>,
    /// Not stopped before every move had its turn.
    whole: bool,
}

impl Engine {
    /// The best moves of a position, as good as the limits allow.
    ///
    /// `progress` hears of every round that ends. The answer is that of the last round, as far as it came, or at least
    /// some legal move. One thread with the same limits (and none of time) visits the same positions every time after
    /// [`Engine::forget`].
    pub fn search(&mut self, position: &Position, limits: &Limits, progress: &mut dyn FnMut(&Analysis)) -> Analysis {
        let begun = Instant::now();
        let mut analysis = Analysis::default();
        if position.is_over() {
            return analysis;
        }
        self.fresh = false;
        self.memory.grow_older();
        let board = position.board();
        let empties = board.empty().len();
        let nodes = AtomicU64::new(0);
        let mut lines: Vec<Line> = Vec::new();
        let wanted = limits.lines.clamp(1, position.legal().len() as usize);
        let mut to_the_end = false;
        'rounds: for round in rounds(limits, empties) {
            if to_the_end && round.depth < empties {
                continue;
            }
            let mut found: Vec<Line> = Vec::new();
            while found.len() < wanted {
                let taken: Vec<Square> = found.iter().map(|line| line.square).collect();
                let guess =
                    lines.iter().find(|line| !taken.contains(&line.square)).or(found.last()).map(|line| line.score);
                let Some((line, whole)) = self.line(board, round, limits, &taken, guess, begun, &nodes) else {
                    break 'rounds;
                };
                if !whole {
                    // what was found before time ran out is still better than what the last round knew
                    if wanted == 1 {
                        analysis.lines = vec![line.told(empties)];
                        progress(&analysis);
                    }
                    break 'rounds;
                }
                found.push(line);
            }
            // a later line may turn out better than an earlier one
            found.sort_by_key(|line| std::cmp::Reverse(line.score));
            lines = found;
            analysis = Analysis {
                lines: lines.iter().map(|line| line.told(empties)).collect(),
                depth: round.depth,
                nodes: nodes.load(Relaxed),
                time: begun.elapsed(),
            };
            progress(&analysis);
            let late = limits.time.is_some_and(|time| begun.elapsed() >= time * 6 / 10);
            if late || limits.stop.is_set() {
                break;
            }
            to_the_end = limits.time.is_some_and(|time| end_in_reach(round.depth, empties, begun.elapsed(), time));
        }
        if analysis.lines.is_empty() {
            analysis.lines.extend(position.legal().first().map(|square| Line {
                square,
                score: 0,
                bound: Bound::AtLeast,
                depth: 0,
                to_the_end: false,
                confidence: Confidence::Percent73,
                variation: vec![square],
            }));
        }
        analysis.nodes = nodes.load(Relaxed);
        analysis.time = begun.elapsed();
        analysis
    }

    /// One line of one round: the best move but those taken, and whether every move was looked at; `None` if it was
    /// stopped too early to tell.
    #[allow(clippy::too_many_arguments)]
    fn line(
        &mut self,
        board: Board,
        round: Round,
        limits: &Limits,
        taken: &[Square],
        guess: Option<i32>,
        begun: Instant,
        nodes: &AtomicU64,
    ) -> Option<(Line, bool)> {
        let empties = board.empty().len();
        let to_the_end = round.depth >= empties;
        let (low, high) = (-64, 64);
        // Scores at the end are even: a window of one to each side of a guess is as good as proven or refuted.
        let mut reach = if to_the_end { 1 } else { 3 };
        let (mut alpha, mut beta) = match guess {
            Some(guess) if round.depth >= 5 => {
                let guess = if to_the_end { guess & !1 } else { guess };
                ((guess - reach).clamp(low, high - 1), (guess + reach).clamp(low + 1, high))
            }
            _ => (low, high),
        };
        let mut turned = false;
        loop {
            let Answer { score, square, whole } =
                self.together(board, round, limits, taken, (alpha, beta), begun, nodes)?;
            let square = square?;
            reach *= 2;
            let edge = if to_the_end { 1 } else { 2 };
            if !whole {
                let line = self.found(board, round, square, score, Bound::AtLeast);
                return Some((line, false));
            }
            if score <= alpha && alpha > low {
                (alpha, beta) = ((score - reach).max(low), (score + edge).min(high));
            } else if score >= beta && beta < high && !turned {
                (alpha, beta) = ((score - edge).max(low), (score + reach).min(high));
                // selective searches may contradict themselves: turn back once, then look everywhere
                turned = reach > 16;
            } else if score >= beta && beta < high {
                (alpha, beta) = (low, high);
            } else {
                return Some((self.found(board, round, square, score, Bound::Exact), true));
            }
        }
    }

    /// A line of one round.
    fn found(&self, board: Board, round: Round, square: Square, score: i32, bound: Bound) -> Line {
        Line {
            square,
            score,
            bound,
            depth: round.depth,
            to_the_end: round.depth >= board.empty().len(),
            confidence: round.confidence,
            variation: self.variation(board, square, round.depth),
        }
    }

    /// Searches the root on all threads; the first to finish answers, or where none does, one that found something.
    #[allow(clippy::too_many_arguments)]
    fn together(
        &mut self,
        board: Board,
        round: Round,
        limits: &Limits,
        taken: &[Square],
        window: (i32, i32),
        begun: Instant,
        nodes: &AtomicU64,
    ) -> Option<Answer> {
        let threads = if round.depth < 6 { 1 } else { self.threads };
        let shared = Shared {
            memory: &self.memory,
            eval: &self.eval,
            busy: &self.busy,
            stop: &limits.stop.0,
            done: AtomicBool::new(false),
            deadline: limits.time.map(|time| begun + time),
            nodes: AtomicU64::new(nodes.load(Relaxed)),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            several: threads > 1,
        };
        let answer: Mutex<Option<Answer>> = Mutex::new(None);
        let work = |nearby: &mut Nearby| {
            let mut worker = Worker::new(&shared, nearby);
            worker.confidence = round.confidence as u8;
            let node = worker.node(board);
            let result = worker.root(&node, taken, window, round.depth);
            worker.settle_count();
            let mut answer = answer.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let first = result.whole && !shared.done.swap(true, Relaxed);
            // a move that is no better than the window's foot may be worse than those that were not looked at
            if first || answer.is_none() && result.score > window.0 {
                *answer = Some(result);
            }
        };
        let [own, others @ ..] = &mut self.nearby[..threads] else { return None };
        if others.is_empty() {
            work(own);
        } else {
            std::thread::scope(|scope| {
                for nearby in others {
                    scope.spawn(|| work(nearby));
                }
                work(own);
            });
        }
        nodes.store(shared.nodes.load(Relaxed), Relaxed);
        answer.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Best play by both sides from a position whose exact `score` for the player to move is known, up to the end of
    /// the game: every move keeps the score. Passes are not written.
    ///
    /// Right after the search that found the score this takes next to no time: most of it is remembered. The line is
    /// shorter if it is stopped, or if the score is not the true one.
    ///
    /// ```
    /// use engine::{Engine, Evaluator, Limits, Options, Stop};
    /// use rules::{Position, Square};
    ///
    /// let moves = ["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6"];
    /// let moves = moves.map(|name| name.parse::<Square>().unwrap());
    /// let position = moves.iter().fold(Position::start(), |at, &square| at.play(square).unwrap().after);
    /// let mut engine = Engine::new(Evaluator::blank(), Options::default());
    /// // e3 leaves White without a disc
    /// assert_eq!(engine.best_play(&position, 64, &Stop::default()), [Square::E3]);
    /// ```
    pub fn best_play(&mut self, position: &Position, score: i32, stop: &Stop) -> Vec<Square> {
        let limits = Limits { stop: stop.clone(), ..Limits::solve() };
        let (begun, nodes) = (Instant::now(), AtomicU64::new(0));
        self.fresh = false;
        let (mut position, mut score) = (*position, score);
        let mut line = Vec::new();
        while !position.is_over() {
            let board = position.board();
            let round = Round { depth: board.empty().len(), confidence: Confidence::Certain };
            // no more than a move that is good enough: that none is better is known
            let answer = self.together(board, round, &limits, &[], (score - 1, score), begun, &nodes);
            let Some(Answer { score: found, square: Some(square), whole: true }) = answer else { break };
            if found < score {
                break;
            }
            let step = position.play_unchecked(square);
            line.push(square);
            score = if step.passed { score } else { -score };
            position = step.after;
        }
        line
    }

    /// The moves expected after `first`, as far as the table knows them.
    fn variation(&self, mut board: Board, first: Square, depth: u32) -> Vec<Square> {
        let mut variation = Vec::new();
        let mut next = Some(first);
        while let Some(square) = next {
            let Some(played) = board.play(square) else { break };
            variation.push(square);
            if variation.len() as u32 >= depth {
                break;
            }
            board = if played.legal().is_empty() { played.pass() } else { played };
            next = self.known_best(board);
        }
        variation
    }

    fn known_best(&self, board: Board) -> Option<Square> {
        let hash = crate::transposition::hash(board.mover.0, board.other.0);
        let Board { mover, other } = board;
        let Memory { far, near } = &self.memory;
        far.get(hash, mover.0, other.0).or_else(|| near.get(hash, mover.0, other.0))?.moves[0]
    }
}

impl Worker<'_> {
    /// The best of the root's moves but those taken.
    fn root(&mut self, node: &Node, taken: &[Square], (mut alpha, beta): (i32, i32), depth: u32) -> Answer {
        let from = alpha;
        let Board { mover, other } = node.board;
        let hash = crate::transposition::hash(mover.0, other.0);
        let known = self.shared.memory.far.get(hash, mover.0, other.0).map_or([None; 2], |found| found.moves);
        let mut choices = self.choices(node, node.board.legal(), known, depth);
        choices.retain(|choice| !taken.contains(&choice.square));
        let (mut best, mut best_square) = (NONE, None);
        while let Some(choice) =
            choices.next(|choice| self.shared.several && best != NONE && self.shared.busy.contains(choice.node.hash()))
        {
            let score = if best == NONE {
                -self.full(&choice.node, -beta, -alpha, depth - 1)
            } else {
                let score = -self.zero_marked(&choice.node, -alpha - 1, depth - 1);
                if score > alpha && score < beta && !self.stopped {
                    -self.full(&choice.node, -beta, -alpha, depth - 1)
                } else {
                    score
                }
            };
            if self.stopped {
                break;
            }
            if score > best {
                (best, best_square) = (score, Some(choice.square));
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        if !self.stopped && taken.is_empty() {
            let window = (from, beta);
            self.shared.memory.far.put(
                hash,
                (mover.0, other.0),
                depth as u8,
                self.confidence,
                window,
                best,
                best_square,
            );
        }
        Answer { score: best, square: best_square, whole: !self.stopped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_knows_which_side_the_horizon_favours() {
        let line = |depth, to_the_end| Line {
            square: Square::A1,
            score: 4,
            bound: Bound::Exact,
            depth,
            to_the_end,
            confidence: Confidence::Percent73,
            variation: vec![Square::A1],
        };
        let told = |empties, depth| line(depth, false).told(empties).score;
        assert_eq!([told(30, 15), told(30, 16), told(31, 15), told(31, 16)], [3, 4, 4, 5]);
        assert_eq!(line(19, true).told(19).score, 4, "the end is the end");
        let wiped_out = Line { score: 64, ..line(15, false) };
        assert_eq!(wiped_out.told(30).score, 64);
    }

    #[test]
    fn with_a_clock_more_rounds_stop_before_the_end() {
        let depths =
            |limits: &Limits, empties| rounds(limits, empties).iter().map(|round| round.depth).collect::<Vec<_>>();
        let timed = Limits::time(Duration::from_secs(1));
        assert_eq!(depths(&Limits::solve(), 18), [1, 2, 3, 4, 5, 6, 18, 18]);
        assert_eq!(depths(&timed, 18), (1..=15).chain([18, 18, 18]).collect::<Vec<_>>());
        assert_eq!(depths(&timed, 2), [2]);
    }

    #[test]
    fn best_play_leads_to_the_score_and_no_other_number_does() {
        let mut engine = Engine::new(crate::Evaluator::blank(), crate::Options { threads: 1, hash: 1 });
        let (mut played, mut passes) = (0, 0);
        for seed in 0..40u64 {
            let Some(position) = crate::test_position(seed, 10) else { continue };
            engine.forget();
            let best = engine.search(&position, &Limits::solve(), &mut |_| {}).best().cloned().unwrap();
            assert!(best.is_proven());
            let line = engine.best_play(&position, best.score, &Stop::default());
            let mut end = position;
            for &square in &line {
                let step = end.play(square).unwrap();
                passes += usize::from(step.passed);
                end = step.after;
            }
            assert!(end.is_over(), "the line goes to the end");
            let black = i32::from(end.outcome().unwrap().difference());
            let mover = if position.turn() == Some(rules::Color::Black) { black } else { -black };
            assert_eq!(mover, best.score, "seed {seed}");
            if best.score < 64 {
                assert_eq!(engine.best_play(&position, best.score + 2, &Stop::default()), [], "seed {seed}");
            }
            played += 1;
        }
        assert!(played > 30 && passes > 5, "{played} games, {passes} passes");
        let stop = Stop::default();
        stop.now();
        assert_eq!(engine.best_play(&Position::start(), 0, &stop), []);
    }

    #[test]
    fn the_end_is_tried_where_time_may_do() {
        let ms = Duration::from_millis;
        assert!(end_in_reach(10, 22, ms(5), ms(100)));
        assert!(!end_in_reach(10, 22, ms(15), ms(100)));
        assert!(end_in_reach(16, 22, ms(15), ms(100)));
        assert!(!end_in_reach(9, 22, ms(1), ms(100)), "not seen yet");
    }
}

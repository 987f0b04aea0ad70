//! What must be searched to find out why a move was bad: [`Inquiry`].

use super::{
    Mistake, Reason,
    kinds::{self, Findings},
    lines::steps,
};
use engine::{Analysis, Limits, Line};
use rules::{Bitboard, Position, Square};
use std::collections::BTreeMap;

/// A position whose moves must all be looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// After the bad move: every reply.
    Replies,
    /// After the bad move: the best reply, looked at more closely.
    BestReply,
    /// After the bad move: the best reply that is none of these, as closely.
    Without(Bitboard),
    /// Before it: every other choice.
    Choices,
    /// After the better move.
    RepliesToBest,
    /// After the bad move and the best reply.
    NextTurn,
    /// After the better move and the reply to it.
    NextTurnAfterBest,
    /// In the better line, before it comes to the same move: the best there.
    Later,
    /// There: the same move.
    LaterPlayed,
}

/// The search for the reasons of one mistake. It asks one question at a time.
///
/// ```
/// use engine::{Engine, Evaluator, Options};
/// use rules::{Position, Square};
/// use study::reason::{Inquiry, Mistake};
///
/// let mut engine = Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 });
/// let moves = ["f5", "d6", "c5", "f4", "e7", "f6", "g5"].map(|name| name.parse::<Square>().unwrap());
/// let before = moves.iter().fold(Position::start(), |at, &square| at.play(square).unwrap().after);
/// // with e6 White is wiped out at once
/// let better = vec![Square::C6, Square::F3, Square::C4];
/// let mistake = Mistake { before, played: Square::E6, score: -64, better, best_score: 14, exact: false };
/// let mut inquiry = Inquiry::new(mistake);
/// let (place, position, limits) = inquiry.next().unwrap();
/// assert!(position.legal().contains(Square::E3) && limits.lines == position.legal().len() as usize);
/// let quick = engine::Limits { depth: 2, ..limits };
/// inquiry.answer(place, &engine.search(&position, &quick, &mut |_| {}));
/// // nobody took a corner, and no wall was opened
/// assert_eq!(inquiry.reasons(), []);
/// ```
#[derive(Clone, Debug)]
pub struct Inquiry {
    mistake: Mistake,
    found: BTreeMap<Place, Vec<Line>>,
}

impl Inquiry {
    /// Why was this bad?
    pub fn new(mistake: Mistake) -> Inquiry {
        Inquiry { mistake, found: BTreeMap::new() }
    }

    /// What to search next; `None` when all is known. The replies first: most reasons show in them.
    pub fn next(&self) -> Option<(Place, Position, Limits)> {
        let wanted = |place: Place| {
            let position = self.position(place).filter(|position| !position.is_over())?;
            (!self.found.contains_key(&place)).then(|| (place, position, self.limits(place, &position)))
        };
        let sure = [Place::Replies, Place::Choices, Place::Later, Place::LaterPlayed].into_iter();
        if let Some(question) = sure.filter(|&place| self.is_of_use(place)).find_map(wanted) {
            return Some(question);
        }
        // what a first look suggests is looked at again before it is said
        let claimed = kinds::all(&self.findings()).into_iter().filter_map(|reason| self.doubt(&reason));
        if let Some(question) = claimed.flat_map(|without| [Place::BestReply, without]).find_map(wanted) {
            return Some(question);
        }
        // what is only counted is asked for where nothing explains the loss
        if !self.reasons().is_empty() {
            return None;
        }
        let counted = [Place::RepliesToBest, Place::NextTurn, Place::NextTurnAfterBest];
        counted.into_iter().filter(|&place| self.is_of_use(place)).find_map(wanted)
    }

    /// What was found.
    pub fn answer(&mut self, place: Place, analysis: &Analysis) {
        self.found.insert(place, analysis.lines.clone());
    }

    /// The reasons that hold, that with the largest share of the loss first.
    pub fn reasons(&self) -> Vec<Reason> {
        let mut reasons = kinds::all(&self.findings());
        reasons.retain(|reason| self.doubt(reason).is_none());
        reasons.sort_by(|one, other| other.share.total_cmp(&one.share));
        reasons
    }

    /// What is to be searched before this is said: nothing, if it is proven or was looked at more closely.
    fn doubt(&self, reason: &Reason) -> Option<Place> {
        let replies = self.found.get(&Place::Replies)?;
        let without = Place::Without(reason.without.iter().copied().collect());
        let open = !reason.without.is_empty() && !replies.iter().all(Line::is_proven);
        (open && !self.found.contains_key(&without)).then_some(without)
    }

    fn is_of_use(&self, place: Place) -> bool {
        let findings = self.findings();
        match place {
            Place::Replies | Place::BestReply | Place::Without(_) => true,
            _ if findings.replies.is_empty() => false,
            Place::Choices => kinds::may_be_parity(&findings),
            Place::Later | Place::LaterPlayed => kinds::later(&findings).is_some(),
            Place::RepliesToBest => kinds::may_be_quiet_move(&findings),
            Place::NextTurn | Place::NextTurnAfterBest => kinds::may_be_safe_moves(&findings),
        }
    }

    /// How far to look. What is said of parity is said of solved positions only; where one value alone decides, it is looked at closely.
    fn limits(&self, place: Place, position: &Position) -> Limits {
        let close = Limits { depth: 18, solve_at: 22, ..Limits::default() };
        match place {
            Place::Choices => Limits { solve_at: kinds::PARITY_FROM, ..look(position) },
            Place::BestReply | Place::Later => close,
            Place::Without(replies) => Limits { moves: !replies, ..close },
            Place::LaterPlayed => Limits { moves: self.mistake.played.into(), ..close },
            _ => look(position),
        }
    }

    fn findings(&self) -> Findings<'_> {
        let mistake = &self.mistake;
        let replies: &[Line] = self.found.get(&Place::Replies).map_or(&[], |lines| lines);
        let reply_line = replies.first().into_iter().flat_map(|line| line.variation.iter().copied());
        Findings {
            mistake,
            replies,
            refutation: steps(mistake.before, [mistake.played].into_iter().chain(reply_line)),
            better: steps(mistake.before, mistake.better.iter().copied()),
            choices: self.found.get(&Place::Choices),
            replies_to_best: self.found.get(&Place::RepliesToBest),
            next_turn: self.found.get(&Place::NextTurn),
            next_turn_after_best: self.found.get(&Place::NextTurnAfterBest),
            found: &self.found,
        }
    }

    fn position(&self, place: Place) -> Option<Position> {
        let Mistake { before, played, better, .. } = &self.mistake;
        let after = |moves: &[Square]| {
            let steps = steps(*before, moves.iter().copied());
            (steps.len() == moves.len()).then(|| steps.last().map_or(*before, |step| step.after))
        };
        match place {
            Place::Choices => Some(*before),
            Place::Replies | Place::BestReply | Place::Without(_) => after(&[*played]),
            Place::NextTurn => after(&[*played, self.found.get(&Place::Replies)?.first()?.square]),
            Place::RepliesToBest => after(better.get(..1)?),
            Place::NextTurnAfterBest => after(better.get(..2)?),
            Place::Later | Place::LaterPlayed => {
                after(better.get(..better.iter().position(|square| square == played)?)?)
            }
        }
    }
}

/// All moves of a position: solved where that is quick, else as deep as a first look at a game.
pub(crate) fn look(position: &Position) -> Limits {
    let lines = position.legal().len() as usize;
    Limits { depth: 14, solve_at: 18, lines, ..Limits::default() }
}

//! Why a good move is good: [`Advice`] finds what is wrong with the move that a player would rather have made.

use crate::{
    reason::{Inquiry, Mistake, Place, Reason, SAFE},
    review::usual_error,
};
use engine::{Analysis, Limits, Line};
use rules::{Position, Square};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// How many tempting moves are asked about.
const MOST: usize = 2;

/// A tempting move and what speaks against it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Caution {
    /// The tempting move.
    pub square: Square,
    /// Why it is bad, as a search has checked.
    pub reason: Reason,
}

/// The search for what speaks for a good move: a worse one that turns many discs, and why it is worse. It asks one question at a time,
/// and says nothing where no reason holds.
///
/// ```
/// use engine::{Engine, Evaluator, Options};
/// use rules::{Position, Square};
/// use study::advice::Advice;
///
/// let mut engine = Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 });
/// let mut advice = Advice::new(Position::start(), Square::F5);
/// while let Some((position, limits)) = advice.next() {
///     advice.answer(&engine.search(&position, &limits, &mut |_| {}));
/// }
/// // every first move is as good as another
/// assert_eq!(advice.caution(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Advice {
    position: Position,
    good: Square,
    /// Every move of the position.
    choices: Option<Analysis>,
    /// Moves that are surely bad, the most tempting first.
    tempting: VecDeque<Square>,
    /// Why is the first of them bad?
    inquiry: Option<Inquiry>,
    caution: Option<Caution>,
    over: bool,
}

impl Advice {
    /// Why is this a good move here?
    pub fn new(position: Position, good: Square) -> Advice {
        let over = position.legal().len() < 2;
        Advice { position, good, choices: None, tempting: VecDeque::new(), inquiry: None, caution: None, over }
    }

    /// What to search next; `None` when there is nothing more to find out. A search that is cut short answers nothing.
    pub fn next(&self) -> Option<(Position, Limits)> {
        if self.over {
            return None;
        }
        match &self.inquiry {
            None => Some((self.position, crate::reason::look(&self.position))),
            Some(inquiry) => inquiry.next().map(|(_, position, limits)| (position, limits)),
        }
    }

    /// What was found.
    pub fn answer(&mut self, analysis: &Analysis) {
        let Some((position, limits)) = self.next() else { return };
        if !is_whole(analysis, &position, &limits) {
            self.over = true;
            return;
        }
        match self.inquiry.as_mut().and_then(|inquiry| Some((inquiry.next()?.0, inquiry))) {
            Some((place, inquiry)) => inquiry.answer(place, analysis),
            None => {
                self.tempting = tempting(&self.position, self.good, analysis);
                self.choices = Some(analysis.clone());
                self.inquire();
            }
        }
        while let Some(inquiry) = self.inquiry.as_ref().filter(|inquiry| inquiry.next().is_none()) {
            let reason = inquiry.reasons().into_iter().next();
            let asked = self.tempting.pop_front();
            if let (Some(reason), Some(square)) = (reason, asked) {
                self.caution = Some(Caution { square, reason });
                self.over = true;
                return;
            }
            self.inquire();
        }
    }

    /// The tempting move with its reason, once there is one.
    pub fn caution(&self) -> Option<&Caution> {
        self.caution.as_ref()
    }

    /// Begins to ask about the next tempting move.
    fn inquire(&mut self) {
        let line = |square: Square| self.choices.as_ref()?.lines.iter().find(|line| line.square == square);
        let pair = self.tempting.front().and_then(|&square| Some((line(square)?, line(self.good)?)));
        self.inquiry = pair.map(|(bad, good)| {
            let mut inquiry = Inquiry::new(Mistake {
                before: self.position,
                played: bad.square,
                score: bad.score,
                better: good.variation.clone(),
                best_score: good.score,
                exact: bad.is_proven() && good.is_proven(),
            });
            if let Some(choices) = &self.choices {
                inquiry.answer(Place::Choices, choices);
            }
            inquiry
        });
        self.over |= self.inquiry.is_none();
    }
}

/// The moves that surely lose something against the good one, those that turn most discs first.
fn tempting(position: &Position, good: Square, choices: &Analysis) -> VecDeque<Square> {
    let Some(good) = choices.lines.iter().find(|line| line.square == good) else { return VecDeque::new() };
    let empties = position.empty().len();
    let surely_lost = |line: &Line| {
        let proven = line.is_proven() && good.is_proven();
        let error = if proven { 0.0 } else { usual_error(line.depth.min(good.depth), empties) };
        (good.score - line.score) as f32 - 2.0 * error
    };
    let mut bad: Vec<&Line> = choices.lines.iter().filter(|line| surely_lost(line) > SAFE as f32).collect();
    bad.sort_by_key(|line| std::cmp::Reverse(position.board().flips(line.square).len()));
    bad.into_iter().take(MOST).map(|line| line.square).collect()
}

/// Whether every move was searched as far as was asked.
fn is_whole(analysis: &Analysis, position: &Position, limits: &Limits) -> bool {
    let far = |line: &Line| line.is_proven() || line.depth >= limits.depth;
    analysis.lines.len() == position.legal().len() as usize && analysis.lines.iter().all(far)
}

//! Each kind of reason: what must happen, what must not happen otherwise, and what shows that it is the cause.

use super::{
    LEAST_SHARE, Mistake, Place, Reason, ReasonKind, SAFE,
    lines::{is_quiet, may_play, neighbours, plays, region, steps, waiting_moves},
};
use engine::{Line, stable_discs};
use rules::{Bitboard, Color, Position, Square, Step};
use std::collections::BTreeMap;

/// What is known of a mistake.
pub(super) struct Findings<'a> {
    pub(super) mistake: &'a Mistake,
    /// Every reply to it, best first; none while they are not known.
    pub(super) replies: &'a [Line],
    /// It, the best reply, and so on.
    pub(super) refutation: Vec<Step>,
    /// What should have been.
    pub(super) better: Vec<Step>,
    /// Every move there was instead.
    pub(super) choices: Option<&'a Vec<Line>>,
    pub(super) replies_to_best: Option<&'a Vec<Line>>,
    pub(super) next_turn: Option<&'a Vec<Line>>,
    pub(super) next_turn_after_best: Option<&'a Vec<Line>>,
    pub(super) found: &'a BTreeMap<Place, Vec<Line>>,
}

/// Every reason that holds, in the order in which one is preferred to another with the same share.
pub(super) fn all(findings: &Findings<'_>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    reasons.extend(corner(findings));
    reasons.extend(parity(findings));
    reasons.extend(wall(findings));
    reasons.extend(stable(findings));
    reasons.extend(safe_moves(findings));
    reasons.extend(quiet_move(findings));
    reasons.extend(pass(findings));
    reasons.extend(too_early(findings));
    reasons.extend(miscounted(findings));
    reasons
}

impl Findings<'_> {
    fn me(&self) -> Option<Color> {
        self.mistake.before.turn()
    }

    /// The position after the mistake, if the opponent can reply.
    fn after(&self) -> Option<Position> {
        let after = self.refutation.first()?.after;
        (after.turn().is_some() && after.turn() != self.me()).then_some(after)
    }

    fn reply(&self) -> Option<Square> {
        self.after()?;
        self.replies.first().map(|line| line.square)
    }

    fn best(&self) -> Option<Square> {
        self.mistake.better.first().copied()
    }

    /// What happens in the game from the mistake on, or from the better move on.
    fn line(&self, steps: &[Step], most: usize) -> Vec<Square> {
        steps.iter().take(most).map(|step| step.square).collect()
    }

    /// What the opponent does after a reply, which is the first step.
    fn after_reply(&self, reply: &Line) -> Vec<Step> {
        self.after().map(|after| steps(after, reply.variation.iter().copied())).unwrap_or_default()
    }

    /// What if the opponent did not have these replies? The part of the loss that is gone then; `None` if less than half of
    /// it is, or nothing is left that they could play.
    fn share_without(&self, replies: Bitboard) -> Option<f32> {
        let first_look =
            || Some((self.replies.first()?, self.replies.iter().find(|line| !replies.contains(line.square))?));
        let closely = || Some((self.only(Place::BestReply)?, self.only(Place::Without(replies))?));
        let of = |(best, left): (&Line, &Line)| self.share(best.score - left.score, [best, left]);
        // what a first look does not suggest is not looked at again
        of(first_look()?)?;
        of(closely().or_else(first_look)?)
    }

    /// Whether so large a part holds in any other search, of what changes most from one to the next: who has moves, and an edge.
    fn is_sure(&self, share: f32) -> bool {
        const SURE: f32 = 0.75;
        share >= SURE || self.replies.iter().all(Line::is_proven)
    }

    /// The one line that was asked for.
    fn only(&self, place: Place) -> Option<&Line> {
        self.found.get(&place)?.first()
    }

    /// The part that so many discs are of the loss, if it is half of it or more. What the lines they come from did not prove may be less:
    /// another search differs by some discs.
    fn share(&self, discs: i32, from: [&Line; 2]) -> Option<f32> {
        const DOUBT: i32 = 3;
        let doubt = if from.iter().all(|line| line.is_proven()) { 0 } else { DOUBT };
        let share = (discs - doubt) as f32 / self.mistake.loss().max(1) as f32;
        (share >= LEAST_SHARE).then_some(share.min(1.0))
    }
}

/// The opponent takes a corner soon, which they could not in the better line.
fn corner(findings: &Findings<'_>) -> Option<Reason> {
    /// Plies after the mistake within which a corner falls; one that the mistake itself touches may fall later.
    const SOON: usize = 3;
    const LATER: usize = 7;
    let (me, played) = (findings.me()?, findings.mistake.played);
    let of = |corner: Square| {
        let touches = neighbours(corner.into()).contains(played);
        let within = if touches { LATER } else { SOON };
        let happens = plays(&findings.refutation[1..], !me, corner.into(), within);
        let otherwise = if touches {
            plays(&findings.better, !me, corner.into(), within + 1)
        } else {
            may_play(&findings.better, !me, corner, within)
        };
        if !happens || otherwise {
            return None;
        }
        let takes = |reply: &&Line| plays(&findings.after_reply(reply), !me, corner.into(), within);
        let without: Bitboard = findings.replies.iter().filter(takes).map(|reply| reply.square).collect();
        let share = findings.share_without(without)?;
        let at = findings.refutation.iter().position(|step| step.square == corner).unwrap_or(0);
        Some(Reason {
            kind: if touches { ReasonKind::OpenedCorner } else { ReasonKind::GaveCorner },
            squares: if touches { vec![played, corner] } else { vec![corner] },
            numbers: Vec::new(),
            line: findings.line(&findings.refutation, at + 1),
            without: without.iter().collect(),
            share,
            text: None,
        })
    };
    findings.after()?;
    Bitboard::CORNERS.iter().filter_map(of).max_by(|one, other| one.share.total_cmp(&other.share))
}

/// The mistake gives the opponent moves, and one of them refutes it.
fn wall(findings: &Findings<'_>) -> Option<Reason> {
    const MANY: u32 = 3;
    let (before, after) = (findings.mistake.before, findings.after()?);
    let reply = findings.reply()?;
    let already = waiting_moves(&before);
    let new = after.legal() - already;
    let better = findings.better.first()?.after;
    let otherwise = better.turn() != findings.me() && better.legal().contains(reply);
    if new.len() < MANY || !new.contains(reply) || otherwise {
        return None;
    }
    let share = findings.share_without(new).filter(|&share| findings.is_sure(share))?;
    Some(Reason {
        kind: ReasonKind::OpenedWall,
        squares: vec![findings.mistake.played, reply],
        numbers: vec![new.len() as i32],
        line: findings.line(&findings.refutation, 2),
        without: new.iter().collect(),
        share,
        text: None,
    })
}

/// The four edges.
const EDGES: [Bitboard; 4] =
    [Bitboard(0xff), Bitboard(0xff << 56), Bitboard(0x0101_0101_0101_0101), Bitboard(0x8080_8080_8080_8080)];

/// After the same number of moves the opponent has more discs on an edge that never turn than in the better line.
fn stable(findings: &Findings<'_>) -> Option<Reason> {
    const MORE: u32 = 4;
    /// Plies of both lines; at the end of a game all discs are stable, which says nothing.
    const PLIES: usize = 8;
    /// Plies after a reply within which the opponent plays on that edge.
    const SOON: usize = 3;
    let me = findings.me()?;
    findings.after()?;
    let plies = PLIES.min(findings.refutation.len()).min(findings.better.len());
    let theirs = |steps: &[Step]| {
        let discs = steps.get(plies.checked_sub(1)?)?.after.discs();
        Some(stable_discs(discs[!me], discs[me]))
    };
    let (bad, good) = (theirs(&findings.refutation)?, theirs(&findings.better)?);
    if bad.len() < good.len() + MORE {
        return None;
    }
    let of = |edge: Bitboard| {
        let more = (bad & edge).len().saturating_sub((good & edge).len());
        let on_edge = |reply: &&Line| plays(&findings.after_reply(reply), !me, edge, SOON);
        let without: Bitboard = findings.replies.iter().filter(on_edge).map(|reply| reply.square).collect();
        let share = findings.share_without(without)?;
        (more >= MORE && findings.is_sure(share)).then(|| Reason {
            kind: ReasonKind::GaveStableDiscs,
            squares: vec![findings.mistake.played],
            numbers: vec![bad.len() as i32 - good.len() as i32],
            line: findings.line(&findings.refutation, plies),
            without: without.iter().collect(),
            share,
            text: None,
        })
    };
    EDGES.into_iter().filter_map(of).max_by(|one, other| one.share.total_cmp(&other.share))
}

/// The most empties at which players count regions.
pub(super) const PARITY_FROM: u32 = 20;

/// The region of the mistake, if it is an even one and the better move is in another.
fn even_region(findings: &Findings<'_>) -> Option<Bitboard> {
    let empty = findings.mistake.before.empty();
    let own = region(empty, findings.mistake.played);
    let elsewhere = !own.contains(findings.best()?);
    (empty.len() <= PARITY_FROM && own.len().is_multiple_of(2) && elsewhere).then_some(own)
}

pub(super) fn may_be_parity(findings: &Findings<'_>) -> bool {
    even_region(findings).is_some()
}

/// The mistake goes first into a region where that gives the last move to the opponent; every move there does.
fn parity(findings: &Findings<'_>) -> Option<Reason> {
    let me = findings.me()?;
    let own = even_region(findings)?;
    let last = |steps: &[Step]| steps.iter().rev().find(|step| own.contains(step.square)).map(|step| step.by);
    if last(&findings.refutation) != Some(!me) || last(&findings.better) == Some(!me) {
        return None;
    }
    let choices = findings.choices.filter(|lines| lines.iter().all(Line::is_proven))?;
    let best = choices.first()?;
    // who has the last move is seen in lines that are perfect play to the end, and in no others
    let ends = |steps: &[Step], score: i32| {
        let outcome = steps.last().and_then(|step| step.after.outcome());
        outcome
            .is_some_and(|outcome| i32::from(outcome.difference()) == if me == Color::Black { score } else { -score })
    };
    let played = choices.iter().find(|line| line.square == findings.mistake.played)?.score;
    if !ends(&findings.refutation, played) || !ends(&findings.better, best.score) {
        return None;
    }
    let there = choices.iter().find(|line| own.contains(line.square))?;
    let share = findings.share(best.score - there.score, [best, there])?;
    Some(Reason {
        kind: ReasonKind::GaveParity,
        squares: vec![findings.mistake.played],
        numbers: vec![own.len() as i32],
        line: findings.line(&findings.refutation, findings.refutation.len()),
        without: Vec::new(),
        share,
        text: None,
    })
}

/// How many moves lose next to nothing against the best: surely so many, and perhaps so many. What is not proven may be two
/// discs off.
fn safe(lines: &[Line]) -> (usize, usize) {
    let best = lines.first().map_or(0, |line| line.score);
    let doubt = if lines.iter().all(Line::is_proven) { 0 } else { 2 };
    let below = |limit: i32| lines.iter().filter(|line| best - line.score < limit).count();
    (below(SAFE - doubt), below(SAFE + doubt))
}

pub(super) fn may_be_safe_moves(findings: &Findings<'_>) -> bool {
    let mine = |steps: &[Step]| steps.get(1).is_some_and(|step| step.after.turn() == findings.me());
    mine(&findings.refutation) && mine(&findings.better)
}

/// At the next turn one safe move is left, or none; in the better line there are more.
fn safe_moves(findings: &Findings<'_>) -> Option<Reason> {
    let (left, otherwise) = (findings.next_turn?, findings.next_turn_after_best?);
    let ((_, left), (otherwise, _)) = (safe(left), safe(otherwise));
    (may_be_safe_moves(findings) && left <= 1 && otherwise > left).then(|| Reason {
        kind: ReasonKind::NoSafeMoves,
        squares: vec![findings.mistake.played],
        numbers: vec![left as i32, otherwise as i32],
        line: findings.line(&findings.refutation, 2),
        without: Vec::new(),
        share: LEAST_SHARE,
        text: None,
    })
}

pub(super) fn may_be_quiet_move(findings: &Findings<'_>) -> bool {
    let board = findings.mistake.before.board();
    let (Some(best), Some(after), Some(better)) = (findings.best(), findings.after(), findings.better.first()) else {
        return false;
    };
    let fewer = better.after.turn() == after.turn() && better.after.legal().len() < after.legal().len();
    fewer && is_quiet(board, best) && !is_quiet(board, findings.mistake.played)
}

/// The better move opens nothing and leaves the opponent fewer safe moves.
fn quiet_move(findings: &Findings<'_>) -> Option<Reason> {
    let ((_, after_best), (after, _)) = (safe(findings.replies_to_best?), safe(findings.replies));
    (may_be_quiet_move(findings) && after_best < after).then(|| Reason {
        kind: ReasonKind::MissedQuietMove,
        squares: findings.best().into_iter().collect(),
        numbers: vec![after_best as i32, after as i32],
        line: findings.line(&findings.better, 2),
        without: Vec::new(),
        share: LEAST_SHARE,
        text: None,
    })
}

/// In the better line the opponent must pass soon.
fn pass(findings: &Findings<'_>) -> Option<Reason> {
    const SOON: usize = 4;
    let me = findings.me()?;
    let passes = |steps: &[Step]| steps.iter().take(SOON).position(|step| step.by == me && step.passed);
    let at = passes(&findings.better)?;
    passes(&findings.refutation).is_none().then(|| Reason {
        kind: ReasonKind::MissedPass,
        squares: findings.best().into_iter().collect(),
        numbers: Vec::new(),
        line: findings.line(&findings.better, at + 1),
        without: Vec::new(),
        share: LEAST_SHARE,
        text: None,
    })
}

/// Where in the better line the same move comes, a little later.
pub(super) fn later(findings: &Findings<'_>) -> Option<usize> {
    const SOON: usize = 4;
    let (me, played) = (findings.me()?, findings.mistake.played);
    findings.better.iter().take(SOON + 1).position(|step| step.by == me && step.square == played)
}

/// The same move is right a little later.
fn too_early(findings: &Findings<'_>) -> Option<Reason> {
    let played = findings.mistake.played;
    let at = later(findings)?;
    let (best, there) = (findings.only(Place::Later)?, findings.only(Place::LaterPlayed)?);
    // there it loses at most half of what it lost here
    findings.share(findings.mistake.loss() - (best.score - there.score), [best, there])?;
    Some(Reason {
        kind: ReasonKind::TooEarly,
        squares: vec![played, findings.best()?],
        numbers: Vec::new(),
        line: findings.line(&findings.better, at + 1),
        without: Vec::new(),
        share: LEAST_SHARE,
        text: None,
    })
}

/// So near the end that it can be counted.
fn miscounted(findings: &Findings<'_>) -> Option<Reason> {
    const COUNTABLE: u32 = 12;
    let Mistake { before, played, score, best_score, exact, .. } = findings.mistake;
    let discs = |score: i32| (64 + score) / 2;
    (*exact && before.empty().len() <= COUNTABLE).then(|| Reason {
        kind: ReasonKind::Miscounted,
        squares: findings.best().into_iter().chain([*played]).collect(),
        numbers: vec![discs(*best_score), discs(*score)],
        line: findings.line(&findings.better, findings.better.len()),
        without: Vec::new(),
        share: LEAST_SHARE,
        text: None,
    })
}

// A review as a walk: which moves it stops at, and what there is to say of them.
import type { Color, Square } from '../protocol.ts'
import type { Phase, Report, ReviewMove, StudyNode } from './wire.ts'

export type Sides = 'both' | Color

/** What stands behind a move: nothing where it is good, a mark in brackets where it probably cost something and that is not sure. */
export function glyphOf({ mark, perhaps }: ReviewMove): string {
  return mark ?? (perhaps && perhaps.loss >= 3 && perhaps.percent >= 50 ? '(?)' : '')
}

/** The moves worth a stop, the costliest first: mistakes and what changed who was ahead; where there are none, what was inexact. And the
    marked move with this number, whatever it is, also one that is not sure: the reader asked for it. */
export function moments(report: Report, sides: Sides, asked: number | null = null): ReviewMove[] {
  const theirs = report.moves.filter((move) => (sides === 'both' || move.by === sides) && move.mark)
  const wrong = theirs.filter((move) => move.mark !== '?!' || move.turning_point)
  const found = wrong.length > 0 ? wrong : theirs
  return report.moves
    .filter((move) => found.includes(move) || (move.number === asked && glyphOf(move)))
    .sort((one, other) => other.loss - one.loss || one.number - other.number)
}

/** The moves that show why one was bad: those of its reason, or how it is answered where none was found. */
export function shows({ reason, square, refutation }: ReviewMove): Square[] {
  return reason?.line.length ? reason.line : [square, ...refutation]
}

/** As deep as one may ask for, and how much deeper each time. */
const DEEPEST = 30
const DEEPER = 4
/** As deep as a review is that nobody asked to be deeper. */
const USUAL = 20

/** How deep to look for more than this review has found; null where there is nothing more to find. */
export function nextDepth(report: Report): number | null {
  const open = report.moves.filter((move) => !move.exact && !move.given)
  const depth = Math.max(USUAL, ...open.map((move) => move.depth))
  return open.length > 0 && depth < DEEPEST ? Math.min(DEEPEST, depth + DEEPER) : null
}

/** What a loss did to the game, seen by whoever moved. */
export type Effect = 'win' | 'draw' | 'lead' | 'even' | 'ahead' | 'behind' | 'level'

export function effect({ best_score, score, exact }: ReviewMove): Effect {
  if (best_score > 0) return score > 0 ? 'ahead' : score < 0 || exact ? (exact ? 'win' : 'lead') : 'even'
  if (best_score === 0) return score < 0 ? (exact ? 'draw' : 'level') : 'ahead'
  return 'behind'
}

/** How many moves of a side were the best, or as good. */
export function found(report: Report, color: Color): { best: number; moves: number } {
  const theirs = report.moves.filter((move) => move.by === color && !move.given)
  return { best: theirs.filter((move) => move.class === 'best' || move.class === 'good').length, moves: theirs.length }
}

/** The most remarkable move that was found and was the only good one: rather one that kept the result than one that saved discs. */
export function onlyMove(report: Report, sides: Sides): ReviewMove | null {
  const worth = ({ score, only_by = 0 }: ReviewMove) => (Math.sign(score) > Math.sign(score - only_by) ? 1000 : 0) + only_by
  const found = report.moves.filter((move) => (sides === 'both' || move.by === sides) && move.only_by !== undefined)
  return found.reduce<ReviewMove | null>((one, other) => (one && worth(one) >= worth(other) ? one : other), null)
}

/** The part of the game in which most was lost; null if nothing was. */
export function weakest(report: Report, sides: Sides): Phase | null {
  const phases: Phase[] = ['opening', 'midgame', 'ending']
  const lost = (phase: Phase) =>
    (sides === 'white' ? 0 : report.black.phases[phase]) + (sides === 'black' ? 0 : report.white.phases[phase])
  const most = phases.reduce((one, other) => (lost(other) > lost(one) ? other : one))
  return lost(most) > 0 ? most : null
}

/** The values of the game for its graph: before the first move, and after each. */
export function graphed(report: Report): { number: number; value: number | null }[] {
  const [first] = report.moves
  if (!first) return []
  const start = first.by === 'black' ? first.best_score : -first.best_score
  return [{ number: first.number - 1, value: start }, ...report.moves.map((move) => ({ number: move.number, value: move.value_black }))]
}

/** Whether a review is of this line, or of its beginning. */
export function isOf(report: Report, main: readonly StudyNode[]): boolean {
  const played = new Map(main.map((node) => [node.number, node.square]))
  return report.moves.every((move) => played.get(move.number) === move.square)
}

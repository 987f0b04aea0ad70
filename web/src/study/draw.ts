// Marks and arrows: what is drawn a second time is taken away.
import type { Square } from '../protocol.ts'
import type { Arrow, Mark, Shape } from './wire.ts'

export const SHAPES: readonly Shape[] = ['circle', 'square', 'triangle', 'cross']

/** What a press on a square draws. */
export type Tool = Shape | 'arrow'

export function toggleMark(marks: readonly Mark[], square: Square, kind: Shape): Mark[] {
  const there = marks.find((mark) => mark.square === square)
  const others = marks.filter((mark) => mark.square !== square)
  return there?.kind === kind ? others : [...others, { square, kind }]
}

export function toggleArrow(arrows: readonly Arrow[], from: Square, to: Square): Arrow[] {
  const others = arrows.filter((arrow) => arrow.from !== from || arrow.to !== to)
  return others.length < arrows.length ? others : [...arrows, { from, to }]
}

/** So far, and so level, a finger must move for the board to step. */
const SWIPE = 48

/** Where a swipe leads: to the left is forward, as one turns a page. */
export function swiped(dx: number, dy: number): -1 | 0 | 1 {
  return Math.abs(dx) < SWIPE || Math.abs(dx) < 2 * Math.abs(dy) ? 0 : dx < 0 ? 1 : -1
}

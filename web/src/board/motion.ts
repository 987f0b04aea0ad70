// What moves between two positions: a disc lands, others turn outward from it.
import type { Color } from '../protocol.ts'
import { axis, SQUARES, steps, type Cell } from './squares.ts'

export interface Turn {
  from: Color
  /** The angle of the axis it turns about, in degrees. */
  axis: number
  /** How many steps later than its neighbour of the placed disc it starts. */
  delay: number
}

/** A disc that appears, or one that turns. */
export type Motion = 'land' | Turn

/** Square → how its disc moves. Squares that stay as they are, or become empty, are not in it. */
export function motions(before: readonly Cell[], next: readonly Cell[], last: number | null): Map<number, Motion | null> {
  const centre = origin(before, next, last)
  const found = new Map<number, Motion | null>()
  for (let i = 0; i < 64; i++) {
    const was = before[i] ?? null
    const is = next[i] ?? null
    if (was === is) continue
    const turn = (from: Color): Turn => ({ from, axis: axis(centre, i), delay: Math.max(0, steps(centre, i) - 1) })
    found.set(i, is === null ? null : was === null ? 'land' : turn(was))
  }
  return found
}

/** The square the change runs out from: where a disc appeared, or (stepping back) where one went. */
function origin(before: readonly Cell[], next: readonly Cell[], last: number | null): number {
  if (last !== null && !before[last] && next[last]) return last
  const changed = (test: (i: number) => boolean) => SQUARES.findIndex((_, i) => test(i))
  const placed = changed((i) => !before[i] && !!next[i])
  return placed >= 0 ? placed : Math.max(0, changed((i) => !!before[i] && !next[i]))
}

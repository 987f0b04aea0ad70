// A game that was played before and is shown again: each step says where a disc was placed and which discs turned.
import { indexOf, other, type Cell } from './squares.ts'

export interface Shown {
  cells: readonly Cell[]
  /** Where the last disc was placed. */
  last: number | null
}

/** The four discs in the middle. */
export function start(): Cell[] {
  const cells = Array<Cell>(64).fill(null)
  for (const [square, colour] of Object.entries({ d4: 'white', e5: 'white', d5: 'black', e4: 'black' } as const)) cells[indexOf(square)] = colour
  return cells
}

/** The board after these steps, such as `f5e5`: a disc on f5, e5 turns. */
export function playedOn(from: readonly Cell[], steps: readonly string[]): Shown {
  const cells = [...from]
  let last: number | null = null
  for (const step of steps) {
    const [placed = -1, ...turned] = (step.match(/../g) ?? []).map(indexOf)
    const was = cells[turned[0] ?? -1]
    if (!was) break
    for (const index of [placed, ...turned]) cells[index] = other(was)
    last = placed
  }
  return { cells, last }
}

// The discs of a board that draws one position after another: which lie on their squares and which are above them, on the move.
import { motions, type Motion } from './motion.ts'
import type { Cell } from './squares.ts'

export interface Discs {
  /** The position that is drawn; what changes next is told by comparing with it. */
  readonly cells: readonly Cell[]
  /** Square → how its disc moves above the board. All others lie on it. */
  readonly moving: ReadonlyMap<number, Motion>
  /** Those of `moving` that have arrived. They are laid down all together: changing the page could make the others stumble. */
  readonly arrived: Set<number>
  /** Where a disc was seen landing before the server answered: it does not land twice. */
  seen: number | null
}

/** How a change is shown: discs land and turn, they only appear, or it is simply there. */
export type Show = 'turn' | 'fade' | 'none'

export function atRest(cells: readonly Cell[]): Discs {
  return { cells, moving: new Map(), arrived: new Set(), seen: null }
}

/** A disc is on its way to the server. Only noted: nothing that is drawn changes by it. */
export function placed(discs: Discs, square: number): void {
  discs.seen = square
}

/** The next position. What still moves from the last one goes on, but for the squares that change again. */
export function changed(discs: Discs, cells: readonly Cell[], last: number | null, show: Show): Discs {
  const moving = new Map(discs.moving)
  const arrived = new Set(discs.arrived)
  for (const [square, motion] of motions(discs.cells, cells, last)) {
    moving.delete(square)
    arrived.delete(square)
    if (!motion || show === 'none' || (motion === 'land' && square === discs.seen)) continue
    moving.set(square, show === 'fade' ? 'land' : motion)
  }
  return { cells, moving, arrived, seen: null }
}

/** One disc has arrived. Only noted, until it is the last. */
export function arrive(discs: Discs, square: number): Discs {
  discs.arrived.add(square)
  return [...discs.moving.keys()].every((one) => discs.arrived.has(one)) ? { ...atRest(discs.cells), seen: discs.seen } : discs
}

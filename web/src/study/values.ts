// What moves are worth, as it is written on squares, beside the board and under it.
import type { Color } from '../protocol.ts'
import { signed } from '../state/words.ts'
import type { MoveValue } from './wire.ts'

/** How a move compares with the best: it is it, it is within a disc of it, or neither. */
export type Rank = 'best' | 'near' | 'other'

export function rankOf(score: number, best: number): Rank {
  return score >= best ? 'best' : score >= best - 1 ? 'near' : 'other'
}

/** What stands under a value: a tick if it is proven, else how deep was looked and by how much it may be wrong. */
export function sureness(value: MoveValue): string {
  if (value.exact) return '✓'
  const depth = value.percent < 100 && value.depth > 0 && value.percent > 0 ? `${value.percent}%` : `${value.depth}`
  const off = Math.round(value.spread)
  return off > 0 ? `${depth} ±${off}` : depth
}

/** A value for whoever moves, as Black sees it. */
export function forBlack(score: number, mover: Color): number {
  return mover === 'black' ? score : -score
}

/** The value of a position for Black: that of its best move. */
export function valueForBlack(values: readonly MoveValue[], mover: Color | null): { score: number; exact: boolean } | null {
  const [best] = values
  if (!best || !mover) return null
  return { score: forBlack(best.score, mover), exact: best.exact }
}

/** "+4" with who has it in mind: "Black +4", "even". Always said from whoever is ahead. */
export function ahead(black: number): { color: Color | null; by: number } {
  return { color: black > 0 ? 'black' : black < 0 ? 'white' : null, by: Math.abs(black) }
}

/** How much of the bar is Black's, from 0 to 1. The first discs of a lead count more to the eye than the last. */
export function share(black: number): number {
  const lead = Math.max(-64, Math.min(64, black))
  return 0.5 + (Math.sign(lead) * Math.sqrt(Math.abs(lead) / 64)) / 2
}

export { signed }

/** 812, 45 k, 1.2 M, 3.4 G. */
export function short(count: number): string {
  for (const [size, letter] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const) {
    if (count >= size) return `${count >= 10 * size ? Math.round(count / size) : Math.floor((10 * count) / size) / 10} ${letter}`
  }
  return String(count)
}

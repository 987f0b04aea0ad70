// What is written on the squares of a board.
import { indexOf } from '../board/squares.ts'
import type { Square } from '../protocol.ts'
import { rankOf, sureness } from './values.ts'
import type { MoveValue, ReviewMove } from './wire.ts'
import { glyphOf } from './words.ts'

export interface Written {
  score: number | string
  under: string
  rank: 'best' | 'near' | 'other' | 'wrong'
  played: boolean
}

export const NOTHING: ReadonlyMap<number, Written> = new Map()

/** A bad move, and once it is no longer asked which was better, the best ones. */
export function ofReview(move: ReviewMove, asked: boolean): ReadonlyMap<number, Written> {
  const out = new Map<number, Written>()
  if (!asked) for (const square of move.best) out.set(indexOf(square), { score: move.best_score, under: move.exact ? '✓' : '', rank: 'best', played: false })
  const glyph = glyphOf(move) || '?'
  return out.set(indexOf(move.square), { score: asked ? glyph : move.score, under: asked ? '' : glyph, rank: 'wrong', played: true })
}

/** What the engine finds of every move; the one that was played has a mark. */
export function ofAnalysis(values: readonly MoveValue[], played: Square | null): ReadonlyMap<number, Written> {
  const best = values[0]?.score ?? 0
  return new Map(values.map((value) => [indexOf(value.square), { score: value.score, under: sureness(value), rank: rankOf(value.score, best), played: value.square === played }]))
}

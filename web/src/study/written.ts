// What is written on the squares of a board.
import { indexOf } from '../board/squares.ts'
import type { Square } from '../protocol.ts'
import { rankOf, sureness } from './values.ts'
import type { BookMove, MoveValue, ReviewMove } from './wire.ts'
import { glyphOf } from './review.ts'

export interface Written {
  score: number | string
  under: string
  rank: 'best' | 'near' | 'other' | 'wrong' | 'book'
  played: boolean
  /** What the engine found. */
  found?: MoveValue
  /** What the book of openings knows of it. */
  book?: BookMove | undefined
}

export const NOTHING: ReadonlyMap<number, Written> = new Map()

/** A bad move, and once it is no longer asked which was better, the best ones. */
export function ofReview(move: ReviewMove, asked: boolean): ReadonlyMap<number, Written> {
  const out = new Map<number, Written>()
  if (!asked) for (const square of move.best) out.set(indexOf(square), { score: move.best_score, under: move.exact ? '✓' : '', rank: 'best', played: false })
  const glyph = glyphOf(move) || '?'
  return out.set(indexOf(move.square), { score: asked ? glyph : move.score, under: asked ? '' : glyph, rank: 'wrong', played: true })
}

/** What the engine finds of every move, and where it has not looked what the book knows; the move that was played has a mark. */
export function ofAnalysis(values: readonly MoveValue[], played: Square | null, known: readonly BookMove[] = []): ReadonlyMap<number, Written> {
  const best = values[0]?.score ?? 0
  const books = new Map(known.map((book) => [book.square, book]))
  const out = new Map<number, Written>()
  for (const book of known) out.set(indexOf(book.square), { score: book.score, under: book.exact ? '✓' : `${book.depth}`, rank: 'book', played: book.square === played, book })
  for (const found of values) {
    const { score, square } = found
    out.set(indexOf(square), { score, under: sureness(found), rank: rankOf(score, best), played: square === played, found, book: books.get(square) })
  }
  return out
}

// The form for an offer: what is in it, what may be in it, and the clock it stands for.
import type { TimeControl } from '../protocol.ts'
import { DAY } from './words.ts'

export const TIMES = ['minutes', 'days'] as const

export interface Wish {
  kind: (typeof TIMES)[number]
  minutes: number
  increment: number
  days: number
  /** Ratings that are welcome; null where it does not matter. */
  from: number | null
  upTo: number | null
}

export type Field = Exclude<keyof Wish, 'kind'>

const BOUNDS: Record<Field, readonly [low: number, high: number]> = {
  minutes: [0.5, 180],
  increment: [0, 60],
  days: [1, 14],
  from: [0, 4000],
  upTo: [0, 4000],
}
const FIELDS: Record<Wish['kind'], readonly Field[]> = { minutes: ['minutes', 'increment', 'from', 'upTo'], days: ['days', 'from', 'upTo'] }

/** The first field that holds no good number, and between which it should be; null if all is well. */
export function read(wish: Wish): { field: Field; low: number; high: number } | null {
  for (const field of FIELDS[wish.kind]) {
    // An emptied field holds null: that is a fault only where a number is needed.
    const value: unknown = wish[field]
    const open = field === 'from' || field === 'upTo'
    if (open && (value === null || value === undefined)) continue
    const [least, high] = BOUNDS[field]
    const low = field === 'upTo' ? Math.max(least, wish.from ?? 0) : least
    const whole = field === 'days' || open
    if (typeof value !== 'number' || !(value >= low && value <= high) || (whole && !Number.isInteger(value))) return { field, low, high }
  }
  return null
}

export function timeOf(wish: Wish): TimeControl {
  if (wish.kind === 'days') return { kind: 'per_move', per_move_ms: wish.days * DAY }
  const main_ms = Math.round(wish.minutes * 60_000)
  return wish.increment > 0 ? { kind: 'fischer', main_ms, increment_ms: Math.round(wish.increment * 1000) } : { kind: 'sudden_death', main_ms }
}

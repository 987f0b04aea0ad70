import { expect, it } from 'vitest'
import { read, timeOf, type Wish } from './offer.ts'

const wish: Wish = { kind: 'minutes', minutes: 15, increment: 0, days: 3, from: null, upTo: null }

it('knows which number is wrong, and between which it should be', () => {
  expect(read(wish)).toBeNull()
  expect(read({ ...wish, minutes: 0 })).toEqual({ field: 'minutes', low: 0.5, high: 180 })
  expect(read({ ...wish, minutes: null as unknown as number })?.field).toBe('minutes')
  expect(read({ ...wish, increment: Number.NaN })?.field).toBe('increment')
  // What is not asked for is not wrong.
  expect(read({ ...wish, kind: 'days', minutes: -1 })).toBeNull()
  expect(read({ ...wish, kind: 'days', days: 1.5 })?.field).toBe('days')
  expect(read({ ...wish, kind: 'days', days: 15 })?.field).toBe('days')
  // The upper end is not below the lower.
  expect(read({ ...wish, from: 1600, upTo: 1500 })).toEqual({ field: 'upTo', low: 1600, high: 4000 })
  expect(read({ ...wish, from: 1400, upTo: 1500 })).toBeNull()
})

it('makes the clock that was chosen', () => {
  expect(timeOf(wish)).toEqual({ kind: 'sudden_death', main_ms: 900_000 })
  expect(timeOf({ ...wish, increment: 5 })).toEqual({ kind: 'fischer', main_ms: 900_000, increment_ms: 5000 })
  expect(timeOf({ ...wish, kind: 'days' })).toEqual({ kind: 'per_move', per_move_ms: 259_200_000 })
})

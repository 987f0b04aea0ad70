import { expect, it } from 'vitest'
import type { NamedRules } from '../protocol.ts'
import { CUSTOM, problemOf, rulesOf, timeOf, timeText, type CustomClock } from './rules.ts'

it('names the number that makes no clock, and changes none', () => {
  const none = null as unknown as number
  const wrong = (change: Partial<CustomClock>) => problemOf({ ...CUSTOM, ...change })
  expect(problemOf(CUSTOM)).toBeNull()
  for (const minutes of [0, -1, 1441, Number.NaN, none]) expect(wrong({ minutes })).toBe('minutes')
  expect(wrong({ increment: none })).toBe('increment')
  expect(wrong({ increment: 0 })).toBeNull()
  // Periods alone are a clock; half a period is not.
  expect(wrong({ kind: 'byo_yomi', minutes: 0 })).toBeNull()
  expect(wrong({ kind: 'byo_yomi', period: 0 })).toBe('period')
  expect(wrong({ kind: 'byo_yomi', periods: 2.4 })).toBe('periods')
  expect(wrong({ kind: 'per_move', days: 14 })).toBeNull()
  for (const days of [0, 15, 1.5, none]) expect(wrong({ kind: 'per_move', days })).toBe('days')
  // What the kind of clock does not have cannot be wrong.
  expect(wrong({ kind: 'none', minutes: none })).toBeNull()
  expect(wrong({ kind: 'sudden_death', increment: none })).toBeNull()
  expect(rulesOf('custom', [], { ...CUSTOM, minutes: 0 }, 'standard')).toBeNull()
})

it('says every kind of clock as the server wants it', () => {
  expect(timeOf({ ...CUSTOM, kind: 'none' })).toEqual({ kind: 'none' })
  expect(timeOf({ ...CUSTOM, kind: 'sudden_death', minutes: 0.5 })).toEqual({ kind: 'sudden_death', main_ms: 30_000 })
  expect(timeOf(CUSTOM)).toEqual({ kind: 'fischer', main_ms: 300_000, increment_ms: 5000 })
  expect(timeOf({ ...CUSTOM, kind: 'byo_yomi', minutes: 0, periods: 2 })).toEqual({
    kind: 'byo_yomi',
    main_ms: 0,
    period_ms: 30_000,
    periods: 2,
  })
  expect(timeOf({ ...CUSTOM, kind: 'per_move', days: 2 })).toEqual({ kind: 'per_move', per_move_ms: 172_800_000 })
  const days = rulesOf('custom', [], { ...CUSTOM, kind: 'per_move', overrun: 'two_minutes' }, 'standard')
  expect(days?.overrun).toBe('loses')
})

it('takes presets from the server and waits for them', () => {
  const club: NamedRules = {
    name: 'club',
    rules: { time: { kind: 'sudden_death', main_ms: 1 }, overrun: 'loses', empties: 'to_winner', takebacks: true, opening: 'standard' },
  }
  expect(rulesOf('club', [club], CUSTOM, 'balanced')).toEqual({ ...club.rules, opening: 'balanced' })
  expect(rulesOf('japan', [club], CUSTOM, 'standard')).toBeNull()
})

it('says a clock in whole words', () => {
  expect(timeText({ kind: 'none' })).toEqual({ kind: 'none', numbers: {} })
  expect(timeText({ kind: 'sudden_death', main_ms: 1_800_000 })).toEqual({ kind: 'sudden-death', numbers: { minutes: 30 } })
  expect(timeText({ kind: 'fischer', main_ms: 90_000, increment_ms: 2_000 })).toEqual({ kind: 'fischer', numbers: { minutes: 1.5, seconds: 2 } })
  expect(timeText({ kind: 'byo_yomi', main_ms: 0, period_ms: 30_000, periods: 3 }).numbers).toEqual({ minutes: 0, seconds: 30, periods: 3 })
  expect(timeText({ kind: 'per_move', per_move_ms: 259_200_000 })).toEqual({ kind: 'per-move', numbers: { days: 3 } })
})

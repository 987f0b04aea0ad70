import { expect, it } from 'vitest'
import type { NamedRules } from '../protocol.ts'
import { CUSTOM, rulesOf, timeOf, within, timeText } from './rules.ts'

it('brings numbers into their bounds', () => {
  expect(within(7, 0, 10, 3)).toBe(7)
  expect(within(-1, 0, 10, 3)).toBe(0)
  expect(within(99, 0, 10, 3)).toBe(10)
  for (const none of [null, undefined, Number.NaN]) expect(within(none, 0, 10, 3)).toBe(3)
})

it('says every kind of clock as the server wants it', () => {
  expect(timeOf({ ...CUSTOM, kind: 'none' })).toEqual({ kind: 'none' })
  expect(timeOf({ ...CUSTOM, kind: 'sudden_death', minutes: 0.5 })).toEqual({ kind: 'sudden_death', main_ms: 30_000 })
  expect(timeOf(CUSTOM)).toEqual({ kind: 'fischer', main_ms: 300_000, increment_ms: 5000 })
  expect(timeOf({ ...CUSTOM, kind: 'byo_yomi', minutes: 0, periods: 2.4 })).toEqual({
    kind: 'byo_yomi',
    main_ms: 0,
    period_ms: 30_000,
    periods: 2,
  })
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
})

// The reader's choice of clock, as the form holds it, and the rules it stands for.
import type { Empties, NamedRules, Opening, Overrun, Preset, Rules, TimeControl } from '../protocol.ts'

const DAY_MS = 86_400_000

export interface CustomClock {
  kind: TimeControl['kind']
  minutes: number
  /** Added by each move. */
  increment: number
  period: number
  periods: number
  /** For each move, by correspondence. */
  days: number
  overrun: Overrun
  empties: Empties
  takebacks: boolean
}

export const CUSTOM: CustomClock = {
  kind: 'fischer',
  minutes: 5,
  increment: 5,
  period: 30,
  periods: 3,
  days: 3,
  overrun: 'loses',
  empties: 'to_winner',
  takebacks: true,
}

/** The numbers of a clock of one's own. */
export type ClockField = 'minutes' | 'increment' | 'period' | 'periods' | 'days'

/** Which fields a kind of clock has, and between which numbers each must be. */
export function boundsOf(kind: TimeControl['kind']): Partial<Record<ClockField, readonly [low: number, high: number]>> {
  switch (kind) {
    case 'none':
      return {}
    case 'sudden_death':
      return { minutes: [0.1, 1440] }
    case 'fischer':
      return { minutes: [0.1, 1440], increment: [0, 600] }
    case 'byo_yomi':
      return { minutes: [0, 1440], period: [1, 600], periods: [1, 60] }
    case 'per_move':
      return { days: [1, 14] }
  }
}

/** The first field that holds no number, or one out of its bounds; null if the clock can be played with. */
export function problemOf(custom: CustomClock): ClockField | null {
  const wrong = Object.entries(boundsOf(custom.kind)).find(([field, [low, high]]) => {
    // An emptied field holds null.
    const value: unknown = custom[field as ClockField]
    return typeof value !== 'number' || !(value >= low && value <= high) || ((field === 'periods' || field === 'days') && !Number.isInteger(value))
  })
  return wrong ? (wrong[0] as ClockField) : null
}

export function timeOf(custom: CustomClock): TimeControl {
  const main_ms = Math.round(custom.minutes * 60_000)
  switch (custom.kind) {
    case 'none':
      return { kind: 'none' }
    case 'sudden_death':
      return { kind: 'sudden_death', main_ms }
    case 'fischer':
      return { kind: 'fischer', main_ms, increment_ms: Math.round(custom.increment * 1000) }
    case 'byo_yomi':
      return { kind: 'byo_yomi', main_ms, period_ms: Math.round(custom.period * 1000), periods: custom.periods }
    case 'per_move':
      return { kind: 'per_move', per_move_ms: custom.days * DAY_MS }
  }
}

/** A clock in words: which sentence, and its numbers. */
export function timeText(time: TimeControl): { kind: string; numbers: Record<string, number> } {
  const minutes = (ms: number) => Math.round(ms / 6000) / 10
  const seconds = (ms: number) => Math.round(ms / 100) / 10
  switch (time.kind) {
    case 'none':
      return { kind: 'none', numbers: {} }
    case 'sudden_death':
      return { kind: 'sudden-death', numbers: { minutes: minutes(time.main_ms) } }
    case 'fischer':
      return { kind: 'fischer', numbers: { minutes: minutes(time.main_ms), seconds: seconds(time.increment_ms) } }
    case 'byo_yomi':
      return {
        kind: 'byo-yomi',
        numbers: { minutes: minutes(time.main_ms), seconds: seconds(time.period_ms), periods: time.periods },
      }
    case 'per_move':
      return { kind: 'per-move', numbers: { days: Math.round(time.per_move_ms / DAY_MS) } }
  }
}

/** The rules chosen; null while the server has not told them, or where the numbers make no clock. */
export function rulesOf(
  choice: Preset | 'custom',
  presets: readonly NamedRules[],
  custom: CustomClock,
  opening: Opening,
): Rules | null {
  if (choice === 'custom') {
    if (problemOf(custom)) return null
    // Two more minutes mean nothing where a move has days.
    const overrun = custom.kind === 'per_move' ? 'loses' : custom.overrun
    return { time: timeOf(custom), overrun, empties: custom.empties, takebacks: custom.takebacks, opening }
  }
  const named = presets.find((preset) => preset.name === choice)
  return named ? { ...named.rules, opening } : null
}

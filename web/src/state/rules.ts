// The reader's choice of clock, as the form holds it, and the rules it stands for.
import type { Empties, NamedRules, Opening, Overrun, Preset, Rules, TimeControl } from '../protocol.ts'

export interface CustomClock {
  kind: TimeControl['kind']
  minutes: number
  /** Added by each move. */
  increment: number
  period: number
  periods: number
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
  overrun: 'loses',
  empties: 'to_winner',
  takebacks: true,
}

/** A number typed into a field, brought into its bounds; what is no number becomes the default. */
export function within(value: number | null | undefined, low: number, high: number, otherwise: number): number {
  if (value === null || value === undefined || !Number.isFinite(value)) return otherwise
  return Math.min(high, Math.max(low, value))
}

export function timeOf(custom: CustomClock): TimeControl {
  const main_ms = Math.round(within(custom.minutes, custom.kind === 'byo_yomi' ? 0 : 0.1, 1440, 5) * 60_000)
  switch (custom.kind) {
    case 'none':
      return { kind: 'none' }
    case 'sudden_death':
      return { kind: 'sudden_death', main_ms }
    case 'fischer':
      return { kind: 'fischer', main_ms, increment_ms: Math.round(within(custom.increment, 0, 600, 5) * 1000) }
    case 'byo_yomi':
      return {
        kind: 'byo_yomi',
        main_ms,
        period_ms: Math.round(within(custom.period, 1, 600, 30) * 1000),
        periods: Math.round(within(custom.periods, 1, 60, 3)),
      }
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
  }
}

export function rulesOf(
  choice: Preset | 'custom',
  presets: readonly NamedRules[],
  custom: CustomClock,
  opening: Opening,
): Rules | null {
  if (choice === 'custom') {
    return { time: timeOf(custom), overrun: custom.overrun, empties: custom.empties, takebacks: custom.takebacks, opening }
  }
  const named = presets.find((preset) => preset.name === choice)
  return named ? { ...named.rules, opening } : null
}

// How a person's games went, by colour, by opening and by speed.
import type { Tally } from '../protocol.ts'

export interface Total {
  kind: 'color' | 'opening' | 'speed'
  name: string
  won: number
  drawn: number
  lost: number
}

const NAMES = { color: ['black', 'white'], opening: ['standard', 'balanced'], speed: ['blitz', 'rapid', 'slow', 'correspondence', 'none'] } as const

/** The same games counted three times, from three sides; what was never played is left out, but for the colours. */
export function totals(results: readonly Tally[]): Total[] {
  return (['color', 'opening', 'speed'] as const).flatMap((kind) =>
    NAMES[kind].flatMap((name) => {
      const these = results.filter((one) => (one[kind] ?? 'none') === name)
      if (these.length === 0 && kind !== 'color') return []
      const sum = (of: 'won' | 'drawn' | 'lost') => these.reduce((all, one) => all + one[of], 0)
      return [{ kind, name, won: sum('won'), drawn: sum('drawn'), lost: sum('lost') }]
    }),
  )
}

// Which games of the list are wanted.
import type { GameSummary } from '../protocol.ts'

export const FILTERS = ['all', 'going', 'over', 'untouched'] as const
export type Filter = (typeof FILTERS)[number]

/** The kind of a game. One in which nobody has moved is nobody's business, unless a player is awaited. */
export function filterOf(game: Pick<GameSummary, 'status' | 'ply'>): Exclude<Filter, 'all'> {
  if (game.status === 'waiting') return 'going'
  if (game.ply === 0) return 'untouched'
  return game.status === 'over' ? 'over' : 'going'
}

/** Everything is every game that was played, or is. */
export function shows(filter: Filter, game: Pick<GameSummary, 'status' | 'ply'>): boolean {
  const kind = filterOf(game)
  return filter === 'all' ? kind !== 'untouched' : kind === filter
}

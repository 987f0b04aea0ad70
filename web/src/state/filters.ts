// Which games of the list are wanted.
import type { GameSummary } from '../protocol.ts'

export const FILTERS = ['all', 'going', 'over', 'untouched'] as const
export type Filter = (typeof FILTERS)[number]

/** Of an unreadable game the server knows that it is there, and nothing of what is in it. */
type Kind = Pick<GameSummary, 'status' | 'ply' | 'unreadable'>

/** Whether the server has this game but cannot read it. */
export function isUnreadable(game: Pick<GameSummary, 'unreadable'>): boolean {
  return game.unreadable === true
}

/** The kind of a game. One in which nobody has moved is nobody's business, unless a player is awaited. */
export function filterOf(game: Kind): Exclude<Filter, 'all'> | 'unreadable' {
  if (isUnreadable(game)) return 'unreadable'
  if (game.status === 'waiting') return 'going'
  if (game.ply === 0) return 'untouched'
  return game.status === 'over' ? 'over' : 'going'
}

/** Everything is every game that was played, or is. */
export function shows(filter: Filter, game: Kind): boolean {
  const kind = filterOf(game)
  return filter === 'all' ? kind !== 'untouched' : kind === filter
}

/** Worth going on with: somebody has moved, or is awaited. */
export function goesOn(game: Kind): boolean {
  return filterOf(game) === 'going'
}

// In which games of a list it is the reader's turn, and was not before.
import type { GameSummary } from '../protocol.ts'
import { sideOf } from './words.ts'

/** The games in which it has become the reader's turn since the last look, which it notes. */
export function fresh(listed: readonly GameSummary[], seen: Map<string, number>, first: boolean): GameSummary[] {
  const mine = listed.filter((game) => game.status === 'playing' && game.turn !== null && game.turn === sideOf(game.seats))
  const news = mine.filter((game) => seen.get(game.game) !== game.ply)
  for (const game of mine) seen.set(game.game, game.ply)
  return first ? [] : news
}

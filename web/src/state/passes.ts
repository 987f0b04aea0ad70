// Who had to pass, told from the list of moves alone: so a notice stands while the game goes on, and when looking back.
import { other } from '../board/squares.ts'
import type { Color, MoveView } from '../protocol.ts'

export interface Pass {
  /** Who had no move. */
  by: Color
  /** Whether the other player has moved since. */
  answered: boolean
}

/** The pass that stands after `ply` moves: until the player who passed has moved again. */
export function passAt(moves: readonly Pick<MoveView, 'by' | 'passed' | 'turn'>[], ply: number): Pass | null {
  const last = moves[ply - 1]
  // When neither side can move the game is over, and nobody passes.
  if (!last?.turn) return null
  if (last.passed) return { by: other(last.by), answered: false }
  return moves[ply - 2]?.by === last.by ? { by: other(last.by), answered: true } : null
}

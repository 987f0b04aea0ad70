// The sentence for a reason that a search has checked.
import { has, t } from '../i18n/index.svelte.ts'
import type { Reason, Square } from '../protocol.ts'

/** Why a move is bad and another better; null where there is no sentence for it. */
export function sentence(reason: Reason, bad: Square, better: Square | undefined): string | null {
  const id = `reason-${reason.kind.replaceAll('_', '-')}`
  if (!has(id)) return null
  const [a = '', b = ''] = reason.squares
  const [n = 0, m = 0] = reason.numbers
  return t(id, { a, b, n, m, move: bad, best: better ?? '' })
}

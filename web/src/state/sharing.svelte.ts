// What the reader wants to give away. Any page says so here; the dialog for it is loaded when somebody does.
import type { Color } from '../protocol.ts'

/** A game or a study, and the position one looks at in it. */
export type Shareable = { board: string; turn: Color | null } & (
  | { game: string; ply: number; transcript: string }
  /** `plain`: there is but one line, from the usual start, without a word or a mark: its moves are all there is to tell. */
  | { study: string; at: number; plain: boolean }
)

let sharing = $state.raw<Shareable | null>(null)

export function shared(): Shareable | null {
  return sharing
}

export function share(what: Shareable | null): void {
  sharing = what
}

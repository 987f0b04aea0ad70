// What the reader wants to give away. Any page says so here; the dialog for it is loaded when somebody does.
import type { Color } from '../protocol.ts'

/** A game or a study, and the position one looks at in it. */
export type Shareable = { board: string; turn: Color | null } & (
  | { game: string; ply: number }
  /** `format`: the text that holds all of it. */
  | { study: string; at: number; format: 'transcript' | 'ggf' | 'sgf' }
)

let sharing = $state.raw<Shareable | null>(null)

export function shared(): Shareable | null {
  return sharing
}

export function share(what: Shareable | null): void {
  sharing = what
}

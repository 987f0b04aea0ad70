// What the library knows of the positions a reader rests at; nothing where there is none, or where one may not look.
import { ask } from './wire.ts'
import type { LibraryFound } from '../protocol.ts'

/** Whoever steps through a game passes most positions too quickly to want to know. */
const REST_MS = 250
/** How many positions are remembered. */
const MOST = 200

class Played {
  found = $state.raw<ReadonlyMap<string, LibraryFound>>(new Map())
  /** Some position was met in a game: there is a library to look into. */
  any = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  /** Looks for a position, `64 squares X`, unless that was done. */
  look(place: string): void {
    clearTimeout(this.#timer)
    if (this.#closed || this.found.has(place)) return
    this.#timer = setTimeout(() => void this.#ask(place), REST_MS)
  }

  forget(): void {
    this.found = new Map()
  }

  async #ask(board: string): Promise<void> {
    const answer = await ask({ type: 'library_find', board })
    // Somebody else's library stays closed; whatever else was refused may be asked again.
    if (answer.type === 'refused') this.#closed = answer.why === 'not_yours'
    if (answer.type !== 'library') return
    if (answer.games > 0) this.any = true
    const kept = [...this.found].slice(-MOST)
    this.found = new Map(kept).set(board, answer)
  }
}

export const played = new Played()

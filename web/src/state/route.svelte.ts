// Where the reader is. The address after `#` says it, so that back, forward, reload and a sent link all work.
import type { ExerciseKind } from '../protocol.ts'

export type Route =
  | { page: 'start' }
  | { page: 'games' }
  | { page: 'how' }
  /**
   * The list of studies; a study, at a position of it, perhaps to be played out, or walking through its review, perhaps from a move; one of a
   * game, to be begun.
   */
  | { page: 'study'; id: string | null; node: number | null; tries: boolean; review: number | null; game: string | null }
  | { page: 'learn' }
  /** After these moves, if any, from a board that was set up, if any: its squares and who is to move, as in `…OX---X`. */
  | { page: 'library'; moves: string | null; board: string | null }
  /** `part` says which of a kind: a grade, or the side to play. */
  | { page: 'exercises'; kind: ExerciseKind | null; part: string | null }
  /** Meeting people: the lobby, a person, the best, one's account, running the server. `name` is a handle, or a category of ratings. */
  | { page: 'people'; which: PeoplePage; name: string | null }
  /** A game or a position that travels in the address itself. */
  | { page: 'shared'; code: string }
  /** `invite` is the secret of an open seat, from a link. */
  | { page: 'game'; id: string; invite: string | null }

export type PeoplePage = 'lobby' | 'people' | 'leaders' | 'account' | 'admin'
const PEOPLE: readonly PeoplePage[] = ['lobby', 'people', 'leaders', 'account', 'admin']
const KINDS: readonly ExerciseKind[] = ['puzzles', 'midgames', 'endings', 'mistakes', 'openings']

export function parse(hash: string): Route {
  const [page, id, invite, last] = hash.replace(/^#\/?/, '').split('/')
  const number = (text?: string) => (text && /^\d{1,9}$/.test(text) ? Number(text) : null)
  if (page === 'game' && id) return { page: 'game', id, invite: null }
  if (page === 'join' && id && invite) return { page: 'game', id, invite }
  if (page === 'study') {
    const ofGame = id === 'game' && invite ? invite : null
    const walks = invite === 'review'
    const node = ofGame === null && !walks ? number(invite) : null
    return { page, id: (ofGame === null && id) || null, node, tries: node !== null && last === 'try', review: walks ? (number(last) ?? 0) : null, game: ofGame }
  }
  if (page === 'games') return { page: 'games' }
  if (page === 'how-to-play') return { page: 'how' }
  if (page === 'learn') return { page: 'learn' }
  if (page === 'library') return id === 'board' ? { page, moves: last || null, board: invite || null } : { page, moves: id || null, board: null }
  if (page === 'exercises') return { page, kind: KINDS.find((kind) => kind === id) ?? null, part: invite || null }
  const people = PEOPLE.find((which) => which === page)
  if (people && (people !== 'people' || id)) return { page: 'people', which: people, name: id || null }
  if (page === 's' && id) return { page: 'shared', code: id }
  return { page: 'start' }
}

let current = $state.raw<Route>(parse(location.hash))

/** The game that was left for another page, to go back to. */
let left: string | null = null

addEventListener('hashchange', ({ oldURL }) => {
  if (current.page === 'game') left = new URL(oldURL).hash
  current = parse(location.hash)
  scrollTo(0, 0)
})

export function route(): Route {
  return current
}

/** The address of the game this visit came from, or of the invitation to it, if it did. */
export function cameFrom(): string | null {
  return left
}

export function gameHref(id: string): string {
  return `#/game/${id}`
}

/** A study; at a position of it, or at its review. */
export function studyHref(id: string, at: number | 'review' | null = null): string {
  return at === null ? `#/study/${id}` : `#/study/${id}/${at}`
}

export function personHref(handle: string): string {
  return `#/people/${handle}`
}

export function go(hash: string): void {
  location.hash = hash
}

// Where the reader is. The address after `#` says it, so that back, forward, reload and a sent link all work.

export type Route =
  | { page: 'start' }
  | { page: 'games' }
  | { page: 'how' }
  /** `invite` is the secret of an open seat, from a link. */
  | { page: 'game'; id: string; invite: string | null }

export function parse(hash: string): Route {
  const [page, id, invite] = hash.replace(/^#\/?/, '').split('/')
  if (page === 'game' && id) return { page: 'game', id, invite: null }
  if (page === 'join' && id && invite) return { page: 'game', id, invite }
  if (page === 'games') return { page: 'games' }
  if (page === 'how-to-play') return { page: 'how' }
  return { page: 'start' }
}

let current = $state.raw<Route>(parse(location.hash))

/** The game that was left for another page, to go back to. */
let left: string | null = null

addEventListener('hashchange', () => {
  if (current.page === 'game') left = gameHref(current.id)
  current = parse(location.hash)
  scrollTo(0, 0)
})

export function route(): Route {
  return current
}

/** The address of the game this visit came from, if it did. */
export function cameFrom(): string | null {
  return left
}

export function gameHref(id: string): string {
  return `#/game/${id}`
}

export function go(hash: string): void {
  location.hash = hash
}

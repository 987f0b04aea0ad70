// Names typed before, offered again.
const KEY = 'outflank.names'

type Place = 'first' | 'second' | 'me'

function all(): Partial<Record<Place, string>> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return value && typeof value === 'object' ? (value as Partial<Record<Place, string>>) : {}
  } catch {
    return {}
  }
}

/** An older page wrote these into the fields itself, in the language of the day. */
const NOBODY = /^(Player|Jugador) [12]$/

export function remembered(place: Place): string {
  const name = all()[place]
  return typeof name === 'string' && !NOBODY.test(name) ? name : ''
}

export function remember(place: Place, name: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [place]: name }))
  } catch {
    // Not remembered; nothing else is lost.
  }
}

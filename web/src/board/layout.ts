// Where the felt lies in the room a board is given: as large as it can be, in the middle, on whole pixels.

export interface Layout {
  /** The side of the felt: eight squares. */
  felt: number
  left: number
  top: number
  /** There is no room for letters and numbers around the felt: they stand in the corners of its squares. */
  inside: boolean
}

/** The smallest square a finger finds. */
const TOUCH = 44
/** What letters and numbers take, at least and at most. */
const SMALL = 10
const LARGE = 18

export function layout(width: number, height: number, coordinates: boolean): Layout {
  const shorter = Math.min(width, height)
  const edge = !coordinates ? 3 : shorter >= 500 ? LARGE : (shorter - 2 * SMALL) / 8 >= TOUCH ? SMALL : 0
  // Nothing stands to the right or below; the right is left free so that the board is in the middle.
  const square = Math.max(0, Math.floor(Math.min(width - 2 * edge, height - (coordinates ? edge : 2 * edge)) / 8))
  const felt = 8 * square
  const above = coordinates ? edge : 0
  return {
    felt,
    left: Math.floor((width - felt) / 2),
    top: above + Math.floor((height - above - felt) / 2),
    inside: coordinates && edge === 0,
  }
}

// The value of a game over its moves, Black up: where each point lies, and which move a place on it means.

export interface Point {
  /** How many moves were played. */
  number: number
  /** For Black, in discs; null where nobody has looked yet. */
  value: number | null
}

/** How many discs reach the top; more are drawn there too. */
const TALLEST = 64

/** 0 at the top, 1 at the bottom. Small leads are drawn larger than they are: most of a game is played among them. */
export function height(value: number): number {
  const lead = Math.max(-TALLEST, Math.min(TALLEST, value))
  return 0.5 - (Math.sign(lead) * Math.sqrt(Math.abs(lead) / TALLEST)) / 2
}

/** 0 at the left, 1 at the right. */
export function across(number: number, moves: number): number {
  return moves === 0 ? 0 : number / moves
}

/** The move that a place between left (0) and right (1) means. */
export function moveAt(place: number, moves: number): number {
  return Math.max(0, Math.min(moves, Math.round(place * moves)))
}

/** The curve as pieces that hang together: a gap stays a gap. Units: 1000 wide, 100 high. */
export function curve(points: readonly Point[], moves: number): { line: string; area: string } {
  const pieces: [x: number, y: number][][] = []
  let open = false
  for (const { number, value } of points) {
    if (value === null) {
      open = false
      continue
    }
    if (!open) pieces.push([])
    open = true
    pieces[pieces.length - 1]?.push([round(1000 * across(number, moves)), round(100 * height(value))])
  }
  const drawn = pieces.map((piece) => piece.map(([x, y], i) => `${i ? 'L' : 'M'}${x} ${y}`).join(''))
  return {
    line: drawn.join(''),
    area: pieces.map((piece, i) => `${drawn[i]}L${piece[piece.length - 1]?.[0]} 50L${piece[0]?.[0]} 50Z`).join(''),
  }
}

function round(n: number): number {
  return Math.round(10 * n) / 10
}

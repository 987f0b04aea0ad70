// Names and places of the 64 squares. a1 is index 0 at the top left, h1 is 7, h8 is 63.

import type { Color } from '../protocol.ts'

export type Cell = Color | null

const FILES = 'abcdefgh'

export const SQUARES: readonly string[] = Array.from({ length: 64 }, (_, i) => name(i))
export const LETTERS: readonly string[] = [...FILES]

export function name(index: number): string {
  return `${FILES[index % 8]}${Math.floor(index / 8) + 1}`
}

/** The index of `e6`, or -1 for anything that is not a square. */
export function indexOf(square: string): number {
  const column = FILES.indexOf(square[0] ?? '?')
  const row = Number(square[1]) - 1
  return square.length === 2 && column >= 0 && row >= 0 && row < 8 ? row * 8 + column : -1
}

/** The squares of a board as the server writes it: `X` black, `O` white, `-` empty. */
export function cellsOf(board: string): Cell[] {
  return [...board].map((c) => (c === 'X' ? 'black' : c === 'O' ? 'white' : null))
}

export function other(colour: Color): Color {
  return colour === 'black' ? 'white' : 'black'
}

/** King's distance: how many steps outward from one square to another. */
export function steps(from: number, to: number): number {
  return Math.max(Math.abs((from % 8) - (to % 8)), Math.abs(Math.floor(from / 8) - Math.floor(to / 8)))
}

/** The angle, in degrees, of the axis a disc at `to` turns about when the turning runs outward from `from`. */
export function axis(from: number, to: number): number {
  const across = (to % 8) - (from % 8)
  const down = Math.floor(to / 8) - Math.floor(from / 8)
  return Math.round((Math.atan2(down, across) * 180) / Math.PI) + 90
}

/** Where an arrow key leads from `index`; the edge stops it. */
export function neighbour(index: number, key: string): number {
  const column = index % 8
  const row = Math.floor(index / 8)
  switch (key) {
    case 'ArrowLeft':
      return column > 0 ? index - 1 : index
    case 'ArrowRight':
      return column < 7 ? index + 1 : index
    case 'ArrowUp':
      return row > 0 ? index - 8 : index
    case 'ArrowDown':
      return row < 7 ? index + 8 : index
    default:
      return -1
  }
}

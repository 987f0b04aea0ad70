// Positions for "How to play". A lesson says which squares may be played and what turns there, as the server does in a
// game; the page itself knows no rules.
import type { Color } from '../protocol.ts'

export interface Scene {
  /** 64 squares from a1, `X` black, `O` white, `-` empty. */
  board: string
  mover: Color
  moves: Readonly<Record<string, readonly string[]>>
}

const rows = (...lines: string[]): string => lines.join('')

export const FIRST_MOVE: Scene = {
  board: rows('--------', '--------', '--------', '---OX---', '---XO---', '--------', '--------', '--------'),
  mover: 'black',
  moves: { d3: ['d4'], c4: ['d4'], f5: ['e5'], e6: ['e5'] },
}

export const MANY_LINES: Scene = {
  board: rows('--------', '--------', '---X----', '---O-X--', '---OO---', '--O-OOX-', '--------', '--------'),
  mover: 'black',
  moves: { d6: ['d4', 'd5', 'e5', 'e6', 'f6'] },
}

/** White has no answer to the first move; after the second White has no disc. */
export const PASS: readonly Scene[] = [
  {
    board: rows('XO------', '---O----', '----O---', '--------', '--------', '--------', '--------', '--------'),
    mover: 'black',
    moves: { c1: ['b1'] },
  },
  {
    board: rows('XXX-----', '---O----', '----O---', '--------', '--------', '--------', '--------', '--------'),
    mover: 'black',
    moves: { f4: ['d2', 'e3'] },
  },
]

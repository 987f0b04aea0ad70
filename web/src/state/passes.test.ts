import { expect, it } from 'vitest'
import { other } from '../board/squares.ts'
import type { Color } from '../protocol.ts'
import { passAt } from './passes.ts'

/** Moves by colour: `B` Black, `W` White, `.` the end after it. */
const game = (text: string) => {
  const movers = [...text.replace('.', '')].map((c): Color => (c === 'B' ? 'black' : 'white'))
  return movers.map((by, i) => {
    const next = movers[i + 1] ?? (text.endsWith('.') ? null : other(by))
    return { by, passed: next === by, turn: next }
  })
}

it('stands from the pass until the player who passed has moved', () => {
  const moves = game('BWWBWB')
  expect(moves.map((_, i) => passAt(moves, i + 1))).toEqual([
    null,
    { by: 'black', answered: false },
    { by: 'black', answered: true },
    null,
    null,
    null,
  ])
  expect(passAt(moves, 0)).toBeNull()
})

it('stands through several passes on end', () => {
  const moves = game('BWWWWB')
  expect([2, 3, 4, 5, 6].map((ply) => passAt(moves, ply)?.answered)).toEqual([false, false, false, true, undefined])
})

it('has nothing to say at the end of the game', () => {
  expect(passAt(game('BWW.'), 3)).toBeNull()
})

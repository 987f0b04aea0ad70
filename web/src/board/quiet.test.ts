import { expect, it } from 'vitest'
import games from './quiet-games.json'
import { playedOn, start } from './quiet.ts'

it('turns what a step says to the colour of the disc that was placed', () => {
  const { cells, last } = playedOn(start(), ['f5e5', 'd6d5'])
  expect(last).toBe(43)
  expect([27, 28, 35, 36, 37, 43].map((index) => cells[index])).toEqual(['white', 'black', 'white', 'black', 'black', 'white'])
})

it.each(games.map((game, number) => [number, game] as const))('game %i is whole: every step adds a disc, and the board is full at its end', (_, game) => {
  for (let ply = 0; ply <= game.length; ply++) {
    expect(playedOn(start(), game.slice(0, ply)).cells.filter(Boolean)).toHaveLength(4 + ply)
  }
  expect(game).toHaveLength(60)
})

import { expect, it } from 'vitest'
import { FILTERS, goesOn, shows } from './filters.ts'

const wanted = (game: Parameters<typeof shows>[1]) => FILTERS.filter((filter) => shows(filter, game))

it('puts each game where it is looked for', () => {
  expect(wanted({ status: 'playing', ply: 7 })).toEqual(['all', 'going'])
  expect(wanted({ status: 'over', ply: 60 })).toEqual(['all', 'over'])
  expect(wanted({ status: 'waiting', ply: 0 })).toEqual(['all', 'going'])
})

it('keeps games without a move out of the way', () => {
  expect(wanted({ status: 'playing', ply: 0 })).toEqual(['untouched'])
  expect(wanted({ status: 'over', ply: 0 })).toEqual(['untouched'])
})

it('shows a game that cannot be read among all, and never as one to go on with', () => {
  for (const status of ['playing', 'waiting', 'over'] as const) {
    expect(wanted({ status, ply: 7, unreadable: true })).toEqual(['all'])
    expect(goesOn({ status, ply: 7, unreadable: true })).toBe(false)
  }
  expect(wanted({ status: 'playing', ply: 7, unreadable: false })).toEqual(['all', 'going'])
})

it('goes on with a game in which somebody has moved or is awaited', () => {
  expect(goesOn({ status: 'playing', ply: 1 })).toBe(true)
  expect(goesOn({ status: 'waiting', ply: 0 })).toBe(true)
  expect(goesOn({ status: 'playing', ply: 0 })).toBe(false)
  expect(goesOn({ status: 'over', ply: 60 })).toBe(false)
})

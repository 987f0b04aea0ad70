import { expect, it } from 'vitest'
import { FILTERS, shows } from './filters.ts'

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

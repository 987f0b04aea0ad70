import { expect, it } from 'vitest'
import { isWrongYear, movesIn, NOTHING, queryOf, shares, squaresOf } from './query.ts'

it('asks for what is said and nothing else', () => {
  expect(queryOf(NOTHING, '', null)).toEqual({})
  expect(queryOf({ player: ' Ana ', tournament: '', from: '1999', to: '20', result: 'draw' }, 'f5', null)).toEqual({
    moves: 'f5',
    player: 'Ana',
    from: 1999,
    result: 'draw',
  })
  expect([isWrongYear('20'), isWrongYear('2004'), isWrongYear('')]).toEqual([true, false, false])
})

it('takes moves from an address, and nothing that is none', () => {
  expect(movesIn('f5d6')).toBe('f5d6')
  expect([movesIn('f5d'), movesIn('z9'), movesIn(null)]).toEqual(['', '', ''])
  expect(squaresOf('f5d6')).toEqual(['f5', 'd6'])
})

it('shares a bar among the results that are known', () => {
  expect(shares({ black_wins: 1, draws: 1, white_wins: 2 })).toEqual([25, 25, 50])
  expect(shares({ black_wins: 0, draws: 0, white_wins: 0 })).toEqual([0, 0, 0])
})

import { expect, it } from 'vitest'
import type { GameSummary } from '../protocol.ts'
import { fresh } from './fresh.ts'

function game(id: string, ply: number, turn: 'black' | 'white', change: Partial<GameSummary> = {}): GameSummary {
  const seat = (you: boolean) => ({ kind: 'person' as const, name: 'Ana', level: null, you })
  return {
    game: id,
    begun: 0,
    changed: 0,
    status: 'playing',
    seats: { black: seat(true), white: seat(false) },
    ply,
    turn,
    board: '',
    counts: { black: 2, white: 2 },
    verdict: null,
    until: null,
    ...change,
  }
}

it('tells of a turn once, and not of what was so before', () => {
  const seen = new Map<string, number>()
  expect(fresh([game('a', 4, 'black'), game('b', 3, 'white')], seen, true)).toEqual([])
  const next = [game('a', 4, 'black'), game('b', 4, 'black')]
  expect(fresh(next, seen, false).map((one) => one.game)).toEqual(['b'])
  expect(fresh(next, seen, false)).toEqual([])
  expect(fresh([game('a', 6, 'black')], seen, false).map((one) => one.game)).toEqual(['a'])
})

it('says nothing of games that are over, wait for a player, or are played from both sides', () => {
  const both = game('c', 1, 'black')
  both.seats.white.you = true
  const listed = [game('a', 2, 'black', { status: 'over' }), game('b', 2, 'black', { status: 'waiting' }), both]
  expect(fresh(listed, new Map(), false)).toEqual([])
})

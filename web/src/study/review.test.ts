import { expect, it } from 'vitest'
import { reviewed, tree } from './fixtures.ts'
import { effect, found, graphed, isOf, moments, nextDepth, onlyMove, shows, weakest } from './review.ts'
import { USUAL } from './settings.ts'
import { mainLine } from './tree.ts'
import type { Report } from './wire.ts'

const nothing = { loss: 0, phases: { opening: 0, midgame: 0, ending: 0 } }
const report = (...moves: Report['moves']): Report => ({ moves, black: nothing, white: nothing, decided_at: null, thresholds: USUAL, seconds: 1 })
const numbers = (moves: Report['moves']) => moves.map((move) => move.number)

it('stops at mistakes and turning points, the costliest first, and at what is not sure only if asked', () => {
  const game = report(
    reviewed(1, { loss: 4, class: 'mistake', mark: '?' }),
    reviewed(2, { loss: 12, class: 'blunder', mark: '??' }),
    reviewed(3, { loss: 2, class: 'inaccuracy', mark: '?!' }),
    reviewed(4, { loss: 2, class: 'inaccuracy', mark: '?!', turning_point: true }),
    reviewed(5, { loss: 20, class: null, sure: false, perhaps: { loss: 20, percent: 70 } }),
    reviewed(7, { loss: 4, class: 'mistake', mark: '?' }),
  )
  expect(numbers(moments(game, 'both'))).toEqual([2, 1, 7, 4])
  expect(numbers(moments(game, 'black'))).toEqual([1, 7])
  // Any marked move is a stop for whoever asks for it, also one whose mark is in brackets; one without a mark is not.
  expect(numbers(moments(game, 'black', 3))).toEqual([1, 7, 3])
  expect(numbers(moments(game, 'both', 5))).toEqual([5, 2, 1, 7, 4])
  expect(numbers(moments({ ...game, moves: [...game.moves, reviewed(9)] }, 'both', 9))).toEqual([2, 1, 7, 4])
})

it('shows the moves that a reason speaks of, whichever they begin with, and else how the move is answered', () => {
  const move = reviewed(1, { square: 'b7', refutation: ['a8', 'h1'] })
  expect(shows(move)).toEqual(['b7', 'a8', 'h1'])
  expect(shows({ ...move, reason: { kind: 'missed_quiet_move', squares: [], numbers: [], line: ['c2', 'd2'], without: [], share: 1 } })).toEqual(['c2', 'd2'])
})

it('reaches every mistake, however many there are', () => {
  const many = Array.from({ length: 25 }, (_, i) => reviewed(i + 1, { loss: 4, class: 'mistake', mark: '?' }))
  expect(moments(report(...many), 'both')).toHaveLength(25)
})

it('goes deeper by four as long as there is something to find', () => {
  expect(nextDepth(report(reviewed(1, { depth: 20 }), reviewed(2, { depth: 24, exact: true })))).toBe(24)
  expect(nextDepth(report(reviewed(1, { depth: 28 })))).toBe(30)
  expect([nextDepth(report(reviewed(1, { depth: 30 }))), nextDepth(report(reviewed(1, { exact: true }), reviewed(2, { given: true })))]).toEqual([null, null])
})

it('stops at what was inexact where nothing was worse, and nowhere in a perfect game', () => {
  expect(numbers(moments(report(reviewed(1), reviewed(2, { loss: 2, class: 'inaccuracy', mark: '?!' })), 'both'))).toEqual([2])
  expect(moments(report(reviewed(1), reviewed(2)), 'both')).toEqual([])
})

it('says what a loss did', () => {
  const of = (best_score: number, score: number, exact = false) => effect(reviewed(1, { best_score, score, exact }))
  expect([of(4, -2), of(4, -2, true), of(4, 0), of(4, 0, true), of(4, 2), of(0, -2), of(0, -2, true), of(-2, -8)]).toEqual([
    'lead', 'win', 'even', 'win', 'ahead', 'level', 'draw', 'behind',
  ])
})

it('counts what went well and where most was lost', () => {
  const game = { ...report(reviewed(1), reviewed(3, { class: 'mistake', loss: 5 }), reviewed(2, { class: 'good', loss: 1 })), white: { loss: 9, phases: { opening: 0, midgame: 3, ending: 6 } } }
  expect(found(game, 'black')).toEqual({ best: 1, moves: 2 })
  expect(found(game, 'white')).toEqual({ best: 1, moves: 1 })
  expect(weakest(game, 'both')).toBe('ending')
  expect(weakest(game, 'black')).toBeNull()
})

it('praises the only good move that kept the result before one that saved more discs', () => {
  const game = report(reviewed(41, { score: 10, only_by: 8 }), reviewed(43, { score: 2, only_by: 4 }), reviewed(44, { score: 30, only_by: 20 }), reviewed(45))
  expect(onlyMove(game, 'both')?.number).toBe(43)
  expect(onlyMove(game, 'white')?.number).toBe(44)
  expect(onlyMove(report(reviewed(1)), 'both')).toBeNull()
})

it('draws the game from before its first move', () => {
  expect(graphed(report(reviewed(1, { best_score: 2, value_black: 1 }), reviewed(2, { value_black: -3 })))).toEqual([
    { number: 0, value: 2 }, { number: 1, value: 1 }, { number: 2, value: -3 },
  ])
  expect(graphed(report())).toEqual([])
})

it('is of one main line and no other', () => {
  const of = report(reviewed(1, { square: 'f5' }), reviewed(2, { square: 'd6' }))
  expect(isOf(of, mainLine(tree([0, 'f5', 1], [1, 'd6', 2])))).toBe(true)
  expect(isOf(of, mainLine(tree([0, 'f5', 1], [1, 'd6', 2], [2, 'c3', 3])))).toBe(true)
  expect(isOf(of, mainLine(tree([0, 'f5', 1], [1, 'f6', 2])))).toBe(false)
  expect(isOf(of, mainLine(tree([0, 'f5', 1])))).toBe(false)
})

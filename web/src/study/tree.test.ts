import { expect, it } from 'vitest'
import { asText, beside, formatFor, lineThrough, mainLine, next, pathTo, type Step } from './tree.ts'
import { node, tree } from './fixtures.ts'

// 0 ─ 1 f5 ─ 2 d6 ─ 3 c3
//        └── 4 f6 ─ 5 e6
//              (and in place of 5) 6 e3
const nodes = tree([0, 'f5', 1], [1, 'd6', 2], [2, 'c3', 3], [1, 'f6', 4], [4, 'e6', 5], [4, 'e3', 6])
const ids = (line: { id: number }[]) => line.map((node) => node.id)

it('follows the first moves, or those that were chosen before', () => {
  expect(ids(mainLine(nodes))).toEqual([0, 1, 2, 3])
  expect(ids(lineThrough(nodes, 4))).toEqual([0, 1, 4, 5])
  expect(ids(lineThrough(nodes, 1, new Map([[1, 4], [4, 6]])))).toEqual([0, 1, 4, 6])
  expect(ids(pathTo(nodes, 6))).toEqual([0, 1, 4, 6])
  expect(next(nodes, 3, new Map())).toBeNull()
  // a move that was chosen and is gone
  expect(next(nodes, 1, new Map([[1, 99]]))).toBe(2)
})

it('steps among the moves in one place, and stops at the last', () => {
  expect(beside(nodes, 2, 1)).toBe(4)
  expect(beside(nodes, 4, 1)).toBe(4)
  expect(beside(nodes, 4, -1)).toBe(2)
  expect(beside(nodes, 0, 1)).toBe(0)
})

it('reads with each variation after the move it takes the place of', () => {
  const said = (line: Step[]): string => line.map(({ node, variations }) => [node.square, ...variations.map((one) => `(${said(one)})`)].join(' ')).join(' ')
  expect(said(asText(nodes))).toBe('f5 d6 (f6 e6 (e3)) c3')
})

it('is given away as its moves, or as a file where there is more to tell', () => {
  const names = { black: '', white: '', title: '' }
  const game = tree([0, 'f5', 1], [1, 'd6', 2])
  expect(formatFor(game, names)).toBe('transcript')
  expect(formatFor(game, { ...names, black: 'Ana' })).toBe('sgf')
  expect(formatFor(tree([0, 'f5', 1], [0, 'd3', 2]), names)).toBe('sgf')
  expect(formatFor(new Map([[0, node(0, { comment: 'x' })]]), names)).toBe('sgf')
  expect(formatFor(new Map([[0, node(0, { turn: 'white' })]]), names)).toBe('sgf')
  expect(formatFor(new Map([[0, node(0)], [1, node(1, { seconds: 2 })]]), { ...names, black: 'Ana' })).toBe('ggf')
})

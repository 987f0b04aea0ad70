import { expect, test } from 'vitest'
import { arrive, atRest, changed, placed } from './discs.ts'
import { indexOf, name, type Cell } from './squares.ts'

/** Row 4 from a4 on: `X` black, `O` white. */
const row = (discs: string): Cell[] => {
  const cells = Array<Cell>(64).fill(null)
  ;[...discs].forEach((disc, column) => (cells[24 + column] = disc === 'X' ? 'black' : disc === 'O' ? 'white' : null))
  return cells
}
const moving = (discs: { moving: ReadonlyMap<number, unknown> }) => [...discs.moving.keys()].map(name).sort()

const before = atRest(row('--XOO---'))
const after = row('--XXXX--')

test('a move: one lands, others turn, and they are laid down when the last has arrived', () => {
  const discs = changed(before, after, indexOf('f4'), 'turn')
  expect(moving(discs)).toEqual(['d4', 'e4', 'f4'])
  expect(discs.moving.get(indexOf('f4'))).toBe('land')
  expect(arrive(discs, indexOf('f4'))).toBe(discs)
  expect(arrive(discs, indexOf('e4'))).toBe(discs)
  expect(moving(arrive(discs, indexOf('d4')))).toEqual([])
})

test('a disc that was seen landing when it was sent does not land twice', () => {
  const start = atRest(before.cells)
  placed(start, indexOf('f4'))
  const discs = changed(start, after, indexOf('f4'), 'turn')
  expect(moving(discs)).toEqual(['d4', 'e4'])
  // Only that once.
  expect(moving(changed(changed(discs, before.cells, null, 'none'), after, indexOf('f4'), 'turn'))).toEqual(['d4', 'e4', 'f4'])
})

test('the next move while discs still turn: those go on, and a square that changes again begins anew', () => {
  const first = changed(before, after, indexOf('f4'), 'turn')
  arrive(first, indexOf('e4'))
  const second = changed(first, row('-OOOOX--'), indexOf('b4'), 'turn')
  expect(moving(second)).toEqual(['b4', 'c4', 'd4', 'e4', 'f4'])
  expect(second.moving.get(indexOf('e4'))).toMatchObject({ from: 'black' })
  for (const square of ['b4', 'c4', 'd4', 'f4']) expect(arrive(second, indexOf(square))).toBe(second)
  expect(moving(arrive(second, indexOf('e4')))).toEqual([])
})

test('with reduced motion discs only appear, and at once means at once', () => {
  const faded = changed(before, after, indexOf('f4'), 'fade')
  expect([...faded.moving.values()]).toEqual(['land', 'land', 'land'])
  expect(moving(changed(before, after, indexOf('f4'), 'none'))).toEqual([])
  expect(changed(before, after, indexOf('f4'), 'none').cells).toBe(after)
})

test('a disc that is taken away leaves nothing above the board', () => {
  const discs = changed(changed(before, after, indexOf('f4'), 'turn'), before.cells, null, 'turn')
  expect(moving(discs)).toEqual(['d4', 'e4'])
})

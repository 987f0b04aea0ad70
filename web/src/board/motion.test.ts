import { expect, test } from 'vitest'
import { motions } from './motion.ts'
import { indexOf, type Cell } from './squares.ts'

function board(discs: Record<string, 'black' | 'white'>): Cell[] {
  const cells = Array<Cell>(64).fill(null)
  for (const [square, colour] of Object.entries(discs)) cells[indexOf(square)] = colour
  return cells
}

const before = board({ c4: 'black', d4: 'white', e4: 'white' })
const after = board({ c4: 'black', d4: 'black', e4: 'black', f4: 'black' })

test('a placed disc lands and the others turn outward from it, one step after another', () => {
  const found = motions(before, after, indexOf('f4'))
  expect(found.get(indexOf('f4'))).toBe('land')
  expect(found.get(indexOf('e4'))).toMatchObject({ from: 'white', delay: 0 })
  expect(found.get(indexOf('d4'))).toMatchObject({ from: 'white', delay: 1 })
  expect(found.has(indexOf('c4'))).toBe(false)
})

test('taken back, they turn back from where the disc was', () => {
  const found = motions(after, before, null)
  expect(found.get(indexOf('f4'))).toBeNull()
  expect(found.get(indexOf('d4'))).toMatchObject({ from: 'black', delay: 1 })
})

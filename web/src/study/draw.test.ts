import { expect, it } from 'vitest'
import { swiped, toggleArrow, toggleMark } from './draw.ts'

it('draws, draws another in its place, and takes away what is drawn twice', () => {
  const one = toggleMark([], 'e3', 'circle')
  expect(one).toEqual([{ square: 'e3', kind: 'circle' }])
  expect(toggleMark(one, 'e3', 'cross')).toEqual([{ square: 'e3', kind: 'cross' }])
  expect(toggleMark(one, 'e3', 'circle')).toEqual([])
  const arrow = toggleArrow([], 'a1', 'b2')
  expect(toggleArrow(arrow, 'b2', 'a1')).toHaveLength(2)
  expect(toggleArrow(arrow, 'a1', 'b2')).toEqual([])
})

it('takes a level move of the finger for a step, as one turns a page', () => {
  expect([swiped(-80, 10), swiped(80, -10), swiped(-30, 0), swiped(-80, 60)]).toEqual([1, -1, 0, 0])
})

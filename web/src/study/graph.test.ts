import { expect, it } from 'vitest'
import { curve, height, moveAt } from './graph.ts'

it('draws Black up and White down, and never leaves its frame', () => {
  expect([height(64), height(0), height(-64), height(-80)]).toEqual([0, 0.5, 1, 1])
  expect(height(4)).toBeLessThan(height(1))
})

it('leaves a gap where nobody has looked', () => {
  const { line, area } = curve([{ number: 0, value: 0 }, { number: 1, value: 64 }, { number: 2, value: null }, { number: 3, value: -64 }, { number: 4, value: 0 }], 4)
  expect(line).toBe('M0 50L250 0M750 100L1000 50')
  expect(area).toBe('M0 50L250 0L250 50L0 50ZM750 100L1000 50L1000 50L750 50Z')
})

it('finds the move under a finger', () => {
  expect([-1, 0, 0.49, 0.51, 2].map((place) => moveAt(place, 2))).toEqual([0, 0, 1, 1, 2])
  expect(moveAt(0.5, 0)).toBe(0)
})

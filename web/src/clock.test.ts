import { expect, it } from 'vitest'
import { reading, remaining } from './clock.ts'

it('reads minutes and seconds, hours where there are any, tenths under ten seconds', () => {
  expect(reading(30 * 60_000)).toBe('30:00')
  expect(reading(3_600_000 + 5 * 60_000)).toBe('1:05:00')
  expect(reading(61_000)).toBe('1:01')
  expect(reading(10_000)).toBe('0:10')
  expect(reading(9_999)).toBe('9.9')
  expect(reading(1_049)).toBe('1.0')
  expect(reading(0)).toBe('0.0')
  expect(reading(-5)).toBe('0.0')
})

it('never runs below nothing', () => {
  expect(remaining(5000, 1200)).toBe(3800)
  expect(remaining(5000, 9000)).toBe(0)
})

import { expect, it } from 'vitest'
import { layout } from './layout.ts'

it('lies in the middle, on whole pixels, in every window', () => {
  for (let width = 200; width < 1400; width += 7) {
    for (const height of [width, width + 40, Math.floor(width / 2)]) {
      const { felt, left, top } = layout(width, height, true)
      expect(felt % 8).toBe(0)
      expect(Math.abs(width - felt - 2 * left)).toBeLessThanOrEqual(1)
      expect(top).toBeGreaterThanOrEqual(0)
      expect(top + felt).toBeLessThanOrEqual(height)
    }
  }
})

it('has squares for a thumb on the smallest phone, with the letters inside', () => {
  expect(layout(360, 368, true)).toMatchObject({ felt: 360, left: 0, inside: true })
  expect(layout(390, 400, true)).toMatchObject({ felt: 368, left: 11, inside: false })
})

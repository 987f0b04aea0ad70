import { expect, it, vi } from 'vitest'
vi.mock('../i18n/index.svelte.ts', () => ({ t: (id: string) => id, list: (all: string[]) => all.join() }))
const { ahead, rankOf, share, short, sureness, valueForBlack } = await import('./values.ts')
const value = { square: 'f5', score: 3, depth: 14, percent: 100, exact: false, spread: 3.1 } as const

it('says how sure a value is', () => {
  expect(sureness(value)).toBe('14 ±3')
  expect(sureness({ ...value, spread: 0.4 })).toBe('14')
  expect(sureness({ ...value, percent: 73, spread: 2 })).toBe('73% ±2')
  expect(sureness({ ...value, exact: true, spread: 0 })).toBe('✓')
})

it('ranks a move by its distance from the best', () => {
  expect([4, 3, 2].map((score) => rankOf(score, 4))).toEqual(['best', 'near', 'other'])
})

it('sees a position from Black’s side', () => {
  expect(valueForBlack([value], 'white')).toEqual({ score: -3, exact: false })
  expect(valueForBlack([], 'white')).toBeNull()
  expect(ahead(-6)).toEqual({ color: 'white', by: 6 })
  expect(ahead(0).color).toBeNull()
})

it('fills the bar from nothing to all, evenly for both', () => {
  expect([share(-64), share(0), share(64)]).toEqual([0, 0.5, 1])
  expect(share(9) + share(-9)).toBeCloseTo(1)
  expect(share(100)).toBe(1)
})

it('counts in few letters', () => {
  expect([812, 1_234, 45_600, 9_990_000, 3_400_000_000].map(short)).toEqual(['812', '1.2 k', '46 k', '9.9 M', '3.4 G'])
})

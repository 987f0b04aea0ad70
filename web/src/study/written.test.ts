import { expect, it, vi } from 'vitest'
vi.mock('../i18n/index.svelte.ts', () => ({ t: (id: string) => id, list: String, has: () => true, currentLanguage: () => 'en' }))
const { ofAnalysis } = await import('./written.ts')
const { indexOf } = await import('../board/squares.ts')

const book = (square: 'f5' | 'd3', score: number) => ({ square, score, depth: 24, exact: false, lines: 3 })
const found = (square: 'f5' | 'c4', score: number) => ({ square, score, depth: 12, percent: 73, exact: false, spread: 2.8 })

it('writes what the book knows until the engine has looked, and then marks it', () => {
  const before = ofAnalysis([], 'd3', [book('f5', 2), book('d3', 0)])
  expect(before.get(indexOf('f5'))).toMatchObject({ score: 2, under: '24', rank: 'book', played: false })
  expect(before.get(indexOf('d3'))).toMatchObject({ played: true })
  const after = ofAnalysis([found('f5', 3), found('c4', 1)], null, [book('f5', 2)])
  expect(after.get(indexOf('f5'))).toMatchObject({ score: 3, rank: 'best', under: '73% ±3', book: { score: 2 } })
  expect(after.get(indexOf('c4'))?.book).toBeUndefined()
})

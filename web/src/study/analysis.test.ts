import { beforeEach, expect, it, vi } from 'vitest'
import type { Analysis, Ask, ToBrowser } from '../protocol.ts'

const sent: Ask[] = []
let refusal: string | null = null
let hear: (message: ToBrowser) => void = () => {}
vi.mock('../state/session.svelte.ts', () => ({
  session: { line: 'live' },
  ask: (ask: Ask) => {
    sent.push(ask)
    return Promise.resolve(refusal ? { type: 'refused', id: 'x', why: refusal, text: '' } : { type: 'done', id: 'x' })
  },
  listen: (call: typeof hear) => {
    hear = call
    return () => {}
  },
}))
vi.mock('../i18n/index.svelte.ts', () => ({ t: (id: string, args?: object) => (id.startsWith('page-result') ? `${id} ${Object.values(args ?? {}).join('–')}` : id), list: String, has: () => true, currentLanguage: () => 'en' }))
const { Analyst } = await import('./analysis.svelte.ts')
const { cost, outcome } = await import('./trial.svelte.ts')
const { node } = await import('./fixtures.ts')
const SHORT = { by: 'seconds', n: 1 } as const

const value = (square: 'f5' | 'd3', score: number) => ({ square, score, depth: 8, percent: 100, exact: false, spread: 3 })
function news(at: number, depth: number, done = false): Analysis {
  const asked = sent.findLast((ask) => ask.type === 'analyse')
  return { key: asked?.key ?? '', study: 'k', at, values: [value('f5', depth), value('d3', depth - 3)], line: ['f5'], depth, nodes: 1, ms: 1, done, cores: 2 }
}
const tell = (message: Analysis) => hear({ type: 'analysis', ...message })

beforeEach(() => {
  vi.useFakeTimers()
  sent.splice(0)
})

it('asks for the position it looks at, once, and not again when that is done', () => {
  const analyst = new Analyst('k')
  analyst.look(3, SHORT)
  analyst.look(3, SHORT)
  vi.runAllTimers()
  expect(sent).toMatchObject([{ type: 'analyse', at: 3, seconds: 1, depth: null }])
  tell(news(3, 8))
  expect(analyst.searching).toBe(3)
  tell(news(3, 12, true))
  expect(analyst.searching).toBeNull()
  analyst.look(3, SHORT)
  vi.runAllTimers()
  expect(sent).toHaveLength(1)
  // longer is another question
  analyst.look(3, { by: 'seconds', n: 20 })
  vi.runAllTimers()
  expect(sent).toHaveLength(2)
})

it('asks again when other threads are wanted while it searches, not when it is done', () => {
  const analyst = new Analyst('k')
  analyst.look(3, SHORT)
  vi.runAllTimers()
  analyst.look(3, SHORT, 2)
  vi.runAllTimers()
  expect(sent).toMatchObject([{ type: 'analyse', threads: 1 }, { type: 'analyse', threads: 2 }])
  tell(news(3, 12, true))
  analyst.look(3, SHORT, 1)
  vi.runAllTimers()
  expect(sent).toHaveLength(2)
})

it('passes over positions that are only stepped through', () => {
  const analyst = new Analyst('k')
  for (const at of [1, 2, 3, 4]) analyst.look(at, SHORT)
  vi.runAllTimers()
  expect(sent.map((ask) => 'at' in ask && ask.at)).toEqual([4])
})

it('keeps the deepest of what it heard', () => {
  const analyst = new Analyst('k')
  analyst.look(3, SHORT)
  vi.runAllTimers()
  tell(news(3, 12))
  tell(news(3, 6))
  expect(analyst.found.get(3)?.depth).toBe(12)
  tell({ ...news(3, 20), key: 'another board' })
  expect(analyst.found.get(3)?.depth).toBe(12)
})

it('tells who waits when the search ends, or what is known when another takes its place', async () => {
  const analyst = new Analyst('k')
  const first = analyst.know(3, SHORT)
  vi.runAllTimers()
  tell(news(3, 8, true))
  expect((await first)?.depth).toBe(8)
  const second = analyst.know(4, SHORT)
  vi.runAllTimers()
  tell(news(4, 6))
  analyst.look(5, SHORT)
  expect((await second)?.depth).toBe(6)
  const third = analyst.know(6, SHORT)
  analyst.rest()
  expect(await third).toBeNull()
})

it('says what a move cost by values of one depth', () => {
  expect([cost(news(3, 8), 'f5'), cost(news(3, 8), 'd3'), cost(news(3, 8), 'a1'), cost(null, 'f5')]).toEqual([0, 3, null, null])
})

it('says why the engine is quiet, until the reader goes on', async () => {
  const analyst = new Analyst('k')
  refusal = 'playing_rated'
  analyst.look(3, SHORT)
  await vi.runAllTimersAsync()
  expect([analyst.problem, analyst.searching]).toEqual(['page-refused-playing-rated', null])
  refusal = null
  analyst.look(4, SHORT)
  expect(analyst.problem).toBeNull()
})

it('says who won a trial, the empty squares with the winner, and nothing while it goes on', () => {
  const board = `${'X'.repeat(40)}${'O'.repeat(20)}----`
  const over = node(1, { board, turn: null })
  expect([outcome(over, 'black')?.(), outcome(over, 'white')?.()]).toEqual(['page-result-you-win 44–20', 'page-result-you-lose 20–44'])
  expect(outcome(node(1, { board: 'XO'.repeat(32), turn: null }), 'black')?.()).toBe('page-result-draw 32–32')
  expect(outcome(node(1, { board }), 'black')).toBeNull()
})

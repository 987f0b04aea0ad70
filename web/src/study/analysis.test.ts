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
const { cost, outcome, reviewedCost, told } = await import('./trial.svelte.ts')
const { node, reviewed } = await import('./fixtures.ts')
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
  // also where the shallower one is finished, or as deep and less sure
  tell(news(3, 6, true))
  const hasty = news(3, 12)
  tell({ ...hasty, values: hasty.values.map((value) => ({ ...value, percent: 73 })) })
  expect([analyst.found.get(3)?.depth, analyst.found.get(3)?.values[0]?.percent]).toEqual([12, 100])
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
  expect([cost(news(3, 8), 'f5')?.lost, cost(news(3, 8), 'd3')?.lost, cost(news(3, 8), 'a1'), cost(null, 'f5')]).toEqual([0, 3, null, null])
})

it('calls a loss sure only where it is proven, or larger than twice the usual error', () => {
  const of = (lost: number, more: object = {}) => cost({ ...news(3, 8), values: [value('f5', 0), value('d3', -lost)].map((one) => ({ ...one, ...more })) }, 'd3')
  expect([of(6)?.sure, of(7)?.sure, of(2, { exact: true, spread: 0 })?.sure]).toEqual([false, true, true])
  expect([told('d3', of(6)), told('d3', of(7)), told('f5', cost(news(3, 8), 'f5')), told('d3', null)]).toEqual(['page-study-try-unsure', 'page-study-try-lost', 'page-study-try-best', ''])
})

it('says of the move of the game and of the best one what the review says', () => {
  const move = reviewed(41, { square: 'b7', best: ['f8', 'g8'], loss: 9, class: 'blunder' })
  expect(reviewedCost(move, 'b7')).toEqual({ lost: 9, best: 'f8', sure: true })
  expect(reviewedCost(move, 'g8')?.lost).toBe(0)
  expect(reviewedCost({ ...move, sure: false }, 'b7')?.sure).toBe(false)
  expect(reviewedCost(move, 'a1')).toBeNull()
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

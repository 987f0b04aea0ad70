import { expect, it, vi } from 'vitest'
import { reviewed } from './fixtures.ts'
import type { Reason } from './wire.ts'
vi.mock('../i18n/index.svelte.ts', () => ({
  t: (id: string, args?: object) => (args ? `${id} ${JSON.stringify(args)}` : id),
  list: String,
  has: (id: string) => id === 'reason-gave-corner',
  currentLanguage: () => 'es',
}))
const { because, judged, lost, openingName, summary, whatHappens } = await import('./words.ts')
const { glyphOf } = await import('./review.ts')
const { USUAL } = await import('./settings.ts')
const { node } = await import('./fixtures.ts')

it('marks what is sure, what is probable in brackets, and nothing else', () => {
  const perhaps = (loss: number, percent: number) => glyphOf(reviewed(1, { class: null, sure: false, perhaps: { loss, percent } }))
  expect([perhaps(5, 70), perhaps(2, 90), perhaps(5, 30), glyphOf(reviewed(1, { class: null }))]).toEqual(['(?)', '', '', ''])
  expect([glyphOf(reviewed(1)), glyphOf(reviewed(1, { class: 'mistake', mark: '?' }))]).toEqual(['', '?'])
  expect(judged(reviewed(1, { class: 'mistake', mark: '?', turning_point: true }))).toMatch(/page-study-discs .*, page-study-class-mistake, page-study-turning-point/)
  expect(judged(reviewed(1, { class: null, perhaps: { loss: 5, percent: 70 } }))).toContain('page-study-perhaps')
  expect(lost(reviewed(1, { loss: 5, class: null, perhaps: { loss: 5, percent: 70 } }))).toContain('page-study-lost-perhaps')
})

it('states a reason only where there is one it has words for, else what happens', () => {
  const reason = (kind: Reason['kind'], ...squares: Reason['squares']) => ({ kind, squares, numbers: [], line: [], share: 1 }) as unknown as Reason
  const move = reviewed(41, { square: 'b7', best: ['f8'], refutation: ['a8'] })
  expect(because(reason('gave_corner', 'a8'), move)).toContain('"a":"a8"')
  expect(because(reason('missed_pass'), move)).toBeNull()
  expect(because(null, move)).toBeNull()
  expect(whatHappens(move)).toContain('"reply":"a8"')
  expect(whatHappens({ ...move, refutation: [] })).toContain('page-study-nothing-follows')
})

it('ends with three sentences', () => {
  const losses = { loss: 20, phases: { opening: 0, midgame: 0, ending: 20 } }
  const report = { moves: [reviewed(1), reviewed(2, { loss: 20, class: 'blunder' })], black: { loss: 0, phases: { opening: 0, midgame: 0, ending: 0 } }, white: losses, decided_at: 2, thresholds: USUAL, seconds: 1 } as Parameters<typeof summary>[0]
  const [well, decided, practise] = summary(report, 'both')
  expect(well).toContain('"black":1,"blackmoves":1,"white":0,"whitemoves":1')
  expect(decided).toContain('"number":2')
  expect(practise).toBe('page-study-practise-ending')
  expect(summary({ ...report, decided_at: null }, 'black')[1]).toBe('page-study-decided-nothing')
})

it('remarks on haste where times are known, and on moves nobody chose, which count for nobody', () => {
  const side = { loss: 0, phases: { opening: 0, midgame: 0, ending: 0 } }
  const report = { moves: [reviewed(1, { given: true, class: null }), reviewed(2), reviewed(3)], black: side, white: { ...side, haste: { mistakes: 5, quick: 3 } }, decided_at: null, thresholds: USUAL, seconds: 1 }
  expect(summary(report, 'black').slice(3)).toEqual(['page-study-given {"count":1}'])
  expect(summary(report, 'both').slice(3)[0]).toBe('page-study-haste {"mistakes":5,"quick":3,"color":"white"}')
  expect(summary(report, 'both')[0]).toContain('"blackmoves":1')
})

it('names an opening in the reader’s language', () => {
  expect(openingName(node(1, { opening: { en: 'Tiger', es: 'Tigre' } }))).toBe('Tigre')
  expect(openingName(node(1))).toBe('')
})

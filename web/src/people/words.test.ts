import { beforeAll, expect, it, vi } from 'vitest'
import { parsed, packed } from '../../build/messages.ts'
import { fileURLToPath } from 'node:url'
import type { Rules } from '../protocol.ts'

let words: typeof import('./words.ts')
beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} })
  const { learn } = await import('../i18n/index.svelte.ts')
  const all = packed(parsed(fileURLToPath(new URL('../../../locales', import.meta.url))))
  await learn({ en: async () => ({ ids: all.ids, texts: { en: all.texts['en'] ?? [] } }), es: async () => ({ ids: '', texts: {} }) })
  words = await import('./words.ts')
})

const rules = (time: Rules['time'], more: Partial<Rules> = {}): Rules => ({ time, overrun: 'loses', empties: 'to_winner', takebacks: false, opening: 'standard', ...more })
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

it('tells every clock in a few words', () => {
  expect(words.paceText({ kind: 'sudden_death', main_ms: 900_000 })).toBe('15 min')
  expect(words.paceText({ kind: 'fischer', main_ms: 180_000, increment_ms: 2000 })).toBe('3 min + 2 s')
  expect(words.paceText({ kind: 'byo_yomi', main_ms: 600_000, period_ms: 30_000, periods: 3 })).toBe('10 min + 3 × 30 s')
  expect(words.paceText({ kind: 'per_move', per_move_ms: 86_400_000 })).toBe('1 day a move')
  expect(words.paceText({ kind: 'none' })).toBe('no clock')
})

it('says which colour the reader would play: the maker’s own, or the other', () => {
  const offer = { rules: rules({ kind: 'sudden_death', main_ms: 900_000 }), rated: true, color: 'black' as const }
  expect(plain(words.termsText({ ...offer, yours: true }))).toBe('15 min · rated · you play Black')
  expect(plain(words.termsText({ ...offer, yours: false }))).toBe('15 min · rated · you play White')
  expect(plain(words.termsText({ ...offer, color: 'white', yours: false, rated: false }))).toBe('15 min · casual · you play Black')
  expect(plain(words.termsText({ ...offer, color: null, yours: false, rules: rules({ kind: 'none' }, { opening: 'balanced' }) }))).toBe('no clock · rated · balanced opening · a toss for colours')
})

it('marks a rating that rests on few games, and has words for every refusal', () => {
  expect(words.ratingText({ rating: 1500, provisional: true })).toBe('1500?')
  expect(words.ratingText({ rating: 1893, provisional: false })).toBe('1893')
  // Of this page, of the page as a whole, and of a server that knows more than this page.
  expect(words.whyText('handle_taken')).toMatch(/already/)
  expect(words.whyText('too_many')).toMatch(/too fast/)
  expect(words.whyText('something_new')).toMatch(/nothing was changed/)
})

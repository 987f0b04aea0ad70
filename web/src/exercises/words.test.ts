import { beforeAll, expect, it, vi } from 'vitest'
import type { Exercise, ExerciseAnswer } from '../protocol.ts'

let words: typeof import('./words.ts')
beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} })
  const { learn } = await import('../i18n/index.svelte.ts')
  learn((await import('virtual:messages/exercises')).default)
  words = await import('./words.ts')
})

const exercise: Exercise = {
  id: 'e1',
  card: 'puzzle-1',
  kind: 'puzzles',
  task: 'only_win',
  board: '-'.repeat(64),
  turn: 'white',
  legal: [],
  moves: [],
  level: 3,
  themes: [],
  opening: null,
  answered: 0,
}
const answer: ExerciseAnswer = {
  id: 'e2',
  card: 'puzzle-1',
  square: 'h6',
  right: true,
  best: ['h6'],
  values: [
    { square: 'h6', score: 10, exact: true },
    { square: 'g8', score: 0, exact: true },
    { square: 'a1', score: -4, exact: true },
  ],
  line: ['h6'],
  line_boards: [],
  refutation: [],
  refutation_boards: [],
  reason: null,
  due: 0,
}

it('says what an answer comes to, the mover’s discs first, and what was better', () => {
  expect(words.asked(exercise)).toBe('White to move. One move wins: which?')
  expect(words.judged(exercise, answer)).toBe('Yes! h6 wins 37–27.')
  expect(words.judged(exercise, { ...answer, square: 'g8', right: false })).toBe('g8 draws 32–32. Better: h6 wins 37–27.')
  expect(words.judged(exercise, { ...answer, square: 'a1', right: false })).toBe('a1 loses 30–34. Better: h6 wins 37–27.')
})

it('gives an estimate where nothing is proven', () => {
  const midgame: Exercise = { ...exercise, kind: 'midgames', task: 'best_move' }
  const estimated = { ...answer, values: answer.values.map((value) => ({ ...value, exact: false })) }
  expect(words.judged(midgame, estimated)).toBe('Yes! h6 is worth about +10.')
  expect(words.judged(midgame, { ...estimated, square: 'a1', right: false })).toBe('a1 is worth about −4. Better: h6 is worth about +10.')
})

it('tells a good move of an opening from a playable one and from a mistake', () => {
  const opening: Exercise = { ...exercise, kind: 'openings', task: 'repertoire' }
  const of = (square: 'h6' | 'g8', score: number, right: boolean) =>
    words.judged(opening, { ...answer, square, right, values: [{ square: 'h6', score: 2, exact: false }, { square: 'g8', score, exact: false }] })
  expect(of('h6', 1, true)).toBe('Yes, h6 is the best move.')
  expect(of('g8', 1, true)).toBe('Yes, g8 is as good as h6.')
  expect(of('g8', -1, false)).toBe('g8 can be played, but h6 is better.')
  expect(of('g8', -6, false)).toBe('g8 is a mistake: it loses about 8 discs. h6 is better.')
})

it('tells when it comes again in days', () => {
  const day = 86_400_000
  expect([0, 0.2 * day, day, 3 * day, -day].map((due) => words.whenDue(due, 0))).toEqual(['later today', 'later today', 'tomorrow', 'in 3 days', 'later today'])
})

it('fills the days without an answer', () => {
  const known = [{ day: 20, answered: 4, right: 3 }, { day: 18, answered: 1, right: 0 }]
  expect(words.lastDays(known, 20, 4)).toEqual([{ day: 17, answered: 0, right: 0 }, { day: 18, answered: 1, right: 0 }, { day: 19, answered: 0, right: 0 }, { day: 20, answered: 4, right: 3 }])
})

it('says how far one is, and nothing of what is new where nothing is', () => {
  expect(words.progress({ kind: 'puzzles', due: 3, new: 1480, known: 2, all: 1500 })).toEqual(['3 to repeat', '1,480 new', '2 remembered'])
  expect(words.progress({ kind: 'openings', due: 0, new: 0, known: 0, all: 0 })).toEqual(['0 to repeat', '0 remembered'])
})

import { beforeEach, expect, it, vi } from 'vitest'
import type { Ask, ToBrowser } from '../protocol.ts'
import { node } from './fixtures.ts'
import type { StudyNode } from './wire.ts'

// A server that answers when it is told to.
const sent: { ask: Ask; answer: (message: unknown) => void }[] = []
let hear: (message: ToBrowser) => void = () => {}
vi.mock('../state/session.svelte.ts', () => ({
  session: { line: 'live' },
  ask: (ask: Ask) => new Promise((answer) => sent.push({ ask, answer })),
  listen: (call: typeof hear) => {
    hear = call
    return () => {}
  },
}))
const { Pen } = await import('./pen.svelte.ts')
const { Study } = await import('./study.svelte.ts')

// f5 with two answers, the second of which has one of its own
const nodes: StudyNode[] = [
  node(0, { children: [1], legal: [{ square: 'f5', turns: ['e5'] }, { square: 'd3', turns: ['d4'] }] }),
  node(1, { parent: 0, children: [2, 3], square: 'f5', number: 1 }),
  node(2, { parent: 1, square: 'd6', number: 2 }),
  node(3, { parent: 1, children: [4], square: 'f6', number: 2 }),
  node(4, { parent: 3, square: 'e6', number: 3 }),
]
const said = (more: object = {}) =>
  ({ type: 'study', study: 'k', seq: 4, title: '', black: '', white: '', result: null, changed: 0, game: null, nodes, at: 0, undo: false, redo: false, ...more }) as ToBrowser
const changed = (more: object) => ({ type: 'study_changed', study: 'k', seq: 5, title: '', changed: 0, nodes: [], removed: [], at: 0, undo: true, redo: false, ...more }) as ToBrowser
const settled = () => new Promise((done) => setTimeout(done))

function opened(at: number | null = null) {
  const study = new Study('k', at)
  hear(said())
  return study
}
/** What was asked last, and answers it: what is new is heard before the answer is read, as on the line. */
async function answer(message: ToBrowser): Promise<void> {
  await settled()
  if (message.type !== 'refused') hear(message)
  sent.at(-1)?.answer(message)
  await settled()
}
beforeEach(() => void sent.splice(0))

it('opens at the position of the address, and at the start where that is none', () => {
  expect(opened(4).at).toBe(4)
  expect(opened(99).at).toBe(0)
})

it('steps forward along the variation it came back from', () => {
  const study = opened(4)
  study.go(4)
  study.first()
  study.forward()
  study.forward()
  expect(study.at).toBe(3)
  study.beside(-1)
  expect(study.at).toBe(2)
  study.first()
  study.last()
  expect(study.at).toBe(2)
})

it('goes to a move that is there without asking, and sends one that is new', async () => {
  const study = opened()
  await study.play('f5')
  expect(study.at).toBe(1)
  expect(sent.filter(({ ask }) => ask.type === 'study_edit')).toEqual([])
  study.first()
  const made = study.play('d3')
  await answer(changed({ nodes: [{ ...nodes[0], children: [1, 5] }, node(5, { parent: 0, square: 'd3', number: 1 })], at: 5 }))
  expect(await made).toBe(true)
  expect(study.at).toBe(5)
})

it('sends one change after the other, each with the number the last one left', async () => {
  const study = opened()
  void study.comment(0, 'one')
  void study.comment(0, 'two')
  await answer(changed({ seq: 5 }))
  await answer(changed({ seq: 6 }))
  const edits = sent.flatMap(({ ask }) => (ask.type === 'study_edit' ? [ask] : []))
  expect(edits.map(({ seq }) => seq)).toEqual([4, 5])
})

it('makes a change once more where another page was first', async () => {
  const study = opened()
  const made = study.comment(1, 'mine')
  await settled()
  hear(said({ seq: 9 }))
  await answer({ type: 'refused', id: 'x', why: 'stale', text: '' })
  await answer(changed({ seq: 10 }))
  expect(await made).toBe(true)
  expect(sent.flatMap(({ ask }) => (ask.type === 'study_edit' ? [ask.seq] : []))).toEqual([4, 9])
  expect(study.problem).toBeNull()
})

it('says why a change was not made, and keeps what is there', async () => {
  const study = opened()
  const made = study.comment(1, 'x'.repeat(9))
  await answer({ type: 'refused', id: 'x', why: 'too_large', text: '' })
  expect(await made).toBe(false)
  expect(study.problem).toBe('page-refused-too-large')
  expect(study.nodes.size).toBe(5)
  // What was written is not lost, and goes when it is saved.
  expect(study.unsaved.get(1)).toBe('x'.repeat(9))
  void study.comment(1, 'x')
  await answer(changed({ seq: 5 }))
  expect(study.unsaved.size).toBe(0)
})

it('draws on what is there when the change is made: quick strokes do not wipe each other', async () => {
  const study = opened()
  const pen = new Pen(study)
  pen.mark('e6', 'circle')
  pen.mark('f6', 'cross')
  await answer(changed({ seq: 5, nodes: [{ ...nodes[0], marks: [{ square: 'e6', kind: 'circle' }] }] }))
  await settled()
  const [, second] = sent.flatMap(({ ask }) => (ask.type === 'study_edit' && ask.edit.kind === 'marks' ? [ask.edit] : []))
  expect(second?.marks.map(({ square }) => square)).toEqual(['e6', 'f6'])
})

it('stands where a move was played that is deleted elsewhere', () => {
  const study = opened(4)
  hear(changed({ nodes: [{ ...nodes[1], children: [2] }], removed: [3, 4], at: 1 }))
  expect(study.at).toBe(1)
  // old news changes nothing
  hear(changed({ seq: 3, removed: [1], at: 0 }))
  expect(study.nodes.has(1)).toBe(true)
})

it('is gone where the server has no such study, and asked for again where it was only too busy', async () => {
  vi.useFakeTimers()
  const refused = (why: string) => sent.at(-1)?.answer({ type: 'refused', id: 'x', why, text: '' })
  const study = new Study('k', null)
  refused('too_many')
  await vi.advanceTimersByTimeAsync(0)
  expect([study.gone, study.problem]).toEqual([false, 'page-refused-too-many'])
  await vi.advanceTimersByTimeAsync(2000)
  expect(sent.map(({ ask }) => ask.type)).toEqual(['study_open', 'study_open'])
  hear(said())
  sent.at(-1)?.answer(said())
  await vi.advanceTimersByTimeAsync(0)
  expect([study.gone, study.problem, study.nodes.size]).toEqual([false, null, 5])
  const other = new Study('k', null)
  refused('no_such_study')
  await vi.advanceTimersByTimeAsync(0)
  expect(other.gone).toBe(true)
  vi.useRealTimers()
})

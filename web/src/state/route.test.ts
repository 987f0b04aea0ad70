import { beforeAll, expect, it, vi } from 'vitest'

let parse: typeof import('./route.svelte.ts').parse
beforeAll(async () => {
  vi.stubGlobal('location', { hash: '' })
  vi.stubGlobal('addEventListener', () => {})
  ;({ parse } = await import('./route.svelte.ts'))
})

it('reads every address the page writes, and takes anything else for the start', () => {
  expect(parse('#/game/k7q2')).toEqual({ page: 'game', id: 'k7q2', invite: null })
  expect(parse('#/join/k7q2/v8zk')).toEqual({ page: 'game', id: 'k7q2', invite: 'v8zk' })
  expect(parse('#/games')).toEqual({ page: 'games' })
  expect(parse('#/how-to-play')).toEqual({ page: 'how' })
  const study = { page: 'study', id: 'p4x9', node: null, tries: false, review: null, game: null }
  expect(parse('#/study')).toEqual({ ...study, id: null })
  expect(parse('#/study/')).toEqual({ ...study, id: null })
  expect(parse('#/study/p4x9')).toEqual(study)
  expect(parse('#/study/p4x9/12')).toEqual({ ...study, node: 12 })
  expect(parse('#/study/p4x9/12/try')).toEqual({ ...study, node: 12, tries: true })
  expect(parse('#/study/p4x9/review')).toEqual({ ...study, review: 0 })
  expect(parse('#/study/p4x9/review/20')).toEqual({ ...study, review: 20 })
  expect(parse('#/study/p4x9/nonsense')).toEqual(study)
  expect(parse('#/study/game/k7q2')).toEqual({ ...study, id: null, game: 'k7q2' })
  expect(parse('#/learn')).toEqual({ page: 'learn' })
  expect(parse('#/exercises')).toEqual({ page: 'exercises', kind: null, part: null })
  expect(parse('#/exercises/puzzles')).toEqual({ page: 'exercises', kind: 'puzzles', part: null })
  expect(parse('#/exercises/openings/white')).toEqual({ page: 'exercises', kind: 'openings', part: 'white' })
  expect(parse('#/exercises/nothing')).toEqual({ page: 'exercises', kind: null, part: null })
  expect(parse('#/lobby')).toEqual({ page: 'people', which: 'lobby', name: null })
  expect(parse('#/people/Ana-77')).toEqual({ page: 'people', which: 'people', name: 'Ana-77' })
  expect(parse('#/leaders/rapid-standard')).toEqual({ page: 'people', which: 'leaders', name: 'rapid-standard' })
  for (const which of ['account', 'admin', 'leaders']) expect(parse(`#/${which}`)).toEqual({ page: 'people', which, name: null })
  expect(parse('#/s/1abc-_')).toEqual({ page: 'shared', code: '1abc-_' })
  for (const other of ['', '#/s', '#/s/', '#', '#/', '#/game', '#/game/', '#/join/x', '#/people', '#/people/', '#/nothing']) expect(parse(other).page).toBe('start')
})

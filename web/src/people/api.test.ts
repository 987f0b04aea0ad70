import { afterEach, expect, it, vi } from 'vitest'
import { call } from './api.ts'

afterEach(() => vi.unstubAllGlobals())

const answers = (status: number, body: string | null) => vi.stubGlobal('fetch', vi.fn(async () => new Response(body, { status })))

it('gives what was asked for, also where there is nothing to give', async () => {
  answers(201, '{"recovery":["a"]}')
  expect(await call('POST', 'account', { handle: 'Ana' })).toEqual({ ok: { recovery: ['a'] } })
  answers(204, null)
  expect(await call('DELETE', 'session')).toEqual({ ok: null })
})

it('says why not, and never throws', async () => {
  answers(409, '{"why":"handle_taken","text":"someone else has this name"}')
  expect(await call('POST', 'account', {})).toEqual({ why: 'handle_taken' })
  answers(502, '<html>a proxy says so</html>')
  expect(await call('GET', 'sessions')).toEqual({ why: 'failed' })
  answers(429, '')
  expect(await call('POST', 'session', {})).toEqual({ why: 'too_many' })
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
  expect(await call('GET', 'sessions')).toEqual({ why: 'away' })
})

it('says that what changes something is JSON, so that no form of another site can do it', async () => {
  answers(204, null)
  await call('DELETE', 'session')
  const [, sent] = vi.mocked(fetch).mock.calls[0] ?? []
  expect(sent).toMatchObject({ method: 'DELETE', headers: { 'Content-Type': 'application/json' } })
})

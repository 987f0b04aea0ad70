import { afterEach, expect, test, vi } from 'vitest'
import { claim } from './owner.ts'

afterEach(() => vi.unstubAllGlobals())

const server = (answer: () => Promise<Response>) => {
  const fetched = vi.fn(answer)
  vi.stubGlobal('fetch', fetched)
  return fetched
}

test('an owner’s link is exchanged, every other link is left alone', async () => {
  const fetched = server(() => Promise.resolve(new Response(null, { status: 204 })))
  for (const hash of ['', '#/', '#/game/k7q2', '#owner=', '#owner=a/b', '#/owner=abc']) expect(await claim(hash)).toBe('none')
  expect(fetched).not.toHaveBeenCalled()
  expect(await claim('#owner=v8zk3n5w1qrd')).toBe('owner')
  expect(fetched).toHaveBeenCalledWith('/api/owner', { method: 'POST', body: 'v8zk3n5w1qrd' })
})

test('a link that is not good is said to be so', async () => {
  server(() => Promise.resolve(new Response('', { status: 403 })))
  expect(await claim('#owner=v8zk3n5w1qrd')).toBe('refused')
  server(() => Promise.reject(new Error('away')))
  expect(await claim('#owner=v8zk3n5w1qrd')).toBe('refused')
})

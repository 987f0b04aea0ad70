import { expect, it } from 'vitest'
import type { LobbyOffer } from '../protocol.ts'
import { merged, type Row } from './rows.ts'

const offer = (id: string, made = 0): LobbyOffer => ({ id, made }) as LobbyOffer
const shown = (rows: Row[]) => rows.map(({ offer, gone }) => `${offer.id}${offer.made}${gone ? ' gone' : ''}`)

it('keeps every row in its place, whatever the order of the news, and puts new ones below', () => {
  const first = merged([], [offer('a'), offer('b')], false)
  expect(shown(merged(first, [offer('c'), offer('b', 1), offer('a')], true))).toEqual(['a0', 'b1', 'c0'])
})

it('keeps the place of what is gone while somebody is at the list, and no longer', () => {
  const first = merged([], [offer('a'), offer('b'), offer('c')], false)
  const held = merged(first, [offer('c')], true)
  expect(shown(held)).toEqual(['a0 gone', 'b0 gone', 'c0'])
  // One that comes back takes its own place again.
  expect(shown(merged(held, [offer('c'), offer('b')], true))).toEqual(['a0 gone', 'b0', 'c0'])
  expect(shown(merged(held, [offer('c')], false))).toEqual(['c0'])
})

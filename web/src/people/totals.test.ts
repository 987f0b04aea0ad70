import { expect, it } from 'vitest'
import type { Tally } from '../protocol.ts'
import { totals } from './totals.ts'

const tally = (speed: Tally['speed'], opening: Tally['opening'], color: Tally['color'], won: number, drawn: number, lost: number): Tally => ({ speed, opening, color, won, drawn, lost })

it('adds the same games up by colour, by opening and by speed', () => {
  const all = totals([tally('rapid', 'standard', 'black', 3, 1, 0), tally('rapid', 'balanced', 'white', 1, 0, 2), tally(null, 'standard', 'white', 0, 0, 5)])
  const of = (kind: string, name: string) => {
    const found = all.find((one) => one.kind === kind && one.name === name)
    return found && [found.won, found.drawn, found.lost]
  }
  expect(of('color', 'black')).toEqual([3, 1, 0])
  expect(of('color', 'white')).toEqual([1, 0, 7])
  expect(of('opening', 'standard')).toEqual([3, 1, 5])
  expect(of('speed', 'rapid')).toEqual([4, 1, 2])
  expect(of('speed', 'none')).toEqual([0, 0, 5])
  expect(of('speed', 'blitz')).toBeUndefined()
  // Somebody who has not played yet has two colours.
  expect(totals([]).map(({ name }) => name)).toEqual(['black', 'white'])
})

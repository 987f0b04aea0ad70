import { describe, expect, it } from 'vitest'
import { axis, indexOf, name, neighbour, SQUARES, steps } from './squares.ts'

describe('squares', () => {
  it('names a1 at the top left, h1 at the top right, h8 at the bottom right', () => {
    expect([name(0), name(7), name(63)]).toEqual(['a1', 'h1', 'h8'])
  })

  it('finds every square by its name and nothing else', () => {
    expect(SQUARES.map(indexOf)).toEqual(SQUARES.map((_, i) => i))
    for (const wrong of ['', 'a', 'a0', 'a9', 'i1', 'e66', '6e']) expect(indexOf(wrong)).toBe(-1)
  })

  it('counts steps outward as a king walks', () => {
    expect(steps(indexOf('a1'), indexOf('d4'))).toBe(3)
    expect(steps(indexOf('e4'), indexOf('e8'))).toBe(4)
  })

  it('turns a disc about the axis across its line', () => {
    expect(axis(indexOf('a1'), indexOf('d1'))).toBe(90)
    expect(axis(indexOf('a1'), indexOf('a4'))).toBe(180)
  })

  it('stops the arrows at the edge', () => {
    expect(neighbour(indexOf('a1'), 'ArrowLeft')).toBe(indexOf('a1'))
    expect(neighbour(indexOf('h8'), 'ArrowDown')).toBe(indexOf('h8'))
    expect(neighbour(indexOf('d3'), 'ArrowRight')).toBe(indexOf('e3'))
    // Home and End go to the ends of the game, not of a row.
    for (const key of ['Home', 'End', 'x']) expect(neighbour(indexOf('d3'), key)).toBe(-1)
  })
})

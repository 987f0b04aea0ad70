import { expect, it } from 'vitest'
import { lines, packed } from './upload.ts'

it('puts files one after another, each with its lengths', async () => {
  const body = packed([{ name: 'é.txt', text: 'f5' }, new File(['d6c3'], 'b')])
  const bytes = new Uint8Array(await body.arrayBuffer())
  expect([...bytes.slice(0, 4)]).toEqual([6, 0, 0, 0])
  expect(new TextDecoder().decode(bytes.slice(4, 10))).toBe('é.txt')
  expect(bytes.length).toBe(4 + 6 + 4 + 2 + 4 + 1 + 4 + 4)
  expect(new TextDecoder().decode(bytes.slice(-4))).toBe('d6c3')
})

it('reads whole lines and keeps the rest', () => {
  expect(lines('{"a":1}\n{"b"')).toEqual({ whole: ['{"a":1}'], rest: '{"b"' })
  expect(lines('')).toEqual({ whole: [], rest: '' })
})

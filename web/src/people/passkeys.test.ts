import { describe, expect, it } from 'vitest'
import { bytesOf, isNamed, textOf } from './passkeys.ts'

describe('passkeys', () => {
  it('writes bytes as the server reads them', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    for (const length of [0, 1, 2, 3, 32, 255, 256]) {
      const bytes = all.slice(256 - length)
      expect(textOf(bytes.buffer)).toBe(Buffer.from(bytes).toString('base64url'))
      expect(bytesOf(textOf(bytes.buffer))).toEqual(bytes)
    }
    expect(textOf(null)).toBe('')
  })

  it('are for pages with a name', () => {
    for (const name of ['localhost', 'club.example', 'club.localhost', 'nas', '7.example']) expect(isNamed(name), name).toBe(true)
    for (const address of ['127.0.0.1', '192.168.1.20', '[::1]', '[2001:db8::1]']) expect(isNamed(address), address).toBe(false)
  })
})

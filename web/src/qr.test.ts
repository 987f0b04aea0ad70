import jsQR from 'jsqr'
import { describe, expect, it } from 'vitest'
import { BORDER, outline, qr, type Modules } from './qr.ts'

/** What a reader that is not ours makes of it. */
function read(modules: Modules): string | null {
  const scale = 3
  const side = (modules.length + 2 * BORDER) * scale
  const pixels = new Uint8ClampedArray(4 * side * side).fill(255)
  modules.forEach((row, y) =>
    row.forEach((dark, x) => {
      if (!dark) return
      for (let i = 0; i < scale * scale; i++) {
        const pixel = ((y + BORDER) * scale + Math.floor(i / scale)) * side + (x + BORDER) * scale + (i % scale)
        pixels.fill(0, 4 * pixel, 4 * pixel + 3)
      }
    }),
  )
  return jsQR(pixels, side, side, { inversionAttempts: 'dontInvert' })?.data ?? null
}

const LINK = 'http://192.168.1.20:8464/#/join/k7q2m9x4tb/v8zk3n5w1qrd'
/** A text of so many bytes in which no two places are alike. */
const text = (length: number) => Array.from({ length }, (_, i) => String.fromCharCode(33 + ((i * 37 + length) % 94))).join('')

describe('a QR code', () => {
  it('is read as the text, of every length that fits', () => {
    for (let length = 1; length <= 213; length++) expect(read(qr(text(length), [length % 8])!), `${length} bytes`).toBe(text(length))
  })

  it('is read with every mask', () => {
    for (const words of [LINK, text(40), text(120), text(213)]) {
      for (let mask = 0; mask < 8; mask++) expect(read(qr(words, [mask])!), `mask ${mask}`).toBe(words)
    }
  })

  it('holds whatever a link can hold', () => {
    for (const words of [LINK, 'https://[fe80::1%25eth0]:8464/#/join/a/b', 'https://reversi.example/ä/ñ/井上/🙂', '0123456789', 'AAAA', ' ']) {
      expect(read(qr(words)!)).toBe(words)
    }
  })

  it('takes the smallest size that holds the text, as the standard lists them', () => {
    const last = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]
    last.forEach((bytes, i) => {
      expect(qr(text(bytes))!.length).toBe(21 + 4 * i)
      expect(qr(text(bytes + 1))?.length).toBe(i === 9 ? undefined : 25 + 4 * i)
    })
    // In bytes, not in letters.
    expect(qr('ñ'.repeat(7))!.length).toBe(21)
    expect(qr('ñ'.repeat(8))!.length).toBe(25)
  })

  it('is read with a dirty spot in the middle of it', () => {
    for (const length of [10, 60, 100, 150, 213]) {
      const clean = qr(text(length))!
      const [middle, reach] = [clean.length / 2, clean.length / 12]
      const dirty = clean.map((row, y) => row.map((dark, x) => (Math.hypot(y - middle, x - middle) < reach ? !dark : dark)))
      expect(read(dirty), `${length} bytes`).toBe(text(length))
    }
  })

  it('takes the mask that leaves no long stripes', () => {
    // Zeros are light, so that the masks themselves are seen: 1 and 2 are stripes.
    const chosen = JSON.stringify(qr('\0'.repeat(150)))
    const masks = [0, 1, 2, 3, 4, 5, 6, 7].filter((mask) => JSON.stringify(qr('\0'.repeat(150), [mask])) === chosen)
    expect(masks).toHaveLength(1)
    expect([1, 2]).not.toContain(masks[0])
  })

  it('is drawn module by module', () => {
    expect(
      outline([
        [true, true, false],
        [false, false, false],
        [true, false, true],
      ]),
    ).toBe('M0 0h2v1h-2zM0 2h1v1h-1zM2 2h1v1h-1z')
    const modules = qr(LINK)!
    const dark = modules.flat().filter(Boolean).length
    expect([...outline(modules).matchAll(/h(\d+)v/g)].reduce((sum, [, run]) => sum + Number(run), 0)).toBe(dark)
  })
})

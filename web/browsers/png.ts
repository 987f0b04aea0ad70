// Reads the pictures that browsers take: PNG with eight bits a channel, not interlaced (https://www.w3.org/TR/png-3/).
import { inflateSync } from 'node:zlib'

export interface Picture {
  width: number
  height: number
  /** Red, green and blue at a place. */
  at: (x: number, y: number) => [number, number, number]
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

export function picture(png: Buffer): Picture {
  const [width, height, depth, colour, interlace] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25], png[28]]
  const channels = colour === 6 ? 4 : 3
  if (depth !== 8 || (colour !== 6 && colour !== 2) || interlace !== 0) throw new Error(`a kind of PNG that is not read here: ${depth} ${colour} ${interlace}`)
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const bytes = inflateSync(Buffer.concat(parts))
  const line = width * channels
  const out = Buffer.alloc(line * height)
  for (let y = 0; y < height; y++) {
    const filter = bytes[y * (line + 1)]
    for (let i = 0; i < line; i++) {
      const left = i < channels ? 0 : out[y * line + i - channels]!
      const up = y === 0 ? 0 : out[(y - 1) * line + i]!
      const corner = i < channels || y === 0 ? 0 : out[(y - 1) * line + i - channels]!
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter!]!
      out[y * line + i] = bytes[y * (line + 1) + 1 + i]! + guess
    }
  }
  return { width, height, at: (x, y) => [...out.subarray(y * line + x * channels, y * line + x * channels + 3)] as [number, number, number] }
}

/**
 * How many of the seven lines between eight columns can be seen, along a row of pixels that crosses no disc; of the lines
 * between rows, if `across` is false.
 */
export function lines(shot: Picture, across: boolean): number {
  const length = across ? shot.width : shot.height
  const pixel = (i: number) => {
    const side = Math.round((across ? shot.height : shot.width) / 32)
    const [r, g, b] = across ? shot.at(i, side) : shot.at(side, i)
    return r + g + b
  }
  const felt = pixel(Math.round(length / 16))
  const seen = (k: number) => {
    const middle = Math.round((k * length) / 8)
    return [-2, -1, 0, 1, 2].some((d) => felt - pixel(middle + d) > 24)
  }
  return [1, 2, 3, 4, 5, 6, 7].filter(seen).length
}

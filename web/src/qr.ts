// A text as a QR code (ISO/IEC 18004), for a link that a phone reads from the screen: byte mode, error correction level M, the
// smallest of the first ten versions that holds it, and the mask that has the lowest penalty.

/** Rows of modules, `true` is dark; without the light border that readers need around them. */
export type Modules = readonly (readonly boolean[])[]

/** The width of that border. */
export const BORDER = 4

/** Of versions 1 to 10 at level M: how many blocks there are, and how many codewords in each are for correction. */
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5]
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26]
const LEVEL_M = 0b00

const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

const ALL = MASKS.map((_, mask) => mask)

/** The code, or null where the text has more than 213 bytes: a larger one is hard to read from a screen. */
export function qr(text: string, masks: readonly number[] = ALL): Modules | null {
  const bytes = new TextEncoder().encode(text)
  for (let version = 1; version <= BLOCKS.length; version++) {
    const grid = patterns(version)
    const places = dataPlaces(grid)
    const data = dataCodewords(version, bytes, Math.floor(places.length / 8))
    if (!data) continue
    const codewords = withCorrection(version, data)
    const drawn = masks.map((mask) => draw(grid, places, codewords, mask))
    return drawn.reduce((best, one) => (penalty(one) < penalty(best) ? one : best))
  }
  return null
}

/** The dark modules as the outline of an SVG path, a row's neighbours in one piece. */
export function outline(modules: Modules): string {
  return modules
    .flatMap((row, y) =>
      [...row.map((dark) => (dark ? '#' : ' ')).join('').matchAll(/#+/g)].map(({ 0: run, index: x }) => `M${x} ${y}h${run.length}v1h-${run.length}z`),
    )
    .join('')
}

/** The text with its header and padding, or null where it does not fit into what `total` codewords leave for it. */
function dataCodewords(version: number, bytes: Uint8Array, total: number): number[] | null {
  const room = total - BLOCKS[version - 1]! * CORRECTION[version - 1]!
  // Half bytes: the mode, the length, the bytes, the end. They always make whole codewords.
  const halves = [0b0100, ...(version < 10 ? [] : [0, 0]), ...[bytes.length, ...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0]
  if (halves.length > 2 * room) return null
  const padding = [0xec, 0x11]
  return Array.from({ length: room }, (_, i) =>
    2 * i < halves.length ? (halves[2 * i]! << 4) | halves[2 * i + 1]! : padding[(i - halves.length / 2) % 2]!,
  )
}

/** All codewords in the order in which they are drawn: the blocks' first ones, their second ones, and so on. */
function withCorrection(version: number, data: readonly number[]): number[] {
  const blocks = BLOCKS[version - 1]!
  const short = Math.floor(data.length / blocks)
  const shortBlocks = blocks - (data.length % blocks)
  const start = (block: number) => block * short + Math.max(0, block - shortBlocks)
  const parts = Array.from({ length: blocks }, (_, block) => data.slice(start(block), start(block + 1)))
  const interleaved = (rows: readonly (readonly number[])[]) =>
    Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, i) => rows.flatMap((row) => row[i] ?? [])).flat()
  return [...interleaved(parts), ...interleaved(parts.map((part) => correction(part, CORRECTION[version - 1]!)))]
}

/** A product in the field of 256 elements that Reed–Solomon codes are made of here. */
function times(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ (product >> 7 ? 0x11d : 0) ^ ((b >> bit) & 1 ? a : 0)
  return product
}

/** What is left when the data, as a polynomial, is divided by (x − 1)(x − 2)(x − 4)… with `count` factors. */
function correction(data: readonly number[], count: number): number[] {
  let divisor = [1]
  for (let i = 0, root = 1; i < count; i++, root = times(root, 2)) {
    divisor = [...divisor, 0].map((term, at) => term ^ times(divisor[at - 1] ?? 0, root))
  }
  let rest = Array<number>(count).fill(0)
  for (const word of data) {
    const factor = word ^ rest[0]!
    rest = [...rest.slice(1), 0].map((term, at) => term ^ times(divisor[at + 1]!, factor))
  }
  return rest
}

/** Modules as they are drawn; null where data goes. */
type Grid = (boolean | null)[][]
type Place = readonly [row: number, column: number]

/** What is the same in all codes of a version. Where the format stands it is light for now. */
function patterns(version: number): Grid {
  const side = 17 + 4 * version
  const grid: Grid = Array.from({ length: side }, () => Array<boolean | null>(side).fill(null))
  /** A square around a middle: dark, but for the rings at these distances. */
  const square = (row: number, column: number, reach: number, light: readonly number[]) => {
    for (let y = Math.max(0, row - reach); y <= Math.min(side - 1, row + reach); y++) {
      for (let x = Math.max(0, column - reach); x <= Math.min(side - 1, column + reach); x++) {
        grid[y]![x] = !light.includes(Math.max(Math.abs(y - row), Math.abs(x - column)))
      }
    }
  }
  for (let i = 0; i < side; i++) grid[6]![i] = grid[i]![6] = i % 2 === 0
  for (const [row, column] of [[3, 3], [3, side - 4], [side - 4, 3]] as const) square(row, column, 4, [2, 4])
  const [first, last] = [6, side - 7]
  const middles = version === 1 ? [] : version < 7 ? [first, last] : [first, (first + last) / 2, last]
  for (const row of middles) {
    for (const column of middles) {
      const end = (at: number) => at === first || at === last
      // Three of the corners have a large square already.
      if (row + column === 2 * last || !end(row) || !end(column)) square(row, column, 2, [1])
    }
  }
  for (const [row, column] of formatPlaces(side).flat()) grid[row]![column] = false
  grid[side - 8]![8] = true
  if (version >= 7) {
    const bits = (version << 12) | remainder(version << 12, 0x1f25)
    for (let i = 0; i < 18; i++) {
      const [near, far] = [Math.floor(i / 3), side - 11 + (i % 3)]
      grid[near]![far] = grid[far]![near] = ((bits >> i) & 1) === 1
    }
  }
  return grid
}

/** Where each bit of the format stands, the last bit first: once around the upper left square, once beside the other two. */
function formatPlaces(side: number): [Place, Place][] {
  return Array.from({ length: 15 }, (_, i) => [
    i < 8 ? [i < 6 ? i : i + 1, 8] : [8, i < 9 ? 7 : 14 - i],
    i < 8 ? [8, side - 1 - i] : [side - 15 + i, 8],
  ])
}

/** What is left of a number when it is divided by another as polynomials of bits. */
function remainder(bits: number, divisor: number): number {
  const length = (n: number) => 32 - Math.clz32(n)
  while (length(bits) >= length(divisor)) bits ^= divisor << (length(bits) - length(divisor))
  return bits
}

/** Where the data goes: in columns of two from the right, up and down by turns, past the column of the dotted line. */
function dataPlaces(grid: Grid): Place[] {
  const side = grid.length
  const places: Place[] = []
  let up = true
  for (let right = side - 1; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let i = 0; i < side; i++) {
      const row = up ? side - 1 - i : i
      for (const column of [right, right - 1]) if (grid[row]![column] === null) places.push([row, column])
    }
  }
  return places
}

function draw(grid: Grid, places: readonly Place[], codewords: readonly number[], mask: number): boolean[][] {
  const out = grid.map((row) => row.map((dark) => dark === true))
  // A few places are left over behind the last codeword: they are light, and masked as the others.
  places.forEach(([row, column], i) => {
    const bit = ((codewords[i >> 3] ?? 0) >> (7 - (i & 7))) & 1
    out[row]![column] = (bit === 1) !== MASKS[mask]!(row, column)
  })
  const about = ((LEVEL_M << 3) | mask) << 10
  const format = (about | remainder(about, 0x537)) ^ 0x5412
  formatPlaces(out.length).forEach((both, i) => {
    for (const [row, column] of both) out[row]![column] = ((format >> i) & 1) === 1
  })
  return out
}

/** How hard a code is to read: long runs, blocks of one kind, what looks like a corner, too much dark or light. */
function penalty(modules: Modules): number {
  const side = modules.length
  const at = (row: number, column: number) => (modules[row]![column] ? '1' : '0')
  const line = (place: (i: number) => string) => Array.from({ length: side }, (_, i) => place(i)).join('')
  const rows = Array.from({ length: side }, (_, row) => line((column) => at(row, column)))
  const columns = Array.from({ length: side }, (_, column) => line((row) => at(row, column)))
  let sum = 0
  for (const text of [...rows, ...columns]) {
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2
    // Overlapping ones count too.
    sum += 40 * [...text.matchAll(/(?=10111010000|00001011101)/g)].length
  }
  for (let row = 1; row < side; row++) {
    for (let column = 1; column < side; column++) {
      const four = at(row, column) + at(row - 1, column) + at(row, column - 1) + at(row - 1, column - 1)
      if (four === '0000' || four === '1111') sum += 3
    }
  }
  const dark = rows.join('').replaceAll('0', '').length / side ** 2
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20)
}

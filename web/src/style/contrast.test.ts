// Discs and marks against the felt, in every colour of the board, from the tokens the page uses.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { BOARDS } from '../state/preferences.ts'

const css = readFileSync(fileURLToPath(new URL('tokens.css', import.meta.url)), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')

function block(selector: string): Record<string, string> {
  const at = css.indexOf(`\n${selector} {`)
  expect(at, selector).toBeGreaterThanOrEqual(0)
  const body = css.slice(css.indexOf('{', at) + 1, css.indexOf('}', at))
  return Object.fromEntries([...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((found) => [found[1] ?? '', (found[2] ?? '').trim()]))
}

/** The tokens of one board: the plain ones, and over them its own. */
function board(colours: string): Record<string, string> {
  return { ...block('.board'), ...(colours === 'green' ? {} : block(`.board[data-colours='${colours}']`)) }
}

/** Relative luminance, from `#rrggbb` or `oklch(L% C H)`. */
function luminance(colour: string): number {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(colour)
  if (hex) {
    const [r, g, b] = hex.slice(1).map((part) => {
      const value = parseInt(part, 16) / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const parts = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(colour)
  if (!parts) throw new Error(`no colour: ${colour}`)
  const [l, c, h] = [Number(parts[1]) / 100, Number(parts[2]), (Number(parts[3]) * Math.PI) / 180]
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const [long, middle, short] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ]
  const red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
  const green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
  const blue = -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short
  const seen = (value: number) => Math.min(1, Math.max(0, value))
  return 0.2126 * seen(red) + 0.7152 * seen(green) + 0.0722 * seen(blue)
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

it('knows what contrast is', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  // oklch's white and a middle grey, as browsers paint them
  expect(contrast('oklch(100% 0 0)', '#ffffff')).toBeCloseTo(1)
  expect(contrast('oklch(59.99% 0 0)', '#808080')).toBeCloseTo(1, 2)
})

const ON_FELT = ['--black', '--white', '--mark-black', '--mark-white', '--open-white', '--best', '--near', '--wrong', '--arrow', '--focus-board'] as const

for (const colours of BOARDS) {
  it(`${colours}: discs and marks stand out from the felt by 3:1`, () => {
    const tokens = board(colours)
    const weak = ON_FELT.map((name) => [name, contrast(tokens[name]!, tokens['--felt']!)] as const).filter(([, ratio]) => ratio < 3)
    expect(weak).toEqual([])
  })

  it(`${colours}: marks on discs stand out from them by 3:1`, () => {
    const tokens = board(colours)
    // The ring of a disc that would turn has the other colour; the last move has an edge for either.
    expect(contrast(tokens['--mark-black']!, tokens['--white']!)).toBeGreaterThanOrEqual(3)
    expect(contrast(tokens['--mark-white']!, tokens['--black']!)).toBeGreaterThanOrEqual(3)
    for (const disc of ['--black', '--white']) {
      const best = Math.max(contrast(tokens['--last']!, tokens[disc]!), contrast(tokens['--last-edge']!, tokens[disc]!))
      expect(best, disc).toBeGreaterThanOrEqual(3)
    }
  })

  it(`${colours}: values of moves are read as text, 4.5:1`, () => {
    const tokens = board(colours)
    expect(contrast(tokens['--plain-value']!, tokens['--felt']!)).toBeGreaterThanOrEqual(4.5)
    for (const chip of ['--best', '--near']) expect(contrast(tokens['--on-best']!, tokens[chip]!), chip).toBeGreaterThanOrEqual(4.5)
    expect(contrast(tokens['--on-wrong']!, tokens['--wrong']!)).toBeGreaterThanOrEqual(4.5)
  })

  it(`${colours}: letters inside the board are read as text, 4.5:1`, () => {
    const tokens = board(colours)
    expect(contrast(tokens['--coordinate-inside']!, tokens['--felt']!)).toBeGreaterThanOrEqual(4.5)
  })
}

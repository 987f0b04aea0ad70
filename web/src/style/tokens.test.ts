// Colours have one home: what a component draws with has a name in tokens.css.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(svelte|css)$/.test(name))
const read = (name: string) => readFileSync(root + name, 'utf8')

it('keeps every colour in tokens.css', () => {
  const found = files
    .filter((name) => !name.endsWith('tokens.css'))
    .flatMap((name) => [...read(name).matchAll(/#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgba?|hsla?|oklch|oklab)\(/gi)].map(([colour]) => `${name}: ${colour}`))
  expect(found).toEqual([])
  expect(files.length).toBeGreaterThan(30)
})

it('knows every name that is drawn with', () => {
  const all = files.map(read).join('\n')
  const known = new Set([...all.matchAll(/(--[a-z][\w-]*)\s*[:=]/g)].map(([, name]) => name))
  const unknown = [...all.matchAll(/var\((--[a-z][\w-]*)/g)].flatMap(([, name]) => (known.has(name) ? [] : [name]))
  expect(unknown).toEqual([])
})

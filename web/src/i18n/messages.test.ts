import type { Pattern } from '@fluent/bundle/esm/ast.js'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { MODULES, pageSections, parsed } from '../../build/messages.ts'

const locales = fileURLToPath(new URL('../../../locales', import.meta.url))
const languages = parsed(locales)
const ids = (language: string) => (languages[language] ?? []).map((message) => message.id)

const sources = readdirSync(fileURLToPath(new URL('..', import.meta.url)), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(svelte|ts)$/.test(file) && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(fileURLToPath(new URL('..', import.meta.url)), file), 'utf8'))
  .join('\n')

/** An id put together at run time, such as `page-${color}-to-move`, asks for all of its shape. */
function asksFor(source: string, id: string): boolean {
  const shapes = [...source.matchAll(/`(page-[^`]*\$\{[^`]*)`/g)].map(
    (found) => new RegExp(`^${(found[1] ?? '').replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '.+')}$`),
  )
  return new RegExp(`['"]${id}['"]`).test(source) || shapes.some((shape) => shape.test(id))
}

/** The variables a message takes. */
function variables(pattern: Pattern | null): string[] {
  return [...JSON.stringify(pattern).matchAll(/"type":"var","name":"([^"]+)"/g)].map((found) => found[1] ?? '').sort()
}

describe('messages', () => {
  it('are the same in every language, with the same variables', () => {
    const shape = (language: string) =>
      (languages[language] ?? []).map((message) => [message.id, [...new Set(variables(message.value))]] as const).sort()
    expect(Object.keys(languages).sort()).toEqual(['en', 'es'])
    expect(shape('es')).toEqual(shape('en'))
    expect(new Set(ids('en')).size).toBe(ids('en').length)
  })

  it('are all there when the page asks for them', () => {
    const asked = [...sources.matchAll(/['"`](page-[a-z0-9-]*[a-z0-9])['"`]/g)].map((found) => found[1] ?? '')
    expect(asked.length).toBeGreaterThan(100)
    expect(asked.filter((id) => !ids('en').includes(id))).toEqual([])
  })

  /** The source of everything that is reached from one file by plain imports. */
  function reachedFrom(start: string): string {
    const reached = new Set<string>()
    const follow = (file: string) => {
      if (reached.has(file)) return
      reached.add(file)
      for (const found of readFileSync(file, 'utf8').matchAll(/(?:import|export)\s[^'"`;]*?from '(\.[^']+\.(?:ts|svelte))'/g)) follow(join(dirname(file), found[1] ?? ''))
    }
    follow(fileURLToPath(new URL(start, import.meta.url)))
    expect(reached.size).toBeGreaterThan(20)
    return [...reached].map((file) => readFileSync(file, 'utf8')).join('\n')
  }

  it.each([
    ['../later.ts', 'virtual:messages/later'],
    ['../study/index.ts', 'virtual:messages/study'],
    ['../lesson/index.ts', 'virtual:messages/lesson'],
    ['../share/index.ts', 'virtual:messages/share'],
    ['../exercises/index.ts', 'virtual:messages/exercises'],
    ['../people/index.ts', 'virtual:messages/people'],
  ] as const)('come with %s, for all that it says', (start, module) => {
    const there = parsed(locales, [...MODULES['virtual:messages'], ...MODULES[module]])['en'] ?? []
    const asked = [...reachedFrom(start).matchAll(/['"`](page-[a-z0-9-]*[a-z0-9])['"`]/g)].map((found) => found[1] ?? '')
    expect(asked.filter((id) => !there.some((message) => message.id === id))).toEqual([])
  })

  it('have words for every reason the server knows', () => {
    const protocol = readFileSync(fileURLToPath(new URL('../protocol.ts', import.meta.url)), 'utf8')
    const kinds = [...(/export type ReasonKind = ([^;]*);/.exec(protocol)?.[1] ?? '').matchAll(/"(\w+)"/g)].map((found) => `reason-${(found[1] ?? '').replaceAll('_', '-')}`)
    const there = parsed(locales, MODULES['virtual:messages/study'])['es'] ?? []
    expect(kinds.length).toBeGreaterThan(5)
    expect(kinds.filter((id) => !there.some((message) => message.id === id))).toEqual([])
  })

  it('are there without what is loaded later, for all that is not', () => {
    const said = reachedFrom('../App.svelte')
    const { 'virtual:messages': _, ...rest } = MODULES
    const later = parsed(locales, Object.values(rest).flat())['en'] ?? []
    expect(later.length).toBeGreaterThan(40)
    expect(later.map(({ id }) => id).filter((id) => asksFor(said, id))).toEqual([])
  })

  it('are all asked for', () => {
    expect(ids('en').filter((id) => id.startsWith('page-') && !asksFor(sources, id))).toEqual([])
  })

  it('leave the other programs’ sections out', () => {
    const text = pageSections('## Shared\n\na = 1\n\n## Command line\n\nb = 2\n\n## Page\n\nc = 3\n')
    expect(text).toContain('a = 1')
    expect(text).toContain('c = 3')
    expect(text).not.toContain('b = 2')
  })
})

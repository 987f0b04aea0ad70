import type { Pattern } from '@fluent/bundle/esm/ast.js'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { pageSections, parsed } from '../../build/messages.ts'

const languages = parsed(fileURLToPath(new URL('../../../locales', import.meta.url)))
const ids = (language: string) => (languages[language] ?? []).map((message) => message.id)

const sources = readdirSync(fileURLToPath(new URL('..', import.meta.url)), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(svelte|ts)$/.test(file) && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(fileURLToPath(new URL('..', import.meta.url)), file), 'utf8'))
  .join('\n')

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

  it('are all asked for', () => {
    // An id put together at run time, such as `page-${color}-to-move`, vouches for all of its shape.
    const shapes = [...sources.matchAll(/`(page-[^`]*\$\{[^`]*)`/g)].map(
      (found) => new RegExp(`^${(found[1] ?? '').replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '.+')}$`),
    )
    const unused = ids('en').filter(
      (id) => id.startsWith('page-') && !new RegExp(`['"]${id}['"]`).test(sources) && !shapes.some((shape) => shape.test(id)),
    )
    expect(unused).toEqual([])
  })

  it('leave the other programs’ sections out', () => {
    const text = pageSections('## Shared\n\na = 1\n\n## Command line\n\nb = 2\n\n## Page\n\nc = 3\n')
    expect(text).toContain('a = 1')
    expect(text).toContain('c = 3')
    expect(text).not.toContain('b = 2')
  })
})
